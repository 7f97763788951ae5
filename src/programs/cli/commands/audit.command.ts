import { audit as auditApp } from '../../audit/audit.js'
import { catalogue } from '../../audit/checks/catalogue.js'
import { type Severity, severities } from '../../audit/checks/check.js'
import { AuditFailure } from '../../audit/context/failures.js'
import {
  auditPage,
  auditResults,
  auditSummary,
  catalogueOf,
  checkLines,
  endLines,
  listingOf,
} from '../../audit/present-report.js'
import { select } from '../../audit/run-checks.js'
import { junitXml } from '../../reports/junit.js'
import { markdownPage } from '../../reports/markdown.js'
import { sarif } from '../../reports/sarif.js'
import { outputStyle } from '../../reports/terminal.js'
import { addressOf, controlFlags } from '../parts/address.js'
import { againOf, auditFileOf, DEFAULT_FILE, durationOf, placesOf, textsOf } from '../parts/audit-file.js'
import { ciFlag, reportToCi } from '../parts/ci.js'
import { type Command, textFrom } from '../parts/command.js'
import { CommandFailure } from '../parts/command-failure.js'
import { configFlag } from '../parts/config.js'
import { INTERRUPTED, interruptible } from '../parts/interruption.js'
import { sendReport, writeReport } from '../parts/report-file.js'

/** `mockademy audit [FILE]`. audit: "Running it" */
export const auditCommand: Command = {
  operands: {
    file: {
      type: 'string',
      describe: `File that describes the app; default: "audit" of mockademy.json, else ${DEFAULT_FILE}`,
    },
  },
  flags: {
    url: controlFlags.url,
    'admin-token': controlFlags['admin-token'],
    ...configFlag,
    only: { type: 'array', string: true, requiresArg: true, describe: 'Only these checks: "webhook.*"' },
    skip: { type: 'array', string: true, requiresArg: true, describe: 'Not these checks' },
    'fail-on': {
      choices: severities,
      default: 'medium',
      requiresArg: true,
      describe: 'Lowest severity that makes the exit status 1',
    },
    json: { type: 'boolean', describe: 'Print the report as JSON; with --list, the catalogue' },
    junit: { type: 'string', requiresArg: true, describe: 'Write the report as JUnit XML to this file' },
    markdown: { type: 'string', requiresArg: true, describe: 'Write the report as Markdown to this file' },
    sarif: { type: 'string', requiresArg: true, describe: 'Write what did not pass as SARIF 2.1.0 to this file' },
    list: { type: 'boolean', describe: 'Print the catalogue, run nothing' },
    bail: { type: 'boolean', describe: 'Stop at the first failure' },
    ...ciFlag,
    liberties: {
      type: 'string',
      requiresArg: true,
      describe: 'Seed of the liberties that the emulator takes meanwhile',
    },
    timeout: {
      type: 'string',
      requiresArg: true,
      describe: 'End the run after this time, such as "5m"; checks that were not reached are inconclusive',
    },
  },
  calls: ['putReport'],

  async run(args) {
    const { only, skip } = { only: textsOf(args.only), skip: textsOf(args.skip) }
    if (args.list) {
      const checks = failing(() => select(catalogue, only, skip))
      process.stdout.write(args.json ? `${JSON.stringify(catalogueOf(checks), null, 2)}\n` : listingOf(checks))
      return 0
    }
    const { url, token } = await addressOf(args)
    const again = await againOf('audit', args, url)
    const style = outputStyle()
    const onInterrupt = () => process.stderr.write('mockademy: interrupted; putting the world back\n')
    const run = async (signal: AbortSignal) => {
      try {
        const report = await auditApp({
          url,
          adminToken: token,
          file: args.file === undefined ? await auditFileOf(args) : String(args.file),
          only,
          skip,
          failOn: args['fail-on'] as Severity,
          bail: args.bail === true,
          liberties: textFrom(args, 'liberties'),
          ...(args.timeout !== undefined && { timeout: durationOf(String(args.timeout)) }),
          signal,
          onNote: (note) => process.stderr.write(`mockademy: ${note}\n`),
          ...(!args.json && { onResult: (result) => process.stdout.write(checkLines(result, again, style)) }),
        })
        await writeReport(args.junit, () => junitXml(auditResults(report, again)))
        if (args.sarif !== undefined) {
          const placeOf = await placesOf(args, catalogue)
          const category = `mockademy-audit/${report.app}`
          await writeReport(args.sarif, () =>
            sarif(auditResults(report, again), { category, placeOf: ({ id }) => placeOf(id) }),
          )
        }
        await writeReport(args.markdown, () => markdownPage(auditPage(report, again)))
        await sendReport('audit', report, { url, token })
        process.stdout.write(args.json ? `${JSON.stringify(report, null, 2)}\n` : endLines(report, style))
        await reportToCi(args, auditSummary(report))
        return report.passed ? 0 : 1
      } catch (error) {
        if (signal.aborted) return INTERRUPTED
        throw failureOf(error)
      }
    }
    return interruptible(run, { putsBack: true, onInterrupt })
  },
}

/** audit: "Exit status" 2 */
const failureOf = (error: unknown) =>
  error instanceof AuditFailure ? new CommandFailure(2, `mockademy: ${error.message}`) : error

function failing<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw failureOf(error)
  }
}
