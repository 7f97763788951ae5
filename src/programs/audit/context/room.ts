import { once } from 'node:events'
import type { WireExchange } from '../../../control/client/wire.js'
import type { AuditContext } from './context.js'
import { install } from './installing.js'
import { mustRespond } from './response-gate.js'

/** Real milliseconds in which an app that takes events one after another works one off while all checks may run. */
const EFFECT = 50
/** Real milliseconds in which an app works off all that a check leaves in its queue. */
const LONGEST_QUEUE = 60_000

/** Returns how many checks may run side by side: fewer where installs take effect late, as a full queue delays them all. */
export async function roomFor(context: AuditContext, most: number, ending: AbortSignal): Promise<number> {
  const { file, app, patience } = context
  if (ending.aborted || !file.probe || !app.parts.has('webhook') || !app.parts.has('oauth.install')) return most
  const isEnding = once(ending, 'abort').then(() => undefined)
  // The checks tell what is wrong with an app that serves nobody.
  const usual = await Promise.race([usualLateness(context).catch(() => undefined), isEnding])
  if (usual === undefined) return most
  patience.onEffect(usual)
  return Math.max(1, Math.min(most, Math.floor((most * EFFECT) / usual)))
}

/** Waits, where installs take effect late, until one does: the app has worked off its queue by then. */
export async function awaitQueue(context: AuditContext, ending: AbortSignal): Promise<void> {
  if (ending.aborted || context.patience.lateness() <= EFFECT) return
  const tenant = await context.platform.tenant()
  await tenant.install()
  const isOver = (sent: WireExchange) => ending.aborted || tenant.isOk(sent)
  const last = await context.until(tenant.probe, isOver, LONGEST_QUEUE)
  // An app that has stopped working off its queue is not waited for again.
  if (!isOver(last)) context.patience.onEffect(0)
}

/** Returns the lesser of two, as the first install may take long for another reason; undefined when none is served. */
async function usualLateness(context: AuditContext): Promise<number | undefined> {
  await mustRespond({ id: 'room', needs: ['webhook', 'probe'] }, context)
  const measured = [await lateness(context), await lateness(context)].filter((each) => each !== undefined)
  return measured.length > 0 ? Math.min(...measured) : undefined
}

/** Returns the real milliseconds from the acknowledgement of an install until the app serves the organization. */
async function lateness(context: AuditContext): Promise<number | undefined> {
  const tenant = await install(context)
  const begun = performance.now()
  const { value, holds, tries } = await tenant.awaitService()
  if (!holds) return undefined
  return tries === 1 ? 0 : performance.now() - begun - value.duration
}
