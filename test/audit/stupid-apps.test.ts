import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AuditFileInput, audit, type Emulator, startEmulator } from 'mockademy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { freePort } from '../harness/free-port.js'
import { serve } from '../harness/serve.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const always =
  (status: number, body = '', headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

const randomStatuses = [200, 204, 301, 400, 401, 403, 404, 500]

/** Apps that know nothing, and their response to every request. */
const stupid: Record<string, Handler> = {
  'always answers 200': always(200),
  'always answers 200 with JSON': always(200, '{}', { 'content-type': 'application/json' }),
  'always answers 200 with a page': always(200, '<!doctype html><h1>Welcome</h1>', { 'content-type': 'text/html' }),
  'always answers 204': always(204),
  'always answers 301': always(301, '', { location: '/elsewhere' }),
  'always redirects to its home page': always(302, '', { location: '/' }),
  'always answers 400': always(400),
  'always answers 401': always(401),
  'always answers 403': always(403),
  'always answers 404': always(404),
  'always answers 429': always(429),
  'always answers 500': always(500),
  'ends every connection at once': ({ socket }) => void socket.destroy(),
  'answers with what it was sent': (request, response) =>
    void request.pipe(response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain')),
  'answers at random': (_, response) =>
    void response.writeHead(randomStatuses[randomInt(randomStatuses.length)] ?? 200).end('{}'),
  'never answers': () => undefined,
  'answers a byte a second': (_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 1_000)
    response.on('close', () => clearInterval(drip))
  },
}

/** Half a minute each: `npm run test:matrix` has them. */
const slow = ['never answers', 'answers a byte a second']
const quick = ['always answers 200', 'always answers 500', 'ends every connection at once', 'answers at random']
const names = process.env.MATRIX === 'whole' ? Object.keys(stupid) : quick

/** The checks that matter. */
const only = catalog.filter(({ severity }) => severity !== 'low').map(({ id }) => id)

let emulator: Emulator
let server: Server
let file: AuditFileInput

beforeEach(async () => {
  server = createServer()
  // Nothing else gets the port when the app is down.
  const { url } = await serve(server, { port: await freePort() })
  emulator = await startEmulator({ now: new Date().toISOString() })
  await emulator.admin.createApp({
    manifest: {
      id: 'stupid',
      name: 'Stupid',
      version: '1.0.0',
      permissions: ['courses:read', 'openid'],
      oauth: { install: true, authorize: { redirect_uris: [`${url}/callback`] } },
      webhook: { url: `${url}/webhook` },
      post_install_action: { url: `${url}/setup` },
    },
  })
  file = {
    app: 'stupid',
    start: `${url}/login`,
    whoami: { url: `${url}/me`, signed_in: { status: 200, user: '' }, signed_out: { status: [401, 500] } },
    probe: { url: `${url}/{organization}`, not_installed: { status: [404, 500] } },
    list: { url: `${url}/{organization}/elements`, count: '/length' },
    background: 0,
  }
})

afterEach(() => emulator.close())

describe('an app that', () => {
  describe.for([true, false])('with a list: %s', (isListed) => {
    test.for(isListed ? names : quick.slice(0, 1))('%s passes no check of medium or above', async (name) => {
      server.on('request', stupid[name] as Handler)
      const { list, ...others } = file
      const begun = performance.now()
      const report = await audit({ url: emulator.url, file: isListed ? file : others, only })
      const passes = report.checks.filter(({ outcome }) => outcome === 'pass')
      expect(report.checks.map(({ id }) => id)).toEqual(only)
      expect(passes.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
      expect(report.passed).toBe(false)
      expect(await emulator.admin.listFaults()).toEqual([])
      if (slow.includes(name)) expect(performance.now() - begun).toBeLessThan(60_000)
    })
  })

  test('limits how often it is called fails nothing but what the platform itself sends', async () => {
    server.on('request', always(429))
    const { checks } = await audit({ url: emulator.url, file, skip: ['leaks*'] })
    const webhooks = await emulator.admin.listRequests({ surface: 'webhook', run: 'any' })
    const statusOf = new Map(webhooks.map(({ id, status }) => [id, status]))
    const failed = checks.filter(({ outcome }) => outcome === 'fail')
    expect(failed.map(({ id, entries }) => [id, entries.map((entry) => statusOf.get(entry))])).toEqual([
      ['webhook.accepts', [429]],
      ['webhook.acknowledges-first', [429]],
      ['webhook.burst', Array(20).fill(429)],
    ])
    const path = new URL(file.start ?? '').pathname
    expect(checks.find(({ id }) => id === 'signin.request')).toMatchObject({
      outcome: 'inconclusive',
      message: `The app limits how often it is called: GET ${path} returned 429. Lift its limit for the audit`,
    })
  })

  test('responds with a page to every path is told first that the path of its webhook may be wrong', async () => {
    server.on('request', stupid['always answers 200 with a page'] as Handler)
    const only = ['webhook.accepts', 'webhook.unsigned']
    const messages = async () => (await audit({ url: emulator.url, file, only })).checks.map(({ message }) => message)
    const reasons = [
      'he app does not accept every genuine webhook with a 2xx and reject forged ones, so accepting one proves nothing',
      ' webhook without a signature header was accepted (status 200)',
    ]
    const hint = 'The app responds with an HTML page, so the path of webhook.url may be wrong: '
    expect(await messages()).toEqual([`${hint}t${reasons[0]}`, `${hint}a${reasons[1]}`])
    // Frameworks send a text, which is no page, with the same type.
    server.removeAllListeners('request').on('request', always(200, 'ok', { 'content-type': 'text/html' }))
    expect(await messages()).toEqual([`T${reasons[0]}`, `A${reasons[1]}`])
  })

  test('is down cannot be audited at all', async () => {
    server.close()
    await expect(audit({ url: emulator.url, file })).rejects.toMatchObject({
      name: 'AuditFailure',
      message: expect.stringMatching(/^nothing listens at http:\/\/127\.0\.0\.1:\d+; is the app running\?$/),
    })
  })
})
