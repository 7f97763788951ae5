import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { notesManifest, test } from '../harness/webhook-test.js'

describe('retention: of what has ended, the newest are kept', () => {
  test.override({ settings: { retention: 3 } })

  test('tokens', async ({ call, install }) => {
    await install()
    for (let round = 0; round < 6; round++) {
      await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
      await call('/_admin/tokens/revoke', { body: { app: 'notes' } })
      await call('/_admin/clock/advance', { body: { by: '1s' } })
    }
    const { data } = (await call('/_admin/tokens')).body
    expect(data).toHaveLength(3)
    expect(data.at(-1).issued_at).toBe('2026-01-01T00:00:05.000Z')
  })

  test('tokens that have expired, when new ones are made', async ({ call, install }) => {
    await install()
    for (let round = 0; round < 6; round++) {
      await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
      await call('/_admin/clock/advance', { body: { by: '31d' } })
    }
    // The newest pair had not expired when it was made.
    expect((await call('/_admin/tokens')).body.data).toHaveLength(5)
  })

  test('tokens that a call lets expire', async ({ call, install }) => {
    await install()
    await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme' } })
    expect((await call('/_admin/tokens/expire', { body: { kind: 'all' } })).body.affected).toBe(4)
    expect((await call('/_admin/tokens')).body.data).toHaveLength(3)
  })

  test('an active token is never dropped for it', async ({ call, install }) => {
    const { body } = await install()
    const token = body.credentials.access_token
    for (let round = 0; round < 5; round++) {
      await call('/_admin/tokens', { body: { app: 'notes', organization: 'acme', user: 'ada' } })
      await call('/_admin/tokens/revoke', { body: { user: 'ada' } })
    }
    expect((await call('/v0/elements', { as: token })).status).toBe(200)
    expect((await call('/_admin/tokens?state=revoked')).body.data).toHaveLength(3)
  })

  test('codes, and no session, as none ends by itself', async ({ call, install }) => {
    await install()
    const query = 'client_id=app_notes&response_type=code&scope=openid&state=s&prompt=none'
    const redirect_uri = encodeURIComponent('http://localhost:3000/callback')
    for (let round = 0; round < 6; round++) {
      const { cookie } = (await call('/_admin/sessions', { body: { user: 'ada' } })).body
      const headers = { cookie: `${cookie.name}=${cookie.value}` }
      const { status } = await call(`/oauth/authorize?${query}&redirect_uri=${redirect_uri}`, { headers })
      expect(status).toBe(302)
      await call('/_admin/clock/advance', { body: { by: '11m' } })
    }
    expect((await call('/_admin/sessions')).body.data).toHaveLength(6)
    const { codes } = (await call('/_admin/state')).body
    // The newest one had not expired when it was issued.
    expect(codes.length).toBeLessThanOrEqual(4)
    expect(codes.at(-1).created_at).toBe('2026-01-01T00:55:00.000Z')
  })
})

describe('what goes with what', () => {
  test('deliveries of an organization that is deleted', async ({ call, install, deliveries, app, advance }) => {
    app.answers(500)
    await install()
    expect(await deliveries()).toHaveLength(1)
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect(await deliveries()).toEqual([])
    const tried = app.received().length
    await advance('1h')
    expect(app.received()).toHaveLength(tried)
  })

  test('enrollments of a member that is removed, in that organization only', async ({ call }) => {
    const courses = [{ id: 'z9', name: 'Z', members: ['bob'] }]
    const other = { slug: 'other', api_key: 'key_other', members: [{ user: 'bob' }], courses }
    expect((await call('/_admin/fixtures', { body: { organizations: [other] } })).status).toBe(201)
    const enrolled = async (key: string, course: string): Promise<string[]> =>
      (await call(`/v0/courses/${course}/members`, { as: key })).body.payload.data.map(({ id }: { id: string }) => id)
    expect(await enrolled('key_acme', 'course1')).toEqual(['bob', 'ada'])
    await call('/_admin/organizations/acme/members/bob', { method: 'DELETE' })
    expect(await enrolled('key_acme', 'course1')).toEqual(['ada'])
    expect(await enrolled('key_other', 'z9')).toEqual(['bob'])
  })

  test('everything of an organization and of an app that are deleted', async ({ call, install }) => {
    await install()
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect((await call('/_admin')).body.counts).toMatchObject({
      organizations: 1,
      elements: 1,
      activities: 0,
      installations: 0,
      tokens: 0,
      deliveries: 0,
    })
    await call('/_admin/apps/notes', { method: 'DELETE' })
    const { body } = await call('/_admin/state')
    expect(body).toMatchObject({ apps: [], installations: [], tokens: [], deliveries: [] })
  })
})

test('announcements of fixtures are sent once: a kill before loses none, and a reset sends none again', async ({
  app,
  store,
}) => {
  const world = {
    users: [{ id: 'ada', email: 'ada@acme.test' }],
    organizations: [{ slug: 'acme', members: [{ user: 'ada', role: 'owner' as const }] }],
    apps: [{ client_id: 'app_notes', manifest: notesManifest(app) }],
    installations: [{ app: 'notes', organization: 'acme', announce: true }],
  }
  // The first store file holds the delivery: whatever happens from here on, it is made.
  app.neverAnswers()
  const first = await startEmulator({ store, fixtures: world })
  const { collections } = JSON.parse(readFileSync(store, 'utf8'))
  expect(collections.deliveries).toMatchObject([{ event: { type: 'app.installed' }, state: 'pending', attempts: [] }])
  await first.close()

  app.answers(200)
  const second = await startEmulator({ store })
  await expect
    .poll(async () => (await send(`${second.url}/_admin/deliveries`)).body.data[0]?.state)
    .toBe('acknowledged')
  const sent = app.received().length
  await send(`${second.url}/_admin/reset`, { method: 'POST' })
  await send(`${second.url}/_admin/clock/advance`, { body: { by: '1h' } })
  expect(app.received()).toHaveLength(sent)
  expect((await send(`${second.url}/_admin/deliveries`)).body.data).toEqual([])
  await second.close()
})

test('a journal that has grown past the snapshot is folded in the background', async ({ folder, store, app: _ }) => {
  const emulator = await startEmulator({ store, fixtures: {} })
  const name = 'x'.repeat(200_000)
  for (let count = 0; count < 8; count++) {
    await send(`${emulator.url}/_admin/organizations`, { body: { slug: `o${count}`, name } })
  }
  await expect.poll(() => JSON.parse(readFileSync(store, 'utf8')).folded).toBeGreaterThan(4)
  await expect.poll(() => statSync(`${store}.journal`).size).toBeLessThan(1024 * 1024)
  const copy = join(folder, 'copy.json')
  for (const end of ['', '.journal']) copyFileSync(store + end, copy + end)
  await emulator.close()
  const second = await startEmulator({ store: copy })
  const { organizations = [] } = await second.admin.getState()
  expect(organizations.map(({ slug }) => slug).toSorted()).toEqual(['o0', 'o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'])
  expect(second.notes).toEqual([])
  await second.close()
})

test('a scenario from the start writes none of its changes to the disk: a kill leaves the world before it', async ({
  app: _,
  store,
}) => {
  const emulator = await startEmulator({ store, fixtures: {} })
  await send(`${emulator.url}/_admin/organizations`, { body: { slug: 'kept', name: 'Kept' } })
  const steps = [
    { organization: { slug: 'tried', name: 'Tried' } },
    { request: { path: '/_admin/organizations/tried' } },
  ]
  const { body } = await send(`${emulator.url}/_admin/scenarios`, { body: { steps } })
  expect(body).toMatchObject({ passed: true, steps: [{}, { result: { status: 200 } }] })
  const journal = readFileSync(`${store}.journal`, 'utf8')
  expect(journal).toContain('"kept"')
  expect(journal).not.toContain('"tried"')
  await emulator.close()
})
