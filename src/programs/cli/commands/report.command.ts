import { createCaller } from '../../../control/client/caller.js'
import { writeRunReport } from '../../../control/run-report/write-report.js'
import { type Command, flag, textFrom } from '../command/command.js'
import { mustWrite } from '../files/output-file.js'
import { addressFlags, addressOf } from '../flags/address.js'
import { REPORT_FILE } from './run-report.js'

/** `mockademy report [FILE]`: of a running emulator, since its last reset. coverage: "The run report" */
export const reportCommand: Command = {
  operands: { file: { type: 'string', describe: `HTML file to write; default: ${REPORT_FILE}` } },
  flags: {
    title: flag.text('Title of the report'),
    organization: flag.text('Slug: leave out what belongs to others'),
    ...addressFlags,
  },
  example: 'run.html',

  async run(args) {
    const { url, token } = await addressOf(args)
    const options = { title: textFrom(args, 'title'), organization: textFrom(args, 'organization') }
    const file = String(args.file ?? REPORT_FILE)
    const path = await mustWrite(file, writeRunReport(createCaller(url, token), file, options))
    process.stdout.write(`${path}\n`)
    return 0
  },
}
