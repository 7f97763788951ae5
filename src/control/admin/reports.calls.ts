import * as z from 'zod'
import { reachFlag } from '../../emulator/world/reach-flag.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { chapter } from './call.js'

const call = chapter('Reports')

const kinds = ['audit', 'sweep']

const report = z
  .looseObject({ app: z.string().describe('The manifest id'), passed: z.boolean() })
  .meta({ id: 'Report', description: 'What the command prints with `--json`' })

/** @throws Refusal 404 for a kind that no command sends. */
function kindOf(kind: string): string {
  if (kinds.includes(kind)) return kind
  throw new Refusal('not_found', { message: `There are no reports of ${kind}; there are those of ${kinds.join(', ')}` })
}

/** sweep: "Report" */
export const reportCalls = {
  getReport: call('GET', '/_admin/reports/:kind', {
    summary: 'Show the last report of an audit or a sweep',
    response: report,
    handler(world, { params }) {
      const kind = kindOf(params.kind)
      const found = world.reports.get(kind)
      if (found) return found as z.input<typeof report>
      throw new Refusal('not_found', { message: `There is no report yet: run mockademy ${kind}${reachFlag(world)}` })
    },
  }),
  putReport: call('PUT', '/_admin/reports/:kind', {
    summary: 'Keep the report of an audit or a sweep, for the console',
    note: 'The commands audit and sweep send theirs. It lasts until the next one or a reset.',
    body: report,
    response: report,
    handler({ reports }, { params, body }) {
      reports.set(kindOf(params.kind), body)
      return body
    },
  }),
}
