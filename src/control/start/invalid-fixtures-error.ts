import { Refusal } from '../../foundation/http/refusal.js'
import type { Issue } from '../../foundation/schema/issue.js'
import { MockademyError } from '../../foundation/schema/mockademy-error.js'

/**
 * Fixtures that cannot be read or are not valid. Its `message` lists every issue.
 * @example
 * await startEmulator({ fixtures: { users: [{ email: 'ada' }] } }) // … users.0.email: must be an email address
 */
export class InvalidFixturesError extends MockademyError {
  static override readonly name: string = 'InvalidFixturesError'
  readonly code = 'ERR_INVALID_FIXTURES'

  constructor(
    /** The message without the issues. */
    readonly summary: string,
    /** Each issue's `path` is the file, if any, and the dotted path in it. */
    readonly issues: Issue[],
  ) {
    super([summary, ...issues.map(({ path, message }) => `  ${path}${path ? ': ' : ''}${message}`)].join('\n'))
  }
}

/** Runs `work`, turning refusals into `InvalidFixturesError`. */
export async function asFixtureErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw new InvalidFixturesError(error.message, error.details ?? [])
    throw error
  }
}
