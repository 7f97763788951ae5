import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { test as base } from './temporary-folder.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BIN = join(ROOT, 'bin', 'mockademy.js')

const READY = /ready at (\S+).*\n/

export interface Ended {
  /** Null when a signal ended it. */
  status: number | null
  signal: string | null
  stdout: string
  stderr: string
}

export interface Running {
  pid: number
  /** The address in the last line that says where it is ready. */
  url: string
  /** Its output so far. */
  stdout(): string
  /** Sends a signal. @returns how it ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

interface CallOptions {
  env?: Record<string, string>
  cwd?: string
  /** Script that replaces the package's command. */
  script?: string
}

interface CommandLine {
  /** Runs `mockademy …` to its end, in the folder of the test. */
  run: (args: string[], options?: CallOptions) => Promise<Ended>
  /** Starts `mockademy …` and waits until it says that it is ready. */
  start: (args: string[], options?: CallOptions) => Promise<Running>
  /** Starts `mockademy …` without waiting for anything. `shown` is its output so far. */
  launch: (
    args: string[],
    options?: CallOptions,
  ) => {
    child: ChildProcess
    shown: () => string
    ended: Promise<Ended>
  }
}

/** The command as a process of its own, with none of the variables of whoever runs the tests. */
export const test = base.extend<CommandLine>({
  launch: async ({ folder }, use) => {
    const children: ChildProcess[] = []
    await use((args, { env = {}, cwd = folder, script = BIN } = {}) => {
      const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...cleanEnvironment(folder), ...env } })
      children.push(child)
      const output = { stdout: '', stderr: '' }
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].on('data', (chunk) => {
          output[stream] += chunk
        })
      }
      const ended = once(child, 'close').then(([status, signal]) => ({ status, signal, ...output }))
      return { child, ended, shown: () => output.stdout }
    })
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    }
  },

  run: async ({ launch }, use) => {
    await use((args, options) => launch(args, options).ended)
  },

  start: async ({ launch }, use) => {
    await use(async (args, options) => {
      const { child, ended, shown } = launch(args, options)
      const early = ended.then(({ status, stderr }) => {
        throw new Error(`ended with status ${status}: ${stderr}`)
      })
      const text = await Promise.race([said(child, 'stdout', READY), early])
      return {
        pid: child.pid as number,
        url: READY.exec(text)?.[1] as string,
        stdout: shown,
        async stop(signal = 'SIGTERM') {
          child.kill(signal)
          return ended
        },
      }
    })
  },
})

type Run = (args: string[], folder: string, options?: CallOptions) => Promise<Ended>

/**
 * The same, with a `run` whose commands follow each other in one process, for commands that end by themselves: a fifth of
 * the processor time. What is about the process, such as signals, standard input and its end, is for `launch` and `start`.
 */
export const oneProcessTest = test.extend<{ host: Run } & Pick<CommandLine, 'run'>>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
    async ({}, use) => {
      const child = fork(fileURLToPath(new URL('command-host.cjs', import.meta.url)), { silent: true })
      const over = once(child, 'exit').then(() => Promise.reject(new Error('The host of the commands has ended')))
      let last: Promise<unknown> = once(child, 'spawn')
      await use((args, folder, { env = {}, cwd = folder } = {}) => {
        const next = last.then(async () => {
          const ended = Promise.all([once(child, 'message'), printed(child.stdout), printed(child.stderr)])
          child.send({ args, cwd, env: { ...cleanEnvironment(folder), ...env } })
          const [[status], stdout, stderr] = await Promise.race([ended, over])
          return { status, signal: null, stdout, stderr }
        })
        last = next
        return next
      })
      child.disconnect()
      await over.catch(() => {})
    },
    { scope: 'worker' },
  ],
  run: async ({ host, folder }, use) => {
    await use((args, options) => host(args, folder, options))
  },
})

/** Reads one command's output from its host. */
const printed = (stream: Readable | null) =>
  new Promise<string>((resolve) => {
    let text = ''
    stream?.setEncoding('utf8').on('data', function read(chunk) {
      text += chunk
      if (!text.endsWith('\u0004')) return
      stream.off('data', read)
      resolve(text.slice(0, -1))
    })
  })

/** Resolves with what a stream of a process has printed, as soon as that matches. */
export function said(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child[stream]?.on('data', (chunk) => {
      text += chunk
      if (pattern.test(text)) resolve(text)
    })
  })
}

export function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MOCKADEMY|PLATFORM|VITEST|NODE_OPTIONS)/.test(name))
  return { ...Object.fromEntries(own), XDG_DATA_HOME: join(folder, 'data') }
}
