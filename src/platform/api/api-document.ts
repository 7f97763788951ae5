import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { type DocumentParts, openApi } from '../../emulator/serving/openapi.js'
import type { Operation, Route, RouteDescription } from '../../emulator/serving/surface.js'
import type { World } from '../../emulator/world/world.js'
import { type RefusalName, refusals } from '../../foundation/http/refusal.js'
import { nameTypes } from '../elements/element-schemas.js'
import { isElementType } from '../elements/element-types.js'
import { wireType } from '../elements/type-names.js'
import { describeWebhooks } from '../webhooks/event-schemas.js'

/** The error envelope. wire: §2 "error" */
const errorSchema = z
  .strictObject({
    error: z.string(),
    payload: z.null(),
    details: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe('On validation errors: one entry for each issue'),
  })
  .meta({ id: 'Error' })

const headers: Partial<Record<RefusalName, [name: string, description: string]>> = {
  unauthorized: ['WWW-Authenticate', 'RFC 6750: why the credential does not work'],
  insufficient_scope: ['WWW-Authenticate', 'RFC 6750: the scope that is needed'],
  rate_limited: ['Retry-After', 'Seconds until the next request may be made'],
}

function responseOf(name: RefusalName): ZodOpenApiResponseObject {
  const { message } = refusals[name]
  const header = headers[name]
  return {
    description: message,
    ...(header && { headers: { [header[0]]: { description: header[1], schema: { type: 'string' } } } }),
    content: { 'application/json': { schema: errorSchema, example: { error: message, payload: null } } },
  }
}

/** Returns the statuses of refusals that a route may have, by its parts. wire: §2 "statuses" */
function refusalsOf({ operation, path }: RouteDescription): (RefusalName | false)[] {
  const { open, query, body, readsBody = false } = operation
  const writes = operation.scope === null
  const takesBody = body !== undefined || readsBody
  return [
    (query !== undefined || takesBody || path.includes(':')) && 'invalid',
    !open && 'unauthorized',
    !open && 'insufficient_scope',
    path.includes(':') && 'not_found',
    takesBody && 'too_large',
    takesBody && 'unsupported_media_type',
    'rate_limited',
    'internal',
    writes && 'store_unwritable',
  ]
}

const securityOf = ({ open, scope }: Operation): Record<string, string[]>[] => {
  if (open) return []
  return scope ? [{ ApiKey: [] }, { InstallToken: [] }] : [{ ApiKey: [] }]
}

/** Returns the scope in words: linters and generators take names in a requirement of `http` for OAuth scopes without a declaration. */
function noteOf({ operation: { open, scope } }: RouteDescription): string {
  if (open) return 'Requires no credential.'
  return scope
    ? `Requires an API key, or an installation access token with the scope \`${scope}\`.`
    : 'Requires an API key; installation access tokens are rejected.'
}

function named(world: Pick<World, 'settings'>, value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => named(world, item))
  if (key === 'type' && isElementType(value)) return wireType(world, value)
  if (typeof value !== 'object' || value === null) return value
  const nameOf = (name: string) => (isElementType(name) ? wireType(world, name) : name)
  // Examples of elements are called after their types.
  const entries = Object.entries(value).map(([name, inner]) => [nameOf(name), named(world, inner, name)])
  return Object.fromEntries(entries)
}

/**
 * Puts in the names of element types that are in force. The library made the discriminators before, with their own.
 * A response may have more members than are known, and any ISO 8601 time, as webhooks may: the platform promises neither.
 */
function inForce(world: Pick<World, 'settings'>): DocumentParts['override'] {
  const nameType = nameTypes(world)
  return ({ zodSchema, jsonSchema, io }) => {
    nameType({ zodSchema, jsonSchema })
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    const { mapping } = (jsonSchema.discriminator ?? {}) as { mapping?: Record<string, string> }
    if (mapping) {
      const entries = Object.entries(mapping).map(([type, schema]) => [wireType(world, type), schema])
      jsonSchema.discriminator = { propertyName: 'type', mapping: Object.fromEntries(entries) }
    }
  }
}

/** Responses of the API in the default world, written by the build (`scripts/generate/api-examples.ts`). */
const EXAMPLES = new URL('./api-examples.json', import.meta.url)

/** Returns the OpenAPI 3.1 document of the public API. wire: §3 */
export async function apiDocument(world: Pick<World, 'addresses' | 'settings'>, routes: Route[]) {
  const examples = JSON.parse(await readFile(EXAMPLES, 'utf8'))
  return openApi(routes, {
    title: 'Course-delivery platform API',
    version: '0',
    description:
      'Read platform data and manage elements. Lists are newest first, 50 items a page unless set otherwise.',
    server: world.addresses.base_url,
    tags: {
      courses: 'Courses and their members',
      modules: 'The parts of a course',
      elements: 'Lesson units, their properties and activities',
      members: 'People of the organization',
      activities: 'What members did',
      'openapi.json': 'This document',
      webhooks: 'Events that the platform posts to an app',
    },
    tagOf: (path) => path.split('/')[2] as string,
    securitySchemes: {
      ApiKey: { type: 'http', scheme: 'bearer', description: 'The API key of an organization' },
      InstallToken: {
        type: 'http',
        scheme: 'bearer',
        description: "The access token of an installation: limited to its organization's data and its scopes",
      },
    },
    noteOf,
    parameters: {
      courses: 'Id of a course',
      modules: 'Id of a module',
      elements: 'Id of an element',
      members: 'Id of a member',
      activities: 'Id of an activity',
    },
    securityOf,
    successBody: (payload) => z.strictObject({ error: z.null(), payload }),
    responseOf,
    refusalsOf,
    examples: named(world, examples) as DocumentParts['examples'],
    override: inForce(world),
    webhooks: describeWebhooks(world),
  })
}
