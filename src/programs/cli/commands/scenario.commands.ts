import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type CallParts, type ControlCaller, createCaller } from '../../../control/client/caller.js'
import { AdminError, UnreachableError } from '../../../control/client/errors.js'
import { openStream } from '../../../control/client/event-stream.js'
import { readScenario, textOfRecording } from '../../../control/scenarios/scenario-file.js'
import { launch } from '../../../control/start/launch.js'
import type { ScenarioResult } from '../../../emulator/world/scenario-parts.js'
import { withoutByteOrderMark } from '../../../foundation/schema/byte-order-mark.js'
import { junitXml } from '../../reports/junit.js'
import { pluralize } from '../../reports/pluralize.js'
import {
  type FileResult,
  type FileRun,
  issueLines,
  scenarioAnnotations,
  scenarioLines,
  scenarioReport,
  scenarioSummary,
  summaryOf,
} from '../../reports/scenario-report.js'
import { outputStyle } from '../../reports/terminal.js'
import { visible } from '../../reports/visible.js'
import type { Arguments, CommandGroup, Subcommand } from '../command/command.js'
import { failure, flag, printNote, printResult, wrongUse } from '../command/command.js'
import { mustBeWritable, mustWrite, writeText } from '../files/output-file.js'
import { addressFlags, addressOf, controlFlags } from '../flags/address.js'
import { ciFlag, reportToCi } from '../flags/ci.js'
import { ownEmulatorFlags, ownEmulatorOptions } from '../flags/emulator-options.js'
import { settingFlags } from '../flags/setting-flags.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'
import { requestLine } from '../terminal/request-line.js'

type Runnable = Pick<FileRun, 'file' | 'read'>

/** Scenarios run in one world. */
const { worlds: _, ...ownFlags } = ownEmulatorFlags

/** `mockademy scenario run FILE…`. control-api: "Scenarios" */
const runCommand: Subcommand = {
  line: 'run <file..>',
  describe: 'Run scenario files on a running emulator or, with --fixtures, on one of their own',
  operands: { file: { type: 'string', array: true, describe: 'Scenario files: JSON with comments' } },
  flags: {
    ...ownFlags,
    fixtures: flag.texts(
      'Fixture file for an emulator of their own, to which the flags of settings apply; repeatable',
      {
        conflicts: 'url',
      },
    ),
    ...controlFlags,
    json: flag.switch('Print the responses of the control API as JSON, by file'),
    junit: flag.path('Write a report as JUnit XML to this file'),
    ...ciFlag,
    'dry-run': flag.switch('Check the files and run nothing'),
  },
  example: 'upgrade.jsonc --junit scenarios.xml',
  calls: ['runScenario', 'listRequests'],

  async run(args) {
    mustTakeEffect(args)
    const read = await Promise.all((args.file as string[]).map(readRunnable))
    const invalid = read.filter((each) => 'issues' in each)
    if (invalid.length > 0) {
      for (const each of invalid) print(each)
      await reportToCi(args, scenarioSummary(invalid), scenarioAnnotations(invalid))
      return 2
    }
    const files = read as Runnable[]
    if (args['dry-run']) {
      const valid = files.map(({ file, read }) => ({ file, valid: true, steps: read.scenario.steps.length }))
      const text = lines(valid.map(({ file, steps }) => visible(`${file}: valid, ${pluralize(steps, 'step')}`)))
      printResult(args, { data: valid }, text)
      return 0
    }
    return runFiles(files, args, abortOnStop({ hasToFinish: true }).signal)
  },
}

/** @throws CommandFailure 2 for the flag of a setting that a running emulator would ignore. */
function mustTakeEffect(args: Arguments): void {
  const given = Object.keys(settingFlags).find((name) => !(name in controlFlags) && args[name] !== undefined)
  if (given === undefined || args.fixtures !== undefined) return
  throw wrongUse(`--${given} needs --fixtures: a running emulator keeps its settings`)
}

async function runFiles(files: Runnable[], args: Arguments, signal: AbortSignal): Promise<number> {
  const emulator = args.fixtures === undefined ? undefined : await launch(await ownEmulatorOptions(args))
  try {
    const { url, token } = emulator
      ? { url: emulator.url, token: emulator.world.settings.admin_token }
      : await addressOf(args)
    const call = createCaller(url, token)
    const results: FileResult[] = []
    for (const each of files) {
      const result = await resultOf(each, call, signal)
      results.push(result)
      if (!args.json) print(result)
    }
    await writeText(args.junit, () => junitXml(scenarioReport(results)))
    printResult(args, { data: results.map(presentResult) }, `${summaryOf(results)}\n`)
    await reportToCi(args, scenarioSummary(results), scenarioAnnotations(results))
    return statusOf(results)
  } catch (error) {
    if (signal.aborted) return INTERRUPTED
    if (!(error instanceof UnreachableError)) throw error
    throw failure(
      `${error.message}\nStart one, or name a fixture file with --fixtures to run them on an emulator of their own.`,
    )
  } finally {
    await emulator?.close()
  }
}

async function readRunnable(file: string): Promise<Runnable | FileResult> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${error.message}`
    throw wrongUse(`${file}: ${why}`)
  })
  const { file: read, issues } = readScenario(withoutByteOrderMark(text))
  return read ? { file, read } : { file, issues }
}

const lines = (texts: string[]) => texts.map((text) => `${text}\n`).join('')

/** Runs one file. What the emulator finds wrong with it before the first step is an issue of the file. */
async function resultOf({ file, read }: Runnable, call: ControlCaller, signal: AbortSignal): Promise<FileResult> {
  try {
    const body = read.document as CallParts<'runScenario'>['body']
    const result: ScenarioResult = await call('runScenario', { body }, signal)
    return { file, read, result, journal: await journalOf(result, call) }
  } catch (error) {
    if (!(error instanceof AdminError) || error.status !== 400 || !error.problem.errors) throw error
    const issues = error.problem.errors.map(({ path, message }) => ({ line: read.lineOf(path), path, message }))
    return { file, issues }
  }
}

async function journalOf({ steps }: ScenarioResult, call: ControlCaller): Promise<string[]> {
  const [first, ...others] = steps.at(-1)?.error?.entries ?? []
  if (first === undefined) return []
  const since = await call('listRequests', { query: { since: first - 1 } })
  return since.filter(({ id }) => id === first || others.includes(id)).map(requestLine)
}

function print(result: FileResult): void {
  if ('result' in result) process.stdout.write(lines(scenarioLines(result, outputStyle())))
  else for (const line of issueLines(result.file, result.issues)) printNote(line)
}

const presentResult = (result: FileResult) =>
  'result' in result
    ? { file: result.file, ...result.result }
    : { file: result.file, passed: false, issues: result.issues }

/** 2 when one is not valid, else 1 when one failed. control-api: "Scenarios" */
function statusOf(results: FileResult[]): number {
  if (results.some((result) => !('result' in result))) return 2
  return results.every((result) => 'result' in result && result.result.passed) ? 0 : 1
}

/** Real milliseconds for which an emulator that has not answered is asked to stop a recording. */
const STOP_TIMEOUT = 500

/** `mockademy scenario record FILE`. control-api: "Scenarios" */
const recordCommand: Subcommand = {
  line: 'record <file>',
  describe: 'Record control calls and requests as a scenario, until Ctrl+C',
  operands: { file: { type: 'string', describe: 'File to write; must not exist yet' } },
  flags: addressFlags,
  example: 'sign-in.jsonc',
  calls: ['startRecording', 'stopRecording'],

  async run(args) {
    const file = String(args.file)
    if (existsSync(file)) throw wrongUse(`${file} already exists; choose another file`)
    await mustBeWritable(file)
    const { url, token } = await addressOf(args)
    const call = createCaller(url, token)
    const { signal } = abortOnStop()
    try {
      await call('startRecording', {}, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      // It may have begun all the same.
      await call('stopRecording', {}, AbortSignal.timeout(STOP_TIMEOUT)).catch(() => undefined)
      return INTERRUPTED
    }
    const events = await openStream(url, token, { signal })
    printNote(`Recording ${url} (Ctrl+C ends this and writes ${file})`)
    for await (const _ of events);
    if (!signal.aborted) throw failure(`the emulator at ${url} has stopped, and the recording is lost`)
    const recording = await call('stopRecording')
    const { scenario, left_out } = recording
    if (scenario.steps.length === 0) {
      throw failure(`nothing repeatable was recorded, so ${file} was not written`)
    }
    await mustWrite(file, writeFile(file, textOfRecording(recording), { flag: 'wx' }))
    const left = left_out.length > 0 ? `, ${left_out.length} left out` : ''
    process.stdout.write(`${file}: ${scenario.steps.length} recorded${left}\n`)
    return 0
  },
}

export const scenarioCommand: CommandGroup = { subcommands: [runCommand, recordCommand] }
