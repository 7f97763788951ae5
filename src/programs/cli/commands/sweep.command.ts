import { AuditFailure } from '../../audit/context/failures.js'
import { junitXml } from '../../reports/junit.js'
import { markdownPage } from '../../reports/markdown.js'
import { sarif } from '../../reports/sarif.js'
import { outputStyle } from '../../reports/terminal.js'
import { flowNames } from '../../sweep/flows.js'
import type { SweepOptions } from '../../sweep/options.js'
import { listingText, reportText } from '../../sweep/present-report.js'
import { needsOf, sweepPage, sweepResults, sweepSummary } from '../../sweep/results.js'
import { listCases, sweep as sweepApp } from '../../sweep/sweep.js'
import { addressOf, controlFlags } from '../parts/address.js'
import { againOf, auditFileOf, durationOf, placesOf, textsOf } from '../parts/audit-file.js'
import { ciFlag, reportToCi } from '../parts/ci.js'
import { type Command, textFrom } from '../parts/command.js'
import { CommandFailure } from '../parts/command-failure.js'
import { configFlag } from '../parts/config.js'
import { INTERRUPTED, interruptible } from '../parts/interruption.js'
import { endProgress, showProgress } from '../parts/progress-line.js'
import { sendReport, writeReport } from '../parts/report-file.js'

/** Real milliseconds between two lines of progress where standard error is no terminal. */
const BETWEEN_LINES = 10_000

/** `mockademy sweep [FILE]`. sweep: "Running it" */
export const sweepCommand: Command = {
  operands: {
    file: {
      type: 'string',
      describe: 'File that describes the app, as for `audit`',
    },
  },
  flags: {
    url: controlFlags.url,
    'admin-token': controlFlags['admin-token'],
    ...configFlag,
    flow: { type: 'array', choices: flowNames, requiresArg: true, describe: 'Only these flows' },
    only: { type: 'array', string: true, requiresArg: true, describe: 'Only these cases: "refresh/*/lost"' },
    skip: { type: 'array', string: true, requiresArg: true, describe: 'Not these cases' },
    pairs: { type: 'boolean', describe: 'Also two troubles in one case, in the flows install and refresh' },
    budget: { type: 'string', requiresArg: true, describe: 'Begin no case after this time, such as "5m"' },
    liberties: {
      type: 'string',
      requiresArg: true,
      describe: 'Seed of the liberties that the emulator takes meanwhile',
    },
    out: { type: 'string', requiresArg: true, default: 'sweep', describe: 'Folder for the scenarios of failing cases' },
    json: { type: 'boolean', describe: 'Print the report as JSON; with --list, the cases' },
    junit: { type: 'string', requiresArg: true, describe: 'Write the report as JUnit XML to this file' },
    markdown: { type: 'string', requiresArg: true, describe: 'Write the report as Markdown to this file' },
    sarif: { type: 'string', requiresArg: true, describe: 'Write what fails as SARIF 2.1.0 to this file' },
    list: { type: 'boolean', describe: 'Run the flows without trouble, print the cases' },
    bail: { type: 'boolean', describe: 'Begin no case after the first that fails' },
    ...ciFlag,
  },
  calls: ['putReport'],

  async run(args) {
    const { url, token } = await addressOf(args)
    const again = await againOf('sweep', args, url)
    const onInterrupt = () => process.stderr.write('mockademy: interrupted; putting the world back\n')
    const run = async (signal: AbortSignal) => {
      const options: SweepOptions = {
        url,
        adminToken: token,
        file: args.file === undefined ? await auditFileOf(args) : String(args.file),
        flow: textsOf(args.flow),
        only: textsOf(args.only),
        skip: textsOf(args.skip),
        liberties: textFrom(args, 'liberties'),
        out: String(args.out),
        pairs: args.pairs === true,
        bail: args.bail === true,
        ...(args.budget !== undefined && { budget: durationOf(String(args.budget)) }),
        signal,
        onProgress: progress(),
        onNote: (note) => process.stderr.write(`mockademy: ${note}\n`),
      }
      try {
        if (args.list) {
          const listing = await listCases(options)
          process.stdout.write(args.json ? `${JSON.stringify(listing, null, 2)}\n` : listingText(listing))
          return 0
        }
        const report = await sweepApp(options)
        endProgress()
        await writeReport(args.junit, () => junitXml(sweepResults(report, again)))
        if (args.sarif !== undefined) {
          const placeOf = await placesOf(args, needsOf(report))
          const category = `mockademy-sweep/${report.app}`
          await writeReport(args.sarif, () =>
            sarif(sweepResults(report, again), { category, placeOf: ({ id }) => placeOf(id) }),
          )
        }
        await writeReport(args.markdown, () => markdownPage(sweepPage(report, again)))
        await sendReport('sweep', report, { url, token })
        process.stdout.write(
          args.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, again, outputStyle()),
        )
        await reportToCi(args, sweepSummary(report))
        if (signal.aborted) return INTERRUPTED
        return report.passed ? 0 : 1
      } catch (error) {
        endProgress()
        if (signal.aborted) return INTERRUPTED
        throw error instanceof AuditFailure ? new CommandFailure(2, `mockademy: ${error.message}`) : error
      }
    }
    return interruptible(run, { putsBack: true, onInterrupt })
  },
}

/** Shows a line that changes on a terminal, and a line now and then elsewhere. */
function progress(): NonNullable<SweepOptions['onProgress']> {
  let shownAt = performance.now()
  return ({ done, of, failing }) => {
    const bar = '#'.repeat(Math.round((done / of) * 20)).padEnd(20, '.')
    const text = `[${bar}] ${done} of ${of} cases, ${failing} failing`
    showProgress(text)
    if (process.stderr.isTTY || performance.now() - shownAt < BETWEEN_LINES) return
    shownAt = performance.now()
    process.stderr.write(`mockademy: ${text}\n`)
  }
}
