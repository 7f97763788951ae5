import type { FaultBody } from '../audit/context/tenant.js'
import { type ActionName, actionOf } from './actions.js'
import type { Point } from './points.js'

/** Real milliseconds of a slow response. */
export const SLOW = 5_000
/** Seconds that a limited app is told to wait. */
export const RETRY_AFTER = 1

interface Trouble {
  at: 'request' | 'delivery'
  /** The trouble in words. @param what the request or delivery. */
  words(what: string): string
  /** The fault; left out where the event is only sent again after the last step. */
  fault?: Pick<FaultBody, 'effect' | 'phase'>
  /** The paths where the platform can do it; everywhere when left out. */
  paths?: RegExp
  /** The app is killed and started again when the fault has met it, by `restart` of the audit's file. */
  restarts?: true
  /** The time at which the schedule brings an unacknowledged event: after its step, or after the next event. */
  arrivesAfter?: 'step' | 'next'
  /** Troubles that would show the same with less, the nearest first. */
  weaker?: readonly TroubleName[]
  /** The behavior of a good app; that of most troubles of its kind when left out. */
  remedy?: string
  /** Instead, where the trouble meets a refresh. */
  atRefresh?: string
}

const KEEP =
  'Treat it as a failure that may pass: keep the credentials, respond with an error, and try again at the next request.'
const IDEMPOTENT =
  "Store what the event brings before you acknowledge it, and recognize an event that arrives again by its id, as the audit's webhook.duplicate checks."
const UNTIL_REJECTED =
  'Keep the credentials until a refresh is rejected with invalid_grant. Then stop, mark the installation as disconnected, and wait for the next app.installed.'
const AFTER_WORK = 'Mark an event as handled only once its work is done: an event that is rejected comes again.'
const SIGN_IN_AGAIN = 'Show an error and offer to sign in again: a code works once, so its exchange is not tried again.'

const RECOVERS =
  'Keep on disk what the next start needs, in one transaction, before you acknowledge or respond; hold no lock that outlives the process.'
/** More requests than ever wait, so that a held one waits until the fault is deleted. */
const HELD = 1_000

type Row = Omit<Trouble, 'at' | 'weaker'> & Partial<Pick<Trouble, 'at'>> & { weaker?: readonly string[] }

const troubleTable = {
  refused: {
    words: (what) => `${what} got a 503, before it had any effect`,
    fault: { effect: { status: 503 } },
  },
  lost: {
    words: (what) => `the response to ${what} was lost after the work was done`,
    fault: { effect: { connection: 'reset' }, phase: 'after' },
    weaker: ['refused'],
    atRefresh: UNTIL_REJECTED,
  },
  garbled: {
    words: (what) => `the response to ${what} was cut in half after the work was done`,
    fault: { effect: { connection: 'truncate' }, phase: 'after' },
    weaker: ['lost', 'refused'],
    atRefresh: UNTIL_REJECTED,
  },
  html: {
    words: (what) => `${what} got a 502 with a page of HTML, before it had any effect`,
    fault: { effect: { status: 502, body: 'html' } },
    weaker: ['refused'],
  },
  slow: {
    words: (what) => `the response to ${what} came 5 s after the work was done`,
    fault: { effect: { delay: SLOW }, phase: 'after' },
    remedy:
      'Treat the end of a time limit as a failure that may pass: respond with an error, and try again at the next request.',
    atRefresh:
      'Wait longer for a refresh than for anything else: its response cannot be asked for again. Treat the end of a time limit as a failure that may pass.',
  },
  limited: {
    words: (what) => `${what} got a 429 with Retry-After: ${RETRY_AFTER}`,
    fault: { effect: { status: 429, headers: { 'Retry-After': String(RETRY_AFTER) } } },
    paths: /^\/(v0\/|oauth\/token$)/,
    weaker: ['refused'],
    remedy: 'Wait as long as Retry-After says, or respond with an error; keep the credentials.',
  },
  expired: {
    words: (what) => `${what} got a 401, as for an expired access token`,
    fault: { effect: 'token_expired' },
    paths: /^\/v0\//,
    remedy: 'Refresh once and retry once; keep the newest tokens, whatever the retry returns.',
  },
  'crash-before': {
    words: (what) => `the app was killed while it waited for ${what}, which had no effect`,
    fault: { effect: { hold: HELD, status: 503 } },
    restarts: true,
    weaker: ['refused'],
  },
  'crash-after': {
    words: (what) => `the app was killed before it got the response to ${what}, whose work was done`,
    fault: { effect: { hold: HELD }, phase: 'after' },
    restarts: true,
    weaker: ['lost', 'refused'],
  },
  unanswered: {
    at: 'delivery',
    words: (what) => `the acknowledgement of ${what} was lost, so it came again`,
    fault: { effect: 'lose_ack' },
    arrivesAfter: 'step',
    weaker: ['again-later'],
  },
  late: {
    at: 'delivery',
    words: (what) => `${what} did not arrive at first, and came an hour later`,
    fault: { effect: 'unreachable' },
    arrivesAfter: 'next',
    weaker: ['refused-first'],
    remedy:
      'Compare `installation_id` and `created_at` with what you have stored: an older event changes nothing that is newer.',
  },
  twice: {
    at: 'delivery',
    words: (what) => `${what} arrived twice at once`,
    fault: { effect: 'duplicate_at_once' },
    weaker: ['again-later'],
  },
  'again-later': { at: 'delivery', words: (what) => `${what} arrived once more after the last step` },
  'refused-first': {
    at: 'delivery',
    words: (what) => `the first attempt of ${what} never reached the app, and the schedule brought it`,
    fault: { effect: 'unreachable' },
    arrivesAfter: 'step',
    remedy: 'Do not rely on the first attempt: what an event brings may come later.',
  },
  crash: {
    at: 'delivery',
    words: (what) => `the app was killed while it handled ${what}, which came again`,
    fault: { effect: 'lose_ack' },
    restarts: true,
    arrivesAfter: 'step',
    weaker: ['unanswered'],
  },
} as const satisfies Record<string, Row>

export type TroubleName = keyof typeof troubleTable
const troubleNames = Object.keys(troubleTable) as TroubleName[]
export const troubleOf = (name: TroubleName): Trouble => ({ at: 'request', ...troubleTable[name] })

/** Returns the behavior of a good app, which depends on what met the trouble. @param step in which it did. */
export function remedyOf(trouble: TroubleName, { match }: Pick<Point, 'match'>, step: ActionName | undefined): string {
  const { at, restarts, remedy = at === 'delivery' ? IDEMPOTENT : KEEP, atRefresh = remedy } = troubleOf(trouble)
  if (restarts) return RECOVERS
  if (at === 'delivery') return remedy
  if (match.grant_type === 'authorization_code') return SIGN_IN_AGAIN
  const first = match.grant_type === 'refresh_token' ? atRefresh : remedy
  return step && actionOf(step).delivers ? `${first} ${AFTER_WORK}` : first
}

/** Returns the troubles that can happen at a point. sweep: "Points and troubles" @param canRestart the audit's file says how. */
export const troublesAt = ({ surface, match }: Pick<Point, 'surface' | 'match'>, canRestart: boolean): TroubleName[] =>
  troubleNames.filter((name) => {
    const { at, paths, restarts } = troubleOf(name)
    if (restarts && !canRestart) return false
    return at === (surface === 'webhook' ? 'delivery' : 'request') && (paths?.test(match.path ?? '') ?? true)
  })
