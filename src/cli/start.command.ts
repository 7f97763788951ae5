import type { Emulator } from '../start/start-emulator.js'
import { startWorlds } from '../start/start-worlds.js'
import { banner } from './banner.js'
import type { Command } from './command.js'
import { fixtureFlags, fixturesGiven } from './fixture-files.js'
import { settingFlags, settingsFromFlags, settingsFromVariables } from './setting-flags.js'

/** What `start` assumes where neither flag, variable nor fixture says otherwise. wire: §8 */
const defaults = { port: 4600, store: '.mockademy/store.json' }

/** How long a stop may take before it is forced; the promise is three seconds. control-api: "CLI" */
const STOP_WITHIN = 2000

/** `mockademy start` */
export const start: Command = {
  flags: {
    ...fixtureFlags,
    fresh: { type: 'boolean', describe: 'Seed the store again; the old file is kept beside it' },
    resume: {
      type: 'boolean',
      describe: 'Go on with the store as it is, whatever --fixtures says',
      conflicts: 'fresh',
    },
    ...settingFlags,
  },

  async run(args) {
    const given = { ...settingsFromVariables(process.env), ...settingsFromFlags(args) }
    const starting = startWorlds({
      ...given,
      defaults,
      fixtures: fixturesGiven(args),
      fresh: args.fresh === true,
      resume: args.resume === true,
    })
    const stopped = stopSignal().then(() => stop(starting))
    const emulators = await Promise.race([starting, stopped])
    if (Array.isArray(emulators)) process.stdout.write(banner(emulators))
    await stopped
    return 0
  },
}

const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })

/** Closes what was started, or gives up waiting: an answered write is safe either way. */
async function stop(starting: Promise<Emulator[]>): Promise<void> {
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN))
  const closed = starting.then((emulators) => Promise.all(emulators.map((emulator) => emulator.close())))
  await Promise.race([closed, deadline])
}
