import { describe, expect } from 'vitest'
import { createGuardedClient, type GuardedExchange } from '../../src/foundation/http-client/guarded-client.js'
import { test } from '../harness/webhook-test.js'

describe('an exchange is reported once', () => {
  test.for([
    ['after a timeout, when the connection then breaks', 'never', 100],
    ['whose body is over the limit and goes on', 'large', 10_000],
  ] as const)('%s', async ([, answer, timeout], { app }) => {
    app.handles((_, response) => {
      if (answer === 'large') response.end('x'.repeat(8 * 1024 * 1024))
    })
    const seen: GuardedExchange[] = []
    const rules = { trust_hosts: [], allow_public_webhooks: false }
    const client = createGuardedClient({
      rules,
      signal: new AbortController().signal,
      onExchange: (exchange) => seen.push(exchange),
    })
    const exchange = await client({ method: 'GET', url: app.url, timeout })
    // Another one, by whose end whatever the first has left behind has happened.
    app.answers(204)
    await client({ method: 'GET', url: app.url, timeout: 10_000 })
    expect(seen.map(({ status }) => status)).toEqual([exchange.status, 204])
    expect(seen[0]).toBe(exchange)
  })
})

describe('an exchange shows', () => {
  const rules = { trust_hosts: [], allow_public_webhooks: false }
  const clientOf = (signal = new AbortController().signal) => createGuardedClient({ rules, signal })

  test('a response with its cookies, each by itself, and one without any', async ({ app }) => {
    const client = clientOf()
    app.handles((_, response) => void response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-a': 'b' }).end('hi'))
    const given = { method: 'POST', url: app.url, headers: { 'x-c': 'd' }, body: 'text' }
    const exchange = await client({ ...given, timeout: 10_000 })
    expect(exchange).toMatchObject({ ...given, status: 201, error: null })
    expect(exchange.response).toMatchObject({ headers: { 'x-a': 'b' }, cookies: ['a=1', 'b=2'], body: 'hi' })
    expect(exchange.duration).toBeGreaterThan(0)
    app.answers(302, { location: app.url })
    const moved = await client({ method: 'GET', url: app.url, timeout: 10_000 })
    expect(moved).toMatchObject({ status: 302, headers: {}, response: { cookies: [], headers: { location: app.url } } })
    expect(app.received()).toHaveLength(2)
  })

  test('that the run was interrupted, under way or before', async ({ app }) => {
    app.neverAnswers()
    const interrupted = new AbortController()
    const client = clientOf(interrupted.signal)
    const underWay = client({ method: 'GET', url: app.url, timeout: 10_000 })
    await app.arrival(undefined)
    interrupted.abort()
    const none = { status: null, response: { headers: {}, cookies: [], body: '' } }
    expect(await underWay).toMatchObject({ ...none, error: 'the run was interrupted' })
    expect(await client({ method: 'GET', url: app.url, timeout: 10_000 })).toMatchObject({
      ...none,
      error: 'the run was interrupted',
    })
  })

  test('what the connection did', async ({ app }) => {
    const client = clientOf()
    const errorOf = async () => (await client({ method: 'GET', url: app.url, timeout: 10_000 })).error
    app.handles((_, response) => void response.socket?.resetAndDestroy())
    expect(await errorOf()).toBe('the connection was reset')
    app.handles((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.socket?.destroy())
    })
    expect(await errorOf()).toMatch(/^the response was cut off: ./)
    await app.close()
    expect(await errorOf()).toBe('the connection was refused')
  })

  test('that a public address is not for it', async () => {
    const exchange = await clientOf()({ method: 'GET', url: 'http://203.0.113.1/', timeout: 10_000 })
    expect(exchange).toMatchObject({ status: null, error: expect.stringContaining('trust_hosts') })
  })

  test('2 MB of a body and no more', async ({ app }) => {
    app.handles((_, response) => void response.end('x'.repeat(3 * 1024 * 1024)))
    const { status, response } = await clientOf()({ method: 'GET', url: app.url, timeout: 10_000 })
    expect([status, response.body.length]).toEqual([200, 2 * 1024 * 1024])
  })
})
