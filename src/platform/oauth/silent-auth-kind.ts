import { kind } from '../../foundation/store/kind.js'
import type { SilentAuthRecord } from './silent-auth-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    silent_auth: { record: SilentAuthRecord; kind: typeof silentAuthKind }
  }
}

export const silentAuthKind = kind(async () => (await import('./silent-auth-record.js')).silentAuthRecord, {
  indexes: {},
  fixture: 'plain',
})
