import { kind } from '../store/kind.js'
import { type FaultRecord, faultRecord } from './fault-record.js'

declare module '../store/kind.js' {
  interface Kinds {
    faults: { record: FaultRecord; kind: typeof faultKind }
  }
}

export const faultKind = kind(faultRecord, {
  indexes: {},
  fixture: 'plain',
  counted: true,
})
