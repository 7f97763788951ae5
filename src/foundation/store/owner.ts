import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { unlessThrows } from '../schema/unless-throws.js'

/** The owner of a store, as recorded in its lock file. */
export interface Owner {
  /** Another one for each opening, so that an owner differs from a later one with the same pid. */
  id: string
  pid: number
  host: string
  /** The scope of `pid`: a boot of a machine and a pid namespace. Two containers have two, and pid 1 in both. */
  pids_of?: string
  /** Start time of the process, by the system; null when unknown. */
  started: string | null
  /** Its address, once it listens: the second line of the lock file. */
  url?: string
}

/** Accepts only an address, since the content of a lock file is printed. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]+$/

/** Returns the owner that the text of a lock file names; undefined when it is not the text of one. */
export function ownerIn(text: string): Owner | undefined {
  const [first = '', second = ''] = text.split('\n')
  const { id = 'of-an-earlier-release', pid, host, pids_of, started } = objectIn(first)
  const { url } = objectIn(second)
  // It becomes part of a file's name.
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id) || !Number.isInteger(pid) || typeof host !== 'string')
    return undefined
  if (started !== null && typeof started !== 'string') return undefined
  if (pids_of !== undefined && typeof pids_of !== 'string') return undefined
  return {
    id,
    pid: pid as number,
    host,
    started,
    ...(pids_of !== undefined && { pids_of }),
    ...(typeof url === 'string' && ADDRESS.test(url) && { url }),
  }
}

const objectIn = (text: string): Record<string, unknown> => unlessThrows(() => Object(JSON.parse(text))) ?? {}

/** Returns this process as the owner of a store. */
export const selfAs = (id: string): Owner => ({
  id,
  pid: process.pid,
  host: hostname(),
  pids_of: pidsOf(),
  started: startOf(process.pid),
})

/** Returns true when the pid is that of a process here: of the same boot and pid namespace. */
export const sharesPids = ({ host, pids_of }: Owner): boolean =>
  // A lock of an earlier release says no more than the host.
  pids_of === undefined ? host === hostname() : pids_of === pidsOf()

/**
 * Returns what the pid tells of another process: that it runs, that it is gone (ended, a zombie that was
 * not reaped, or another process by now), or nothing, as of one in another container.
 */
export function lifeOf(owner: Owner): 'runs' | 'gone' | 'unknown' {
  const { pid, started } = owner
  if (!sharesPids(owner)) return 'unknown'
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone'
  }
  // It may be an emulator of another thread of this process, and only it can tell.
  if (pid === process.pid) return started === startOf(pid) ? 'unknown' : 'gone'
  const stat = process.platform === 'linux' ? statOf(pid) : undefined
  if (stat && /^[ZX]/.test(stat.state)) return 'gone'
  const now = startOf(pid)
  if (now === null || started === null) return 'unknown'
  return now === started ? 'runs' : 'gone'
}

function pidsOf(): string {
  try {
    // A proc file system of another namespace shows other pids; then they mean nothing here.
    const isOwn = statOf('self')?.pid === String(process.pid)
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}${isOwn ? '' : ` ${process.pid} of another /proc`}`
  } catch {
    return `${process.platform} ${hostname()}`
  }
}

/** Returns when a process started, in the system's form, the same in every time zone and language; null when unknown. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') return statOf(pid)?.started ?? null
  const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' }
  const args = ['-o', 'lstart=', '-p', String(pid)]
  return unlessThrows(() => execFileSync('ps', args, { encoding: 'utf8', env }).trim()) || null
}

function statOf(pid: number | 'self'): { pid: string; state: string; started: string } | undefined {
  const stat = unlessThrows(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The second field, the command, may itself hold blanks and parentheses. The start is the 22nd.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid: stat.slice(0, stat.indexOf(' ')), state, started: rest[18] ?? '' }
}
