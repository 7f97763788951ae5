/** What a refused control call says of itself: RFC 9457. control-api: rule 3 */
export interface Problem {
  type?: string
  title?: string
  status?: number
  detail?: string
  /** What is wrong with which field. */
  errors?: { path: string; message: string }[]
}

/** A control call that was refused. Its `message` says why, with every field that is wrong. */
export class AdminError extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail ?? problem.title ?? `The control API answered ${status}`)
    this.name = 'AdminError'
  }
}

/** No emulator answered at `url`; `cause` is the error of the connection, where there was one. */
export class UnreachableError extends Error {
  constructor(
    readonly url: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`No emulator answers at ${url}: ${reason}`, options)
    this.name = 'UnreachableError'
  }
}
