import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import type { Transaction } from '../../foundation/store/store.js'
import { checkEmail } from '../../platform/organizations/email.js'
import { fullName } from '../../platform/organizations/organizations.js'
import { managingRoles, type Role, roles } from '../../platform/organizations/roles.js'
import type { UserRecord } from '../../platform/organizations/user-record.js'
import { copyOrganization } from './copy-organization.js'

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

/** Begins the slug of a sandbox's organization; the sandbox's id follows. */
export const SANDBOX_PREFIX = 'sandbox-'

/**
 * Makes an organization for one test, with people of its own, in one change. control-api: "Sandboxes"
 * @returns the sandbox, and the user who installs apps in it; null when it has none who may.
 * @throws Refusal 400 for an invalid email, and when no member may install; 409 for the email of another user.
 */
export function createSandbox(world: Pick<World, 'clock' | 'random' | 'store'>, request: SandboxRequest) {
  const { clock, random, store } = world
  return store.change((tx) => {
    const organization = random.id(SANDBOX_PREFIX)
    const created_at = clock.timestamp(null)
    const { name = organization, from, ttl } = request
    tx.add('organizations', { id: organization, created_at, name, api_key: random.secret('key_') })
    const wanted = roles.filter((role) => request.people[role] !== undefined)
    const people = wanted.map((role) => ({ role, user: addPerson(world, tx, organization, role, request) }))
    const copied = from === undefined ? [] : copyOrganization(world, tx, from, organization)
    const installer = managerOf(world, organization)
    if (request.installs && installer === null) {
      throw invalid([{ path: 'people', message: 'must have an owner or an admin, who installs the app' }])
    }
    const expires_at = new Date(world.clock.machineNow() + ttl).toISOString()
    const id = organization.slice(SANDBOX_PREFIX.length)
    const sandbox = tx.add('sandboxes', { id, created_at, organization, people, copied, expires_at })
    return { sandbox, installer }
  })
}

/** Parts of an id that the name of a host may not have, or may not end with. */
const NOT_IN_HOSTS = /(?<!^sandbox)[-_]/g

function addPerson(
  world: Pick<World, 'clock' | 'random' | 'store'>,
  tx: Transaction,
  organization: string,
  role: Role,
  { people }: SandboxRequest,
): string {
  const given = people[role] ?? {}
  const id = world.random.id()
  const {
    email = `${role}@${organization.replace(NOT_IN_HOSTS, '')}.test`.toLowerCase(),
    first_name = capitalized(role),
    last_name = 'Sandbox',
  } = given
  checkEmail(world, email, `people.${role}.email`)
  const created_at = world.clock.timestamp(null)
  const names = { first_name, last_name, full_name: fullName({ first_name, last_name }) }
  const rest = { email_verified: true, avatar: null, last_seen: null, ...given }
  tx.add('users', { ...rest, email, ...names, id, created_at })
  tx.add('memberships', { id: `${organization}/${id}`, organization, user: id, role, created_at })
  return id
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the most powerful member who may install apps. */
function managerOf({ store }: Pick<World, 'store'>, organization: string): string | null {
  const members = [...store.memberships.in('organization', organization)]
  const found = managingRoles.map((role) => members.find((member) => member.role === role))
  return found.find((member) => member !== undefined)?.user ?? null
}
