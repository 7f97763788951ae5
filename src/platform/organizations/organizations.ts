import type { EndingWorld } from '../../emulator/world/retention.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { AnyRecord, CollectionName, RecordOf } from '../../foundation/store/kind.js'
import { endUserGrants } from '../authentication/tokens.js'
import type { OrganizationRecord } from './organization-record.js'
import { managingRoles } from './roles.js'
import type { UserRecord } from './user-record.js'

/** Returns the user of that id or email. */
export const findUser = (world: Pick<World, 'store'>, idOrEmail: string): UserRecord | undefined =>
  world.store.users.get(idOrEmail) ?? world.store.users.by('email', idOrEmail.toLowerCase())

export const fullName = ({ first_name, last_name }: Pick<UserRecord, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim()

/** Returns the owner that an organization has had for longest. control-api: "Installations" */
export function firstOwner(world: Pick<World, 'store'>, organization: string): UserRecord | undefined {
  for (const { user, role } of world.store.memberships.in('organization', organization)) {
    if (role === 'owner') return world.store.users.get(user)
  }
  return undefined
}

/** Returns the organization of a user who belongs to exactly one: the one whose time a user's sessions go by. */
export function soleOrganization(world: Pick<World, 'store'>, { id }: Pick<UserRecord, 'id'>): string | null {
  const memberships = world.store.memberships.in('user', id)
  return memberships.size === 1 ? (memberships.at(0)?.organization ?? null) : null
}

/** Adds an organization without members and without an API key. @throws Refusal 409 when the slug is taken. */
export function addOrganization(world: Pick<World, 'clock' | 'store'>, slug: string, name: string): OrganizationRecord {
  if (world.store.organizations.get(slug)) {
    throw new Refusal('conflict', { message: `The organization "${slug}" already exists` })
  }
  const created_at = world.clock.timestamp(slug)
  return world.store.change((tx) => tx.add('organizations', { id: slug, created_at, name, api_key: null }))
}

/** Replaces the API key by a new one; the previous one stops at once. spec: §5.1 */
export function regenerateApiKey(world: Pick<World, 'random' | 'store'>, organization: OrganizationRecord): string {
  const api_key = world.random.secret('key_')
  world.store.change((tx) => tx.put('organizations', { ...organization, api_key }))
  return api_key
}

/** Takes an organization away with everything in it, its webhooks under way too; users stay. */
export function deleteOrganization(world: Pick<World, 'outbox' | 'store'>, { id }: OrganizationRecord): void {
  world.store.change((tx) => tx.removeWithOwned('organizations', id))
  world.outbox.abort(id)
}

/** Takes a user out of an organization and out of its courses; the user's tokens there end. wire: §6 "what a user's tokens belong to" */
export function removeMember(world: EndingWorld, organization: string, user: string): void {
  world.store.change((tx) => {
    endUserGrants(world, tx, { organization, user }, 'the user left the organization')
    tx.removeWithOwned('memberships', `${organization}/${user}`)
  })
}

/** The users to whom records refer, by kind. Someone who is deleted could not be shown, or exported, as a part of them. */
const usersOf: { [C in CollectionName]?: (record: RecordOf<C>) => (string | null)[] } = {
  memberships: ({ user }) => [user],
  course_members: ({ user }) => [user],
  activities: ({ member, members, completed_by }) => [...(members ?? [member]), completed_by],
  installations: ({ installer }) => [installer],
  sandboxes: ({ people }) => people.map(({ user }) => user),
}

/** The kinds of records that may refer to users, each with what finds these in a record. */
export const userReferences = Object.entries(usersOf) as [
  keyof typeof usersOf,
  (record: AnyRecord) => (string | null)[],
][]

/** Returns a placeholder for a deleted user that records still refer to. */
export const deletedUser = (id: string) => ({
  ...{ id, email: `${id}@deleted.test`, first_name: 'Deleted', last_name: 'User', full_name: 'Deleted User' },
  ...{ email_verified: false, avatar: null, last_seen: null, created_at: new Date(0).toISOString() },
})

/** Returns one for each such user, so that an export of the world can be loaded. */
export function deletedUsers(world: Pick<World, 'store'>) {
  const { store } = world
  const missing = new Set<string>()
  const note = (user: string | null) => user !== null && !store.users.get(user) && missing.add(user)
  for (const [kind, usersIn] of userReferences) for (const record of store[kind].all) usersIn(record).forEach(note)
  for (const grants of [store.tokens.all, store.codes.all]) for (const { user } of grants) note(user)
  return Array.from(missing, deletedUser)
}

/** Returns true for the owners and admins of an organization: they may install apps and change its API key. */
export function mayManage(world: Pick<World, 'store'>, user: Pick<UserRecord, 'id'>, organization: string): boolean {
  const role = world.store.memberships.get(`${organization}/${user.id}`)?.role
  return role !== undefined && managingRoles.includes(role)
}

/** Returns the organizations that a user manages, in the order in which they joined them. */
export const managedBy = (world: Pick<World, 'store'>, user: UserRecord): OrganizationRecord[] =>
  [...world.store.memberships.in('user', user.id)]
    .filter(({ organization }) => mayManage(world, user, organization))
    .flatMap(({ organization }) => world.store.organizations.get(organization) ?? [])
