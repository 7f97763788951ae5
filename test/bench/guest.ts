import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Calls to a program that runs inside its caller's process, with their results. */
export interface GuestCalls {
  /** Starts it, keeps it running, and gives its address. */
  open: { parameters: []; result: string }
  /** Starts and closes it that many times. @returns the median of the starts, in milliseconds. */
  starts: { parameters: [times: number]; result: number }
  /** Starts it, has it answer one request, and closes it, that many times. */
  cycles: { parameters: [times: number]; result: null }
  /** Makes a change and takes it back, that many times. @returns the median of the resets, in milliseconds. */
  resets: { parameters: [times: number]; result: number }
  /** After a full garbage collection: the heap and all memory in KB, and what keeps the process alive. */
  memory: { parameters: []; result: { heap: number; rss: number; handles: string[] } }
  close: { parameters: []; result: null }
}

export interface GuestOptions {
  program: 'mockademy' | 'emulate' | 'oauth2-mock-server'
  /** The module to import, as a URL. */
  entry: string
  /** For mockademy: what `startEmulator` is given. */
  options?: Record<string, unknown>
}

export interface Guest {
  call: <C extends keyof GuestCalls>(
    name: C,
    ...parameters: GuestCalls[C]['parameters']
  ) => Promise<GuestCalls[C]['result']>
  stop: () => Promise<void>
}

/** Starts a process of its own that imports the program, with a garbage collector that can be called. */
export async function startGuest(options: GuestOptions): Promise<Guest> {
  const script = fileURLToPath(new URL('./in-process.js', import.meta.url))
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (name: string, parameters: unknown[]) => {
    child.send({ name, parameters })
    const { result, error } = await answerOf(child)
    if (error !== undefined) throw new Error(`${options.program}: ${error}`)
    return result
  }
  return {
    call: (name, ...parameters) => {
      const answer = last.then(() => ask(name, parameters))
      last = answer.catch(() => undefined)
      return answer as Promise<never>
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

const answerOf = (child: ChildProcess) =>
  new Promise<{ result?: unknown; error?: string }>((resolve, reject) => {
    const ended = () => reject(new Error('The process ended before it answered.'))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.removeListener('exit', ended)
      resolve(message as { result?: unknown; error?: string })
    })
  })
