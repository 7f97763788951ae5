import { afterEach, describe, expect, test, vi } from 'vitest'
import type { GuardedClient } from '../../src/foundation/http-client/guarded-client.js'
import type { AuditContext } from '../../src/programs/audit/context/context.js'
import { mustRespond } from '../../src/programs/audit/context/response-gate.js'
import { shortenSilence } from '../../src/programs/audit/context/silence.js'

const APP = 'http://localhost:5000'
const EMULATOR = 'http://127.0.0.1:4600'

/** An app that responds while `app.responds`, and whose requests take their whole time otherwise, or `app.breaks` ms. */
function observe() {
  const app = { responds: true, breaks: Number.POSITIVE_INFINITY }
  const timeouts: number[] = []
  const client: GuardedClient = async ({ method, url, timeout }) => {
    timeouts.push(timeout)
    const none = { method, url, headers: {}, body: undefined, response: { headers: {}, cookies: [], body: '' } }
    const duration = Math.min(timeout, app.breaks)
    const isSilent = !app.responds || url.startsWith(EMULATOR)
    return isSilent
      ? { ...none, status: null, error: `${duration} ms`, duration }
      : { ...none, status: 200, error: null, duration: 1 }
  }
  const silence = shortenSilence(client, [EMULATOR])
  const send = (url = `${APP}/me`) => silence.client({ method: 'GET', url, timeout: 20_000 })
  return { app, timeouts, send, silence }
}

const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await work()
}

describe('an app that hangs', () => {
  afterEach(() => void vi.useRealTimers())

  test('is waited for ever shorter after three requests, then not at all', async () => {
    const { app, timeouts, send } = observe()
    await send()
    app.responds = false
    await times(13, send)
    expect(timeouts).toEqual([...Array(4).fill(20_000), 4_000, 2_000, ...Array(8).fill(1_000)])
    const { status, error, duration } = await send()
    expect({ status, error, duration }).toEqual({
      status: null,
      error: `not sent, because ${APP} has not responded to any of its last 13 requests: 1000 ms`,
      duration: 0,
    })
    expect(timeouts.length).toBe(14)
  })

  test('is waited for as before once it responds', async () => {
    const { app, timeouts, send } = observe()
    app.responds = true
    await send()
    app.responds = false
    await times(4, send)
    app.responds = true
    await send()
    app.responds = false
    await times(4, send)
    expect(timeouts).toEqual([...Array(4).fill(20_000), 4_000, 2_000, ...Array(3).fill(20_000), 4_000])
  })

  test('is none that breaks connections at once, nor the emulator, nor an app at another address', async () => {
    const { app, timeouts, send } = observe()
    await send()
    app.responds = false
    app.breaks = 5
    await times(20, send)
    await times(20, () => send(`${EMULATOR}/oauth/authorize`))
    app.breaks = Number.POSITIVE_INFINITY
    await times(3, send)
    app.responds = true
    await send('http://localhost:5001/me')
    expect(timeouts).toEqual(Array(45).fill(20_000))
  })

  test('that has never responded is asked twice', async () => {
    const { app, timeouts, send } = observe()
    app.responds = false
    await times(5, send)
    expect(timeouts).toEqual([20_000, 20_000])
  })

  test('is waited for side by side as if by one request, and asked again after a while', async () => {
    vi.useFakeTimers()
    const { app, timeouts, send } = observe()
    await send()
    app.responds = false
    await times(3, send)
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 8 }, () => send()))
    const waits = timeouts.length
    expect(timeouts.slice(4)).toEqual([4_000, 2_000, ...Array(8).fill(1_000)].flatMap((limit) => Array(8).fill(limit)))
    app.responds = true
    expect((await send()).error).toMatch(/^not sent/)
    vi.advanceTimersByTime(5_000)
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    expect(timeouts.slice(waits)).toEqual([1_000, 20_000])
  })

  test('is waited for as at first once it was started again', async () => {
    const { app, timeouts, send, silence } = observe()
    await send()
    app.responds = false
    await times(4, send)
    silence.forgetSilence()
    // While it starts, it refuses connections.
    app.breaks = 5
    await times(5, send)
    expect(timeouts.slice(5)).toEqual(Array(5).fill(20_000))
  })

  test('is asked once more before each check, which is not run if it is silent', async () => {
    const { app, timeouts, send, silence } = observe()
    const begun: string[] = []
    const context = {
      ...silence,
      file: { whoami: { url: `${APP}/me` }, start: `${APP}/login` },
      app: { webhook: `${APP}/webhook` },
      once: async (name: string) => ({ status: begun.push(name) && 200, error: null }),
    } as unknown as AuditContext
    const check = { id: 'signin.cookie', needs: ['start', 'whoami'] }
    await send()
    app.responds = false
    await times(2, send)
    await mustRespond(check, context)
    await send(`${APP}/logout`)
    await expect(mustRespond(check, context)).rejects.toThrow('the app has not responded since GET /me: 20000 ms')
    await expect(mustRespond({ id: 'signin.request', needs: ['start'] }, context)).rejects.toThrow(
      'not responded since',
    )
    await mustRespond({ id: 'leaks.at-rest', needs: ['data'] }, context)
    expect(timeouts).toEqual([...Array(4).fill(20_000), 4_000, 2_000])
    app.responds = true
    await mustRespond(check, context)
    expect(begun).toEqual(Array(2).fill(['response of start', 'response of whoami']).flat())
  })
})
