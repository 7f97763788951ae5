import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { environmentNames } from '../../../control/start/environment-variables.js'
import { unlessThrows } from '../../../foundation/schema/unless-throws.js'
import { CommandFailure } from '../command/command.js'
import { stopSignals } from './stop-signal.js'

/** The hosts of this machine, which no proxy reaches. */
const THIS_MACHINE = 'localhost,127.0.0.1,::1'

/**
 * Returns this process's variables with an emulator's in place of older ones. Where they name a proxy, they also say that
 * the emulator is called without it. control-api: "CLI"
 */
export function childEnvironment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PLATFORM_') || !environmentNames.includes(name),
  )
  const { NO_PROXY, no_proxy = NO_PROXY } = process.env
  const direct = [no_proxy, THIS_MACHINE].filter(Boolean).join(',')
  const hasProxy = own.some(([name]) => /^(https?|all)_proxy$/i.test(name))
  return { ...Object.fromEntries(own), ...(hasProxy && { NO_PROXY: direct, no_proxy: direct }), ...variables }
}

/** Sends a signal to a process, or to the whole group that it leads; 0 sends none. @returns false when it is gone, or another user's. */
export const signalProcess = ({ pid }: { pid?: number | undefined }, signal: NodeJS.Signals | 0, group = false) =>
  pid !== undefined && unlessThrows(() => process.kill(group ? -pid : pid, signal)) === true

/** Resolves with the exit status of a process as a shell gives it. @throws CommandFailure 127 or 126 */
export const exitStatusOf = (command: string, child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(cannotRun(command, error)))
    child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal as NodeJS.Signals]))
  })

/**
 * Runs a command in the foreground, and passes signals on to it.
 * @returns the command's exit status, 128 and the signal's number when a signal ended it, as a shell would; and true if
 * this process was asked to end.
 */
export async function runToEnd([command = '', ...operands]: string[], env: NodeJS.ProcessEnv) {
  // In a group of its own, everything that it starts can be ended with it. At a terminal, it must stay in the foreground.
  const ownGroup = !process.stdin.isTTY && process.platform !== 'win32'
  let isInterrupted = false
  const passOn = (signal: NodeJS.Signals) => {
    isInterrupted = true
    // The terminal has sent Ctrl+C to the command already.
    if (ownGroup || signal !== 'SIGINT') signalProcess(child, signal, ownGroup)
  }
  // Registered first: a signal sent as soon as the command runs would end this process alone.
  for (const signal of stopSignals) process.on(signal, passOn)
  const child = spawn(command, operands, { stdio: 'inherit', env, detached: ownGroup })
  try {
    const status = await exitStatusOf(command, child)
    return { status, isInterrupted }
  } finally {
    for (const signal of stopSignals) process.off(signal, passOn)
    if (ownGroup) signalProcess(child, 'SIGTERM', ownGroup)
  }
}

function cannotRun(command: string, { code, message }: NodeJS.ErrnoException): CommandFailure {
  const name = JSON.stringify(command)
  const quoted = /^[^/\\ ]+ /.test(command) ? `; write it without quotes: -- ${command}` : ''
  if (code === 'ENOENT') return new CommandFailure(127, `command not found: ${name}${quoted}`)
  if (code !== 'EACCES') return new CommandFailure(126, `${name} cannot be run: ${message}`)
  return new CommandFailure(126, `${name} is not executable: run chmod +x, or put its interpreter before it`)
}
