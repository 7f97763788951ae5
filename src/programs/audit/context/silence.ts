import type { GuardedClient, GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { inOrganization } from '../app/file.js'

/** Requests after which an origin that has never responded is not waited for any more. */
const MAX_UNANSWERED = 2
/** A request that ends sooner without a response has met no app that hangs. */
const HANGING_MS = 10_000
/** Such requests since the last response after which an app is taken to hang. */
const MAX_HANGING = 3
/** Limit of the next request to it; half as long for each further one that reaches it, down to the second. Milliseconds. */
const FIRST_LIMIT_MS = 4_000
const MIN_LIMIT_MS = 1_000
/** Requests that reached it, one after another, after which only one in a while is sent. */
const MAX_LIMITED = 10
const RETRY_MS = 5_000

/** An origin since its last response. */
interface Silence {
  hasResponded: boolean
  /** Errors of the requests. */
  unanswered: string[]
  /** Requests that met a hanging app. */
  hanging: { begun: number; text: string }[]
  /** Number of times that a shorter limit was reached; requests side by side count once. */
  limited: number
  /** Time of the last request that was sent. */
  triedAt: number
}

/** An organization that no app has. */
const NOBODY = 'audit-nobody'

/**
 * Spares a run the longest wait of each request to an app that hangs. audit: "Running it"
 * @param trusted origins of the emulator, which are always waited for.
 */
export function shortenSilence(client: GuardedClient, trusted: string[]) {
  const silences = new Map<string, Silence>()
  const begin = (origin: string, hasResponded: boolean): Silence => {
    const silence = { hasResponded, unanswered: [], hanging: [], limited: 0, triedAt: 0 }
    silences.set(origin, silence)
    return silence
  }
  const silenceOf = (origin: string) => silences.get(origin) ?? begin(origin, false)
  const patientClient: GuardedClient = async (sending) => {
    const { method, url, timeout } = sending
    const { origin, pathname } = new URL(url)
    if (trusted.includes(origin)) return client(sending)
    const silence = silenceOf(origin)
    const { hasResponded, unanswered, hanging, limited } = silence
    const begun = performance.now()
    const isGivenUp = limited >= MAX_LIMITED && begun < silence.triedAt + RETRY_MS
    if (isGivenUp || (!hasResponded && unanswered.length >= MAX_UNANSWERED)) {
      const which = `${hasResponded ? 'its last ' : ''}${unanswered.length} requests`
      return unsent(sending, `${origin} has not responded to any of ${which}: ${unanswered.at(-1)}`)
    }
    silence.triedAt = begun
    const isLimited = hanging.length >= MAX_HANGING
    const limit = Math.min(timeout, isLimited ? Math.max(MIN_LIMIT_MS, FIRST_LIMIT_MS / 2 ** limited) : timeout)
    const exchange = await client({ ...sending, timeout: limit })
    if (exchange.status !== null) {
      begin(origin, true)
      return exchange
    }
    unanswered.push(exchange.error ?? '')
    if (!isLimited && exchange.duration >= HANGING_MS) {
      hanging.push({ begun, text: `${method} ${pathname}: ${exchange.error}` })
    }
    if (isLimited && exchange.duration >= limit && silence.limited === limited) silence.limited++
    return exchange
  }
  return {
    client: patientClient,
    /** Waits at full length again, since the app was started again: while it starts, it refuses connections. */
    forgetSilence() {
      for (const [origin, { hasResponded }] of silences) begin(origin, hasResponded)
    },
    /**
     * Requests the address of an app that hangs once more.
     * @returns the first request that had no response; undefined when there is a response now, or the app does not hang.
     */
    async findHang(address: string): Promise<string | undefined> {
      const { hanging } = silenceOf(new URL(address).origin)
      if (hanging.length < MAX_HANGING) return undefined
      const url = inOrganization(address, NOBODY)
      const { status } = await patientClient({ method: 'GET', url, timeout: FIRST_LIMIT_MS })
      return status === null ? hanging.toSorted((a, b) => a.begun - b.begun)[0]?.text : undefined
    },
  }
}

function unsent({ method, url, headers = {}, body }: Parameters<GuardedClient>[0], reason: string): GuardedExchange {
  const response = { headers: {}, cookies: [], body: '' }
  return { method, url, headers, body, status: null, error: `not sent, because ${reason}`, response, duration: 0 }
}
