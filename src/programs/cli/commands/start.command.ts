import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { createRedactor, type Redactor } from '../../../emulator/journal/known-secrets.js'
import type { JournalEntry } from '../../../emulator/world/exchange.js'
import { visible } from '../../reports/visible.js'
import { openInBrowser } from '../parts/browser.js'
import type { Command } from '../parts/command.js'
import { configFlag, configFrom } from '../parts/config.js'
import { fixtureFlags, fixturesGiven } from '../parts/own-emulator.js'
import { settingFlags, settingsFromFlags, settingsFromVariables } from '../parts/setting-flags.js'
import { stopSignal } from '../parts/stop-signal.js'
import { banner } from './banner.js'

/** Defaults of `start`. wire: §8 */
const defaults = { port: 4600, store: '.mockademy/store.json' }

/** Milliseconds after which a stop is forced; three seconds are promised. control-api: "CLI" */
const STOP_WITHIN = 2000

/** `mockademy start` */
export const startCommand: Command = {
  flags: {
    ...fixtureFlags,
    fresh: { type: 'boolean', describe: 'Seed the store again; the old file is kept beside it' },
    resume: {
      type: 'boolean',
      describe: 'Continue with the existing store, whatever --fixtures names',
      conflicts: 'fresh',
    },
    log: { type: 'boolean', describe: 'Print a line for each request and webhook, even without a terminal' },
    quiet: {
      type: 'boolean',
      describe: 'Print no line for requests and webhooks, even on a terminal',
      conflicts: 'log',
    },
    open: { type: 'boolean', describe: 'Open the console in the browser' },
    ...configFlag,
    ...settingFlags,
    store: { ...settingFlags.store, defaultDescription: defaults.store },
  },
  example: '--fixtures world.json --page-size 20',

  async run(args) {
    const config = await configFrom(args)
    const named = { ...(await settingsFromVariables(process.env)), ...(await settingsFromFlags(args)) }
    const fixtures = fixturesGiven(args) ?? config.fixtures
    const starting = startWorlds({
      explicitSettings: { ...config.settings, ...named },
      defaults,
      // A file of the project is as little to be trusted with secrets as a link in it.
      confined: named.store === undefined,
      fixtures,
      fresh: args.fresh === true,
      resume: args.resume === true,
    })
    const stopped = stopSignal().then(() => stop(starting))
    const emulators = await Promise.race([starting, stopped])
    if (Array.isArray(emulators)) {
      process.stdout.write(banner(emulators))
      if (args.log || (process.stdout.isTTY && !args.quiet)) printRequests(emulators)
      if (args.open) await openConsole(emulators)
    }
    await stopped
    return 0
  },
}

/** A line for each request and webhook from now on, with the world's number where there are several. */
function printRequests(emulators: Running[]): void {
  for (const [index, { world }] of emulators.entries()) {
    const prefix = emulators.length > 1 ? `${index} ` : ''
    world.journal.onEntry((entry) => {
      process.stdout.write(`${prefix}${requestLine(entry, createRedactor(world))}\n`)
    })
  }
}

/**
 * Returns a request or webhook in one line: time, request, status, and why it was refused. control-api: "CLI"
 * @param hide redacts the secrets that the world knows.
 */
function requestLine(
  { at, surface, method, path, status, duration, identity, sender, notes }: JournalEntry,
  hide: Redactor,
): string {
  const time = at.slice(11, 19)
  const direction = surface === 'webhook' ? '->' : '<-'
  const who = [identity.app, identity.organization].filter(Boolean).join(' in ')
  const more = [
    who,
    sender && `by a ${sender}`,
    notes.fault && `fault ${notes.fault}`,
    notes.reason && hide(notes.reason),
    ...(notes.warnings ?? []).map(({ path, message }) => `warning: ${hide(path)} ${hide(message)}`),
  ].filter(Boolean)
  const took = `${Math.round(duration)} ms`
  const words = [time, direction, method.padEnd(6), hide(path), status ?? '---', took, more.join('; ')]
  return visible(words.join(' ').trimEnd())
}

/** Closes the emulators, or stops waiting for it: a write that has its response is safe either way. */
async function stop(starting: Promise<Running[]>): Promise<void> {
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN))
  const closed = starting.then((emulators) => Promise.all(emulators.map((emulator) => emulator.close())))
  await Promise.race([closed, deadline])
}

async function openConsole([first]: Running[]): Promise<void> {
  if (!first || (await openInBrowser(`${first.url}/_console`))) return
  process.stderr.write('mockademy: there is no browser to open the console with; open its address yourself\n')
}
