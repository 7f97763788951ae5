import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { lockOf } from './lock-file.js'
import { StartError } from './start-error.js'
import { succeedsUnless } from './succeeds-unless.js'

/** The number that Linux follows. */
const MAX_LINKS = 40

/**
 * The real path of a store's file, whose folder is made when it is not there. A symbolic link leads to the
 * same path, so that the same lock holds and nothing replaces the link by a file.
 * @param within a folder that links may not lead out of: when the store was not named, a link in a folder that was
 * checked out is not to say where secrets are written.
 * @throws the system's error for a folder that cannot be made or reached.
 * @throws StartError for what is not a regular file, and when a link leads out of `within`, or is in the place of the lock
 * or journal, which have one name.
 */
export function realFile(file: string, within?: string): string {
  // Not where the path itself says that it leads out.
  const isConfined = within !== undefined && isInside(resolve(within), resolve(file))
  const root = isConfined ? realpathSync.native(within) : undefined
  const confirm = (real: string) => {
    if (root === undefined || isInside(root, real)) return
    const why = `a symbolic link on its path leads out of this folder, to ${real}`
    throw new StartError(2, `The store ${file} is refused: ${why}. Remove the link, or name the store with --store.`)
  }
  let path = resolve(file)
  for (let links = 0; links < MAX_LINKS; links++) {
    const folder = realFolder(dirname(path), confirm)
    path = join(folder, basename(path))
    const there = lstatSync(path, { throwIfNoEntry: false })
    if (there?.isDirectory()) throw new StartError(2, `The store ${file} is a folder; name a file in it`)
    if (!there?.isSymbolicLink()) {
      for (const part of [path, lockOf(path), `${path}.journal`]) refuseUnlessFile(file, part)
      return existsSync(path) ? realpathSync.native(path) : path
    }
    path = resolve(dirname(path), readlinkSync(path))
  }
  throw new Error(`${file}: too many symbolic links`)
}

/**
 * Makes a folder when it is not there; each that is there already must be allowed. Node's own recursive one tries for
 * ever where a folder can never be made, as below /proc.
 */
function realFolder(folder: string, confirm: (real: string) => void): string {
  if (!existsSync(folder)) {
    realFolder(dirname(folder), confirm)
    // Another process may have made it meanwhile.
    const isNew = succeedsUnless('EEXIST', () => mkdirSync(folder))
    // The folder holds secrets and belongs to one machine. dev: "What `init` writes"
    if (isNew && basename(folder) === '.mockademy') writeFileSync(join(folder, '.gitignore'), '*\n')
  }
  const real = realpathSync.native(folder)
  confirm(real)
  return real
}

/** Returns true for the folder itself and for everything below it; both paths absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  // It is absolute for another drive.
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

/** Opening a pipe would wait for ever. */
function refuseUnlessFile(file: string, part: string): void {
  const there = lstatSync(part, { throwIfNoEntry: false })
  if (!there || there.isFile()) return
  const what = there.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'
  throw new StartError(2, `The store ${file} is refused: ${part} is ${what}. Remove it.`)
}

/**
 * Keeps copies of the present files, under the first free name `….old-1`, `….old-2`, … They are copied and not
 * renamed, since an owner that sleeps in between would rename its successor's.
 */
export function setAside(file: string): void {
  const isTaken = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  let number = 1
  while (isTaken(`${file}.old-${number}`) || isTaken(`${file}.old-${number}.journal`)) number++
  const old = `${file}.old-${number}`
  if (existsSync(file)) copyFileSync(file, old, constants.COPYFILE_EXCL)
  if (existsSync(`${file}.journal`)) copyFileSync(`${file}.journal`, `${old}.journal`, constants.COPYFILE_EXCL)
}
