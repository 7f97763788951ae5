import { kind } from '../../foundation/store/kind.js'
import type { FixtureSettingsRecord } from './fixture-settings-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    fixture_settings: { record: FixtureSettingsRecord; kind: typeof fixtureSettingsKind }
  }
}

export const fixtureSettingsKind = kind(
  async () => (await import('./fixture-settings-record.js')).fixtureSettingsRecord,
  {
    indexes: {},
    fixture: 'none',
  },
)
