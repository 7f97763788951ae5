import { connect } from '../../../control/client/connect.js'
import { annotationsOf, type JobSummary } from '../../reports/github.js'
import { junitXml } from '../../reports/junit.js'
import { markdownPage, type Page } from '../../reports/markdown.js'
import type { Report } from '../../reports/report.js'
import { sarif } from '../../reports/sarif.js'
import { type Arguments, printResult, say, textFrom, textsOf } from '../command/command.js'
import { mustBeSeparate, writeText } from '../files/output-file.js'
import { addressOf } from '../flags/address.js'
import { auditFileOf, placesOf } from '../flags/audit-file.js'
import { reportToCi } from '../flags/ci.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'

/** Runs an audit or a sweep, which restores the world when Ctrl+C aborts its signal. @throws CommandFailure 2 */
export async function runAppCheck(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const { signal } = abortOnStop({ hasToFinish: true })
  signal.addEventListener('abort', () => say('interrupted; restoring the world'))
  try {
    return await run(signal)
  } catch (error) {
    if (signal.aborted) return INTERRUPTED
    throw error
  }
}

/** Returns the options that audits and sweeps share. @throws CommandFailure 2 */
export async function optionsFrom(args: Arguments, signal: AbortSignal) {
  const { url, token } = await addressOf(args)
  const given = await auditFileOf(args)
  await mustBeSeparate(args, ['junit', 'sarif', 'markdown'], { 'the audit file': given.file })
  return {
    url,
    adminToken: token,
    ...given,
    only: textsOf(args.only),
    skip: textsOf(args.skip),
    liberties: textFrom(args, 'liberties'),
    bail: args.bail === true,
    signal,
    onNote: say,
  }
}

interface Presented {
  results: Report
  page: Page
  summary: JobSummary
  text: string
  needed: Parameters<typeof placesOf>[1]
}

/** Sends a report to the emulator, prints it, and writes it into the files of the flags. @returns the exit status. */
export async function deliverReport(
  kind: 'audit' | 'sweep',
  report: { app: string; passed: boolean },
  { results, page, summary, text, needed }: Presented,
  args: Arguments,
  { url, adminToken }: { url: string; adminToken: string | undefined },
): Promise<number> {
  // The console shows the last one.
  await connect(url, { adminToken })
    .putReport(kind, JSON.parse(JSON.stringify(report)))
    .catch(({ message }: Error) => say(`warning: the console cannot show the report: ${message}`))
  // Printed before files are written, so that an unwritable file does not hide the report.
  printResult(args, report, text)
  await writeText(args.junit, () => junitXml(results))
  if (args.sarif !== undefined) {
    const placeOf = await placesOf(args, needed)
    const category = `mockademy-${kind}/${report.app}`
    await writeText(args.sarif, () => sarif(results, { category, placeOf: ({ id }) => placeOf(id) }))
  }
  await writeText(args.markdown, () => markdownPage(page))
  await reportToCi(args, summary, annotationsOf(results))
  return report.passed ? 0 : 1
}
