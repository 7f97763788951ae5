import { MockademyError } from '../../foundation/schema/mockademy-error.js'

/** An audit that could not run: emulator or app unreachable, unknown app, bad file, interrupted. */
export class AuditFailure extends MockademyError {
  override readonly name = 'AuditFailure'
  readonly code = 'ERR_AUDIT'
}
