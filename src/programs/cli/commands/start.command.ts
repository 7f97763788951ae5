import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import { presentEntry } from '../../../emulator/journal/present-entry.js'
import { type Command, flag, printNote } from '../command/command.js'
import { closeInTime, startFlags, startOptions } from '../flags/emulator-options.js'
import { openConsole } from '../processes/browser.js'
import { writePidFile } from '../processes/run-file.js'
import { untilStop } from '../processes/stop-signal.js'
import { requestLine } from '../terminal/request-line.js'
import { banner } from './banner.js'

/** `mockademy start` */
export const startCommand: Command = {
  flags: {
    log: flag.switch('Print a line for each request and webhook, even without a terminal'),
    quiet: flag.switch('Print no line for requests and webhooks, even on a terminal', { conflicts: 'log' }),
    ...startFlags,
  },
  example: '--fixtures world.json --page-size 20',

  async run(args) {
    const starting = startWorlds(await startOptions(args))
    const stopped = untilStop().then(() => closeInTime(starting))
    const emulators = await Promise.race([starting, stopped])
    if (Array.isArray(emulators)) {
      process.once('exit', writePidFile(emulators))
      process.stdout.write(banner(emulators))
      if (args.log || (process.stdout.isTTY && !args.quiet)) printRequests(emulators)
      const [first] = emulators
      if (args.open && first) await openConsole(first.url).catch(({ message }: Error) => printNote(message))
    }
    await stopped
    return 0
  },
}

function printRequests(emulators: Running[]): void {
  for (const [index, { world }] of emulators.entries()) {
    const prefix = emulators.length > 1 ? `${index} ` : ''
    world.journal.onEntry((entry) => {
      process.stdout.write(`${prefix}${requestLine(presentEntry(entry, createRedactor(world), []))}\n`)
    })
  }
}
