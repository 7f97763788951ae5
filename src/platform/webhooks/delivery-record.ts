import type { OutputOf, SchemaWords } from '../../foundation/schema/lazy-schema.js'
import { endingKind, recordSchema } from '../../foundation/store/kind.js'

const attempt = ({ z, timestamp }: SchemaWords) =>
  z.object({
    at: timestamp,
    /** Null when no response came. */
    status: z.int().nullable(),
    /** Real milliseconds. */
    duration: z.number(),
    error: z.string().nullable(),
    fault: z.string().nullable(),
    /** `body` is null when it was the delivery's own. */
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() }),
    /** `body` is the beginning of a textual one, `length` of the whole in bytes; earlier versions kept no length. */
    response: z
      .object({ headers: z.record(z.string(), z.string()), body: z.string(), length: z.int().min(0).optional() })
      .nullable(),
  })

export type AttemptRecord = OutputOf<typeof attempt>

export const deliveryStates = ['pending', 'acknowledged', 'retrying', 'failed', 'dropped'] as const

/**
 * One event on its way to one webhook. `body` is the exact text that is sent and signed, on every attempt. `due_at` is
 * when its next attempt is due; `tries` counts the attempts of the schedule; `held` names the fault that has
 * postponed the next one: until `due_at`, or, when that is null, until after the next delivery. wire: §7
 */
export const deliveryRecord = recordSchema((words) => {
  const { z, timestamp } = words
  return {
    event: z.object({ id: z.string(), type: z.string() }),
    app: z.string(),
    installation: z.string(),
    organization: z.string(),
    url: z.string(),
    body: z.string(),
    /** The liberties that it met; absent when there are none. */
    liberties: z.array(z.string()).optional(),
    state: z.enum(deliveryStates),
    due_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    tries: z.int().min(0),
    held: z.object({ effect: z.enum(['delay', 'reorder']), fault: z.string() }).nullable(),
    attempts: z.array(attempt(words)),
    cause: z.object({ trace_id: z.string(), span_id: z.string() }).optional(),
  }
})

export type DeliveryRecord = OutputOf<typeof deliveryRecord>

/** Returns true while an attempt is still to come. */
export const isOpen = ({ state }: DeliveryRecord) => state === 'pending' || state === 'retrying'

export const deliveryKind = endingKind(deliveryRecord, ({ ended_at }) => ended_at, {
  indexes: {
    event: { key: (it) => it.event.id, unique: true },
    installation: { key: (it) => it.installation },
    organization: { key: (it) => it.organization },
    app: { key: (it) => it.app },
    /** `<app>/<organization>`: those that are postponed until after the next one there. */
    postponed: { key: (it) => (isOpen(it) && it.due_at === null ? `${it.app}/${it.organization}` : null) },
    /** `all`: those with an attempt still to come. */
    open: { key: (it) => (isOpen(it) ? 'all' : null) },
  },
  ownedBy: { organizations: 'organization', apps: 'app' },
  counted: true,
})
