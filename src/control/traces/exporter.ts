import { randomBytes } from 'node:crypto'
import type { TraceContext } from '../../emulator/world/trace.js'
import { version } from '../../emulator/world/version.js'
import type { World } from '../../emulator/world/world.js'
import { send } from '../../foundation/http-client/send.js'
import { clearTimeout, setTimeout } from '../../foundation/time/real-timers.js'
import type { OtlpSettings } from './otlp-settings.js'
import { type Ended, otlpSpanIn } from './otlp-span.js'

/** Spans that wait at most; those beyond are dropped. OpenTelemetry's own defaults, as are the next two. */
const MAX_WAITING = 2048
const BATCH = 512
/** Milliseconds from the first span of a batch to its export. */
const WAIT = 1000
/** Milliseconds that the collector has for a batch. */
const TIMEOUT = 2000

/**
 * Creates an exporter of the spans of a world's exchanges, over OTLP/HTTP JSON. coverage: "Traces"
 * @param settings from the environment.
 * @param now milliseconds since 1970 by the machine's clock, by which the app's own spans go.
 */
export function createSpanExporter({ url, headers, service }: OtlpSettings, now: () => number) {
  const waiting: Ended[] = []
  let world: World | undefined
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let dropped = 0

  async function sendBatches(): Promise<void> {
    while (world && waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      const spans = batch.map(otlpSpanIn(world))
      const taken = await send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(document(service, spans)),
        timeout: TIMEOUT,
        limit: 64 * 1024,
      }).then(
        ({ status }) => status < 300,
        () => false,
      )
      if (!taken) dropped += spans.length
    }
  }

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= sendBatches().finally(() => {
      sending = undefined
    })
    await sending
  }

  return {
    begin: (sender: TraceContext | undefined) => ({
      trace_id: sender?.trace_id ?? randomBytes(16).toString('hex'),
      span_id: randomBytes(8).toString('hex'),
    }),
    /** Exports every exchange of the world from now on. */
    watch(watched: World) {
      world = watched
      watched.journal.onExchange((exchange) => {
        const { span } = exchange
        if (!span) return
        if (waiting.length >= MAX_WAITING) {
          dropped++
          return
        }
        waiting.push({ exchange, span, endedAt: now() })
        timer ??= setTimeout(flush, WAIT).unref()
      })
    },
    /** Exports what is left, and resolves with the number of spans that were dropped. */
    async close() {
      await flush()
      return dropped
    },
  }
}

const document = (service: string, spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [{ scope: { name: 'mockademy', version }, spans }],
    },
  ],
})
