import { byOrder, kind } from '../../foundation/store/kind.js'
import type { ElementRecord } from './element-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    elements: { record: ElementRecord; kind: typeof elementKind }
  }
}

export const elementKind = kind(async () => (await import('./element-record.js')).elementRecord, {
  indexes: {
    organization: { key: (it) => it.organization },
    siblings: { key: (it) => it.module, compare: byOrder },
    /** Those whose `source` is an element. */
    source: { key: (it) => (it.properties.source as { id: string } | null | undefined)?.id ?? null },
    /** Those of a course that have score inputs. */
    scores: { key: (it) => (Array.isArray(it.properties.inputs) ? it.course : null) },
  },
  fixture: 'own',
  goesWith: { modules: 'siblings' },
  counted: true,
})
