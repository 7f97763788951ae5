import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { coverageOf, gapsOf } from '../coverage/report.js'
import { chapter, shape } from './call.js'
import { since } from './journal.calls.js'
import { appOf, findMarked, markFilter } from './named-records.js'

const call = chapter('Coverage')

const share = {
  figure: z.number().describe('Met of countable cells, from 0 to 1'),
  met: z.int(),
  countable: z.int(),
}

const cell = z.object({
  column: z.string(),
  met: z.boolean(),
  count: z.int().describe('Times that the app met it'),
  by_audit: z.int().describe('Times that an audit, a sweep or a scenario met it for the app'),
  entry: z.int().nullable().describe('Id of the newest journal entry that met it'),
  closes: z.string().nullable().describe('The line after which the app meets it; null where it is met'),
})

const coverage = shape('Coverage', "The platform's behaviors that an app has met, by group, and the share of them", {
  app: z.string().describe('The manifest id'),
  ...share,
  groups: z.array(
    z.object({
      group: z.string(),
      ...share,
      rows: z.array(z.object({ row: z.string(), cells: z.array(cell) })),
    }),
  ),
})

const filters = z.strictObject({
  app: z.string().optional().describe('Manifest id or client id; the first app when left out'),
  since: since.optional().describe('Counts only from this ISO 8601 date-time, or after the entry with this id'),
  mark: markFilter,
})

/** Returns the app that a query names, or the first one. @throws Refusal 404 for an app or a mark that is not known. */
function appIn(world: Pick<World, 'journal' | 'store'>, { app: name, mark }: z.output<typeof filters>): AppRecord {
  const app = name === undefined ? world.store.apps.all.at(0) : appOf(world, name)
  if (!app) throw new Refusal('not_found', { message: 'There is no app' })
  findMarked(world, mark)
  return app
}

export const coverageCalls = {
  getCoverage: call('GET', '/_admin/coverage', {
    summary: "Show which of the platform's behaviors an app has met",
    note: 'Counts since the journal was last cleared. closes is the line after which the app meets a cell.',
    query: filters,
    response: coverage,
    handler: (world, { query }) => coverageOf([world], appIn(world, query), query),
  }),
  listGaps: call('GET', '/_admin/coverage/gaps', {
    summary: 'List the cells that an app has not met, with the scenario that closes each',
    list: true,
    query: filters,
    response: shape('CoverageGap', 'A behavior that an app has not met, and what closes the gap', {
      group: z.string(),
      row: z.string(),
      column: z.string(),
      closes: z.string(),
      scenario: z
        .object({ title: z.string(), from: z.literal('start'), steps: z.array(z.record(z.string(), z.unknown())) })
        .nullable()
        .describe('Null if no scenario can do the same'),
    }),
    handler: (world, { query }) =>
      gapsOf(world, appIn(world, query), query).map(({ line, steps, ...cell }) => ({
        ...cell,
        closes: line,
        scenario: steps ? { title: `${cell.row}: ${cell.column}`, from: 'start' as const, steps } : null,
      })),
  }),
}
