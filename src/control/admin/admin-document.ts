import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { openApi } from '../../emulator/serving/openapi.js'
import type { RouteDescription } from '../../emulator/serving/surface.js'
import { version } from '../../emulator/world/version.js'
import { type RefusalName, refusals } from '../../foundation/http/refusal.js'
import { type Call, nameMeanings } from './call.js'
import { streamRoute } from './stream.routes.js'

/** control-api: rule 3 */
const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })

const responseOf = (name: RefusalName): ZodOpenApiResponseObject => ({
  description: refusals[name].message,
  content: { 'application/problem+json': { schema: problemSchema } },
})

function refusalsOf({ methods, path, operation: { open, body, query } }: RouteDescription): (RefusalName | false)[] {
  const writes = methods.some((method) => method !== 'GET')
  const named = path.includes(':') || body !== undefined || query !== undefined
  return [
    // A request with two Host headers is invalid, whatever the call.
    'invalid',
    !open && 'unauthorized',
    !open && 'forbidden',
    (named || writes) && !open && 'not_found',
    writes && 'conflict',
    writes && 'too_large',
    writes && 'unsupported_media_type',
    writes && 'store_unwritable',
  ]
}

function describeCall([id, call]: [string, Call]): RouteDescription {
  const { method, path, summary, source, query, body, status, open } = call
  const response = call.list ? z.object({ data: z.array(call.response) }) : call.response
  const operation = { id, summary, source, response, query, body, status, open }
  return { methods: [method], path, operation: { ...operation, bodyRequired: !call.bodyOptional } }
}

/** The document, which differs between emulators by the address alone. Computing it takes longer than a request should. */
let computed: Record<string, unknown> | undefined

/** Returns the OpenAPI 3.1 document of the control API. @param server its address. control-api: preamble */
export function adminDocument(calls: Record<string, Call>, server: string): Record<string, unknown> {
  computed ??= documentOf(calls)
  return { ...computed, servers: [{ url: server }] }
}

const documentOf = (calls: Record<string, Call>) =>
  openApi([...Object.entries(calls).map(describeCall), streamRoute], {
    title: 'Mockademy control API',
    version,
    description: 'Controls the emulated platform: its world, clock, faults and deliveries.',
    server: '/',
    tags: {
      world: 'The world as a whole: state, fixtures, reset, snapshots',
      clock: 'Time',
      organizations: 'Organizations, their API keys and members',
      users: 'Users',
      sandboxes: 'Organizations for one test',
      apps: 'Apps and their manifests',
      installations: 'Install, upgrade, uninstall',
      tokens: 'Access and refresh tokens',
      sessions: 'Signed-in browsers',
      'silent-auth': 'Forced outcomes of silent sign-in',
      keys: 'Signing keys',
      faults: 'Injected faults',
      liberties: 'Undocumented details that vary by seed',
      deliveries: 'Webhook deliveries',
      events: 'Events of any type',
      inboxes: 'Built-in webhook receivers',
      requests: 'The journal of requests',
      marks: 'Names of tests and steps in the journal',
      stream: 'Live events',
      findings: 'Mistakes of the app under test',
      coverage: 'Behaviors of the platform that an app has met',
      reports: 'Reports of audits and sweeps',
      scenarios: 'Sequences of steps',
      recording: 'Recording a scenario',
      'openapi.json': 'This document',
    },
    tagOf: (path) => {
      const [, , segment = 'world'] = path.split('/')
      return ['state', 'fixtures', 'reset', 'snapshots'].includes(segment) ? 'world' : segment
    },
    noteOf: ({ operation: { id } }) => calls[id]?.note,
    parameters: nameMeanings,
    securitySchemes: {
      AdminToken: { type: 'http', scheme: 'bearer', description: 'The setting admin_token, if it is set' },
    },
    securityOf: ({ open }): Record<string, string[]>[] => (open ? [] : [{}, { AdminToken: [] }]),
    successBody: (schema) => schema,
    responseOf,
    refusalsOf,
  })
