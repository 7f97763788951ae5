import { kind } from '../../foundation/store/kind.js'
import type { FaultRecord } from './fault-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    faults: { record: FaultRecord; kind: typeof faultKind }
  }
}

export const faultKind = kind(async () => (await import('./fault-record.js')).faultRecord, {
  indexes: {},
  fixture: 'plain',
  counted: true,
})
