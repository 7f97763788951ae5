import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The folder of the package, wherever this file was bundled to. */
export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Timeout for the first response or the end of a process, in milliseconds. */
const PATIENCE = 120_000

export interface ServerProcess {
  url: string
  pid: number
  /** From the start of the process to its first 200, in milliseconds. */
  firstAnswer: number
  /** Ends it and waits for that. @param signal SIGTERM when left out */
  stop(signal?: NodeJS.Signals): Promise<void>
}

interface Launch {
  /** Arguments of `node`, the script first. */
  args: string[]
  cwd?: string
  /** For servers that do not say where they are ready: the port they were told. */
  port?: number
  /** Path that returns 200 when ready. */
  health?: string
}

/**
 * Starts a server and waits for its first 200 over a connection of its own.
 * @throws Error with what it wrote to standard error, when it ends or stays silent.
 */
export async function startServer({ args, cwd, port, health = '/healthz' }: Launch): Promise<ServerProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment() })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-4000)
  })
  const url = port === undefined ? await readyLine(child, () => complaint) : `http://127.0.0.1:${port}`
  if (port !== undefined) child.stdout.resume()
  while (!(await answers(url + health))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}: ${complaint}`)
    if (performance.now() - began > PATIENCE) throw new Error(`${args[0]} never answered at ${url}${health}`)
    await pause(1)
  }
  return {
    url,
    pid: child.pid as number,
    firstAnswer: performance.now() - began,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      const forced = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await exited
      clearTimeout(forced)
    },
  }
}

/** Nothing outlives the run, however it ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

function readyLine(child: ChildProcess, complaint: () => string): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000)
      const ready = /ready at (http\S+)/.exec(said)
      if (ready) resolve(ready[1] as string)
    })
    child.once('exit', (status) => reject(new Error(`The server ended with ${status}: ${complaint() || said}`)))
  })
}

/** Returns true if a GET over a new connection returns 200. */
const answers = (url: string) =>
  new Promise<boolean>((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false))
  })

/** A port that is free now, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The most memory that a process has held so far, in MB; undefined where the system does not say. */
export function peakMemory(pid: number): number | undefined {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return undefined
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))
  return peak ? Number(peak[1]) / 1024 : undefined
}

/** This environment without what would change how a server starts. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(MOCKADEMY|PLATFORM|VITEST|NODE_OPTIONS|PORT$)/.test(name)),
  )
}

function findRoot(folder: string): string {
  const file = join(folder, 'package.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'mockademy') return folder
  if (dirname(folder) === folder) throw new Error('The package mockademy is not above this file.')
  return findRoot(dirname(folder))
}
