import { describe, expect } from 'vitest'
import { notesManifest, test } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

describe('spec §3: an organization installs the app', () => {
  test('answers 201 with installation, delivery, redirect URL and credentials', async ({ install, app }) => {
    const { status, body } = await install({ installer: 'ada@acme.test' })
    expect(status).toBe(201)
    expect(Object.keys(body).toSorted()).toEqual(['credentials', 'delivery', 'installation', 'redirect_url'])
    expect(body.installation).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      app: 'notes',
      organization: 'acme',
      version: '1.0.0',
      installer: 'ada',
      state: 'installed',
      scope: 'elements:read courses:read',
      installed_at: '2026-01-01T00:00:00.000Z',
      ended_at: null,
    })
    expect(body.redirect_url).toBe('https://notes.test/setup?organization=acme')
    expect(body.credentials).toEqual({
      client_id: 'app_notes',
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      expires_at: '2026-01-01T01:00:00.000Z',
      scope: 'elements:read courses:read',
    })
    expect(app.received()[0]?.body.data.credentials).toEqual(body.credentials)
  })

  test('the installer defaults to the first owner of the organization', async ({ install }) => {
    expect((await install()).body.installation.installer).toBe('ada')
  })

  test('an organization without an owner needs an installer', async ({ call, install }) => {
    await call('/_admin/organizations', { body: { slug: 'empty', name: 'Empty' } })
    const refused = await install({ organization: 'empty' })
    expect(refused.status).toBe(400)
    const message = 'is required: empty has no owner to default to'
    expect(refused.body.errors).toEqual([{ path: 'installer', message }])
    const stranger = await install({ organization: 'empty', installer: 'zoe' })
    expect(stranger.status).toBe(400)
    expect(stranger.body.errors).toEqual([{ path: 'installer', message: 'must be an owner or an admin of empty' }])
    await call('/_admin/organizations/empty/members/zoe', { method: 'PUT', body: { role: 'admin' } })
    expect((await install({ organization: 'empty', installer: 'zoe' })).status).toBe(201)
  })

  test('a second install is a conflict, and mints nothing', async ({ call, install, app }) => {
    const { id } = (await install()).body.installation
    const { status, body } = await install()
    expect([status, body.status]).toEqual([409, 409])
    expect(body.detail).toBe(`notes is already installed in acme (installation ${id})`)
    expect(app.received()).toHaveLength(1)
    expect((await call('/_admin/installations')).body.data).toHaveLength(1)
  })

  test('of two installs at once one wins', async ({ install, app }) => {
    const answers = await Promise.all([install(), install()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(app.received()).toHaveLength(1)
  })

  test('names that do not exist are 404, saying which exist', async ({ install }) => {
    const cases: [object, string][] = [
      [{ app: 'nope' }, 'notes'],
      [{ organization: 'nope' }, 'zenith'],
      [{ installer: 'nope' }, 'bob@acme.test'],
      [{ version: '9.9.9' }, '1.0.0'],
    ]
    for (const [body, existing] of cases) {
      const refused = await install(body)
      expect(refused.status).toBe(404)
      expect(refused.body.detail).toContain(existing)
    }
  })

  test('a bad body is 400, naming each fault', async ({ call }) => {
    const { status, body } = await call('/_admin/installations', { body: { organisation: 'acme', announce: 'no' } })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'announce',
      'app',
      'organisation',
      'organization',
    ])
    expect((await call('/_admin/installations', { method: 'POST' })).status).toBe(400)
  })

  test('a named version is installed instead of the newest', async ({ install, push, app }) => {
    await push({ version: '2.0.0', name: 'Notes Two' })
    expect((await install({ version: '1.0.0' })).body.installation.version).toBe('1.0.0')
    expect((await install({ organization: 'zenith' })).body.installation.version).toBe('2.0.0')
    expect(app.received().map(({ body }) => body.data.app)).toEqual([
      { id: 'notes', name: 'Notes', version: '1.0.0' },
      { id: 'notes', name: 'Notes Two', version: '2.0.0' },
    ])
  })

  test('announce false sends no webhook, and mints tokens all the same', async ({ install, app, reads }) => {
    const { body } = await install({ announce: false })
    expect(body.delivery).toBeNull()
    expect(app.received()).toEqual([])
    expect(await reads(body.credentials.access_token)).toBe(200)
  })

  test('a permission that is asked for twice is one scope', async ({ install, push }) => {
    await push({ permissions: ['courses:read', 'openid', { permission: 'courses:read', purpose: 'Again' }] })
    const { installation, credentials } = (await install()).body
    expect([installation.scope, credentials.scope]).toEqual(['courses:read', 'courses:read'])
  })

  test('without oauth.install there are no credentials, and the installer block is there', async ({
    install,
    push,
    app,
  }) => {
    await push({ oauth: undefined })
    const { body } = await install()
    expect(body.credentials).toBeNull()
    expect(body.installation.scope).toBe('')
    expect(app.received()[0]?.body.data).toEqual({
      organization: { id: 'acme', name: 'Acme Corp' },
      app: { id: 'notes', name: 'Notes', version: '1.0.0' },
      installer: { id: 'ada', email: 'ada@acme.test', full_name: 'Ada Owner' },
    })
  })

  test('without a webhook there is no delivery; without a post_install_action no redirect', async ({
    install,
    push,
  }) => {
    await push({ webhook: undefined, oauth: undefined, post_install_action: undefined })
    expect((await install()).body).toMatchObject({ delivery: null, redirect_url: null, credentials: null })
  })

  const redirects: [string, string][] = [
    ['https://notes.test/setup?plan=a%20b&x', 'https://notes.test/setup?plan=a%20b&x&organization=acme'],
    ['https://notes.test/setup?', 'https://notes.test/setup?organization=acme'],
    ['https://notes.test/setup?x&', 'https://notes.test/setup?x&organization=acme'],
    ['https://notes.test/app#/setup', 'https://notes.test/app?organization=acme#/setup'],
  ]
  for (const [url, expected] of redirects) {
    test(`the organization is added to the query of ${url}`, async ({ install, push }) => {
      await push({ post_install_action: { url } })
      expect((await install()).body.redirect_url).toBe(expected)
    })
  }

  test('the lists filter by app, organization and state', async ({ call, install, uninstall }) => {
    const one = (await install()).body.installation
    const two = (await install({ organization: 'zenith' })).body.installation
    await uninstall(one.id)
    const ids = async (query: string) =>
      (await call(`/_admin/installations${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([one.id, two.id])
    expect(await ids('?app=notes')).toEqual([one.id, two.id])
    expect(await ids('?app=app_notes&state=installed')).toEqual([two.id])
    expect(await ids('?organization=acme')).toEqual([one.id])
    expect(await ids('?organization=zenith&state=uninstalled')).toEqual([])
    expect((await call('/_admin/installations?organization=acme&app=other')).status).toBe(404)
    expect((await call('/_admin/installations?state=gone')).status).toBe(400)
    expect((await call('/_admin/installations?org=acme')).status).toBe(400)
    expect((await call(`/_admin/installations/${two.id}`)).body).toEqual(two)
    expect((await call('/_admin/installations/nope')).status).toBe(404)
  })
})

describe('spec §3: an organization uninstalls the app', () => {
  test('while app.installed is under way: the answer to the install says so', async ({
    app,
    call,
    install,
    uninstall,
  }) => {
    let uninstalling: Promise<unknown> | undefined
    app.handles(async ({ body }, response) => {
      uninstalling ??= uninstall(body.installation_id)
      const installation = async () => (await call(`/_admin/installations/${body.installation_id}`)).body.state
      await expect.poll(installation).not.toBe('installed')
      response.writeHead(200).end()
    })
    expect((await install()).body.installation.state).toMatch(/^uninstall/)
    await uninstalling
  })

  test('the webhook is sent while the tokens work; they end right after', async ({
    install,
    uninstall,
    app,
    reads,
    emulator,
  }) => {
    const { body } = await install()
    const { access_token } = body.credentials
    const during: number[] = []
    app.handles(async (_, response) => {
      during.push(await reads(access_token))
      during.push((await fetch(`${emulator.url}/_admin/installations/${body.installation.id}`)).status)
      response.writeHead(200).end()
    })
    const gone = await uninstall(body.installation.id)
    expect(gone.status).toBe(200)
    expect(gone.body.installation).toMatchObject({ state: 'uninstalled', ended_at: '2026-01-01T00:00:00.000Z' })
    expect(gone.body.delivery).toMatchObject({ state: 'acknowledged', event: { type: 'app.uninstalled' } })
    expect(during).toEqual([200, 200])
    expect(await reads(access_token)).toBe(401)
    expect(app.received('app.uninstalled')[0]?.body.data).toEqual({
      organization: { id: 'acme', name: 'Acme Corp' },
      app: { id: 'notes', name: 'Notes', version: '1.0.0' },
    })
  })

  test('a second uninstall, an upgrade and an install meanwhile are conflicts', async ({
    install,
    uninstall,
    upgrade,
    push,
    app,
    call,
  }) => {
    const { id } = (await install()).body.installation
    await push({ version: '2.0.0' })
    const answers: unknown[] = []
    app.handles(async (_, response) => {
      answers.push((await call(`/_admin/installations/${id}`)).body.state)
      for (const { status, body } of [await uninstall(id), await upgrade(id), await install()])
        answers.push([status, body.detail])
      response.writeHead(200).end()
    })
    expect((await uninstall(id)).status).toBe(200)
    expect(answers).toEqual([
      'uninstalling',
      [409, `The installation ${id} is being uninstalled`],
      [409, `The installation ${id} is being uninstalled`],
      [409, `notes is being uninstalled from acme (installation ${id})`],
    ])
    expect(app.received('app.uninstalled')).toHaveLength(1)
  })

  test('once uninstalled, uninstalling and upgrading it are conflicts, and a reinstall gets new tokens', async ({
    install,
    uninstall,
    upgrade,
    reads,
  }) => {
    const first = (await install()).body
    await uninstall(first.installation.id)
    for (const { status, body } of [await uninstall(first.installation.id), await upgrade(first.installation.id)])
      expect([status, body.detail]).toEqual([409, `The installation ${first.installation.id} was uninstalled`])
    const second = (await install()).body
    expect(second.installation.id).not.toBe(first.installation.id)
    expect(await reads(second.credentials.access_token)).toBe(200)
    expect(await reads(first.credentials.access_token)).toBe(401)
  })

  test('tokens that are refreshed from inside the handler end as well', async ({
    install,
    uninstall,
    app,
    reads,
    call,
  }) => {
    const { installation, credentials } = (await install()).body
    const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const refresh = (refresh_token: string) =>
      call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token, ...client } })
    const fresh: { access_token: string; refresh_token: string }[] = []
    const statuses: number[] = []
    app.handles(async (_, response) => {
      const { status, body } = await refresh(credentials.refresh_token)
      fresh.push(body)
      statuses.push(status, await reads(body.access_token))
      response.writeHead(200).end()
    })
    await uninstall(installation.id)
    expect(statuses).toEqual([200, 200])
    const [pair] = fresh
    expect(await reads(String(pair?.access_token))).toBe(401)
    expect(await refresh(String(pair?.refresh_token))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a failed attempt revokes the tokens too, and the retries go on afterwards', async ({
    install,
    uninstall,
    app,
    reads,
    advance,
    call,
  }) => {
    const { body } = await install()
    app.answers(500)
    const gone = (await uninstall(body.installation.id)).body
    expect(gone.installation.state).toBe('uninstalled')
    expect(gone.delivery.state).toBe('retrying')
    expect(await reads(body.credentials.access_token)).toBe(401)
    app.answers(200)
    await advance('10s')
    expect(app.received('app.uninstalled')).toHaveLength(2)
    expect((await call(`/_admin/installations/${body.installation.id}`)).body).toEqual(gone.installation)
  })

  test('without a webhook it is uninstalled at once', async ({ install, uninstall, push }) => {
    await push({ webhook: undefined, oauth: undefined })
    const { id } = (await install()).body.installation
    expect((await uninstall(id)).body).toMatchObject({ delivery: null, installation: { state: 'uninstalled' } })
  })
})

describe('spec §3, §9: the app is upgraded to a new version', () => {
  test('old tokens are revoked, and a fresh app.installed brings new ones with the new scopes', async ({
    install,
    upgrade,
    push,
    app,
    reads,
    call,
  }) => {
    const old = (await install()).body
    await push({ version: '2.0.0', permissions: ['courses:read', 'members:read', 'openid'] })
    expect(await reads(old.credentials.access_token)).toBe(200)
    const { status, body } = await upgrade(old.installation.id)
    expect(status).toBe(201)
    expect(body.installation).toMatchObject({
      version: '2.0.0',
      state: 'installed',
      scope: 'courses:read members:read',
      installer: 'ada',
    })
    expect(body.installation.id).not.toBe(old.installation.id)
    expect(body.redirect_url).toBe('https://notes.test/setup?organization=acme')
    expect((await call(`/_admin/installations/${old.installation.id}`)).body).toMatchObject({
      state: 'upgraded',
      ended_at: '2026-01-01T00:00:00.000Z',
    })
    expect(await reads(old.credentials.access_token)).toBe(401)
    const { access_token } = body.credentials
    expect(await reads(access_token)).toBe(200)
    expect((await call('/v0/elements', { as: access_token })).status).toBe(403)
    expect(app.types()).toEqual(['app.installed', 'app.installed'])
    expect(app.received()[1]?.body).toMatchObject({
      installation_id: body.installation.id,
      data: { app: { version: '2.0.0' }, credentials: body.credentials },
    })
  })

  test("users' tokens end with the installation that they were granted through", async ({
    install,
    upgrade,
    uninstall,
    push,
    call,
    reads,
  }) => {
    const userToken = async (): Promise<string> => {
      const body = { app: 'notes', organization: 'acme', user: 'bob' }
      return (await call('/_admin/tokens', { body })).body.access_token
    }
    const { id } = (await install()).body.installation
    const first = await userToken()
    expect(await reads(first)).toBe(403)
    await push({ version: '2.0.0' })
    const next = (await upgrade(id)).body.installation
    expect(await reads(first)).toBe(401)
    const second = await userToken()
    expect(await reads(second)).toBe(403)
    await uninstall(next.id)
    expect(await reads(second)).toBe(401)
  })

  test('the version that is installed is a conflict; one that was never pushed is 404', async ({
    install,
    upgrade,
  }) => {
    const { id } = (await install()).body.installation
    expect((await upgrade(id)).status).toBe(409)
    expect((await upgrade(id, { version: '1.0.0' })).status).toBe(409)
    expect((await upgrade(id, { version: '3.0.0' })).status).toBe(404)
    expect((await upgrade('nope')).status).toBe(404)
    expect((await upgrade(id, { versoin: '3.0.0' })).status).toBe(400)
  })

  test('upgrading an installation that was upgraded is a conflict', async ({ install, upgrade, push }) => {
    const { id } = (await install()).body.installation
    await push({ version: '2.0.0' })
    await upgrade(id)
    await push({ version: '3.0.0' })
    expect((await upgrade(id)).status).toBe(409)
  })

  test('app.installed always has an installer: the first owner, or else the upgrade is a conflict', async ({
    call,
    upgrade,
    push,
    app,
  }) => {
    const installations = [{ id: 'i1', app: 'notes', organization: 'empty' }]
    await call('/_admin/fixtures', { body: { organizations: [{ slug: 'empty' }], installations } })
    await push({ version: '2.0.0' })
    const { status, body } = await upgrade('i1')
    const detail = 'The installation i1 has no installer who is an owner or admin, and empty has no owner to default to'
    expect([status, body.detail]).toEqual([409, detail])
    expect((await call('/_admin/installations/i1')).body.state).toBe('installed')

    await call('/_admin/organizations/empty/members/zoe', { method: 'PUT', body: { role: 'owner' } })
    expect((await upgrade('i1')).body.installation.installer).toBe('zoe')
    const installer = { id: 'zoe', email: 'zoe@zenith.test', full_name: 'Zoe Owner' }
    expect(app.received().map(({ body }) => body.data.installer)).toEqual([installer])
  })

  test.for([
    ['has left the organization', 'DELETE', undefined],
    ['has become a learner', 'PUT', { role: 'learner' }],
  ] as const)(
    'an installer who %s is replaced by the first owner',
    async ([, method, body], { call, install, upgrade, push, app }) => {
      const member = '/_admin/organizations/acme/members/bob'
      await call(member, { method: 'PUT', body: { role: 'admin' } })
      const { id } = (await install({ installer: 'bob' })).body.installation
      await call(member, { method, body })
      await push({ version: '2.0.0' })
      expect((await upgrade(id)).body.installation.installer).toBe('ada')
      expect(app.received().map(({ body }) => body.data.installer.id)).toEqual(['bob', 'ada'])
    },
  )

  test('the new version is told at its own webhook URL', async ({ install, upgrade, push, app }) => {
    const { id } = (await install()).body.installation
    await push({ version: '2.0.0', webhook: { url: `${app.url}/two` } })
    await upgrade(id)
    expect(app.received().map(({ path }) => path)).toEqual(['/webhook', '/webhook/two'])
  })

  test('when the webhook block was dropped nobody is told; the tokens end all the same', async ({
    install,
    upgrade,
    push,
    app,
    reads,
  }) => {
    const old = (await install()).body
    await push({ version: '2.0.0', webhook: undefined, oauth: undefined })
    const { body } = await upgrade(old.installation.id)
    expect(body).toMatchObject({ delivery: null, credentials: null, installation: { scope: '' } })
    expect(await reads(old.credentials.access_token)).toBe(401)
    expect(app.received()).toHaveLength(1)
  })

  test('when oauth.install was dropped the webhook brings no credentials', async ({ install, upgrade, push, app }) => {
    const { id } = (await install()).body.installation
    await push({ version: '2.0.0', oauth: undefined })
    expect((await upgrade(id)).body.credentials).toBeNull()
    expect(app.received()[1]?.body.data).not.toHaveProperty('credentials')
  })

  test('re-pushing the same version leaves tokens and scopes as they are', async ({ install, push, reads, call }) => {
    const { body } = await install()
    await push({ permissions: ['members:read', 'openid'] })
    expect(await reads(body.credentials.access_token)).toBe(200)
    const installation = (await call(`/_admin/installations/${body.installation.id}`)).body
    expect(installation.scope).toBe('elements:read courses:read')
  })

  test('re-pushing the same version redirects open deliveries, also of what has ended, and what is sent again', async ({
    install,
    uninstall,
    push,
    app,
    advance,
    call,
  }) => {
    const { installation, delivery } = (await install()).body
    app.answers(500)
    await uninstall(installation.id)
    await push({ webhook: { url: `${app.url}/two` } })
    const urlOf = async (id: string) => (await call(`/_admin/deliveries/${id}`)).body.url
    expect(await urlOf(delivery.id)).toBe(app.url)
    app.answers(200)
    await advance('10s')
    expect(app.received().map(({ path }) => path)).toEqual(['/webhook', '/webhook', '/webhook/two'])
    await call(`/_admin/deliveries/${delivery.id}/redeliver`, { method: 'POST' })
    expect(app.received().at(-1)?.path).toBe('/webhook/two')
    expect(await urlOf(delivery.id)).toBe(`${app.url}/two`)
  })

  test('a retry of the old version goes on where it was headed, with the same body', async ({
    install,
    upgrade,
    push,
    app,
    advance,
  }) => {
    app.answers(500)
    const { id } = (await install()).body.installation
    app.answers(200)
    await push({ version: '2.0.0', webhook: { url: `${app.url}/two` } })
    await upgrade(id)
    await advance('10s')
    const [first, second, retry] = app.received()
    expect(second?.path).toBe('/webhook/two')
    expect(retry?.path).toBe('/webhook')
    expect(retry?.raw).toEqual(first?.raw)
  })
})

describe('fixtures: installations', () => {
  test.override({
    world: async ({ app }: { app: { url: string } }, use: (world: object) => Promise<void>) => {
      const [notes] = acme.apps ?? []
      const plain = { id: 'plain', name: 'Plain', version: '1.0.0', webhook: { url: app.url } }
      const credentials = { access_token: 'at_given', refresh_token: 'rt_given' }
      await use({
        ...acme,
        apps: [{ ...notes, manifest: notesManifest(app) }, { manifest: plain }],
        installations: [
          { id: 'announced', app: 'notes', organization: 'acme', announce: true, credentials },
          { app: 'notes', organization: 'zenith' },
          { app: 'plain', organization: 'zenith', announce: true },
        ],
        // A user's, which is none of the app's own.
        tokens: [
          {
            ...{ id: 'of_user', sequence: 1, created_at: '2026-01-01T00:00:00.000Z' },
            ...{ secret: 'at_user', kind: 'access', grant: 'authorize', scope: 'openid', user: 'ada' },
            ...{ app: 'notes', organization: 'acme', installation: 'announced' },
            ...{ code: null, expires_at: '2026-01-01T01:00:00.000Z', ended: null, ended_at: null, ended_by: null },
          },
        ],
      })
    },
  })

  test('announce true sends app.installed with the tokens of the document, others send nothing', async ({
    call,
    app,
    reads,
  }) => {
    expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
    expect(app.received()).toHaveLength(2)
    const [notes, plain] = app.received().toSorted((a, b) => (a.body.data.app.id < b.body.data.app.id ? -1 : 1))
    expect(notes?.body.data).toMatchObject({
      organization: { id: 'acme' },
      installer: { id: 'ada' },
      credentials: { access_token: 'at_given', refresh_token: 'rt_given', scope: 'elements:read courses:read' },
    })
    expect(plain?.body.data).toEqual({
      organization: { id: 'zenith', name: 'Zenith' },
      app: { id: 'plain', name: 'Plain', version: '1.0.0' },
      installer: { id: 'zoe', email: 'zoe@zenith.test', full_name: 'Zoe Owner' },
    })
    expect(await reads('at_given')).toBe(200)
  })
})

test('fixtures: tokens that began before their announcement have the rest of their lifetime', async ({
  install,
  uninstall,
  advance,
  call,
  app,
}) => {
  const { installation } = (await install()).body
  const { tokens } = (await call('/_admin/state')).body
  await uninstall(installation.id)
  await advance('50m')
  const again = { id: 'again', app: 'notes', organization: 'acme', credentials: null, announce: true }
  const kept = tokens.map((token: { id: string; sequence: number }) => ({
    ...token,
    id: `${token.id}-2`,
    sequence: token.sequence + 1_000,
    secret: `${token.id}-secret`,
    installation: 'again',
  }))
  const { status } = await call('/_admin/fixtures', { body: { installations: [again], tokens: kept } })
  expect(status).toBe(201)
  expect((await call('/_admin/deliveries/settled')).body).toEqual({ settled: true })
  expect(app.received().at(-1)?.body.data.credentials).toMatchObject({
    expires_in: 600,
    expires_at: '2026-01-01T01:00:00.000Z',
  })
})

describe('wire §7: an uninstall that nobody is there to complete', () => {
  test.override({
    world: async ({ app }: { app: { url: string } }, use: (world: object) => Promise<void>) => {
      const [notes] = acme.apps ?? []
      const apps = [{ ...notes, manifest: notesManifest(app) }]
      await use({ ...acme, apps, installations: [{ app: 'notes', organization: 'acme', state: 'uninstalling' }] })
    },
  })

  test('is completed by a start', async ({ call, install }) => {
    expect((await call('/_admin/installations')).body.data).toMatchObject([
      { state: 'uninstalled', ended_at: '2026-01-01T00:00:00.000Z' },
    ])
    expect((await install()).status).toBe(201)
  })

  test('is completed though another event is on its way to the app', async ({ call, install, trigger, app }) => {
    const { id } = (await install()).body.installation
    app.answers(500)
    expect((await trigger(id, 'note.created')).body.state).toBe('retrying')
    const state = (await call('/_admin/state')).body
    state.installations.at(-1).state = 'uninstalling'
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
    expect((await call(`/_admin/installations/${id}`)).body.state).toBe('uninstalled')
    expect((await call('/_admin/deliveries')).body.data.at(-1).state).toBe('retrying')
  })
})

test('wire §7: an uninstall that is still to be told is not completed by a restart, but when it was told', async ({
  call,
  install,
  uninstall,
  fault,
  advance,
  reads,
}) => {
  const { installation, credentials } = (await install()).body
  await fault({ delay: '5s' })
  await uninstall(installation.id)
  const state = (await call('/_admin/state')).body
  expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
  const now = async () => (await call(`/_admin/installations/${installation.id}`)).body.state
  expect(await now()).toBe('uninstalling')
  expect(await reads(credentials.access_token)).toBe(200)
  await advance('5s')
  expect(await now()).toBe('uninstalled')
  expect(await reads(credentials.access_token)).toBe(401)
})
