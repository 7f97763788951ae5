import type { Wire, WireExchange } from '../../../control/client/wire.js'

/** Requests without any response after which an app that has never responded is not waited for any more. */
const MAX_UNANSWERED = 2
/** A request that ends sooner without a response has met no app that hangs. */
const HANGING_MS = 10_000
/** Such requests since the last response after which an app is taken to hang. */
const MAX_HANGING = 3
/** Real milliseconds for which the next request is waited for then; half as long for each further one, down to the second. */
const FIRST_LIMIT_MS = 4_000
const MIN_LIMIT_MS = 1_000
/** Requests so limited after which an app that hangs is not waited for any more. */
const MAX_LIMITED = 10

interface Silence {
  hasResponded: boolean
  /** How requests since the last response ended: all, those that met a hanging app, and those that were not waited for as long. */
  unanswered: string[]
  hanging: string[]
  limited: number
}

/**
 * Spares a run the longest wait of each request to an app that hangs. audit: "Running it"
 * @param trusted origins of the emulator, which are always waited for.
 */
export function shortenSilence(wire: Wire, trusted: string[]) {
  const silences = new Map<string, Silence>()
  const silenceOf = (origin: string): Silence => {
    const silence = silences.get(origin) ?? { hasResponded: false, unanswered: [], hanging: [], limited: 0 }
    silences.set(origin, silence)
    return silence
  }
  const patientWire: Wire = async (sending) => {
    const { method, url, timeout } = sending
    const { origin, pathname } = new URL(url)
    if (trusted.includes(origin)) return wire(sending)
    const silence = silenceOf(origin)
    const { hasResponded, unanswered, hanging, limited } = silence
    if (limited >= MAX_LIMITED || (!hasResponded && unanswered.length >= MAX_UNANSWERED)) {
      return unsent(
        sending,
        `${origin} has not responded to any of ${unanswered.length} requests: ${unanswered.at(-1)}`,
      )
    }
    const isLimited = hanging.length >= MAX_HANGING
    const limit = Math.max(MIN_LIMIT_MS, FIRST_LIMIT_MS / 2 ** limited)
    const exchange = await wire(isLimited ? { ...sending, timeout: Math.min(limit, timeout) } : sending)
    if (exchange.status !== null) {
      silences.set(origin, { hasResponded: true, unanswered: [], hanging: [], limited: 0 })
      return exchange
    }
    unanswered.push(exchange.error ?? '')
    if (isLimited) silence.limited++
    else if (exchange.duration >= HANGING_MS) hanging.push(`${method} ${pathname}: ${exchange.error}`)
    return exchange
  }
  return {
    wire: patientWire,
    /** Returns the first request that a hanging app has left without a response; undefined if it responds to a new one. */
    async findHang(address: string): Promise<string | undefined> {
      const { origin } = new URL(address)
      const { hanging } = silenceOf(origin)
      if (hanging.length < MAX_HANGING) return undefined
      const { status } = await patientWire({ method: 'GET', url: `${origin}/`, timeout: FIRST_LIMIT_MS })
      return status === null ? hanging[0] : undefined
    },
  }
}

function unsent({ method, url, headers = {}, body }: Parameters<Wire>[0], reason: string): WireExchange {
  const response = { headers: {}, cookies: [], body: '' }
  return { method, url, headers, body, status: null, error: `not sent, because ${reason}`, response, duration: 0 }
}
