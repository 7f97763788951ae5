import * as z from 'zod'
import { hasMark } from '../../emulator/world/exchange.js'
import { ANY_RUN } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { CollectionName, RecordOf } from '../../foundation/store/kind.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { findApp } from '../../platform/apps/manifest.js'
import { findUser } from '../../platform/organizations/organizations.js'
import type { UserRecord } from '../../platform/organizations/user-record.js'

// The records that control calls name, in paths, bodies and filters.

/** Rejects a name that does not exist and lists those that do. @throws Refusal 404. control-api: preamble */
export function rejectName(what: string, name: string, existing: Iterable<string>): never {
  const names = [...existing]
  const shown = names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ')
  const known = shown ? `there are: ${shown}` : 'none exist'
  throw new Refusal('not_found', { message: `There is no ${what} "${name}"; ${known}` })
}

/** Lists the ids of records, for `rejectName`. */
export const idsOf = (records: Iterable<{ id: string }>) => Array.from(records, ({ id }) => id)

const emailsOf = (users: Iterable<UserRecord>) => Array.from(users, ({ email }) => email)

/** Returns a function that finds a record by its id, and throws Refusal 404 when there is none. */
export const finderOf =
  <C extends CollectionName>(collection: C, what: string) =>
  ({ store }: Pick<World, 'store'>, id: string): RecordOf<C> =>
    (store[collection].get(id) as RecordOf<C> | undefined) ?? rejectName(what, id, idsOf(store[collection].all))

export const organizationOf = finderOf('organizations', 'organization')
export const installationOf = finderOf('installations', 'installation')

/** Finds an app by manifest id or client id. @throws Refusal 404 */
export const appOf = (world: Pick<World, 'store'>, name: string): AppRecord =>
  findApp(world, name) ?? rejectName('app', name, idsOf(world.store.apps.all))

/** Finds a user by id or email. @throws Refusal 404 */
export const userOf = (world: Pick<World, 'store'>, idOrEmail: string): UserRecord =>
  findUser(world, idOrEmail) ?? rejectName('user', idOrEmail, emailsOf(world.store.users.all))

const recordOf = { app: appOf, organization: organizationOf, user: userOf, installation: installationOf }

/** Selects a run of an audit or sweep; without it, lists omit what runs caused. */
export const runFilter = z.string().optional().describe('Id of an audit or sweep, or `any`; none when left out')

/** Returns the run that a filter names. @throws Refusal 404 for one that left nothing. */
export function findRun(world: Pick<World, 'findings' | 'journal' | 'store'>, run: string | undefined) {
  const { store, journal, findings } = world
  if (run === undefined || run === ANY_RUN) return run
  if (Array.from(store.organizations.all).some((each) => each.run === run)) return run
  const caused = [...store.organizations.all, ...store.users.all, ...journal.entries(), ...findings.list(ANY_RUN)]
  const runs = new Set(caused.flatMap((each) => each.run ?? []))
  return runs.has(run) ? run : rejectName('run', run, runs)
}

/** Selects a test or a step. */
export const markFilter = z.string().optional().describe('Name of a mark')

/** Returns the ids of a mark's journal entries and of the events that were sent; undefined without a mark. @throws Refusal 404 */
export function findMarked({ journal }: Pick<World, 'journal'>, mark: string | undefined) {
  if (mark === undefined) return undefined
  const found = journal.entries().filter(({ marks }) => hasMark(marks, mark))
  const names = new Set(journal.markNames())
  if (found.length === 0 && !names.has(mark)) rejectName('mark', mark, names)
  return {
    entries: new Set(found.map(({ id }) => id)),
    events: new Set(found.map(({ delivery }) => delivery?.event_id)),
  }
}

/** Returns the given filters with the ids of the records that they name. @throws Refusal 404 */
export function resolveNames<F extends object>(world: Pick<World, 'store'>, filters: F): Partial<F> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const isName = (field: string): field is keyof typeof recordOf => Object.hasOwn(recordOf, field)
  return Object.fromEntries(
    given.map(([field, value]) => [field, isName(field) ? recordOf[field](world, String(value)).id : value]),
  ) as Partial<F>
}

/**
 * Returns the ids of a filter's app and organization. The entries of the journal and the findings of a deleted record
 * stay, and are found by its id. @throws Refusal 404 for a name that neither a record nor any of them has.
 */
export function rememberedIds(
  world: Pick<World, 'findings' | 'journal' | 'store'>,
  names: { app: string | undefined; organization: string | undefined },
) {
  const idOf = (kind: keyof typeof names): string | undefined => {
    const name = names[kind]
    if (name === undefined) return undefined
    const record = kind === 'app' ? findApp(world, name) : world.store.organizations.get(name)
    if (record) return record.id
    const identities = [
      ...Array.from(world.journal.entries(), ({ identity }) => identity),
      ...world.findings.list(ANY_RUN, kind === 'organization' ? name : undefined),
    ]
    return identities.some((each) => each[kind] === name) ? name : recordOf[kind](world, name).id
  }
  return { app: idOf('app'), organization: idOf('organization') }
}

/** Removes every record of a collection. @returns them. */
export function removeAll<C extends CollectionName>({ store }: Pick<World, 'store'>, collection: C): RecordOf<C>[] {
  const records = [...store[collection].all] as RecordOf<C>[]
  store.change((tx) => {
    for (const { id } of records) tx.remove(collection, id)
  })
  return records
}

/** Returns true if the record has all of these values; undefined ones are ignored. */
export const matches = <R extends object>(record: R, values: { [K in keyof R]?: unknown }): boolean =>
  (Object.keys(values) as (keyof R)[]).every((field) => values[field] === undefined || record[field] === values[field])
