import * as z from 'zod'
import { ruleNames } from '../../findings/rules.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

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
  })
  .meta({ id: 'Finding' })

/** control-api: "Findings" */
export const findingSchemas = {
  listFindings: {
    query: strict({
      app: z.string().optional().describe('Manifest id or client id'),
      rule: z.enum(ruleNames).optional().describe('Its name'),
      level: z.enum(['error', 'hint']).optional().describe('How certain it is'),
    }),
    answer: finding,
  },
  clearFindings: { answer: finding },
} as const satisfies Record<string, CallSchemas>
