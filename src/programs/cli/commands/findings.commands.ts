import { type RuleName, ruleNames, rules } from '../../../control/findings/rules.js'
import { pageOf } from '../../../emulator/world/documentation.js'
import type { Finding, FindingSinceStart } from '../../../emulator/world/parts.js'
import { didYouMean } from '../../../foundation/schema/did-you-mean.js'
import { visible } from '../../reports/visible.js'
import { type Arguments, type Command, flag, wrongUse } from '../command/command.js'
import { reachOf } from '../flags/address.js'
import { control, flagsOfCall, inputOf, withRuns } from './control-command.js'

const filters = flagsOfCall('listFindings')

const listing = withRuns(
  control({
    flags: filters,
    example: '--level error',
    calls: ['listFindings', 'clearFindings'],
    request: (call, args) => (args.clear ? call('clearFindings') : call('listFindings', inputOf('listFindings', args))),
    print: async (result, _, url) => findingsAsText(result, await reachOf(url)),
  }),
)

/**
 * A paragraph a finding: what, how often, why and where to look. Those of a whole run have their first exchange.
 * @param reach the flag with which a command reaches the emulator; undefined when the emulator ends.
 */
export const findingsAsText = (found: (Finding | FindingSinceStart)[], reach: string | undefined): string =>
  found.map((finding) => paragraphOf(finding, reach)).join('\n\n') || 'No findings'

function paragraphOf(finding: Finding | FindingSinceStart, reach: string | undefined): string {
  const { rule, level, app, organization, section, count, message, entries } = finding
  const { check } = rules[rule as RuleName]
  const where = [app, organization].filter(Boolean).join(' in ')
  const times = count === 1 ? 'once' : `${count} times`
  const lines = [
    message,
    'exchange' in finding && finding.exchange,
    reach !== undefined && entries.length > 0 && `See: mockademy requests show ${entries.at(-1)}${reach}`,
    reach !== undefined && check && `Audit: mockademy audit --only ${check}${reach}`,
  ]
  const head = `${level.toUpperCase()} ${rule}${where && ` (${where})`}, ${times}, ${section}`
  const shown = lines.flatMap((line) => (typeof line === 'string' ? [`  ${line}`] : []))
  return [head, ...shown].map(visible).join('\n')
}

/** control-api: "Findings" */
export const findingsCommand: Command = {
  ...listing,
  flags: {
    ...listing.flags,
    explain: flag.text('Explain a rule and its remedy; needs no emulator'),
    clear: flag.switch('Delete every finding', { conflicts: ['explain', 'runs', ...Object.keys(filters)] }),
  },
  async run(args: Arguments) {
    if (args.explain === undefined) return listing.run(args)
    const name = String(args.explain)
    if (!Object.hasOwn(rules, name)) throw wrongUse(`there is no rule "${name}"${didYouMean(name, ruleNames)}`)
    const { level, section, explanation, check } = rules[name as RuleName]
    const page = pageOf(section)
    process.stdout.write(
      `${name} (${level}, ${section})\n${explanation}\n${page === undefined ? '' : `See: ${page}\n`}${check ? `Audit: mockademy audit --only ${check}\n` : ''}`,
    )
    return 0
  },
}
