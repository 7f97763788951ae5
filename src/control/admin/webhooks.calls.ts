import * as z from 'zod'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import { matchesRun, runOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import type { Duration } from '../../foundation/schema/duration.js'
import { headersSchema } from '../../foundation/schema/header-names.js'
import { freeForm, realDuration } from '../../foundation/schema/schema-words.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import { redirectDelivery } from '../../platform/apps/apps.js'
import { sendEvent } from '../../platform/apps/custom-events.js'
import { type DeliveryRecord, deliveryStates } from '../../platform/webhooks/delivery-record.js'
import { settle, waitUntil } from '../../platform/webhooks/wait-until.js'
import { chapter, shape } from './call.js'
import {
  finderOf,
  findMarked,
  findRun,
  installationOf,
  markFilter,
  matches,
  resolveNames,
  runFilter,
} from './named-records.js'
import { publishChange } from './publish-events.js'
import { presentDelivery } from './stream-shapes.js'

const call = chapter('Webhooks')

const message = shape('Message', 'The headers and the body of one side of an exchange, secrets redacted', {
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
})

export const delivery = shape('Delivery', 'A delivery of a webhook, with its attempts', {
  id: z.string(),
  event: z.object({ id: z.string(), type: z.string() }),
  installation: z.string().describe('Id'),
  organization: z.string().describe('Slug'),
  run: z.string().optional().describe('The run of an audit or a sweep that its organization belongs to'),
  url: z.string(),
  state: z.enum(deliveryStates),
  due_at: z.string().nullable().describe('Time at which the next attempt is due'),
  attempts: z.array(
    z.object({
      at: z.string(),
      status: z.int().nullable(),
      duration: z.number().describe('Real milliseconds; 0 with a seed while the clock is stopped'),
      error: z.string().nullable(),
      fault: z.string().nullable(),
      request: message,
      response: message.nullable(),
    }),
  ),
})

const presentRedacted = (world: World, record: DeliveryRecord) => presentDelivery(world, record, createRedactor(world))

const deliveryOf = finderOf('deliveries', 'delivery')

const inboxEntry = shape('InboxEntry', 'A webhook that an inbox received', {
  at: z.string(),
  event: z.string().nullable().describe('Its type'),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  raw: z.string().describe('The body as received'),
  verified: z.boolean().describe("True when the signature is valid for an app's signing secret"),
  app: z.string().nullable(),
  organization: z.string().nullable().describe('Slug: that of the installation which the body names'),
})

/** A duration in a query is text; digits alone are milliseconds. */
export const queryDuration = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : (text as Duration)))
  .pipe(realDuration) as unknown as z.ZodType<number, Duration>

const organization = z.string().optional().describe('Slug')

export const webhookCalls = {
  listDeliveries: call('GET', '/_admin/deliveries', {
    summary: 'List the webhook deliveries, with their attempts',
    command: {
      line: 'deliveries list',
      example: '--state retrying',
      shows: ['id', 'event.type', 'organization', 'state', 'due_at', 'url', ['error', 'attempts.-1.error']],
    },
    note: 'Use state "retrying" or "failed" to find webhooks that the app did not acknowledge. Each attempt has its error and response.',
    list: true,
    query: z.strictObject({
      event: z.string().optional().describe('Type of the event'),
      installation: z.string().optional().describe('Installation id'),
      organization,
      state: z.enum(deliveryStates).optional().describe('State of the delivery'),
      run: runFilter,
      mark: markFilter,
    }),
    response: delivery,
    handler(world, { query: { event, run, mark, ...filters } }) {
      const wanted = resolveNames(world, filters)
      const wantedRun = findRun(world, run)
      const ofMark = findMarked(world, mark)
      const redact = createRedactor(world)
      return [...world.store.deliveries.all]
        .filter((each) => matches(each, wanted) && (event === undefined || each.event.type === event))
        .filter((each) => matchesRun(runOf(world, each), wantedRun) && (!ofMark || ofMark.events.has(each.event.id)))
        .map((each) => presentDelivery(world, each, redact))
    },
  }),
  deliveriesSettled: call('GET', '/_admin/deliveries/settled', {
    summary: 'Wait until no delivery is in flight or overdue',
    command: { line: 'deliveries settle', example: '--timeout 10s' },
    query: z.strictObject({
      timeout: queryDuration.default(5_000).describe('Maximum real time to wait: "10s"'),
      background: queryDuration
        .default(0)
        .describe('Real time that passes first, for what apps do after they have acknowledged an event: "2s"'),
      organization,
    }),
    response: z.object({ settled: z.boolean(), waiting: z.array(z.string()).optional() }),
    async handler(world, { query: { timeout, background, ...filters }, signal }) {
      const { organization } = resolveNames(world, filters)
      if (background > 0) await pauseOrAbort(background, signal)
      const waiting = await settle(world, { timeout, signal }, organization)
      return waiting.length === 0 ? { settled: true } : { settled: false, waiting }
    },
  }),
  getDelivery: call('GET', '/_admin/deliveries/:id', {
    summary: 'Show a delivery with every attempt',
    command: { line: 'deliveries show <id>', shows: 'json' },
    response: delivery,
    find: (world, { id }) => deliveryOf(world, id),
    handler: (world, { found }) => presentRedacted(world, found),
  }),
  redeliver: call('POST', '/_admin/deliveries/:id/redeliver', {
    summary: 'Send a delivery again now',
    response: delivery,
    find: (world, { id }) => deliveryOf(world, id),
    async handler(world, { found }) {
      world.store.change((tx) => redirectDelivery(world, tx, found))
      return presentRedacted(world, await world.outbox.redeliver(found))
    },
  }),
  sendEvent: call('POST', '/_admin/events', {
    summary: 'Send any event to the app of an installation',
    status: 201,
    body: z.strictObject({
      type: z.string().min(1),
      installation: z.string().describe('Id'),
      data: freeForm.describe('Data of the event'),
    }),
    response: delivery,
    async handler(world, { body, signal }) {
      const installation = installationOf(world, body.installation)
      return presentRedacted(world, await sendEvent(world, { ...body, installation }, signal))
    },
  }),
  readInbox: call('GET', '/_admin/inboxes/:name', {
    summary: 'Read the webhooks that a built-in receiver has kept; with `wait`, wait for one',
    note: 'Set a webhook URL to /_inbox/<name> on the emulator to keep what it receives. verified is true when the signature is valid.',
    list: true,
    query: z.strictObject({
      event: z.string().optional().describe('Type of the event'),
      organization,
      wait: queryDuration.default(0).describe('Maximum real time to wait for one'),
    }),
    response: inboxEntry,
    async handler(world, { params, query: { wait, ...filters }, signal }) {
      const { inboxes } = world
      const wanted = resolveNames(world, filters)
      const found = () => {
        const entries = inboxes.entries(params.name).filter((entry) => matches(entry, wanted))
        return entries.length > 0 ? entries : undefined
      }
      return (await waitUntil(found, (listener) => inboxes.onEntry(listener), { timeout: wait, signal })) ?? []
    },
  }),
  setInbox: call('PUT', '/_admin/inboxes/:name', {
    summary: 'Set the response of a built-in receiver; by default 200 at once',
    bodyOptional: true,
    body: z.strictObject({
      status: z.int().min(200).max(599).default(200),
      delay: realDuration.default(0).describe('Delay of the response, in real time'),
      headers: headersSchema.default({}),
    }),
    response: shape('Inbox', 'An inbox, with its response to each webhook', {
      name: z.string(),
      status: z.int(),
      delay: z.number(),
      headers: z.record(z.string(), z.string()),
    }),
    handler({ inboxes }, { params: { name }, body }) {
      inboxes.behave(name, body)
      return { name, ...body }
    },
  }),
  emptyInbox: call('DELETE', '/_admin/inboxes/:name', {
    summary: 'Empty a built-in receiver',
    list: true,
    response: inboxEntry,
    handler(world, { params }) {
      const deleted = world.inboxes.entries(params.name)
      world.inboxes.empty(params.name)
      publishChange(world, 'inboxes', params.name)
      return deleted
    },
  }),
}
