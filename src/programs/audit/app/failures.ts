import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { MockademyError } from '../../../foundation/schema/mockademy-error.js'

/**
 * An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted.
 * @example
 * await audit({ url, file: { app: 'none' } }) // AuditFailure: app: there is no app "none"
 */
export class AuditFailure extends MockademyError {
  static override readonly name: string = 'AuditFailure'
  readonly code = 'ERR_AUDIT'
}

/** Proof of a verdict. */
export interface Evidence {
  /** The request that shows it. */
  sent?: GuardedExchange | undefined
  /** The behavior of the app, beyond its response to `sent`. */
  seen?: string | undefined
  /** Ids of journal entries. */
  entries?: number[] | undefined
  /** True for a verdict about time, which a busy machine may have caused; false where trying again is no use. */
  late?: boolean | undefined
  /** Id of the check whose failure explains this one. audit: "Rules of a fair audit" 4b */
  followsFrom?: string | undefined
}

/** Ends a check before its verdict. */
class CheckEnd extends Error {
  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message)
  }
}

/** Ends a check as inconclusive, usually because its positive twin failed. audit: "Rules of a fair audit" 1 */
export class Inconclusive extends CheckEnd {}

/** Another check's failure explains why this one cannot pass. audit: "Rules of a fair audit" 4b */
export class Consequence extends CheckEnd {
  constructor(followsFrom: string, message: string, evidence?: Evidence) {
    super(message, { ...evidence, followsFrom, late: false })
  }
}
