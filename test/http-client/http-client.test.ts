import { once } from 'node:events'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createGuardedClient, type GuardedExchange } from '../../src/foundation/http-client/guarded-client.js'
import { isListening } from '../../src/foundation/http-client/is-listening.js'
import { send } from '../../src/foundation/http-client/send.js'
import { serve } from '../harness/serve.js'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

describe('a request to another program', () => {
  test('takes what is there by its limit, and says that it is cut off', async () => {
    const { url } = await serve((_, response) => response.end(MEGABYTE))
    const { body, cut } = await send({ method: 'GET', url, limit: 1000 })
    expect(body).toHaveLength(1000)
    expect(cut).toMatchObject({ kind: 'limit' })
    const whole = await send({ method: 'GET', url, limit: MEGABYTE.length })
    expect(whole.cut).toBeUndefined()
    expect(whole.body.equals(MEGABYTE)).toBe(true)
  })

  test('whose response takes too long is cut off when there is a status, and fails without', async () => {
    const { url } = await serve(({ url }, response) => {
      if (url === '/status') response.writeHead(201).write('half')
    })
    const cut = await send({ method: 'GET', url: `${url}/status`, timeout: 3000 })
    expect(cut).toMatchObject({ status: 201, body: Buffer.from('half'), cut: { kind: 'timeout' } })
    await expect(send({ method: 'GET', url, timeout: 100 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('fails when it is aborted, although there is a status', async () => {
    const stop = new AbortController()
    const { url } = await serve((_, response) => {
      response.writeHead(200).write('half', () => stop.abort())
    })
    await expect(send({ method: 'GET', url, signal: stop.signal })).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('over a kept connection that has ended meanwhile says that it did not arrive', async () => {
    const agent = new Agent({ keepAlive: true })
    const { url } = await serve((request, response) => {
      if (request.url === '/first') response.end()
      else request.socket.resetAndDestroy()
    })
    await send({ method: 'GET', url: `${url}/first`, agent })
    await expect(send({ method: 'GET', url, agent })).rejects.toMatchObject({ code: 'ECONNRESET', isStale: true })
    await expect(send({ method: 'GET', url, agent })).rejects.toMatchObject({ code: 'ECONNRESET', isStale: false })
    await expect(send({ method: 'GET', url })).rejects.toMatchObject({ code: 'ECONNRESET', isStale: false })
    agent.destroy()
  })

  test('has a connection of its own, which ends with it, unless it is given an agent', async () => {
    const ended: Promise<unknown>[] = []
    const seen = (socket: Socket) => void ended.push(once(socket, 'close'))
    const { url } = await serve((_, response) => response.end('x'))
    await send({ method: 'GET', url, onConnection: seen })
    await send({ method: 'GET', url, onConnection: seen })
    expect(ended).toHaveLength(2)
    await Promise.all(ended)
    const agent = new Agent({ keepAlive: true })
    await send({ method: 'GET', url, agent, onConnection: seen })
    await send({ method: 'GET', url, agent, onConnection: seen })
    expect(ended).toHaveLength(3)
    agent.destroy()
  })

  test('whose response switches protocols has its status, and ends the connection', async () => {
    const agent = new Agent({ keepAlive: true })
    const ended: Promise<unknown>[] = []
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
    // The other side keeps the connection open.
    const { url } = await serve(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    const onConnection = (socket: Socket) => void ended.push(once(socket, 'close'))
    expect(await send({ method: 'GET', url, agent, onConnection })).toMatchObject({
      status: 101,
      headers: upgrade,
      body: Buffer.alloc(0),
    })
    expect(ended).toHaveLength(1)
    await Promise.all(ended)
  })

  test('that was given up beforehand is not made', async () => {
    let requests = 0
    const { url } = await serve((_, response) => {
      requests++
      response.end()
    })
    await expect(send({ method: 'GET', url, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
    await send({ method: 'GET', url })
    expect(requests).toBe(1)
  })

  test.for(['http://192.0.2.1/', 'http://[2001:db8::1]/'])(
    'to %s is not made when targets are restricted',
    async (url) => {
      const targets = { trust_hosts: [], allow_public_webhooks: false }
      await expect(send({ method: 'GET', url, targets, timeout: 100 })).rejects.toMatchObject({ kind: 'refused' })
      const trusting = { ...targets, allow_public_webhooks: true }
      await expect(send({ method: 'GET', url, targets: trusting, timeout: 1 })).rejects.not.toMatchObject({
        kind: 'refused',
      })
    },
  )
})

test('a name below localhost leads to this machine, whatever its resolver knows', async () => {
  const { url } = await serve((_, response) => response.end())
  const targets = { trust_hosts: [], allow_public_webhooks: false }
  for (const name of ['acme.localhost', 'acme.localhost.']) {
    const named = url.replace('127.0.0.1', name)
    expect(await send({ method: 'GET', url: named, targets })).toMatchObject({ status: 200 })
  }
})

test('a host is listening when it accepts a connection', async () => {
  const { url } = await serve((_, response) => response.end())
  expect(await isListening(url, 10_000)).toBe(true)
  expect(await isListening('http://127.0.0.1:1/', 10_000)).toBe(false)
  // Nobody answers there, not even that there is nobody.
  expect(await isListening('http://192.0.2.1:1/', 100)).toBe(false)
})

describe('what an audit and a scenario are told of an exchange', () => {
  const rules = { trust_hosts: [], allow_public_webhooks: false }

  test.for([
    ['a response that takes too long', null, 'no response within 100 ms'],
    ['a body over the limit', 200, null],
    ['a response that is cut off', null, expect.stringMatching(/^the response was cut off/)],
    ['a reset connection', null, 'the connection was reset'],
  ] as const)('%s is one exchange', async ([what, status, error]) => {
    const ended: Promise<unknown>[] = []
    const { url } = await serve((request, response) => {
      if (what === 'a body over the limit') response.end(Buffer.concat([MEGABYTE, MEGABYTE, MEGABYTE]))
      if (what === 'a response that is cut off') response.writeHead(200).write('half', () => request.socket.destroy())
      if (what === 'a reset connection') request.socket.resetAndDestroy()
    })
    const seen: GuardedExchange[] = []
    const client = createGuardedClient({
      rules,
      signal: new AbortController().signal,
      onExchange: (exchange) => void seen.push(exchange),
      onConnection: (socket) => void ended.push(new Promise((resolve) => socket.once('close', resolve))),
    })
    const exchange = await client({ method: 'GET', url, timeout: what.includes('too long') ? 100 : 10_000 })
    await Promise.all(ended)
    // Handlers of the closed connection run in this turn.
    await new Promise(setImmediate)
    expect(exchange).toMatchObject({ status, error })
    expect(seen).toEqual([exchange])
  })
})
