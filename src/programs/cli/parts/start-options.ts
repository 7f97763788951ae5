import type { Options } from 'yargs'
import type { LaunchOptions, Running } from '../../../control/start/launch.js'
import { type Arguments, switchFlag } from './command.js'
import { configFlag, configFrom } from './config.js'
import { fixtureFlags, fixturesGiven } from './own-emulator.js'
import { settingFlags, settingsFromFlags, settingsFromVariables } from './setting-flags.js'

/** Defaults of `start`. wire: §8 */
const defaults = { port: 4600, store: '.mockademy/store.json' }

/** Milliseconds after which a stop is forced; three seconds are promised. control-api: "CLI" */
const STOP_WITHIN = 2000

/** Flags of the commands that start the emulator beside which an app is developed. control-api: "CLI" */
export const startFlags: Record<string, Options> = {
  ...fixtureFlags,
  fresh: switchFlag('Seed the store again; the old file is kept beside it'),
  resume: switchFlag('Continue with the existing store, whatever --fixtures names', { conflicts: 'fresh' }),
  open: switchFlag('Open the console in the browser'),
  ...configFlag,
  ...settingFlags,
  store: { ...settingFlags.store, defaultDescription: defaults.store },
}

/** Reads `startFlags`, variables and configuration. @throws CommandFailure 2 */
export async function startOptions(args: Arguments): Promise<LaunchOptions> {
  const config = await configFrom(args)
  const named = { ...(await settingsFromVariables(process.env)), ...(await settingsFromFlags(args)) }
  return {
    explicitSettings: { ...config.settings, ...named },
    defaults,
    // A file of the project is as little to be trusted with secrets as a link in it.
    confined: named.store === undefined,
    fixtures: fixturesGiven(args) ?? config.fixtures,
    fresh: args.fresh === true,
    resume: args.resume === true,
  }
}

/** Closes the emulators, or stops waiting for it: a write that has its response is safe either way. */
export async function closeInTime(starting: Promise<Running[]>): Promise<void> {
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN))
  const closed = starting.then((emulators) => Promise.all(emulators.map((emulator) => emulator.close())))
  await Promise.race([closed, deadline])
}
