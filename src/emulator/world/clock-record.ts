import type { OutputOf, SchemaWords } from '../../foundation/schema/late-schema.js'
import { kind } from '../../foundation/store/kind.js'
import { clockOffset } from './clock-schemas.js'

/** The one record of the clock: a frozen clock stands at `at`; a running one is `offset` ms off the machine's. */
export const clockRecord = (words: SchemaWords) =>
  words.z.object({
    ...words.recordFields,
    frozen: words.z.boolean(),
    at: words.timestamp.nullable(),
    offset: clockOffset(words),
  })

export type ClockRecord = OutputOf<typeof clockRecord>

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    clock: { record: ClockRecord; kind: typeof clockKind }
  }
}

export const clockKind = kind(clockRecord, {
  indexes: {},
  fixture: 'none',
})
