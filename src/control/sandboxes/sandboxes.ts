import { setTimeout as wait } from 'node:timers/promises'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import { LONGEST_REAL } from '../../foundation/schema/duration.js'
import type { Transaction } from '../../foundation/store/store.js'
import { isEmail } from '../../platform/organizations/email.js'
import { managingRoles, type Role, roles } from '../../platform/organizations/roles.js'
import type { UserRecord } from '../../platform/organizations/user-record.js'
import { copyOrganization } from './copy-organization.js'
import type { SandboxRecord } from './sandbox-record.js'

export interface SandboxRequest {
  name: string | undefined
  /** The fields of a user for each role that is to have one. */
  people: Partial<Record<Role, Partial<UserRecord>>>
  /** The slug of an organization to copy. */
  from: string | undefined
  /** Real milliseconds. */
  ttl: number
  /** True when an app will be installed, which needs an owner or admin. */
  installs: boolean
}

/** A sandbox that was made, and the user who installs apps in it; null when it has none who may. */
export interface NewSandbox {
  sandbox: SandboxRecord
  installer: string | null
}

/**
 * Makes an organization for one test, with people of its own, in one change. control-api: "Sandboxes"
 * @throws Refusal 400 for an email that is none, and when nobody could install; 409 for the email of another user.
 */
export function createSandbox(world: Pick<World, 'clock' | 'random' | 'store'>, request: SandboxRequest): NewSandbox {
  const { clock, random, store } = world
  return store.change((tx) => {
    const id = random.id()
    const organization = `sandbox-${id}`
    const created_at = clock.timestamp(null)
    const { name = organization, from, ttl } = request
    const api_key = random.secret('key_')
    tx.put('organizations', { id: organization, sequence: tx.next(), created_at, name, api_key })
    const wanted = roles.filter((role) => request.people[role] !== undefined)
    const people = wanted.map((role) => ({ role, user: addPerson(world, tx, organization, role, request) }))
    const copied = from === undefined ? [] : copyOrganization(world, tx, from, organization)
    const installer = managerOf(world, organization)
    if (request.installs && installer === null) {
      throw invalid([{ path: 'people', message: 'must have an owner or an admin, who installs the app' }])
    }
    const expires_at = new Date(machineNow(world) + ttl).toISOString()
    const sandbox = { id, sequence: tx.next(), created_at, organization, people, copied, expires_at }
    tx.put('sandboxes', sandbox)
    return { sandbox, installer }
  })
}

function addPerson(
  { clock, random, store }: Pick<World, 'clock' | 'random' | 'store'>,
  tx: Transaction,
  organization: string,
  role: Role,
  { people }: SandboxRequest,
): string {
  const given = Object.fromEntries(Object.entries(people[role] ?? {}).filter(([, value]) => value !== undefined))
  const id = random.id()
  const path = `people.${role}.email`
  const {
    email = `${role}@${organization}.test`.toLowerCase(),
    first_name = capitalised(role),
    last_name = 'Sandbox',
  } = given as Partial<UserRecord>
  if (!isEmail(email)) throw invalid([{ path, message: 'must be an email address' }])
  if (store.users.by('email', email.toLowerCase())) {
    throw new Refusal('conflict', { details: [{ path, message: 'is the email of another user' }] })
  }
  const created_at = clock.timestamp(null)
  const full_name = `${first_name} ${last_name}`.trim()
  const names = { email: email.toLowerCase(), first_name, last_name, full_name }
  const rest = { email_verified: true, avatar: null, last_seen: null, ...given }
  tx.put('users', { ...rest, ...names, id, sequence: tx.next(), created_at })
  const membership = { id: `${organization}/${id}`, organization, user: id, role }
  tx.put('memberships', { ...membership, sequence: tx.next(), created_at })
  return id
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the most powerful member who may install apps. */
function managerOf({ store }: Pick<World, 'store'>, organization: string): string | null {
  const members = [...store.memberships.in('organization', organization)]
  const found = managingRoles.map((role) => members.find((member) => member.role === role))
  return found.find((member) => member !== undefined)?.user ?? null
}

/** Removes a sandbox with all that was made in it, in one change. Its requests stay in the journal. */
export function endSandbox(world: Pick<World, 'inboxes' | 'store'>, sandbox: SandboxRecord): void {
  const { organization, people, copied } = sandbox
  world.store.change((tx) => {
    tx.removeWhole('organizations', organization)
    for (const user of [...people.map(({ user }) => user), ...copied]) tx.removeWhole('users', user)
    tx.remove('sandboxes', sandbox.id)
  })
  world.inboxes.forget(organization)
}

const machineNow = ({ clock }: Pick<World, 'clock'>) => clock.now(null) - clock.ahead(null)

/** Ends each sandbox when its time to live is over, in real time, until the emulator closes. */
export function expireSandboxes(world: Pick<World, 'clock' | 'closing' | 'inboxes' | 'store'>): void {
  const { closing, store } = world
  let waiting: AbortController | undefined
  const first = () => store.sandboxes.in('expiring', 'all').at(0)
  const left = ({ expires_at }: SandboxRecord) => Date.parse(expires_at) - machineNow(world)

  const waitForFirst = async () => {
    waiting?.abort()
    const next = first()
    if (!next) return
    waiting = new AbortController()
    const { signal } = waiting
    const ms = Math.min(Math.max(left(next), 0), LONGEST_REAL)
    await wait(ms, undefined, { signal: AbortSignal.any([signal, closing]), ref: false })
    for (let sandbox = first(); sandbox && left(sandbox) <= 0; sandbox = first()) endSandbox(world, sandbox)
    await waitForFirst()
  }
  // Another wait has taken its place, the emulator closes, or the store cannot be written, which the next change tries again.
  const start = () => void waitForFirst().catch(() => undefined)
  store.onChange((changes) => {
    if (changes.some(({ collection }) => collection === 'sandboxes')) start()
  })
  start()
}
