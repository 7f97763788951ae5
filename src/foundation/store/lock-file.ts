import { closeSync, fstatSync, futimesSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { type Owner, ownerIn } from './owner.js'
import { succeedsUnless } from './succeeds-unless.js'

/** The owner of a lock that cannot be read, because a kill interrupted its writing. */
const UNREADABLE = 'unreadable'

/** A lock that was read. `touched` changes whenever its owner renews it. */
export interface FoundLock {
  id: string
  owner: Owner | undefined
  touched: string
}

export const lockOf = (file: string) => `${file}.lock`

/** Returns false when the file, or a link of that name, exists. */
export const createLock = (path: string, owner: Owner): boolean =>
  succeedsUnless('EEXIST', () => writeFileSync(path, `${JSON.stringify(owner)}\n`, { flag: 'wx' }))

export const readLock = (path: string): FoundLock | undefined => withOpenFile(path, 'r', lockIn)

/** Renews a store's lock. @returns why `id` no longer owns it; undefined while it does. */
export function renewLock(file: string, id: string): string | undefined {
  try {
    const found = withOpenFile(lockOf(file), 'r+', (fd) => {
      const lock = lockIn(fd)
      // By its descriptor: the name may be another owner's by now.
      if (lock.id === id) futimesSync(fd, new Date(), new Date())
      return lock
    })
    if (!found) return `its lock ${lockOf(file)} was deleted while the emulator was running`
    if (found.id === id) return undefined
    return `another process has taken over ${file}: this one was suspended for too long`
  } catch (error) {
    return `its lock cannot be read: ${(error as Error).message}`
  }
}

/** Adds the address of a store's owner `id` to its lock, unless the lock is another's by now. */
export function addAddress(file: string, id: string, url: string): void {
  withOpenFile(lockOf(file), 'r+', (fd) => {
    if (lockIn(fd).id === id) writeSync(fd, `${JSON.stringify({ url })}\n`)
  })
}

function lockIn(fd: number): FoundLock {
  const text = readFileSync(fd, 'utf8')
  const owner = ownerIn(text)
  return { id: owner?.id ?? UNREADABLE, owner, touched: `${fstatSync(fd).mtimeMs} ${text.length}` }
}

/** Opened again each time: a network file system looks only then whether the file has changed. */
function withOpenFile<T>(path: string, flags: string, use: (fd: number) => T): T | undefined {
  let fd: number
  try {
    fd = openSync(path, flags)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}
