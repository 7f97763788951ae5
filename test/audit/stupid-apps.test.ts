import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuditFileInput, audit, type Emulator, startEmulator } from 'mockademy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { catalogue } from '../../src/programs/audit/checks/catalogue.js'

/** Apps that know nothing, and what they do to whoever asks. */
const stupid: Record<string, (server: Server) => void> = {
  'always answers 200': (server) => server.on('request', (_, response) => response.writeHead(200).end('{}')),
  'always answers 500': (server) => server.on('request', (_, response) => response.writeHead(500).end()),
  'ends every connection at once': (server) => server.on('connection', (socket) => socket.destroy()),
}

/** The checks that matter. */
const only = catalogue.filter(({ severity }) => severity === 'critical' || severity === 'high').map(({ id }) => id)

let emulator: Emulator
let server: Server
let file: AuditFileInput

beforeEach(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await emulator.close()
})

describe('an app that', () => {
  test.for(Object.keys(stupid))('%s passes no check that is critical or high', { timeout: 240_000 }, async (name) => {
    stupid[name]?.(server)
    const { passed, checks } = await audit({ url: emulator.url, file, only })
    const passes = checks.filter(({ outcome }) => outcome === 'pass')
    expect(checks.map(({ id }) => id)).toEqual(only)
    expect(passes.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
    expect(passed).toBe(false)
    expect(await emulator.admin.listFaults()).toEqual([])
  })

  test('is down cannot be audited at all', async () => {
    server.close()
    await expect(audit({ url: emulator.url, file })).rejects.toMatchObject({
      name: 'AuditFailure',
      message: expect.stringMatching(/^nothing listens at http:\/\/127\.0\.0\.1:\d+; is the app running\?$/),
    })
  })
})
