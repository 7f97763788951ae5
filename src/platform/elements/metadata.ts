import * as z from 'zod'
import { isObject } from '../../foundation/schema/is-object.js'
import { fitsLimit } from './fields.js'

/** The limits of keys and values. spec: §2.1 */
export const metadataLimits = { keys: 50, keyLength: 40, valueLength: 500 }

const scalar = z.union([z.string(), z.number(), z.boolean()])

/**
 * Strings by key; numbers and booleans become strings. Any key is data, `__proto__` too, which zod's own record would
 * drop. spec: §2.1, §8; wire: §5
 */
export const metadata = z
  .unknown()
  .superRefine((value, context) => {
    for (const issue of issuesOf(value)) context.addIssue({ code: 'custom', ...issue })
  })
  .transform((value) =>
    Object.fromEntries(Object.entries(value as Record<string, unknown>).map(([key, entry]) => [key, String(entry)])),
  )

/** The part of it that JSON Schema can express. */
export const metadataShape = z
  .record(
    z
      .string()
      // No brackets, which are escaped here because in the `v` dialect they would nest sets.
      .regex(/^[^\x5b\x5d]*$/)
      .max(metadataLimits.keyLength),
    z.union([z.string().max(metadataLimits.valueLength), z.number(), z.boolean()]),
  )
  .meta({ maxProperties: metadataLimits.keys })

export const metadataOutput = z.record(z.string(), z.string())

function* issuesOf(value: unknown): Generator<{ path: string[]; message: string }> {
  if (!isObject(value)) return yield { path: [], message: 'must be an object of strings' }
  const entries = Object.entries(value)
  if (entries.length > metadataLimits.keys)
    yield { path: [], message: `must have at most ${metadataLimits.keys} keys, not ${entries.length}` }
  for (const [key, entry] of entries) {
    for (const message of [...issuesOfKey(key), ...issuesOfValue(entry)]) yield { path: [key], message }
  }
}

function* issuesOfKey(key: string) {
  if (!fitsLimit(key, metadataLimits.keyLength))
    yield `the key must have at most ${metadataLimits.keyLength} characters`
  if (/[[\]]/.test(key)) yield 'the key must not contain [ or ]'
}

function* issuesOfValue(value: unknown) {
  if (!scalar.safeParse(value).success) yield 'must be a string, a number or a boolean'
  else if (!fitsLimit(String(value), metadataLimits.valueLength))
    yield `must have at most ${metadataLimits.valueLength} characters`
}
