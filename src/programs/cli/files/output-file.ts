import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftOf, isFixed, replaceableFile, replaceFile } from '../../../foundation/store/replaceable-file.js'
import { wrongUse } from '../command/command.js'

/** Writes a text into the file that a flag names, and makes its folder; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeText(file: unknown, text: () => string): Promise<void> {
  if (file === undefined) return
  const path = String(file)
  await makeFolderOf(path)
  await mustWrite(
    path,
    replaceFile(path, (draft) => writeFile(draft, text())),
  )
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
  await mustWrite(
    path,
    writeFile(draft, '').then(() => rm(draft)),
  )
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
