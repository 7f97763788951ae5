import { writeFile } from 'node:fs/promises'
import { wrongUse } from './command.js'

/** Writes a report into the file that a flag names; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeReport(file: unknown, text: () => string): Promise<void> {
  if (file === undefined) return
  await writeFile(String(file), text()).catch(({ message }: Error) => {
    throw wrongUse(`the report cannot be written: ${message}`)
  })
}
