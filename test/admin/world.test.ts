import { type FixtureDocument, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { type Answer, send, test } from '../harness/emulator-test.js'
import { acme } from '../harness/worlds/acme.js'

const manifest = { name: 'Notes', version: '1.0.0' }
const ids = ({ body }: Answer): string[] => body.payload.data.map(({ id }: { id: string }) => id)

describe('control-api "World": GET /_admin', () => {
  test('tells addresses, settings, counts and worlds', async ({ call, emulator }) => {
    const { status, body } = await call('/_admin')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'mockademy',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      base_url: emulator.url,
      app_url: emulator.url,
      browser_url: emulator.url,
      world: 'seeded',
      store: 'memory',
      settings: { page_size: 50, access_token_ttl: 3_600_000 },
      counts: { organizations: 2, users: 3, courses: 3, apps: 1, installations: 1, tokens: 2 },
      worlds: [{ index: 0, url: emulator.url }],
    })
  })

  test('GET /healthz answers without a credential', async ({ call }) => {
    expect(await call('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})

describe('fixtures "A whole world": export and import', () => {
  test('an export starts another emulator with the same world, which answers alike', async ({ call, emulator }) => {
    await call('/_admin/clock/advance', { body: { by: '10m' } })
    const exported = (await call('/_admin/state')).body
    const other = await startEmulator({ fixtures: exported })
    expect((await send(`${other.url}/_admin/state`)).body).toEqual(exported)
    for (const path of ['/v0/courses', '/v0/elements', '/v0/modules', '/v0/members', '/v0/activities']) {
      const [here, there] = [await call(path, { as: 'key_acme' }), await send(other.url + path, { as: 'key_acme' })]
      expect(there.body).toEqual(here.body)
    }
    expect((await send(`${other.url}/v0/elements/essay`, { as: 'at_acme' })).status).toBe(200)
    await other.close()
    expect(other.url).not.toBe(emulator.url)
  })

  test('PUT /_admin/state takes an export unchanged', async ({ call }) => {
    const before = (await call('/_admin/state')).body
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    const put = await call('/_admin/state', { method: 'PUT', body: before })
    expect(put.status).toBe(200)
    expect((await call('/_admin/state')).body).toEqual(before)
  })

  test('PUT /_admin/state replaces the world', async ({ call }) => {
    await call('/_admin/state', { method: 'PUT', body: { organizations: [{ slug: 'neo', api_key: 'key_neo' }] } })
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(401)
    expect((await call('/v0/courses', { as: 'key_neo' })).body.payload.data).toEqual([])
  })

  test('a document with faults is refused with every one, and changes nothing', async ({ call }) => {
    const before = (await call('/_admin/state')).body
    const bad = {
      organisations: [],
      users: [{ email: 'nobody' }],
      organizations: [{ slug: 'neo', members: [{ user: 'ghost@neo.test' }] }],
      installations: [{ app: 'nope', organization: 'neo' }],
    }
    const { status, headers, body } = await call('/_admin/state', { method: 'PUT', body: bad })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'installations.0.app',
      'organisations',
      'organizations.0.members.0.user',
      'users.0.email',
    ])
    expect((await call('/_admin/state')).body).toEqual(before)
  })

  test('a body is needed', async ({ call }) => {
    expect((await call('/_admin/state', { method: 'PUT' })).status).toBe(400)
    expect((await call('/_admin/fixtures', { method: 'POST' })).status).toBe(400)
    expect((await call('/_admin/state', { method: 'PUT', raw: '{' })).status).toBe(415)
    const malformed = { method: 'PUT', raw: '{', headers: { 'content-type': 'application/json' } }
    expect((await call('/_admin/state', malformed)).status).toBe(400)
  })
})

describe('wire §8: settings of the process are those of its start', () => {
  const settings = { https: true, host: '0.0.0.0', worlds: 4, seed: 'q', page_size: 7 }

  test.for([
    ['PUT', '/_admin/state'],
    ['POST', '/_admin/fixtures'],
  ] as const)('%s %s changes only those of the world', async ([method, path], { call }) => {
    const before = (await call('/_admin')).body
    expect((await call(path, { method, body: { users: [], settings } })).status).toBeLessThan(300)
    const { body } = await call('/_admin')
    expect(body.settings).toEqual({ ...before.settings, page_size: 7 })
    expect(body.setting_sources).toEqual({ ...before.setting_sources, page_size: 'fixture' })
  })

  test('a seed that has no effect stops no clock; a time does', async () => {
    await using emulator = await startEmulator({ fixtures: {} })
    const { admin } = emulator
    await admin.putState({ users: [], settings: { seed: 'q' } })
    expect(await admin.clock()).toMatchObject({ frozen: false })
    await admin.putState({ users: [], settings: { seed: 'q', now: '2026-05-01T00:00:00.000Z' } })
    expect(await admin.clock()).toMatchObject({ frozen: true, now: '2026-05-01T00:00:00.000Z' })
  })
})

describe('wire §8: a seed is a text or a number', () => {
  const settings = [{ seed: null }, { seed: true }, { seed: {} }, { seed: ['a'] }]

  test.for(settings)('PUT /_admin/state refuses %j', async (given, { call }) => {
    const { status, body } = await call('/_admin/state', { method: 'PUT', body: { users: [], settings: given } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: 'settings.seed', message: 'must be a string or a number' }])
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })
})

describe('PUT /_admin/state refuses times that no clock has, and replaces nothing', () => {
  const range = 'must be between the years 1000 and 9000'
  const documents: [document: object, path: string, message: string][] = [
    [{ settings: { now: 'never' } }, 'settings.now', 'must be an ISO 8601 date-time with Z or an offset'],
    [{ settings: { now: '9999-12-31T00:00:00Z' } }, 'settings.now', range],
    [{ settings: { now: 5 } }, 'settings.now', 'must be a string, not a number'],
    [{ settings: { now: '0000-01-01T00:00:00Z' } }, 'settings.now', range],
    [{ clock: { now: '9999-12-31T00:00:00Z' } }, 'clock.now', range],
    [{ clock: { frozen: false, offset: 1e16 } }, 'clock.offset', 'must be at most '],
    [{ clock: { frozen: false, offset: -1e16 } }, 'clock.offset', 'must be at least '],
    [{ clock: { frozen: false, offset: 1e300 } }, 'clock.offset', 'must be at most '],
  ]
  // Not stopped at a time that it was given, which would count more than the document's.
  test.override({ settings: { now: undefined } })

  test.for(documents)('%j', async ([document, path, message], { call }) => {
    const before = (await call('/_admin/clock')).text
    const body = { organizations: [], ...document }
    const { status, body: problem } = await call('/_admin/state', { method: 'PUT', body })
    expect(status).toBe(400)
    expect(problem.errors).toEqual([{ path, message: expect.stringContaining(message) }])
    expect((await call('/_admin/clock')).text).toBe(before)
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })

  test.for(['1000-01-01T00:00:00.000Z', '9000-01-01T00:00:00.000Z'])(
    'what a clock can come to is taken again: %s, going on',
    async (at, { call }) => {
      await call('/_admin/clock/freeze', { body: { at } })
      await call('/_admin/clock/resume', { method: 'POST' })
      const { body } = await call('/_admin/state')
      expect((await call('/_admin/state', { method: 'PUT', body })).status).toBe(200)
      expect((await call('/_admin/clock')).body.now.slice(0, 4)).toBe(at.slice(0, 4))
    },
  )
})

describe('texts of megabytes', () => {
  const half = 4_500_000
  const emails = [
    'a@'.padEnd(2 * half, 'b.'),
    'x'.repeat(2 * half),
    `${'a@b.'.repeat(half / 2)}test`,
    `${'a'.repeat(245)}@acme.test`,
  ]
  test.for(emails.map((email, index) => ({ email, index })))('email %$', async ({ email }, { call }) => {
    for (const [method, path] of [
      ['POST', '/_admin/users'],
      ['PUT', '/_admin/users/ada'],
    ] as const) {
      const { status, body } = await call(path, { method, body: { email } })
      expect(status).toBe(400)
      expect(body.errors).toEqual([{ path: 'email', message: 'must be an email address' }])
    }
  })

  test('one word in a message and in a path of a fault', async ({ call }) => {
    const word = 'x'.repeat(2 * half)
    expect((await call('/_admin/users/ada', { method: 'PUT', body: { [word]: 1 } })).status).toBe(400)
    const effect = { omit: ['a.'.repeat(half)] }
    const refused = await call('/_admin/faults', { body: { effect } })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ path: 'effect.omit.0', message: 'must have at most 1000 characters' }])
  })
})

describe('POST /_admin/fixtures', () => {
  test('adds a document and says what is new', async ({ call }) => {
    const document: FixtureDocument = {
      users: [{ id: 'neo', email: 'neo@neo.test' }],
      organizations: [
        { slug: 'neo', api_key: 'key_neo', members: [{ user: 'ada@acme.test' }], courses: [{ id: 'n1', name: 'One' }] },
      ],
      installations: [{ app: 'notes', organization: 'neo', credentials: { access_token: 'at_neo' } }],
    }
    const { status, body } = await call('/_admin/fixtures', { body: document })
    expect(status).toBe(201)
    expect(body.created).toMatchObject({ organizations: ['neo'], users: ['neo'], courses: ['n1'] })
    expect(ids(await call('/v0/courses', { as: 'key_neo' }))).toEqual(['n1'])
    expect(ids(await call('/v0/elements', { as: 'at_neo' }))).toEqual([])
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })

  test.for([
    ['slug', { organizations: [{ slug: 'acme' }] }],
    ['email', { users: [{ email: 'ADA@acme.test' }] }],
    ['id', { organizations: [{ slug: 'neo', courses: [{ id: 'course1', name: 'One' }] }] }],
    ['client id, as that of an app,', { apps: [{ client_id: 'notes', manifest: { ...manifest, id: 'other' } }] }],
    ['manifest id, as a client id,', { apps: [{ manifest: { ...manifest, id: 'app_notes' } }] }],
  ] as [string, FixtureDocument][])(
    '409 when the %s exists, and then nothing is added',
    async ([, document], { call }) => {
      const before = (await call('/_admin/state')).body
      const { status, body } = await call('/_admin/fixtures', { body: document })
      expect(status).toBe(409)
      expect(body.status).toBe(409)
      expect((await call('/_admin/state')).body).toEqual(before)
    },
  )
})

describe('fixtures "Checked whole": what is found by its secret', () => {
  test.for(['tokens', 'codes', 'sessions'] as const)('no two %s have the same one', async (collection, { call }) => {
    const { cookie } = (await call('/_admin/sessions', { body: { user: 'ada' } })).body
    const query = 'client_id=app_notes&response_type=code&scope=openid&state=s&prompt=none'
    const redirect_uri = encodeURIComponent('http://localhost:3000/callback')
    const headers = { cookie: `${cookie.name}=${cookie.value}` }
    await call(`/oauth/authorize?${query}&redirect_uri=${redirect_uri}`, { headers })
    const { body: state } = await call('/_admin/state')
    const [first] = state[collection]
    const twin = { ...first, id: 'twin', sequence: state.sequence.last + 1 }
    const twice = { ...state, [collection]: [...state[collection], twin] }
    const refused = await call('/_admin/state', { method: 'PUT', body: twice })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toMatchObject([{ path: `${collection}.${state[collection].length}.secret` }])
    const added = await call('/_admin/fixtures', { body: { [collection]: [twin] } })
    expect(added.status).toBe(409)
    expect(added.body.errors).toMatchObject([{ path: `${collection}.0.secret` }])
    expect(refused.text + added.text).not.toContain(first.secret)
  })
})

test('tokens and sessions of a document must belong to something', async ({ call }) => {
  await call('/_admin/sessions', { body: { user: 'ada' } })
  const { body: state } = await call('/_admin/state')
  const { status, body } = await call('/_admin/state', {
    method: 'PUT',
    body: {
      ...state,
      installations: [],
      users: state.users.filter(({ id }: { id: string }) => id !== 'zoe'),
      sessions: [{ ...state.sessions[0], user: 'ghost' }],
    },
  })
  expect(status).toBe(400)
  const paths = body.errors.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['tokens.0.installation', 'tokens.1.installation', 'sessions.0.user']))
})

test('a clash is told with its path, and a secret in it is not', async ({ call }) => {
  const taken = { access_token: 'at_acme', refresh_token: 'rt_acme' }
  const { status, body, text } = await call('/_admin/fixtures', {
    body: {
      organizations: [{ slug: 'acme' }, { slug: 'neo', api_key: 'key_acme' }],
      apps: acme.apps?.map(({ manifest }) => ({ manifest })) ?? [],
      installations: [{ app: 'notes', organization: 'zenith', credentials: taken }],
    },
  })
  expect(status).toBe(409)
  expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    'apps.0',
    'installations.0.credentials.access_token',
    'installations.0.credentials.refresh_token',
    'organizations.0.slug',
    'organizations.1.api_key',
  ])
  expect(text).not.toMatch(/key_acme|at_acme|rt_acme/)
})

test('what is not valid is told before a clash', async ({ call }) => {
  const organizations = [{ slug: 'acme' }, { slug: 'a b' }]
  const { status, body } = await call('/_admin/fixtures', { body: { organizations } })
  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['organizations.1.slug']])
})

describe('control-api "Journal": problem details show no secret', () => {
  test.for([
    ['an API key', 'key_acme', { organizations: [{ slug: 'neo', api_key: 'key_acme' }] }],
    [
      'a token',
      'at_acme',
      { installations: [{ app: 'notes', organization: 'zenith', credentials: { access_token: 'at_acme' } }] },
    ],
    ['an API key that is a token', 'at_acme', { organizations: [{ slug: 'neo', api_key: 'at_acme' }] }],
    [
      'a token that is an API key',
      'key_zenith',
      { installations: [{ app: 'notes', organization: 'zenith', credentials: { refresh_token: 'key_zenith' } }] },
    ],
    [
      'a key given twice',
      'key_neo',
      {
        organizations: [
          { slug: 'neo', api_key: 'key_neo' },
          { slug: 'leo', api_key: 'key_neo' },
        ],
      },
    ],
  ] as [string, string, FixtureDocument][])('%s that exists already', async ([, secret, document], { call }) => {
    const { status, body, text } = await call('/_admin/fixtures', { body: document })
    expect([400, 409]).toContain(status)
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0].path).toMatch(/api_key|(access|refresh)_token/)
    expect(text).not.toContain(secret)
  })
})

describe('POST /_admin/reset', () => {
  test('goes back to the world at start: records, clock, faults and journal', async ({ call }) => {
    const before = (await call('/_admin/state')).body
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    await call('/_admin/organizations/zenith', { method: 'DELETE' })
    await call('/_admin/clock/advance', { body: { by: '2h' } })
    await call('/_admin/faults', { body: { match: { path: '/v0/courses' }, effect: 'unavailable' } })
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(503)

    expect((await call('/_admin/reset', { method: 'POST' })).status).toBe(200)
    expect((await call('/_admin/state')).body).toEqual(before)
    expect((await call('/_admin/requests')).body.data).toEqual([])
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })

  test('the same calls after a reset draw the same ids', async ({ call }) => {
    const user = () => call('/_admin/users', { body: { email: 'new@acme.test' } })
    const first = await user()
    await call('/_admin/reset', { method: 'POST' })
    expect((await user()).body).toEqual(first.body)
  })
})

describe('snapshots', () => {
  test('can be gone to in any order, also forward, and survive a reset', async ({ call }) => {
    const add = (slug: string) => call('/_admin/organizations', { body: { slug, name: slug } })
    const slugs = async () =>
      (await call('/_admin/organizations')).body.data.map(({ slug }: { slug: string }) => slug).slice(2)
    const snapshot = (name: string) => call('/_admin/snapshots', { body: { name } })
    const restore = (name: string) => call(`/_admin/snapshots/${name}/restore`, { method: 'POST' })

    await add('one')
    expect(await snapshot('a')).toMatchObject({ status: 201, body: { name: 'a', changes: 0 } })
    await add('two')
    await snapshot('b')
    await call('/_admin/organizations/one', { method: 'DELETE' })
    await add('three')
    expect((await call('/_admin/snapshots')).body.data).toMatchObject([
      { name: 'a', changes: 3 },
      { name: 'b', changes: 2 },
    ])

    expect((await restore('a')).status).toBe(200)
    expect(await slugs()).toEqual(['one'])
    await restore('b')
    expect(await slugs()).toEqual(['one', 'two'])
    await call('/_admin/reset', { method: 'POST' })
    expect(await slugs()).toEqual([])
    await restore('b')
    expect(await slugs()).toEqual(['one', 'two'])

    await add('four')
    expect((await snapshot('a')).status).toBe(201)
    await restore('b')
    await restore('a')
    expect(await slugs()).toEqual(['one', 'two', 'four'])

    expect((await call('/_admin/snapshots/a', { method: 'DELETE' })).body).toMatchObject({ name: 'a' })
    const gone = await restore('a')
    expect(gone.status).toBe(404)
    expect(gone.body.detail).toContain('there are: b')
  })

  test('need a name, and nothing else', async ({ call }) => {
    expect((await call('/_admin/snapshots', { body: {} })).body.errors).toMatchObject([{ path: 'name' }])
    expect((await call('/_admin/snapshots', { body: { name: 'a', nmae: 1 } })).body.errors).toMatchObject([
      { path: 'nmae' },
    ])
    for (const name of ['.', '..']) {
      const errors = [{ path: 'name', message: 'must not be "." or "..", which no path can name' }]
      expect((await call('/_admin/snapshots', { body: { name } })).body.errors).toEqual(errors)
    }
    const errors = [{ path: 'name', message: 'must be well-formed Unicode, since a path names it' }]
    expect((await call('/_admin/snapshots', { body: { name: '\ud800' } })).body.errors).toEqual(errors)
    expect((await call('/_admin/snapshots', { body: { name: '\ud83d\ude00' } })).status).toBe(201)
  })
})

describe('an emulator is a value', () => {
  test('fifty in one process do not see each other', async () => {
    const emulators = await Promise.all(Array.from({ length: 50 }, () => startEmulator({ fixtures: acme })))
    await Promise.all(
      emulators.map(({ url }, index) =>
        send(`${url}/_admin/organizations`, { body: { slug: `own${index}`, name: 'Own' } }),
      ),
    )
    for (const [index, { url }] of emulators.entries()) {
      const { body } = await send(`${url}/_admin/organizations`)
      expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(['acme', 'zenith', `own${index}`])
    }
    await Promise.all(emulators.map((emulator) => emulator.close()))
  })

  test('two with one seed give the same ids and secrets for the same calls', async () => {
    const run = async () => {
      const emulator = await startEmulator({ fixtures: acme, seed: 'same', now: '2026-01-01T00:00:00Z' })
      const key = await send(`${emulator.url}/_admin/organizations/acme/api-key`, { method: 'POST' })
      const { body } = await send(`${emulator.url}/_admin/state`)
      await emulator.close()
      return { key: key.body, body }
    }
    expect(await run()).toEqual(await run())
  })
})
