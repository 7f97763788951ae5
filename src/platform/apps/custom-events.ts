import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import { droppedAttempt } from '../webhooks/attempt.js'
import { endedDelivery } from '../webhooks/deliver.js'
import type { DeliveryRecord } from '../webhooks/delivery-record.js'
import { putDelivery } from '../webhooks/envelope.js'
import { isLifecycleEvent } from '../webhooks/lifecycle-events.js'
import type { InstallationRecord } from './installation-record.js'
import { installedManifest } from './manifest.js'

/**
 * Sends an event to the app of an installation, signed and retried like the platform's own. Resolves when the app has
 * responded, or the acknowledgement window is over; the attempt then goes on. control-api: "Webhooks"
 * @returns the delivery; `dropped` at once when the manifest's `events` leave the type out. wire: §7 "manifest"
 * @throws Refusal 409 unless the app is installed, and with a webhook.
 */
export async function sendEvent(
  world: World,
  { type, data, installation }: { type: string; data: object; installation: InstallationRecord },
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  if (installation.state !== 'installed') {
    const message = `The installation ${installation.id} is ${installation.state}; events go to installed apps only`
    throw new Refusal('conflict', { message })
  }
  const webhook = installedManifest(world, installation)?.webhook
  if (!webhook) {
    const message = `Version ${installation.version} of ${installation.app} has no webhook to send the event to`
    throw new Refusal('conflict', { message })
  }
  const { url, events } = webhook
  const wanted = isLifecycleEvent(type) || events === undefined || events.includes(type)
  const delivery = world.store.change((tx) => {
    const record = putDelivery(world, tx, { type, data, installation, url })
    if (wanted) return record
    const reason = `webhook.events of ${installation.app} ${installation.version} does not list ${type} (it lists: ${events.join(', ') || 'nothing'})`
    const attempts = [droppedAttempt(world, record, { fault: null, reason })]
    return tx.put('deliveries', { ...record, ...endedDelivery(world, record, 'dropped', 0), attempts })
  })
  if (!wanted) return delivery

  const over = new AbortController()
  const either = AbortSignal.any([over.signal, signal])
  const windowEnd = pauseOrAbort(world.settings.ack_window, either)
  try {
    const attempted = await Promise.race([world.outbox.deliver(delivery), windowEnd])
    return attempted ?? world.store.deliveries.get(delivery.id) ?? delivery
  } finally {
    over.abort()
  }
}
