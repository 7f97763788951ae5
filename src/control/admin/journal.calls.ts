import * as z from 'zod'
import { journalEntryShape, type ShownEntry } from '../../emulator/journal/entry-shape.js'
import { harOf } from '../../emulator/journal/har.js'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import { presentEntry } from '../../emulator/journal/present-entry.js'
import { type JournalEntry, MAX_MARK_NAME, surfaceNames } from '../../emulator/world/exchange.js'
import { matchesRun } from '../../emulator/world/run.js'
import { traceIdOf } from '../../emulator/world/trace.js'
import type { World } from '../../emulator/world/world.js'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import { isHttpMethod } from '../../foundation/http/request.js'
import { chapter, shape, wholeNumber } from './call.js'
import { findMarked, findRun, markFilter, matches, organizationOf, rememberedIds, runFilter } from './named-records.js'
import { publishChange } from './publish-events.js'

const call = chapter('Journal')

const SINCE = "must be an ISO 8601 date-time with Z or an offset, or an entry's id"
/** An id of an entry, or a date-time, which comes out as a timestamp of the wire. */
export const since = z
  .union([z.number(), z.string()], SINCE)
  .refine((given) => /^\d+$/.test(String(given)) || z.iso.datetime({ offset: true }).safeParse(given).success, SINCE)
  .transform((given) => (/^\d+$/.test(String(given)) ? Number(given) : new Date(given).toISOString()))

const httpMethod = z.string().toUpperCase().refine(isHttpMethod, 'must be an HTTP method, such as GET')
const traceId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hexadecimal digits')

const filters = z.strictObject({
  surface: z.enum(surfaceNames).optional().describe('Surface that received it; `webhook` for outgoing webhooks'),
  method: httpMethod.optional().describe('HTTP method'),
  path: z.string().min(1).optional().describe('Path, with `*` for any text'),
  status: wholeNumber(z.int().min(100).max(599)).optional().describe('HTTP status'),
  app: z.string().optional().describe('Manifest id or client id'),
  organization: z.string().optional().describe('Slug'),
  run: runFilter,
  mark: markFilter,
  trace: traceId.optional().describe('Id of a trace (W3C Trace Context)'),
  since: since.optional().describe('Only entries since this ISO 8601 date-time, or after the entry with this id'),
  limit: wholeNumber(z.int().min(1)).optional().describe('Maximum number of entries; keeps the newest'),
})

/** Returns the newest `limit` of the entries that match all filters, oldest first. @throws Refusal 404 */
function findEntries(
  world: Pick<World, 'findings' | 'journal' | 'store'>,
  { since, limit, path, app, organization, run, mark, trace, ...rest }: z.output<typeof filters>,
) {
  const ofMark = findMarked(world, mark)
  const wantedRun = findRun(world, run)
  const identity = rememberedIds(world, { app, organization })
  const found = world.journal
    .entries()
    .filter(
      (entry) =>
        (since === undefined || isLater(entry, since)) &&
        matchesRun(entry.run, wantedRun) &&
        (ofMark === undefined || ofMark.entries.has(entry.id)) &&
        (trace === undefined || traceIdOf(entry) === trace) &&
        (path === undefined || matchesPath(path, entry.path)) &&
        matches(entry, rest) &&
        matches(entry.identity, identity),
    )
  return limit === undefined ? found : found.slice(-limit)
}

/** Compares an entry with an id, which is excluded, or a moment, which is included. */
const isLater = ({ id, at }: JournalEntry, since: number | string) =>
  typeof since === 'number' ? id > since : at >= since

export const journalCalls = {
  listRequests: call('GET', '/_admin/requests', {
    summary: 'List incoming requests and outgoing webhooks, with their responses',
    note: 'The newest entries come last. Entries contain headers and bodies, so set limit. Filter by status to find refused requests; "reason" says exactly why, and "fault" names an injected fault.',
    list: true,
    query: filters.extend({
      format: z
        .enum(['har'])
        .optional()
        .describe('`har`: an HTTP Archive instead of the list, `{ "log": … }` in place of `{ "data": … }`'),
    }),
    formats: {
      har: (world, entries: ShownEntry[]) => harOf(entries, world.addresses.base_url, world.journal.entries()),
    },
    response: journalEntryShape.meta({ id: 'JournalEntry', description: 'An exchange: a request and its response' }),
    handler(world, { query: { format: _, ...query } }) {
      const redact = createRedactor(world)
      return findEntries(world, query).map((entry) => presentEntry(entry, redact, world.findings.citing(entry.id)))
    },
  }),
  countRequests: call('GET', '/_admin/requests/count', {
    summary: 'Count the requests',
    query: filters,
    response: z.object({ count: z.int() }),
    handler: (world, { query }) => ({ count: findEntries(world, query).length }),
  }),
  clearRequests: call('DELETE', '/_admin/requests', {
    summary: 'Empty the journal',
    response: shape('Affected', 'The number of records that a call affected', { affected: z.int() }),
    handler(world) {
      const affected = world.journal.entries().length
      world.journal.clear()
      world.coverage.clear()
      publishChange(world, 'requests', '*')
      return { affected }
    },
  }),
  mark: call('POST', '/_admin/marks', {
    summary: 'Mark the journal with the name of a test or a step',
    command: { line: 'mark <name>', example: '"signs in" --kind test' },
    status: 201,
    argument: 'name',
    body: z.strictObject({
      name: z.string().min(1).max(MAX_MARK_NAME).describe('Name of the test or step'),
      kind: z.enum(['test', 'step']).default('step'),
      state: z.enum(['begin', 'passed', 'failed']).default('begin'),
      organization: z
        .string()
        .optional()
        .describe('Slug: mark this organization only, for tests that run side by side'),
    }),
    response: shape('Mark', 'A line in the journal, such as the beginning of a test', {
      name: z.string(),
      kind: z.string(),
      state: z.string(),
      organization: z.string().optional(),
      at: z.string(),
    }),
    handler(world, { body }) {
      if (body.organization !== undefined) organizationOf(world, body.organization)
      world.journal.mark(body)
      return { ...body, at: world.clock.timestamp(body.organization ?? null) }
    },
  }),
}
