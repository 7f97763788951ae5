import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { test as base } from '../harness/emulator-test.js'
import { withFindings } from './findings-test.js'

/** A request that the platform refuses however often it comes. */
interface Refused {
  url: string
  token?: string
  form?: Record<string, string>
}

const CLIENT = join(ROOT, 'test/findings/looping-client.js')

const test = withFindings(base).extend<{ refused: Record<string, Refused>; rules: () => Promise<string[]> }>({
  refused: async ({ emulator, call, inject }, use) => {
    const { body } = await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
    await call('/_admin/tokens/expire', { body: { token: body.access_token } })
    await call('/_admin/tokens/revoke', { body: { token: body.refresh_token } })
    await inject({ path: '/v0/modules' }, 'rate_limited')
    const credentials = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...credentials }
    await use({
      retry_without_refresh: { url: `${emulator.url}/v0/elements`, token: body.access_token },
      hopeless_retry: { url: `${emulator.url}/v0/courses`, token: 'at_acme' },
      dead_refresh: { url: `${emulator.url}/oauth/token`, form },
      ignored_rate_limit: { url: `${emulator.url}/v0/modules`, token: 'key_zenith' },
    })
  },
  rules: async ({ found }, use) => {
    await use(async () => (await found()).filter(({ level }) => level === 'error').map(({ rule }) => rule))
  },
})

const all = ['dead_refresh', 'hopeless_retry', 'ignored_rate_limit', 'retry_without_refresh']

/** Runs the client in a process of its own, to its end. */
async function loop(refused: Refused[], connections: string, times: number): Promise<void> {
  const child = spawn(process.execPath, [CLIENT, JSON.stringify(refused), connections, String(times)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([0, null])
}

/** Sends a request in this process. */
const send = ({ url, token, form }: Refused, agent: Agent | false) =>
  new Promise<void>((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const sent = request(url, { agent, headers, method: form ? 'POST' : 'GET' })
    sent.on('response', (response) => void response.resume().on('end', resolve))
    sent.on('error', reject).end(form && new URLSearchParams(form).toString())
  })

const untilEnd = async (workers: Promise<unknown>[]) => void (await Promise.all(workers))

describe('control-api "Findings": a request that begins after the response to the one before is a loop', () => {
  test.for([
    ['over one connection a request', 'fresh', 1],
    ['over a kept connection', 'kept', 1],
    ['in two processes, over fresh connections', 'fresh', 2],
    ['in two processes, over kept connections', 'kept', 2],
  ] as const)('%s', async ([, connections, workers], { refused, rules }) => {
    const requests = Object.values(refused)
    await untilEnd(Array.from({ length: workers }, () => loop(requests, connections, 30 / workers)))
    expect((await rules()).sort()).toEqual(all)
  })

  test.for([
    ['fresh', 1],
    ['kept', 1],
    ['fresh', 2],
  ] as const)('in the process of the emulator, over %s connections of %i workers', async (how, { refused, rules }) => {
    const [connections, workers] = how
    const agent = connections === 'kept' ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    const work = async () => {
      for (const each of Object.values(refused)) for (let time = 0; time < 20; time++) await send(each, agent)
    }
    await untilEnd(Array.from({ length: workers }, work))
    if (agent) agent.destroy()
    expect((await rules()).sort()).toEqual(all)
  })
})

describe('requests that overlap are workers side by side', () => {
  test.for([
    ['over seven connections', Number.POSITIVE_INFINITY],
    ['over a pool of three', 3],
  ] as const)('seven careful workers at once, %s', async ([, maxSockets], { refused, rules }) => {
    const agent = new Agent({ keepAlive: true, maxSockets })
    for (const each of Object.values(refused)) await untilEnd(Array.from({ length: 7 }, () => send(each, agent)))
    agent.destroy()
    expect(await rules()).toEqual([])
  })

  test('seven requests that wait for a busy emulator have begun when they came', async ({ emulator, rules }) => {
    const { hostname, port } = new URL(emulator.url)
    const sockets = Array.from({ length: 7 }, () => connect(Number(port), hostname).resume())
    const headers = `Host: ${hostname}\r\nAuthorization: Bearer at_acme\r\n`
    // The first ones show that no request is the first of its connection.
    for (const path of ['/v0/elements', '/v0/courses']) {
      const responses = sockets.map((socket) => once(socket, 'data'))
      for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`)
      for (const end = performance.now() + 20; performance.now() < end; );
      await untilEnd(responses)
    }
    for (const socket of sockets) socket.destroy()
    expect(await rules()).toEqual([])
  })

  test('seven requests over kept connections of a client that is interrupted between two of them', async ({
    emulator,
    rules,
  }) => {
    const { hostname, port } = new URL(emulator.url)
    const sockets = Array.from({ length: 7 }, () => connect(Number(port), hostname))
    const send = async (socket: Socket, path: string) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer at_acme\r\n\r\n`)
      await once(socket, 'data')
    }
    for (const socket of sockets) await send(socket, '/v0/elements')
    for (const socket of sockets) await send(socket, '/v0/courses')
    expect(await rules()).toEqual([])
    // The same, again and again, is no burst.
    for (let time = 0; time < 6; time++) for (const socket of sockets) await send(socket, '/v0/courses')
    expect(await rules()).toEqual(['hopeless_retry'])
    for (const socket of sockets) socket.destroy()
  })

  test('a loop that takes turns between two kept connections is found', async ({ emulator, rules }) => {
    const { hostname, port } = new URL(emulator.url)
    const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)]
    const send = async (path: string, time: number) => {
      const socket = sockets[time % 2] as Socket
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer at_acme\r\n\r\n`)
      await once(socket, 'data')
    }
    for (let time = 0; time < 2; time++) await send('/v0/elements', time)
    for (let time = 0; time < 5; time++) await send('/v0/courses', time)
    expect(await rules()).toEqual(['hopeless_retry'])
    for (const socket of sockets) socket.destroy()
  })

  test('processes that find out one by one that the token was refreshed', async ({ call, refused, rules, refresh }) => {
    const { body } = await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
    await call('/_admin/tokens/expire', { body: { token: body.access_token } })
    const old = { ...refused.retry_without_refresh, token: body.access_token } as Refused
    await send(old, false)
    expect((await refresh(body.refresh_token)).status).toBe(200)
    for (let worker = 1; worker < 7; worker++) await send(old, false)
    expect(await rules()).toEqual([])
  })

  test('a person who reloads a page', async ({ refused, rules, pass }) => {
    for (let time = 0; time < 8; time++) {
      await send(refused.hopeless_retry as Refused, false)
      pass(1_100)
    }
    expect(await rules()).toEqual([])
  })

  test('the same request a minute later is somebody’s new attempt', async ({ refused, rules, pass }) => {
    const { ignored_rate_limit: _, ...others } = refused
    for (let time = 0; time < 8; time++) {
      for (const each of Object.values(others)) await send(each, false)
      pass(61_000)
    }
    expect(await rules()).toEqual([])
  })
})
