import { runInThisContext } from 'node:vm'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { MAX_ISSUES, type Path, type PathIssue } from '../../foundation/schema/issue.js'
import { performance } from '../../foundation/time/real-timers.js'
import { hasReference } from './references.js'
import { inShort, type Mismatch, StepFailure } from './step-failure.js'

interface Matcher {
  problem(value: unknown): string | undefined
  fits(value: never, got: unknown, path: string, until: number): boolean
  /** Returns what a failure shows of the received value, where that is not all of it. */
  shows?(got: unknown): unknown
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The matchers that may replace a value in an expected body. control-api: "Scenarios" */
const matchers: Record<string, Matcher> = {
  $match: {
    problem: (value) =>
      typeof value === 'string' ? problemOfPattern(value) : 'must be a regular expression, as a string',
    fits: (value: string, got, path, until) => typeof got === 'string' && matchesUserPattern(value, got, path, until),
  },
  $type: {
    problem: (value) => (typeNames.includes(String(value)) ? undefined : `must be one of ${typeNames.join(', ')}`),
    fits: (value: string, got) => (value === 'integer' ? Number.isInteger(got) : typeOf(got) === value),
  },
  $absent: {
    problem: (value) => (value === true ? undefined : 'must be true'),
    fits: (_: true, got) => got === undefined,
  },
  $length: {
    problem: (value) =>
      Number.isInteger(value) && Number(value) >= 0 ? undefined : 'must be an integer of at least 0',
    fits: (value: number, got) => hasLength(got) && got.length === value,
    shows: (got) => (hasLength(got) ? { $length: got.length } : got),
  },
}

const hasLength = (value: unknown): value is string | unknown[] => typeof value === 'string' || Array.isArray(value)

function problemOfPattern(text: string): string | undefined {
  try {
    new RegExp(text, 'u')
    return undefined
  } catch (error) {
    return `must be a regular expression: ${(error as Error).message}`
  }
}

const isMatcher = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).some((key) => key.startsWith('$'))

export function matcherIssues(expected: unknown, at: Path): PathIssue[] {
  if (Array.isArray(expected)) return expected.flatMap((item, index) => matcherIssues(item, [...at, index]))
  if (!isObject(expected)) return []
  const known = Object.keys(matchers)
  const holdsMatchers = isMatcher(expected)
  return Object.entries(expected).flatMap(([key, value], index) => {
    const path = [...at, key]
    if (!holdsMatchers) return matcherIssues(value, path)
    // The value of a reference is checked during the run.
    const problem = (matcher: Matcher) => (hasReference(value) ? undefined : matcher.problem(value))
    const message = Object.hasOwn(matchers, key)
      ? problem(matchers[key] as Matcher)
      : `is not a matcher${index < MAX_ISSUES ? didYouMean(key, known) : ''}`
    return message === undefined ? [] : [{ path, message }]
  })
}

/**
 * Returns where `got` differs from the expected value. Of an object only the expected fields are compared; an array has
 * the same length and is compared item by item. @throws StepFailure for expressions that take too long.
 */
export function mismatches(expected: unknown, got: unknown): Mismatch[] {
  const found: Mismatch[] = []
  compare(expected, got, '', found, performance.now() + PATTERNS_TIMEOUT_MS)
  return found
}

function compare(expected: unknown, got: unknown, path: string, found: Mismatch[], until: number): void {
  if (isMatcher(expected)) {
    for (const [key, value] of Object.entries(expected)) {
      const { fits, shows = (all) => all } = matchers[key] as Matcher
      if (!fits(value as never, got, path, until)) return void found.push({ path, expected, got: shows(got) })
    }
  } else if (typeof expected !== 'object' || expected === null) {
    if (expected !== got) found.push({ path, expected, got })
  } else if (typeof got !== 'object' || got === null || Array.isArray(expected) !== Array.isArray(got)) {
    found.push({ path, expected, got })
  } else if (Array.isArray(expected) && Array.isArray(got) && got.length !== expected.length) {
    found.push({ path, expected: { $length: expected.length }, got: { $length: got.length } })
  } else {
    for (const [key, value] of Object.entries(expected)) {
      const part = Object.hasOwn(got, key) ? (got as Record<string, unknown>)[key] : undefined
      compare(value, part, path === '' ? key : `${path}.${key}`, found, until)
    }
  }
}

/** Real milliseconds for the expressions of an expected value together, since one that backtracks can take years. */
const PATTERNS_TIMEOUT_MS = 1000

/**
 * Returns true when a regular expression of a scenario matches the text at `path`.
 * @param until when it must have ended, as `performance.now()` says.
 * @throws StepFailure when it does not end in time, or is too large.
 */
function matchesUserPattern(pattern: string, text: string, path: string, until: number): boolean {
  const timeout = Math.max(1, Math.floor(until - performance.now()))
  try {
    // Only a script has a time limit. JSON is a literal of JavaScript.
    return runInThisContext(`new RegExp(${JSON.stringify(pattern)}, 'u').test(${JSON.stringify(text)})`, { timeout })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isSlow = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    const why = isSlow
      ? `was ended after ${PATTERNS_TIMEOUT_MS / 1000} s, on a text of ${text.length} characters: simplify its repetitions`
      : `cannot be run: ${message}`
    throw new StepFailure(`${path}: {"$match": ${inShort(pattern)}} ${why}`)
  }
}
