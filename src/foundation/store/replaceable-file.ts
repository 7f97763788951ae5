import { lstatSync, realpathSync, statSync } from 'node:fs'

/**
 * Returns the path that a rename may replace for a file that is to be written at `path`: the target of a link, or `path`.
 * Undefined where something else is, such as a device or a pipe: renaming would put a file in its place.
 */
export function replaceableFile(path: string): string | undefined {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there || there.isFile()) return path
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? realpathSync.native(path) : undefined
}
