import { kind } from '../store/kind.js'
import { type ClockRecord, clockRecord } from './clock-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    clock: { record: ClockRecord; kind: typeof clockKind }
  }
}

export const clockKind = kind(clockRecord, {
  indexes: {},
  fixture: 'none',
})
