import { audit } from '../../audit/audit.js'
import { catalog } from '../../audit/checks/catalog.js'
import { type Severity, severities } from '../../audit/checks/check.js'
import {
  auditPage,
  auditResults,
  auditSummary,
  catalogOf,
  checkLines,
  endLines,
  listingOf,
} from '../../audit/present-report.js'
import { select } from '../../audit/run-checks.js'
import { outputStyle } from '../../reports/terminal.js'
import { type Command, durationFrom, flag, printResult, textsOf } from '../command/command.js'
import { addressFlags } from '../flags/address.js'
import { againOf, DEFAULT_FILE } from '../flags/audit-file.js'
import { ciFlag } from '../flags/ci.js'
import { deliverReport, optionsFrom, runAppCheck } from './app-check.js'

/** `mockademy audit [FILE]`. audit: "Running it" */
export const auditCommand: Command = {
  operands: {
    file: {
      type: 'string',
      describe: `File that describes the app; default: "audit" of mockademy.json, else ${DEFAULT_FILE}`,
    },
  },
  flags: {
    ...addressFlags,
    only: flag.texts('Only these checks: "webhook.*"'),
    skip: flag.texts('Not these checks'),
    'fail-on': {
      choices: severities,
      default: 'medium',
      requiresArg: true,
      describe: 'Lowest severity that makes the exit status 1',
    },
    json: flag.switch('Print the report as JSON; with --list, the catalog'),
    junit: flag.path('Write the report as JUnit XML to this file'),
    markdown: flag.path('Write the report as Markdown to this file'),
    sarif: flag.path('Write what did not pass as SARIF 2.1.0 to this file'),
    list: flag.switch('Print the catalog, run nothing'),
    bail: flag.switch('Stop at the first failure'),
    ...ciFlag,
    liberties: flag.text('Seed of the liberties that the emulator takes meanwhile'),
    timeout: flag.text('End the run after this time, such as "5m"; checks that were not reached are inconclusive'),
  },
  calls: ['putReport'],

  run: (args) =>
    runAppCheck(async (signal) => {
      if (args.list) {
        const checks = select(catalog, textsOf(args.only), textsOf(args.skip))
        printResult(args, catalogOf(checks), listingOf(checks))
        return 0
      }
      const style = outputStyle()
      const options = await optionsFrom(args, signal)
      const again = await againOf('audit', args, options.url)
      const timeout = durationFrom(args, 'timeout')
      const report = await audit({
        ...options,
        failOn: args['fail-on'] as Severity,
        ...(timeout !== undefined && { timeout }),
        ...(!args.json && { onResult: (result) => process.stdout.write(checkLines(result, again, style)) }),
      })
      const [results, page] = [auditResults(report, again), auditPage(report, again)]
      const presented = { results, page, summary: auditSummary(report), text: endLines(report, style) }
      return deliverReport('audit', report, { ...presented, needed: catalog }, args, options)
    }),
}
