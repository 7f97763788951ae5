import type { Admin } from '../../../control/client/admin.js'
import { Consequence, type Evidence, Inconclusive } from './failures.js'

export type JournalEntry = Awaited<ReturnType<Admin['listRequests']>>[number]

export const refreshRequests = { surface: 'oauth', grant_type: 'refresh_token' } as const

type AppRequests = Awaited<ReturnType<typeof readAppRequests>>

export async function readAppRequests(admin: Admin, organization: string, since: number) {
  const entries = await admin.listRequests({ organization, since })
  const withGrant = (grant: string) =>
    entries.filter((entry) => entry.path === '/oauth/token' && grantOf(entry) === grant)
  const api = entries.filter(({ surface }) => surface === 'api')
  const refreshes = withGrant('refresh_token')
  return {
    api,
    rejected: api.filter(({ status }) => status === 401),
    refreshes,
    /** Redemptions of codes. */
    exchanges: withGrant('authorization_code'),
    /** Ids of all but the exchanges. */
    entries: idsOf([...api, ...refreshes]),
  }
}

export const grantOf = ({ request: { body } }: JournalEntry) => (body as { grant_type?: string } | null)?.grant_type

/** Requests of which each of a few instances of an app gets some. */
export const REQUESTS_TO_ALL = 4

/** Attempts of one request that a good app limits itself to while it fails. */
export const MAX_TRIES = 5

/**
 * Returns how often the app sent the request that it repeated most, since a probe may need several requests.
 * @param usual the requests of a probe when all is well: what it sends twice then is no repetition.
 */
export function mostAttempts(requests: JournalEntry[], usual: JournalEntry[]): number {
  const [sent, usually] = [timesSent(requests), timesSent(usual)]
  return Math.max(0, ...[...sent].map(([request, times]) => Math.ceil(times / (usually.get(request) ?? 1))))
}

function timesSent(requests: JournalEntry[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { method, path } of requests) {
    const request = `${method} ${path}`
    times.set(request, (times.get(request) ?? 0) + 1)
  }
  return times
}

/** Returns the id of the newest journal entry; later entries have greater ids. */
export const newestEntry = async (admin: Admin): Promise<number> => (await admin.listRequests({ limit: 1 }))[0]?.id ?? 0

export const idsOf = (entries: JournalEntry[]): number[] => entries.map(({ id }) => id)

export const summaryOf = ({ api, refreshes }: Pick<AppRequests, 'api' | 'refreshes'>): string =>
  `/v0 returned ${statusesOf(api)}; the token endpoint returned ${statusesOf(refreshes)}`

/** `401, 200`; the same status several times in a row as `10 × 401`. */
function statusesOf(entries: JournalEntry[]): string {
  const runs: { status: number | null; count: number }[] = []
  for (const { status } of entries) {
    const last = runs.at(-1)
    if (last?.status === status) last.count++
    else runs.push({ status, count: 1 })
  }
  return runs.map(({ status, count }) => (count > 1 ? `${count} × ${status}` : status)).join(', ') || 'nothing'
}

type RefreshRequests = Pick<AppRequests, 'rejected' | 'refreshes'>

/** @throws Consequence when an app got a 401 and did not refresh, Inconclusive when it got none. */
export function mustHaveRefreshed(requests: RefreshRequests & Evidence, evidence: Evidence = requests): void {
  const { rejected, refreshes } = requests
  if (refreshes.length > 0) return
  if (rejected.length === 0) throw noCall(evidence, 'the app got no 401, so it had no reason to refresh')
  throw new Consequence('api.refreshes-once', 'the app does not refresh its token after a 401', evidence)
}

/** Returns the error for a check that has met no request to `/v0`. @param seen in the words of the check. */
export const noCall = (evidence?: Evidence, seen = 'the probe did not make the app call /v0'): Inconclusive =>
  new Inconclusive(`${seen}; point "probe" to a page that does so each time, past any cache`, evidence)

/** Names the likely cause of an app that does not work and has sent the emulator nothing. */
export const silenceAt = (baseUrl: string): string =>
  `the app sent no request to ${baseUrl}; if it calls another address, set its PLATFORM_BASE_URL`

/** @throws Inconclusive when the probe does not call `/v0`, because its tokens cannot be seen then. */
export function mustCall(api: JournalEntry[], evidence?: Evidence): void {
  if (api.length === 0) throw noCall(evidence)
}
