import { redactValue } from '../../emulator/journal/redact.js'
import { isObject } from '../../foundation/schema/is-object.js'

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
const MAX_SHOWN_CHARACTERS = 200

/** @throws StepFailure that names the mismatches, if there are any. */
export function mustMatch(found: Mismatch[]): void {
  if (found.length === 0) return
  const shown = found.map(withoutSecrets)
  const sentenceOf = ({ path, expected, got }: Mismatch) =>
    `${path}: expected ${inShort(expected)}, got ${inShort(got)}`
  throw new StepFailure(shown.map(sentenceOf).join('; '), shown)
}

/** Redacts the value as in the journal, since reports go into the logs of CI. */
function withoutSecrets({ path, expected, got }: Mismatch): Mismatch {
  const name = path.split('.').at(-1) as string
  return { path, expected, got: (redactValue({ [name]: got }, (text) => text) as Record<string, unknown>)[name] }
}

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const length = isObject(value) && Object.keys(value).length === 1 ? value.$length : undefined
  return typeof length === 'number' ? `a length of ${length}` : JSON.stringify(value)
}

export function inShort(value: unknown, most = MAX_SHOWN_CHARACTERS): string {
  const text = inWords(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
