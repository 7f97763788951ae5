import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { kind } from '../../foundation/store/kind.js'

/** An injected fault, and how often it has matched (`seen`) and fired (`hits`). control-api: "Faults" */
export const faultRecord = ({ z, recordFields, timestamp, freeForm }: SchemaWords) =>
  z
    .object({
      ...recordFields,
      match: freeForm,
      effect: z.unknown(),
      phase: z.enum(['before', 'after']),
      times: z.int().nullable(),
      after: z.int(),
      probability: z.number(),
      expires_at: timestamp.nullable(),
      seen: z.int().min(0),
      hits: z.int().min(0),
    })
    .refine(({ times, hits }) => times === null || hits <= times, { path: ['hits'], error: 'must be at most times' })

export type FaultRecord = OutputOf<typeof faultRecord>

/** Returns the organization that a fault matches, in whose time it expires; null when it matches any. */
export const organizationIn = ({ match }: Pick<FaultRecord, 'match'>): string | null =>
  typeof match.organization === 'string' ? match.organization : null

export const faultKind = kind(faultRecord, {
  indexes: {
    organization: { key: (it) => organizationIn(it) },
    /** `all`: those that match any. */
    any_organization: { key: (it) => (organizationIn(it) === null ? 'all' : null) },
  },
  ownedBy: { organizations: 'organization' },
  counted: true,
})
