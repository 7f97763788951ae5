import type * as z from 'zod'
import type { Detail } from '../refusal.js'
import { didYouMean } from './did-you-mean.js'

type Path = (string | number)[]

/** A value as its schema reads it, or its faults: one entry for each. */
export type Checked<T> = { sound: true; value: T } | { sound: false; details: Detail[] }

/** What separates the messages of several unknown keys, which zod reports as one issue. */
const SEPARATOR = '\n'

const nameOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond what a double holds'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const expectations: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  nonoptional: 'a value',
}

const oneOf = (values: unknown[]) => (values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`)

const must = (what: string, input: unknown) =>
  input === undefined ? `is required: ${what}` : `must be ${what}, not ${nameOf(input)}`

const mustBeOneOf = (values: unknown[], input: unknown) =>
  typeof input === 'string' ? `must be ${oneOf(values)}` : must(oneOf(values), input)

/** The message of a zod issue: the fault and, where there is one, the way out. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return must(expectations[issue.expected] ?? issue.expected, issue.input)
    case 'invalid_value':
      return mustBeOneOf(issue.values, issue.input)
    case 'invalid_union':
      return Array.isArray(issue.options) ? mustBeOneOf(issue.options, tagOf(issue)) : undefined
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      if (issue.origin === 'array')
        return `must have at least ${issue.minimum} ${issue.minimum === 1 ? 'item' : 'items'}`
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'unrecognized_keys': {
      const shape = (issue.inst as z.ZodObject | undefined)?._zod.def.shape ?? {}
      return issue.keys.map((key) => `is not a known field${didYouMean(key, Object.keys(shape))}`).join(SEPARATOR)
    }
    default:
      return undefined
  }
}

const tagOf = (issue: z.core.$ZodRawIssue): unknown =>
  (issue.input as Record<string, unknown> | undefined)?.[String(issue.discriminator)]

/** Judges `value` by `schema`. Paths begin with `prefix`. Whatever JSON holds, this does not throw. */
export function check<S extends z.ZodType>(schema: S, value: unknown, prefix: Path = []): Checked<z.output<S>> {
  if (isLong(value)) {
    const { details } = judge(schema, shortened(value), prefix)
    if (details.length >= MANY) {
      const more = { path: prefix.join('.'), message: `has more faults than the first ${MANY}` }
      return { sound: false, details: [...details.slice(0, MANY), more] }
    }
  }
  const { read, details } = judge(schema, value, prefix)
  return details.length === 0 ? { sound: true, value: read as z.output<S> } : { sound: false, details }
}

function judge(schema: z.ZodType, value: unknown, prefix: Path): { read?: unknown; details: Detail[] } {
  try {
    const result = schema.safeParse(value, { error: explain })
    if (result.success) return { read: result.data, details: [] }
    return { details: result.error.issues.flatMap((issue) => detailsOf(issue, prefix)) }
  } catch (error) {
    // zod spreads lists of issues into arguments, and a call takes only so many.
    if (!(error instanceof RangeError)) throw error
    return { details: [{ path: prefix.join('.'), message: 'has too many faults to list' }] }
  }
}

/** How many faults are listed, and how much of an array is looked at first: a body of 10 MB can have millions. */
const MANY = 1000
/** No field of the API has arrays any deeper. */
const DEPTH = 8

const isLong = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  depth < DEPTH &&
  ((Array.isArray(value) && value.length > MANY) || Object.values(value).some((inner) => isLong(inner, depth + 1)))

function shortened(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= DEPTH) return value
  if (Array.isArray(value)) return value.slice(0, MANY).map((item) => shortened(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, depth + 1)]))
}

const detailsOf = (issue: z.core.$ZodIssue, prefix: Path): Detail[] =>
  faultsOf(issue).map(({ path, message }) => ({ path: [...prefix, ...path].join('.'), message }))

/** The faults of one issue, which `explain` has put into words: zod reports all unknown keys of an object as one. */
export function faultsOf(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  const messages = issue.message.split(SEPARATOR)
  return issue.keys.map((key, index) => ({ path: [...path, key], message: messages[index] as string }))
}
