import { describe, expect } from 'vitest'
import { notesManifest, test } from '../harness/webhook-test.js'

interface Fault {
  path: string
  message: string
}

const pathsOf = (body: { errors: Fault[] }) => body.errors.map(({ path }) => path).toSorted()

describe('control-api: apps', () => {
  test('creating an app answers 201 with its secrets, which later only their own call shows', async ({ call, app }) => {
    const manifest = { ...notesManifest(app), id: 'todo' }
    const { status, body } = await call('/_admin/apps', { body: { manifest } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: 'todo', name: 'Notes', versions: [{ version: '1.0.0', manifest }] })
    expect(body.client_id).toMatch(/\S+/)
    expect(body.client_secret.length).toBeGreaterThan(20)
    expect(body.signing_secret.length).toBeGreaterThan(20)

    const later = await call(`/_admin/apps/${body.client_id}`)
    const { client_secret, signing_secret, ...shown } = body
    expect(later.body).toEqual(shown)
    const list = await call('/_admin/apps')
    for (const secret of [client_secret, signing_secret]) expect(list.text).not.toContain(secret)
    const secrets = await call(`/_admin/apps/${body.client_id}/secrets`)
    expect(secrets).toMatchObject({ status: 200, body: { client_secret, signing_secret } })
    const unknown = await call('/_admin/apps/none/secrets')
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'There is no app "none"; there are: notes, todo' } })
    expect((await call('/_admin/apps')).body.data.map(({ id }: { id: string }) => id)).toEqual(['notes', 'todo'])
  })

  test('given credentials are taken as they are', async ({ call, app }) => {
    const credentials = { client_id: 'cid', client_secret: 'csec', signing_secret: 'ssec' }
    const manifest = { ...notesManifest(app), id: 'todo' }
    const { body } = await call('/_admin/apps', { body: { manifest, ...credentials } })
    expect(body).toMatchObject(credentials)
  })

  test.for([
    [{ client_secret: 'x'.repeat(4097) }, 'must have at most 4096 characters'],
    [{ signing_secret: 'x'.repeat(4097) }, 'must have at most 4096 characters'],
    [{ client_id: 'a\nb' }, 'must have no control characters, such as a line break'],
    [{ client_secret: 'a\0b' }, 'must have no control characters, such as a line break'],
    [{ signing_secret: '' }, 'must not be empty'],
  ])('%o is refused, as in a fixture document', async ([credential, message], { call, app }) => {
    const manifest = { ...notesManifest(app), id: 'todo' }
    const { status, body } = await call('/_admin/apps', { body: { manifest, ...(credential as object) } })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: Object.keys(credential as object)[0], message }])
  })

  test('plain http on an unknown host is refused, saying what allows it for webhooks', async ({ call, app }) => {
    const plain = 'http://myapp:3000'
    const manifest = {
      ...notesManifest(app),
      id: 'todo',
      oauth: {
        install: true,
        authorize: { redirect_uris: [`${plain}/cb`, 'http://LOCALHOST:3000/cb', 'https:///cb'] },
      },
      webhook: { url: `${plain}/webhook` },
    }
    const { status, body } = await call('/_admin/apps', { body: { manifest } })
    expect(status).toBe(400)
    const message = 'must be an https URL; http is allowed for localhost, 127.0.0.1 and [::1]'
    expect(body.errors).toEqual([
      { path: 'manifest.oauth.authorize.redirect_uris.0', message },
      { path: 'manifest.oauth.authorize.redirect_uris.1', message },
      { path: 'manifest.oauth.authorize.redirect_uris.2', message: 'must be an absolute URL' },
      {
        path: 'manifest.webhook.url',
        message: `${message}, and for host.docker.internal and the hosts of the setting trust_hosts`,
      },
    ])
  })

  test('an id or client id that is taken is a conflict', async ({ call, app }) => {
    const manifest = notesManifest(app)
    expect((await call('/_admin/apps', { body: { manifest } })).status).toBe(409)
    const other = { ...manifest, id: 'todo' }
    expect((await call('/_admin/apps', { body: { manifest: other, client_id: 'app_notes' } })).status).toBe(409)
    // Either name finds an app, so an id is no client id of another.
    expect((await call('/_admin/apps', { body: { manifest: other, client_id: 'notes' } })).status).toBe(409)
    expect((await call('/_admin/apps', { body: { manifest: { ...manifest, id: 'app_notes' } } })).status).toBe(409)
  })

  test('an app that does not exist is 404, saying which exist', async ({ call }) => {
    const { status, body, headers } = await call('/_admin/apps/nope')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body.detail).toContain('notes')
    expect((await call('/_admin/apps/nope', { method: 'DELETE' })).status).toBe(404)
    expect((await call('/_admin/apps/nope/manifest', { method: 'PUT', body: {} })).status).toBe(404)
  })

  test('an unknown field, and no body, are errors', async ({ call, app }) => {
    const manifest = { ...notesManifest(app), id: 'todo' }
    const { status, body } = await call('/_admin/apps', { body: { manifest, clientid: 'x' } })
    expect([status, pathsOf(body)]).toEqual([400, ['clientid']])
    expect((await call('/_admin/apps', { method: 'POST' })).status).toBe(400)
  })

  test('deleting an app answers with it, and ends what was issued for its installations', async ({
    call,
    install,
    reads,
  }) => {
    const { body } = await install()
    await call('/_admin/faults', { body: { match: { app: 'app_notes' }, effect: 'unavailable', after: 9 } })
    await call('/_admin/silent-auth', { method: 'PUT', body: { outcome: 'server_error', app: 'notes' } })
    const deleted = await call('/_admin/apps/app_notes', { method: 'DELETE' })
    expect(deleted).toMatchObject({ status: 200, body: { id: 'notes', versions: [{ version: '1.0.0' }] } })
    expect(await reads(body.credentials.access_token)).toBe(401)
    expect((await call('/_admin/apps')).body.data).toEqual([])
    expect((await call('/_admin/installations')).body.data).toEqual([])
    expect((await call('/_admin/deliveries')).body.data).toEqual([])
    expect((await call('/_admin/faults')).body.data).toEqual([])
    expect((await call('/_admin/silent-auth')).body.data).toEqual([])
    expect((await call('/_admin/state')).status).toBe(200)
  })
})

describe('spec §9: pushing manifests', () => {
  test('a new version is added as the newest; one that exists is replaced where it is', async ({ call, push }) => {
    await push({ version: '2.0.0', name: 'Notes 2' })
    const { status, body } = await push({ version: '1.0.0', name: 'Notes 1' })
    expect(status).toBe(200)
    expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(['1.0.0', '2.0.0'])
    expect(body.versions[0].manifest.name).toBe('Notes 1')
    expect(body.name).toBe('Notes 2')
    expect((await call('/_admin/apps/notes')).body).toEqual(body)
  })

  test('the newest is the last by semver; of equals the one that was pushed last', async ({ push, install }) => {
    await push({ version: '2.0.0+first', name: 'First' })
    expect((await push({ version: '2.0.0+second', name: 'Second' })).body.name).toBe('Second')
    const { body } = await push({ version: '1.9.0', name: 'Earlier' })
    expect(body.name).toBe('Second')
    const versions = body.versions.map(({ version }: { version: string }) => version)
    expect(versions).toEqual(['1.0.0', '1.9.0', '2.0.0+first', '2.0.0+second'])
    expect((await install()).body.installation.version).toBe('2.0.0+second')
  })

  test('spec §6: later attempts go to the webhook that the installed version declares now', async ({
    app,
    push,
    install,
    advance,
    deliveries,
  }) => {
    app.answers(500)
    const { body } = await install()
    await push({ version: '2.0.0', webhook: { url: `${app.url}/second` } })
    await push({ webhook: { url: `${app.url}/corrected` } })
    app.answers(200)
    await advance('10s')
    expect(app.received().map(({ path }) => path)).toEqual(['/webhook', '/webhook/corrected'])
    expect(await deliveries()).toMatchObject([
      { id: body.delivery.id, state: 'acknowledged', url: `${app.url}/corrected` },
    ])
  })

  test('the manifest of another app is refused', async ({ push }) => {
    const { status, body } = await push({ id: 'other' })
    expect([status, pathsOf(body)]).toEqual([400, ['id']])
  })
})

test('wire §7: what the platform would refuse is in the answer', async ({ call, app, push }) => {
  const oauth = { authorize: { redirect_uris: ['http://host.docker.internal:3000/callback'] } }
  const refused = { message: expect.stringContaining('the platform rejects plain http') }
  const manifest = { ...notesManifest(app), id: 'todo', oauth }
  const created = await call('/_admin/apps', { body: { manifest } })
  expect(created.body.warnings).toEqual([{ path: 'manifest.oauth.authorize.redirect_uris.0', ...refused }])
  const pushed = await push({ version: '1.1.0', oauth })
  expect(pushed.body.warnings).toEqual([{ path: 'oauth.authorize.redirect_uris.0', ...refused }])
  const post_install_action = { url: 'https://notes.test/app#/setup' }
  expect((await push({ version: '1.2.0', post_install_action })).body).not.toHaveProperty('warnings')
})

describe('spec §2.5: the manifest', () => {
  const refusals: [string, object, string[]][] = [
    ['an oauth block declares install or authorize', { oauth: {} }, ['oauth']],
    ['install is the literal true', { oauth: { install: false } }, ['oauth.install']],
    ['install requires a webhook', { oauth: { install: true }, webhook: undefined }, ['webhook']],
    ['install requires a permission that maps to an install scope', { permissions: ['openid'] }, ['permissions']],
    ['authorize requires openid', { permissions: ['courses:read', 'email'] }, ['permissions']],
    [
      'authorize requires redirect URIs',
      { oauth: { authorize: { redirect_uris: [] } } },
      ['oauth.authorize.redirect_uris'],
    ],
    ['the version is semantic', { version: '1.0' }, ['version']],
    ['the version has no v', { version: 'v1.0.0' }, ['version']],
    ['the name is given', { name: '' }, ['name']],
    ['a webhook has a URL', { webhook: {} }, ['webhook.url']],
    [
      'every fault comes at once, of fields and between them',
      { name: 3, version: 'x', permissions: ['email'], webhook: undefined },
      ['name', 'permissions', 'permissions', 'version', 'webhook'],
    ],
    ['an unsound permission is one fault', { permissions: [7] }, ['permissions.0']],
    ['a permission object names one', { permissions: ['courses:read', { purpose: 'None' }] }, ['permissions.1']],
    ['an oauth block is an object', { oauth: null }, ['oauth']],
    ['an oauth block that is a text is one fault', { oauth: 'install' }, ['oauth']],
  ]
  for (const [rule, fields, paths] of refusals) {
    test(`is refused unless ${rule}`, async ({ push }) => {
      const { status, body } = await push(fields)
      expect([status, pathsOf(body)]).toEqual([400, paths])
    })
  }

  test('install is to be true', async ({ push }) => {
    const { body } = await push({ oauth: { install: 'yes' } })
    expect(body.errors).toEqual([{ path: 'oauth.install', message: 'must be true when it is present' }])
  })

  const redirects: [string, boolean][] = [
    ['https://app.test/callback', true],
    ['http://localhost:3000/callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://[::1]:8080/callback', true],
    ['http://app.test/callback', false],
    ['http://localhost.test/callback', false],
    ['http://localhost@app.test/callback', false],
    ['http://127.1/callback', false],
    ['http://127.0.0.2/callback', false],
    ['http://[0:0:0:0:0:0:0:1]/callback', false],
    ['https:app.test', false],
    ['ftp://app.test/callback', false],
    ['app://callback', false],
    ['/callback', false],
    ['https://app.test/#fragment', false],
    ['https://app.test/a b', false],
    [' https://app.test/', false],
  ]
  for (const [uri, allowed] of redirects) {
    test(`the redirect URI ${uri} is ${allowed ? 'allowed' : 'refused'}`, async ({ push }) => {
      const { status } = await push({ oauth: { install: true, authorize: { redirect_uris: [uri] } } })
      expect(status).toBe(allowed ? 200 : 400)
    })
  }

  test('post_install_action is https too, or loopback', async ({ push }) => {
    expect((await push({ post_install_action: { url: 'http://app.test/setup' } })).status).toBe(400)
    expect((await push({ post_install_action: { url: 'http://localhost:3000/setup' } })).status).toBe(200)
  })

  test('permissions may be objects, and may map to no scope; unknown fields are kept', async ({ push }) => {
    const fields = {
      permissions: ['courses:read', 'storage:write', { permission: 'openid', purpose: 'Sign in' }],
      version: '1.2.0-rc.1+build.5',
      homepage: 'https://app.test',
    }
    const { status, body } = await push(fields)
    expect(status).toBe(200)
    expect(body.versions[1].manifest).toMatchObject(fields)
  })

  test('a webhook may be plain http on host.docker.internal, and on no other name', async ({ push }) => {
    expect((await push({ webhook: { url: 'http://host.docker.internal:3000/hook' } })).status).toBe(200)
    expect((await push({ webhook: { url: 'http://backend:3000/hook' } })).status).toBe(400)
    expect((await push({ webhook: { url: 'https://app.test/hook#events' } })).status).toBe(200)
  })

  describe('with trust_hosts', () => {
    test.override({ settings: { trustHosts: ['backend', 'Front'], journalAdmin: true } })

    test('in whatever case it is written', async ({ push }) => {
      expect((await push({ webhook: { url: 'http://BACKEND:3000/hook' } })).status).toBe(200)
      expect((await push({ webhook: { url: 'http://front:3000/hook' } })).status).toBe(200)
    })

    test('a trusted host passes with plain http; a redirect URL on it with a warning in the journal', async ({
      call,
      push,
    }) => {
      expect((await push({ webhook: { url: 'http://backend:3000/hook' } })).status).toBe(200)
      expect((await push({ post_install_action: { url: 'http://backend:3000/setup' } })).status).toBe(200)
      const entries = (await call('/_admin/requests?method=PUT')).body.data
      expect(entries[0].warnings).toEqual([])
      expect(entries[1].warnings).toEqual([
        { code: expect.any(String), path: 'post_install_action.url', message: expect.stringContaining('platform') },
      ])
    })
  })
})

test.for<[fields: object, path: string, message: RegExp]>([
  [{ permisions: [] }, 'permisions', /did you mean "permissions"\?$/],
  [{ permission: [] }, 'permission', /did you mean "permissions"\?$/],
  [{ webhook: { url: 'http://localhost:1/', event: [] } }, 'webhook.event', /did you mean "events"\?$/],
  [{ redirect_uris: [] }, 'redirect_uris', /did you mean "oauth\.authorize\.redirect_uris"\?$/],
  [
    { permissions: ['openid', { permission: 'courses:read', purpos: 'x' }] },
    'permissions.1.purpos',
    /did you mean "purpose"\?$/,
  ],
  [{ colour: 'red' }, 'colour', /; expected one of id, name, version, /],
])('wire §7: unknown members are kept, with a warning: %j', async ([fields, path, message], { call, push }) => {
  const pushed = await push(fields)
  expect(pushed).toMatchObject({ status: 200, body: { warnings: [{ path, message: expect.stringMatching(message) }] } })
  expect((await call('/_admin/apps/notes')).body.versions[0].manifest).toMatchObject(fields)
  expect((await push({ $schema: './manifest.schema.json' })).body).not.toHaveProperty('warnings')
})
