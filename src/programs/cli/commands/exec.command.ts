import spawn from 'cross-spawn'
import { environmentOf } from '../../../control/start/environment.js'
import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { findApp } from '../../../platform/apps/manifest.js'
import { appFlag } from '../parts/app-flag.js'
import { childEnvironment, exitStatusOf, signalProcess } from '../parts/child-process.js'
import { type Arguments, type Command, textFrom } from '../parts/command.js'
import { wrongUse } from '../parts/command-failure.js'
import { configFlag } from '../parts/config.js'
import { fixtureFlags, ownEmulatorOptions } from '../parts/own-emulator.js'
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
    const emulators = await startWorlds(await ownEmulatorOptions(args))
    try {
      const status = await runToEnd(command, operands, await environment(emulators[0] as Running, args))
      const result = args.strict && status === 0 ? strictStatus(emulators) : status
      if (result !== 0 && args.console) {
        process.stderr.write(
          `The run ended with ${result}. See why: ${emulators[0]?.url}/_console (Ctrl+C ends the emulator)\n`,
        )
        await stopSignal()
      }
      return result
    } finally {
      await Promise.all(emulators.map((emulator) => emulator.close()))
    }
  },
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
