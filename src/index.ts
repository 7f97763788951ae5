import type { AuditOptions } from './programs/audit/audit.js'
import type { AuditReport } from './programs/audit/report.js'
import type { SweepOptions } from './programs/sweep/options.js'
import type { SweepReport } from './programs/sweep/report.js'

export type { Admin } from './control/client/admin.js'
export { type ConnectOptions, connect } from './control/client/connect.js'
export { AdminError, type Problem, UnreachableError } from './control/client/errors.js'
export type { StreamEvent, StreamOptions } from './control/client/event-stream.js'
export type { FixtureDocument } from './control/fixtures/document.js'
export type { Fixtures } from './control/fixtures/fixture-sources.js'
export type { ReportOptions } from './control/run-report/run-report.js'
export { InvalidFixturesError } from './control/start/invalid-fixtures-error.js'
export { type Emulator, type StartOptions, startEmulator } from './control/start/start-emulator.js'
export type { Issue } from './foundation/schema/issue.js'
export { MockademyError } from './foundation/schema/mockademy-error.js'
export { InvalidOptionsError } from './foundation/schema/options.js'
export { StartError } from './foundation/store/start-error.js'
export { AuditFailure } from './programs/audit/app/failures.js'
export type { AuditFileInput } from './programs/audit/app/file.js'
export type { AuditOptions } from './programs/audit/audit.js'
export type { Severity } from './programs/audit/checks/check.js'
export type { AuditReport, CheckResult, Outcome } from './programs/audit/report.js'
export type { SweepOptions } from './programs/sweep/options.js'
export type { CaseResult, FlowResult, SweepReport } from './programs/sweep/report.js'

/**
 * Audits a running app that is configured for a running emulator, and restores the emulator's world afterwards.
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, invalid file, interrupted.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @example
 * const report = await audit({ url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', failOn: 'high' })
 * for (const { id, outcome, message } of report.checks) console.log(id, outcome, message)
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  // Imported lazily: a start does not need it.
  return (await import('./programs/audit/audit.js')).audit(options)
}

/**
 * Runs the flows of a running app repeatedly, each time with one failure injected at one point, and reports those from
 * which the app does not recover. Restores the emulator's world afterwards.
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, invalid file, a flow that fails
 *   without any injected failure.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 * @example
 * const report = await sweep({ url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', flow: ['refresh'] })
 * for (const { cases } of report.flows) for (const { id, verdict } of cases) console.log(id, verdict)
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  // Imported lazily: a start does not need it.
  return (await import('./programs/sweep/sweep.js')).sweep(options)
}
