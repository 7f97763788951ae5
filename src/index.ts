import type { AuditOptions } from './programs/audit/audit.js'
import type { AuditReport } from './programs/audit/report.js'

export { type Admin, type ConnectOptions, connect } from './control/client/connect.js'
export { AdminError, type Problem, UnreachableError } from './control/client/errors.js'
export type { FixtureDocument } from './control/fixtures/document.js'
export { InvalidFixturesError } from './control/start/invalid-fixtures-error.js'
export type { StartOptions } from './control/start/launch-options.js'
export { type Emulator, startEmulator } from './control/start/start-emulator.js'
export { MockademyError } from './foundation/schema/mockademy-error.js'
export { InvalidOptionsError } from './foundation/schema/options.js'
export { StartError } from './foundation/store/start-error.js'
export type { AuditOptions } from './programs/audit/audit.js'
export { AuditFailure } from './programs/audit/context/failures.js'
export type { AuditFileInput } from './programs/audit/context/file.js'
export type { AuditReport, CheckResult, Outcome } from './programs/audit/report.js'

/**
 * Audits an app that runs, configured for a running emulator; a suite can have one test a check of the result.
 * audit: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, interrupted.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  // Imported late: who starts an emulator must not wait for it.
  return (await import('./programs/audit/audit.js')).audit(options)
}
