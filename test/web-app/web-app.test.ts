import { describe, expect } from 'vitest'
import { authorizePath, formOf, landing, silent, test } from '../harness/sign-in-test.js'

const redirect = 303

describe('wire §6: sign-in', () => {
  test("/login lists the world's users with their organizations and roles", async ({ call }) => {
    const { status, text, headers } = await call('/login')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const shown of ['Ada Owner', 'ada@acme.test', 'Acme Corp: owner', 'Globex: admin', 'Nia Nobody']) {
      expect(text).toContain(shown)
    }
  })

  test('where there are many users, one can search', async ({ call }) => {
    const users = Array.from({ length: 120 }, (_, n) => ({
      email: `user${n}@many.test`,
      first_name: 'User',
      last_name: `${n}`,
    }))
    await call('/_admin/fixtures', { body: { users } })
    const all = await call('/login')
    expect(all.text.match(/class="person"/g)).toHaveLength(100)
    const { data } = (await call('/_admin/users')).body
    expect(all.text).toContain(`${data.length - 100} more are not shown: use the search.`)
    const found = await call('/login?return_to=%2Fa&search=+USER119+')
    expect(found.text.match(/class="person"/g)).toHaveLength(1)
    expect(found.text).toContain('user119@many.test')
    expect(formOf(found.text).fields.return_to).toBe('/a')
    const [{ id, email }] = data
    const byId = (await call(`/login?search=${id}`)).text
    expect(byId.match(/class="person"/g)).toHaveLength(1)
    expect(byId).toContain(email)
  })

  test('the cookie is HttpOnly and SameSite=Lax, and its name holds the port', async ({ call, emulator }) => {
    const { action, fields } = formOf((await call('/login')).text)
    const answer = await call(action, { form: { ...fields, user: 'ada' } })
    expect(answer.status).toBe(redirect)
    expect(answer.headers.get('location')).toBe('/')
    const [pair, ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Lax'])
    expect(pair?.split('=')[0]).toContain(new URL(emulator.url).port)
    const home = await call('/', { headers: { cookie: pair as string } })
    expect(home.text).toContain('Hello, Ada')
  })

  test('signing in as somebody else ends the earlier session', async ({ call, cookie }) => {
    const ada = await cookie('ada')
    const { action, fields } = formOf((await call('/login', { headers: { cookie: ada } })).text)
    const answer = await call(action, { form: { ...fields, user: 'bob' }, headers: { cookie: ada } })
    const bob = (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
    expect((await call('/', { headers: { cookie: bob } })).text).toContain('Hello, Bob')
    expect((await call('/', { headers: { cookie: ada } })).text).not.toContain('Hello')
  })

  const places: [asked: string, to: string][] = [
    ['/settings/integrations?a=b', '/settings/integrations?a=b'],
    ['https://evil.test/', '/'],
    ['//evil.test/', '/'],
    ['/\\evil.test', '/'],
    ['/%2F/evil.test', '/%2F/evil.test'],
    ['/.//evil.test', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.test', '/'],
    ['', '/'],
  ]
  for (const [asked, to] of places) {
    test(`return_to ${JSON.stringify(asked)} leads to ${to}`, async ({ call }) => {
      const login = await call(`/login?return_to=${encodeURIComponent(asked)}`)
      expect(formOf(login.text).fields.return_to).toBe(to)
      const { action, fields } = formOf(login.text)
      const answer = await call(action, { form: { ...fields, return_to: asked, user: 'ada' } })
      expect(answer.headers.get('location')).toBe(to)
    })
  }

  test('a stale form signs nobody in: the page comes again, and leads to the same place', async ({
    call,
    cookie,
    reason,
  }) => {
    const { fields } = formOf((await call('/login?return_to=%2Fnext%3Fa')).text)
    const signedIn = { cookie: await cookie('ada') }
    for (const [form, headers, why] of [
      [{ ...fields, csrf: 'x', user: 'ada' }, {}, 'The csrf field is not the one of this session'],
      [{ ...fields, user: 'bob' }, signedIn, 'The csrf field is not the one of this session'],
      [{ ...fields, user: 'nobody' }, {}, 'The user of the form is not in this world'],
    ] as const) {
      const answer = await call('/login', { form, headers })
      expect(answer.status).toBe(redirect)
      expect(answer.headers.get('location')).toBe('/login?return_to=%2Fnext%3Fa')
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await reason()).toBe(`${why}: the sign-in page was loaded again`)
    }
    expect((await call('/login', { form: { user: 'ada' } })).headers.get('set-cookie')).toBeNull()
    expect(await reason()).toBe('The form has no csrf field: the sign-in page was loaded again')
  })

  test('what is no form is refused', async ({ call }) => {
    const { fields } = formOf((await call('/login')).text)
    expect((await call('/login', { body: { ...fields, user: 'ada' } })).status).toBe(400)
    expect((await call('/login', { form: { ...fields, user: 'x'.repeat(70_000) } })).status).toBe(413)
  })

  test('/logout asks, and ends the session by POST alone', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const page = await call('/logout', { headers })
    expect(page.status).toBe(200)
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(landing(await call(silent(), { headers })).query.error).toBeUndefined()
    const { action, fields } = formOf(page.text)
    const answer = await call(action, { form: fields, headers })
    expect(answer.status).toBe(redirect)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(landing(await call(silent(), { headers })).query.error).toBe('login_required')
  })
})

describe('security.md: forms of the web app refuse other origins', () => {
  const forms: [path: string, decided: Record<string, string>][] = [
    ['/login', { user: 'ada' }],
    ['/logout', {}],
    [authorizePath(), { decision: 'allow' }],
    ['/apps/notes/install?organization=globex', {}],
    ['/settings/integrations', { organization: 'acme', sure: 'yes' }],
  ]
  const foreign = ['http://localhost:3000', 'https://evil.test', 'null']

  test.for(forms)('%s', async ([path, decided], { call, cookie, emulator }) => {
    const headers = { cookie: await cookie('ada') }
    const { action, fields } = formOf((await call(path, { headers })).text)
    const form = { ...fields, ...decided }
    const state = async () => (await call('/_admin/state')).text
    const before = await state()
    for (const origin of foreign) {
      const answer = await call(action, { form, headers: { ...headers, origin } })
      expect(answer.status).toBe(403)
      expect(answer.text).toContain(`This form was sent by a page of another origin (${origin})`)
    }
    expect(await state()).toBe(before)
    const own = await call(action, { form, headers: { ...headers, origin: emulator.url } })
    expect(own.status).toBeLessThan(400)
    expect(await state()).not.toBe(before)
  })

  describe('behind another address', () => {
    test.override({ settings: { browserUrl: 'https://platform.test' } })
    test('those of app_url, browser_url and the address that the browser asked are its own', async ({
      call,
      emulator,
    }) => {
      const { action, fields } = formOf((await call('/login')).text)
      const { port } = new URL(emulator.url)
      for (const origin of ['https://platform.test', emulator.url, `https://127.0.0.1:${port}`]) {
        expect((await call(action, { form: { ...fields, user: 'ada' }, headers: { origin } })).status).toBe(redirect)
      }
    })
  })
})

describe('every page', () => {
  const pages: [path: string, user: string | undefined, status: number][] = [
    ['/', undefined, 200],
    ['/', 'ada', 200],
    ['/login', undefined, 200],
    [authorizePath(), 'ada', 200],
    [authorizePath(), 'zoe', 403],
    [authorizePath({ redirect_uri: 'https://evil.test' }), undefined, 400],
    ['/apps/notes/install?organization=globex', 'ada', 200],
    ['/settings/integrations', 'ada', 200],
    ['/settings/integrations', 'bob', 403],
    ['/nowhere', undefined, 404],
  ]
  for (const [path, user, status] of pages) {
    test(`${path.split('?')[0]} ${user ?? ''} (${status}) cannot be framed, runs no script and is not kept`, async ({
      call,
      cookie,
    }) => {
      const headers: Record<string, string> = user === undefined ? {} : { cookie: await cookie(user) }
      const answer = await call(path, { headers })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(policy).not.toContain('script-src')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('same-origin')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.text).not.toMatch(/<script|<style| style=| on\w+=/)
      expect(answer.text.match(/(?:src|href)="(?!\/|data:,)[^"]*"/g)).toBeNull()
      expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    })
  }

  test('a sign-in that names no organization belongs to the one that it signs in to', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('bob') }
    const places = async () =>
      (await call('/_admin/requests')).body.data.map((entry: Record<string, string>) => [
        `${entry.method} ${entry.path}`,
        entry.organization,
      ])
    const before = (await places()).length
    await call(silent(), { headers })
    const { action, fields } = formOf((await call(authorizePath(), { headers })).text)
    await call(action, { form: { ...fields, decision: 'allow' }, headers })
    expect((await places()).slice(before)).toEqual([
      ['GET /oauth/authorize', 'acme'],
      ['GET /oauth/authorize', 'acme'],
      ['POST /consent', 'acme'],
    ])
    await call('/_admin/faults', { body: { match: { surface: 'oauth', organization: 'acme' }, effect: 'unavailable' } })
    expect((await call(silent(), { headers })).status).toBe(503)
  })

  test('its forms may lead anywhere, by the redirects of an app', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    for (const path of [authorizePath(), '/apps/notes/install?organization=initech', '/settings/integrations']) {
      expect((await call(path, { headers })).headers.get('content-security-policy')).not.toContain('form-action')
    }
  })

  test('names are data', async ({ call, cookie }) => {
    const evil = `<script>alert("'x'")</script>`
    const manifest = {
      id: 'evil',
      name: evil,
      description: `${evil}&amp;`,
      version: '1.0.0',
      permissions: ['openid', { permission: 'ai:run', purpose: evil }, `"><img src=x>`],
      oauth: { authorize: { redirect_uris: ['https://evil.test/"><script>'] } },
    }
    const { body } = await call('/_admin/apps', { body: { manifest } })
    await call('/_admin/users', { body: { id: 'mallory', email: 'm@evil.test', first_name: evil, last_name: evil } })
    await call('/_admin/organizations', { body: { slug: 'evil', name: evil } })
    await call('/_admin/organizations/evil/members/mallory', { method: 'PUT', body: { role: 'owner' } })
    const headers = { cookie: await cookie('mallory') }
    const at = { client_id: body.client_id, scope: 'openid', redirect_uri: 'https://evil.test/"><script>' }
    const pages = ['/login', '/', '/apps/evil/install?organization=evil', '/settings/integrations', authorizePath(at)]
    const texts = []
    for (const path of pages) texts.push((await call(path, { headers })).text)
    await call('/_admin/installations', { body: { app: 'evil', organization: 'evil' } })
    texts.push((await call(authorizePath(at), { headers })).text)
    texts.push((await call(authorizePath({ ...at, redirect_uri: 'https://evil.test/<script>' }), { headers })).text)
    for (const text of texts) {
      expect(text).not.toMatch(/<script|<img/)
      expect(text).toContain('&lt;script&gt;')
    }
  })

  test('a path that does not exist is a page, 404; another method is one, 405', async ({ call }) => {
    expect((await call('/oauth/nowhere')).body.error).toBe('invalid_request')
    const answer = await call('/login', { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

describe('spec §3: the install page', () => {
  test('asks to sign in first, and comes back', async ({ call }) => {
    const path = '/apps/notes/install?organization=globex'
    const answer = await call(path)
    expect(answer.status).toBe(redirect)
    expect(landing(answer).query.return_to).toBe(path)
  })

  test('says what the app may do; Install installs and follows post_install_action', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('zoe') }
    const asked = await call('/apps/twice/install?organization=zenith', { headers })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('See your name')
    const { action, fields } = formOf(asked.text)
    const answer = await call(action, { form: fields, headers })
    expect(answer.status).toBe(redirect)
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:3000/setup?from=install&organization=zenith')
    const { data } = (await call('/_admin/installations?app=twice&organization=zenith')).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ state: 'installed', installer: 'zoe' })
    const again = await call(action, { form: fields, headers })
    expect(again.status).toBe(409)
  })

  test('an app without post_install_action: a page says that it is installed', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('zoe') }
    const { action, fields } = formOf((await call('/apps/app_duo/install', { headers })).text)
    const answer = await call(action, { form: fields, headers })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Version 2.0.0 is installed in Zenith')
  })

  test('without naming an organization: a picker of those where it is missing', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const one = (await call('/apps/notes/install', { headers })).text
    expect(one).toContain('Install Notes in Globex')
    expect(formOf(one).fields.organization).toBe('globex')
    await call('/_admin/organizations', { body: { slug: 'third', name: 'Third' } })
    await call('/_admin/organizations/third/members/ada', { method: 'PUT', body: { role: 'owner' } })
    const { text } = await call('/apps/notes/install', { headers })
    expect([...text.matchAll(/type="radio" name="organization" value="(\w+)"/g)].map(([, slug]) => slug)).toEqual([
      'globex',
      'third',
    ])
    const { action, fields } = formOf(text)
    await call(action, { form: { ...fields, organization: 'third' }, headers })
    expect((await call('/_admin/installations?organization=third')).body.data).toHaveLength(1)
  })

  test('where it is installed, the page says so and has no form', async ({ call, cookie }) => {
    const answer = await call('/apps/notes/install?organization=acme', { headers: { cookie: await cookie('ada') } })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('Notes is installed in Acme Corp')
    expect(answer.text).not.toContain('<form')
    await call('/_admin/installations', { body: { app: 'notes', organization: 'globex', installer: 'ada' } })
    const unnamed = await call('/apps/notes/install', { headers: { cookie: await cookie('ada') } })
    expect([unnamed.status, unnamed.text]).toEqual([200, expect.stringContaining('Notes is installed in Acme Corp')])
  })

  test('where an earlier version is installed, it says what that may do', async ({ call, cookie }) => {
    const { text } = await call('/apps/duo/install?organization=acme', { headers: { cookie: await cookie('ada') } })
    const permissions = [...text.matchAll(/<code class="soft">([\w:]+)<\/code>/g)].map(([, name]) => name)
    expect(permissions).toEqual(['openid', 'elements:read'])
  })

  const refused: [name: string, path: string, user: string, status: number][] = [
    ['a learner', '/apps/notes/install?organization=zenith', 'max', 403],
    ['a learner without naming an organization', '/apps/notes/install', 'max', 403],
    ['the owner of another organization', '/apps/notes/install?organization=zenith', 'ada', 403],
    ['an organization that does not exist', '/apps/notes/install?organization=nowhere', 'ada', 404],
    ['an app that does not exist', '/apps/nope/install?organization=acme', 'ada', 404],
  ]
  for (const [name, path, user, status] of refused) {
    test(`${name}: ${status}`, async ({ call, cookie }) => {
      const headers = { cookie: await cookie(user) }
      expect((await call(path, { headers })).status).toBe(status)
      const { fields } = formOf((await call('/login', { headers })).text)
      expect((await call(path, { form: fields, headers })).status).toBe(status)
      expect((await call('/_admin/installations?organization=zenith')).body.data).toEqual([])
    })
  }

  test('without the token of the session nothing is installed', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('zoe') }
    const answer = await call('/apps/notes/install?organization=zenith', { form: { csrf: 'x' }, headers })
    expect(answer.status).toBe(403)
    expect((await call('/_admin/installations?organization=zenith')).body.data).toEqual([])
  })
})

describe('spec §3: apps on the integrations page', () => {
  test('uninstalling asks first, and then ends the installation', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const page = await call('/settings/integrations', { headers })
    expect(page.text).toContain('Uninstall')
    const { fields } = formOf(page.text)
    const question = await call('/apps/notes/uninstall', { form: { ...fields, organization: 'acme' }, headers })
    expect(question.text).toMatch(/Uninstall [^<]*\?<\/h1>/)
    const states = async () =>
      (await call('/_admin/installations?app=notes&organization=acme')).body.data.map(
        ({ state }: { state: string }) => state,
      )
    expect(await states()).toEqual(['installed'])
    const sure = formOf(question.text)
    const answer = await call(sure.action, { form: sure.fields, headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([redirect, '/settings/integrations'])
    expect(await states()).toEqual(['uninstalled'])
  })

  test('one that is being uninstalled can be neither upgraded nor uninstalled', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const textOfPage = async () => (await call('/settings/integrations', { headers })).text
    expect(await textOfPage()).toContain('action="/apps/notes/')
    const match = { surface: 'webhook', event: 'app.uninstalled' }
    await call('/_admin/faults', { body: { match, effect: { delay: '1h' } } })
    const [{ id }] = (await call('/_admin/installations?app=notes&organization=acme')).body.data
    await call(`/_admin/installations/${id}`, { method: 'DELETE' })
    const text = await textOfPage()
    expect(text).toContain('is being uninstalled')
    expect(text).not.toContain('action="/apps/notes/')
  })

  test('nobody else may', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('zoe') }
    const { fields } = formOf((await call('/settings/integrations', { headers })).text)
    for (const what of ['upgrade', 'uninstall']) {
      const form = { ...fields, organization: 'acme', sure: 'yes' }
      expect((await call(`/apps/notes/${what}`, { form, headers })).status).toBe(403)
    }
  })
})

describe('spec §5.1: /settings/integrations', () => {
  test('Regenerate shows a new key once and stops the old one at once', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('zoe') }
    const page = await call('/settings/integrations', { headers })
    expect(page.text).toContain(' aria-label="Regenerate API Key of Zenith">Regenerate API Key</button>')
    expect(page.text).not.toContain('key_zenith')
    const first = formOf(page.text)
    const question = await call(first.action, { form: first.fields, headers })
    expect(question.status).toBe(200)
    expect(question.text).toContain('Regenerate the API key?')
    expect((await call('/v0/courses', { as: 'key_zenith' })).status).toBe(200)
    const { action, fields } = formOf(question.text)
    const answer = await call(action, { form: fields, headers })
    expect(answer.status).toBe(200)
    const key = /id="api-key">([^<]+)</.exec(answer.text)?.[1] as string
    expect((await call('/v0/courses', { as: key })).status).toBe(200)
    expect((await call('/v0/courses', { as: 'key_zenith' })).status).toBe(401)
    const again = await call(action, { form: fields, headers })
    expect(again.text).toContain('This form was already submitted')
    expect(again.text).not.toContain('id="api-key"')
    expect((await call('/v0/courses', { as: key })).status).toBe(200)
    expect((await call('/settings/integrations', { headers })).text).not.toContain(key)
    expect((await call('/_admin/requests')).text).not.toContain(key)
  })

  test('an organization without a key: Generate', async ({ call, cookie }) => {
    await call('/_admin/organizations', { body: { slug: 'fresh', name: 'Fresh' } })
    for (const slug of ['fresh', 'globex']) {
      await call(`/_admin/organizations/${slug}/members/nia`, { method: 'PUT', body: { role: 'admin' } })
    }
    const headers = { cookie: await cookie('nia') }
    const page = await call('/settings/integrations', { headers })
    expect(page.text).toContain('>Generate API Key<')
    const { action, fields } = formOf(page.text)
    const { text } = await call(action, { form: fields, headers })
    expect(text.match(/id="api-key"/g)).toHaveLength(1)
  })

  test("another organization's key is not one's to make", async ({ call, cookie, reason }) => {
    const headers = { cookie: await cookie('zoe') }
    const { action, fields } = formOf((await call('/settings/integrations', { headers })).text)
    const answer = await call(action, { form: { ...fields, organization: 'acme' }, headers })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Only owners and admins of Acme Corp can do this.')
    expect(await reason()).toBe('The user zoe@zenith.test is neither owner nor admin of acme')
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })
})
