import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { launch } from '../../src/control/start/launch.js'
import { createSpanExporter } from '../../src/control/traces/exporter.js'
import type { Exchange } from '../../src/emulator/world/exchange.js'
import { test as commandLine, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { type Received, startReceiver } from '../harness/receiver.js'
import { notesManifest, test } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const traceparent = `00-${trace}-${span}-01`

describe('coverage: an inbound traceparent is kept', () => {
  test('in the entry, and lists are filtered by it', async ({ call }) => {
    await call('/v0/courses', { as: 'key_acme', headers: { traceparent } })
    await call('/v0/courses', { as: 'key_acme' })
    const { body } = await call(`/_admin/requests?trace=${trace}`)
    expect(body.data).toMatchObject([{ path: '/v0/courses', trace_id: trace, span_id: span }])
    const all = (await call('/_admin/requests')).body.data
    expect(all).toHaveLength(2)
    expect(all[1]).not.toHaveProperty('trace_id')
    expect(all[1]).not.toHaveProperty('span_id')
    expect((await call('/_admin/requests/count?trace=00000000000000000000000000000001')).body).toEqual({ count: 0 })
  })

  test.for([
    ['no trace', `00-${'0'.repeat(32)}-${span}-01`],
    ['no span', `00-${trace}-${'0'.repeat(16)}-01`],
    ['capitals', traceparent.toUpperCase()],
    ['a version that is none', `ff-${trace}-${span}-01`],
    ['more fields in version 00', `${traceparent}-more`],
    ['other text', 'trace me'],
  ] as const)('%s is ignored, as the standard says', async ([, given], { call }) => {
    expect((await call('/v0/courses', { as: 'key_acme', headers: { traceparent: given } })).status).toBe(200)
    expect((await call('/_admin/requests')).body.data[0]).not.toHaveProperty('trace_id')
  })

  test('a later version may have more fields', async ({ call }) => {
    await call('/v0/courses', { as: 'key_acme', headers: { traceparent: `01-${trace}-${span}-01-more` } })
    expect((await call('/_admin/requests')).body.data[0]).toMatchObject({ trace_id: trace, span_id: span })
  })

  test('a filter that is no id is refused', async ({ call }) => {
    const { status, body } = await call('/_admin/requests?trace=4BF9')
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: 'trace', message: 'must be 32 lower-case hexadecimal digits' }])
  })
})

describe('coverage: a webhook goes on in the trace of what caused it', () => {
  test('with a span of its own on each attempt, retries too', async ({ app, call, advance }) => {
    app.answers(500)
    await call('/_admin/installations', { body: { app: 'notes', organization: 'acme' }, headers: { traceparent } })
    await advance('10s')
    const spans = app.received('app.installed').map(({ headers }) => {
      expect(headers.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
      return String(headers.traceparent).slice(36, 52)
    })
    expect(spans).toHaveLength(2)
    expect(new Set([...spans, span]).size).toBe(3)
    const { body } = await call(`/_admin/requests?trace=${trace}&surface=webhook`)
    expect(body.data).toMatchObject(spans.map((span_id) => ({ trace_id: trace, span_id })))
  })

  test('nothing is added when its cause has none: the platform sends no such header', async ({ app, install }) => {
    await install()
    expect(app.received('app.installed')[0]?.headers).not.toHaveProperty('traceparent')
  })
})

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
  startTimeUnixNano: string
  endTimeUnixNano: string
}

/** The spans that a collector has received, with the service of each. */
const spansIn = (received: Received[]): (Span & { service: unknown })[] =>
  received.flatMap(({ body }) =>
    // biome-ignore lint/suspicious/noExplicitAny: the documents of two exporters
    body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      scopeSpans.flatMap((scope: any) =>
        scope.spans.map((each: Span) => ({ ...each, service: attribute(resource.attributes, 'service.name') })),
      ),
    ),
  )

const attribute = (attributes: Span['attributes'], name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

/** Starts the app, and resolves with its port. */
async function startApp(url: string, env: Record<string, string>): Promise<{ app: ChildProcess; port: string }> {
  const app = spawn(process.execPath, [join(ROOT, 'test/traces/traced-app.cjs'), url], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(app.stdout as NodeJS.ReadableStream, 'data')
  return { app, port: String(line).trim() }
}

describe('coverage: spans over OTLP/HTTP', () => {
  commandLine('one trace from a click over the webhook to the API, of an app with an SDK', async ({ start }) => {
    const collector = await startReceiver()
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin }
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint.OTEL_EXPORTER_OTLP_ENDPOINT}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b , x-other = c=d,?,x-odd=100%',
    }
    const emulator = await start(['--port', '0', '--store', 'memory'], { env })
    const { app, port } = await startApp(emulator.url, endpoint)
    const manifest = { ...notesManifest({ url: `http://127.0.0.1:${port}/webhook` }), id: 'traced' }
    await send(`${emulator.url}/_admin/apps`, { body: { manifest } })
    const body = { app: 'traced', organization: 'acme' }
    const { status } = await send(`${emulator.url}/_admin/installations`, { body, headers: { traceparent } })
    expect(status).toBe(201)
    // Nobody listens there; a span of an attempt that failed says where it went, too.
    const secure = { ...notesManifest({ url: 'https://localhost/webhook?token=at_secret' }), id: 'secure' }
    await send(`${emulator.url}/_admin/apps`, { body: { manifest: secure } })
    const installed = await send(`${emulator.url}/_admin/installations`, {
      body: { app: 'secure', organization: 'acme' },
      headers: { traceparent },
    })
    expect(installed.body.delivery).toMatchObject({ state: 'retrying' })
    const headers = { traceparent, 'user-agent': 'curl/8' }
    await send(`${emulator.url}/v0/courses?ids=a&ids=b&token=at_secret`, { as: 'at_secret', headers })
    const fault = { match: { path: '/v0/members' }, effect: { status: 503 } }
    const { id } = (await send(`${emulator.url}/_admin/faults`, { body: fault })).body
    await send(`${emulator.url}/v0/members`, { as: 'key_acme', headers })
    await send(`${emulator.url}/v0/elements/none`, { as: 'key_acme', headers })
    // They do not wait for the end.
    const seen = () => spansIn(collector.received()).filter(({ service }) => service === 'mockademy')
    await expect.poll(() => seen().length).toBeGreaterThan(0)
    app.kill('SIGTERM')
    await once(app, 'exit')
    await emulator.stop()

    const traced = spansIn(collector.received()).filter(({ traceId }) => traceId === trace)
    const bySpan = new Map(traced.map((each) => [each.spanId, each]))
    const [read] = traced.filter(
      ({ service, name, attributes }) =>
        service === 'mockademy' &&
        name === 'GET /v0/courses' &&
        attribute(attributes, 'http.response.status_code') === '200',
    )
    const way: unknown[] = []
    for (let each = read; each; each = bySpan.get(each.parentSpanId ?? '') as typeof read) {
      way.push([each.service === 'mockademy' ? 'mockademy' : 'the app', each.kind, each.name])
      expect(BigInt(each.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(each.startTimeUnixNano))
      if (!bySpan.has(each.parentSpanId ?? '')) expect(each.parentSpanId).toBe(span)
    }
    expect(way).toEqual([
      ['mockademy', 2, 'GET /v0/courses'],
      ['the app', 3, 'GET'],
      ['the app', 2, 'POST'],
      ['mockademy', 3, 'POST app.installed'],
      ['mockademy', 2, 'POST /_admin/installations'],
    ])

    const refused = traced.find(({ attributes }) => attribute(attributes, 'http.response.status_code') === '401')
    expect(refused?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'http.request.method', value: { stringValue: 'GET' } },
        { key: 'url.path', value: { stringValue: '/v0/courses' } },
        { key: 'http.route', value: { stringValue: '/v0/courses' } },
        { key: 'url.scheme', value: { stringValue: 'http' } },
        { key: 'url.query', value: { stringValue: expect.stringMatching(/^ids=a&ids=b&token=/) } },
        { key: 'server.address', value: { stringValue: '127.0.0.1' } },
        { key: 'server.port', value: { intValue: new URL(emulator.url).port } },
        { key: 'client.address', value: { stringValue: '127.0.0.1' } },
        { key: 'user_agent.original', value: { stringValue: 'curl/8' } },
        { key: 'mockademy.reason', value: { stringValue: expect.stringContaining('never issued') } },
        { key: 'mockademy.entry', value: { intValue: expect.stringMatching(/^\d+$/) } },
      ]),
    )
    expect(refused?.status).toEqual({})
    const failed = traced.find(({ name }) => name === 'GET /v0/members')
    expect(failed?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: '503' } })
    expect(failed?.attributes).toContainEqual({ key: 'mockademy.fault', value: { stringValue: id } })
    expect(failed?.status).toEqual({ code: 2 })
    expect(failed?.attributes.map(({ key }) => key)).not.toContain('url.query')
    const element = traced.find(({ name }) => name === 'GET /v0/elements/{id}')
    expect(element?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'url.path', value: { stringValue: '/v0/elements/none' } },
        { key: 'http.route', value: { stringValue: '/v0/elements/{id}' } },
      ]),
    )
    const webhook = traced.find(({ name }) => name === 'POST app.installed')
    expect(webhook?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'server.address', value: { stringValue: '127.0.0.1' } },
        { key: 'server.port', value: { intValue: port } },
        { key: 'url.full', value: { stringValue: `http://127.0.0.1:${port}/webhook` } },
      ]),
    )
    const overHttps = traced.find(({ attributes }) => attribute(attributes, 'server.address') === 'localhost')
    expect(overHttps?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'server.port', value: { intValue: '443' } },
        { key: 'url.full', value: { stringValue: expect.stringMatching(/^https:\/\/localhost\/webhook\?token=/) } },
        { key: 'error.type', value: { stringValue: 'no_response' } },
      ]),
    )
    const posts = collector.received()
    expect(posts.every(({ path }) => path === '/v1/traces')).toBe(true)
    const ours = posts.filter(({ raw }) => raw.includes('"mockademy"'))
    const sent = { 'content-type': 'application/json', 'x-key': 'a b', 'x-other': 'c=d', 'x-odd': '100%' }
    for (const { headers } of ours) expect(headers).toMatchObject(sent)
    expect(Buffer.concat(ours.map(({ raw }) => raw)).toString()).not.toContain('at_secret')
  })

  test('spans beyond those that may wait are dropped and counted, and one names the findings that cite it', async () => {
    const collector = await startReceiver()
    const { world, close } = await launch({ fixtures: acme })
    const exporter = createSpanExporter({ url: collector.url, headers: {}, service: 'emulator' }, () => 0)
    const listeners: ((exchange: Exchange) => void)[] = []
    const journal = { onExchange: (listener: (typeof listeners)[0]) => void listeners.push(listener) }
    const findings = { citing: (id: number) => (id === 1 ? ['token_in_url'] : []) }
    exporter.watch(Object.create(world, { journal: { value: journal }, findings: { value: findings } }))
    const exchange = {
      ...{ surface: 'api', method: 'GET', path: '/v0/courses', search: '', status: 200, duration: 0, client: '' },
      ...{ span: { trace_id: trace, span_id: span }, request: { headers: {} }, notes: {}, identity: {} },
    }
    for (let id = 1; id <= 2050; id++) listeners[0]?.({ ...exchange, id } as unknown as Exchange)
    expect(await exporter.close()).toBe(2)
    const spans = spansIn(collector.received())
    expect(spans).toHaveLength(2048)
    const cited = spans.flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'mockademy.finding'))
    expect(cited).toEqual([
      { key: 'mockademy.finding', value: { arrayValue: { values: [{ stringValue: 'token_in_url' }] } } },
    ])
    await close()
  })

  commandLine('a collector that is away costs the spans, which are counted', async ({ start }) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const emulator = await start(['--port', '0', '--store', 'memory'], { env })
    expect((await send(`${emulator.url}/_admin`)).status).toBe(200)
    expect((await emulator.stop()).stderr).toContain('spans that could not be exported: 1')
  })

  commandLine('nothing is sent without the variable, or when the SDK is disabled', async ({ start }) => {
    const collector = await startReceiver()
    const endpoint = new URL(collector.url).origin
    const disabled: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }
    for (const env of [{}, disabled]) {
      const emulator = await start(['--port', '0', '--store', 'memory'], { env })
      await send(`${emulator.url}/v0/courses`, { headers: { traceparent } })
      expect((await emulator.stop()).stderr).toBe('')
    }
    expect(collector.received()).toEqual([])
  })

  commandLine('an endpoint that is no URL is refused', async ({ run }) => {
    const { status, stderr } = await run(['start'], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' } })
    expect(status).toBe(2)
    expect(stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT "localhost:4318": must be a URL of http or https')
  })
})
