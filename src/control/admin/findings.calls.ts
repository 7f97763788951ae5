import * as z from 'zod'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import { ANY_RUN } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import { ruleNames } from '../findings/rules.js'
import { chapter, shape } from './call.js'
import { findMarked, findRun, markFilter, matches, rememberedIds, runFilter } from './named-records.js'
import { publishChange } from './publish-events.js'
import { presentFinding } from './stream-shapes.js'

const call = chapter('Findings')

const finding = shape('Finding', 'A rule that an app broke, and the exchanges that show it', {
  rule: z.enum(ruleNames),
  level: z.enum(['error', 'hint']).describe('An error is certain and forbidden; a hint is practice or a threshold'),
  section: z.string().describe('Section that the rule comes from'),
  docs: z.string().describe('The page that teaches the rule, with a wrong and a right example'),
  app: z.string().nullable().describe('The manifest id'),
  organization: z.string().nullable().describe('Null when it was in several'),
  count: z.int(),
  first_at: z.string(),
  last_at: z.string(),
  message: z.string().describe('The latest observation, and what to do instead'),
  entries: z.array(z.int()).describe('Ids of journal entries, the newest last'),
  run: z.string().optional().describe('The run of an audit or a sweep that caused it'),
})

/** Lists the findings. Their rules are those of the table, which the world does not know. */
function listFindings(world: World, run?: string, organization?: string) {
  const redact = createRedactor(world)
  return world.findings.list(run, organization).map((each) => presentFinding(each, redact)) as z.input<typeof finding>[]
}

export const findingCalls = {
  listFindings: call('GET', '/_admin/findings', {
    summary: 'List the mistakes of the app under test',
    note: 'level "error" marks a certain violation. message says what to do instead; entries are IDs from listRequests.',
    list: true,
    query: z.strictObject({
      app: z.string().optional().describe('Manifest id or client id'),
      organization: z.string().optional().describe('Slug'),
      rule: z.enum(ruleNames).optional().describe('Name of a rule'),
      level: z.enum(['error', 'hint']).optional().describe('Level: error or hint'),
      run: runFilter,
      mark: markFilter,
    }),
    response: finding,
    handler(world, { query: { run, mark, app, organization, ...filters } }) {
      const wanted = { ...filters, ...rememberedIds(world, { app, organization }) }
      const ofMark = findMarked(world, mark)
      return listFindings(world, findRun(world, run), wanted.organization).filter(
        (each) => matches(each, wanted) && (!ofMark || each.entries.some((id) => ofMark.entries.has(id))),
      )
    },
  }),
  clearFindings: call('DELETE', '/_admin/findings', {
    summary: 'Delete every finding',
    list: true,
    response: finding,
    handler(world) {
      const findings = listFindings(world, ANY_RUN)
      world.findings.clear(true)
      publishChange(world, 'findings', '*')
      return findings
    },
  }),
}
