import { Agent, request } from 'node:https'
import { Socket } from 'node:net'
import { startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { test as base } from '../harness/emulator-test.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

type Sent = { status?: number; text: string; error?: string }

const folder = temporaryFolder(afterAll)
beforeAll(() => void vi.stubEnv('XDG_DATA_HOME', folder))
afterAll(() => void vi.unstubAllEnvs())

const refresh = 'grant_type=refresh_token&refresh_token=rt_acme&client_id=app_notes&client_secret=notes_secret'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const test = base.extend<{ app: (path: string, body?: string) => Promise<Sent> }>({
  /** An app that keeps its connection. It resolves with what it has read, and the error that ended it. */
  app: async ({ emulator }, use) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    await use(
      (path, body) =>
        new Promise((resolve) => {
          const sent: Sent = { text: '' }
          const fail = ({ message }: Error) => resolve({ ...sent, error: message })
          const headers = body === undefined ? { authorization: 'Bearer key_acme' } : form
          request(emulator.url + path, { agent, headers, method: body === undefined ? 'GET' : 'POST' })
            .on('error', fail)
            .on('response', (response) => {
              sent.status = response.statusCode
              response
                .on('error', fail)
                .on('data', (part) => {
                  sent.text += part
                })
                .on('end', () => resolve(sent))
            })
            .end(body)
        }),
    )
    agent.destroy()
  },
})

describe('control-api "Faults" over HTTPS', () => {
  test.override({ settings: { https: true } })

  for (const phase of ['before', 'after'] as const) {
    test.for([
      ['reset', { text: '', error: 'read ECONNRESET' }],
      ['empty', { text: '', error: 'socket hang up' }],
    ] as const)(`connection: %s, phase "${phase}"`, async ([connection, broken], { emulator, app }) => {
      await emulator.admin.addFault({ match: { surface: 'api' }, effect: { connection }, phase, after: 1, times: 1 })
      await emulator.admin.addFault({ match: { surface: 'oauth' }, effect: { connection }, phase, times: 1 })
      // One on a kept connection, one on a new one.
      expect((await app('/v0/courses')).status).toBe(200)
      expect(await app('/v0/courses')).toEqual(broken)
      expect(await app('/oauth/token', refresh)).toEqual(broken)
      expect((await app('/oauth/token', refresh)).status).toBe(phase === 'before' ? 200 : 400)
      const entries = await emulator.admin.listRequests()
      expect(entries.map(({ status }) => status)).toEqual([200, null, null, phase === 'before' ? 200 : 400])
    })

    test(`connection: truncate, phase "${phase}"`, async ({ emulator, app }) => {
      const { text } = await app('/v0/courses')
      const effect = { connection: 'truncate' } as const
      await emulator.admin.addFault({ match: { surface: 'api' }, effect, phase, times: 1 })
      await emulator.admin.addFault({ match: { surface: 'oauth' }, effect, phase, times: 1 })
      const half = text.slice(0, Math.floor(text.length / 2))
      expect(await app('/v0/courses')).toEqual({ status: 200, text: half, error: 'aborted' })
      const token = { status: 200, text: expect.stringMatching(/^\{"token_ty[^}]*$/), error: 'aborted' }
      expect(await app('/oauth/token', refresh)).toEqual(token)
    })

    test.for([
      ['/v0/courses', undefined],
      ['/oauth/token', refresh],
    ] as const)(`connection: hang, phase "${phase}", at %s`, async ([path, body], { emulator, app }) => {
      await emulator.admin.addFault({ match: { path }, effect: { connection: 'hang' }, phase })
      const hanging = app(path, body)
      await expect.poll(async () => (await emulator.admin.listFaults())[0]?.hits).toBe(1)
      await emulator.close()
      expect(await hanging).toEqual({ text: '', error: 'socket hang up' })
    })
  }
})

describe('an error in sending', () => {
  test('is reported, and its stack trace is not sent', async ({ onTestFinished }) => {
    const onInternalError = vi.fn()
    const emulator = await startEmulator({ fixtures: {}, onInternalError })
    onTestFinished(() => emulator.close())
    const error = new Error('cannot be reset')
    const reset = vi.spyOn(Socket.prototype, 'resetAndDestroy').mockImplementation(() => {
      throw error
    })
    onTestFinished(() => reset.mockRestore())
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: { connection: 'reset' } })
    const response = await fetch(`${emulator.url}/v0/courses`)
    expect([response.status, await response.text()]).toEqual([500, ''])
    expect(onInternalError.mock.calls).toEqual([[error]])
  })
})
