import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { connectAsRun } from '../../control/client/connect-as-run.js'
import type { Duration } from '../../foundation/schema/duration.js'
import { realDuration } from '../../foundation/schema/duration-schema.js'
import { checkOptionNames } from '../../foundation/schema/options.js'
import { catalogue } from './checks/catalogue.js'
import type { Severity } from './checks/check.js'
import { type AppUnderTest, findAppUnderTest, originsOf } from './context/app-under-test.js'
import { createContext } from './context/context.js'
import { AuditFailure } from './context/failures.js'
import { type AuditFile, type AuditFileInput, readAuditFile } from './context/file.js'
import { type AuditReport, type CheckResult, counts, reportOf, resultOf } from './report.js'
import { runChecks, select } from './run-checks.js'
import { removeLeftovers, restoreWorld, saveWorld } from './saved-world.js'

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

const optionNames: Record<keyof AuditOptions, true> = {
  url: true,
  adminToken: true,
  file: true,
  only: true,
  skip: true,
  failOn: true,
  bail: true,
  timeout: true,
  liberties: true,
  signal: true,
  onResult: true,
  onNote: true,
}

/**
 * Audits an app that runs, configured for a running emulator. Restores the world when it ends, however it ends.
 * audit: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, interrupted.
 * @throws InvalidOptionsError for options that do not exist.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const { signal = new AbortController().signal, failOn = 'medium' } = options
  checkOptionNames(options, Object.keys(optionNames))
  const timeout = timeoutOf(options.timeout)
  const ids = catalogue.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, ids)
  const checks = select(catalogue, options.only ?? [], options.skip ?? [])
  const run = `audit-${randomBytes(4).toString('hex')}`
  const admin = connectAsRun(options.url, run, { adminToken: options.adminToken })
  const world = await admin.world().catch((error: Error) => {
    const cause = (error.cause as NodeJS.ErrnoException | undefined)?.code
    throw new AuditFailure(
      `no response from the emulator at ${options.url} (${cause ?? error.message}); is it running?`,
    )
  })
  const app = await findAppUnderTest(admin, file.app)
  await mustListen(app, file)
  const removed = await removeLeftovers(admin)
  if (removed !== undefined) options.onNote?.(removed)

  // A check that outlives its time must not touch the world once it is restored.
  const closing = new AbortController()
  const ending = AbortSignal.any([signal, closing.signal])
  const timeIsUp = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout)
  // Every request under way listens to it.
  setMaxListeners(0, ending)
  const context = await createContext({ run, app, file, folder, admin, world, signal: ending })
  const results = new Map<string, CheckResult>()
  const snapshot = await saveWorld(admin)
  try {
    // They end with the world that is restored.
    if (options.liberties) await admin.setLiberties({ seed: options.liberties })
    const signals = { interrupted: ending, timeIsUp }
    await runChecks(checks, context, signals, (check, verdict) => {
      const result = resultOf(check, verdict, file.accept[check.id], context.secrets)
      results.set(check.id, result)
      options.onResult?.(result)
      return options.bail === true && counts(result, failOn)
    })
  } finally {
    closing.abort()
    await restoreWorld(admin, snapshot, context.platform.made)
  }
  if (signal.aborted) throw new AuditFailure('interrupted; the world has been restored')
  const inOrder = checks.flatMap(({ id }) => results.get(id) ?? [])
  return reportOf(app.id, inOrder, failOn)
}

/** @throws AuditFailure for what is no duration. */
function timeoutOf(given: Duration | undefined): number | undefined {
  const { data, error } = realDuration.optional().safeParse(given)
  if (error) throw new AuditFailure(`timeout: ${error.issues[0]?.message}`)
  return data
}

/** @throws AuditFailure when nothing listens where the app should be. */
async function mustListen(app: AppUnderTest, file: AuditFile): Promise<void> {
  const origins = originsOf(app, file)
  if (origins.length === 0) throw new AuditFailure(`app: the manifest of ${app.id} declares no URL to audit`)
  const listening = await Promise.all(origins.map(isListening))
  if (listening.some(Boolean)) return
  throw new AuditFailure(`nothing listens at ${origins.join(' or ')}; is the app running?`)
}

const isListening = (origin: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port, protocol } = new URL(origin)
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connectSocket({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: 15_000 })
    const end = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
