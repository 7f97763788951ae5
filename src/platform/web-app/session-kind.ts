import { endingKind } from '../../foundation/store/kind.js'
import type { SessionRecord } from './session-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    sessions: { record: SessionRecord; kind: typeof sessionKind }
  }
}

export const sessionKind = endingKind(
  async () => (await import('./session-record.js')).sessionRecord,
  ({ ambient, created_at }) => (ambient ? null : created_at),
  {
    indexes: {
      secret: { key: (it) => (it.ambient ? null : it.secret) },
      ambient: { key: (it) => (it.ambient ? 'ambient' : null) },
    },
    fixture: 'plain',
    counted: true,
  },
)
