import { kind } from '../store/kind.js'
import { type KeyRecord, keyRecord } from './key-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    keys: { record: KeyRecord; kind: typeof keyKind }
  }
}

export const keyKind = kind(keyRecord, {
  indexes: {},
  fixture: 'plain',
})
