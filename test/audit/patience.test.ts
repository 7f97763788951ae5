import { setImmediate } from 'node:timers/promises'
import { startEmulator } from 'mockademy'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSecrets } from '../../src/programs/audit/app/secrets.js'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { type Check, pass, tryEach } from '../../src/programs/audit/checks/check.js'
import { concurrencyFor } from '../../src/programs/audit/context/concurrency.js'
import { createOnce } from '../../src/programs/audit/context/context.js'
import { findUnserved } from '../../src/programs/audit/context/installing.js'
import { createPlatform } from '../../src/programs/audit/context/platform.js'
import { runChecks } from '../../src/programs/audit/run-checks.js'
import { createPatience } from '../../src/programs/audit/timing/patience.js'

/** After nine responses that took so many milliseconds. */
function patienceAfter(duration: number) {
  const patience = createPatience(500)
  for (let n = 0; n < 9; n++) patience.onResponse(duration)
  return patience
}

describe('a busy machine, on which the app responds slowly', () => {
  test('gives a check more time, up to five minutes and what it waits for work in the background', () => {
    expect(createPatience(0).checkTimeout()).toBe(120_000)
    expect(createPatience(70_000).checkTimeout()).toBe(540_000)
    expect(patienceAfter(5).checkTimeout()).toBe(125_000)
    expect(patienceAfter(200).checkTimeout()).toBe(203_000)
    expect(patienceAfter(5_000).checkTimeout()).toBe(303_000)
  })

  test('gives work in the background more time, up to three seconds', () => {
    expect(createPatience(500).background()).toBe(500)
    expect(patienceAfter(20).background()).toBe(700)
    expect(patienceAfter(5_000).background()).toBe(3_500)
  })

  test('so does a queue that works off one event after another', () => {
    const patience = patienceAfter(5)
    patience.onEffect(250)
    expect(patience.background()).toBe(3_000)
    patience.onEffect(5_000)
    expect(patience.background()).toBe(3_500)
  })

  test('is told from one slow response', () => {
    const patience = patienceAfter(5)
    patience.onResponse(20_000)
    expect(patience.checkTimeout()).toBe(125_000)
  })
})

describe('an app that handles one request at a time and has no timeout', () => {
  test('meets requests that hang beside no other check, and in a check last', async () => {
    const alone = catalog.flatMap(({ id, order }) => (order === 'alone' ? id : []))
    expect(alone).toEqual(expect.arrayContaining(['webhook.isolation', 'api.outage', 'signin.token-endpoint-down']))
    const order: string[] = []
    const attempt = async (_: unknown, name: string) => {
      order.push(`${name} begins`)
      await setImmediate()
      order.push(`${name} ends`)
      return pass(name)
    }
    await tryEach({ hangs: { connection: 'hang' }, fails: { status: 503 } }, attempt, String)({} as never)
    expect(order).toEqual(['fails begins', 'fails ends', 'hangs begins', 'hangs ends'])
  })

  test('goes on once the fault that made its request hang is lifted', async () => {
    await using emulator = await startEmulator()
    const { admin, url } = emulator
    const platform = createPlatform('audit-hang', { admin, app: { id: 'notes' }, secrets: createSecrets(url) } as never)
    const tenant = await platform.tenant()
    await tenant.install({ announce: false })
    const { access_token } = await tenant.mint('1h')
    const { hits, lift } = await tenant.fault({ match: { surface: 'api' }, effect: { connection: 'hang' } })
    const hanging = fetch(`${url}/v0/courses`, { headers: { authorization: `Bearer ${access_token}` } })
    const failed = expect(hanging).rejects.toThrow('fetch failed')
    await expect.poll(hits).toBe(1)
    expect(await lift()).toBe(1)
    await failed
  })
})

describe('an app that works 300 ms on each event', () => {
  afterEach(() => void vi.useRealTimers())

  test.for([
    ['one event after another', 1, 1],
    ['four at a time', 4, 4],
    ['all at once', 100, 8],
  ] as const)('%s', async ([, workers, expected]) => {
    vi.useFakeTimers()
    const free = Array<number>(workers).fill(0)
    const install = async () => null
    const awaitService = async () => {
      const begun = Math.max(performance.now(), Math.min(...free))
      free[free.indexOf(Math.min(...free))] = begun + 300
      await new Promise((resolve) => setTimeout(resolve, begun + 300 - performance.now()))
      return { holds: true, tries: 2, value: { duration: 0 } }
    }
    const url = 'http://localhost/me'
    const context = {
      file: { probe: { url } },
      app: { webhook: url, parts: { webhook: {}, 'oauth.install': true } },
      ...{ patience: createPatience(0), once: async () => ({ status: 200 }), findHang: async () => undefined },
      platform: { tenant: async () => ({ install, awaitService }) },
    }
    const atOnce = concurrencyFor(context as never, 8, new AbortController().signal)
    await vi.runAllTimersAsync()
    expect(await atOnce).toBe(expected)
  })
})

describe('an app that is slow beside another check', () => {
  test('is asked for each address before the checks run', async () => {
    const order: string[] = []
    const get = async () => {
      await setImmediate()
      return { status: order.push('whoami') && 200 }
    }
    const run = (id: string) => async () => ({ outcome: 'pass', message: '', id: order.push(id) }) as const
    const checks = [
      { id: 'hangs', needs: [], run: run('hangs') },
      { id: 'signs in', needs: ['whoami'], run: run('signs in') },
    ] as unknown as Check[]
    const signal = new AbortController().signal
    const file = { whoami: { url: 'http://localhost/me' } }
    const parts = {
      file,
      app: { parts: {} },
      browser: () => ({ get }),
      once: createOnce(),
      findHang: async () => undefined,
    }
    await runChecks(checks, { ...parts, signal, patience: createPatience(0) } as never, signal, () => false)
    expect(order).toEqual(['whoami', 'hangs', 'signs in'])
  })

  /** An organization that the app serves, where nothing else is said. */
  const contextOf = (changes: object) => {
    const serves = async () => ({ status: 200, duration: 0, response: { headers: {}, body: '' } })
    const done = async () => undefined
    const tenant = {
      ...{ install: async () => null, uninstall: async () => ({ id: 'whk_1' }), mustServe: serves, probe: serves },
      ...{ observeProbe: async () => ({ api: [] }), fault: async () => ({ lift: done }) },
      awaitService: async () => ({ value: await serves(), holds: true }),
      ...changes,
    }
    const admin = { redeliver: async () => ({ attempts: [{ error: null }] }) }
    return {
      platform: { tenant: async () => tenant, admin },
      once: async () => false,
      waitForBackground: done,
    } as never
  }
  const verdictOf = (id: string, changes: object) => catalog.find((check) => check.id === id)?.run(contextOf(changes))

  test('loses only the simultaneous installs that it does not take up one after another', async () => {
    const servedAfter = (rounds: number) => {
      let tries = 0
      return { awaitService: async () => ({ holds: ++tries > rounds, value: rounds }) }
    }
    const tenants = [1, 2, 9].map(servedAfter)
    expect(await findUnserved(tenants as never)).toMatchObject([{ value: 9 }])
  })

  test('has not ended an installation by a probe without a response', async () => {
    const sent = { status: null, error: 'no response within 35000 ms' }
    const observeProbe = async () => ({ sent, isOk: false })
    await expect(verdictOf('webhook.late-uninstall', { observeProbe })).rejects.toMatchObject({
      message: 'no response to the probe after the late app.uninstalled: no response within 35000 ms',
    })
  })

  test('is not charged with the probes that close its connections, which it may still be working on', async () => {
    let tries = 13
    const observeProbeUnder = async () => {
      const api = Array(tries).fill({ method: 'GET', path: '/v0/courses', status: 503 })
      tries = 108
      return { sent: { status: 503, duration: 0 }, api, calls: api.length, refreshes: [], rejected: [] }
    }
    const message = expect.stringMatching(/^While the platform returns 503, one probe sends the same request 13 times;/)
    expect(await verdictOf('api.outage', { observeProbeUnder })).toMatchObject({ outcome: 'fail', message })
  })
})
