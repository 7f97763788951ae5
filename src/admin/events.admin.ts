import * as z from 'zod'
import { sendEvent } from '../apps/custom-events.js'
import { type Route, route } from '../http/route.js'
import { bodyOf, created, strict } from './answer.js'
import { deliveryShape, presentDelivery } from './deliveries.admin.js'
import { installationOf } from './named-records.js'

export const eventBody = strict({
  type: z.string().min(1),
  installation: z.string(),
  data: z.record(z.string(), z.unknown()),
})

/** control-api: "Webhooks" */
export const eventRoutes: Route[] = [
  route(
    'POST',
    '/_admin/events',
    {
      id: 'sendEvent',
      summary: 'Send any event to the app of an installation',
      source: 'control-api: Webhooks',
      body: eventBody,
      answer: deliveryShape,
      status: 201,
    },
    async (world, request) => {
      const { type, installation: id, data } = bodyOf(request, eventBody)
      const installation = installationOf(world, id)
      return created(presentDelivery(await sendEvent(world, { type, data, installation }, request.signal)))
    },
  ),
]
