import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { exitStatusOf, signalProcess } from '../processes/child-process.js'

/** Real milliseconds that a command has to end after SIGTERM, and between two looks at whether it has. */
const TERM_TIMEOUT = 2000
const POLL_INTERVAL = 20

export type AppProcess = ReturnType<typeof startProcess>

/**
 * Starts a command in a process group of its own, so that its children can be ended with it.
 * @param mark begins each line of its output that goes to a terminal; undefined: output is passed on as it is.
 */
export function startProcess(words: string[], env: NodeJS.ProcessEnv, mark: string | undefined) {
  const [command = '', ...operands] = words
  const isWindows = process.platform === 'win32'
  const marked = (stream: NodeJS.WriteStream) => mark !== undefined && stream.isTTY
  const outputs = [process.stdout, process.stderr].map((stream) => (marked(stream) ? 'pipe' : 'inherit'))
  const child = spawn(command, operands, {
    // The keys are those of `dev`.
    stdio: ['ignore', ...(outputs as ('pipe' | 'inherit')[])],
    env: { ...(outputs.includes('pipe') && asOnTerminal(env)), ...env },
    detached: !isWindows,
  })
  const printed = [
    child.stdout && printLines(child.stdout, process.stdout, mark),
    child.stderr && printLines(child.stderr, process.stderr, mark),
  ]
  const ended = exitStatusOf(command, child)
  // The caller may wait for something else first.
  ended.catch(() => {})
  return {
    /** Resolves with its exit status when it has ended. @throws CommandFailure 127 or 126 */
    ended,
    /** Ends it and everything that it has started, and resolves when they are gone and their output is printed. */
    async end(): Promise<void> {
      if (isWindows) {
        if (child.exitCode === null) spawn.sync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
      } else if (signalProcess(child, 'SIGTERM', true)) {
        const deadline = performance.now() + TERM_TIMEOUT
        while (signalProcess(child, 0, true) && performance.now() < deadline) await pause(POLL_INTERVAL)
        signalProcess(child, 'SIGKILL', true)
      }
      await Promise.race([Promise.all(printed), pause(POLL_INTERVAL * 10)])
    },
  }
}

/** Returns variables that ask a program which writes to a pipe for colors, unless the user wants none, and for each line. */
const asOnTerminal = ({ NO_COLOR, TERM }: NodeJS.ProcessEnv) => ({
  ...(!NO_COLOR && TERM !== 'dumb' && { FORCE_COLOR: '1' }),
  PYTHONUNBUFFERED: '1',
})

/** Sequences that clear a terminal, as watchers write at each restart: they would wipe what is said of the app. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape character begins each of them
const CLEARING = /\u001b(?:\[[23]?J|\[(?:1;1)?H|c)/g

const printLines = (output: Readable, stream: NodeJS.WriteStream, mark = '') =>
  new Promise<void>((resolve) => {
    createInterface({ input: output })
      .on('line', (line) => stream.write(`${mark}${line.replace(CLEARING, '')}\n`))
      .once('close', resolve)
  })
