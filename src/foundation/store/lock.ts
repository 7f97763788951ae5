import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { clearInterval, pause, performance, setInterval } from '../time/real-timers.js'
import { addAddress, createLock, type FoundLock, lockOf, readLock, renewLock } from './lock-file.js'
import { lifeOf, type Owner, selfAs, sharesPids } from './owner.js'
import { removeStagingFolders, StagingFolder } from './staging-folder.js'
import { StartError } from './start-error.js'
import { succeedsUnless } from './succeeds-unless.js'

// One process at a time may open a store. A lock file beside the store names its owner, which touches it every second.
// (An operating-system lock would do on one machine, but Node has none, and sockets and abstract names do not cross
// containers, which may share a volume.)
// - Processes of one pid namespace need not wait: the system says whether the owner runs.
// - Others watch the lock. An owner that has not touched it for `SILENCE` is gone. Two times of the same file are
//   compared, so clocks need not agree.
// - Only one process can create `….lock.after-x`. It succeeds the owner `x`, and renames that file to the lock.
// - A suspended owner that wakes cannot rename files (staging-folder.ts). The lines that it appends go to a file that its
//   successor has replaced, and it confirms none of them: it trusts a look at the lock for `LEASE`, and its successor
//   waits that long before reading.

/** The interval at which an owner touches its lock, and the silence after which it counts as gone, in ms. */
const BEAT = 1000
const SILENCE = 6000
const LOOK = 100
/** The time for which an owner relies on its last look at the lock, in ms. */
const LEASE = 1500

/** The stores that this process has open. What a process holds is no one world's. */
const held = new Set<string>()

/** The lock of a store that this process owns. */
export type StoreLock = ReturnType<typeof keep>

interface Succeeded {
  /** The process that had the store and is gone, when its silence was waited for. */
  waitedFor: string | undefined
  /** True when the owner before was silent, which need not mean that it is gone. */
  mayWake: boolean
}

/**
 * Locks a store, by its real path, against every other process. Takes up to 10 s after an owner that cannot be asked.
 * @param onBeat called with every look at the lock, at least once a second.
 * @throws StartError when a living process has it, naming its pid.
 */
export async function lockStore(file: string, onBeat: () => void = () => {}): Promise<StoreLock> {
  const path = lockOf(file)
  if (held.has(path)) throw inUse(file, readLock(path)?.owner ?? selfAs(''))
  held.add(path)
  try {
    const self = selfAs(randomUUID())
    let succeeded: Succeeded
    do {
      succeeded = await take(file, path, self)
      removeLeftovers(file, path)
      // The owner before may have unlocked, when it woke.
    } while (readLock(path)?.id !== self.id)
    const lock = keep(file, path, self, succeeded.waitedFor, onBeat)
    if (succeeded.mayWake) await pause(LEASE)
    return lock
  } catch (error) {
    held.delete(path)
    throw error
  }
}

async function take(file: string, path: string, self: Owner): Promise<Succeeded> {
  let waitedFor: string | undefined
  for (;;) {
    if (createLock(path, self)) return { waitedFor, mayWake: false }
    const first = readLock(path)
    const last = first && lastOf(path, first)
    if (!first || !last) continue
    const end = await endOf(file, path, last)
    if (end === 'changed') continue
    const isSilent = end === 'silent'
    if (isSilent) waitedFor = last.owner ? `process ${last.owner.pid} on ${last.owner.host}` : 'a process'
    const succession = successorOf(path, last.id)
    if (createLock(succession, self)) {
      // Another successor may have become the lock before this could be created.
      const isNext = readLock(path)?.id === first.id && succeedsUnless('ENOENT', () => renameSync(succession, path))
      if (isNext) return { waitedFor, mayWake: isSilent || last.id !== first.id }
      rmSync(succession, { force: true })
    } else if (isSilent && readLock(succession)?.id === last.id) {
      // Left by a kill in the middle of its writing, it would block every successor. A process that is still
      // writing it finds it gone when it renames it, and begins again.
      rmSync(succession, { force: true })
    }
  }
}

/** Tells how the last owner is known to have ended, or that there is another one. @throws StartError while it lives. */
async function endOf(file: string, path: string, last: FoundLock): Promise<'gone' | 'silent' | 'changed'> {
  const life = last.owner ? lifeOf(last.owner) : 'unknown'
  const end = life === 'unknown' ? await watch(path, last) : life
  if (end === 'runs' || end === 'touched') throw inUse(file, last.owner)
  return end
}

/** Removes the leftovers of earlier owners: staging folders, and files of their succession. */
function removeLeftovers(file: string, path: string): void {
  removeStagingFolders(file)
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(successorOf(basename(path), ''))) rmSync(join(dirname(path), name), { force: true })
  }
}

/** Renews the lock every second. */
function keep(file: string, path: string, self: Owner, waitedFor: string | undefined, onBeat: () => void) {
  let lost: string | undefined
  let confirmed = now()
  // Takes the time before it asks: that is the last moment for which the result is known to be true.
  const look = () => {
    const began = now()
    lost = renewLock(file, self.id)
    if (!lost) confirmed = began
    onBeat()
  }
  const timer = setInterval(look, BEAT)
  timer.unref()
  return {
    id: self.id,
    /** The process that had the store and is gone, when its silence was waited for. */
    waitedFor,
    /** Adds the owner's address to the lock, for the message to a process that finds the store in use. */
    answersAt: (url: string) => addAddress(file, self.id, url),
    /** Returns why this process no longer has the store: it slept so long that another took over, or the lock was deleted. */
    lost(): string | undefined {
      if (lost || isOver(confirmed, LEASE)) look()
      return lost
    },
    unlock() {
      clearInterval(timer)
      held.delete(path)
      removeLock(file, path, self.id)
    },
  }
}

/** The clock of a machine that was suspended may have stood still, or its date. */
const now = () => ({ date: Date.now(), running: performance.now() })

function isOver(since: ReturnType<typeof now>, ms: number): boolean {
  const { date, running } = now()
  return Math.max(date - since.date, running - since.running) > ms
}

/** Ignores failures: the lock is then another's, or will be found to be silent. */
function removeLock(file: string, path: string, id: string): void {
  try {
    using staging = new StagingFolder(file, id)
    staging.moveIn(path)
  } catch {
    // As described.
  }
}

const successorOf = (path: string, id: string) => `${path}.after-${id}`

/** Returns the lock, or that of the process that is about to succeed its owner. */
function lastOf(path: string, first: FoundLock): FoundLock {
  const seen = new Set<string>()
  let last = first
  for (;;) {
    seen.add(last.id)
    const next = readLock(successorOf(path, last.id))
    if (!next || seen.has(next.id)) return last
    last = next
  }
}

/** Watches a lock: `changed` when it is unlocked or becomes another's, which must then be checked again. */
async function watch(path: string, found: FoundLock): Promise<'touched' | 'changed' | 'silent'> {
  const began = performance.now()
  while (performance.now() - began < SILENCE) {
    await pause(LOOK)
    const first = readLock(path)
    const now = first && lastOf(path, first)
    if (now?.id !== found.id) return 'changed'
    if (now.touched !== found.touched) return 'touched'
  }
  return 'silent'
}

function inUse(file: string, owner: Owner | undefined): StartError {
  const where = owner && !sharesPids(owner) ? ` on ${owner.host}, in another container or machine` : ''
  const address = owner?.url === undefined ? '' : `, listening at ${owner.url}`
  const who = owner ? `process ${owner.pid}${where}${address}` : 'another process'
  const join = owner?.url === undefined ? '' : ` To use it: \`mockademy dev --url ${owner.url}\`.`
  return new StartError(
    2,
    `The store ${file} is in use by ${who}. Stop it, or choose another file with --store.${join}`,
  )
}
