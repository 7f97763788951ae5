import type * as z from 'zod'
import type { Issue, Path } from './issue.js'
import { belowPrefix, readBySchema } from './schema-issues.js'

/** A value as its schema reads it, or its issues: one entry for each. */
export type Checked<T> = { success: true; data: T } | { success: false; issues: Issue[] }

/** Checks `value` by `schema`. Paths begin with `prefix`. No JSON value makes it throw. */
export function check<S extends z.ZodType>(schema: S, value: unknown, prefix: Path = []): Checked<z.output<S>> {
  if (isLong(value)) {
    const { issues } = read(schema, shortened(value), prefix)
    if (issues.length >= MAX_CHECKED) return { success: false, issues: issues.slice(0, MAX_CHECKED) }
  }
  const { data, issues } = read(schema, value, prefix)
  return issues.length === 0 ? { success: true, data: data as z.output<S> } : { success: false, issues }
}

function read(schema: z.ZodType, value: unknown, prefix: Path): { data?: unknown; issues: Issue[] } {
  const { data, issues = [] } = readBySchema(schema, value)
  return { data, issues: belowPrefix(issues, prefix) }
}

/** The most issues that are listed, and the items of an array that are checked first: a body of 10 MB can have millions. */
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
