import type { FaultBody, Tenant } from './tenant.js'

/** More than most apps keep. */
const IDLE_CONNECTIONS = 20

/**
 * Observes how often the app sends a request, and if that is more than `max` times, once more without idle connections: a
 * transport may repeat a request by itself when a connection that it reuses is reset, as Go's does. audit: rule 4c
 * @param send makes the app send requests that match, after whose responses their connections are closed.
 */
export async function observeAttempts<T extends { attempts: number }>(
  { max, observe }: { max: number; observe: () => Promise<T> },
  tenant: Tenant,
  match: FaultBody['match'] = { surface: 'api' },
  send: () => Promise<unknown> = () => tenant.probe(),
): Promise<T> {
  const first = await observe()
  if (first.attempts <= max) return first
  const effect = { status: 403, headers: { connection: 'close' }, delay: 200 }
  const closing = await tenant.fault({ match, effect })
  await Promise.allSettled(Array.from({ length: IDLE_CONNECTIONS }, send))
  await closing.lift()
  const second = await observe()
  // The app may still be working on the requests that closed its connections.
  return 0 < second.attempts && second.attempts < first.attempts ? second : first
}
