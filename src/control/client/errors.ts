import { MockademyError } from '../../foundation/schema/mockademy-error.js'

/** The body of a refused control call (RFC 9457). */
export interface Problem {
  type?: string
  title?: string
  status?: number
  detail?: string
  /** The invalid fields. */
  errors?: { path: string; message: string }[]
}

/**
 * A control call that was refused. Its `message` gives the reason, with every invalid field.
 * @example
 * await admin.getOrganization('none').catch(({ status }) => status) // 404
 */
export class AdminError extends MockademyError {
  static override readonly name: string = 'AdminError'
  readonly code = 'ERR_CALL_REFUSED'

  constructor(
    /** The HTTP status. */
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail ?? problem.title ?? `The control API responded with ${status}`)
  }
}

/** Returns the error of a refused call. @param token the one that was sent, if any. */
export function adminErrorOf(status: number, problem: Problem, token: string | undefined): AdminError {
  if (status !== 401) return new AdminError(status, problem)
  const detail = `The control API ${token === undefined ? 'requires an' : 'rejected the'} admin token`
  return new AdminError(status, { ...problem, detail })
}

/** Reads the JSON of a response. @throws UnreachableError for that of another program. */
export function parseResponse(url: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreachableError(url, `the server there (it responded with status ${status}) is not Mockademy`)
  }
}

/**
 * No emulator responded at `url`; `cause` is the error of the connection, if there was one.
 * @example
 * await connect('http://127.0.0.1:4600').health().catch(({ code }) => code) // ERR_UNREACHABLE
 */
export class UnreachableError extends MockademyError {
  static override readonly name: string = 'UnreachableError'
  readonly code = 'ERR_UNREACHABLE'

  constructor(
    readonly url: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`No emulator answers at ${url}: ${reason}`, options)
  }
}
