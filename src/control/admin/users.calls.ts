import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import * as words from '../../foundation/schema/schema-words.js'
import { checkEmail } from '../../platform/organizations/email.js'
import { fullName, userReferences } from '../../platform/organizations/organizations.js'
import { roles } from '../../platform/organizations/roles.js'
import { type UserRecord, userDocument, userFields, userRecord } from '../../platform/organizations/user-record.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { chapter } from './call.js'
import { organizationOf, userOf } from './named-records.js'

const call = chapter('Organizations, users, apps')

const user = userRecord(words)
  .omit({ sequence: true, created_at: true })
  .extend({ organizations: z.array(z.object({ slug: z.string(), role: z.enum(roles) })) })
  .meta({ id: 'User', description: 'A user, with the organizations of which they are a member' })

function presentUser({ store }: Pick<World, 'store'>, record: UserRecord): z.input<typeof user> {
  const { sequence: _, created_at: __, ...fields } = record
  const memberships = [...store.memberships.in('user', record.id)]
  return { ...fields, organizations: memberships.map(({ organization, role }) => ({ slug: organization, role })) }
}

const newUser = userDocument(words).meta({ id: 'NewUser', description: 'A user to add' })

/**
 * Adds a user by the rules of a fixture document.
 * @throws Refusal 404 for an organization that does not exist; 400 and 409 with paths of the body.
 */
function addUser(world: World, document: z.output<typeof newUser>): UserRecord {
  try {
    const { created } = world.store.change((tx) => loadFixtures(world, tx, [{ document: { users: [document] } }]))
    return world.store.users.get(created.users?.[0] ?? '') as UserRecord
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = error.details?.map(({ path, message }) => ({
      path: path.replace(/^users\.0\.?/, ''),
      message: message.replace(/(is also at )users\.0\./, '$1'),
    }))
    // The body is valid if it only names organizations that do not exist.
    if (details?.every(({ path }) => /^organizations\.\d+\.slug$/.test(path))) {
      for (const { slug } of document.organizations ?? []) organizationOf(world, slug)
    }
    throw new Refusal(error.refusal, { details })
  }
}

const fields = words.withoutDefaults(userFields(words))
const changes = z
  .strictObject(fields)
  .partial()
  .refine((given) => Object.keys(given).length > 0, `must have at least one of ${Object.keys(fields).join(', ')}`)

/** Changes the given fields. Updates a full name that consists of the old names. @throws Refusal 400, 409 */
function changeUser(world: Pick<World, 'store'>, record: UserRecord, given: z.output<typeof changes>): UserRecord {
  if (given.email !== undefined) checkEmail(world, given.email, 'email', record.id)
  const changed = { ...record, ...given }
  if (record.full_name === fullName(record)) changed.full_name = fullName(changed)
  return world.store.change((tx) => tx.put('users', changed))
}

/** Ids that a refusal lists of each kind of record. */
const MAX_LISTED = 3

/** @throws Refusal 409 for a user to whom records refer, naming the first of each kind. */
function refuseReferred({ store }: Pick<World, 'store'>, { id, email }: UserRecord): void {
  const kinds = userReferences.flatMap(([kind, usersIn]) => {
    const ids: string[] = []
    for (const record of store[kind].all) if (usersIn(record).includes(id)) ids.push(record.id)
    const more = ids.length - MAX_LISTED
    const listed = `${kind.replace('_', ' ')} ${ids.slice(0, MAX_LISTED).join(', ')}`
    return ids.length === 0 ? [] : `${listed}${more > 0 ? ` and ${more} more` : ''}`
  })
  if (kinds.length === 0) return
  const message = `${email} is referred to by ${kinds.join('; ')}. Delete the elements, apps or organizations that they belong to first`
  throw new Refusal('conflict', { message })
}

const userColumns = ['id', 'email', 'full_name', 'email_verified', 'organizations']

export const userCalls = {
  listUsers: call('GET', '/_admin/users', {
    summary: 'List the users',
    command: { line: 'users list', shows: userColumns },
    list: true,
    response: user,
    handler: (world) => Array.from(world.store.users.all, (each) => presentUser(world, each)),
  }),
  createUser: call('POST', '/_admin/users', {
    summary: 'Add a user',
    status: 201,
    body: newUser,
    response: user,
    handler: (world, { body }) => presentUser(world, addUser(world, body)),
  }),
  updateUser: call('PUT', '/_admin/users/:user', {
    summary: 'Change fields of a user',
    command: { line: 'users update <user>', example: 'zoe@zenith.test --email-verified', shows: userColumns },
    body: changes,
    response: user,
    find: (world, { user }) => userOf(world, user),
    handler: (world, { found, body }) => presentUser(world, changeUser(world, found, body)),
  }),
  deleteUser: call('DELETE', '/_admin/users/:user', {
    summary: 'Delete a user who is in no organization and to whom no record refers, with their sessions and tokens',
    command: { line: 'users delete <user>', shows: ['id', 'email'] },
    response: user,
    find: (world, { user }) => userOf(world, user),
    handler(world, { found }) {
      const shown = presentUser(world, found)
      const slugs = shown.organizations.map(({ slug }) => slug).join(', ')
      if (slugs !== '') {
        const message = `${found.email} is a member of ${slugs}; remove the memberships first`
        throw new Refusal('conflict', { message })
      }
      refuseReferred(world, found)
      world.store.change((tx) => tx.removeWithOwned('users', found.id))
      return shown
    },
  }),
}
