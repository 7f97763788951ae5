import type { JournalEntry } from '../../emulator/world/exchange.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'
import { Recent } from '../findings/recent.js'
import { isChanged, type Meter, type MeteredWorld } from './meter.js'

/** Requests with one credential. */
interface Use {
  /** The checkpoint before the response to the latest of them. */
  respondedAfter: number
  /** One of them was sent before the response to another could be read. */
  beside: boolean
}

/** The columns of a refusal by the state of the installation whose token it was. */
const ofEnded: Record<string, string> = {
  upgraded: 'after-upgrade',
  uninstalling: 'after-uninstall',
  uninstalled: 'after-uninstall',
}

/**
 * Counts refreshes, and the requests whose 401 leads to one. A race is met when requests with one access token are
 * refused side by side before a refresh, or when two refreshes have one token. coverage: group `tokens`
 */
export function meetRefreshes(world: MeteredWorld): { refused: Meter; refreshed: Meter } {
  /** Keyed by the access token's secret. */
  const refused = new Recent<string, Use>()
  /** Keyed by the refresh token's secret. */
  const refreshes = new Recent<string, Use>()
  const used = new Recent<string, true>()

  function note(uses: Recent<string, Use>, key: string, { receivedAfter = 0, respondedAfter = -1 }: JournalEntry): Use {
    const before = uses.get(key)
    const beside = before !== undefined && (before.beside || receivedAfter <= before.respondedAfter)
    const use = { respondedAfter, beside }
    uses.set(key, use)
    return use
  }

  return {
    refused(entry) {
      const bearer = entry.status === 401 ? bearerOf(entry.request.headers) : undefined
      if (bearer !== undefined) note(refused, bearer, entry)
    },

    refreshed(entry, meet) {
      const form = new URLSearchParams(entry.request.body?.toString() ?? '')
      const secret = form.get('refresh_token')
      if (form.get('grant_type') !== 'refresh_token' || secret === null) return
      const { store } = world
      const token = store.tokens.by('secret', secret)
      const meets = (column: string) => meet('tokens', 'refresh', column)
      const access = store.tokens.get(token?.access ?? '')
      const isRaced = note(refreshes, secret, entry).beside || refused.get(access?.secret ?? '')?.beside === true
      if (isRaced) meets('raced')

      // The token is used up at the first response that is no refusal, and the response may never arrive.
      const isUsedUp = !isRefusal(entry) && token?.ended === 'rotated' && !used.has(secret)
      if (isUsedUp) used.set(secret, true)
      const column = columnOfResponse(world, entry, isUsedUp)
      if (column) meets(column)
      const installation = token && store.installations.get(token.installation)
      const cause = column === 'refused' && installation && ofEnded[installation.state]
      if (cause) meets(cause)
    },
  }
}

function columnOfResponse({ store }: MeteredWorld, entry: JournalEntry, isUsedUp: boolean): string | undefined {
  const { status, broken, response } = entry
  // Whatever else a fault changed: the app that has the next refresh token can go on.
  if (store.tokens.by('secret', nextTokenIn(entry))) return 'done'
  if (isUsedUp) return 'answer-lost'
  if (isRefusal(entry) && response.body?.includes('"invalid_grant"')) return 'refused'
  return status === null || status >= 500 || broken ? 'platform-down' : undefined
}

const isRefusal = (entry: JournalEntry): boolean =>
  entry.status !== null && entry.status >= 400 && entry.status < 500 && !isChanged(entry)

/** Returns the refresh token in a response that arrived whole; empty when there is none. */
function nextTokenIn({ status, broken, response }: JournalEntry): string {
  const body = status === 200 && !broken ? jsonObjectIn(response.body?.toString()) : undefined
  return typeof body?.refresh_token === 'string' ? body.refresh_token : ''
}
