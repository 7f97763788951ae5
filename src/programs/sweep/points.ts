import { matchesPath } from '../../foundation/http/path-pattern.js'
import { grantOf, type JournalEntry } from '../audit/app/app-requests.js'
import type { Delivery, FaultBody } from '../audit/context/tenant.js'
import type { ActionName } from './actions.js'

type Match = NonNullable<FaultBody['match']>

interface Operation {
  surface: 'api' | 'oauth' | 'webhook'
  /** `GET-v0-courses`, `POST-oauth-token-refresh`, `app.installed` */
  operation: string
  match: Match
}

/** A request that the app made, or a delivery that it got. sweep: "Points and troubles" */
export interface Point extends Operation {
  /** Counted within the organization, from 1. */
  occurrence: number
  /** Index of the step in which it happens. */
  step: number
}

export const nameOf = ({ operation, occurrence }: Pick<Point, 'operation' | 'occurrence'>) =>
  `${operation}#${occurrence}`

/** Returns the requests that an app made of its own among the entries of its organization. */
export const requestsOf = (entries: JournalEntry[]): JournalEntry[] =>
  entries.filter(({ surface, path }) => surface === 'api' || (surface === 'oauth' && path.startsWith('/oauth/')))

/** Returns the operation of a request: the third part of a path of `/v0` is an id. */
function operationOf(entry: JournalEntry): Operation {
  const { surface, method, path } = entry
  if (surface === 'api') {
    const withId = (id: string) => path.replace(/^(\/v0\/[^/]+)\/[^/]+/, `$1/${id}`)
    const operation = `${method}${withId('id').replaceAll('/', '-')}`
    return { surface, operation, match: { surface, method, path: withId('*') } }
  }
  const grant_type = grantOf(entry)
  const grant = grant_type === 'refresh_token' ? 'refresh' : grant_type
  const operation = `${method}${path.replaceAll('/', '-')}${grant ? `-${grant}` : ''}`
  return { surface: 'oauth', operation, match: { surface: 'oauth', method, path, ...(grant_type && { grant_type }) } }
}

const deliveryOf = ({ event: { type } }: Delivery): Operation => ({
  surface: 'webhook',
  operation: type,
  match: { surface: 'webhook', event: type },
})

const isOfSignIn = (entry: JournalEntry): boolean =>
  entry.path.startsWith('/oauth/authorize') || grantOf(entry) === 'authorization_code'

/**
 * Counts the points of a run. Those of a sign-in belong to its step alone: an owner who is signed in for a probe is signed
 * in again when that fails, which hides it. @param steps the requests and deliveries of each step.
 */
export function pointsOf(steps: { step: ActionName; entries: JournalEntry[]; deliveries: Delivery[] }[]): Point[] {
  const counts = new Map<string, number>()
  const count = (operation: string) => {
    counts.set(operation, (counts.get(operation) ?? 0) + 1)
    return counts.get(operation) as number
  }
  return steps.flatMap(({ step, entries, deliveries }, index) => {
    const requests = requestsOf(entries).filter((entry) => step === 'sign-in' || !isOfSignIn(entry))
    const found = [...deliveries.map(deliveryOf), ...requests.map(operationOf)]
    return found.map((each) => ({ ...each, occurrence: count(each.operation), step: index }))
  })
}

/** Returns the number of requests or deliveries that a fault's matchers let through before the point. @param all in order. */
export function passedBefore({ match, ...point }: Point, all: readonly Point[]): number {
  const index = all.findIndex((each) => nameOf(each) === nameOf(point))
  const alike = ['surface', 'method', 'event', 'grant_type'] as const
  const meets = ({ match: other }: Point) =>
    alike.every((field) => other[field] === match[field]) && matchesPath(match.path ?? '', other.path ?? '')
  return index < 0 ? point.occurrence - 1 : all.slice(0, index).filter(meets).length
}
