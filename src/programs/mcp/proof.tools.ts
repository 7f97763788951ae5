import * as z from 'zod'
import { InvalidOptionsError } from '../../foundation/schema/options.js'
import { AuditFailure } from '../audit/app/failures.js'
import type { AuditOptions } from '../audit/audit.js'
import { coverageText } from '../reports/coverage-report.js'
import { app, composedTool, pathInFolder, strict, type ToolContext, ToolFailure } from './composed-tool.js'

const auditFile = z.string().optional().describe("Audit file in the working folder; the project's when left out")

type ProofTarget = Pick<ToolContext, 'url' | 'adminToken' | 'signal'> & Pick<AuditOptions, 'file' | 'folder'>

/** Runs an audit or a sweep of the app that a file describes. @throws ToolFailure when it cannot run. */
async function ofApp<T>(file: string | undefined, context: ToolContext, run: (target: ProofTarget) => Promise<T>) {
  const { url, adminToken, signal } = context
  try {
    const given = file === undefined ? await context.auditFile() : { file: await pathInFolder(file) }
    return await run({ url, adminToken, signal, ...given })
  } catch (error) {
    const isRefused = error instanceof AuditFailure || error instanceof InvalidOptionsError
    throw isRefused ? new ToolFailure(error.message) : error
  }
}

export const proofTools = {
  audit: composedTool({
    description:
      'Audits the running app: sends it forged webhooks, attacks its sign-in, expires its tokens, and returns what failed, with the fix and the page of each check. Restores the world. Run a chapter ("webhook.*", "api.*", "signin.*", "leaks*") or one check at a time.',
    effect: 'changes',
    input: strict({
      only: z.array(z.string()).optional().describe('Ids of checks, or globs; all when left out'),
      file: auditFile,
      timeout: z.string().default('55s').describe('Ends the run; the rest is inconclusive'),
    }),
    async run({ only, file, timeout }, context) {
      const { audit } = await import('../audit/audit.js')
      const { checks, passed, summary } = await ofApp(file, context, (target) =>
        audit({ ...target, ...(only && { only }), timeout: timeout as `${number}s` }),
      )
      const idsOf = (outcome: string) => checks.filter((check) => check.outcome === outcome).map(({ id }) => id)
      return {
        passed,
        summary,
        failed: checks
          .filter(({ outcome }) => !['pass', 'skip', 'accepted'].includes(outcome))
          .map(({ id, severity, outcome, message, follows_from, seen, expected, remedy, docs, entries }) => ({
            ...{ id, severity, outcome, message, ...(follows_from && { follows_from }), seen, expected, remedy },
            ...{ docs, entries: entries.slice(-5) },
          })),
        passes: idsOf('pass'),
        skipped: idsOf('skip'),
        accepted: idsOf('accepted'),
        next: 'explain shows the wrong and the right code of a check',
      }
    },
  }),

  sweep: composedTool({
    description:
      'Breaks each step of the running app in turn (a refresh whose response is lost, an event that comes twice), and returns the cases after which the app did not work again, with the fewest steps that show each. Restores the world. Run one flow (install, refresh, burst, list, upgrade, reinstall, uninstall, sign-in, events) or some cases at a time.',
    effect: 'changes',
    input: strict({
      flow: z.array(z.string()).optional().describe('All when left out'),
      only: z.array(z.string()).optional().describe('Globs of cases, flow/point/trouble: "refresh/*/lost"'),
      list: z.boolean().optional().describe('Returns the cases, and breaks nothing'),
      file: auditFile,
      budget: z.string().default('30s').describe('No case begins after this time'),
    }),
    async run({ flow, only, list, file, budget }, context) {
      const { listCases, sweep } = await import('../sweep/sweep.js')
      const { failuresIn, notesOn } = await import('../sweep/present-report.js')
      const chosen = { ...(flow && { flow }), ...(only && { only }) }
      if (list) return ofApp(file, context, (target) => listCases({ ...target, ...chosen }))
      const report = await ofApp(file, context, (target) =>
        sweep({ ...target, ...chosen, budget: budget as `${number}s` }),
      )
      const { passed, ended, summary, flows } = report
      return {
        passed,
        ...(ended && { ended }),
        summary,
        notes: notesOn(report),
        failed: failuresIn(report).map((each) => ({ ...each, entries: each.entries.slice(-5) })),
        not_tried: flows.flatMap(({ flow, unstable }) => unstable.map((point) => `${flow}/${point}`)),
      }
    },
  }),

  coverage: composedTool({
    description:
      "Shows which of the platform's behaviors the app has met since the journal was cleared, and which it was never tried with. With about, the command that closes each gap; call makes the same control call.",
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
