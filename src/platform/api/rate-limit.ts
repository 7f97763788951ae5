import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { units } from '../../foundation/schema/duration.js'
import { identifyBearer } from '../authentication/authenticate.js'

/** Credentials whose windows are remembered at once. */
const MAX_WINDOWS = 10_000

/**
 * Counts a request against its credential's minute, which begins with its first request.
 * @returns the headers that every response then carries; undefined when no limit is set. wire: §2 "rate limit"
 * @throws Refusal 429 with `Retry-After`
 */
export function countRequest(
  world: Pick<World, 'addresses' | 'clock' | 'rateLimiter' | 'settings' | 'store'>,
  request: Request,
): Record<string, string> | undefined {
  const limit = world.settings.rate_limit
  if (limit === undefined) return undefined
  const { windows } = world.rateLimiter
  const { clock } = world
  const organization = identifyBearer(world, request).organization ?? null
  const now = clock.now(organization)
  // However its header is written: `bearer` is the same scheme.
  const credential = bearerOf(request.headers) ?? ''
  let window = windows.get(credential)
  if (!window || hasEnded(window, now)) {
    for (const [other, each] of windows) if (hasEnded(each, clock.now(each.organization))) windows.delete(other)
    // With a stopped clock no window ever ends.
    const [oldest] = windows.keys()
    if (windows.size >= MAX_WINDOWS && oldest !== undefined) windows.delete(oldest)
    window = { organization, endsAt: now + units.m, count: 0 }
    windows.set(credential, window)
  }
  window.count++
  const headers = rateLimitHeaders(limit, Math.max(limit - window.count, 0))
  if (window.count > limit) {
    const retryAfter = String(Math.ceil((window.endsAt - now) / 1000))
    const { frozen } = clock.state(organization)
    const stopped = frozen ? '; the clock is stopped, so the minute ends only when it is advanced' : ''
    const reason = `The credential made ${window.count} requests in its minute; rate_limit is ${limit}${stopped}`
    throw new Refusal('rate_limited', { headers: { ...headers, 'retry-after': retryAfter }, reason })
  }
  return headers
}

/** Returns true when its minute is over, or the clock has gone back to before it. */
const hasEnded = ({ endsAt }: { endsAt: number }, now: number) => endsAt <= now || endsAt - now > units.m

/** wire: §2 "rate limit" */
export const rateLimitHeaders = (limit: number, remaining: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
})
