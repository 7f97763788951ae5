import * as z from 'zod'
import { type Duration, durationPattern, MAX_TIMEOUT, parseDuration, units } from './duration.js'
import { idPattern } from './id-pattern.js'
import { isObject } from './is-object.js'
import { DATE_TIME } from './issue.js'
import { InvalidOptionsError } from './options.js'

// The words of schemas of records and of fixture documents. A schema that a start must not load zod for is a
// function of these words, which `loadSchemaWords` loads for checking records.

export * as z from './record-words.js'

const MESSAGE = 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"'

/** A hundred years: an end so much later than the latest moment of the clock still has a timestamp. */
const MAX_DURATION = 36_525 * units.d

export const durationInput = z.union([z.number().nonnegative(), z.string().regex(durationPattern, MESSAGE)], MESSAGE)

/** A duration as users give it, milliseconds or text; comes out as milliseconds. control-api: preamble, wire: §8 */
export const duration = durationInput
  .transform((given) => (typeof given === 'number' ? Math.round(given) : parseDuration(given)))
  .refine((ms) => ms <= MAX_DURATION, 'must be at most a hundred years') as unknown as z.ZodType<number, Duration>

/** A duration that is waited for in real time. */
export const realDuration = duration.refine(
  (ms) => ms <= MAX_TIMEOUT,
  'is real time: must be at most 24 days',
) as z.ZodType<number, Duration>

/** Returns the milliseconds of an option that is real time; undefined without it. @throws InvalidOptionsError */
export function durationOption(path: string, given: Duration | undefined): number | undefined {
  const { data, error } = realDuration.optional().safeParse(given)
  if (error) throw new InvalidOptionsError(error.issues.map(({ message }) => ({ path, message })))
  return data
}

/** ISO 8601 UTC with milliseconds, so that times compare as text. wire: §1 */
export const timestamp = z.iso.datetime()

/** The fields of every record. A record is not its wire shape: `present…` functions project it. */
export const recordFields = {
  id: z.string(),
  /** Orders records that were created in the same millisecond; unique in a world. */
  sequence: z.int(),
  created_at: timestamp,
}

/** Any values by key. Any key is data, `__proto__` too, which zod's own record would drop. wire: §5 `metadata` */
export const freeForm = z
  .unknown()
  .refine(isObject, 'must be an object')
  .meta({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {},
  }) as z.ZodType<Record<string, unknown>>

/** Arguments of `refine` for `freeForm` where an empty object would change nothing. */
export const notEmpty: [(fields: object) => boolean, string] = [
  (fields) => Object.keys(fields).length > 0,
  'must have at least one field',
]

// The common fields of fixture documents, which people write. fixtures: all of it

/** A moment with `Z` or an offset; comes out as the wire writes it. wire: §1 */
export const moment = z.iso
  .datetime({ offset: true, error: DATE_TIME })
  .transform((text) => new Date(text).toISOString())
  .pipe(z.iso.datetime())

/** fixtures: "Ids" */
export const documentId = z.string().regex(idPattern, 'must be 1 to 64 letters, digits, hyphens or underscores')

/** A secret. Every text that is redacted is searched for it. */
export const secret = z.string().min(1).max(4096)

/** Arguments of `refine` for a text that is printed on a line of its own and passed in an environment variable. */
export const oneLine: [(text: string) => boolean, string] = [
  (text) => !/\p{Cc}/u.test(text),
  'must have no control characters, such as a line break',
]

/** A credential that an `Authorization: Bearer …` header can carry; RFC 6750 §2.1 allows fewer characters. */
export const bearerCredential = secret.regex(
  /^[\x21-\x7e]*$/,
  'must be printable ASCII without spaces, since an Authorization header carries it',
)

/** Fields that any record of a document may have; generated when omitted. Only exports have `sequence`. */
export const generated = { created_at: moment.optional(), sequence: z.int().optional() }

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? Inner : S

/** Returns the same fields after they were read, without defaults. */
export const withoutDefaults = <S extends z.ZodRawShape>(shape: S): { [K in keyof S]: WithoutDefault<S[K]> } =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema]),
  ) as { [K in keyof S]: WithoutDefault<S[K]> }
