import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createCaller } from '../../../control/client/caller.js'
import type { Running } from '../../../control/start/launch.js'
import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import { type Arguments, type Command, flag, printNote, textFrom } from '../command/command.js'
import { mustWrite } from '../files/output-file.js'
import { addressFlags, addressOf } from '../flags/address.js'

/** The file of a report that no flag names. */
export const REPORT_FILE = 'mockademy-report.html'

export const reportFlags = {
  report: flag.path(
    'Write a report of the run into this HTML file: every exchange with its reason, to open without an emulator',
  ),
  'report-on-failure': flag.switch(`Write the report only when the run fails; into ${REPORT_FILE} without --report`),
}

/**
 * Records a run for its report, if flags ask for one. @returns a function that writes it, a file for each world; its
 * title has no secrets. @throws CommandFailure 2
 */
export async function beginReport(emulators: Running[], args: Arguments) {
  const isOnFailure = args['report-on-failure'] === true
  const file = textFrom(args, 'report') ?? (isOnFailure ? REPORT_FILE : undefined)
  if (file === undefined) return async () => {}
  await mustWrite(file, mkdir(dirname(file), { recursive: true }))
  const { recordRun } = await import('../../../control/run-report/record-run.js')
  const { writeRunReport } = await import('../../../control/run-report/write-report.js')
  const recordings = emulators.map(({ world }) => recordRun(world))
  return async ({ title, command, status }: { title: string; command: string; status: number }) => {
    const recorded = await Promise.all(recordings.map((end) => end()))
    if (isOnFailure && status === 0) return
    /** That of the first world, which the files of the others are named after. */
    let first = file
    for (const [index, { url, world }] of emulators.entries()) {
      const redact = createRedactor(world)
      const options = {
        title,
        // A token too short to be searched for.
        command: redact(command.replace(/(--admin-token[ =])(?:'[^']*'|\S+)/, '$1…')),
        result: status === 0 ? 'passed' : `failed with ${status}`,
      }
      const read = createCaller(url, world.settings.admin_token)
      const path = index === 0 ? file : first.replace(/(\.[^./\\]+)?$/, `.${index}$1`)
      const written = await mustWrite(path, writeRunReport(read, path, options, recorded[index]))
      if (index === 0) first = written
      printNote(`Report of the run: ${written}`)
    }
  }
}

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
    const { writeRunReport } = await import('../../../control/run-report/write-report.js')
    const path = await mustWrite(file, writeRunReport(createCaller(url, token), file, options))
    process.stdout.write(`${path}\n`)
    return 0
  },
}
