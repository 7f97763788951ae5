import { redactValue } from '../../emulator/journal/redact.js'
import { isObject } from '../../foundation/schema/is-object.js'

/** A value that differs from the expected one. */
export interface Mismatch {
  path: string
  expected: unknown
  /** Left out when there is no value. */
  got?: unknown
}

/** Thrown by a step whose result is not as expected. */
export class StepFailure extends Error {
  constructor(
    message: string,
    readonly mismatches: Mismatch[] = [],
  ) {
    super(message)
    this.name = 'StepFailure'
  }
}

/** Characters of a value that a message shows. */
const LONGEST = 200

/** @throws StepFailure that names the mismatches, if there are any. */
export function mustMatch(found: Mismatch[]): void {
  if (found.length === 0) return
  const shown = found.map(withoutSecrets)
  const sentences = shown.map(
    ({ path, expected, got }) => `${path}: expected ${inShort(expected)}, got ${inShort(got)}`,
  )
  throw new StepFailure(sentences.join('; '), shown)
}

/** Redacts the value as in the journal, since reports go into the logs of CI. */
function withoutSecrets({ path, expected, got }: Mismatch): Mismatch {
  const name = path.split('.').at(-1) as string
  return { path, expected, got: (redactValue({ [name]: got }, (text) => text) as Record<string, unknown>)[name] }
}

/** Returns a value in words, for a report. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const length = isObject(value) && Object.keys(value).length === 1 ? value.$length : undefined
  return typeof length === 'number' ? `a length of ${length}` : JSON.stringify(value)
}

/** Returns a value in words, truncated for a message. */
export function inShort(value: unknown): string {
  const text = inWords(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
