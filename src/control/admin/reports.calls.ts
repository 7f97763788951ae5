import * as z from 'zod'
import { reachFlag } from '../../emulator/world/reach-flag.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { chapter } from './call.js'
import { rejectName } from './named-records.js'

const call = chapter('Reports')

const kinds = ['audit', 'sweep']

const report = z
  .looseObject({ app: z.string().describe('The manifest id'), passed: z.boolean() })
  .meta({ id: 'Report', description: 'What the command prints with `--json`' })

/** @throws Refusal 404 for a kind that no command sends. */
const kindOf = (kind: string) => (kinds.includes(kind) ? kind : rejectName('kind of report', kind, kinds))

/** sweep: "Report" */
export const reportCalls = {
  getReport: call('GET', '/_admin/reports/:kind', {
    summary: 'Show the last report of an audit or a sweep',
    response: report,
    find: (_, { kind }) => kindOf(kind),
    handler(world, { found: kind }) {
      const last = world.reports.get(kind)
      if (last) return last as z.input<typeof report>
      throw new Refusal('not_found', { message: `There is no report yet: run mockademy ${kind}${reachFlag(world)}` })
    },
  }),
  putReport: call('PUT', '/_admin/reports/:kind', {
    summary: 'Keep the report of an audit or a sweep, for the console',
    note: 'The commands audit and sweep send theirs. It lasts until the next one or a reset.',
    body: report,
    response: report,
    find: (_, { kind }) => kindOf(kind),
    handler({ reports }, { found: kind, body }) {
      reports.set(kind, body)
      return body
    },
  }),
}
