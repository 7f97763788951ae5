import { outputStyle } from '../../reports/terminal.js'
import { flowNames } from '../../sweep/flows.js'
import type { SweepOptions } from '../../sweep/options.js'
import { listingText, needsOf, reportText, sweepPage, sweepResults, sweepSummary } from '../../sweep/present-report.js'
import { listCases, sweep } from '../../sweep/sweep.js'
import { type Command, durationFrom, flag, printResult, say, textsOf } from '../command/command.js'
import { addressFlags } from '../flags/address.js'
import { againOf } from '../flags/audit-file.js'
import { ciFlag } from '../flags/ci.js'
import { INTERRUPTED } from '../processes/stop-signal.js'
import { endProgress, showProgress } from '../terminal/progress-line.js'
import { deliverReport, optionsFrom, runAppCheck } from './app-check.js'

/** Real milliseconds between two lines of progress where standard error is no terminal. */
const PROGRESS_INTERVAL = 10_000

/** `mockademy sweep [FILE]`. sweep: "Running it" */
export const sweepCommand: Command = {
  operands: { file: { type: 'string', describe: 'File that describes the app, as for `audit`' } },
  flags: {
    ...addressFlags,
    flow: { type: 'array', choices: flowNames, requiresArg: true, describe: 'Only these flows' },
    only: flag.texts('Only these cases: "refresh/*/lost"'),
    skip: flag.texts('Not these cases'),
    pairs: flag.switch('Also two troubles in one case, in the flows install and refresh'),
    budget: flag.text('Begin no case after this time, such as "5m"'),
    liberties: flag.text('Seed of the liberties that the emulator takes meanwhile'),
    out: flag.path('Folder for the scenarios of failing cases', { default: 'sweep' }),
    json: flag.switch('Print the report as JSON; with --list, the cases'),
    junit: flag.path('Write the report as JUnit XML to this file'),
    markdown: flag.path('Write the report as Markdown to this file'),
    sarif: flag.path('Write what fails as SARIF 2.1.0 to this file'),
    list: flag.switch('Run the flows without trouble, print the cases'),
    bail: flag.switch('Begin no case after the first that fails'),
    ...ciFlag,
  },
  calls: ['putReport'],

  run: (args) =>
    runAppCheck(async (signal) => {
      const options: SweepOptions & Awaited<ReturnType<typeof optionsFrom>> = {
        ...(await optionsFrom(args, signal)),
        flow: textsOf(args.flow),
        out: String(args.out),
        pairs: args.pairs === true,
        budget: durationFrom(args, 'budget'),
        onProgress: progress(),
      }
      if (args.list) {
        const listing = await listCases(options)
        printResult(args, listing, listingText(listing))
        return 0
      }
      const report = await sweep(options).finally(endProgress)
      const again = await againOf('sweep', args, options.url)
      const [results, page] = [sweepResults(report, again), sweepPage(report, again)]
      const presented = { results, page, summary: sweepSummary(report), text: reportText(report, again, outputStyle()) }
      const status = await deliverReport('sweep', report, { ...presented, needed: needsOf(report) }, args, options)
      return signal.aborted ? INTERRUPTED : status
    }),
}

function progress(): NonNullable<SweepOptions['onProgress']> {
  let shownAt = performance.now()
  return ({ done, of, failing }) => {
    const bar = '#'.repeat(Math.round((done / of) * 20)).padEnd(20, '.')
    const text = `[${bar}] ${done} of ${of} cases, ${failing} failing`
    showProgress(text)
    if (process.stderr.isTTY || performance.now() - shownAt < PROGRESS_INTERVAL) return
    shownAt = performance.now()
    say(text)
  }
}
