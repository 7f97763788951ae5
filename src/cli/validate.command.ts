import { checkFixtures } from '../emulator.js'
import type { Command } from './command.js'

/** `mockademy validate FILE…`: several files are checked as they would be loaded, together. fixtures: "Checked whole" */
export const validate: Command = {
  flags: {},
  operands: { file: { type: 'string', array: true, describe: 'Fixture files' } },

  async run(args) {
    const files = args.file as string[]
    await checkFixtures(files)
    process.stdout.write(`${files.join(', ')}: valid\n`)
    return 0
  },
}
