import { once } from 'node:events'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import type { AuditContext } from './context.js'
import { install } from './installing.js'
import { mustRespond } from './response-gate.js'

/** An app that takes longer than this to process an event gets fewer checks at once. */
const FAST_EFFECT_MS = 50
const MAX_QUEUE_MS = 60_000

/** Returns how many checks to run at once: fewer if installs take effect late, because a full queue delays every check. */
export async function concurrencyFor(context: AuditContext, max: number, ending: AbortSignal): Promise<number> {
  const { file, app, patience } = context
  if (ending.aborted || !file.probe || !app.parts.webhook || !app.parts['oauth.install']) return max
  const isEnding = once(ending, 'abort').then(() => Number.POSITIVE_INFINITY)
  // If the app serves no organization, the checks report it.
  const usual = await Promise.race([usualEffectDelay(context).catch(() => Number.POSITIVE_INFINITY), isEnding])
  if (!Number.isFinite(usual)) return max
  patience.onEffect(usual)
  if (usual <= FAST_EFFECT_MS) return max
  // An app that works on several events side by side needs no longer for them.
  const measures = Promise.all(Array.from({ length: max }, () => measureEffectDelay(context)))
  const slowest = measures.then((delays) => Math.max(usual, ...delays)).catch(() => Number.POSITIVE_INFINITY)
  const together = await Promise.race([slowest, isEnding])
  return Math.max(1, Math.floor(max * Math.max(FAST_EFFECT_MS / usual, usual / together)))
}

/** Waits, if installs take effect late, until one does: by then, the app has emptied its queue. */
export async function awaitQueue(context: AuditContext, ending: AbortSignal): Promise<void> {
  if (ending.aborted || context.patience.effectDelay() <= FAST_EFFECT_MS) return
  const tenant = await context.platform.tenant()
  await tenant.install()
  const isOver = (sent: GuardedExchange) => ending.aborted || tenant.isOk(sent)
  const last = await context.until(tenant.probe, isOver, MAX_QUEUE_MS)
  // An app whose queue has stopped is not waited for again.
  if (!isOver(last)) context.patience.onEffect(0)
}

/** Returns the smaller of two delays, since the first install may be slow for another reason; infinite if none is served. */
async function usualEffectDelay(context: AuditContext): Promise<number> {
  await mustRespond({ id: 'concurrency', needs: ['webhook', 'probe'] }, context)
  return Math.min(await measureEffectDelay(context), await measureEffectDelay(context))
}

/** Returns the real milliseconds from the acknowledgement of an install until the app serves the organization. */
async function measureEffectDelay(context: AuditContext): Promise<number> {
  const tenant = await install(context)
  const begun = performance.now()
  const { value, holds, tries } = await tenant.awaitService()
  if (!holds) return Number.POSITIVE_INFINITY
  return tries === 1 ? 0 : performance.now() - begun - value.duration
}
