import { join } from 'node:path'
import type { CallResult } from '../../../control/admin/calls.js'
import { type CallParts, createCaller } from '../../../control/client/caller.js'
import type { CoverageReport } from '../../../control/coverage/report.js'
import { coverageMarkdown, coverageSummary, coverageText } from '../../reports/coverage-report.js'
import { isBelowPercent, percentOf } from '../../reports/percent.js'
import {
  type Arguments,
  type Command,
  flag,
  printNote,
  printResult,
  say,
  textFrom,
  wrongUse,
} from '../command/command.js'
import { writeText } from '../files/output-file.js'
import { addressOf, controlFlags } from '../flags/address.js'
import { ciFlag, reportToCi } from '../flags/ci.js'
import { asJson, flagsOfCall, inputOf } from './control-command.js'

/** The flag that makes a low figure a failure. As text, since yargs reads the empty value of an unset variable as 0. */
export const failUnderFlag = { 'fail-under': flag.text('Exit with 1 if coverage is below this percentage') }

/** Returns the lowest figure that does not fail; undefined without the flag. @throws CommandFailure 2 */
export function failUnderFrom(args: Arguments): number | undefined {
  const text = textFrom(args, 'fail-under')
  if (text === undefined) return undefined
  const least = Number(text)
  if (text.trim() !== '' && least >= 0 && least <= 100) return least
  throw wrongUse(`--fail-under ${JSON.stringify(text)}: must be a percentage from 0 to 100`)
}

/** Says when the coverage is below what `--fail-under` asks for. @returns the exit status. */
export function statusOf(report: CoverageReport, least: number | undefined): number {
  if (least === undefined || !isBelowPercent(report.figure, least)) return 0
  say(`the coverage of ${report.app} is ${percentOf(report.figure)} %, below ${least} %`)
  return 1
}

/** `mockademy coverage`. coverage: "Coverage" */
export const coverageCommand: Command = {
  flags: {
    ...flagsOfCall('getCoverage'),
    markdown: flag.path('Write the coverage as Markdown into this file, too'),
    ...failUnderFlag,
    gaps: flag.switch('Print the line that closes each gap'),
    write: flag.path('Write a scenario for each gap into this folder'),
    ...ciFlag,
    ...controlFlags,
  },
  example: '--gaps --fail-under 60',
  calls: ['getCoverage', 'listGaps'],

  async run(args) {
    const least = failUnderFrom(args)
    const { url, token } = await addressOf(args)
    const call = createCaller(url, token)
    const input = inputOf('getCoverage', args)
    const report = await call('getCoverage', input as CallParts<'getCoverage'>)
    printResult(args, report, `${coverageText(report, args.gaps === true)}\n`)
    await writeText(args.markdown, () => coverageMarkdown(report))
    if (args.write !== undefined) {
      await writeScenarios(String(args.write), await call('listGaps', input as CallParts<'listGaps'>))
    }
    const status = statusOf(report, least)
    await reportToCi(args, coverageSummary(report, status === 0))
    return status
  },
}

async function writeScenarios(folder: string, gaps: CallResult<'listGaps'>): Promise<void> {
  const written = gaps.filter(({ scenario }) => scenario !== null)
  for (const { group, row, column, scenario } of written) {
    const file = join(folder, `${fileName(`${group} ${row} ${column}`)}.json`)
    await writeText(file, () => `${asJson(scenario)}\n`)
  }
  const others = gaps.length - written.length
  const rest = others > 0 ? `; ${others} gaps have none, since no scenario can do what their lines do` : ''
  printNote(`${folder}: ${written.length} scenarios written${rest}`)
}

/** `api-get-v0-courses-id-expired` of `api GET /v0/courses/{id} expired` */
const fileName = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/-+$/, '')
