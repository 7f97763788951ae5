import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createCaller } from '../../control/client/caller.js'
import { readStream } from '../../control/client/event-stream.js'
import { textOfRecording } from '../../control/scenarios/scenario-file.js'
import { addressOf, controlFlags } from './address.js'
import type { Subcommand } from './command.js'
import { CommandFailure } from './command-failure.js'
import { configFlag } from './config.js'
import { stopSignal } from './stop-signal.js'

/** `mockademy scenario record FILE`. control-api: "Scenarios" */
export const scenarioRecordCommand: Subcommand = {
  line: 'record <file>',
  describe: 'Write control calls and requests from now until Ctrl+C down as a scenario',
  operands: { file: { type: 'string', describe: 'The file to write; it must not be there yet' } },
  flags: { url: controlFlags.url, 'admin-token': controlFlags['admin-token'], ...configFlag },
  example: 'sign-in.jsonc',
  calls: ['startRecording', 'stopRecording'],

  async run(args) {
    const file = String(args.file)
    if (existsSync(file)) throw new CommandFailure(2, `mockademy: ${file} is there already; name another file`)
    const { url, token } = await addressOf(args)
    const call = createCaller(url, token)
    await call('startRecording')
    await untilStopped(url, token, () => {
      process.stderr.write(`Recording ${url} (Ctrl+C ends this and writes ${file})\n`)
    })
    const recording = await call('stopRecording')
    const { scenario, left_out } = recording
    if (scenario.steps.length === 0) {
      throw new CommandFailure(
        1,
        `mockademy: nothing was recorded that a scenario could do again, so ${file} was not written`,
      )
    }
    await writeFile(file, textOfRecording(recording), { flag: 'wx' }).catch(({ message }: Error) => {
      throw new CommandFailure(2, `mockademy: ${file} cannot be written: ${message}`)
    })
    const left = left_out.length > 0 ? `, ${left_out.length} left out` : ''
    process.stdout.write(`${file}: ${scenario.steps.length} recorded${left}\n`)
    return 0
  },
}

/** @throws CommandFailure 1 when the emulator ends first: what it kept has gone with it. */
async function untilStopped(url: string, token: string | undefined, onOpen: () => void): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  void stopSignal().then(() => stopping.abort())
  const events = readStream(url, token, { signal }, onOpen)
  for (let event = await events.next(); !event.done; event = await events.next());
  if (!signal.aborted)
    throw new CommandFailure(1, `mockademy: the emulator at ${url} has gone, and the recording with it`)
}
