import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../../foundation/http-client/is-listening.js'
import { shortDuration } from '../../../foundation/schema/duration.js'
import type { Session } from './session.js'

const BETWEEN_LOOKS = 100
/** Real milliseconds for one attempt to connect. */
const ATTEMPT = 1000

/**
 * Waits until something listens at the host and port of the app's webhook, and reports what it waits for. dev: point 4
 * @param ready real milliseconds after which it reports that nothing listens, and goes on waiting.
 * @returns false when the signal aborts first.
 */
export async function waitForApp(session: Session, ready: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + ready
  const reported = { waiting: false, late: false }
  while (!signal.aborted) {
    const { webhook } = session
    if (webhook === undefined || (await isListening(webhook, ATTEMPT))) return true
    const { host } = new URL(webhook)
    if (!reported.waiting) session.print(`waiting for ${session.id} to answer at ${host}, the host of its webhook`)
    reported.waiting = true
    if (!reported.late && performance.now() >= deadline) {
      const port = `start the app on that port, or correct webhook.url in ${session.source.file}`
      session.print(`nothing answers at ${host} after ${shortDuration(ready)}: ${port}. Still waiting`)
      reported.late = true
    }
    await pause(BETWEEN_LOOKS, undefined, { signal }).catch(() => {})
  }
  return false
}

/** Warns of a program that listens where the app is going to: it would get the webhooks. */
export async function warnOfAnother({ webhook, print }: Session): Promise<void> {
  if (webhook === undefined || !(await isListening(webhook, ATTEMPT))) return
  print(`warning: another program listens at ${new URL(webhook).host} already and gets the webhooks: stop it first`)
}
