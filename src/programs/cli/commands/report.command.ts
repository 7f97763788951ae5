import { createCaller } from '../../../control/client/caller.js'
import { writeRunReport } from '../../../control/run-report/write-report.js'
import { addressOf, controlFlags } from '../parts/address.js'
import { type Command, textFrom } from '../parts/command.js'
import { configFlag } from '../parts/config.js'
import { REPORT_FILE } from '../parts/run-report.js'

/** `mockademy report [FILE]`: of a running emulator, since its last reset. coverage: "The run report" */
export const reportCommand: Command = {
  operands: { file: { type: 'string', describe: `HTML file to write; default: ${REPORT_FILE}` } },
  flags: {
    title: { type: 'string', requiresArg: true, describe: 'The run, in a few words' },
    organization: { type: 'string', requiresArg: true, describe: 'Slug: leave out what belongs to others' },
    url: controlFlags.url,
    'admin-token': controlFlags['admin-token'],
    ...configFlag,
  },
  example: 'run.html',

  async run(args) {
    const { url, token } = await addressOf(args)
    const options = { title: textFrom(args, 'title'), organization: textFrom(args, 'organization') }
    const path = await writeRunReport(createCaller(url, token), String(args.file ?? REPORT_FILE), options)
    process.stdout.write(`${path}\n`)
    return 0
  },
}
