import { kind } from '../../foundation/store/kind.js'
import type { UserRecord } from './user-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    users: { record: UserRecord; kind: typeof userKind }
  }
}

export const userKind = kind(async () => (await import('./user-record.js')).userRecord, {
  indexes: {
    email: { key: (it) => it.email.toLowerCase() },
  },
  fixture: 'own',
  counted: true,
})
