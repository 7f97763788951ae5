import * as z from 'zod'
import { coverageText } from '../reports/coverage-report.js'
import { composedTool, ToolFailure } from './composed-tool.js'
import { app, pathInFolder, strict } from './tool-inputs.js'

/** Everything that the app may get wrong, and what it was never tried with. */
export const proofTools = {
  audit: composedTool({
    description:
      'Audits the running app: sends it forged webhooks, attacks its sign-in, expires its tokens, and returns what failed, with the fix and the page of each check. Restores the world. Run a chapter ("webhook.*", "api.*", "signin.*", "leaks*") or one check at a time.',
    effect: 'changes',
    input: strict({
      only: z.array(z.string()).optional().describe('Ids of checks, or globs; all when left out'),
      file: z.string().optional().describe("Audit file in the working folder; the project's when left out"),
      timeout: z.string().default('55s').describe('Ends the run; the rest is inconclusive'),
    }),
    async run({ only, file, timeout }, { url, adminToken, auditFile, signal }) {
      const { audit } = await import('../audit/audit.js')
      const { AuditFailure } = await import('../audit/context/failures.js')
      try {
        const given = file === undefined ? await auditFile() : await pathInFolder(file)
        const report = await audit({
          url,
          adminToken,
          file: given,
          ...(only && { only }),
          timeout: timeout as `${number}s`,
          signal,
        })
        const idsOf = (outcome: string) =>
          report.checks.filter((check) => check.outcome === outcome).map(({ id }) => id)
        const isShown = (outcome: string) => !['pass', 'skip', 'accepted'].includes(outcome)
        return {
          passed: report.passed,
          summary: report.summary,
          failed: report.checks
            .filter(({ outcome }) => isShown(outcome))
            .map(({ id, severity, outcome, message, follows_from, seen, expected, remedy, docs, entries }) => ({
              ...{ id, severity, outcome, message, ...(follows_from && { follows_from }), seen, expected, remedy },
              ...{ docs, entries: entries.slice(-5) },
            })),
          passes: idsOf('pass'),
          skipped: idsOf('skip'),
          accepted: idsOf('accepted'),
          next: 'explain shows the wrong and the right code of a check',
        }
      } catch (error) {
        if (error instanceof AuditFailure) throw new ToolFailure(error.message)
        throw error
      }
    },
  }),

  coverage: composedTool({
    description:
      "Shows which of the platform's behaviours the app has met since the journal was cleared, and which it was never tried with. With about, the command that closes each gap; call makes the same control call.",
    effect: 'reads',
    input: strict({
      app,
      about: z.string().optional().describe('Part of a row, or a group: "webhooks", "GET /v0/courses", "sign-in"'),
    }),
    async run({ app, about }, { call }) {
      const { groups, ...report } = await call('getCoverage', { query: { app } })
      const shown = groups.flatMap(({ rows, ...group }) => {
        const found = rows.filter(({ row }) => group.group === about || row.includes(about ?? ''))
        return found.length > 0 ? [{ ...group, rows: found }] : []
      })
      if (shown.length === 0) {
        const names = groups.map(({ group }) => group).join(', ')
        throw new ToolFailure(`about ${JSON.stringify(about)} is in no row, and is none of the groups ${names}`)
      }
      return { lines: coverageText({ ...report, groups: shown }, about !== undefined).split('\n') }
    },
  }),
}
