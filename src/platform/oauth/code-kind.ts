import { endingKind } from '../../foundation/store/kind.js'
import type { CodeRecord } from './code-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    codes: { record: CodeRecord; kind: typeof codeKind }
  }
}

export const codeKind = endingKind(
  async () => (await import('./code-record.js')).codeRecord,
  ({ used_at, expires_at }) => used_at ?? expires_at,
  {
    indexes: {
      secret: { key: (it) => it.secret },
      installation: { key: (it) => it.installation },
    },
    fixture: 'plain',
    goesWith: { installations: 'installation' },
  },
)
