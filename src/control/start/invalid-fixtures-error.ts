import { Refusal } from '../../foundation/http/refusal.js'
import type { Issue } from '../../foundation/schema/issue.js'

/** Fixtures that cannot be read, or hold something that is not valid. Its `message` lists every issue. */
export class InvalidFixturesError extends Error {
  constructor(
    /** In a few words, without the issues. */
    readonly summary: string,
    /** What is wrong and where: the file, if any, and the dotted path in it. */
    readonly issues: Issue[],
  ) {
    super([summary, ...issues.map(({ path, message }) => `  ${path}${path ? ': ' : ''}${message}`)].join('\n'))
    this.name = 'InvalidFixturesError'
  }
}

/** Runs what reads or loads fixtures. @throws InvalidFixturesError where that refuses. */
export async function namingFixtures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw new InvalidFixturesError(error.message, error.details ?? [])
    throw error
  }
}
