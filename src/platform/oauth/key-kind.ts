import { kind } from '../../foundation/store/kind.js'
import type { KeyRecord } from './key-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    keys: { record: KeyRecord; kind: typeof keyKind }
  }
}

export const keyKind = kind(async () => (await import('./key-record.js')).keyRecord, {
  indexes: {},
  fixture: 'plain',
})
