import { mapLines } from '../../../control/coverage/map-lines.js'
import type { Counts } from '../../../control/coverage/report.js'
import { environmentOf } from '../../../control/start/environment.js'
import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { addressOfPage } from '../../../emulator/world/documentation.js'
import type { Finding, FindingSinceStart } from '../../../emulator/world/parts.js'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import { findApp } from '../../../platform/apps/manifest.js'
import { coverageText } from '../../reports/coverage-report.js'
import type { Annotation, JobSummary } from '../../reports/github.js'
import { pluralize } from '../../reports/pluralize.js'
import { visibleLines } from '../../reports/visible.js'
import { type Arguments, type Command, printNote, say, switchFlag, textFrom, wrongUse } from '../command/command.js'
import { failureOf } from '../command/command-failure.js'
import { makeFolderOf, writeText } from '../files/output-file.js'
import { ciFlag, reportToCi, withinRun } from '../flags/ci.js'
import { fixtureFlags, ownEmulatorFlags, ownEmulatorOptions } from '../flags/emulator-options.js'
import { childEnvironment, runToEnd } from '../processes/child-process.js'
import { untilStop } from '../processes/stop-signal.js'
import { asJson } from './control-command.js'
import { failUnderFlag, failUnderFrom, statusOf } from './coverage.command.js'
import { findingsAsText } from './findings.commands.js'
import { beginReport, reportFlags } from './run-report.js'
import { commandLineOf, drawSeeds, MAX_SEEDS, type RunOnce, runSeeds, seedsIn } from './seeded-runs.js'
import { appFlag } from './world.commands.js'

/** `mockademy exec -- CMD`. control-api: "CLI" */
export const execCommand: Command = {
  flags: {
    ...fixtureFlags,
    ...appFlag,
    ...ownEmulatorFlags,
    bail: switchFlag('With --liberties 1..20, stop at the first seed that fails'),
    why: switchFlag('With --liberties, find out which of them make the command fail'),
    repeat: {
      type: 'number',
      requiresArg: true,
      describe: 'Number of runs, each with a different seed and a new world',
    },
    'until-failure': switchFlag(`Repeat until a run fails; at most --repeat times, ${MAX_SEEDS} when it is not given`),
    console: switchFlag('After a failing run, keep the emulator running and print the address of its console'),
    coverage: {
      type: 'string',
      describe: 'Print what the app has met of the platform when the command ends; with =FILE, write it as JSON too',
    },
    ...failUnderFlag,
    ...reportFlags,
    strict: switchFlag(
      'Print the findings of level error, also those before a reset; exit with 1 for them if the command succeeds',
    ),
    ...ciFlag,
  },
  example: '-- npm test',

  async run(args) {
    const words = (args['--'] ?? []) as string[]
    if (words.length === 0) throw wrongUse('exec needs a command after --, as in: mockademy exec -- npm test')
    // Before anything runs.
    failUnderFrom(args)
    if (args.coverage) await makeFolderOf(String(args.coverage))
    /** By rule, app and organization: the newest of all runs. */
    const found = new Map<string, Finding>()
    /** Counts of each world of each run. */
    const covered: Counts[] = []
    let hasFailed = false
    let isReached = false
    const run = async (settings: GivenSettings) => {
      // The report is that of the first failed run, otherwise of the last run.
      const reported = hasFailed ? { ...args, report: undefined, 'report-on-failure': false } : args
      const result = await runOnce(words, reported, settings, covered)
      hasFailed ||= result.status !== 0
      isReached ||= result.isReached
      for (const finding of result.findings) {
        const { rule, app, organization } = finding
        found.set([rule, app, organization].join(' '), finding)
      }
      return result
    }
    const { status, counts } = await runAll(args, run)
    if (!isReached) noteUnreached(args, status)
    const findings = [...found.values()]
    await reportToCi(args, summaryOf(words, status, counts, findings), findings.map(annotationOf))
    return status
  },
}

/** Runs the command once, or once a seed. @throws CommandFailure 2 for flags that exclude each other. */
async function runAll(args: Arguments, run: RunOnce): Promise<{ status: number; counts: string }> {
  const liberties = textFrom(args, 'liberties')
  const isRepeated = args.repeat !== undefined || args['until-failure'] === true
  if (args.why === true && !liberties) throw wrongUse('--why needs a seed: --liberties 7')
  if (!liberties && !isRepeated) {
    const { status } = await run({})
    return { status, counts: status === 0 ? 'Passed' : `Failed with ${status}` }
  }
  const libertySeeds = liberties ? seedsIn(liberties) : []
  if (isRepeated && libertySeeds.length > 1) {
    throw wrongUse(
      '--repeat and a range of --liberties exclude each other; repeat with one seed, or leave --repeat out',
    )
  }
  if (isRepeated && args.seed !== undefined) {
    throw wrongUse('--repeat and --seed exclude each other: each run has a seed of its own')
  }
  const print = (text: string) => void process.stderr.write(`${text}\n`)
  const argv = process.argv.slice(2)
  const [liberty] = libertySeeds
  const fixed: Record<string, string> = isRepeated && liberty ? { liberties: liberty } : {}
  const setting = isRepeated ? 'seed' : 'liberties'
  const note =
    liberties === 'random'
      ? `Liberties by seed ${liberty}; again: ${commandLineOf(argv, { liberties: liberty as string })}`
      : undefined
  if (note) print(note)
  const result = await runSeeds(
    {
      seeds: isRepeated ? drawSeeds(Number(args.repeat ?? MAX_SEEDS)) : libertySeeds,
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

const summaryOf = (words: string[], status: number, counts: string, findings: Finding[]): JobSummary => ({
  title: `mockademy exec -- ${words.join(' ')}`,
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

/** Runs the command against an emulator of its own. @param settings stronger than all others. @param met in earlier runs. */
async function runOnce(words: string[], args: Arguments, settings: GivenSettings, met: Counts[]) {
  const options = await ownEmulatorOptions(args)
  const isOneOfMany = Object.keys(settings).length > 0
  if (isOneOfMany && options.explicitSettings?.store !== undefined && options.explicitSettings.store !== 'memory')
    throw wrongUse('each run begins with a new world: leave --store out')
  const emulators = await startWorlds({ ...options, explicitSettings: { ...options.explicitSettings, ...settings } })
  for (const note of emulators.flatMap(({ notes }) => notes)) say(`note: ${note}`)
  try {
    const endReport = await beginReport(emulators, args)
    const surfaces = new Set<string>()
    for (const { world } of emulators) world.journal.onExchange(({ surface }) => surfaces.add(surface))
    const { status, isInterrupted } = await runToEnd(words, await environment(emulators[0] as Running, args))
    const least = failUnderFrom(args)
    const isCounted = args.coverage !== undefined || least !== undefined
    const covered = isCounted ? await reported(reportCoverage(emulators, args, least, met)) : 0
    const findings = emulators.flatMap(({ world }) => world.findings.sinceStart())
    const strict = args.strict ? reportErrors(findings, emulators, args) : 0
    const ended = status || strict || covered
    const report = {
      title: words.join(' '),
      command: commandLineOf(process.argv.slice(2), settings as Record<string, string>),
      status: ended,
    }
    const unwritten = await reported(endReport(report).then(() => 0))
    const result = ended || unwritten
    if (result !== 0 && args.console) {
      // Listens first: a signal sent as soon as the line is read would end this process with a status of its own.
      const stopped = untilStop()
      printNote(`The run ended with ${result}. See why: ${emulators[0]?.url}/_console (Ctrl+C ends the emulator)`)
      await stopped
    }
    const isReached = [...surfaces].some((surface) => surface !== 'admin')
    const touched = emulators.flatMap(({ world }) => [...world.liberties.firstTouched])
    return { status: result, isInterrupted, touched: new Map(touched.reverse()), findings, isReached }
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()))
  }
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

/** Returns the status of a report, or prints its failure and returns that status, so that the command's own is not lost. */
const reported = (status: Promise<number>): Promise<number> =>
  status.catch((error: unknown) => {
    const { exitStatus, message } = failureOf(error)
    process.stderr.write(`${visibleLines(message)}\n`)
    return exitStatus
  })

/** Prints the findings that are errors. @returns the exit status: 1 if there are any. control-api: "Findings" */
function reportErrors(findings: FindingSinceStart[], emulators: Running[], args: Arguments): number {
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length === 0) return 0
  const reach = args.console ? ` --url ${emulators[0]?.url}` : undefined
  const isReported = args.report !== undefined || args['report-on-failure'] === true
  const hint = args.console || isReported ? '' : '\nTo see the exchanges, run it with --report run.html or --console.\n'
  process.stderr.write(`mockademy: the run broke rules of the platform:\n\n${findingsAsText(errors, reach)}\n${hint}`)
  return 1
}

/**
 * Prints what the app has met in all worlds, also before resets; the file has that of the earlier runs too.
 * @returns the exit status: 1 below `least` percent.
 */
async function reportCoverage(emulators: Running[], args: Arguments, least: number | undefined, earlier: Counts[]) {
  const { world } = emulators[0] as Running
  const app = findApp(world, textFrom(args, 'app') ?? '') ?? world.store.apps.all.at(0)
  if (!app) return 0
  const { coverageOf } = await import('../../../control/coverage/report.js')
  const others = emulators.slice(1).map(({ world }) => world)
  const report = coverageOf([world, ...others], app, { whole: true })
  process.stderr.write(`${coverageText(report, false)}\n`)
  // The emulator ends with this run, so the commands must not name its address.
  const { base_url } = world.addresses
  const ofAll = coverageOf([world, ...others], app, { whole: true }, earlier)
  earlier.push(...[world, ...others].map(({ coverage }) => coverage.met(app.id, { whole: true })))
  const written = mapLines(ofAll, (line) =>
    line.replaceAll(` --url ${base_url}`, '').replaceAll(`'${base_url}/`, `"$MOCKADEMY_URL"'/`),
  )
  await writeText(args.coverage || undefined, () => `${asJson(written)}\n`)
  return statusOf(report, least)
}

/** Returns the command's variables: those of the emulator, for the app that `--app` names. @throws CommandFailure 2 */
async function environment(emulator: Running, args: Arguments): Promise<NodeJS.ProcessEnv> {
  const name = textFrom(args, 'app')
  const app = name === undefined ? undefined : findApp(emulator.world, name)
  if (name !== undefined && !app) {
    const ids = Array.from(emulator.world.store.apps.all, ({ id }) => id)
    throw wrongUse(
      `--app "${name}": there is no such app; ${ids.length > 0 ? `there are: ${ids.join(', ')}` : 'none exist'}`,
    )
  }
  return childEnvironment({ ...(await environmentOf(emulator, app)), ...withinRun(args) })
}
