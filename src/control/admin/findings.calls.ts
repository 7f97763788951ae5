import * as z from 'zod'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import { ANY_RUN } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import { ruleNames } from '../findings/rules.js'
import { chapter } from './call.js'
import { matches, runFilter, runNamed, withIds } from './named-records.js'
import { presentFinding } from './stream-shapes.js'

const call = chapter('Findings')

const finding = z
  .object({
    rule: z.enum(ruleNames),
    level: z.enum(['error', 'hint']).describe('An error is certain and forbidden; a hint is practice or a threshold'),
    section: z.string().describe('Where the rule comes from'),
    app: z.string().nullable().describe('The manifest id'),
    organization: z.string().nullable().describe('Null when it was in several'),
    count: z.int(),
    first_at: z.string(),
    last_at: z.string(),
    message: z.string().describe('What was seen last, and what to do instead'),
    entries: z.array(z.int()).describe('Ids of journal entries, the newest last'),
    run: z.string().optional().describe('The run of an audit or a sweep that caused it'),
  })
  .meta({ id: 'Finding' })

/** Lists the findings. Their rules are those of the table, which the world does not know. */
function listed(world: World, run?: string) {
  const hide = createRedactor(world)
  return world.findings.list(run).map((each) => presentFinding(each, hide)) as z.input<typeof finding>[]
}

export const findingCalls = {
  listFindings: call('GET', '/_admin/findings', {
    summary: 'List what the app under test did that it should not',
    note: 'level "error" marks a certain violation. message says what to do instead; entries are IDs from listRequests.',
    list: true,
    query: z.strictObject({
      app: z.string().optional().describe('Manifest id or client id'),
      rule: z.enum(ruleNames).optional().describe('Name of a rule'),
      level: z.enum(['error', 'hint']).optional().describe('How certain it is'),
      run: runFilter,
    }),
    response: finding,
    handler(world, { query: { run, ...filters } }) {
      const wanted = withIds(world, filters)
      return listed(world, runNamed(world, run)).filter((each) => matches(each, wanted))
    },
  }),
  clearFindings: call('DELETE', '/_admin/findings', {
    summary: 'Forget every finding',
    list: true,
    response: finding,
    handler(world) {
      const findings = listed(world, ANY_RUN)
      world.findings.clear()
      return findings
    },
  }),
}
