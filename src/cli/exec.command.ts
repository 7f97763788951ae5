import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Emulator } from '../start/start-emulator.js'
import { startWorlds } from '../start/start-worlds.js'
import { extraAuthorities } from '../tls/authority.js'
import type { Command } from './command.js'
import { CommandFailure } from './command-failure.js'
import { fixtureFlags, fixturesGiven } from './fixture-files.js'
import { settingFlags, settingsFromFlags, settingsFromVariables } from './setting-flags.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `mockademy exec -- CMD`. control-api: "CLI" */
export const exec: Command = {
  flags: {
    ...fixtureFlags,
    ...settingFlags,
  },

  async run(args) {
    const [command, ...operands] = (args['--'] ?? []) as string[]
    if (command === undefined) {
      throw new CommandFailure(2, 'mockademy: exec needs a command after --, as in: mockademy exec -- npm test')
    }
    const given = { ...settingsFromVariables(process.env), ...settingsFromFlags(args) }
    const emulators = await startWorlds({
      ...given,
      fixtures: fixturesGiven(args),
    })
    try {
      return await runToEnd(command, operands, { ...process.env, ...(await addresses(emulators[0] as Emulator)) })
    } finally {
      await Promise.all(emulators.map((emulator) => emulator.close()))
    }
  },
}

/** Where the emulator is and whom one can be there; a variable with nothing to hold is taken out. control-api: "CLI" */
async function addresses({ url, baseUrl, appUrl, world }: Emulator): Promise<NodeJS.ProcessEnv> {
  const organization = world.store.organizations.all.at(0)
  const app = world.store.apps.all.at(0)
  return {
    MOCKADEMY_URL: url,
    PLATFORM_BASE_URL: baseUrl,
    PLATFORM_APP_URL: appUrl,
    PLATFORM_API_KEY: organization?.api_key ?? undefined,
    PLATFORM_CLIENT_ID: app?.client_id,
    PLATFORM_CLIENT_SECRET: app?.client_secret,
    PLATFORM_SIGNING_SECRET: app?.signing_secret,
    ...(url.startsWith('https:') && { NODE_EXTRA_CA_CERTS: await extraAuthorities(process.env.NODE_EXTRA_CA_CERTS) }),
  }
}

/** @returns the command's exit status, 128 and the signal's number when a signal ended it, as a shell would. */
async function runToEnd(command: string, operands: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // In a group of its own, what it leaves running can be ended with it; at a terminal it must stay in the foreground.
  const ownGroup = !process.stdin.isTTY && process.platform !== 'win32'
  const child = spawn(command, operands, { stdio: 'inherit', env, detached: ownGroup })
  const passOn = (signal: NodeJS.Signals) => {
    // The terminal has sent Ctrl+C to the command already.
    if (ownGroup || signal !== 'SIGINT') endGroup(child, signal, ownGroup)
  }
  for (const signal of signals) process.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(cannotRun(command, error)))
      child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal as NodeJS.Signals]))
    })
  } finally {
    for (const signal of signals) process.off(signal, passOn)
    if (ownGroup) endGroup(child, 'SIGTERM', ownGroup)
  }
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return
  try {
    process.kill(group ? -child.pid : child.pid, signal)
  } catch {
    // Nothing of it is left.
  }
}

/** A shell's statuses: 127 for a command that is not there, 126 for one that cannot be run. */
const cannotRun = (command: string, { code, message }: NodeJS.ErrnoException) =>
  code === 'ENOENT'
    ? new CommandFailure(127, `mockademy: there is no command ${JSON.stringify(command)}`)
    : new CommandFailure(126, `mockademy: ${JSON.stringify(command)} cannot be run: ${message}`)
