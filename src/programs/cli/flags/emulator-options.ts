import { dirname, join, relative } from 'node:path'
import type { Options } from 'yargs'
import { type Config, readConfig, withoutPortAndStore } from '../../../control/start/config.js'
import type { LaunchOptions, Running } from '../../../control/start/launch.js'
import { settingDefaults } from '../../../emulator/world/setting-table.js'
import { isInside } from '../../../foundation/store/store-folder.js'
import { type Arguments, flag, say, textFrom } from '../command/command.js'
import { settingFlags, settingsFromFlags, settingsFromVariables } from './setting-flags.js'

export const configFlag = {
  config: flag.text('File with settings, fixtures and audit', {
    defaultDescription: 'mockademy.json of the project',
  }),
}

/** Reads the configuration that `--config` names, or that of the project. @throws StartError 2 */
export const configFrom = (args: Arguments): Promise<Config> => readConfig(textFrom(args, 'config'))

/** The flag of every command that begins a world. control-api: "CLI" */
export const fixtureFlags = {
  fixtures: flag.texts('Fixture file to load; repeatable', {
    defaultDescription: 'MOCKADEMY_FIXTURES, comma-separated',
  }),
}

/** Returns the paths that the flag or else the variable names; undefined when neither names any. */
export function fixturesGiven(args: Arguments): string[] | undefined {
  if (args.fixtures !== undefined) return args.fixtures as string[]
  const listed = (process.env.MOCKADEMY_FIXTURES ?? '').split(',').map((path) => path.trim())
  const paths = listed.filter((path) => path !== '')
  return paths.length > 0 ? paths : undefined
}

/** Returns the settings of the flags and else of the variables. @throws CommandFailure 2 */
const settingsNamed = async (args: Arguments) => ({
  ...(await settingsFromVariables(process.env)),
  ...(await settingsFromFlags(args)),
})

/** Flags of the commands that start an emulator for themselves. */
export const ownEmulatorFlags: Record<string, Options> = {
  ...fixtureFlags,
  ...configFlag,
  ...settingFlags,
  port: { ...settingFlags.port, defaultDescription: 'any free one' },
}

/** Reads `ownEmulatorFlags`, variables and configuration. @throws CommandFailure 2 */
export async function ownEmulatorOptions(args: Arguments): Promise<LaunchOptions> {
  const config = await configFrom(args)
  return {
    explicitSettings: { ...withoutPortAndStore(config.settings), ...(await settingsNamed(args)) },
    fixtures: fixturesGiven(args) ?? config.fixtures,
  }
}

export const DEFAULT_STORE = '.mockademy/store.json'

/** Returns the project's folder: that of a configuration at or above the working folder, otherwise the working folder. */
function folderOf({ file }: Config): string {
  const here = process.cwd()
  const folder = file === undefined ? here : dirname(file)
  return isInside(folder, here) ? folder : here
}

/** Returns the default store of `start`: beside the configuration, so that a project has one world in all its folders. wire: §8 */
export const defaultStoreOf = (config: Config) => relative('', join(folderOf(config), DEFAULT_STORE))

/** Milliseconds after which a stop is forced; three seconds are promised. control-api: "CLI" */
const STOP_WITHIN = 2000

/** Flags of the commands that start the emulator beside which an app is developed. control-api: "CLI" */
export const startFlags: Record<string, Options> = {
  ...fixtureFlags,
  fresh: flag.switch('Seed the store again; the old file is kept beside it'),
  resume: flag.switch('Continue with the existing store, whatever --fixtures names', { conflicts: 'fresh' }),
  open: flag.switch('Open the console in the browser'),
  ...configFlag,
  ...settingFlags,
  store: { ...settingFlags.store, defaultDescription: DEFAULT_STORE },
}

/** Reads `startFlags`, variables and configuration. @throws CommandFailure 2 */
export async function startOptions(args: Arguments): Promise<LaunchOptions> {
  const config = await configFrom(args)
  const named = await settingsNamed(args)
  return {
    explicitSettings: { ...config.settings, ...named },
    defaults: { port: settingDefaults.port, store: defaultStoreOf(config) },
    // Unless the user names the store, it must stay in the project: a cloned `mockademy.json` or link could otherwise
    // write secrets elsewhere.
    within: named.store === undefined && folderOf(config),
    fixtures: fixturesGiven(args) ?? config.fixtures,
    fresh: args.fresh === true,
    resume: args.resume === true,
    ...(args.quiet !== true && { onUnparsedRequest: say }),
  }
}

/** Closes the emulators, for at most `STOP_WITHIN`: acknowledged writes are already on disk. */
export async function closeInTime(starting: Promise<Running[]>): Promise<void> {
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN))
  const closed = starting.then((emulators) => Promise.all(emulators.map((emulator) => emulator.close())))
  await Promise.race([closed, deadline])
}
