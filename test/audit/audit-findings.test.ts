import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { audit, type Emulator, startEmulator } from 'mockademy'
import { afterEach, beforeEach, expect, test } from 'vitest'

let emulator: Emulator
let app: Server
let agent: Agent

/** Reads the courses with a token; all requests go over one connection, so that each knows how those before it ended. */
const statusOfCourses = (token: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(`${emulator.url}/v0/courses`, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })

beforeEach(async () => {
  emulator = await startEmulator({ now: new Date().toISOString(), seed: 'test' })
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const tokens = new Map<string, string>()
  app = createServer(async (incoming, response) => {
    if (incoming.method === 'POST') {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const { type, data } = JSON.parse(String(Buffer.concat(chunks)))
      if (type === 'app.installed') tokens.set(data.organization.id, data.credentials.access_token)
      response.end()
      return
    }
    const token = tokens.get(String(incoming.url).slice(1))
    response.writeHead(token ? await statusOfCourses(token) : 404).end()
  })
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
})

afterEach(async () => {
  app.closeAllConnections()
  app.close()
  agent.destroy()
  await emulator.close()
})

test('an app that passes api.tenants has no error finding: that it was probed again and again is the doing of the audit', async () => {
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  await emulator.admin.createApp({
    manifest: {
      id: 'plain',
      name: 'Plain',
      version: '1.0.0',
      permissions: ['courses:read'],
      oauth: { install: true },
      webhook: { url: `${url}/webhook` },
    },
  })
  const { summary } = await audit({
    url: emulator.url,
    file: { app: 'plain', probe: { url: `${url}/{organization}` } },
    only: ['api.tenants'],
  })
  expect(summary).toMatchObject({ pass: 1 })
  expect(await emulator.admin.listFindings({ level: 'error' })).toEqual([])
})
