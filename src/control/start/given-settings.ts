import type { GivenSettings } from '../../emulator/world/setting-schemas.js'
import { checkSettings, settingsFromEnvironment } from '../../emulator/world/settings.js'
import type { LaunchOptions } from './launch-options.js'

/** The settings among the options, over those of the environment. @throws InvalidSettingsError naming what is not a setting or has a value that it cannot have. */
export async function givenSettings(options: LaunchOptions): Promise<GivenSettings> {
  const {
    fixtures: _,
    fresh: __,
    resume: ___,
    index: ____,
    neighbours: _____,
    onInternalError: ______,
    defaults: _______,
    announce: ________,
    from: _________,
    confined: __________,
    ...settings
  } = options
  return {
    ...(await checkSettings(settingsFromEnvironment(process.env))),
    ...(await checkSettings(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)))),
  }
}
