import type * as z from 'zod'
import { matchesPath } from '../../foundation/http/path-pattern.js'
import type { CallResult } from '../admin/calls.js'
import type { otherStepBodies } from '../admin/scenario-schemas.js'
import type { Stage } from './stage.js'
import { StepFailure } from './step-failure.js'
import { settle, waitFor } from './wait.js'

type Expected<K extends keyof typeof otherStepBodies> = z.output<(typeof otherStepBodies)[K]>
type Count = Expected<'expect_requests'>['count']
type Entry = CallResult<'listRequests'>[number]

/** From where on is counted: the beginning of the scenario, or its last `mark`. */
export interface Mark {
  /** Id of the newest journal entry by then. */
  since: number
  /** How many attempts each delivery had by then. */
  attempts: ReadonlyMap<string, number>
}

/** Id of the newest entry of the journal, 0 when it is empty. */
export const newestEntry = async ({ call }: Stage): Promise<number> =>
  (await call('listRequests', { query: { limit: 1 } }))[0]?.id ?? 0

/** Whether an entry is a control call of a step; the journal has those with the setting `journal_admin`. */
export const isOwnCall = ({ surface, sender }: Entry): boolean => surface === 'admin' && sender === 'scenario'

export async function markHere(stage: Stage): Promise<Mark> {
  const deliveries = await stage.call('listDeliveries')
  return {
    since: await newestEntry(stage),
    attempts: new Map(deliveries.map(({ id, attempts }) => [id, attempts.length])),
  }
}

const limitsOf = (count: Count) => (typeof count === 'number' ? { min: count, max: count } : { min: 0, ...count })

const inWords = (count: Count): string => {
  const { min, max } = limitsOf(count) as { min: number; max?: number | undefined }
  if (min === max) return String(min)
  return max === undefined ? `at least ${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`
}

/** Counts until the count is right, or the time is over. @throws StepFailure */
async function counted(
  count: Count,
  within: number,
  what: string,
  { mark, stage, look }: { mark: Mark; stage: Stage; look: () => Promise<number> },
): Promise<{ count: number }> {
  const { min, max } = limitsOf(count) as { min: number; max?: number | undefined }
  let got = 0
  const isEnough = async () => {
    got = await look()
    return got >= min
  }
  const started = performance.now()
  await waitFor(isEnough, within, stage)
  if (max !== undefined && got <= max && within > 0) {
    await settle(within - (performance.now() - started), mark.since, stage)
    got = await look()
  }
  if (got >= min && (max === undefined || got <= max)) return { count: got }
  const expected = inWords(count)
  throw new StepFailure(`${what}: expected ${expected}, got ${got}`, [{ path: 'count', expected, got }])
}

/** Deliveries of an event that were made or attempted since the mark. */
export function expectDelivery(expected: Expected<'expect_delivery'>, mark: Mark, stage: Stage) {
  const { event, count = { min: 1 }, state, within = 0 } = expected
  const look = async () => {
    const deliveries = await stage.call('listDeliveries', { query: { event, ...(state && { state }) } })
    return deliveries.filter(({ id, attempts }) => attempts.length > (mark.attempts.get(id) ?? -1)).length
  }
  return counted(count, within, `deliveries of ${event}${state ? ` that are ${state}` : ''}`, { mark, stage, look })
}

/** What the app asks the platform for; the rest is named by its surface. */
const OF_APPS: Entry['surface'][] = ['api', 'oauth', 'web']

/** Requests since the mark that are not the scenario's own. */
export function expectRequests(expected: Expected<'expect_requests'>, mark: Mark, stage: Stage) {
  const { count, within = 0, surface, method, path, status, app, organization } = expected
  const fits = (entry: Entry) =>
    entry.sender === undefined &&
    (surface ? entry.surface === surface : OF_APPS.includes(entry.surface)) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (status === undefined || entry.status === status)
  const query = {
    since: mark.since,
    ...(surface && { surface }),
    ...(method && { method }),
    ...(app && { app }),
    ...(organization && { organization }),
  }
  const look = async () => {
    const entries = await stage.call('listRequests', { query })
    if (entries.length >= stage.journalSize) {
      throw new StepFailure(
        `the journal keeps only ${stage.journalSize} entries, and there were more; increase journal_size`,
      )
    }
    return entries.filter(fits).length
  }
  const filters = [surface, method, path, app, organization && `in ${organization}`].filter(Boolean).join(' ')
  const answered = status === undefined ? '' : status === null ? ' without a response' : ` answered ${status}`
  return counted(count, within, `requests${filters && ` ${filters}`}${answered}`, { mark, stage, look })
}

/** What the app did since the mark that it should not have: exactly these rules, hints aside that are not named. */
export async function expectFindings(rules: Expected<'expect_findings'>, mark: Mark, { call }: Stage) {
  const all = await call('listFindings')
  const found = all.filter(({ entries }) => entries.some((id) => id > mark.since))
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
