import type { Options } from 'yargs'
import { withoutPlace } from '../../../control/start/config.js'
import type { LaunchOptions } from '../../../control/start/launch.js'
import { type Arguments, textsFlag } from './command.js'
import { configFrom } from './config.js'
import { settingsFromFlags, settingsFromVariables } from './setting-flags.js'

/** The flag of every command that begins a world. control-api: "CLI" */
export const fixtureFlags = {
  fixtures: textsFlag('Fixture file to load; repeatable [MOCKADEMY_FIXTURES, comma-separated]'),
} satisfies Record<string, Options>

/** Returns the paths that the flag or else the variable names; undefined when neither names any. */
export function fixturesGiven(args: Arguments): string[] | undefined {
  if (args.fixtures !== undefined) return args.fixtures as string[]
  const listed = (process.env.MOCKADEMY_FIXTURES ?? '').split(',').map((path) => path.trim())
  const paths = listed.filter((path) => path !== '')
  return paths.length > 0 ? paths : undefined
}

/** Reads the options of an emulator that a command starts for itself: flags, variables, configuration. @throws CommandFailure 2 */
export async function ownEmulatorOptions(args: Arguments): Promise<LaunchOptions> {
  const config = await configFrom(args)
  return {
    explicitSettings: {
      ...withoutPlace(config.settings),
      ...(await settingsFromVariables(process.env)),
      ...(await settingsFromFlags(args)),
    },
    fixtures: fixturesGiven(args) ?? config.fixtures,
  }
}
