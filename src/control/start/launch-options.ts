import type { SettingOptions } from '../../emulator/world/setting-schemas.js'
import type { Fixtures } from '../fixtures/fixture-sources.js'
import type { Seed } from '../fixtures/seed.js'

/** What a person says of an emulator to be started. */
export interface StartOptions extends Omit<SettingOptions, 'worlds'> {
  /** The world to begin with: documents, or paths of files that hold one. The default world when left out. */
  fixtures?: Fixtures | undefined
  /** Begins again from the fixtures; the store that is there is kept beside the new one. */
  fresh?: boolean | undefined
  /** Goes on with the store that is there, whatever fixtures it was seeded from. */
  resume?: boolean | undefined
  /** Told of errors that are the emulator's own; they go to standard error when left out. */
  onInternalError?: ((error: unknown) => void) | undefined
}

/** What this program says beside. */
export interface LaunchOptions extends StartOptions {
  /** Only for `startWorlds`. */
  worlds?: SettingOptions['worlds']
  /** What holds where neither option, environment nor fixture says otherwise, instead of wire: §8's own defaults. */
  defaults?: SettingOptions
  /** What `fixtures` make, where it has been read already. */
  from?: Seed
  /** False: no webhook is sent for the installations of the fixtures that ask for theirs. */
  announce?: boolean
  /** Whether links must not lead the store out of the working folder; when left out, unless an option or variable names it. */
  confined?: boolean
  /** Which of the process's worlds this is, where it is not the only one: a part of its store's name. */
  index?: number
  /** Every world of the process; this one adds itself. */
  neighbours?: { index: number; url: string }[]
}
