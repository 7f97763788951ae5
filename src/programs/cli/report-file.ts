import { writeFile } from 'node:fs/promises'
import { CommandFailure } from './command-failure.js'

/** Writes a report into the file that a flag names; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeReport(file: unknown, text: () => string): Promise<void> {
  if (file === undefined) return
  await writeFile(String(file), text()).catch(({ message }: Error) => {
    throw new CommandFailure(2, `mockademy: the report cannot be written: ${message}`)
  })
}
