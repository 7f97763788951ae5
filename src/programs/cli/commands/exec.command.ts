import spawn from 'cross-spawn'
import { environmentOf } from '../../../control/start/environment.js'
import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import type { GivenSettings } from '../../../emulator/world/setting-table.js'
import { findApp } from '../../../platform/apps/manifest.js'
import { appFlag } from '../parts/app-flag.js'
import { childEnvironment, exitStatusOf, signalProcess } from '../parts/child-process.js'
import { type Arguments, type Command, textFrom } from '../parts/command.js'
import { wrongUse } from '../parts/command-failure.js'
import { configFlag } from '../parts/config.js'
import { fixtureFlags, ownEmulatorOptions } from '../parts/own-emulator.js'
import { type LibertyRun, runSeeds, seedsIn } from '../parts/seeded-runs.js'
import { settingFlags } from '../parts/setting-flags.js'
import { stopSignal } from '../parts/stop-signal.js'
import { findingsAsText } from './findings.commands.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `mockademy exec -- CMD`. control-api: "CLI" */
export const execCommand: Command = {
  flags: {
    ...fixtureFlags,
    ...appFlag,
    ...configFlag,
    ...settingFlags,
    port: { ...settingFlags.port, defaultDescription: 'any free one' },
    bail: { type: 'boolean', describe: 'With --liberties 1..20, stop at the first seed that fails' },
    why: { type: 'boolean', describe: 'With --liberties, find out which of them make the command fail' },
    console: {
      type: 'boolean',
      describe: 'After a failing run, keep the emulator running and print the address of its console',
    },
    strict: {
      type: 'boolean',
      describe: 'Exit with 1 if the command succeeds but there are findings of level error',
    },
  },
  example: '-- npm test',

  async run(args) {
    const [command, ...operands] = (args['--'] ?? []) as string[]
    if (command === undefined) {
      throw wrongUse('exec needs a command after --, as in: mockademy exec -- npm test')
    }
    const run = (settings: GivenSettings) => runOnce(command, operands, args, settings)
    const liberties = textFrom(args, 'liberties')
    if (!liberties) return (await run({})).status
    const seeds = seedsIn(liberties)
    const print = (text: string) => void process.stderr.write(`${text}\n`)
    const isRandom = liberties === 'random'
    const again = `Liberties by seed ${seeds[0]}; again: mockademy exec --liberties ${seeds[0]} -- ${[command, ...operands].map(shellQuoted).join(' ')}`
    if (isRandom) print(again)
    const status = await runSeeds(seeds, run, { bail: args.bail === true, why: args.why === true, print })
    if (isRandom) print(again)
    return status
  },
}

/** A word of a shell's command. */
const shellQuoted = (word: string) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Runs the command against an emulator of its own. @param settings stronger than all others. */
async function runOnce(
  command: string,
  operands: string[],
  args: Arguments,
  settings: GivenSettings,
): Promise<LibertyRun> {
  const options = await ownEmulatorOptions(args)
  const emulators = await startWorlds({ ...options, explicitSettings: { ...options.explicitSettings, ...settings } })
  try {
    const status = await runToEnd(command, operands, await environment(emulators[0] as Running, args))
    const result = args.strict && status === 0 ? strictStatus(emulators) : status
    if (result !== 0 && args.console) {
      process.stderr.write(
        `The run ended with ${result}. See why: ${emulators[0]?.url}/_console (Ctrl+C ends the emulator)\n`,
      )
      await stopSignal()
    }
    const touched = emulators.flatMap(({ world }) => [...world.liberties.firstTouched])
    return { status: result, touched: new Map(touched.reverse()) }
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()))
  }
}

/** Reports findings that are errors. @returns the exit status: 1 if there are any. control-api: "Findings" */
function strictStatus(emulators: Running[]): number {
  const errors = emulators.flatMap(({ world }) => world.findings.list()).filter(({ level }) => level === 'error')
  if (errors.length === 0) return 0
  process.stderr.write(`mockademy: the run broke rules of the platform:\n\n${findingsAsText(errors)}\n`)
  return 1
}

/** Returns the command's variables: those of the emulator, for the app that `--app` names. @throws CommandFailure 2 */
async function environment(emulator: Running, args: Arguments): Promise<NodeJS.ProcessEnv> {
  const name = textFrom(args, 'app')
  const app = name === undefined ? undefined : findApp(emulator.world, name)
  if (name !== undefined && !app) {
    const ids = Array.from(emulator.world.store.apps.all, ({ id }) => id)
    throw wrongUse(`--app "${name}": there is no such app; there are: ${ids.join(', ') || 'none'}`)
  }
  return childEnvironment(await environmentOf(emulator, app))
}

/** @returns the command's exit status, 128 and the signal's number when a signal ended it, as a shell would. */
async function runToEnd(command: string, operands: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // In a group of its own, what it leaves running can be ended with it; at a terminal it must stay in the foreground.
  const ownGroup = !process.stdin.isTTY && process.platform !== 'win32'
  const child = spawn(command, operands, { stdio: 'inherit', env, detached: ownGroup })
  const passOn = (signal: NodeJS.Signals) => {
    // The terminal has sent Ctrl+C to the command already.
    if (ownGroup || signal !== 'SIGINT') signalProcess(child, signal, ownGroup)
  }
  for (const signal of signals) process.on(signal, passOn)
  try {
    return await exitStatusOf(command, child)
  } finally {
    for (const signal of signals) process.off(signal, passOn)
    if (ownGroup) signalProcess(child, 'SIGTERM', ownGroup)
  }
}
