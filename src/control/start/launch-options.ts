import type { GivenSettings, SettingOptions } from '../../emulator/world/setting-table.js'
import type { Fixtures } from '../fixtures/fixture-sources.js'
import type { Seed } from '../fixtures/seed.js'

interface WorldOptions extends Omit<SettingOptions, 'worlds'> {
  /** The world to begin with: documents, or paths of files that hold one. The default world when left out. */
  fixtures?: Fixtures | undefined
  /** Receives errors that are the emulator's own; they go to standard error when left out. */
  onInternalError?: ((error: unknown) => void) | undefined
}

/** Options of `startEmulator`: every setting, where the world comes from, and one of `fresh` and `resume`. */
export type StartOptions = WorldOptions & (FreshStart | ResumedStart)

interface FreshStart {
  /** Seeds the store again from the fixtures; the old file is kept beside it. */
  fresh?: boolean | undefined
  resume?: false | undefined
}

interface ResumedStart {
  fresh?: false | undefined
  /** Continues with the existing store, whatever fixtures it was seeded from. */
  resume?: boolean | undefined
}

/** Options of `launch`. */
export interface LaunchOptions extends Pick<WorldOptions, 'fixtures' | 'onInternalError'> {
  /** Settings, checked: flags or options over variables. Stronger than those of the fixtures. */
  explicitSettings?: GivenSettings
  /** Settings that replace the usual defaults; weaker than those of the fixtures. */
  defaults?: GivenSettings
  fresh?: boolean
  resume?: boolean
  /** The seed that `fixtures` make, when it has already been read. */
  from?: Seed
  /** False: no webhook is sent for the installations of the fixtures that ask for theirs. */
  announce?: boolean
  /** True when links must not lead the store out of the working folder; by default, when `explicitSettings` does not name it. */
  confined?: boolean
  /** Which of the process's worlds this is, when it is not the only one: a part of its store's name. */
  index?: number
  /** Every world of the process; this one adds itself. */
  neighbours?: { index: number; url: string }[]
}
