import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { redactBody, redactHeaders } from '../journal/redact.js'
import { realDuration } from '../schema/duration.js'
import { type AttemptRecord, type DeliveryRecord, deliveryStates } from '../webhooks/delivery-record.js'
import { settled } from '../webhooks/settled.js'
import type { World } from '../world/world.js'
import { list, noSuch, ok, queryOf, strict } from './answer.js'
import { installationOf, organizationOf } from './named-records.js'

const source = 'control-api: Webhooks'

const messageShape = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() })

export const deliveryShape = z.object({
  id: z.string(),
  event: z.object({ id: z.string(), type: z.string() }),
  installation: z.string(),
  organization: z.string(),
  url: z.string(),
  state: z.enum(deliveryStates),
  due_at: z.string().nullable(),
  attempts: z.array(
    z.object({
      at: z.string(),
      status: z.int().nullable(),
      duration: z.number(),
      error: z.string().nullable(),
      fault: z.string().nullable(),
      request: messageShape,
      response: messageShape.nullable(),
    }),
  ),
})

/** control-api: "Shapes", delivery; secrets redacted as "Journal" says */
export const presentDelivery = (delivery: DeliveryRecord): z.input<typeof deliveryShape> => ({
  id: delivery.id,
  event: delivery.event,
  installation: delivery.installation,
  organization: delivery.organization,
  url: delivery.url,
  state: delivery.state,
  due_at: delivery.due_at,
  attempts: delivery.attempts.map((attempt) => presentAttempt(attempt, delivery.body)),
})

const presentAttempt = ({ request, response, ...attempt }: AttemptRecord, body: string) => ({
  ...attempt,
  request: {
    headers: redactHeaders(request.headers),
    body: redactBody(request.body ?? body, 'application/json'),
  },
  response: response && {
    headers: redactHeaders(response.headers),
    body: redactBody(response.body, response.headers['content-type'] ?? 'text/plain'),
  },
})

export const deliveryQuery = strict({
  event: z.string().optional(),
  installation: z.string().optional(),
  organization: z.string().optional(),
  state: z.enum(deliveryStates).optional(),
})

const FIVE_SECONDS = 5_000
/** A duration in a query is text; digits alone are milliseconds. */
export const queryDuration = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text))
  .pipe(realDuration)

export const settledQuery = strict({ timeout: queryDuration.default(FIVE_SECONDS) })

/** @throws Refusal 404 */
function deliveryOf(world: World, id: string): DeliveryRecord {
  const delivery = world.store.deliveries.get(id)
  if (!delivery)
    throw noSuch(
      'delivery',
      id,
      [...world.store.deliveries.all].map((each) => each.id),
    )
  return delivery
}

/** control-api: "Webhooks" */
export const deliveryRoutes: Route[] = [
  route(
    'GET',
    '/_admin/deliveries',
    {
      id: 'listDeliveries',
      summary: 'Webhook deliveries with every attempt',
      source,
      query: deliveryQuery,
      answer: z.object({ data: z.array(deliveryShape) }),
    },
    (world, request) => {
      const { event, installation, organization, state } = queryOf(request, deliveryQuery)
      if (installation !== undefined) installationOf(world, installation)
      if (organization !== undefined) organizationOf(world, organization)
      const { deliveries } = world.store
      const among =
        installation !== undefined
          ? deliveries.in('installation', installation)
          : organization !== undefined
            ? deliveries.in('organization', organization)
            : deliveries.all
      const found = [...among].filter(
        (it) =>
          (event === undefined || it.event.type === event) &&
          (organization === undefined || it.organization === organization) &&
          (state === undefined || it.state === state),
      )
      return list(found.map(presentDelivery))
    },
  ),
  // Before the route of one delivery, whose pattern its path fits too.
  route(
    'GET',
    '/_admin/deliveries/settled',
    {
      id: 'deliveriesSettled',
      summary: 'Wait until no delivery is in flight or overdue',
      source,
      query: settledQuery,
      answer: z.object({ settled: z.boolean(), waiting: z.array(z.string()).optional() }),
    },
    async (world, request) => {
      const { timeout } = queryOf(request, settledQuery)
      const waiting = await settled(world, timeout, request.signal)
      return ok(waiting.length === 0 ? { settled: true } : { settled: false, waiting })
    },
  ),
  route(
    'GET',
    '/_admin/deliveries/:id',
    { id: 'getDelivery', summary: 'One delivery', source, answer: deliveryShape },
    (world, request) => ok(presentDelivery(deliveryOf(world, request.params.id))),
  ),
  route(
    'POST',
    '/_admin/deliveries/:id/redeliver',
    { id: 'redeliver', summary: 'Send a delivery once more now', source, answer: deliveryShape },
    async (world, request) => ok(presentDelivery(await world.outbox.redeliver(deliveryOf(world, request.params.id)))),
  ),
]
