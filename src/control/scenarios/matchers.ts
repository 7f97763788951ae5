import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Path } from '../../foundation/schema/issue.js'
import { MOST_ISSUES } from '../../foundation/schema/schema-issues.js'
import { hasReference } from './references.js'
import type { Mismatch } from './step-failure.js'
import { matchesUserPattern } from './user-patterns.js'

interface Matcher {
  /** Why its value makes no sense; undefined when it does. */
  problem(value: unknown): string | undefined
  fits(value: never, got: unknown, path: string): boolean | Promise<boolean>
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** What may stand in place of a value in an expected body. control-api: "Scenarios" */
const matchers: Record<string, Matcher> = {
  $match: {
    problem: (value) =>
      typeof value === 'string' ? problemOfPattern(value) : 'must be a regular expression, as a string',
    fits: (value: string, got, path) => typeof got === 'string' && matchesUserPattern(value, got, path),
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
    fits: (value: number, got) => (typeof got === 'string' || Array.isArray(got)) && got.length === value,
  },
}

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

/** What is wrong with the matchers in an expected value. */
export function matcherIssues(expected: unknown, at: Path): { path: Path; message: string }[] {
  if (Array.isArray(expected)) return expected.flatMap((item, index) => matcherIssues(item, [...at, index]))
  if (!isObject(expected)) return []
  const known = Object.keys(matchers)
  const holdsMatchers = isMatcher(expected)
  return Object.entries(expected).flatMap(([key, value], index) => {
    const path = [...at, key]
    if (!holdsMatchers) return matcherIssues(value, path)
    // What a reference stands for is looked at when it is known.
    if (hasReference(value)) return []
    const message = Object.hasOwn(matchers, key)
      ? (matchers[key] as Matcher).problem(value)
      : `is not a matcher${index < MOST_ISSUES ? didYouMean(key, known) : ''}`
    return message === undefined ? [] : [{ path, message }]
  })
}

/**
 * Where `got` is not what was expected. Of an object only the fields that are expected count; an array is compared item
 * by item and has the same length. Rejects with a StepFailure for an expression that takes too long.
 */
export async function mismatches(expected: unknown, got: unknown, path = ''): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  await compare(expected, got, path, found)
  return found
}

async function compare(expected: unknown, got: unknown, path: string, found: Mismatch[]): Promise<void> {
  if (isMatcher(expected)) {
    for (const [key, value] of Object.entries(expected)) {
      if (!(await (matchers[key] as Matcher).fits(value as never, got, path)))
        return void found.push({ path, expected, got })
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
      await compare(value, part, path === '' ? key : `${path}.${key}`, found)
    }
  }
}
