import type { Options } from 'yargs'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { idPattern } from '../../../foundation/schema/id-pattern.js'
import type { PullProgress, PullReport } from '../../real-platform/pull.js'
import type { Approximation } from '../../real-platform/unfinished-pull.js'
import { visible } from '../../reports/visible.js'
import { type Command, flag, textFrom, textsOf, wrongUse } from '../command/command.js'
import { platformFlags, platformFrom, printWait, runAgainstPlatform } from '../flags/platform-flags.js'
import { settingFlags, settingsFromFlags } from '../flags/setting-flags.js'
import { noteProgress, showProgress } from '../terminal/progress-line.js'
import { table } from '../terminal/table.js'

/** `mockademy pull`: an organization of the platform as a fixture document. real-platform: "mockademy pull" */
export const pullCommand: Command = {
  flags: {
    ...platformFlags,
    organization: flag.text('Slug of the organization in the document', { default: 'pulled' }),
    name: flag.text('Name of the organization in the document', { defaultDescription: 'the slug' }),
    course: flag.texts('Only the course of this id; repeatable'),
    'keep-people': flag.switch('Keep names, emails, avatars and answers: personal data!'),
    'element-type-names': { ...(settingFlags['element-type-names'] as Options), group: undefined },
    out: flag.path('File to write', { default: 'world.json' }),
  },

  async run(args) {
    const platform = await platformFrom(args)
    const organization = textFrom(args, 'organization') as string
    if (!idPattern.test(organization)) {
      throw wrongUse('--organization must be 1 to 64 letters, digits, hyphens or underscores')
    }
    const out = textFrom(args, 'out') as string
    if (out === '-') throw wrongUse('--out -: pull keeps its progress beside the output file; name a file')
    const names = { 'element-type-names': args['element-type-names'] }
    const typeNames = (await settingsFromFlags(names)).element_type_names
    const { pull } = await import('../../real-platform/pull.js')
    const report = await runAgainstPlatform((signal) =>
      pull({
        ...platform,
        organization,
        name: textFrom(args, 'name') || organization,
        courses: [...new Set(textsOf(args.course))],
        keepPeople: args['keep-people'] === true,
        typeNames,
        out,
        signal,
        onProgress,
      }),
    )
    process.stdout.write(`${[...summaryOf(report), '', ...hintsFor(out, args['keep-people'] === true)].join('\n')}\n`)
    return 0
  },
}

function onProgress(progress: PullProgress): void {
  if ('list' in progress) {
    const { list, count, requestsPerSecond } = progress
    showProgress(`${list.replace('_', ' ')}: ${count} (${requestsPerSecond.toFixed(1)} requests/s)`)
  } else if ('resumed' in progress) noteProgress(`going on from ${progress.resumed}`)
  else printWait(progress)
}

function summaryOf({ counts, requests, approximations }: PullReport): string[] {
  const rows = Object.entries(counts).map(([list, count]) => [list.replace('_', ' '), String(count)])
  const lines = [`Read with ${requests} requests:`, ...table(rows)]
  if (approximations.length === 0) return lines
  return [...lines, '', 'Not exactly as on the platform:', ...approximations.map((each) => visible(lineOf(each)))]
}

function lineOf({ resource, field, what, count, ids }: Approximation): string {
  const more = count > ids.length ? ', …' : ''
  const which = ids.length > 0 ? `: ${ids.join(', ')}${more}` : ''
  return `  ${resource}${field ? ` ${field}` : ''}: ${what} (${count}${which})`
}

const hintsFor = (out: string, keepPeople: boolean) => [
  `${out}: written. Roles, apps and installations are not in the API: the oldest member is the owner, all others are learners.`,
  keepPeople
    ? 'It holds the personal data of real people: keep it out of version control.'
    : 'Names, emails, avatars and answers of people are invented.',
  `Start with it: mockademy start --fresh --fixtures ${shellQuoted(out)}`,
]
