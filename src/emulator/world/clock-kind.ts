import { kind } from '../../foundation/store/kind.js'
import type { ClockRecord } from './clock-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    clock: { record: ClockRecord; kind: typeof clockKind }
  }
}

export const clockKind = kind(async () => (await import('./clock-record.js')).clockRecord, {
  indexes: {},
  fixture: 'none',
})
