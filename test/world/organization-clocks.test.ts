import { type Emulator, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import type { send } from '../harness/emulator-test.js'
import { test as base } from '../harness/webhook-test.js'

const START = '2026-01-01T00:00:00.000Z'
const LATER = '2026-01-01T01:01:00.000Z'

interface Fixtures {
  /** Moves the clock of an organization. */
  clock: (what: 'advance' | 'freeze' | 'resume', body: object) => ReturnType<typeof send>
  /** Installs the app in both organizations. @returns their access tokens. */
  installed: { acme: string; zenith: string }
}

const test = base.extend<Fixtures>({
  clock: async ({ call }, use) => {
    await use((what, body) => call(`/_admin/clock/${what}`, { body }))
  },
  installed: async ({ install }, use) => {
    const [acme, zenith] = [await install(), await install({ organization: 'zenith' })]
    await use({ acme: acme.body.credentials.access_token, zenith: zenith.body.credentials.access_token })
  },
})

describe('control-api "Clock": an organization of its own time', () => {
  describe('with retention', () => {
    test.override({ settings: { retention: 1 } })

    test('what has ended in it later leaves the tokens that others still have', async ({ call, clock, installed }) => {
      await clock('advance', { by: '2h', organization: 'zenith' })
      const zenith = { app: 'notes', organization: 'zenith' }
      for (const _ of [1, 2]) await call('/_admin/tokens', { body: zenith })
      await call('/_admin/tokens/revoke', { body: { ...zenith, kind: 'access' } })
      expect((await call('/v0/elements', { as: installed.acme })).status).toBe(200)
    })
  })

  test('a session of a user of several begins by the emulator’s', async ({ call, clock, installed: _ }) => {
    await clock('advance', { by: '61m', organization: 'acme' })
    await call('/_admin/organizations/zenith/members/ada', { method: 'PUT', body: { role: 'learner' } })
    await call('/_admin/sessions', { body: { user: 'ada' } })
    expect((await call('/_admin/sessions')).body.data).toMatchObject([{ user: 'ada', created_at: START }])
  })

  test('times that a fixture document leaves out are by it', async ({ call }) => {
    const courses = [{ id: 'neo1', name: 'One' }]
    const neo = { slug: 'neo', api_key: 'key_neo', clock: { now: LATER }, courses }
    expect((await call('/_admin/fixtures', { body: { organizations: [neo] } })).status).toBe(201)
    expect((await call('/v0/courses/neo1', { as: 'key_neo' })).body.payload.created_at).toBe(LATER)
  })

  test('its tokens expire, its timestamps and Date header move; no others do', async ({ call, clock, installed }) => {
    const moved = await clock('advance', { by: '61m', organization: 'acme' })
    expect(moved.body).toEqual({ organization: 'acme', now: LATER, frozen: true, offset: 61 * 60_000 })

    const expired = await call('/v0/elements', { as: installed.acme })
    expect([expired.status, expired.headers.get('date')]).toEqual([401, new Date(LATER).toUTCString()])
    const sound = await call('/v0/elements', { as: installed.zenith })
    expect([sound.status, sound.headers.get('date')]).toEqual([200, new Date(START).toUTCString()])

    const element = { type: 'CONTENT', name: 'New' }
    const [mine, other] = [
      await call('/v0/elements', { as: 'key_acme', body: { ...element, module: 'module1' } }),
      await call('/v0/elements', { as: 'key_zenith', body: { ...element, module: 'zmodule' } }),
    ]
    expect([mine.body.payload.created_at, other.body.payload.created_at]).toEqual([LATER, START])
    for (const user of ['ada', 'zoe']) await call('/_admin/sessions', { body: { user } })
    const sessions = (await call('/_admin/sessions')).body.data
    expect(sessions.map(({ created_at }: { created_at: string }) => created_at).toSorted()).toEqual([START, LATER])
    const { data } = (await call('/_admin/requests?method=POST')).body
    expect(data.map(({ organization, at }: { organization: string; at: string }) => [organization, at])).toEqual(
      expect.arrayContaining([
        ['acme', LATER],
        ['zenith', START],
      ]),
    )
    const states = (await call('/_admin/tokens?kind=access')).body.data
    expect(states.map(({ organization, state }: Record<string, string>) => [organization, state])).toEqual([
      ['acme', 'expired'],
      ['zenith', 'active'],
    ])
  })

  test('retries are due by it, one after another', async ({ app, install, clock, deliveries }) => {
    app.answers(500)
    await install()
    await install({ organization: 'zenith' })
    expect(app.received()).toHaveLength(2)
    await clock('advance', { by: '110s', organization: 'acme' })
    const [acme, zenith] = await deliveries()
    expect(acme.attempts.map(({ at }: { at: string }) => at.slice(14, 19))).toEqual(['00:00', '00:10', '01:50'])
    expect([acme.state, zenith.state, zenith.attempts.length]).toEqual(['failed', 'retrying', 1])
    await clock('advance', { by: '10s' })
    expect((await deliveries())[1].attempts).toHaveLength(2)
  })

  test("behind the emulator's, a retry that is due by that alone is not overdue", async ({
    app,
    install,
    clock,
    call,
  }) => {
    app.answers(500)
    await clock('freeze', { at: '2025-12-31T00:00:00Z', organization: 'acme' })
    await install()
    expect((await call('/_admin/deliveries/settled?timeout=0')).body).toEqual({ settled: true })
  })

  test("the emulator's takes along all that follow it, but for a frozen one", async ({ app, install, clock, call }) => {
    app.answers(500)
    await install()
    await install({ organization: 'zenith' })
    await clock('advance', { by: '1h', organization: 'acme' })
    await clock('freeze', { at: START, organization: 'zenith' })
    const received = app.received().length
    await clock('advance', { by: '1d' })
    expect(app.received()).toHaveLength(received)
    expect((await call('/_admin/clock')).body).toEqual({
      now: '2026-01-02T00:00:00.000Z',
      frozen: true,
      offset: 0,
      organizations: [
        { organization: 'acme', now: '2026-01-02T01:00:00.000Z', frozen: true, offset: 3_600_000 },
        { organization: 'zenith', now: START, frozen: true, offset: 0 },
      ],
    })
    // It goes on from where it stands, with the emulator's.
    await clock('resume', { organization: 'zenith' })
    await clock('advance', { by: '10s' })
    expect(app.received()).toHaveLength(received + 1)
  })

  test('rate windows go by it', async ({ emulator, call, clock }) => {
    await call('/_admin/state', {
      method: 'PUT',
      body: { ...(await emulator.admin.getState()), settings: { rate_limit: 1 } },
    })
    const statuses = async () => [
      (await call('/v0/elements', { as: 'key_acme' })).status,
      (await call('/v0/elements', { as: 'key_zenith' })).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await clock('advance', { by: '1m', organization: 'acme' })
    expect(await statuses()).toEqual([200, 429])
  })

  test('a fault that matches it expires by it', async ({ call, clock }) => {
    const fault = { effect: 'unavailable', expires_in: '1m' }
    for (const organization of ['acme', 'zenith'])
      await call('/_admin/faults', { body: { ...fault, match: { organization } } })
    await clock('advance', { by: '1m', organization: 'acme' })
    expect((await call('/v0/elements', { as: 'key_acme' })).status).toBe(200)
    expect((await call('/v0/elements', { as: 'key_zenith', injected: true })).status).toBe(503)
  })

  test('it is exported, reset with the world, and goes with its organization', async ({ call, clock }) => {
    const listed = async () => (await call('/_admin/clock')).body.organizations
    await clock('advance', { by: '61m', organization: 'acme' })
    await clock('freeze', { at: '2030-01-01T00:00:00Z', organization: 'zenith' })
    const clocks = await listed()
    const state = (await call('/_admin/state')).body
    await call('/_admin/reset', { method: 'POST' })
    expect(await listed()).toEqual([])
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
    expect(await listed()).toEqual(clocks)
    expect((await call('/_admin/state')).body).toEqual(state)
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect((await listed()).map(({ organization }: { organization: string }) => organization)).toEqual(['zenith'])
  })

  test('it survives a restart', async ({ world, store }) => {
    const options = { fixtures: world, store, now: START }
    const listed = async ({ admin }: Emulator) => (await admin.clock()).organizations
    const first = await startEmulator(options)
    await first.admin.advanceClock('61m', { organization: 'acme' })
    const before = await listed(first)
    await first.close()
    const second = await startEmulator(options)
    expect(await listed(second)).toEqual(before)
    expect(before).toMatchObject([{ organization: 'acme', now: LATER }])
    await second.close()
  })

  test('two organizations can be advanced at once, one twice not', async ({ app, install, clock }) => {
    app.answers(500)
    await install()
    await install({ organization: 'zenith' })
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    app.handles(async (_, response) => {
      await held
      response.writeHead(200).end()
    })
    const both = [
      clock('advance', { by: '10s', organization: 'acme' }),
      clock('advance', { by: '10s', organization: 'zenith' }),
    ]
    await app.arrival('app.installed', 4)
    expect((await clock('advance', { by: 1, organization: 'acme' })).status).toBe(409)
    expect((await clock('advance', { by: 1 })).status).toBe(409)
    go()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('an unknown organization, and a time beyond the range, are refused', async ({ call, clock }) => {
    expect((await clock('advance', { by: 1, organization: 'nobody' })).body.detail).toContain('there are: acme, zenith')
    await clock('freeze', { at: '8999-12-31T00:00:00Z', organization: 'acme' })
    await clock('resume', { organization: 'acme' })
    for (const [what, body] of [
      ['advance', { by: '1000d', organization: 'acme' }],
      ['advance', { by: '1000d' }],
    ] as const) {
      const { status, body: problem } = await clock(what, body)
      expect([status, problem.errors]).toMatchObject([400, [{ path: 'by' }]])
    }
    const organizations = [{ slug: 'far', clock: { frozen: false, offset: 6_999 * 365 * 86_400_000 } }]
    const { status, body } = await call('/_admin/fixtures', { body: { organizations } })
    expect([status, body.errors]).toMatchObject([400, [{ path: 'organizations.0.clock' }]])
  })
})
