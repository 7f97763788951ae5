import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'
import { StartRefusal } from './start-refusal.js'

const lockDocument = z.object({ pid: z.int(), host: z.string(), started: z.string().nullable() })

/**
 * The stores that this process has open. A lock file cannot tell one emulator from another in its own process (a lock
 * with its own pid is stale: in a container the pid is always 1), and what a process holds is no one world's.
 */
const held = new Set<string>()

/**
 * Locks a store against a second process.
 * @returns what unlocks it.
 * @throws StartRefusal when a living process has it, naming the pid.
 */
export function lockStore(file: string): () => void {
  const path = `${file}.lock`
  const inUse = (pid: number) =>
    new StartRefusal(2, `The store ${file} is in use by process ${pid}. Stop it, or choose another file with --store.`)
  if (held.has(path)) throw inUse(process.pid)

  const content = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) })
  for (;;) {
    try {
      writeFileSync(path, `${content}\n`, { flag: 'wx' })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readLock(path)
    if (holder && isAlive(holder)) throw inUse(holder.pid)
    rmSync(path, { force: true })
  }
  held.add(path)
  return () => {
    held.delete(path)
    rmSync(path, { force: true })
  }
}

function readLock(path: string): z.output<typeof lockDocument> | undefined {
  try {
    return lockDocument.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    // Gone meanwhile, or torn by a kill while it was written: nobody holds it.
    return undefined
  }
}

/** Stale when the pid is gone, is this process's own, or started at another time. design: "The store" */
function isAlive({ pid, started }: z.output<typeof lockDocument>): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const actual = startOf(pid)
  return started === null || actual === null || actual === started
}

/** When a process started, in whatever form the system tells; null when it does not. */
function startOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      // The 22nd field; the second one, the command, may itself hold blanks and parentheses.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}
