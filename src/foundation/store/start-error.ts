/** Why an emulator does not start, in words for the person who started it. control-api: "CLI" */
export class StartError extends Error {
  constructor(
    /** What the command exits with: 1 when the port is taken, 2 for invalid input. */
    readonly exitStatus: 1 | 2,
    message: string,
  ) {
    super(message)
    this.name = 'StartError'
  }
}
