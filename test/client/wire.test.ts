import { describe, expect } from 'vitest'
import { createWire, type WireExchange } from '../../src/control/client/wire.js'
import { test } from '../harness/webhook-test.js'

describe('an exchange is reported once', () => {
  test.for([
    ['after a timeout, when the connection then breaks', 'never', 100],
    ['whose body is over the limit and goes on', 'large', 10_000],
  ] as const)('%s', async ([, answer, timeout], { app }) => {
    app.handles((_, response) => {
      if (answer === 'large') response.end('x'.repeat(8 * 1024 * 1024))
    })
    const seen: WireExchange[] = []
    const rules = { trust_hosts: [], allow_public_webhooks: false }
    const wire = createWire({ rules, signal: new AbortController().signal, seen: (exchange) => seen.push(exchange) })
    const exchange = await wire({ method: 'GET', url: app.url, timeout })
    // Another one, by whose end whatever the first has left behind has happened.
    app.answers(204)
    await wire({ method: 'GET', url: app.url, timeout: 10_000 })
    expect(seen.map(({ status }) => status)).toEqual([exchange.status, 204])
    expect(seen[0]).toBe(exchange)
  })
})
