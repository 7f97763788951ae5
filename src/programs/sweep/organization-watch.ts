import { retryAfter } from '../../foundation/http/retry-after.js'
import type { JournalEntry } from '../audit/app/app-requests.js'
import type { AuditContext } from '../audit/context/context.js'
import type { Delivery, Tenant } from '../audit/context/tenant.js'
import { requestsOf } from './points.js'

/** Real milliseconds without a request after which a step has ended. */
const QUIET = 60
/** Everything that is due comes within it, on the organization's clock. */
const RETRIES = '1h'

/** Requests and findings of an organization. Times are real, in milliseconds since 1970. */
export type Judged = Awaited<ReturnType<ReturnType<typeof watchOrganization>['judge']>>

/** Reads what happens in an organization, each request once, and waits until it is over. */
export function watchOrganization({ platform, file, patience, wait, waitForBackground }: AuditContext, tenant: Tenant) {
  const { admin } = platform
  const organization = tenant.slug
  const begun = Date.now()
  const ids: number[] = []
  const requests: number[] = []
  let ofFlow: number | undefined
  let unread: JournalEntry[] = []
  const known = new Set<string>()
  /** Real milliseconds until which the platform has told the app to wait. */
  let pausedUntil = 0

  /** Reads what has been requested since it was last called. @returns how many entries that are. */
  async function readEntries(): Promise<number> {
    const listed = await admin.listRequests({ organization, since: ids.at(-1) ?? 0 })
    // Another call may have read some meanwhile.
    const fresh = listed.filter(({ id }) => id > (ids.at(-1) ?? 0))
    ids.push(...fresh.map(({ id }) => id))
    // The platform's clock is the machine's during a sweep.
    requests.push(...requestsOf(fresh).map(({ at }) => Date.parse(at)))
    unread.push(...fresh)
    for (const { at, response } of fresh) {
      const pause = retryAfter(response.headers['retry-after'], Date.parse(at)) ?? 0
      pausedUntil = Math.max(pausedUntil, performance.now() + pause)
    }
    return fresh.length
  }

  return {
    ids,
    readEntries,

    /** Returns the entries that were read since it was last called. */
    takeEntries(): JournalEntry[] {
      const taken = unread
      unread = []
      return taken
    },

    /** Returns the deliveries that were created since it was last called. */
    async readDeliveries(): Promise<Delivery[]> {
      const fresh = (await admin.listDeliveries({ organization })).filter(({ id }) => !known.has(id))
      for (const { id } of fresh) known.add(id)
      return fresh
    },

    /** Waits until the app makes no request any more, at most `background`, and reads what it made. */
    async quiet(): Promise<void> {
      const until = performance.now() + patience.background()
      await readEntries()
      do await wait(Math.min(QUIET, file.background))
      while ((await readEntries()) > 0 && performance.now() < until)
    },

    /**
     * Lets everything arrive that the schedule has within an hour, and sets the clock back to the machine's. The app
     * counts in real time how long it was told to wait, so that passes first.
     */
    async deliverDue(): Promise<void> {
      const deliveries = await admin.listDeliveries({ organization })
      if (!deliveries.some(({ state }) => state === 'pending' || state === 'retrying')) return
      await readEntries()
      await wait(Math.max(0, pausedUntil - performance.now()))
      await admin.advanceClock(RETRIES, { organization })
      await admin.freezeClock(new Date().toISOString(), { organization })
      await admin.resumeClock({ organization })
      await waitForBackground()
      await readEntries()
    },

    /** Reads and judges everything until now, and forgets its entries. */
    async judge() {
      await readEntries()
      const judgedAt = Date.now()
      unread = []
      ofFlow ??= requests.length
      return {
        begun,
        judgedAt,
        requests: [...requests],
        /** Number of them in its flow, which had ended when it was first judged. */
        ofFlow,
        findings: await admin.listFindings({ organization, level: 'error' }),
      }
    },
  }
}
