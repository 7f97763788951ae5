import { mapLines } from '../../../control/coverage/map-lines.js'
import type { Counts } from '../../../control/coverage/report.js'
import { environmentOf } from '../../../control/start/environment.js'
import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import type { FindingSinceStart } from '../../../emulator/world/parts.js'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import { findApp } from '../../../platform/apps/manifest.js'
import { coverageText } from '../../reports/coverage-report.js'
import { type Arguments, printNote, say, textFrom, wrongUse } from '../command/command.js'
import { printFailure } from '../command/command-failure.js'
import { writeText } from '../files/output-file.js'
import { withinRun } from '../flags/ci.js'
import { ownEmulatorOptions } from '../flags/emulator-options.js'
import { childEnvironment, runToEnd } from '../processes/child-process.js'
import { untilStop } from '../processes/stop-signal.js'
import { asJson } from './control-command.js'
import { failUnderFrom, statusOf } from './coverage.command.js'
import { findingsAsText } from './findings.commands.js'
import { beginReport } from './report.command.js'
import { commandLineOf } from './seeded-runs.js'

/** Runs the command against an emulator of its own. @param settings stronger than all others. @param met in earlier runs. */
export async function runOnce(words: string[], args: Arguments, settings: GivenSettings, met: Counts[]) {
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
    // A report that fails has a status too, and the command's own is not lost.
    const covered = isCounted ? await reportCoverage(emulators, args, least, met).catch(failedCoverage) : undefined
    const findings = emulators.flatMap(({ world }) => world.findings.sinceStart())
    const strict = args.strict ? reportErrors(findings, emulators, args) : 0
    const title = emulators.reduce((text, { world }) => createRedactor(world)(text), words.join(' '))
    const command = commandLineOf(process.argv.slice(2), settings as Record<string, string>)
    const ended = status || strict || (covered?.status ?? 0)
    const unwritten = await endReport({ title, command, status: ended }).then(() => 0, printFailure)
    const result = ended || unwritten
    if (result !== 0 && args.console) await keepConsole(emulators, result)
    const isReached = [...surfaces].some((surface) => surface !== 'admin')
    const touched = emulators.flatMap(({ world }) => [...world.liberties.firstTouched])
    const isBelow = covered?.isBelow === true
    return { status: result, title, isInterrupted, touched: new Map(touched.reverse()), findings, isReached, isBelow }
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()))
  }
}

const failedCoverage = (error: unknown) => ({ status: printFailure(error), isBelow: false })

/** Keeps the emulator of a run that failed, until a stop signal. */
async function keepConsole(emulators: Running[], status: number): Promise<void> {
  // Listens first: a signal sent as soon as the line is read would end this process with a status of its own.
  const stopped = untilStop()
  printNote(`The run ended with ${status}. See why: ${emulators[0]?.url}/_console (Ctrl+C ends the emulator)`)
  await stopped
}

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
 * @returns the exit status, and whether coverage is below `least` percent; undefined without an app.
 */
async function reportCoverage(emulators: Running[], args: Arguments, least: number | undefined, earlier: Counts[]) {
  const { world } = emulators[0] as Running
  const app = findApp(world, textFrom(args, 'app') ?? '') ?? world.store.apps.all.at(0)
  if (!app) return undefined
  const others = emulators.slice(1).map(({ world }) => world)
  const { coverageOf } = await import('../../../control/coverage/report.js')
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
  const status = statusOf(report, least)
  return { status, isBelow: status === 1 }
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
