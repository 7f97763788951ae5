import { redactValue } from '../../emulator/journal/redact.js'
import { isObject } from '../../foundation/schema/is-object.js'

/** What was expected somewhere and is not there. */
export interface Mismatch {
  path: string
  expected: unknown
  /** Left out when there is nothing. */
  got?: unknown
}

/** A step that did not come to what it should. */
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

/** @throws StepFailure saying what was expected and what came instead, unless there is nothing to say. */
export function mustMatch(found: Mismatch[]): void {
  if (found.length === 0) return
  const shown = found.map(withoutSecrets)
  const sentences = shown.map(
    ({ path, expected, got }) => `${path}: expected ${inShort(expected)}, got ${inShort(got)}`,
  )
  throw new StepFailure(sentences.join('; '), shown)
}

/** What came is redacted as in the journal: a report goes into the logs of a CI. */
function withoutSecrets({ path, expected, got }: Mismatch): Mismatch {
  const name = path.split('.').at(-1) as string
  return { path, expected, got: (redactValue({ [name]: got }, (text) => text) as Record<string, unknown>)[name] }
}

/** A value that was expected or came, for people. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const length = isObject(value) && Object.keys(value).length === 1 ? value.$length : undefined
  return typeof length === 'number' ? `a length of ${length}` : JSON.stringify(value)
}

export function inShort(value: unknown): string {
  const text = inWords(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
