/**
 * A pull or comparison that cannot go on. Its message is ours alone: nothing of a response, a credential or a person is
 * ever in it, and it has no `cause`, because errors of an HTTP client hold the headers that were sent.
 */
export class PlatformFailure extends Error {
  /** @param exitStatus 1: the platform could not be read; 2: wrong use. real-platform: "Exit 0, 1 …, 2" */
  constructor(
    readonly exitStatus: 1 | 2,
    message: string,
  ) {
    super(message)
    this.name = 'PlatformFailure'
  }
}
