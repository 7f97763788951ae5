import { writeFile } from 'node:fs/promises'
import { connect } from '../../../control/client/connect.js'
import { wrongUse } from './command-failure.js'

/** Writes a report into the file that a flag names; without the flag, does nothing. @throws CommandFailure 2 */
export async function writeReport(file: unknown, text: () => string): Promise<void> {
  if (file === undefined) return
  await writeFile(String(file), text()).catch(({ message }: Error) => {
    throw wrongUse(`the report cannot be written: ${message}`)
  })
}

/** Sends a report to the emulator, whose console shows the last one. */
export async function sendReport(
  kind: 'audit' | 'sweep',
  report: { app: string; passed: boolean },
  { url, token }: { url: string; token: string | undefined },
): Promise<void> {
  const body = JSON.parse(JSON.stringify(report)) as { app: string; passed: boolean }
  await connect(url, { adminToken: token })
    .putReport(kind, body)
    .catch(({ message }: Error) => {
      process.stderr.write(`mockademy: warning: the console cannot show the report: ${message}\n`)
    })
}
