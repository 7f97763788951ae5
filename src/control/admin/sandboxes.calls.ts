import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import { units } from '../../foundation/schema/duration.js'
import * as words from '../../foundation/schema/schema-words.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { install } from '../../platform/apps/installations.js'
import { type Role, roles } from '../../platform/organizations/roles.js'
import { userFields } from '../../platform/organizations/user-record.js'
import { cookieName, startSession } from '../../platform/web-app/sessions.js'
import { createSandbox } from '../sandboxes/create-sandbox.js'
import { endSandbox } from '../sandboxes/end-sandbox.js'
import type { SandboxRecord } from '../sandboxes/sandbox-record.js'
import { chapter, name, shape } from './call.js'
import { installed, presentInstall } from './installations.calls.js'
import { appOf, finderOf, idsOf, organizationOf } from './named-records.js'

const call = chapter('Sandboxes')

const byRole = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(roles.map((role) => [role, schema.optional()])) as Record<Role, z.ZodOptional<S>>

const person = z.object({ id: z.string(), email: z.string() })
const cookie = z.object({ name: z.string(), value: z.string() })

const sandboxFields = {
  id: z.string(),
  organization: z.object({ slug: z.string(), name: z.string() }),
}

const sandbox = shape('Sandbox', 'A sandbox: an organization for one test', {
  ...sandboxFields,
  people: z.object(byRole(person)),
  expires_at: z.string().describe("When it ends by itself, on the machine's clock"),
})

const newSandbox = shape('NewSandbox', 'A new sandbox, with the cookies of its people, its tokens and its API key', {
  ...sandboxFields,
  api_key: z.string(),
  people: z.object(byRole(person.extend({ cookie }))),
  installation: installed.shape.installation.nullable(),
  credentials: installed.shape.credentials,
  delivery: installed.shape.delivery,
})

const timeToLive = words.realDuration.refine((ms) => ms > 0, 'must be more than 0')

const newPerson = z.strictObject(words.withoutDefaults(userFields(words))).partial()

const presentPeople = <P>({ people }: SandboxRecord, present: (user: string) => P) =>
  Object.fromEntries(people.map(({ role, user }) => [role, present(user)])) as Partial<Record<Role, P>>

const presentPerson = ({ store }: Pick<World, 'store'>, id: string) => ({ id, email: store.users.get(id)?.email ?? '' })

function presentSandbox(world: Pick<World, 'store'>, record: SandboxRecord): z.input<typeof sandbox> {
  const { id, organization: slug, expires_at } = record
  const name = world.store.organizations.get(slug)?.name ?? slug
  const people = presentPeople(record, (user) => presentPerson(world, user))
  return { id, organization: { slug, name }, people, expires_at }
}

const sandboxOf = finderOf('sandboxes', 'sandbox')

/** Returns the app that is named, or the only one. @throws Refusal 404 for an unknown one, 400 without a choice. */
function appToInstall(world: World, given: string | undefined): AppRecord {
  if (given !== undefined) return appOf(world, given)
  const { all } = world.store.apps
  const [only, ...others] = all
  if (only && others.length === 0) return only
  const known = idsOf(all).join(', ') || 'none; with "install": false no app is required'
  throw invalid([{ path: 'app', message: `is required unless there is exactly one app; there are: ${known}` }])
}

export const sandboxCalls = {
  createSandbox: call('POST', '/_admin/sandboxes', {
    summary: 'Make an organization for one test, with people and the app installed',
    note: 'Lets tests run side by side. End it with deleteSandbox.',
    command: {
      line: 'sandboxes create',
      example: '--app notes --ttl 10m',
      shows: ['id', 'organization.slug', 'api_key', 'installation.id', 'delivery.state'],
    },
    status: 201,
    bodyOptional: true,
    body: z.strictObject({
      app: name.optional().describe('Manifest id or client id; the only app when left out'),
      name: name.optional().describe('Name of the organization'),
      people: z
        .strictObject(byRole(newPerson))
        .optional()
        .describe('Fields of a user, by role; an owner and a learner when left out'),
      from: name.optional().describe('Slug of an organization to copy'),
      install: z.boolean().default(true).describe('Install the app'),
      ttl: timeToLive.default(units.h).describe('Real time after which it ends by itself: "1h"'),
    }),
    response: newSandbox,
    async handler(world, { body }) {
      const { people = { owner: {}, learner: {} }, ttl } = body
      // An unknown app is an error without an installation, too.
      if (body.app !== undefined) appOf(world, body.app)
      const app = body.install ? appToInstall(world, body.app) : undefined
      const from = body.from === undefined ? undefined : organizationOf(world, body.from).id
      const request = { name: body.name, people, from, ttl, installs: app !== undefined }
      const { made, signedIn } = world.store.change(() => {
        const made = createSandbox(world, request)
        const signedIn = presentPeople(made.sandbox, (user) => {
          const cookie = { name: cookieName(world), value: startSession(world, { id: user }).secret }
          return { ...presentPerson(world, user), cookie }
        })
        return { made, signedIn }
      })
      const { id, organization } = presentSandbox(world, made.sandbox)
      const { slug } = organization
      const api_key = world.store.organizations.get(slug)?.api_key ?? ''
      const result = app && (await install(world, { app, organization: slug, installer: made.installer }))
      const { installation, credentials, delivery } = result
        ? presentInstall(world, result)
        : { installation: null, credentials: null, delivery: null }
      return { id, organization, api_key, people: signedIn, installation, credentials, delivery }
    },
  }),
  listSandboxes: call('GET', '/_admin/sandboxes', {
    summary: 'List the sandboxes',
    command: { line: 'sandboxes list', shows: ['id', 'organization.slug', 'organization.name', 'expires_at'] },
    list: true,
    response: sandbox,
    handler: (world) => Array.from(world.store.sandboxes.all, (each) => presentSandbox(world, each)),
  }),
  getSandbox: call('GET', '/_admin/sandboxes/:id', {
    summary: 'Show a sandbox',
    command: { line: 'sandboxes show <id>' },
    response: sandbox,
    find: (world, { id }) => sandboxOf(world, id),
    handler: (world, { found }) => presentSandbox(world, found),
  }),
  deleteSandbox: call('DELETE', '/_admin/sandboxes/:id', {
    summary: 'End a sandbox: delete its organization and all that was made in it',
    command: { line: 'sandboxes end <id>' },
    response: sandbox,
    find: (world, { id }) => sandboxOf(world, id),
    handler(world, { found }) {
      const shown = presentSandbox(world, found)
      endSandbox(world, found)
      return shown
    },
  }),
}
