import * as z from 'zod'
import { matchesPath } from '../http/path-pattern.js'
import { type Route, route } from '../http/route.js'
import { journalEntryShape, presentEntry } from '../journal/present-entry.js'
import { type JournalEntry, surfaceNames } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { list, ok, queryOf, strict } from './answer.js'

const source = 'control-api: Journal'
const filters = {
  surface: z.enum(surfaceNames).optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  path: z.string().optional(),
  status: z.coerce.number().int().optional(),
  app: z.string().optional(),
  organization: z.string().optional(),
  since: z
    .union(
      [z.string().regex(/^\d+$/).transform(Number), z.iso.datetime({ offset: true })],
      'must be an ISO 8601 date-time with Z or an offset, or the id of an entry',
    )
    .optional(),
  limit: z.coerce.number().int().min(1).optional(),
}
export const requestQuery = strict(filters)
type Filters = z.output<typeof requestQuery>

/** The newest `limit` of the entries that all filters let through, oldest first. */
function filtered(world: World, { since, limit, path, ...exact }: Filters): JournalEntry[] {
  const from = typeof since === 'string' ? new Date(since).toISOString() : undefined
  const after = typeof since === 'number' ? since : undefined
  const found = world.journal
    .entries()
    .filter(
      ({ at, surface, method, status, identity, ...entry }) =>
        (from === undefined || at >= from) &&
        (after === undefined || entry.id > after) &&
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
