import type { Wire } from '../../../control/client/wire.js'

/** Requests without any response after which an origin is not waited for any more. */
const MAX_UNANSWERED = 2

/** Stops sending to an origin that has not responded to any request of the run. @param trusted origins of the emulator. */
export function giveUpOnSilence(wire: Wire, trusted: string[]): Wire {
  const responsive = new Set(trusted)
  const unanswered = new Map<string, number>()
  return async (sending) => {
    const { origin } = new URL(sending.url)
    const count = unanswered.get(origin) ?? 0
    if (count >= MAX_UNANSWERED && !responsive.has(origin)) {
      const { method, url, headers = {}, body } = sending
      const error = `not sent, because ${origin} has not responded to any of ${count} requests`
      const response = { headers: {}, cookies: [], body: '' }
      return { method, url, headers, body, status: null, error, response, duration: 0, unsent: true }
    }
    const exchange = await wire(sending)
    if (exchange.status !== null) responsive.add(origin)
    else unanswered.set(origin, (unanswered.get(origin) ?? 0) + 1)
    return exchange
  }
}
