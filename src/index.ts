import type { AuditOptions } from './audit/audit.js'
import type { AuditReport } from './audit/report.js'

export type { AuditOptions } from './audit/audit.js'
export { AuditFailure } from './audit/audit-failure.js'
export type { AuditFileInput } from './audit/file.js'
export type { AuditReport, CheckResult, Outcome } from './audit/report.js'
export { type Admin, type ConnectOptions, connect } from './client/connect.js'
export { AdminError, type Problem, UnreachableError } from './client/errors.js'
export type { FixtureDocument } from './fixtures/document.js'
export { InvalidFixturesError } from './start/invalid-fixtures-error.js'
export type { StartOptions } from './start/launch-options.js'
export { type Emulator, startEmulator } from './start/start-emulator.js'
export { StartError } from './store/start-error.js'
export { InvalidSettingsError } from './world/settings.js'

/**
 * Audits an app that runs, configured for a running emulator; a suite can have one test a check of the result.
 * audit: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, interrupted.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  // Imported late: who starts an emulator must not wait for it.
  return (await import('./audit/audit.js')).audit(options)
}
