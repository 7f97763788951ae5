import { irregularity } from '../../foundation/store/irregularity.js'
import { endingKind } from '../../foundation/store/kind.js'
import type { TokenRecord } from './token-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    tokens: { record: TokenRecord; kind: typeof tokenKind }
  }
}

export const tokenKind = endingKind(
  async () => (await import('./token-record.js')).tokenRecord,
  ({ ended_at, expires_at }) => (ended_at && ended_at < expires_at ? ended_at : expires_at),
  {
    indexes: {
      secret: { key: (it) => it.secret },
      installation: { key: (it) => it.installation },
      code: { key: (it) => it.code },
      irregular: { key: (it) => irregularity(it.secret) },
    },
    fixture: 'plain',
    goesWith: { installations: 'installation' },
    counted: true,
  },
)
