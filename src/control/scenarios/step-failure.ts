import { createRedactor, type Redactor } from '../../emulator/journal/known-secrets.js'
import { redactValue } from '../../emulator/journal/redact.js'
import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'

export interface Mismatch {
  path: string
  expected: unknown
  /** Left out when there is no value. */
  got?: unknown
}

export class StepFailure extends Error {
  constructor(
    message: string,
    readonly mismatches: Mismatch[] = [],
  ) {
    super(message)
    this.name = 'StepFailure'
  }
}

const MAX_SHOWN_CHARACTERS = 200

/** @throws StepFailure that names the mismatches without the secrets of the world. */
export function mustMatch(found: Mismatch[], world: Pick<World, 'store' | 'settings'>): void {
  if (found.length === 0) return
  const redact = createRedactor(world)
  // Redacts before long values are truncated, since a part of a secret cannot be recognized.
  const shown = found.map((mismatch) => redactMismatch(mismatch, redact))
  const sentenceOf = ({ path, expected, got }: Mismatch) =>
    `${path}: expected ${inShort(expected)}, got ${inShort(got)}`
  throw new StepFailure(shown.map(sentenceOf).join('; '), shown)
}

/** Redacts the value as in the journal, since reports go into the logs of CI. */
function redactMismatch({ path, expected, got }: Mismatch, redact: Redactor): Mismatch {
  const name = path.split('.').at(-1) as string
  const [shown] = Object.values(redactValue({ [name]: got }, redact) as object)
  // A reference may have brought a secret into what is expected.
  return { path, expected: redactValue(expected, redact), got: shown }
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
