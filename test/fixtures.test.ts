import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FixtureDocument, startEmulator } from 'mockademy'
import { describe, expect, onTestFinished } from 'vitest'
import { send, test } from './emulator-test.js'
import { acme } from './worlds/acme.js'

/** The faults of documents that must not start: `path message`, in the order in which they are told. */
async function faultsOf(...documents: unknown[]): Promise<string[]> {
  const started = await startEmulator({ fixtures: documents as FixtureDocument[] }).catch((error: unknown) => error)
  if (started instanceof Error && 'details' in started) {
    return (started.details as { path: string; message: string }[]).map(({ path, message }) => `${path} ${message}`)
  }
  throw new Error('The documents were let through')
}

const organization = (more: object): FixtureDocument => ({ organizations: [{ slug: 'acme', api_key: 'key', ...more }] })
const elements = (...list: object[]): FixtureDocument =>
  organization({ courses: [{ id: 'c', name: 'C', modules: [{ id: 'm', name: 'M', elements: list }] }] })
const manifest = { id: 'notes', name: 'Notes', version: '1.0.0', permissions: [] }

async function started(fixtures: FixtureDocument | FixtureDocument[]) {
  const emulator = await startEmulator({ fixtures, seed: 'fixtures' })
  onTestFinished(() => emulator.close())
  return (path: string, as = 'key') => send(emulator.url + path, { as })
}

describe('fixtures "References"', () => {
  test('a user by id or email, an app by manifest id or client id', async () => {
    const call = await started({
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      organizations: [{ slug: 'acme', api_key: 'key', members: [{ user: 'ADA@acme.test', role: 'owner' }] }],
      apps: [{ client_id: 'app_1', manifest }],
      installations: [{ app: 'app_1', organization: 'acme', installer: 'ada' }],
    })
    expect((await call('/v0/members')).body.payload.data).toMatchObject([{ id: 'ada' }])
    expect((await call('/_admin/installations')).body.data).toMatchObject([{ app: 'notes', installer: 'ada' }])
  })

  test('an element may refer to one that comes later', async () => {
    const call = await started(
      elements(
        { id: 'review', type: 'PEER_REVIEW', name: 'Review', properties: { source: { id: 'essay' } } },
        { id: 'essay', type: 'SUBMISSION', name: 'Essay' },
      ),
    )
    expect((await call('/v0/elements/review')).body.payload.properties.source).toEqual({
      type: 'SUBMISSION',
      id: 'essay',
      name: 'Essay',
    })
  })

  test.for([
    [organization({ members: [{ user: 'ghost@acme.test' }] }), 'organizations.0.members.0.user there is no user'],
    [
      { ...organization({}), installations: [{ app: 'no', organization: 'acme' }] },
      'installations.0.app there is no app "no"',
    ],
    [
      { apps: [{ manifest }], installations: [{ app: 'notes', organization: 'no' }] },
      'installations.0.organization there is no organization "no"',
    ],
    [
      {
        apps: [{ manifest }],
        ...organization({}),
        installations: [{ app: 'notes', organization: 'acme', version: '2.0.0' }],
      },
      'installations.0.version the app has no version "2.0.0"; it has: 1.0.0',
    ],
    [
      elements({ type: 'SUBMISSION', name: 'E', activities: [{ member: 'ghost' }] }),
      'organizations.0.courses.0.modules.0.elements.0.activities.0.member there is no user "ghost"',
    ],
    [
      elements({ type: 'PEER_REVIEW', name: 'R', properties: { source: { id: 'nothing' } } }),
      'organizations.0.courses.0.modules.0.elements.0.properties.source',
    ],
  ] as [FixtureDocument, string][])('what is not there is a fault: %#', async ([document, fault]) => {
    expect(await faultsOf(document)).toEqual([expect.stringContaining(fault)])
  })
})

describe('fixtures "Ids" and "Times"', () => {
  test('ids are generated where they are left out, array order is position order', async () => {
    const call = await started(elements({ type: 'CONTENT', name: 'A' }, { type: 'CONTENT', name: 'B' }))
    const { data } = (await call('/v0/elements')).body.payload
    expect(data.map(({ name, position }: { name: string; position: number }) => [name, position])).toEqual([
      ['B', 1],
      ['A', 0],
    ])
    for (const { id } of data) expect(id).toMatch(/^[A-Za-z0-9]{16}$/)
  })

  test('generated times end at the moment of loading, one millisecond apart in document order', async () => {
    const call = await started(elements({ type: 'CONTENT', name: 'A' }, { type: 'CONTENT', name: 'B' }))
    const { data } = (await call('/v0/elements')).body.payload
    expect(data.map(({ created_at }: { created_at: string }) => created_at)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2025-12-31T23:59:59.999Z',
    ])
  })

  test("the document's own clock and lifetimes are in force while it is loaded", async () => {
    const call = await started({
      ...acme,
      settings: { access_token_ttl: '5m' },
      clock: { frozen: true, now: '2020-01-01T00:00:00.000Z' },
    })
    expect((await call('/v0/elements/page', 'key_acme')).body.payload.created_at).toMatch(/^2019-12-31T23:59:59/)
    expect((await call('/_admin/tokens')).body.data).toMatchObject([
      { issued_at: '2020-01-01T00:00:00.000Z', expires_at: '2020-01-01T00:05:00.000Z' },
      { expires_at: '2020-01-31T00:00:00.000Z' },
    ])
  })

  test('a time that is given is kept', async () => {
    const call = await started(
      elements({ id: 'e', type: 'CONTENT', name: 'A', created_at: '2020-02-03T04:05:06+01:00' }),
    )
    expect((await call('/v0/elements/e')).body.payload.created_at).toBe('2020-02-03T03:05:06.000Z')
  })

  test.for(['', 'a b', 'ä', 'x'.repeat(65)])('the id "%s" is refused', async (id) => {
    expect(await faultsOf(elements({ id, type: 'CONTENT', name: 'A' }))).toEqual([
      expect.stringContaining('elements.0.id must be 1 to 64'),
    ])
  })
})

describe('fixtures "Installations"', () => {
  test('exist from the start, with tokens that are minted or taken from credentials, and no webhook', async () => {
    const call = await started(acme)
    expect((await call('/v0/elements', 'at_acme')).status).toBe(200)
    expect((await call('/_admin/tokens')).body.data).toMatchObject([
      { kind: 'access', grant: 'install', last_four: 'acme', state: 'active' },
      { kind: 'refresh', expires_at: '2026-01-31T00:00:00.000Z' },
    ])
    expect((await call('/_admin/deliveries')).body.data).toEqual([])
  })

  test.for([
    ['installer', { announce: true }, 'is needed with announce'],
    ['credentials', { credentials: { access_token: 'at' } }, 'it declares no oauth.install'],
  ] as const)('what cannot be is a fault: %s', async ([field, more, message]) => {
    const document = {
      ...organization({}),
      apps: [{ manifest: { ...manifest, webhook: { url: 'http://localhost:3000' } } }],
      installations: [{ app: 'notes', organization: 'acme', ...more }],
    }
    expect(await faultsOf(document)).toEqual([expect.stringMatching(`^installations\\.0\\.${field} .*${message}`)])
  })

  test('several versions of an app, oldest first', async () => {
    const call = await started({
      ...organization({}),
      apps: [{ versions: [manifest, { ...manifest, version: '1.1.0' }] }],
      installations: [{ app: 'notes', organization: 'acme', version: '1.0.0' }],
    })
    const app = (await call('/_admin/apps/notes')).body
    expect(app.versions.map(({ version }: { version: string }) => version)).toEqual(['1.0.0', '1.1.0'])
    expect((await call('/_admin/installations')).body.data).toMatchObject([{ version: '1.0.0' }])
  })
})

describe('fixtures "Fields"', () => {
  test('any key of metadata and custom_fields is data, also when the world is exported and loaded', async () => {
    const odd = (text: string) => JSON.parse(`{"__proto__":"${text}","constructor":"c","toString":"t"}`)
    const member = { user: 'ada', custom_fields: odd('member') }
    const course = { id: 'c', name: 'C', metadata: odd('course'), custom_fields: odd('field'), members: [member] }
    const call = await started({
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      ...organization({
        members: [{ user: 'ada' }],
        courses: [{ ...course, modules: [{ id: 'm', name: 'M', metadata: odd('module') }] }],
      }),
    })
    const again = await started((await call('/_admin/state')).body)
    for (const ask of [call, again]) {
      const { metadata, custom_fields } = (await ask('/v0/courses/c')).body.payload
      expect([metadata, custom_fields].map((value) => JSON.stringify(value))).toEqual(
        ['course', 'field'].map((text) => JSON.stringify(odd(text))),
      )
      expect((await ask('/v0/modules/m')).text).toContain(JSON.stringify(odd('module')))
      expect((await ask('/v0/courses/c/members/ada')).text).toContain(JSON.stringify(odd('member')))
    }
  })
})

describe('fixtures "Checked whole"', () => {
  test('every fault is listed, each with its path', async () => {
    expect(
      await faultsOf({
        settings: { page_size: 0, pagesize: 1 },
        users: [{ email: 'nobody', emial: 'x' }],
        organizations: [{ slug: 'acme', members: [{ user: 'ghost@acme.test' }] }],
        apps: [{ manifest: { ...manifest, oauth: { install: true } } }],
      }),
    ).toEqual([
      expect.stringMatching(/^settings\.page_size /),
      expect.stringMatching(/^settings\.pagesize /),
      'users.0.emial is not a known field; did you mean "email"?',
      'users.0.email must be an email address',
      'organizations.0.members.0.user there is no user "ghost@acme.test"',
      expect.stringMatching(/^apps\.0\.manifest\.(webhook|permissions) /),
      expect.stringMatching(/^apps\.0\.manifest\.(webhook|permissions) /),
    ])
  })

  test('a field that is missing hides no fault of what stands below and beside it', async () => {
    const quiz = { type: 'QUIZ', properties: { passing_score: 101 }, activities: [{}, { member: 'ghost' }] }
    const faults = await faultsOf({
      users: [{ first_name: 'Ada' }, { email: 'nobody' }],
      organizations: [{ name: 'Acme', courses: [{ name: '', members: [5], modules: [{ elements: [quiz] }] }] }],
      apps: [{}],
      installations: [{ organization: 'nowhere' }],
    })
    const element = 'organizations.0.courses.0.modules.0.elements.0'
    expect(faults.toSorted()).toEqual(
      [
        'users.0.email is required: a string',
        'users.1.email must be an email address',
        'organizations.0.slug is required: a string',
        'organizations.0.courses.0.name must not be empty',
        'organizations.0.courses.0.members.0 must be a user, or { user, joined_at, custom_fields }',
        'organizations.0.courses.0.modules.0.name is required: a string',
        `${element}.name is required: a value`,
        `${element}.properties.passing_score must be at most 100`,
        `${element}.activities.0.member exactly one of member and members must be given`,
        `${element}.activities.1.member there is no user "ghost"`,
        'apps.0.manifest exactly one of manifest and versions must be given',
        'installations.0.app is required: a string',
        'installations.0.organization there is no organization "nowhere"',
      ].toSorted(),
    )
  })

  test('an injected fault and a forced outcome that do not exist are no part of a world', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'webhook' }, effect: 'drop' } })
    await call('/_admin/faults', { body: { match: { method: 'get' }, effect: { status: 503, delay: '1s' } } })
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'login_required' } })
    const state = (await call('/_admin/state')).body
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)

    state.faults[0].effect = 'rate_limited'
    state.faults[1].match.surfaces = 'api'
    state.silent_auth[0].outcome = 'nonsense'
    const { status, body } = await call('/_admin/state', { method: 'PUT', body: state })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'faults.0.effect',
      'faults.1.match.surfaces',
      'silent_auth.0.outcome',
    ])
  })

  test('no two tokens have one secret', async ({ call }) => {
    const state = (await call('/_admin/state')).body
    state.tokens[1].secret = state.tokens[0].secret
    const { body } = await call('/_admin/state', { method: 'PUT', body: state })
    expect(body.errors).toEqual([
      { path: 'tokens.1.secret', message: 'the token is given twice; it is also at tokens.0.secret' },
    ])
  })

  test('what is given twice is named as the document names it, and a secret is not told', async () => {
    const organizations = ['acme', 'acme', 'zenith'].map((slug) => ({ slug, api_key: `key_of_${slug}` }))
    const faults = await faultsOf({
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      organizations: [
        ...organizations,
        { slug: 'last', api_key: 'key_of_zenith', members: [{ user: 'ada' }, { user: 'ada@acme.test' }] },
      ],
    })
    expect(faults).toEqual([
      'organizations.1.api_key the API key is given twice; it is also at organizations.0.api_key',
      'organizations.1.slug the slug "acme" is given twice; it is also at organizations.0.slug',
      'organizations.3.api_key the API key is given twice; it is also at organizations.2.api_key',
      'organizations.3.members.1 the membership "last/ada" is given twice; it is also at organizations.3.members.0',
    ])
  })

  test.for([
    ['nothing', null],
    ['a list', []],
    ['text', 'world'],
    ['a number', 7],
    ['deep nonsense', { organizations: [{ slug: 'a', courses: [{ modules: [{ elements: [null] }] }] }] }],
  ] as const)('%s is refused in words', async ([, document]) => {
    expect((await faultsOf(document)).length).toBeGreaterThan(0)
  })
})

describe('given several files', () => {
  test('they add up in order, and may refer to each other', async () => {
    const call = await started([
      { users: [{ email: 'ada@acme.test' }] },
      organization({ members: [{ user: 'ada@acme.test' }] }),
    ])
    expect((await call('/v0/members')).body.payload.data).toMatchObject([{ email: 'ada@acme.test' }])
  })

  test('the same slug, email or id in two is a fault that names both', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mockademy-fixtures-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = ['a.json', 'b.json'].map((name) => join(folder, name))
    const document = {
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      organizations: [{ slug: 'acme', courses: [{ id: 'c', name: 'C' }] }],
    }
    for (const file of files) writeFileSync(file, JSON.stringify(document))
    const faults = await faultsOf(...files)
    for (const what of ['ada@acme.test', '"ada"', '"acme"', '"c"']) {
      const fault = faults.find((text) => text.includes(what))
      expect(fault).toContain(files[0])
      expect(fault).toContain(files[1])
    }
  })

  test('a file that is not there, or not JSON, is named with its line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mockademy-fixtures-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, '{\n  "users": [\n    {,}\n  ]\n}')
    expect(await faultsOf(broken, join(folder, 'missing.json'))).toEqual([
      `${broken} line 3: is not valid JSON`,
      expect.stringContaining('missing.json'),
    ])
  })
})
