import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, renameSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** As many as Linux follows. */
const MOST_LINKS = 40

/**
 * The real path of a store's file, whose folder is made when it is not there. Whoever comes by a symbolic link gets the
 * same path, so that the same lock holds and nothing replaces the link by a file.
 * @throws the system's error for a folder that cannot be made or reached.
 */
export function realFile(file: string): string {
  let path = resolve(file)
  for (let links = 0; links < MOST_LINKS; links++) {
    makeFolder(dirname(path))
    path = join(realpathSync.native(dirname(path)), basename(path))
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (!isLink) return existsSync(path) ? realpathSync.native(path) : path
    path = resolve(dirname(path), readlinkSync(path))
  }
  throw new Error(`${file}: too many symbolic links`)
}

/** Node's own recursive one tries for ever where a folder can never be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Keeps the present files beside the new ones, under the first free name `….old-1`, `….old-2`, … */
export function setAside(file: string): void {
  if (!existsSync(file) && !existsSync(`${file}.journal`)) return
  let number = 1
  while (existsSync(`${file}.old-${number}`) || existsSync(`${file}.old-${number}.journal`)) number++
  const old = `${file}.old-${number}`
  if (existsSync(file)) renameSync(file, old)
  if (existsSync(`${file}.journal`)) renameSync(`${file}.journal`, `${old}.journal`)
}
