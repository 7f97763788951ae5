import fc from 'fast-check'
import type { Admin, FixtureDocument } from 'mockademy'
import { describe, expect } from 'vitest'
import { createCells } from '../../src/control/coverage/cells.js'
import { coverageOf } from '../../src/control/coverage/report.js'
import { launch } from '../../src/control/start/launch.js'
import { idTokenEffects } from '../../src/emulator/faults/effect-names.js'
import { route } from '../../src/emulator/serving/surface.js'
import { apiSurface } from '../../src/platform/api/api.surface.js'
import type { AppRecord } from '../../src/platform/apps/app-record.js'
import { changeManifest } from '../harness/change-manifest.js'
import { test as base } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'
import { startReceiver } from '../harness/receiver.js'
import { acme } from '../harness/worlds/acme.js'

type Coverage = Awaited<ReturnType<Admin['getCoverage']>>

const COURSES = '/v0/courses'

/** The app may read courses, too. */
const withCourses: FixtureDocument = {
  ...acme,
  apps: acme.apps?.map(({ manifest, ...app }) => ({
    ...app,
    manifest: {
      ...(manifest as object),
      permissions: ['courses:read', 'elements:read', 'openid', 'profile', 'email'],
    } as never,
  })),
}

const test = base.extend<{
  world: FixtureDocument
  /** A cell of the coverage of `notes`. */
  cell: (row: string, column: string, query?: Parameters<Admin['getCoverage']>[0]) => Promise<Partial<Cell>>
}>({
  world: withCourses,
  cell: async ({ emulator }, use) => {
    await use(async (row, column, query) => {
      const { groups } = await emulator.admin.getCoverage(query)
      const cells = groups.flatMap(({ rows }) => rows).find((each) => each.row === row)?.cells
      return cells?.find((each) => each.column === column) ?? {}
    })
  },
})
type Cell = Coverage['groups'][number]['rows'][number]['cells'][number]

test('a cell names how often it was met, by which entry last, and the line that closes it', async ({
  call,
  cell,
  emulator,
}) => {
  expect(await cell('GET /v0/courses', 'ok')).toMatchObject({ met: false, count: 0, by_audit: 0, entry: null })
  for (let request = 0; request < 3; request++) await call(COURSES, { as: 'at_acme' })
  const entry = (await call('/_admin/requests')).body.data.at(-1).id
  expect(await cell('GET /v0/courses', 'ok')).toEqual({
    column: 'ok',
    met: true,
    count: 3,
    by_audit: 0,
    entry,
    closes: null,
  })
  const { closes } = await cell('GET /v0/courses', 'rate-limited')
  expect(closes).toBe(
    `mockademy --url ${emulator.url} faults add rate_limited --surface api --method GET --path /v0/courses --app notes --times 1`,
  )
})

test('each refusal is a cell of its own; a fault that does not fire meets nothing', async ({ call, cell }) => {
  const effects: [unknown, string][] = [
    ['token_expired', 'expired'],
    ['token_revoked', 'revoked'],
    ['insufficient_scope', 'forbidden'],
    ['rate_limited', 'rate-limited'],
    ['unavailable', 'server-error'],
    [{ connection: 'truncate' }, 'broken'],
  ]
  for (const [effect, column] of effects) {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect, times: 1 } })
    expect((await cell('GET /v0/courses', column)).met, column).toBe(false)
    await call(COURSES, { as: 'at_acme', injected: true }).catch(() => undefined)
    expect((await cell('GET /v0/courses', column)).met, column).toBe(true)
  }
  expect((await cell('GET /v0/courses', 'ok')).met).toBe(false)
})

test('the line of an operation names a record that is there, and needs no installation where there is one', async ({
  cell,
  emulator,
}) => {
  const { closes } = await cell('GET /v0/courses/{id}', 'ok')
  expect(closes).toMatch(/^curl /)
  expect(closes).toMatch(new RegExp(`'${emulator.url}/v0/courses/course[12]'$`))
})

test('a refresh whose response is cut is not done; one without a form or of another grant is none', async ({
  call,
  cell,
}) => {
  const fault = { match: { path: '/oauth/token' }, effect: { connection: 'truncate' }, phase: 'after', times: 1 }
  await call('/_admin/faults', { body: fault })
  const form = { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' }
  const refresh = () => call('/oauth/token', { form }).catch(() => undefined)
  await refresh()
  expect((await cell('refresh', 'done')).met).toBe(false)
  expect((await cell('refresh', 'answer-lost')).met).toBe(true)
  // Again, once the first has ended: that is no race.
  await refresh()
  expect((await cell('refresh', 'raced')).met).toBe(false)
  // A token is used up once.
  await call('/_admin/faults', { body: { ...fault, effect: 'unavailable', phase: 'before' } })
  await refresh()
  expect((await cell('refresh', 'answer-lost')).count).toBe(1)
  expect((await cell('refresh', 'platform-down')).met).toBe(true)
  await call('/_admin/reset', { method: 'POST' })
  expect((await call('/oauth/token', { method: 'POST' })).status).toBe(400)
  const exchange = { ...redemption('none'), refresh_token: 'rt_acme' }
  expect((await call('/oauth/token', { form: exchange })).body.error).toBe('invalid_grant')
  expect((await cell('refresh', 'refused')).met).toBe(false)
  await call('/_admin/faults', { body: fault })
  await refresh()
  expect((await cell('refresh', 'answer-lost')).met).toBe(true)
})

test.for([
  [{ merge: { more: 1 } }, 'done'],
  [{ omit: ['refresh_token'] }, 'answer-lost'],
  [{ merge: { refresh_token: 'unknown' } }, 'answer-lost'],
] as const)('a refresh whose response has %j is %s', async ([effect, column], { call, cell }) => {
  await call('/_admin/faults', { body: { match: { surface: 'oauth' }, effect, times: 1 } })
  const form = { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' }
  expect((await call('/oauth/token', { form })).status).toBe(200)
  const met = async (name: string) => (await cell('refresh', name)).met
  expect([await met('done'), await met('answer-lost')]).toEqual([column === 'done', column === 'answer-lost'])
})

test('shapes are those that can happen to the app', async ({ emulator }) => {
  const { admin } = emulator
  const shapesOf = async (manifest: object) => {
    const own = { id: 'own', name: 'Own', version: '1.0.0', ...manifest }
    await admin.createApp({ manifest: own } as Parameters<typeof admin.createApp>[0])
    const { groups } = await admin.getCoverage({ app: 'own' })
    await admin.deleteApp('own')
    return groups
      .find(({ group }) => group === 'shapes')
      ?.rows.flatMap(({ cells }) => cells.map(({ column }) => column))
  }
  expect(await shapesOf({})).toEqual([])
  expect(await shapesOf({ post_install_action: { url: 'http://localhost:1/setup' } })).toEqual(['redirects'])
  const webhook = { url: 'http://localhost:1/webhook' }
  const ofEvents = ['ids', 'timestamps', 'more-fields', 'key-order']
  expect(await shapesOf({ webhook })).toEqual(ofEvents)
  const api = await shapesOf({ webhook, permissions: ['courses:read'], oauth: { install: true } })
  expect(api).toEqual(expect.arrayContaining([...ofEvents, 'page-size', 'retry-after', 'tokens', 'gzip']))
  expect(api).not.toEqual(expect.arrayContaining(['redirects']))
  const authorize = { redirect_uris: ['http://localhost:1/callback'] }
  const signIn = await shapesOf({ permissions: ['openid'], oauth: { authorize } })
  expect(signIn).toEqual(expect.arrayContaining(['ids', 'tokens', 'claims', 'redirects', 'gzip']))
  for (const shape of ['page-size', 'timestamps', 'retry-after']) expect(signIn).not.toContain(shape)
})

test('an id_token that is cut on its way is not met', async ({ call, cell, emulator }) => {
  const { admin } = emulator
  await call('/_admin/sessions/ambient', { method: 'PUT', body: { user: 'ada' } })
  const { redirect_uri } = redemption('')
  const query = { client_id: 'app_notes', response_type: 'code', scope: 'openid', state: 'x', prompt: 'none' }
  const { headers } = await call(`/oauth/authorize?${new URLSearchParams({ ...query, redirect_uri })}`)
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { id } = await admin.addFault({ match: { surface: 'id_token' }, effect: 'wrong_iss' })
  await admin.addFault({ match: { surface: 'oauth' }, effect: { connection: 'truncate' }, phase: 'after' })
  await expect(call('/oauth/token', { form: redemption(code) })).rejects.toThrow()
  expect(await admin.listRequests({ path: '/oauth/token' })).toMatchObject([{ status: 200, fault: id }])
  expect((await cell('id_token', 'wrong-iss')).met).toBe(false)
})

test('a restored installation is no install', async ({ call, cell, emulator: { admin } }) => {
  await admin.uninstall((await admin.listInstallations())[0]?.id as string)
  await admin.snapshot('before')
  await admin.install({ app: 'notes', organization: 'acme' })
  await admin.snapshot('after')
  const { count } = await cell('reinstall', 'done')
  for (const name of ['before', 'after']) await admin.restoreSnapshot(name)
  await call(COURSES, { as: 'key_acme' })
  expect([count, await cell('reinstall', 'done')]).toEqual([1, expect.objectContaining({ count: 1 })])
})

test('a redirect with a wrong state is that and nothing else', async ({ call, cell, emulator }) => {
  const { redirect_uri } = redemption('')
  const headers = { location: `${redirect_uri}?error=access_denied&state=wrong` }
  await emulator.admin.addFault({ match: { surface: 'oauth' }, effect: { status: 302, headers } })
  const query = { client_id: 'app_notes', response_type: 'code', scope: 'openid', state: 'x', redirect_uri }
  await call(`/oauth/authorize?${new URLSearchParams(query)}`)
  expect((await cell('sign-in', 'state-wrong')).met).toBe(true)
  expect((await cell('sign-in', 'denied')).met).toBe(false)
})

test('the shape of a public document counts for the apps that sign users in', async ({ call, cell, emulator }) => {
  const webhook = { url: 'http://localhost:1/webhook' }
  const permissions = ['elements:read']
  const manifest = { id: 'reader', name: 'Reader', version: '1.0.0', permissions, oauth: { install: true }, webhook }
  await emulator.admin.createApp({ manifest } as Parameters<typeof emulator.admin.createApp>[0])
  await emulator.admin.setLiberties({ seed: '1', kinds: ['key-order'] })
  await call('/.well-known/openid-configuration')
  expect((await cell('shapes', 'key-order', { app: 'notes' })).met).toBe(true)
  expect((await cell('shapes', 'key-order', { app: 'reader' })).met).toBe(false)
})

test('an authorization request shows that the redirect was followed while the app is installed', async ({
  call,
  cell,
}) => {
  const install = async (organization: string) =>
    (await call('/_admin/installations', { body: { app: 'notes', organization, announce: false } })).body.installation
  const authorize = (organization: string) =>
    call(`/oauth/authorize?client_id=app_notes&prompt=none&organization=${organization}`)
  const { id } = await install('zenith')
  expect((await call(`/_admin/installations/${id}`, { method: 'DELETE' })).status).toBe(200)
  await authorize('zenith')
  expect(await cell('install', 'redirected')).toMatchObject({ met: false, count: 0 })
  const neo = { slug: 'neo', name: 'Neo', members: [{ user: 'ada', role: 'owner' }] }
  expect((await call('/_admin/fixtures', { body: { organizations: [neo] } })).status).toBe(201)
  await install('neo')
  await authorize('acme')
  expect(await cell('install', 'redirected')).toMatchObject({ met: false, count: 0 })
  await authorize('neo')
  await authorize('neo')
  expect(await cell('install', 'redirected')).toMatchObject({ met: true, count: 1 })
})

test('no line names an organization of an audit', async ({ cell, emulator }) => {
  await emulator.admin.deleteOrganization('zenith')
  const members = [{ user: 'ada', role: 'owner' as const }]
  await emulator.admin.addFixtures({ organizations: [{ slug: 'tried', name: 'Tried', run: 'audit-1', members }] })
  expect((await cell('install', 'done')).closes).toContain(' install notes coverage-1')
})

test('the scenarios of gaps run one after another, and leave the world as it was', async ({ emulator }) => {
  await receiveWith(emulator, 200)
  const { admin } = emulator
  const before = await admin.world()
  // No browser can follow the redirect: the app has no page here.
  const gaps = (await admin.listGaps({ app: 'notes' })).filter(({ column }) => column !== 'redirected')
  const scenarios = gaps.flatMap(({ scenario }) => scenario ?? [])
  expect(scenarios.length).toBeGreaterThan(30)
  for (const scenario of scenarios) {
    const { steps } = await admin.runScenario(scenario as Parameters<typeof admin.runScenario>[0])
    expect
      .soft(
        steps.filter(({ ok }) => !ok),
        scenario.title,
      )
      .toEqual([])
  }
  expect((await admin.world()).counts).toEqual(before.counts)
  expect(await admin.listFaults()).toEqual([])
})

const everyScope = {
  name: 'Own',
  version: '1.0.0',
  permissions: ['courses', 'modules', 'elements', 'members', 'activities'].map((name) => `${name}:read`),
  oauth: { install: true as const },
  webhook: { url: 'http://localhost:1/webhook' },
}

describe('a small world', () => {
  test.override({
    world: {
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      organizations: [{ slug: 'acme', name: 'Acme', members: [{ user: 'ada', role: 'owner' }] }],
      apps: [{ client_id: 'own', manifest: { ...everyScope, id: 'own' } }],
    },
  })

  test('where an organization has too little, the line makes another one that has it', async ({
    emulator,
    call,
    cell,
  }) => {
    const { admin } = emulator
    const { groups } = await admin.getCoverage()
    const lines = (groups.find(({ group }) => group === 'api')?.rows ?? []).flatMap(({ row, cells }) =>
      cells
        .filter(({ column }) => ['ok', 'all-pages'].includes(column))
        .map(({ column, closes }) => ({ row, column, closes: closes ?? '' })),
    )
    expect(lines.length).toBeGreaterThan(15)
    await admin.snapshot('small')
    for (const { row, column, closes } of lines) {
      await admin.restoreSnapshot('small')
      for (const [, text = ''] of closes.matchAll(/printf %s '(.*?)' \| mockademy/g))
        await admin.addFixtures(JSON.parse(text))
      const [, organization = ''] = /mockademy \S+ \S+ install own (\S+)/.exec(closes) ?? []
      await admin.install({ app: 'own', organization, announce: false })
      const { access_token } = await admin.mintTokens({ app: 'own', organization })
      const [method, path = ''] = row.split(' ')
      const [, target = ''] = /'http:\/\/[^/]+(\S+)'$/.exec(closes) ?? []
      const named = path.replace(/(\w+)\/\{\w+\}/g, `$1/${organization}-$1-1`)
      const body = method === 'POST' ? { body: {} } : {}
      for (let page: string | null = ''; page !== null; ) {
        const query: string = page && `?page=${encodeURIComponent(page)}`
        const answer = await call((target || named) + query, { as: access_token, ...body })
        page = (column === 'all-pages' && answer.body.payload?.next) || null
      }
      expect.soft((await cell(row, column, { app: 'own' })).met, `${row} ${column}: ${closes}`).toBe(true)
    }
  })
})

/** Lets the app's webhooks arrive, where they are answered with a status. */
async function receiveWith({ admin }: { admin: Admin }, status: number, events?: string[]) {
  const receiver = await startReceiver()
  receiver.handles((_, response) => void response.writeHead(status).end())
  await changeManifest(admin, { webhook: { url: receiver.url, ...(events && { events }) } })
}

test('a token that has ended is expired or revoked in any words', async ({ call, cell, emulator }) => {
  const { admin } = emulator
  await admin.setLiberties({ seed: '1', kinds: ['error-words'] })
  await admin.expireTokens({ app: 'notes' })
  await call(COURSES, { as: 'at_acme', injected: true })
  expect((await cell('GET /v0/courses', 'expired')).met).toBe(true)
  await admin.revokeTokens({ app: 'notes' })
  await call(COURSES, { as: 'at_acme', injected: true })
  expect((await cell('GET /v0/courses', 'revoked')).met).toBe(true)
})

test('a body that was changed after it was signed is altered, a signature alone is forged; what is signed is neither', async ({
  cell,
  emulator,
}) => {
  const { admin } = emulator
  await receiveWith(emulator, 200)
  const { id } = (await admin.install({ app: 'notes', organization: 'zenith' })).delivery ?? {}
  const deliver = async (...effects: Parameters<typeof admin.addFault>[0]['effect'][]) => {
    await admin.clearRequests()
    for (const effect of effects) {
      await admin.addFault({ match: { surface: 'webhook' }, effect, times: 1 })
      await admin.redeliver(id ?? '')
    }
    const columns = ['acknowledged', 'twice', 'forged', 'altered']
    return Promise.all(columns.map(async (column) => (await cell('app.installed', column)).count))
  }
  expect(await deliver('bad_signature', 'no_signature')).toEqual([0, 0, 2, 0])
  expect(await deliver('altered_body', 'reserialised', 'truncate')).toEqual([0, 0, 0, 3])
  expect(await deliver('replay', { body: '{}' })).toEqual([0, 0, 0, 0])
})

test.for([
  [undefined, true],
  [['note.shared'], false],
] as const)(
  'an event of an unknown type is one that the manifest does not name: %j',
  async ([events, met], { cell, emulator }) => {
    const { admin } = emulator
    await receiveWith(emulator, 200, events && [...events])
    const { installation } = await admin.install({ app: 'notes', organization: 'zenith' })
    await admin.sendEvent({ type: 'note.shared', installation: installation.id, data: {} })
    expect(await admin.listRequests({ surface: 'webhook' })).not.toEqual([])
    expect((await cell('unknown type', 'acknowledged')).met ?? false).toBe(met)
  },
)

test('an event is late a minute after it was made', async ({ cell, emulator }) => {
  const { admin } = emulator
  await receiveWith(emulator, 200)
  const { id = '' } = (await admin.install({ app: 'notes', organization: 'zenith' })).delivery ?? {}
  await admin.advanceClock('59s')
  await admin.redeliver(id)
  expect((await cell('app.installed', 'late')).met).toBe(false)
  await admin.advanceClock('1s')
  await admin.redeliver(id)
  expect((await cell('app.installed', 'late')).met).toBe(true)
})

test('after a reset, an event is not measured by those of before', async ({ cell, emulator }) => {
  const { admin } = emulator
  for (const restores of [false, true]) {
    await admin.reset()
    await receiveWith(emulator, 200)
    await admin.snapshot('before')
    await admin.install({ app: 'notes', organization: 'zenith' })
    await (restores ? admin.restoreSnapshot('before') : admin.reset())
    if (!restores) await receiveWith(emulator, 200)
    await admin.install({ app: 'notes', organization: 'zenith' })
    expect((await cell('app.installed', 'acknowledged')).met).toBe(true)
    expect((await cell('app.installed', 'out-of-order')).met).toBe(false)
    expect((await cell('app.installed', 'twice')).met).toBe(false)
  }
})

test('a webhook that the app rejects has failed, and shows the installation', async ({ cell, emulator }) => {
  const { admin } = emulator
  await receiveWith(emulator, 500)
  await admin.install({ app: 'notes', organization: 'zenith' })
  const [entry] = await admin.listRequests({ surface: 'webhook' })
  expect(await cell('install', 'done')).toMatchObject({ met: true, entry: entry?.id })
  expect((await cell('install', 'webhook-failed')).met).toBe(true)
  expect((await cell('app.installed', 'acknowledged')).met).toBe(false)
})

test('what the app has not read as the platform made it is not ok', async ({ call, cell, emulator }) => {
  await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { body: 'html' }, times: 1 } })
  await call(COURSES, { as: 'at_acme', injected: true })
  expect((await cell('GET /v0/courses', 'ok')).met).toBe(false)
  // A response that the app did not wait for is not ok either.
  await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { hold: 2 } } })
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer at_acme' }
  const left = fetch(`${emulator.url}${COURSES}`, { headers, signal: leaving.signal }).catch(() => 'left')
  await expect.poll(async () => (await emulator.admin.listFaults()).at(-1)?.hits).toBe(1)
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(async () => (await emulator.admin.listRequests()).at(-1)?.status).toBe(null)
  await emulator.admin.clearFaults()
  expect((await cell('GET /v0/courses', 'ok')).met).toBe(false)
  await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { delay: 1 }, times: 1 } })
  await call(COURSES, { as: 'at_acme' })
  expect((await cell('GET /v0/courses', 'ok')).met).toBe(true)
})

test('a list counts as read when its last page has come from its first', async ({ call, cell, emulator }) => {
  await emulator.admin.addFixtures({ settings: { page_size: 2 } })
  const last = async () => {
    let next = (await call('/v0/elements', { as: 'at_acme' })).body.payload.next
    let page = ''
    while (next) {
      page = next
      next = (await call(`/v0/elements?page=${page}`, { as: 'at_acme' })).body.payload.next
      if (next) expect((await cell('GET /v0/elements', 'all-pages')).met).toBe(false)
    }
    return page
  }
  const { next } = (await call('/v0/elements', { as: 'key_acme' })).body.payload
  await call(`/v0/elements?page=${next}`, { as: 'at_acme' })
  expect((await cell('GET /v0/elements', 'all-pages')).met).toBe(false)
  await last()
  expect((await cell('GET /v0/elements', 'all-pages')).met).toBe(true)
})

test('operations that the scopes do not allow count where they were met', async ({ call, emulator }) => {
  const rows = async () => {
    const { groups } = await emulator.admin.getCoverage()
    return groups[0]?.rows.map(({ row, cells }) => [row, cells.length])
  }
  const allowed = await rows()
  expect(allowed).not.toContainEqual(['POST /v0/elements', expect.anything()])
  await call('/v0/elements', { method: 'POST', as: 'at_acme', body: {} })
  expect(await rows()).toEqual(expect.arrayContaining([...(allowed ?? []), ['POST /v0/elements', 1]]))
})

test('what an audit or a scenario causes is not the suite’s', async ({ call, cell, emulator }) => {
  const request = { path: COURSES, headers: { authorization: 'Bearer at_acme' } }
  await emulator.admin.runScenario({ steps: [{ request } as object] })
  expect(await cell('GET /v0/courses', 'ok')).toMatchObject({ met: false, count: 0, by_audit: 1, entry: null })
  const headers = { 'mockademy-run': 'run-1' }
  await call(COURSES, { as: 'at_acme', headers })
  expect(await cell('GET /v0/courses', 'ok')).toMatchObject({ met: false, count: 0, by_audit: 2, entry: null })
  const members = [{ user: 'ada', role: 'owner' as const }]
  await emulator.admin.addFixtures({ organizations: [{ slug: 'tried', name: 'Tried', run: 'run-1', members }] })
  await emulator.admin.install({ app: 'notes', organization: 'tried', installer: 'ada', announce: false })
  expect(await cell('install', 'done')).toMatchObject({ met: false, count: 0, by_audit: 1 })
})

test('since an entry in a row of several, one is known to be later', async ({ call, cell, emulator }) => {
  for (let request = 0; request < 3; request++) await call(COURSES, { as: 'at_acme' })
  const [first, second] = (await emulator.admin.listRequests()).map(({ id }) => id) as [number, number]
  const countSince = async (entry: number) => (await cell('GET /v0/courses', 'ok', { since: String(entry) })).count
  expect(await Promise.all([countSince(first - 1), countSince(second), countSince(second + 1)])).toEqual([3, 1, 0])
  // No entry of its own shows it.
  await emulator.admin.install({ app: 'notes', organization: 'zenith', announce: false })
  expect((await cell('install', 'done', { since: String(second + 1) })).met).toBe(true)
  await call(COURSES, { as: 'at_acme', headers: { 'mockademy-run': 'run-1' } })
  expect(await cell('GET /v0/courses', 'ok', { since: String(second + 1) })).toMatchObject({ met: false, by_audit: 1 })
  await call(COURSES, { as: 'at_acme', headers: { 'mockademy-run': 'run-1' } })
  const last = (await emulator.admin.listRequests({ run: 'any' })).at(-1)?.id
  expect(await cell('install', 'done', { since: String(last) })).toMatchObject({ met: false })
})

test('the journal’s size takes nothing from it, and clearing the journal begins anew', async ({
  call,
  cell,
  emulator,
}) => {
  await emulator.admin.addFixtures({ settings: { journal_size: 1 } })
  await call(COURSES, { as: 'at_acme' })
  for (let request = 0; request < 150; request++) await call('/v0/elements', { as: 'at_acme' })
  expect((await cell('GET /v0/courses', 'ok')).count).toBe(1)
  await emulator.admin.clearRequests()
  expect(await cell('GET /v0/courses', 'ok')).toMatchObject({ met: false, count: 0 })
  await call(COURSES, { as: 'at_acme' })
  await emulator.admin.reset()
  expect(await cell('GET /v0/courses', 'ok')).toMatchObject({ met: false, count: 0 })
})

test('a cell that a thousand tests have met counts all of them, and each of the newest ones alone', () => {
  const cells = createCells()
  const meet = (from: number, to: number) => {
    for (let test = from; test <= to; test++) {
      const occasion = { entry: test, at: '2026-01-01T00:00:00.000Z', marks: [`test ${test}`], byAudit: false }
      cells.add('notes', 'refresh', occasion)
    }
  }
  const read = (filter: { since?: number; mark?: string; whole?: true }) => cells.read('notes', filter)('refresh')
  meet(1, 1200)
  expect(read({})).toEqual({ count: 1200, entry: 1200, byAudit: 0 })
  expect(read({ mark: 'test 200' })).toEqual({ count: 1, entry: 200, byAudit: 0 })
  // The first 199 are one by now, of which only the last is known to be later.
  expect([read({ since: 50 }).count, read({ since: 300 }).count]).toEqual([1002, 900])
  cells.clear()
  meet(1201, 2350)
  expect(read({}).count).toBe(1150)
  expect(read({ whole: true }).count).toBe(2350)
})

test('since an entry or a moment, and of a mark', async ({ call, cell, emulator }) => {
  await emulator.admin.mark('one')
  await call(COURSES, { as: 'at_acme' })
  const { entry } = await cell('GET /v0/courses', 'ok')
  await emulator.admin.mark('two')
  await emulator.admin.advanceClock('1m')
  await call('/v0/elements', { as: 'at_acme' })
  for (const query of [{ since: String(entry) }, { since: '2026-01-01T01:00:30+01:00' }, { mark: 'two' }]) {
    expect((await cell('GET /v0/courses', 'ok', query)).met, JSON.stringify(query)).toBe(false)
    expect((await cell('GET /v0/elements', 'ok', query)).met, JSON.stringify(query)).toBe(true)
  }
  expect((await cell('GET /v0/courses', 'ok', { mark: 'one' })).count).toBe(1)
  for (const path of ['', '/gaps']) expect((await call(`/_admin/coverage${path}?mark=three`)).status).toBe(404)
  expect((await call('/_admin/coverage?since=yesterday')).status).toBe(400)
  expect((await call('/_admin/coverage?app=nobody')).status).toBe(404)
  await emulator.admin.deleteApp('notes')
  expect((await call('/_admin/coverage')).body).toMatchObject({ status: 404, detail: 'There is no app' })
})

test('more requests never lower a figure', async ({ call, emulator }) => {
  const { admin } = emulator
  const requests: (() => Promise<unknown>)[] = [
    () => call(COURSES, { as: 'at_acme', injected: true }),
    () => call('/v0/elements/none', { as: 'at_acme', injected: true }),
    () => call('/v0/modules', { as: 'at_acme', injected: true }),
    () => call('/v0/elements', { as: 'at_acme', body: {}, injected: true }),
    () => call('/v0/openapi.json', { as: 'at_acme', injected: true }),
    () => admin.addFault({ match: { surface: 'api' }, effect: 'token_expired', times: 1 }),
    () => admin.addFault({ match: { surface: 'api' }, effect: { connection: 'reset' }, times: 1 }),
    () => call('/oauth/token', { form: { ...client, grant_type: 'refresh_token', refresh_token: 'rt_acme' } }),
    () => call('/oauth/token', { form: { ...client, grant_type: 'refresh_token', refresh_token: 'none' } }),
    () => call(`/oauth/authorize?client_id=app_notes&response_type=code&scope=openid&prompt=none&state=x`),
    async () => {
      const [installation] = await admin.listInstallations({ app: 'notes', organization: 'acme', state: 'installed' })
      if (installation) return admin.uninstall(installation.id)
      return admin.install({ app: 'notes', organization: 'acme', announce: false })
    },
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(requests.length - 1), { minLength: 1, maxLength: 12 }), async (order) => {
      await admin.reset()
      let before = await admin.getCoverage({ app: 'notes' })
      for (const index of order) {
        await requests[index]?.().catch(() => undefined)
        const after = await admin.getCoverage({ app: 'notes' })
        expect(after.figure).toBeGreaterThanOrEqual(before.figure)
        for (const [group, { figure }] of after.groups.entries())
          expect(figure).toBeGreaterThanOrEqual(before.groups[group]?.figure ?? 0)
        before = after
      }
    }),
    propertyRuns(15),
  )
})
const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
const redemption = (code: string) => ({
  ...{ ...client, grant_type: 'authorization_code', redirect_uri: 'http://localhost:3000/callback', code },
})

test('a new operation and a new effect are rows and columns by themselves', async ({ world }) => {
  const { world: own, url, close } = await launch({ fixtures: world })
  const operation = { id: 'listPlans', summary: 'List plans', source: 'none', scope: 'courses:read' }
  apiSurface.routes.push(route('GET', '/v0/plans', operation, () => ({ status: 200 })))
  Object.assign(idTokenEffects, { wrong_day: 'of another day' })
  try {
    const { groups } = coverageOf([own], own.store.apps.get('notes') as AppRecord, {})
    const rows = groups.flatMap(({ rows }) => rows)
    expect(rows.map(({ row }) => row)).toContain('GET /v0/plans')
    expect(rows.find(({ row }) => row === 'id_token')?.cells.at(-1)).toMatchObject({
      column: 'wrong-day',
      closes: `mockademy --url ${url} faults add wrong_day --surface id_token --app notes --times 1`,
    })
  } finally {
    apiSurface.routes.pop()
    Reflect.deleteProperty(idTokenEffects, 'wrong_day')
    await close()
  }
})
