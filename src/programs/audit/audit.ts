import type { Duration } from '../../foundation/schema/duration.js'
import { checkOptions, checkUrl, InvalidOptionsError, type OptionKinds } from '../../foundation/schema/options.js'
import { durationOption } from '../../foundation/schema/schema-words.js'
import { AuditFailure } from './app/failures.js'
import { type AuditFileInput, readAuditFile } from './app/file.js'
import { mayHoldSecret, plainToken } from './app/secrets.js'
import { catalog } from './checks/catalog.js'
import { type Severity, severities, type Verdict } from './checks/check.js'
import { inSavedWorld } from './in-saved-world.js'
import { type AuditReport, type CheckResult, failsRun, namingCause, reportOf, resultOf, withCauses } from './report.js'
import { runChecks, select } from './run-checks.js'

/**
 * Options of `audit`.
 * @example
 * const options: AuditOptions = { url: 'http://127.0.0.1:4600', file: { app: 'notes' }, only: ['webhook.*'] }
 */
export interface AuditOptions {
  /** Address of a running emulator. */
  url: string
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
  /** The audit's file: its path or its content. */
  file: AuditFileInput | string
  /** Folder for the paths in a file given by its content, and for its `restart`; the working folder when left out. */
  folder?: string | undefined
  /** Globs of check ids to run; every check when left out. */
  only?: string[]
  /** Globs of check ids not to run. */
  skip?: string[]
  /** The least severity that makes the audit fail; `medium` when left out. */
  failOn?: Severity
  /** Stops at the first failure; the result of a check that has not run by then is `skip`. */
  bail?: boolean
  /** Ends the run after this real time; what was not reached is inconclusive. Milliseconds, or text such as `5m`. */
  timeout?: Duration
  /** Seed of the liberties that the emulator takes during the run; as it is set when left out. */
  liberties?: string | undefined
  /** Ends the run early; the world is restored all the same, and the audit rejects. */
  signal?: AbortSignal
  /** Called with each result as it comes. */
  onResult?: (result: CheckResult) => void
  /** Called with what was done beside the checks, such as the removal of what a killed audit has left. */
  onNote?: (note: string) => void
}

const optionKinds: OptionKinds<AuditOptions> = {
  ...{ url: undefined, adminToken: 'string', file: undefined, folder: 'string', only: 'strings', skip: 'strings' },
  ...{ failOn: undefined, bail: 'boolean', timeout: undefined, liberties: 'string', signal: 'signal' },
  ...{ onResult: 'function', onNote: 'function' },
}

/**
 * Audits an app that runs, configured for a running emulator. Restores the world when it ends, however it ends.
 * audit: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, interrupted.
 * @throws InvalidOptionsError for options that do not exist or have invalid values.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  checkOptions(options, optionKinds)
  checkUrl(options.url)
  const { failOn = 'medium', signal } = options
  if (!severities.includes(failOn)) {
    throw new InvalidOptionsError([{ path: 'failOn', message: `must be one of ${severities.join(', ')}` }])
  }
  const timeout = durationOption('timeout', options.timeout)
  if (timeout === 0) throw new InvalidOptionsError([{ path: 'timeout', message: 'must be at least 1 ms' }])
  const ids = catalog.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, ids, options.folder)
  const checks = select(catalog, options.only ?? [], options.skip ?? [])
  const timeIsUp = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout)
  const results = new Map<string, CheckResult>()
  const app = await inSavedWorld({ ...options, kind: 'audit', file, folder }, async (context) => {
    const { seed: libertySeed } = await context.platform.admin.getLiberties()
    const secretForm = libertySeed === null ? plainToken : mayHoldSecret
    await runChecks(checks, context, timeIsUp, async (check, judged, earlier) => {
      const accepted = file.accept[check.id]
      const verdict = withFailure(judged, earlier, accepted)
      const { message, seen, sent } = verdict
      const quoted = [message, seen, sent?.url, sent?.response.body].join('\n')
      // The app may have shown a secret that it got by itself. Reading the state takes long in a large world.
      if (secretForm.test(context.secrets.redact(quoted))) await context.platform.learnSecrets()
      const result = resultOf(check, verdict, accepted, context.secrets)
      results.set(check.id, result)
      if (verdict !== judged) options.onNote?.(`${check.id} passed only when it was repeated: ${result.message}`)
      options.onResult?.(namingCause(result))
      return options.bail === true && failsRun(result, failOn)
    })
    return context.app
  })
  if (signal?.aborted) throw new AuditFailure('interrupted; the world has been restored')
  const inOrder = checks.flatMap(({ id }) => results.get(id) ?? [])
  return reportOf(app.id, withCauses(inOrder, checks).map(namingCause), failOn)
}

/** Returns a verdict that says how the check failed before it was repeated. An accepted failure, which need not come each time, stays. */
function withFailure(verdict: Verdict, earlier: Verdict | undefined, accepted: string | undefined): Verdict {
  if (earlier?.outcome !== 'fail' || verdict.outcome !== 'pass') return verdict
  if (accepted !== undefined) return earlier
  return { ...verdict, message: `${verdict.message}; failed at first: ${earlier.message}` }
}
