import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { test } from '../harness/emulator-test.js'
import { test as webhookTest } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

const advance = (by: unknown) => ({ body: { by } })

describe('control-api "Clock"', () => {
  test('with a seed it starts stopped at 2026-01-01T00:00:00Z', async ({ call }) => {
    expect((await call('/_admin/clock')).body).toMatchObject({ now: '2026-01-01T00:00:00.000Z', frozen: true })
  })

  test.for([
    ['90s', '2026-01-01T00:01:30.000Z'],
    ['1h', '2026-01-01T01:00:00.000Z'],
    ['30d', '2026-01-31T00:00:00.000Z'],
    [1500, '2026-01-01T00:00:01.500Z'],
  ])('advances by %s', async ([by, now], { call }) => {
    const { status, body } = await call('/_admin/clock/advance', advance(by))
    expect(status).toBe(200)
    expect(body.now).toBe(now)
    expect((await call('/_admin/clock')).body.now).toBe(now)
  })

  test.for([['1 hour'], [-1], [null], ['-1s'], [Number.MAX_SAFE_INTEGER]])(
    'refuses to advance by %s',
    async ([by], { call }) => {
      const { status, body } = await call('/_admin/clock/advance', advance(by))
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ path: 'by' }])
      expect((await call('/_admin/clock')).body.now).toBe('2026-01-01T00:00:00.000Z')
    },
  )

  test('an absent or empty body, and an unknown field, are errors', async ({ call }) => {
    expect((await call('/_admin/clock/advance', { method: 'POST' })).status).toBe(400)
    expect((await call('/_admin/clock/advance', { body: {} })).status).toBe(400)
    expect((await call('/_admin/clock/advance', { body: { by: 1, buy: 1 } })).body.errors).toMatchObject([
      { path: 'buy', message: 'is not a known field; did you mean "by"?' },
    ])
  })

  test('freeze stops it anywhere, resume lets it run again from there', async ({ call }) => {
    const at = '2027-03-04T05:06:07.000Z'
    expect((await call('/_admin/clock/freeze', { body: { at } })).body).toMatchObject({ now: at, frozen: true })
    const { body } = await call('/_admin/clock/resume', { method: 'POST' })
    expect(body.frozen).toBe(false)
    expect(Date.parse(body.now) - Date.parse(at)).toBeLessThan(10_000)
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse(at))
    const frozen = await call('/_admin/clock/freeze', { method: 'POST' })
    expect((await call('/_admin/clock')).body.now).toBe(frozen.body.now)
  })

  webhookTest.for([null, 'acme'])(
    'a clock that runs moves by exactly as much, however long a webhook on the way takes: %s',
    async (organization, { emulator: { admin }, app, install }) => {
      await admin.resumeClock()
      app.answers(503)
      await install()
      const { offset } = await admin.clock()
      app.handles((_, response) => {
        const until = Date.now() + 5
        while (Date.now() < until);
        response.writeHead(200).end()
      })
      await admin.advanceClock('1h', organization === null ? {} : { organization })
      expect(app.received()).toHaveLength(2)
      const { organizations, ...emulator } = await admin.clock()
      const moved = organization === null ? emulator.offset - offset : organizations[0]?.offset
      expect(moved).toBe(3_600_000)
    },
  )

  webhookTest(
    'a clock that was moved further by then does not go back',
    async ({ emulator: { admin }, app, install }) => {
      await admin.resumeClock()
      app.answers(503)
      await install()
      const at = '2026-01-01T05:00:00.000Z'
      app.handles(async (_, response) => {
        await admin.freezeClock(at)
        await admin.resumeClock()
        response.writeHead(200).end()
      })
      await admin.advanceClock('1h')
      expect((await admin.clock()).now >= at).toBe(true)
    },
  )

  webhookTest(
    'a stopped clock that is resumed meanwhile arrives all the same',
    async ({ emulator: { admin }, app, install }) => {
      app.answers(503)
      await install()
      app.handles(async (_, response) => {
        await admin.resumeClock()
        response.writeHead(200).end()
      })
      await admin.advanceClock('1h')
      expect((await admin.clock()).now).toMatch(/^2026-01-01T01:/)
    },
  )

  webhookTest('a reset meanwhile ends the advance', async ({ emulator: { admin }, app, install }) => {
    app.answers(503)
    await install()
    app.handles(() => void admin.reset())
    await admin.advanceClock('1h')
    expect((await admin.clock()).now).toBe('2026-01-01T00:00:00.000Z')
  })

  test('its moves are listed on request, until a reset', async ({ call }) => {
    const moves = async () => (await call('/_admin/clock?with=moves')).body.moves
    await call('/_admin/clock/advance', advance('1h'))
    await call('/_admin/clock/freeze', { body: { at: '2026-02-01T00:00:00Z', organization: 'acme' } })
    for (const _ of [1, 2]) await call('/_admin/clock/resume', { body: { organization: 'acme' } })
    const [from, to] = ['2026-01-01T01:00:00.000Z', '2026-02-01T00:00:00.000Z']
    expect(await moves()).toEqual([
      { organization: null, kind: 'advance', from: '2026-01-01T00:00:00.000Z', to: from },
      { organization: 'acme', kind: 'freeze', from, to },
      { organization: 'acme', kind: 'resume', from: to, to },
    ])
    expect((await call('/_admin/clock')).body).not.toHaveProperty('moves')
    for (let move = 0; move < 200; move++) await call('/_admin/clock/advance', advance('1s'))
    expect(await moves()).toHaveLength(200)
    await call('/_admin/reset', { method: 'POST' })
    expect(await moves()).toEqual([])
  })

  test('a moment must be a date-time with Z or an offset', async ({ call }) => {
    const message = 'must be an ISO 8601 date-time with Z or an offset, such as 2026-01-31T09:00:00Z'
    expect((await call('/_admin/clock/freeze', { body: { at: 'noon' } })).body.errors).toEqual([
      { path: 'at', message },
    ])
    await expect(startEmulator({ now: 'noon' })).rejects.toThrow(`now ${message}`)
    const { body } = await call('/_admin/clock/freeze', { body: { at: '2026-01-01T02:00:00+02:00' } })
    expect(body.now).toBe('2026-01-01T00:00:00.000Z')
  })

  test("a fixture's clock stands at its time, or at the present one, unless it runs", async ({ call }) => {
    const clock = async (clock: object) => {
      expect((await call('/_admin/state', { method: 'PUT', body: { clock } })).status).toBe(200)
      return (await call('/_admin/clock')).body
    }
    const now = '2030-05-06T07:08:09.000Z'
    expect(await clock({ now })).toMatchObject({ now, frozen: true })
    // The clock starts again with a new world, at the setting `now`.
    expect(await clock({ frozen: true })).toMatchObject({ now: '2026-01-01T00:00:00.000Z', frozen: true })
    const running = await clock({ now: '2031-01-01T00:00:00.000Z', frozen: false })
    expect(running).toMatchObject({ now: expect.stringMatching(/^2031-01-01T00:00/), frozen: false })
  })

  test('access tokens end an hour after they were issued', async ({ call }) => {
    await call('/_admin/clock/advance', advance('59m'))
    expect((await call('/v0/elements', { as: 'at_acme' })).status).toBe(200)
    await call('/_admin/clock/advance', advance('1m'))
    const { status, headers } = await call('/v0/elements', { as: 'at_acme' })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The access token is expired"',
    )
  })
})

test('an emulator that is closed before a retry is due leaves no timer that keeps the process', () => {
  const library = join(ROOT, 'dist', 'index.cjs')
  const program = `require(${JSON.stringify(library)})
    .startEmulator({ fixtures: ${JSON.stringify(acme)} })
    .then(async ({ admin, close }) => {
      await admin.addFault({ match: { surface: 'webhook' }, effect: 'unreachable' })
      const { delivery } = await admin.install({ app: 'notes', organization: 'zenith' })
      await close()
      console.log(delivery.state, process.getActiveResourcesInfo().includes('Timeout'))
      process.exit()
    })`
  const { stdout } = spawnSync(process.execPath, ['-e', program], { env: cleanEnvironment(tmpdir()), encoding: 'utf8' })
  expect(stdout).toBe('retrying false\n')
})
