import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { draftOf, isFixed, replaceableFile, replaceFile } from '../../../foundation/store/replaceable-file.js'
import { type Arguments, wrongUse } from '../command/command.js'

/** Writes a text into the file that a flag names, and makes its folder; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeText(file: unknown, text: () => string): Promise<void> {
  if (file === undefined) return
  const path = String(file)
  await makeFolderOf(path)
  const writing = replaceFile(path, (draft) => writeFile(draft, text()))
  await mustWrite(path, writing)
}

/**
 * Makes the folder of a file that is written once a command of minutes has ended, and tries to write there.
 * @throws CommandFailure 2 if it cannot be written.
 */
export async function mustBeWritable(path: string): Promise<void> {
  await makeFolderOf(path)
  const file = replaceableFile(path)
  if (file === undefined || isFixed(file)) return
  const draft = draftOf(file)
  const trying = writeFile(draft, '').then(() => rm(draft))
  await mustWrite(path, trying)
}

/**
 * Does the same for the file of each flag that is set, and rejects one that another flag or the command itself names.
 * @param read the files that the command reads, by their names in a message.
 */
export async function mustBeSeparate(args: Arguments, flags: string[], read: Record<string, unknown> = {}) {
  const names = new Map<string, string>()
  for (const [name, file] of [...Object.entries(read), ...flags.map((flag) => [`--${flag}`, args[flag]] as const)]) {
    const path = typeof file === 'string' ? replaceableFile(file) : undefined
    const other = path && names.get(resolve(path))
    if (other) throw wrongUse(`${other} and ${name} name the same file, ${file}: name another one`)
    if (path) names.set(resolve(path), name)
  }
  for (const flag of flags) if (args[flag] !== undefined) await mustBeWritable(String(args[flag]))
}

/** Makes the folder of a file. @throws CommandFailure 2 if it cannot be made, or the file is a folder itself. */
export async function makeFolderOf(file: string): Promise<void> {
  const folder = dirname(file)
  const making = mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? wrongUse(`${file} cannot be written: ${folder} is not a folder`) : error
  })
  await mustWrite(file, making)
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw wrongUse(`${file} cannot be written: it is a folder`)
}

/** Returns the result of a write. @throws CommandFailure 2 that names what the system cannot write; other errors as they are. */
export function mustWrite<T>(file: string, write: Promise<T>): Promise<T> {
  return write.catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? error : wrongUse(`${file} cannot be written: ${error.message}`)
  })
}
