/** The end of a command that did not do what it was asked to: what to say on standard error, and the exit status. */
export class CommandFailure extends Error {
  /** @param exitStatus control-api: "CLI"; 2 is for what the caller wrote, 1 for what the world around it did. */
  constructor(
    readonly exitStatus: number,
    message: string,
  ) {
    super(message)
    this.name = 'CommandFailure'
  }
}
