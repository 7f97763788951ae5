import type * as z from 'zod'
import { didYouMean } from './did-you-mean.js'

/** A validation issue in a body, a query or a document. `path` is dotted: `properties.questions.0.text`. */
export interface Issue {
  path: string
  message: string
}

/** An issue of a request. `reason` says it in more words, for the journal only. */
export type ExplainedIssue = Issue & { reason?: string }

/** Something in a request that its sender should know; a refused request may have some, too. */
export type Warning = Issue & { code: string }

/** The way to a part of a JSON value: names of fields and positions in arrays. */
export type Path = (string | number)[]

/** Returns what a value has at a path; undefined when it has nothing there. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key], value)

/** The most issues that a refusal lists. wire: §2 "shape of a body" */
export const MAX_ISSUES = 100

/** The separator of the messages of several unknown keys, which zod reports as one issue. */
const SEPARATOR = '\n'

const nameOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  // JSON has no NaN: it is a parameter that should be a number.
  if (Number.isNaN(value)) return 'text'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number too large for a double'
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
}

/** The message for text that is not a date-time. wire: §1 */
export const DATE_TIME = 'must be an ISO 8601 date-time with Z or an offset, such as 2026-01-31T09:00:00Z'

const oneOf = (values: unknown[]) => (values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`)

const must = (what: string, input: unknown) =>
  input === undefined ? `is required: ${what}` : `must be ${what}, not ${nameOf(input)}`

function mustBeOneOf(values: unknown[], input: unknown): string {
  if (typeof input === 'string') return `must be ${oneOf(values)}`
  // The kind of value is right, so it is the value that says what is wrong.
  if (typeof input === 'boolean' && values.includes(!input)) return `must be ${oneOf(values)}, not ${input}`
  return must(oneOf(values), input)
}

/** Returns the message of a zod issue: what is wrong and, where there is one, the way out. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'nonoptional') return 'is required'
      if (issue.expected === 'int' && Number.isFinite(issue.input)) return `must be an integer, not ${issue.input}`
      return must(expectations[issue.expected] ?? issue.expected, issue.input)
    case 'invalid_value':
      return mustBeOneOf(issue.values, issue.input)
    case 'invalid_union':
      if (issue.options) return mustBeOneOf(issue.options as unknown[], tagOf(issue))
      return issue.input === undefined ? 'is required' : undefined
    case 'too_small':
      return `must ${minimumOf(issue.origin, Number(issue.minimum))}`
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'invalid_format':
      return issue.format === 'datetime' ? DATE_TIME : undefined
    case 'unrecognized_keys': {
      const shape = (issue.inst as z.ZodObject | undefined)?._zod.def.shape ?? {}
      const known = Object.keys(shape)
      // A body of 10 MB can have many; what would not be listed needs no near miss.
      return issue.keys
        .slice(0, MAX_ISSUES)
        .map((key) => `is not a known field${didYouMean(key, known)}`)
        .join(SEPARATOR)
    }
    default:
      return undefined
  }
}

function minimumOf(origin: string, minimum: number): string {
  if (origin === 'array') return `have at least ${minimum} ${minimum === 1 ? 'item' : 'items'}`
  if (origin !== 'string') return `be at least ${minimum}`
  return minimum === 1 ? 'not be empty' : `have at least ${minimum} characters`
}

const tagOf = (issue: z.core.$ZodRawIssue): unknown =>
  (issue.input as Record<string, unknown> | undefined)?.[String(issue.discriminator)]

export type PathIssue = { path: Path; message: string }

/** Returns the issues that a schema found, one for each unknown key. */
export function pathIssuesOf(error: z.ZodError): PathIssue[] {
  const mistyped = new Set(error.issues.map(({ code, path }) => (code === 'invalid_type' ? path.join('.') : undefined)))
  return error.issues.flatMap((issue) => {
    const path = issue.path as Path
    // zod checks the length of whatever has one, also of an array that should be a string.
    if ((issue.code === 'too_small' || issue.code === 'too_big') && mistyped.has(path.join('.'))) return []
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    const messages = issue.message.split(SEPARATOR)
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      message: messages[index] ?? 'is not a known field',
    }))
  })
}

type Read<S extends z.ZodType> =
  | { data: z.output<S>; issues?: undefined }
  | { data?: undefined; issues: [PathIssue, ...PathIssue[]] }

/** Reads a value that was sent or given by a schema. Of a value with millions of issues, only those of the first items of arrays are collected. */
export function readBySchema<S extends z.ZodType>(schema: S, value: unknown): Read<S> {
  const first = isLong(value) ? readStored(schema, shortened(value)) : undefined
  return first?.issues && first.issues.length >= MAX_CHECKED ? first : readStored(schema, value)
}

/** Reads a value of the store by a schema, without that guard. More issues than zod can collect are one that says so. */
export function readStored<S extends z.ZodType>(schema: S, value: unknown): Read<S> {
  try {
    const { data, error } = schema.safeParse(value, { error: describeIssue })
    return error ? { issues: pathIssuesOf(error) as [PathIssue, ...PathIssue[]] } : { data }
  } catch (error) {
    // zod spreads lists of issues into arguments, and a call takes only so many.
    if (!(error instanceof RangeError)) throw error
    return { issues: [{ path: [], message: 'there are too many issues to list' }] }
  }
}

/** The items of an array that are checked first, and the issues in them that end the check: a body of 10 MB can have millions. */
const MAX_CHECKED = 20_000
/** No field of the API has arrays any deeper. */
const MAX_ARRAY_DEPTH = 8

const isLong = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  depth < MAX_ARRAY_DEPTH &&
  ((Array.isArray(value) && value.length > MAX_CHECKED) ||
    Object.values(value).some((inner) => isLong(inner, depth + 1)))

function shortened(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= MAX_ARRAY_DEPTH) return value
  if (Array.isArray(value)) return value.slice(0, MAX_CHECKED).map((item) => shortened(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, depth + 1)]))
}

/** Returns issues as details of a response. Paths begin with `prefix`. */
export const belowPrefix = (issues: PathIssue[], prefix: Path = []): Issue[] =>
  issues.map(({ path, message }) => ({ path: [...prefix, ...path].join('.'), message }))
