import type * as z from 'zod'
import { ANY_RUN } from '../../emulator/world/run.js'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import { clearTimeout, pause, performance, setTimeout } from '../../foundation/time/real-timers.js'
import type { CallResult } from '../admin/calls.js'
import type { stepBodies } from '../admin/scenario-schemas.js'
import type { ScenarioContext } from './scenario.js'
import { StepFailure } from './step-failure.js'

type Expected<K extends keyof typeof stepBodies> = z.output<(typeof stepBodies)[K]>
type Count = Expected<'expect_requests'>['count']
type Entry = CallResult<'listRequests'>[number]

/** The moment after which requests and deliveries count: the beginning of the scenario, or its last `mark`. */
interface Baseline {
  since: number
  /** Number of attempts of each event: with a seed, ids of deliveries repeat after a reset or restore. */
  attempts: ReadonlyMap<string, number>
  hasVisit: boolean
}

export interface Progress {
  baseline: Baseline
  /** Results by the names and kinds of steps. */
  results: Map<string, unknown>
}

export const newestEntry = async ({ call }: ScenarioContext): Promise<number> =>
  (await call('listRequests', { query: { limit: 1 } }))[0]?.id ?? 0

/** Returns true for a control call of a step. The journal has those when the setting `journal_admin` is on. */
export const isOwnCall = ({ surface, sender }: Entry): boolean => surface === 'admin' && sender === 'scenario'

export async function baselineNow(context: ScenarioContext): Promise<Baseline> {
  const deliveries = await context.call('listDeliveries')
  return {
    since: await newestEntry(context),
    attempts: new Map(deliveries.map(({ event, attempts }) => [event.id, attempts.length])),
    hasVisit: false,
  }
}

const describeRange = (min: number, max: number): string => {
  if (min === max) return String(min)
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`
}

const UNVISITED = '. The app has sent no request: if a visit to it is the cause, add the visit before'
/** Returns true unless the app sent the request, or did not acknowledge the webhook that it is. */
const isOfOthers = ({ surface, sender, status }: Entry): boolean =>
  sender !== undefined || surface === 'admin' || (surface === 'webhook' && status !== null && status < 300)

/** Waits until a count is as expected. @param within real milliseconds. @throws StepFailure when it never is */
async function waitForCount(
  count: Count,
  within: number,
  what: string,
  { baseline: { since, hasVisit } }: Progress,
  context: ScenarioContext,
  look: () => Promise<number>,
): Promise<{ count: number }> {
  const { min = 0, max = Number.POSITIVE_INFINITY } = typeof count === 'number' ? { min: count, max: count } : count
  let got = 0
  const isEnough = async () => {
    got = await look()
    return got >= min
  }
  const started = performance.now()
  await waitFor(isEnough, within, context)
  if (Number.isFinite(max) && got <= max && within > 0) {
    await settle(within - (performance.now() - started), since, context)
    got = await look()
  }
  if (got >= min && got <= max) return { count: got }
  const expected = describeRange(min, max)
  const mayLackVisit =
    got === 0 && !hasVisit && (await context.call('listRequests', { query: { since } })).every(isOfOthers)
  throw new StepFailure(`${what}: expected ${expected}, got ${got}${mayLackVisit ? UNVISITED : ''}`, [
    { path: 'count', expected, got },
  ])
}

/** Counts the deliveries of an event that were created or attempted since the baseline. */
export function expectDelivery(expected: Expected<'expect_delivery'>, progress: Progress, context: ScenarioContext) {
  const { event, count = { min: 1 }, state, within = 0 } = expected
  const look = async () => {
    const deliveries = await context.call('listDeliveries', { query: { event, state } })
    return deliveries.filter(
      ({ event: { id }, attempts }) => attempts.length > (progress.baseline.attempts.get(id) ?? -1),
    ).length
  }
  const what = `deliveries of ${event}${state ? ` that are ${state}` : ''}`
  return waitForCount(count, within, what, progress, context, look)
}

/** The surfaces of requests that apps make; others count when `surface` names them. */
const OF_APPS: Entry['surface'][] = ['api', 'oauth', 'web']

/** Counts the requests since the baseline that are not the scenario's own. */
export function expectRequests(expected: Expected<'expect_requests'>, progress: Progress, context: ScenarioContext) {
  const { count, within = 0, surface, method, path, status, app, organization } = expected
  const isExpected = (entry: Entry) =>
    entry.sender === undefined &&
    (surface ? entry.surface === surface : OF_APPS.includes(entry.surface)) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (status === undefined || entry.status === status)
  const { since } = progress.baseline
  const look = async () => {
    const { count: kept } = await context.call('countRequests', { query: { since, run: ANY_RUN } })
    const isFull = kept >= context.world.settings.journal_size
    const [newest] = isFull ? await context.call('listRequests', { query: { since, run: ANY_RUN, limit: 1 } }) : []
    if (newest && newest.id - since > kept) {
      const limit = `the journal keeps only ${context.world.settings.journal_size} entries`
      throw new StepFailure(`${limit}, and there were more; increase journal_size`)
    }
    const query = { since, surface, method, app, organization }
    return (await context.call('listRequests', { query })).filter(isExpected).length
  }
  const filters = [surface, method, path, app, organization && `in ${organization}`].filter(Boolean).join(' ')
  const withStatus = status === undefined ? '' : status === null ? ' without a response' : ` with status ${status}`
  return waitForCount(count, within, `requests${filters && ` ${filters}`}${withStatus}`, progress, context, look)
}

/** Compares the rules that the app broke since the baseline with the expected ones; hints count when they are expected. */
export async function expectFindings(
  rules: Expected<'expect_findings'>,
  { baseline }: Progress,
  { call }: ScenarioContext,
) {
  const all = await call('listFindings')
  const found = all.filter(({ entries }) => entries.some((id) => id > baseline.since))
  const got = found.filter(({ rule, level }) => level === 'error' || rules.includes(rule)).map(({ rule }) => rule)
  const missing = rules.filter((rule) => !got.includes(rule))
  const others = found.filter(({ rule, level }) => level === 'error' && !rules.includes(rule))
  if (missing.length === 0 && others.length === 0) return { rules: got }
  const sentences = [
    ...missing.map((rule) => `${rule} was expected and not found`),
    ...others.map(({ rule, message }) => `${rule} was not expected: ${message}`),
  ]
  throw new StepFailure(`findings: ${sentences.join('; ')}`, [{ path: '', expected: rules, got }])
}

const QUIET_AFTER_MS = 100

/** Calls `look` again after each request and delivery, until it returns true or `within` real milliseconds are over. */
async function waitFor(look: () => Promise<boolean>, within: number, context: ScenarioContext): Promise<boolean> {
  const isMet = await look()
  if (isMet || within <= 0) return isMet
  const ended = new AbortController()
  // `AbortSignal.any` does not keep the signal of an `AbortSignal.timeout`, which then is collected and never aborts.
  const timer = setTimeout(() => ended.abort(), within)
  const signal = AbortSignal.any([ended.signal, context.signal])
  try {
    const events = await context.openStream(signal)
    // The stream lacks the events from before it was open.
    if (await look()) return true
    for await (const { type } of events) {
      if ((type === 'request' || type === 'delivery') && (await look())) return true
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
  context.signal.throwIfAborted()
  return look()
}

/** Waits until nothing is in flight or overdue and the app is quiet, at most `within` real milliseconds. */
async function settle(within: number, since: number, context: ScenarioContext): Promise<void> {
  const newest = async () => {
    const entries = await context.call('listRequests', { query: { since } })
    return entries.findLast(({ surface }) => surface !== 'admin')?.id ?? since
  }
  const deadline = performance.now() + within
  const left = () => Math.max(0, Math.round(deadline - performance.now()))
  for (let before = -1, now = await newest(); before !== now && left() > 0; ) {
    before = now
    await context.call('deliveriesSettled', { query: { timeout: left() } }, context.signal)
    await pause(Math.min(QUIET_AFTER_MS, left()), undefined, { signal: context.signal })
    now = await newest()
  }
}
