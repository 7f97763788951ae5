import { lookup } from 'node:dns/promises'
import { isGatewayStatus } from '../../../foundation/http/statuses.js'
import { isListening } from '../../../foundation/http-client/is-listening.js'
import { send } from '../../../foundation/http-client/send.js'
import { lookupName, normalizeHost, RefusedTarget } from '../../../foundation/http-client/targets.js'
import { shortDuration } from '../../../foundation/schema/duration.js'
import { pauseOrAbort } from '../../../foundation/time/real-timers.js'
import { trustedAuthorities } from '../../../foundation/tls/authority.js'
import type { Session } from './session.js'

const POLL_INTERVAL = 100
/** Real milliseconds for one attempt to connect, or to get a response. */
const CONNECT_TIMEOUT = 1000

/** Returns true when something listens at the webhook's address. Of a host that is not called, the install says why. */
async function answers({ targets, webhook }: Session): Promise<boolean | 'not called'> {
  if (webhook === undefined) return 'not called'
  return isListening(webhook, CONNECT_TIMEOUT, targets).catch((error: unknown) => {
    if (error instanceof RefusedTarget) return 'not called' as const
    throw error
  })
}

/** Returns true when a proxy answers for an app that it cannot reach. */
async function isBehindProxy({ targets, webhook }: Session, signal: AbortSignal): Promise<boolean> {
  const { origin } = new URL(String(webhook))
  const request = { method: 'OPTIONS', url: origin, targets, timeout: CONNECT_TIMEOUT, ca: trustedAuthorities, signal }
  const response = await send(request).catch(() => undefined)
  return response !== undefined && isGatewayStatus(response.status)
}

/**
 * Waits until something listens at the host and port of the app's webhook, and reports what it waits for. dev: point 4
 * @param ready real milliseconds after which it reports that nothing listens, and goes on waiting. A proxy is believed by
 *   then: the app may respond with 503 itself.
 * @returns false when the signal aborts first.
 */
export async function waitForApp(session: Session, ready: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + ready
  const reported = { waiting: false, late: false }
  while (!signal.aborted) {
    const answer = await answers(session)
    const isLate = performance.now() >= deadline
    if (answer === 'not called' || (answer && (isLate || !(await isBehindProxy(session, signal))))) return true
    const { host, hostname } = new URL(String(session.webhook))
    if (!reported.waiting) session.print(`waiting for ${session.id} to answer at ${host}, the host of its webhook`)
    reported.waiting = true
    if (!reported.late && isLate && !answer) {
      const { file } = session.source
      const isKnown = await lookup(lookupName(normalizeHost(hostname))).then(Boolean, () => false)
      const cause = isKnown
        ? `start the app on that port, or correct webhook.url in ${file}`
        : `the host name ${hostname} cannot be resolved here. Write localhost and the app's port in webhook.url in ${file}, or in another manifest for --manifest`
      session.print(`nothing answers at ${host} after ${shortDuration(ready)}: ${cause}. Still waiting`)
      reported.late = true
    }
    await pauseOrAbort(POLL_INTERVAL, signal)
  }
  return false
}

/** Warns of a program that listens where the app is going to: it would get the webhooks. */
export async function warnOfAnother(session: Session): Promise<void> {
  if ((await answers(session)) !== true) return
  const { host } = new URL(String(session.webhook))
  session.print(`warning: another program listens at ${host} already and gets the webhooks: stop it first`)
}
