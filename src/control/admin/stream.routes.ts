import * as z from 'zod'
import { route } from '../../emulator/serving/surface.js'
import type { EventBatch } from '../../emulator/world/parts.js'
import { runIn } from '../../emulator/world/run.js'
import { parseQuery } from '../../foundation/http/json-body.js'
import { invalid } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { wholeNumber } from './call.js'
import { trackRun } from './live-runs.js'
import { runFilter } from './named-records.js'

const eventId = wholeNumber(z.int().min(0), 'must be the id of an event')
const streamQuery = z.strictObject({
  since: eventId.optional().describe('Id of the last event received; the stream continues after it'),
  run: runFilter,
})

/** Returns the id after which the stream continues. The header, which browsers send to reconnect, takes precedence. */
function sinceOf(request: Request, since: number | undefined): number | undefined {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return since
  const { success, data } = eventId.safeParse(header)
  if (!success) throw invalid([{ path: 'Last-Event-ID', message: 'must be the id of an event' }])
  return data
}

async function* textOf(batches: AsyncIterable<EventBatch>): AsyncGenerator<string> {
  // A comment: Firefox waits for the first byte of the body before it has a response.
  yield ':\n\n'
  for await (const batch of batches) {
    yield batch.map(({ id, type, data }) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join('')
  }
}

const EVENT_STREAM = 'text/event-stream'

const headers = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** control-api: "Journal" */
export const streamRoute = route(
  'GET',
  '/_admin/stream',
  {
    id: 'stream',
    summary: 'Stream requests, deliveries and changes as server-sent events',
    source: 'control-api: Journal',
    query: streamQuery,
    headers: z.object({
      'Last-Event-ID': eventId.optional().describe('Takes precedence over `since`: browsers send it to reconnect'),
    }),
    response: z.string().describe('Server-sent events'),
    mediaType: EVENT_STREAM,
  },
  (world, request) => {
    const { since, run } = parseQuery(streamQuery, request.query)
    const running = runIn(request)
    if (running !== undefined) trackRun(world, running, request.signal)
    const stream = textOf(world.stream.read(sinceOf(request, since), request.signal, run))
    return { status: 200, headers, stream }
  },
)
