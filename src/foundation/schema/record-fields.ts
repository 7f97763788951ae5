import * as z from 'zod'
import { isObject } from './is-object.js'

/** ISO 8601 UTC with milliseconds, so that times compare as text. wire: §1 */
export const timestamp = z.iso.datetime()

/** What every record has. A record is not its wire shape: `present…` functions project it. */
export const recordFields = {
  id: z.string(),
  /** Orders records that were created in the same millisecond; unique in a world. */
  sequence: z.int(),
  created_at: timestamp,
}

/**
 * Whatever a person has put there, by key. Any key is data, `__proto__` too, which zod's own record would drop.
 * wire: §5 `metadata`
 */
export const freeForm = z
  .unknown()
  .refine(isObject, 'must be an object')
  .meta({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {},
  }) as z.ZodType<Record<string, unknown>>
