import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import type { World } from '../../../emulator/world/world.js'
import { sendEvent } from '../../../platform/apps/custom-events.js'
import type { DeliveryRecord } from '../../../platform/webhooks/delivery-record.js'
import { settled } from '../../../platform/webhooks/settled.js'
import { waitUntil } from '../../../platform/webhooks/wait-until.js'
import type { Handlers } from '../call-types.js'
import type { deliverySchemas } from '../schemas/deliveries.schemas.js'
import { installationOf, organizationOf } from './named-records.js'
import { noSuch } from './no-such.js'
import { presentDelivery } from './present-delivery.js'

/** @throws Refusal 404 */
function deliveryOf(world: World, id: string): DeliveryRecord {
  const delivery = world.store.deliveries.get(id)
  if (delivery) return delivery
  const ids = [...world.store.deliveries.all].map((each) => each.id)
  throw noSuch('delivery', id, ids)
}

/** control-api: "Webhooks" */
export const deliveryHandlers: Handlers<keyof typeof deliverySchemas> = {
  listDeliveries(world, { query: { event, installation, organization, state } }) {
    if (installation !== undefined) installationOf(world, installation)
    if (organization !== undefined) organizationOf(world, organization)
    const { deliveries } = world.store
    const hide = createRedactor(world)
    const among =
      installation !== undefined
        ? deliveries.in('installation', installation)
        : organization !== undefined
          ? deliveries.in('organization', organization)
          : deliveries.all
    return [...among]
      .filter(
        (it) =>
          (event === undefined || it.event.type === event) &&
          (organization === undefined || it.organization === organization) &&
          (state === undefined || it.state === state),
      )
      .map((it) => presentDelivery(it, hide))
  },
  async deliveriesSettled(world, { query: { timeout }, signal }) {
    const waiting = await settled(world, timeout, signal)
    return waiting.length === 0 ? { settled: true } : { settled: false, waiting }
  },
  getDelivery: (world, { params }) => presentDelivery(deliveryOf(world, params.id), createRedactor(world)),
  async redeliver(world, { params }) {
    const delivery = await world.outbox.redeliver(deliveryOf(world, params.id))
    return presentDelivery(delivery, createRedactor(world))
  },
  async sendEvent(world, { body: { type, installation: id, data }, signal }) {
    const installation = installationOf(world, id)
    const delivery = await sendEvent(world, { type, data, installation }, signal)
    return presentDelivery(delivery, createRedactor(world))
  },
  async readInbox(world, { params, query: { event, wait }, signal }) {
    const matching = () => {
      const found = world.inboxes.entries(params.name).filter((entry) => event === undefined || entry.event === event)
      return found.length > 0 ? found : undefined
    }
    return (await waitUntil(matching, (listener) => world.inboxes.onEntry(listener), { timeout: wait, signal })) ?? []
  },
  setInbox(world, { params: { name }, body }) {
    world.inboxes.behave(name, body)
    return { name, ...body }
  },
  emptyInbox(world, { params }) {
    const deleted = world.inboxes.entries(params.name)
    world.inboxes.empty(params.name)
    return deleted
  },
}
