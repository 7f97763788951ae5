import * as z from 'zod'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { Refusal } from '../http/refusal.js'
import { type Route, route } from '../http/route.js'
import { roles } from '../organizations/membership-record.js'
import { userDocument } from '../organizations/user-fields.js'
import type { UserRecord } from '../organizations/user-record.js'
import { userRecord } from '../organizations/user-record.js'
import type { World } from '../world/world.js'
import { bodyOf, created, list, ok, strict } from './answer.js'
import { userOf } from './named-records.js'

const source = 'control-api: Organizations, users, apps'

export const userShape = userRecord.omit({ sequence: true, created_at: true }).extend({
  organizations: z.array(z.object({ slug: z.string(), role: z.enum(roles) })),
})

export function presentUser(world: World, user: UserRecord): z.input<typeof userShape> {
  const { sequence: _, created_at: __, ...fields } = user
  const memberships = [...world.store.memberships.in('user', user.id)]
  return { ...fields, organizations: memberships.map(({ organization, role }) => ({ slug: organization, role })) }
}

/** Adds a user by the rules of a fixture document. @throws Refusal 400 and 409 with paths of the body. */
function addUser(world: World, user: z.input<typeof userDocument>): UserRecord {
  try {
    const { created } = world.store.change((tx) => loadFixtures(world, tx, [{ document: { users: [user] } }]))
    return world.store.users.get(created.users?.[0] ?? '') as UserRecord
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = error.details?.map(({ path, message }) => ({ path: path.replace(/^users\.0\.?/, ''), message }))
    throw new Refusal(error.refusal, { details })
  }
}

/** What a user can be changed in; what is left out stays. */
export const userChange = strict({
  email: z.email('must be an email address').optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email_verified: z.boolean().optional(),
  avatar: z.string().nullable().optional(),
}).refine(
  (change) => Object.keys(change).length > 0,
  'must name what changes: email, first_name, last_name, email_verified or avatar',
)

/** @throws Refusal 409 when another user has the email. */
function changeUser(world: World, user: UserRecord, change: z.output<typeof userChange>): UserRecord {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const changed: UserRecord = { ...user, ...given }
  const isRenamed = change.first_name !== undefined || change.last_name !== undefined
  if (isRenamed) changed.full_name = `${changed.first_name} ${changed.last_name}`.trim()
  const other = world.store.users.by('email', changed.email.toLowerCase())
  if (other && other.id !== user.id) {
    throw new Refusal('conflict', { message: `The email ${changed.email} is taken by the user ${other.id}` })
  }
  world.store.change((tx) => tx.put('users', changed))
  return changed
}

/** control-api: "Organizations, users, apps" */
export const userRoutes: Route[] = [
  route(
    'GET',
    '/_admin/users',
    { id: 'listUsers', summary: 'Users', source, answer: z.object({ data: z.array(userShape) }) },
    (world) => list([...world.store.users.all].map((user) => presentUser(world, user))),
  ),
  route(
    'POST',
    '/_admin/users',
    { id: 'createUser', summary: 'Add a user', source, body: userDocument, answer: userShape, status: 201 },
    (world, request) => created(presentUser(world, addUser(world, bodyOf(request, userDocument)))),
  ),
  route(
    'PUT',
    '/_admin/users/:user',
    { id: 'updateUser', summary: 'Change a user', source, body: userChange, answer: userShape },
    (world, request) => {
      const user = userOf(world, request.params.user)
      return ok(presentUser(world, changeUser(world, user, bodyOf(request, userChange))))
    },
  ),
]
