import type { Wire } from '../../../control/client/wire.js'

/** Requests without any response after which an origin is not waited for any more. */
const MAX_UNANSWERED = 2

/** Stops sending to an origin that has not responded to any request of the run. @param trusted origins of the emulator. */
export function giveUpOnSilence(wire: Wire, trusted: string[]): Wire {
  const responsive = new Set(trusted)
  const failures = new Map<string, (string | null)[]>()
  return async (sending) => {
    const { origin } = new URL(sending.url)
    const errors = failures.get(origin) ?? []
    failures.set(origin, errors)
    if (errors.length >= MAX_UNANSWERED && !responsive.has(origin)) {
      const { method, url, headers = {}, body } = sending
      const error = `not sent, because ${origin} has not responded to any of ${errors.length} requests: ${errors.at(-1)}`
      const response = { headers: {}, cookies: [], body: '' }
      return { method, url, headers, body, status: null, error, response, duration: 0 }
    }
    const exchange = await wire(sending)
    if (exchange.status !== null) responsive.add(origin)
    else errors.push(exchange.error)
    return exchange
  }
}
