import { startEmulator } from '../start/start-emulator.js'
import type { Command } from './command.js'

/** `mockademy validate FILE…`: several files are checked as they would be loaded, together. fixtures: "Checked whole" */
export const validate: Command = {
  flags: {},
  operands: { file: { type: 'string', array: true, describe: 'Fixture files' } },

  async run(args) {
    const files = args.file as string[]
    // To load them is to check them; nothing is kept, called or served beyond this moment.
    const emulator = await startEmulator({ fixtures: files, announce: false, port: 0, store: 'memory', https: false })
    await emulator.close()
    process.stdout.write(`${files.join(', ')}: valid\n`)
    return 0
  },
}
