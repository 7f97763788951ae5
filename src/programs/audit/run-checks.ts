import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import { capitalized } from '../reports/capitalized.js'
import { AuditFailure, Consequence, Inconclusive } from './app/failures.js'
import { type Check, fail, skip, type Verdict } from './checks/check.js'
import { awaitQueue, concurrencyFor } from './context/concurrency.js'
import type { AuditContext } from './context/context.js'
import { mustRespond } from './context/response-gate.js'
import { inParallel } from './timing/in-parallel.js'

/** Most of their time is waiting. */
const CONCURRENT_CHECKS = 8
/** Limit for repeating checks. If they take longer, the app is slow and not the machine. */
const MAX_REPEATING_MS = 60_000
const SLOW_RESPONSE_MS = 2_000

/** Returns true for a glob of check ids or of case ids, in which `*` does not cross a `/`. */
export function matchesId(glob: string, id: string): boolean {
  const [patterns, parts] = [glob.split('/'), id.split('/')]
  return (
    patterns.length === parts.length && patterns.every((pattern, index) => matchesPath(pattern, parts[index] ?? ''))
  )
}

/** @param only globs; every id when empty. */
export const isSelected = (id: string, only: string[], skip: string[]): boolean =>
  (only.length === 0 || only.some((glob) => matchesId(glob, id))) && !skip.some((glob) => matchesId(glob, id))

/** Selects checks by globs. @throws AuditFailure for a glob that matches none, and when no check is left. */
export function select(catalog: readonly Check[], only: string[], skip: string[]): Check[] {
  // A typo must not pass for a passed audit.
  const unknown = [...only, ...skip].find((glob) => !catalog.some(({ id }) => matchesId(glob, id)))
  if (unknown !== undefined) {
    throw new AuditFailure(`there is no check ${JSON.stringify(unknown)}; see mockademy audit --list`)
  }
  const selected = catalog.filter(({ id }) => isSelected(id, only, skip))
  if (selected.length === 0) throw new AuditFailure('no checks to run: skip excludes every check that only selects')
  return selected
}

/**
 * Runs the checks: those that share the app side by side, then the others. A check that an interruption ends has no result.
 * @param timeIsUp ends the run: checks that have not ended are inconclusive. @param onVerdict returns true to stop; `earlier` is the first verdict of a check to be repeated; `verdict` itself if it was not.
 */
export async function runChecks(
  checks: Check[],
  context: AuditContext,
  timeIsUp: AbortSignal,
  onVerdict: (check: Check, verdict: Verdict, earlier?: Verdict) => boolean | Promise<boolean>,
): Promise<void> {
  const { signal: interrupted } = context
  let isStopped = false
  const doubtful: { check: Check; verdict: Verdict }[] = []
  let repeatedFor = 0
  const ending = AbortSignal.any([interrupted, timeIsUp])
  // A single check waits for the app by itself.
  const guarded = (check: Check): Check =>
    checks.length === 1 ? check : { ...check, run: () => mustRespond(check, context).then(() => check.run(context)) }
  /** Runs a check, or decides without running it. @param earlier its doubtful verdict, which stands if it cannot be repeated. */
  const decide = async (check: Check, earlier?: Verdict): Promise<Verdict> => {
    if (earlier && (isStopped || timeIsUp.aborted || repeatedFor >= MAX_REPEATING_MS)) return earlier
    const reason = isStopped ? 'not run after a failure (--bail)' : skipReason(check, context)
    if (reason !== undefined) return skip(capitalized(reason))
    if (check.order || earlier) await awaitQueue(context, ending).catch(() => undefined)
    if (timeIsUp.aborted) return earlier ?? outOfTime('reached')
    const verdict = unlessLimited(check, await verdictOf(guarded(check), context, ending), context)
    return earlier && timeIsUp.aborted ? earlier : verdict
  }
  const runOne = async (check: Check, earlier?: Verdict) => {
    if (interrupted.aborted) return
    const verdict = await decide(check, earlier)
    if (interrupted.aborted) return
    if (!earlier && isDoubtful(verdict) && repeatedFor < MAX_REPEATING_MS) doubtful.push({ check, verdict })
    else if (await onVerdict(check, verdict, earlier)) isStopped = true
  }
  const repeat = async () => {
    for (const { check, verdict } of doubtful.splice(0)) {
      const begun = performance.now()
      await runOne(check, verdict)
      repeatedFor += performance.now() - begun
    }
  }

  const queue = checks.filter(({ order }) => !order)
  const atOnce = queue.length > 1 ? await concurrencyFor(context, CONCURRENT_CHECKS, ending) : 1
  /** Requests each address before a check beside it can make the app hang. */
  const requestAddresses = () => {
    const running = queue.filter((check) => skipReason(check, context) === undefined)
    return Promise.all(running.map((check) => mustRespond(check, context).catch(() => undefined)))
  }
  if (queue.length > 1 && !ending.aborted) await Promise.race([requestAddresses(), once(ending, 'abort')])
  await inParallel(queue, atOnce, (check) => runOne(check))
  await repeat()
  for (const order of ['alone', 'last'] as const) {
    for (const check of checks) if (check.order === order) await runOne(check).then(repeat)
  }
}

/** Names what is needed and not declared; undefined when nothing is missing. audit: "Rules" 3 */
export function skipReason(
  { needs }: Pick<Check, 'needs'>,
  { app, file }: Pick<AuditContext, 'app' | 'file'>,
): string | undefined {
  const declared = { ...file, ...app.parts }
  const absent = needs.filter((need) => declared[need] === undefined)
  const documents = {
    manifest: absent.filter((need) => need in app.parts),
    'audit file': absent.filter((need) => !(need in app.parts)),
  }
  const texts = Object.entries(documents).flatMap(([document, names]) =>
    names.length > 0 ? [`the ${document} does not declare ${names.map((name) => `"${name}"`).join(' and ')}`] : [],
  )
  return texts.length > 0 ? texts.join(', and ') : undefined
}

/** Returns true for a verdict that a busy machine may have caused: such a check is repeated once, alone. */
const isDoubtful = ({ outcome, late, sent }: Verdict): boolean =>
  (outcome === 'inconclusive' && late !== false) ||
  (outcome === 'fail' && (late ?? (sent !== undefined && (sent.status === null || sent.duration > SLOW_RESPONSE_MS))))

const outOfTime = (what: 'reached' | 'finished'): Verdict => ({
  outcome: 'inconclusive',
  message: `Not ${what} before the time of the audit was over (timeout)`,
  late: false,
})

async function verdictOf(check: Check, context: AuditContext, ending: AbortSignal): Promise<Verdict> {
  const done = new AbortController()
  const deadline = timeOut(context, AbortSignal.any([ending, done.signal])).catch((error: unknown) => {
    if (error instanceof Inconclusive) throw error
    return outOfTime('finished')
  })
  const judge = async () => {
    const verdict = await check.run(context)
    if (verdict.outcome === 'pass') await check.control?.(context)
    return verdict
  }
  try {
    return await Promise.race([judge(), deadline])
  } catch (error) {
    if (error instanceof AuditFailure) throw error
    const message = capitalized((error as Error).message)
    if (error instanceof Consequence) return fail(message, error.evidence)
    return { outcome: 'inconclusive', message, ...(error instanceof Inconclusive && error.evidence) }
  } finally {
    done.abort()
  }
}

/** Returns a verdict; inconclusive when it rests on a response with which the app limits how often the audit calls it. */
function unlessLimited({ acceptsLimit }: Check, verdict: Verdict, { addresses }: AuditContext): Verdict {
  const { outcome, sent } = verdict
  if (outcome === 'pass' || sent?.status !== 429 || acceptsLimit) return verdict
  const { origin, pathname } = new URL(sent.url)
  if (addresses.platform.includes(origin)) return verdict
  const message = `The app limits how often it is called: ${sent.method} ${pathname} returned 429. Lift its limit for the audit`
  return { ...verdict, outcome: 'inconclusive', message, late: false }
}

/** Waits for the time that a check may take. @throws Inconclusive when it is over, AbortError when the signal aborts. */
async function timeOut({ patience }: AuditContext, signal: AbortSignal): Promise<never> {
  const begun = performance.now()
  for (let left = patience.checkTimeout(); left > 0; left = patience.checkTimeout() + begun - performance.now()) {
    await pause(left, undefined, { signal })
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  throw new Inconclusive(`the check did not end within ${seconds} s`, { late: false })
}
