import * as z from 'zod'
import { matchesPath } from '../http/path-pattern.js'
import { type Route, route } from '../http/route.js'
import { redactBody, redactHeaders, redactParameters } from '../journal/redact.js'
import { type JournalEntry, type Message, surfaceNames } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { list, ok, queryOf, strict } from './answer.js'

const source = 'control-api: Journal'
const surfaces = surfaceNames
const messageShape = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() })

export const journalEntryShape = z.object({
  id: z.int(),
  at: z.string(),
  surface: z.enum(surfaces),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  status: z.int(),
  duration: z.number(),
  app: z.string().nullable(),
  organization: z.string().nullable(),
  user: z.string().nullable(),
  reason: z.string().nullable(),
  fault: z.string().nullable(),
  warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  request: messageShape,
  response: messageShape,
})

const filters = {
  surface: z.enum(surfaces).optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  path: z.string().optional(),
  status: z.coerce.number().int().optional(),
  app: z.string().optional(),
  organization: z.string().optional(),
  since: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time with Z or an offset' }).optional(),
  limit: z.coerce.number().int().min(1).optional(),
}
export const requestQuery = strict(filters)
type Filters = z.output<typeof requestQuery>

/** control-api: "Shapes", journal entry; "Journal" on what is redacted */
export function presentEntry(entry: JournalEntry): z.input<typeof journalEntryShape> {
  const { identity, notes, request, response } = entry
  return {
    id: entry.id,
    at: entry.at,
    surface: entry.surface,
    method: entry.method,
    path: entry.path,
    query: redactParameters(new URLSearchParams(entry.search)),
    status: entry.status,
    duration: entry.duration,
    app: identity.app ?? null,
    organization: identity.organization ?? null,
    user: identity.user ?? null,
    reason: notes.reason ?? null,
    fault: notes.fault ?? null,
    warnings: notes.warnings ?? [],
    request: presentMessage(request, ''),
    response: presentMessage(response, 'application/json'),
  }
}

const presentMessage = ({ headers, body }: Message, assumedType: string) => ({
  headers: redactHeaders(headers),
  body: redactBody(body, String(headers['content-type'] ?? assumedType)),
})

/** The newest `limit` of the entries that all filters let through, oldest first. */
function filtered(world: World, { since, limit, path, ...exact }: Filters): JournalEntry[] {
  const from = since === undefined ? undefined : new Date(since).toISOString()
  const found = world.journal
    .entries()
    .filter(
      ({ at, surface, method, status, identity, ...entry }) =>
        (from === undefined || at >= from) &&
        (path === undefined || matchesPath(path, entry.path)) &&
        (exact.surface === undefined || exact.surface === surface) &&
        (exact.method === undefined || exact.method === method) &&
        (exact.status === undefined || exact.status === status) &&
        (exact.app === undefined || exact.app === identity.app || clientIdOf(world, identity.app) === exact.app) &&
        (exact.organization === undefined || exact.organization === identity.organization),
    )
  return limit === undefined ? found : found.slice(-limit)
}

const clientIdOf = (world: World, app: string | undefined) => app && world.store.apps.get(app)?.client_id

/** control-api: "Journal" */
export const requestRoutes: Route[] = [
  route(
    'GET',
    '/_admin/requests',
    {
      id: 'listRequests',
      summary: 'Requests and their answers',
      source,
      query: requestQuery,
      answer: z.object({ data: z.array(journalEntryShape) }),
    },
    (world, request) => list(filtered(world, queryOf(request, requestQuery)).map(presentEntry)),
  ),
  route(
    'GET',
    '/_admin/requests/count',
    {
      id: 'countRequests',
      summary: 'How many requests there were',
      source,
      query: requestQuery,
      answer: z.object({ count: z.int() }),
    },
    (world, request) => ok({ count: filtered(world, queryOf(request, requestQuery)).length }),
  ),
  route(
    'DELETE',
    '/_admin/requests',
    {
      id: 'clearRequests',
      summary: 'Empty the journal',
      source,
      answer: z.object({ affected: z.int() }),
    },
    (world) => {
      const affected = world.journal.entries().length
      world.journal.clear()
      return ok({ affected })
    },
  ),
]
