import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lifeOf, type Owner, ownerIn, selfAs } from './owner.js'
import { StartError } from './start-error.js'

// How one process a store is kept, by whatever way the store is reached: a lock file beside it, whose owner touches it
// every second. A lock of the operating system would do on one machine, but Node has none, and a socket or an abstract
// name ends at the border of a container, which is where a volume is shared.
// - Where pids mean the same to both, a process is asked whether it runs, and nobody waits.
// - Elsewhere the lock is watched: when nobody touches it for a while, its owner is gone. What is compared are two
//   times of the same file, so no two clocks need to agree.
// - The owner `x` of a lock is succeeded by whoever creates `….lock.after-x`, which only one can; that file is then
//   renamed to be the lock. An owner that was only asleep finds out before it writes again.

/** How often an owner says that it is there, and how long it may be silent before it is taken to be gone, in ms. */
const BEAT = 1000
const SILENCE = 6000
const LOOK = 100

/** What a lock that cannot be read is taken for: of a kill while it was written. */
const UNREADABLE = 'unreadable'

/** The stores that this process has open. What a process holds is no one world's. */
const held = new Set<string>()

export interface StoreLock {
  /** Whether this process still has the store: not when it slept for so long that another one has taken it over. */
  isHeld(): boolean
  unlock(): void
  /** The process that had it and is gone, when its silence was waited for. */
  waitedFor: string | undefined
}

/** A lock as it stands. `touched` changes whenever its owner says that it is there. */
interface Found {
  id: string
  owner: Owner | undefined
  touched: string
}

/**
 * Locks a store against every other process. Takes at most 10 s, and that only when what was there is gone without
 * having unlocked it and cannot be asked.
 * @param file the store's file, by its real path.
 * @throws StartError when a living process has it, naming its pid.
 */
export async function lockStore(file: string): Promise<StoreLock> {
  const path = `${file}.lock`
  if (held.has(path)) throw inUse(file, selfAs(''))
  held.add(path)
  try {
    const self = selfAs(randomUUID())
    const waitedFor = await take(file, path, self)
    return keep(path, self, waitedFor)
  } catch (error) {
    held.delete(path)
    throw error
  }
}

async function take(file: string, path: string, self: Owner): Promise<string | undefined> {
  let waitedFor: string | undefined
  for (;;) {
    if (create(path, self)) break
    const first = read(path)
    const last = first && lastOf(path, first)
    if (!first || !last) continue
    const life = last.owner ? lifeOf(last.owner) : 'unknown'
    if (life === 'runs') throw inUse(file, last.owner)
    if (life === 'unknown') {
      const watched = await watch(path, last)
      if (watched === 'changed') continue
      if (watched === 'touched') throw inUse(file, last.owner)
      waitedFor = last.owner ? `process ${last.owner.pid} on ${last.owner.host}` : 'a process'
    }
    const succession = successorOf(path, last.id)
    if (!create(succession, self)) continue
    // Whoever else succeeded has become the lock before this could be created.
    if (read(path)?.id === first.id && moved(succession, path)) break
    rmSync(succession, { force: true })
  }
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.after-`)) rmSync(join(dirname(path), name), { force: true })
  }
  return waitedFor
}

/** Says every second that the owner is there. */
function keep(path: string, self: Owner, waitedFor: string | undefined): StoreLock {
  let isLost = false
  let beat = performance.now()
  const touch = () => {
    const found = read(path)
    // Somebody has removed it by hand.
    if (!found) tryTo(() => create(path, self))
    else if (found.id === self.id) tryTo(() => utimesSync(path, new Date(), new Date()))
    else isLost = true
    beat = performance.now()
  }
  const timer = setInterval(touch, BEAT)
  timer.unref()
  return {
    waitedFor,
    isHeld() {
      if (performance.now() - beat > SILENCE / 2) touch()
      return !isLost
    },
    unlock() {
      clearInterval(timer)
      held.delete(path)
      if (read(path)?.id === self.id) rmSync(path, { force: true })
    },
  }
}

const successorOf = (path: string, id: string) => `${path}.after-${id}`

/** The lock, or whoever is about to succeed its owner. */
function lastOf(path: string, first: Found): Found {
  let last = first
  for (
    let next = read(successorOf(path, last.id));
    next && next.id !== last.id;
    next = read(successorOf(path, last.id))
  ) {
    last = next
  }
  return last
}

/** Watches a lock: `changed` when it is unlocked or becomes another's, which must then be judged again. */
async function watch(path: string, found: Found): Promise<'touched' | 'changed' | 'silent'> {
  const began = performance.now()
  while (performance.now() - began < SILENCE) {
    await new Promise((resolve) => setTimeout(resolve, LOOK))
    const first = read(path)
    const now = first && lastOf(path, first)
    if (now?.id !== found.id) return 'changed'
    if (now.touched !== found.touched) return 'touched'
  }
  return 'silent'
}

/** False when the file exists. */
function create(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(owner)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Opened again each time: a network file system looks only then whether the file has changed. */
function read(path: string): Found | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const text = readFileSync(fd, 'utf8')
    const touched = `${fstatSync(fd).mtimeMs} ${text.length}`
    const owner = ownerIn(text)
    return { id: owner?.id ?? UNREADABLE, owner, touched }
  } finally {
    closeSync(fd)
  }
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** A beat that cannot be written is no reason to end: the next one may be, and a write that matters says so itself. */
function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // As above.
  }
}

function inUse(file: string, owner: Owner | undefined): StartError {
  const self = selfAs('')
  const where = owner && owner.pids_of !== self.pids_of ? ` on ${owner.host}, in another container or machine` : ''
  const who = owner ? `process ${owner.pid}${where}` : 'another process'
  return new StartError(2, `The store ${file} is in use by ${who}. Stop it, or choose another file with --store.`)
}
