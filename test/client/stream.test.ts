import type { ServerResponse } from 'node:http'
import { connect, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { createCaller } from '../../src/control/client/caller.js'
import { connectAsRun } from '../../src/control/client/connect.js'
import { test as base } from '../harness/emulator-test.js'
import { type Received, startReceiver } from '../harness/receiver.js'

type Server = Awaited<ReturnType<typeof startReceiver>>

/** A test with a server that is no emulator. */
const test = base.extend<{ server: Server & { origin: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  server: async ({}, use) => {
    const server = await startReceiver()
    await use({ ...server, origin: new URL(server.url).origin })
  },
})

const streaming = { 'content-type': 'text/event-stream; charset=utf-8' }

async function readAll(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('control-api "Live stream": what the client asks for', () => {
  const answered = (_: Received, response: ServerResponse) => void response.writeHead(200, streaming).end()

  test('the address has what was given, and the request says what it expects', async ({ server }) => {
    server.handles(answered)
    await readAll(connect(server.origin, { adminToken: 's3cret' }).stream({ since: 7, run: 'aud_1' }))
    await readAll(connect(server.origin).stream())
    const [given, plain] = server.received()
    expect(given).toMatchObject({ method: 'GET', path: '/_admin/stream?since=7&run=aud_1' })
    expect(given?.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer s3cret' })
    expect(plain).toMatchObject({ path: '/_admin/stream' })
    expect(plain?.headers).not.toHaveProperty('authorization')
  })

  test('a run sees what every run causes, unless it says otherwise, and marks its calls', async ({ server }) => {
    server.handles((received, response) => {
      if (received.path.startsWith('/_admin/stream')) return answered(received, response)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"count":0}')
    })
    const admin = connectAsRun(`${server.origin}/`, 'aud_1', {})
    await admin.listRequests({ status: 401 })
    await admin.countRequests()
    await admin.listDeliveries()
    await admin.listFindings()
    await readAll(admin.stream())
    await admin.listRequests({ run: 'aud_1' })
    const sent = server.received()
    expect(sent.map(({ path }) => path)).toEqual([
      '/_admin/requests?run=any&status=401',
      '/_admin/requests/count?run=any',
      '/_admin/deliveries?run=any',
      '/_admin/findings?run=any',
      '/_admin/stream?run=any',
      '/_admin/requests?run=aud_1',
    ])
    const calls = sent.filter(({ path }) => !path.startsWith('/_admin/stream'))
    expect(calls.map(({ headers }) => headers['mockademy-run'])).toEqual(calls.map(() => 'aud_1'))
  })
})

describe('control-api "Live stream": what comes', () => {
  const change = (id: number) => `id: ${id}\nevent: change\ndata: {"collection":"users","id":"Zoë","kind":"put"}\n\n`
  const read = (id: number) => ({ id, type: 'change', data: { collection: 'users', id: 'Zoë', kind: 'put' } })

  /** Reads one event, does something, and reads the rest. */
  async function readAfter(url: string, act: () => void): Promise<unknown[]> {
    const events = connect(url).stream()
    const { value } = await events.next()
    act()
    return [value, ...(await readAll(events))]
  }

  test('is read when a character comes in two pieces', async ({ server }) => {
    const [first, second] = [Buffer.from(change(1)), Buffer.from(change(2))]
    const cut = second.indexOf('ë') + 1
    let goOn = () => {}
    server.handles((_, response) => {
      response.writeHead(200, streaming).write(Buffer.concat([first, second.subarray(0, cut)]))
      goOn = () => void response.end(second.subarray(cut))
    })
    expect(await readAfter(server.origin, () => goOn())).toEqual([read(1), read(2)])
  })

  test.for(['end', 'reset'] as const)('ends with the emulator: the connection has a %s', async (way, { server }) => {
    let end = () => {}
    server.handles((_, response) => {
      response.writeHead(200, streaming).write(change(1))
      end = () => void (way === 'reset' ? response.socket?.resetAndDestroy() : response.socket?.destroy())
    })
    expect(await readAfter(server.origin, () => end())).toEqual([read(1)])
  })
})

describe('control-api "Live stream": what rejects', () => {
  const failureOf = (url: string) => readAll(connect(url).stream()).catch((error: unknown) => error)

  test('options that do not exist, before anything is sent', async ({ server }) => {
    const read = (options: unknown) => readAll(connect(server.origin).stream(options as object))
    await expect(read({ sinse: 1 })).rejects.toThrow('sinse is not a known option; did you mean "since"?')
    await expect(read(5)).rejects.toThrow('Invalid options: options must be an object')
    expect(server.received()).toEqual([])
  })

  test('a refusal, with the problem', async () => {
    await using emulator = await startEmulator({ fixtures: {}, adminToken: 's3cret' })
    expect(await failureOf(emulator.url)).toMatchObject({ name: 'AdminError', status: 401, problem: { status: 401 } })
  })

  test.for([200, 404])('a page of another program, with status %i', async (status, { server }) => {
    server.handles((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>hello</h1>')
    })
    expect(await failureOf(server.origin)).toMatchObject({
      name: 'UnreachableError',
      message: `No emulator answers at ${server.origin}: the server there (it responded with status ${status}) is not Mockademy`,
    })
  })

  test('no server at all, with the cause', async () => {
    const server = await startReceiver()
    const { origin } = new URL(server.url)
    await server.close()
    expect(await failureOf(origin)).toMatchObject({
      name: 'UnreachableError',
      url: origin,
      message: expect.stringContaining('ECONNREFUSED'),
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

test('a call ends with the signal that it was given', async ({ server }) => {
  server.neverAnswers()
  const ended = new AbortController()
  const call = createCaller(server.origin)('world', {}, ended.signal).catch((error: unknown) => error)
  await server.arrival(undefined)
  ended.abort()
  expect(await call).toMatchObject({ name: 'UnreachableError' })
})
