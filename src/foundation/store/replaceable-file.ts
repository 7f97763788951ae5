import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { unlessThrows } from '../schema/unless-throws.js'

/**
 * Returns the path that a rename may replace for a file that is to be written at `path`: the target of a link, or `path`.
 * Undefined where something else is, such as a device or a pipe: renaming would put a file in its place.
 */
export function replaceableFile(path: string): string | undefined {
  const there = statusOf(path)
  if (!there || there.isFile()) return path
  return statusOf(path, statSync)?.isFile() ? realpathSync.native(path) : undefined
}

/** Returns undefined also for a path that is too long or goes through a file: writing there says why it fails. */
const statusOf = (path: string, stat: (path: string) => Stats = lstatSync): Stats | undefined =>
  unlessThrows(() => stat(path))

/** Returns true for a file that no other can replace: it is mounted, or its folder takes no new file. */
export function isFixed(file: string): boolean {
  const there = statusOf(file, statSync)
  if (!there) return false
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch {
    return true
  }
  return statSync(dirname(file)).dev !== there.dev
}

/** Returns the path of the unfinished file that replaces `file`, in the same folder, so that it can be renamed. */
export const draftOf = (file: string): string => join(dirname(file), `.${basename(file)}.${process.pid}`)

/**
 * Replaces the file at `path` when the new one is complete, not before; writes directly into what is no file, such as a
 * pipe, and into a fixed one. A write that fails leaves nothing.
 * @param write writes the file's content to the path that it gets.
 */
export async function replaceFile(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const file = replaceableFile(path)
  if (file === undefined || isFixed(file)) return write(path)
  const draft = draftOf(file)
  try {
    const mode = statusOf(file, statSync)?.mode
    // Before the content, which may be secret.
    if (mode !== undefined) await writeFile(draft, '').then(() => chmod(draft, mode))
    await write(draft)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
