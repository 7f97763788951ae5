import { connect } from '../../../control/client/connect.js'
import { AuditFailure } from '../../audit/app/failures.js'
import { annotationsOf, type JobSummary } from '../../reports/github.js'
import { junitXml } from '../../reports/junit.js'
import { markdownPage, type Page } from '../../reports/markdown.js'
import type { Report } from '../../reports/report.js'
import { sarif } from '../../reports/sarif.js'
import { type Arguments, CommandFailure, textFrom, wrongUse } from '../command/command.js'
import { failureOf } from '../command/command-failure.js'
import { makeFolderOf, writeText } from '../files/output-file.js'
import { addressOf } from '../flags/address.js'
import { auditFileOf, placesOf, textsOf } from '../flags/audit-file.js'
import { reportToCi } from '../flags/ci.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'

/** Runs an audit or a sweep, which restores the world when Ctrl+C aborts its signal. @throws CommandFailure 2 */
export async function runAppCheck(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const { signal } = abortOnStop({ hasToFinish: true })
  signal.addEventListener('abort', () => process.stderr.write('mockademy: interrupted; restoring the world\n'))
  try {
    return await run(signal)
  } catch (error) {
    if (signal.aborted) return INTERRUPTED
    if (!(error instanceof AuditFailure)) throw error
    throw error.cause ? new CommandFailure(2, failureOf(error.cause).message) : wrongUse(error.message)
  }
}

/** Returns the options that audits and sweeps share. @throws CommandFailure 2 */
export async function optionsFrom(args: Arguments, signal: AbortSignal) {
  const { url, token } = await addressOf(args)
  for (const file of [args.junit, args.sarif, args.markdown]) if (file !== undefined) await makeFolderOf(String(file))
  return {
    url,
    adminToken: token,
    file: await auditFileOf(args),
    only: textsOf(args.only),
    skip: textsOf(args.skip),
    liberties: textFrom(args, 'liberties'),
    bail: args.bail === true,
    signal,
    onNote: (note: string) => void process.stderr.write(`mockademy: ${note}\n`),
  }
}

interface Presented {
  results: Report
  page: Page
  summary: JobSummary
  /** For the terminal. */
  text: string
  /** As for `placesOf`. */
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
  const json = JSON.stringify(report, null, 2)
  // The console shows the last one.
  await connect(url, { adminToken })
    .putReport(kind, JSON.parse(json))
    .catch(({ message }: Error) => {
      process.stderr.write(`mockademy: warning: the console cannot show the report: ${message}\n`)
    })
  // Printed before files are written, so that an unwritable file does not hide the report.
  process.stdout.write(args.json ? `${json}\n` : text)
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
