import { createRedactor, type Redactor } from '../../emulator/journal/known-secrets.js'
import { redactSearch } from '../../emulator/journal/redact.js'
import { templateOf } from '../../emulator/serving/surface.js'
import type { DeliveryFacts, Exchange, JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'

/** An exchange with its span, and when it ended. Milliseconds since 1970 by the machine's clock, as the app's spans are. */
export interface Ended {
  /** The journal adds `id` to it, unless it is a control call that the journal leaves out. */
  exchange: Exchange & Partial<Pick<JournalEntry, 'id'>>
  span: NonNullable<Exchange['span']>
  endedAt: number
}

type Value = string | number | string[]

const SERVER = 2
const CLIENT = 3
const ERROR = 2

/** Returns a function that makes the OTLP form of spans of one moment, without secrets. */
export function otlpSpanIn(world: Pick<World, 'addresses' | 'findings' | 'settings' | 'store'>) {
  const redact = createRedactor(world)
  const { hostname, port, protocol } = new URL(world.addresses.base_url)
  const here = { 'server.address': hostname, 'server.port': Number(port), 'url.scheme': protocol.slice(0, -1) }
  return ({ exchange, span, endedAt }: Ended): object => {
    const { duration, method, status, delivery } = exchange
    const failed = status === null || status >= (delivery ? 400 : 500)
    return {
      traceId: span.trace_id,
      spanId: span.span_id,
      ...(span.parent !== undefined && { parentSpanId: span.parent }),
      name: delivery ? `${method} ${delivery.event}` : spanName(exchange),
      kind: delivery ? CLIENT : SERVER,
      startTimeUnixNano: nanoseconds(endedAt - duration),
      endTimeUnixNano: nanoseconds(endedAt),
      attributes: attributesOf({
        'http.request.method': method,
        ...(status !== null && { 'http.response.status_code': status }),
        ...(failed && { 'error.type': status === null ? 'no_response' : String(status) }),
        ...(delivery
          ? clientAttributes(exchange, delivery, redact)
          : { ...here, ...serverAttributes(exchange, redact) }),
        ...mockademyAttributes(exchange, world, redact),
      }),
      status: failed ? { code: ERROR } : {},
    }
  }
}

/** Names a span as the conventions for HTTP do: method and route, or the method alone. */
const spanName = ({ method, route }: Exchange) => (route === undefined ? method : `${method} ${templateOf(route)}`)

const serverAttributes = ({ path, search, route, client, request }: Exchange, redact: Redactor) => ({
  'url.path': redact(path),
  ...(search !== '' && { 'url.query': redactSearch(search, redact) }),
  ...(route !== undefined && { 'http.route': templateOf(route) }),
  ...(client !== '' && { 'client.address': client }),
  ...(request.headers['user-agent'] && { 'user_agent.original': redact(String(request.headers['user-agent'])) }),
})

function clientAttributes({ path, search }: Exchange, { origin }: DeliveryFacts, redact: Redactor) {
  const url = new URL(origin)
  const query = search && `?${redactSearch(search, redact)}`
  return {
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'url.full': `${origin}${redact(path)}${query}`,
  }
}

/** Attributes of the emulator's own: what the journal and the findings say of the exchange. */
function mockademyAttributes(
  { notes, id }: Ended['exchange'],
  { findings }: Pick<World, 'findings'>,
  redact: Redactor,
) {
  const rules = id === undefined ? [] : findings.citing(id)
  return {
    ...(notes.reason !== undefined && { 'mockademy.reason': redact(notes.reason) }),
    ...(notes.fault !== undefined && { 'mockademy.fault': notes.fault }),
    ...(rules.length > 0 && { 'mockademy.finding': rules }),
    ...(id !== undefined && { 'mockademy.entry': id }),
  }
}

const attributesOf = (values: Record<string, Value>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }))

function otlpValue(value: Value): object {
  if (typeof value === 'number') return { intValue: String(value) }
  if (typeof value === 'string') return { stringValue: value }
  return { arrayValue: { values: value.map(otlpValue) } }
}

/** A double is precise to a fraction of a microsecond for today's date, not to a nanosecond. */
const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)
