import { kind } from '../../foundation/store/kind.js'
import type { AppRecord } from './app-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    apps: { record: AppRecord; kind: typeof appKind }
  }
}

export const appKind = kind(async () => (await import('./app-record.js')).appRecord, {
  indexes: {
    client_id: { key: (it) => it.client_id },
  },
  fixture: 'own',
  counted: true,
})
