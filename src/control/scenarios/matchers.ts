import { Worker } from 'node:worker_threads'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Path } from '../../foundation/schema/issue.js'
import { MAX_ISSUES, type PathIssue } from '../../foundation/schema/schema-issues.js'
import { hasReference } from './references.js'
import { inShort, type Mismatch, StepFailure } from './step-failure.js'

interface Matcher {
  /** Returns what is wrong with the matcher's value; undefined when it is valid. */
  problem(value: unknown): string | undefined
  fits(value: never, got: unknown, path: string): boolean | Promise<boolean>
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
 * the same length and is compared item by item. Rejects with a StepFailure for an expression that takes too long.
 */
export async function mismatches(expected: unknown, got: unknown, path = ''): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  await compare(expected, got, path, found)
  return found
}

async function compare(expected: unknown, got: unknown, path: string, found: Mismatch[]): Promise<void> {
  if (isMatcher(expected)) {
    for (const [key, value] of Object.entries(expected)) {
      const { fits, shows = (all) => all } = matchers[key] as Matcher
      if (!(await fits(value as never, got, path))) return void found.push({ path, expected, got: shows(got) })
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

/** Real milliseconds for an expression, since one that backtracks can block its thread for years. */
const PATTERN_TIMEOUT_MS = 1000

const source = `
const { parentPort, workerData: { pattern, text } } = require('node:worker_threads')
parentPort.postMessage(new RegExp(pattern, 'u').test(text))
`

/**
 * Returns true when a regular expression of a scenario matches the text at `path`. It runs in a thread of its own.
 * @throws StepFailure when it does not end in time, or is too large.
 */
function matchesUserPattern(pattern: string, text: string, path: string): Promise<boolean> {
  const worker = new Worker(source, { eval: true, workerData: { pattern, text } })
  // The time to start the thread does not count, as it is long on a machine under load.
  worker.once('online', () => {
    AbortSignal.timeout(PATTERN_TIMEOUT_MS).addEventListener('abort', () => void worker.terminate())
  })
  const fail = (why: string) => new StepFailure(`${path}: {"$match": ${inShort(pattern)}} ${why}`)
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', ({ message }) => reject(fail(`cannot be run: ${message}`)))
    worker.once('exit', () =>
      reject(
        fail(
          `was ended after ${PATTERN_TIMEOUT_MS / 1000} s, on a text of ${text.length} characters: simplify its repetitions`,
        ),
      ),
    )
  })
}
