import * as z from 'zod'
import type { Duration } from '../../foundation/schema/duration.js'
import { realDuration } from '../../foundation/schema/duration-schema.js'

// What the schemas of several resources are made of.

/** An object in which unknown fields are errors: whatever a control call takes. control-api: rule 3 */
export const strict = z.strictObject

/** The name of something that may exist: a slug, an id, an email. */
export const name = z.string().min(1)

/** A duration in a query is text; digits alone are milliseconds. */
export const queryDuration = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : (text as Duration)))
  .pipe(realDuration) as unknown as z.ZodType<number, Duration>

/** One side of an exchange, secrets redacted. */
export const message = z
  .object({ headers: z.record(z.string(), z.string()), body: z.unknown() })
  .meta({ id: 'Message' })

export const affected = z.object({ affected: z.int() }).meta({ id: 'Affected' })
