import { isIP } from 'node:net'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isLocalName, isTrusted, normalizeHost } from '../../foundation/http-client/targets.js'
import type { World } from '../world/world.js'

/**
 * Refuses a request whose `Host` could be a foreign domain that points at this address (DNS rebinding).
 * control-api: "Who may call"
 * Adds no headers, so that it can be a surface's `beforeRequest`.
 * @throws Refusal 403
 */
export function rejectUntrustedHost(
  world: Pick<World, 'addresses' | 'settings'>,
  { headers: { host = '' } }: Pick<Request, 'headers'>,
): undefined {
  if (isTrustedHost(world, host)) return
  throw new Refusal('forbidden', {
    message: `The host ${host || '(none)'} is not trusted. If it is yours, add it to trust_hosts.`,
  })
}

/** Refuses a request from a page of another origin. @param refusal begins the message. @throws Refusal 403 */
export function rejectForeignOrigin(
  world: Pick<World, 'addresses'>,
  { headers: { origin, host = '' } }: Pick<Request, 'headers'>,
  refusal: string,
): void {
  const { base_url, app_url, browser_url } = world.addresses
  // Both schemes: a proxy may speak TLS for the emulator.
  const own = [base_url, app_url, browser_url, `http://${host}`, `https://${host}`]
  if (origin === undefined || own.includes(origin)) return
  throw new Refusal('forbidden', { message: `${refusal} another origin (${origin})` })
}

function isTrustedHost(world: Pick<World, 'addresses' | 'settings'>, host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const { app_url, browser_url } = world.addresses
  return (
    isIP(normalizeHost(hostname)) !== 0 ||
    isLocalName(hostname) ||
    [app_url, browser_url].some((url) => new URL(url).hostname === hostname) ||
    isTrusted(hostname, world.settings)
  )
}
