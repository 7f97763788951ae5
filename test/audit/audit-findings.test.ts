import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { audit, type Emulator, startEmulator } from 'mockademy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serve } from '../harness/serve.js'

let emulator: Emulator
/** Real milliseconds that the app takes to respond, and to store the credentials after its acknowledgement. */
let takes: { response: number; work: number }
/** Ids of the events and installations that the app has been sent. */
let sent: string[]
let app: string
let agent: Agent

/** Reads the courses with a token; all requests go over one connection, so that each knows how those before it ended. */
const statusOfCourses = (token: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sending = request(`${emulator.url}/v0/courses`, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sending.on('error', reject).end()
  })

beforeEach(async () => {
  takes = { response: 0, work: 0 }
  sent = []
  emulator = await startEmulator({ now: new Date().toISOString(), seed: 'test' })
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const tokens = new Map<string, string>()
  const { url } = await serve(async (incoming, response) => {
    if (incoming.method === 'POST') {
      const { id, type, data, installation_id } = JSON.parse(await text(incoming))
      if (type === 'app.installed') sent.push(id, installation_id)
      response.end()
      await pause(takes.work)
      if (type === 'app.installed') tokens.set(data.organization.id, data.credentials.access_token)
      return
    }
    await pause(takes.response)
    const token = tokens.get(String(incoming.url).slice(1))
    response.writeHead(token ? await statusOfCourses(token) : 404).end()
  })
  app = url
})

afterEach(async () => {
  agent.destroy()
  await emulator.close()
})

async function auditPlain(only: string, background: number) {
  const isNew = (await emulator.admin.listApps()).every(({ id }) => id !== 'plain')
  if (isNew)
    await emulator.admin.createApp({
      manifest: {
        id: 'plain',
        name: 'Plain',
        version: '1.0.0',
        permissions: ['courses:read'],
        oauth: { install: true },
        webhook: { url: `${app}/webhook` },
      },
    })
  const file = { app: 'plain', probe: { url: `${app}/{organization}` }, background }
  const { checks } = await audit({ url: emulator.url, file, only: [only] })
  return checks.map(({ outcome, message }) => ({ outcome, message }))
}

test('an app that passes api.tenants has no error finding: that it was probed again and again is the doing of the audit', async () => {
  expect(await auditPlain('api.tenants', 1_000)).toMatchObject([
    { outcome: 'pass', message: expect.stringMatching(/^20 interleaved probes of 11 organizations in \d+ bursts, /) },
  ])
  expect(await emulator.admin.listFindings({ level: 'error' })).toEqual([])
})

test('a second audit sends no event or installation of the first again, also where the emulator has a seed', async () => {
  for (const time of ['first', 'second'])
    expect(await auditPlain('api.bearer', 1_000), time).toMatchObject([{ outcome: 'pass' }])
  expect(sent.length).toBeGreaterThan(2)
  expect(new Set(sent).size).toBe(sent.length)
})

test('an app that everything takes longer, on a busy machine say, has more time for what it does after an acknowledgement', async () => {
  takes = { response: 150, work: 1_000 }
  expect(await auditPlain('api.bearer', 200)).toMatchObject([{ outcome: 'pass' }])
})
