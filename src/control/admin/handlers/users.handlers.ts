import type { World } from '../../../emulator/world/world.js'
import { invalid, Refusal } from '../../../foundation/http/refusal.js'
import { isEmail } from '../../../platform/organizations/email.js'
import type { UserRecord } from '../../../platform/organizations/user-record.js'
import { loadFixtures } from '../../fixtures/load-fixtures.js'
import type { CallInput, CallResult, Handlers } from '../call-types.js'
import type { userSchemas } from '../schemas/users.schemas.js'
import { organizationOf, userOf } from './named-records.js'

function presentUser(world: World, user: UserRecord): CallResult<'createUser'> {
  const { sequence: _, created_at: __, ...fields } = user
  const memberships = [...world.store.memberships.in('user', user.id)]
  return { ...fields, organizations: memberships.map(({ organization, role }) => ({ slug: organization, role })) }
}

/**
 * Adds a user by the rules of a fixture document.
 * @throws Refusal 404 for an organization that does not exist; 400 and 409 with paths of the body.
 */
function addUser(world: World, user: CallInput<'createUser'>['body']): UserRecord {
  try {
    const { created } = world.store.change((tx) => loadFixtures(world, tx, [{ document: { users: [user] } }]))
    return world.store.users.get(created.users?.[0] ?? '') as UserRecord
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = error.details?.map(({ path, message }) => ({ path: path.replace(/^users\.0\.?/, ''), message }))
    // A body that is right but for names that do not exist is not an invalid one.
    if (details?.every(({ path }) => /^organizations\.\d+\.slug$/.test(path))) {
      for (const { slug } of user.organizations ?? []) organizationOf(world, slug)
    }
    throw new Refusal(error.refusal, { details })
  }
}

/** Changes the given fields; a full name that was made of the old names follows the new ones. @throws Refusal 400, 409 */
function updateUser(world: World, user: UserRecord, changes: CallInput<'updateUser'>['body']): UserRecord {
  const email = changes.email?.toLowerCase()
  if (email !== undefined) {
    if (!isEmail(email)) throw invalid([{ path: 'email', message: 'must be an email address' }])
    const other = world.store.users.by('email', email)
    if (other && other.id !== user.id) {
      throw new Refusal('conflict', { details: [{ path: 'email', message: `is the email of another user` }] })
    }
  }
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const changed: UserRecord = { ...user, ...given }
  if (user.full_name === fullName(user)) changed.full_name = fullName(changed)
  world.store.change((tx) => tx.put('users', changed))
  return changed
}

const fullName = ({ first_name, last_name }: UserRecord) => `${first_name} ${last_name}`.trim()

/** control-api: "Organizations, users, apps" */
export const userHandlers: Handlers<keyof typeof userSchemas> = {
  listUsers: (world) => [...world.store.users.all].map((user) => presentUser(world, user)),
  createUser: (world, { body }) => presentUser(world, addUser(world, body)),
  updateUser(world, input) {
    const user = userOf(world, input.params.user)
    return presentUser(world, updateUser(world, user, input.body))
  },
}
