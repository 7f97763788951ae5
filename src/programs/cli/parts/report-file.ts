import { writeFile } from 'node:fs/promises'
import { wrongUse } from './command.js'

/** Writes a report into the file that a flag names; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeReport(file: unknown, text: () => string, what = 'the report'): Promise<void> {
  if (file === undefined) return
  await mustWrite(what, writeFile(String(file), text()))
}

/** Returns the result of a write. @throws CommandFailure 2 that names what the system cannot write; other errors as they are. */
export function mustWrite<T>(what: string, write: Promise<T>): Promise<T> {
  return write.catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? error : wrongUse(`${what} cannot be written: ${error.message}`)
  })
}
