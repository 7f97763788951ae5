import type { Counts } from '../../../control/coverage/report.js'
import { mergeFindings } from '../../../control/findings/merge-findings.js'
import { addressOfPage } from '../../../emulator/world/documentation.js'
import type { Finding } from '../../../emulator/world/parts.js'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import type { Annotation, JobSummary } from '../../reports/github.js'
import { pluralize } from '../../reports/pluralize.js'
import { type Arguments, type Command, flag, say, textFrom, wrongUse } from '../command/command.js'
import { mustBeWritable } from '../files/output-file.js'
import { ciFlag, reportToCi } from '../flags/ci.js'
import { fixtureFlags, ownEmulatorFlags } from '../flags/emulator-options.js'
import { failUnderFlag, failUnderFrom } from './coverage.command.js'
import { runOnce } from './exec-run.js'
import { reportFlags } from './report.command.js'
import { commandLineOf, drawSeeds, isRange, MAX_SEEDS, type RunOnce, runSeeds, seedsIn } from './seeded-runs.js'
import { appFlag } from './world.commands.js'

/** `mockademy exec -- CMD`. control-api: "CLI" */
export const execCommand: Command = {
  flags: {
    ...fixtureFlags,
    ...appFlag,
    ...ownEmulatorFlags,
    bail: flag.switch('With --liberties 1..20, stop at the first seed that fails'),
    why: flag.switch('With --liberties, find out which of them make the command fail'),
    repeat: {
      type: 'number',
      requiresArg: true,
      describe: 'Number of runs, each with a different seed and a new world',
    },
    'until-failure': flag.switch(`Repeat until a run fails; at most --repeat times, ${MAX_SEEDS} when it is not given`),
    console: flag.switch('After a failing run, keep the emulator running and print the address of its console'),
    coverage: {
      type: 'string',
      describe: 'Print what the app has met of the platform when the command ends; with =FILE, write it as JSON too',
    },
    ...failUnderFlag,
    ...reportFlags,
    strict: flag.switch(
      'Print the findings of level error, also those before a reset; exit with 1 for them if the command succeeds',
    ),
    ...ciFlag,
  },
  example: '-- npm test',

  async run(args) {
    const words = (args['--'] ?? []) as string[]
    if (!words[0]) throw wrongUse('exec needs a command after --, as in: mockademy exec -- npm test')
    // Before anything runs.
    failUnderFrom(args)
    if (args.coverage) await mustBeWritable(String(args.coverage))
    const covered: Counts[] = []
    const results: Awaited<ReturnType<typeof runOnce>>[] = []
    const run = async (settings: GivenSettings) => {
      // The report is that of the first failed run, otherwise of the last run.
      const hasFailed = results.some(({ status }) => status !== 0)
      const reported = hasFailed ? { ...args, report: undefined, 'report-on-failure': false } : args
      const result = await runOnce(words, reported, settings, covered)
      results.push(result)
      return result
    }
    const { status, counts: ended } = await runAll(args, run)
    const isBelow = results.some((result) => result.isBelow)
    const counts = isBelow ? `${ended}; coverage is below ${args['fail-under']} %` : ended
    if (!results.some(({ isReached }) => isReached)) noteUnreached(args, status)
    const findings = mergeFindings(results.flatMap((result) => result.findings))
    const title = results.at(-1)?.title ?? ''
    await reportToCi(args, summaryOf(title, status, counts, findings), findings.map(annotationOf))
    return status
  },
}

/** Says that what the flags asked for is empty, because only control calls, if any, reached the emulator. */
function noteUnreached(args: Arguments, status: number): void {
  const isReported = args['report-on-failure'] === true ? status !== 0 : args.report !== undefined
  const others = ['coverage', 'fail-under', 'liberties', 'repeat', 'until-failure']
  if (!args.strict && !isReported && others.every((flag) => args[flag] === undefined)) return
  say(
    `note: the emulator that exec started received only control calls. Make the command send its requests to PLATFORM_BASE_URL. Tests that call startEmulator start their own emulators: assert listFindings there, and set MOCKADEMY_LIBERTIES, MOCKADEMY_SEED and MOCKADEMY_REPORT instead of flags (${addressOfPage('testing.md#anything-else')})`,
  )
}

/** Runs the command once, or once a seed. @throws CommandFailure 2 for flags that exclude each other. */
async function runAll(args: Arguments, run: RunOnce): Promise<{ status: number; counts: string }> {
  const isRepeated = args.repeat !== undefined || args['until-failure'] === true
  const libertySeeds = libertySeedsFrom(args, isRepeated)
  if (isRepeated && args.seed !== undefined) {
    throw wrongUse('--repeat and --seed exclude each other: each run has a seed of its own')
  }
  const [liberty] = libertySeeds
  if (liberty === undefined && !isRepeated) {
    const { status } = await run({})
    return { status, counts: status === 0 ? 'Passed' : `Failed with ${status}` }
  }
  const print = (text: string) => void process.stderr.write(`${text}\n`)
  const argv = process.argv.slice(2)
  const fixed: Record<string, string> = isRepeated && liberty ? { liberties: liberty } : {}
  const setting = isRepeated ? 'seed' : 'liberties'
  const note =
    liberty && args.liberties === 'random'
      ? `Liberties by seed ${liberty}; again: ${commandLineOf(argv, { liberties: liberty })}`
      : undefined
  if (note) print(note)
  const result = await runSeeds(
    {
      seeds: isRepeated ? drawSeeds(Number(args.repeat ?? MAX_SEEDS)) : libertySeeds,
      isSeries: isRepeated || isRange(String(args.liberties)),
      setting,
      bail: args.bail === true || args['until-failure'] === true,
      why: args.why === true,
      again: (seed) => commandLineOf(argv, { ...fixed, [setting]: seed }),
      print,
    },
    (settings) => run({ ...fixed, ...settings }),
  )
  if (note) print(note)
  return result
}

/** @throws CommandFailure 2 for `--why` without a seed, and for several seeds of runs that are repeated. */
function libertySeedsFrom(args: Arguments, isRepeated: boolean): string[] {
  const liberties = textFrom(args, 'liberties')
  if (args.why === true && !liberties) throw wrongUse('--why needs a seed: --liberties 7')
  if (args.bail === true && !liberties && !isRepeated)
    throw wrongUse('--bail needs seeds: --liberties 1..20, or --repeat')
  const seeds = liberties ? seedsIn(liberties) : []
  if (isRepeated && seeds.length > 1) {
    throw wrongUse(
      '--repeat and a range of --liberties exclude each other; repeat with one seed, or leave --repeat out',
    )
  }
  return seeds
}

const summaryOf = (title: string, status: number, counts: string, findings: Finding[]): JobSummary => ({
  title: `mockademy exec -- ${title}`,
  passed: status === 0,
  counts: `${counts}; ${pluralize(findings.length, 'finding')}`,
  table: {
    heads: ['finding', 'level', 'app', 'times', ''],
    rows: findings.map(({ rule, level, app, count, message }) => [rule, level, app ?? '', String(count), message]),
  },
})

const annotationOf = ({ rule, level, app, message }: Finding): Annotation => ({
  level: 'warning',
  title: `${rule} (${[level, app].filter(Boolean).join(', ')})`,
  message,
})
