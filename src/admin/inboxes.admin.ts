import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { realDuration } from '../schema/duration.js'
import { headersSchema } from '../schema/header-names.js'
import { until } from '../webhooks/wait-until.js'
import { bodyOf, list, ok, queryOf, strict } from './answer.js'
import { queryDuration } from './deliveries.admin.js'

const source = 'control-api: Webhooks'

export const inboxEntryShape = z.object({
  at: z.string(),
  event: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  raw: z.string(),
  verified: z.boolean(),
  app: z.string().nullable(),
})

export const inboxQuery = strict({ event: z.string().optional(), wait: queryDuration.default(0) })

export const inboxBehaviour = strict({
  status: z.int().min(200).max(599).default(200),
  delay: realDuration.default(0),
  headers: headersSchema.default({}),
})

const behaviourShape = z.object({
  name: z.string(),
  status: z.int(),
  delay: z.number(),
  headers: z.record(z.string(), z.string()),
})

const entries = z.object({ data: z.array(inboxEntryShape) })

/** control-api: "Webhooks" */
export const inboxRoutes: Route[] = [
  route(
    'GET',
    '/_admin/inboxes/:name',
    {
      id: 'readInbox',
      summary: 'What a built-in receiver has kept; waits until there is something',
      source,
      query: inboxQuery,
      answer: entries,
    },
    async (world, request) => {
      const { event, wait } = queryOf(request, inboxQuery)
      const matching = () => {
        const found = world.inboxes
          .entries(request.params.name)
          .filter((entry) => event === undefined || entry.event === event)
        return found.length > 0 ? found : undefined
      }
      const limits = { timeout: wait, signal: request.signal }
      return list((await until(matching, (listener) => world.inboxes.onEntry(listener), limits)) ?? [])
    },
  ),
  route(
    'PUT',
    '/_admin/inboxes/:name',
    {
      id: 'setInbox',
      summary: 'Make a built-in receiver answer otherwise',
      source,
      body: inboxBehaviour,
      answer: behaviourShape,
    },
    (world, request) => {
      const { name } = request.params
      const behaviour = bodyOf(request, inboxBehaviour)
      world.inboxes.behave(name, behaviour)
      return ok({ name, ...behaviour })
    },
  ),
  route(
    'DELETE',
    '/_admin/inboxes/:name',
    { id: 'emptyInbox', summary: 'Empty a built-in receiver', source, answer: entries },
    (world, request) => {
      const deleted = world.inboxes.entries(request.params.name)
      world.inboxes.empty(request.params.name)
      return list(deleted)
    },
  ),
]
