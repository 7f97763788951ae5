import { describe, expect } from 'vitest'
import { authorizePath, callback, formOf, landing, silent, test } from '../harness/sign-in-test.js'

/** The text of a page's `main`, each run of white space as one space. */
const said = (html: string) =>
  (/<main>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('wire §6: an error page has the title of its status', () => {
  test.for<[status: number, title: string, path: string, form: Record<string, string> | undefined]>([
    [400, 'The request is not valid', '/apps/duo/install', {}],
    [403, 'You do not have permission', '/apps/duo/install?organization=zenith', undefined],
    [404, 'Not found', '/nowhere', undefined],
    [409, 'Not possible at the moment', '/apps/sync/uninstall', { organization: 'globex' }],
    [413, 'Too large', '/login', { user: 'x'.repeat(65 * 1024) }],
  ])('%i: %s', async ([status, title, path, form], { call, cookie }) => {
    await call('/_admin/organizations', { body: { slug: 'third', name: 'Third' } })
    await call('/_admin/organizations/third/members/ada', { method: 'PUT', body: { role: 'owner' } })
    const headers = { cookie: await cookie('ada') }
    const { fields } = formOf((await call('/login', { headers })).text)
    const { organization, ...token } = fields
    const answer = await call(path, { headers, ...(form && { form: { ...token, ...form } }) })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(`<title>${title}</title>`)
    expect(said(answer.text)).toMatch(new RegExp(`^${title} .* Status ${status} `))
  })

  test('405', async ({ call }) => {
    const answer = await call('/login', { method: 'DELETE' })
    expect(said(answer.text)).toMatch(/^Method not allowed .* Status 405 /)
  })

  test('an address without a page, and one that names no organization', async ({ call, cookie }) => {
    expect(said((await call('/nowhere')).text)).toContain('There is no page at this address.')
    await call('/_admin/organizations', { body: { slug: 'third', name: 'Third' } })
    await call('/_admin/organizations/third/members/zoe', { method: 'PUT', body: { role: 'owner' } })
    const headers = { cookie: await cookie('zoe') }
    const { csrf } = formOf((await call('/apps/notes/install', { headers })).text).fields
    const answer = await call('/apps/notes/install', { form: { csrf: csrf as string }, headers })
    expect(answer.status).toBe(400)
    expect(said(answer.text)).toContain('Choose the organization to install it in.')
  })

  test.for<[effect: unknown, status: number, title: string]>([
    ['rate_limited', 429, 'Too many requests'],
    [{ status: 500 }, 500, 'Something went wrong'],
    ['unavailable', 503, 'Not available at the moment'],
  ])('the fault %j at the authorization endpoint: %i %s', async ([effect, status, title], { call }) => {
    expect((await call('/_admin/faults', { body: { match: { path: '/oauth/authorize' }, effect } })).status).toBe(201)
    const answer = await call(authorizePath())
    expect([answer.status, said(answer.text).slice(0, title.length)]).toEqual([status, title])
  })
})

describe('wire §6: a page that is refused to somebody', () => {
  const another = 'Continue as another user'

  test('offers to go on as another user, who comes back to it', async ({ call, cookie }) => {
    const path = '/apps/notes/install?organization=zenith'
    const { status, text } = await call(path, { headers: { cookie: await cookie('ada') } })
    expect(status).toBe(403)
    expect(text).toContain(`<a class="button" href="/login?return_to=${encodeURIComponent(path)}">${another}</a>`)
  })

  test('offers it neither after a form nor for what is not there', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const posted = await call('/apps/notes/install?organization=zenith', { form: { csrf: 'x' }, headers })
    expect([posted.status, posted.text.includes(another)]).toEqual([403, false])
    const absent = await call('/apps/nope/install', { headers })
    expect([absent.status, absent.text.includes(another)]).toEqual([404, false])
  })
})

describe('wire §6: an app that is not installed', () => {
  test.for<[user: string, organization: string | undefined, text: string]>([
    ['zoe', undefined, 'Notes is not installed Notes is not installed in any of your organizations. Install in Zenith'],
    ['zoe', 'zenith', 'Notes is not installed Notes is not installed in Zenith . Install in Zenith'],
    ['max', 'zenith', 'Notes is not installed Notes is not installed in Zenith . Ask an owner or an admin'],
    ['ada', 'zenith', 'You cannot sign in to Notes You are not a member of the organization zenith , so'],
    ['ada', 'glob', 'You cannot sign in to Notes There is no organization with the slug glob . Continue as'],
  ])('%s, organization %s: %s', async ([user, organization, text], { call, cookie }) => {
    const answer = await call(authorizePath({ organization }), { headers: { cookie: await cookie(user) } })
    expect(answer.status).toBe(403)
    expect(said(answer.text).slice(0, text.length)).toBe(text)
    expect(answer.text).toContain(`<a href="/login?return_to=${encodeURIComponent('/oauth/authorize?')}`)
  })
})

describe('wire §6: a redirect URI that is not registered', () => {
  const pageOf = (html: string) => said(html.replace('<mark>', '[').replace('</mark>', ']'))

  test.for([
    ['http://localhost:3000/callbackx', 'http://localhost:3000/callback[x]'],
    ['http://localhost:3000/call', 'http://localhost:3000/call[ (ends here)]'],
    ['http://localhost:3001/callback', 'http://localhost:300[1/callback]'],
  ] as const)('%s: the page marks where it differs, and names the app', async ([redirect_uri, marked], { call }) => {
    const { status, text } = await call(authorizePath({ redirect_uri }))
    expect(status).toBe(400)
    expect(pageOf(text)).toMatch(/^You cannot sign in to Notes with this link /)
    expect(pageOf(text)).toContain(`The request has ${marked} The closest that is registered is ${callback} `)
    expect(pageOf(text)).toContain('You were not redirected, because the app may not own that address.')
  })

  test('of an app that is not known', async ({ call }) => {
    const { text } = await call(authorizePath({ client_id: 'nobody' }))
    expect(pageOf(text)).toMatch(/^This link cannot be followed /)
    expect(pageOf(text)).not.toContain('The closest')
  })
})

describe('wire §6: the sign-in page', () => {
  test('says that nobody has the name that was searched for', async ({ call }) => {
    expect(said((await call('/login?search=nobody-has-this')).text)).toContain('No user has that name or email.')
  })

  test('says that a world has no users', async ({ call }) => {
    await call('/_admin/state', { method: 'PUT', body: { users: [] } })
    expect(said((await call('/login')).text)).toContain('This world has no users yet.')
  })

  test('its redirect is kept by no cache', async ({ call }) => {
    const { fields } = formOf((await call('/login')).text)
    const answer = await call('/login', { form: { ...fields, user: 'ada' } })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).not.toContain('Secure')
  })

  describe('where browsers come by https', () => {
    test.override({ settings: { browserUrl: 'https://platform.test' } })
    test('its cookie goes over https alone', async ({ call }) => {
      const { fields } = formOf((await call('/login')).text)
      const answer = await call('/login', { form: { ...fields, user: 'ada' } })
      expect(answer.headers.get('set-cookie')).toContain('; Secure')
    })
  })
})

describe('control-api "Sign-in and silent authentication": the ambient user', () => {
  test('signs a browser in that has no session, and no browser signs it out', async ({ call }) => {
    await call('/_admin/sessions/ambient', { method: 'PUT', body: { user: 'ada' } })
    const page = await call('/logout')
    expect(said(page.text)).toContain('The control API has made ada@acme.test the user of every browser')
    const { action, fields } = formOf(page.text)
    const answer = await call(action, { form: fields })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
    expect(landing(await call(silent())).query.error).toBeUndefined()
    const { fields: login } = formOf((await call('/login')).text)
    expect((await call('/login', { form: { ...login, user: 'bob' } })).status).toBe(303)
    expect((await call('/')).text).toContain('Hello, Ada')
  })
})

describe('a form whose session has ended leads to signing in, and from there', () => {
  const query = authorizePath().split('?')[1]
  test.for([
    ['/apps/duo/upgrade', '/settings/integrations'],
    ['/apps/duo/uninstall', '/settings/integrations'],
    ['/apps/duo/install?organization=acme', '/apps/duo/install?organization=acme'],
    [`/consent?${query}`, `/oauth/authorize?${query}`],
    ['/settings/integrations', '/settings/integrations'],
  ] as const)('%s: to %s', async ([path, back], { call }) => {
    const answer = await call(path, { form: { csrf: 'x' } })
    expect(answer.status).toBe(303)
    expect(landing(answer)).toMatchObject({ target: '/login', query: { return_to: back } })
  })
})

describe('spec §3: the integrations page', () => {
  test('has an upgrade for what is not the newest version, and a way to uninstall each', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const { text } = await call('/settings/integrations', { headers })
    const actions = (html: string) => [...html.matchAll(/action="(\/apps\/[^"]*)"/g)].map(([, action]) => action)
    expect(actions(text)).toEqual(
      expect.arrayContaining(['/apps/duo/upgrade', '/apps/duo/uninstall', '/apps/notes/uninstall']),
    )
    expect(actions(text)).not.toContain('/apps/notes/upgrade')
    expect(said(text)).toContain('Upgrade to 2.0.0')
    const { csrf } = formOf(text).fields
    const form = { csrf: csrf as string, organization: 'acme' }
    const answer = await call('/apps/duo/upgrade', { form, headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings/integrations'])
    expect(actions((await call('/settings/integrations', { headers })).text)).not.toContain('/apps/duo/upgrade')
  })

  test('an app that is not installed there can be neither upgraded nor uninstalled', async ({ call, cookie }) => {
    const headers = { cookie: await cookie('ada') }
    const { csrf } = formOf((await call('/settings/integrations', { headers })).text).fields
    for (const what of ['upgrade', 'uninstall']) {
      const form = { csrf: csrf as string, organization: 'globex' }
      const answer = await call(`/apps/duo/${what}`, { form, headers })
      expect(answer.status).toBe(409)
      expect(said(answer.text)).toContain('Duo is not installed in Globex.')
    }
  })

  test('says why the app has not acknowledged its installation, and what comes next', async ({ call, cookie }) => {
    const { body } = await call('/_admin/organizations', { body: { slug: 'third', name: 'Third' } })
    await call(`/_admin/organizations/${body.slug}/members/ada`, { method: 'PUT', body: { role: 'owner' } })
    const fault = { match: { surface: 'webhook', event: 'app.installed' }, effect: 'unreachable' }
    expect((await call('/_admin/faults', { body: fault })).status).toBe(201)
    const headers = { cookie: await cookie('ada') }
    const noteIn = (text: string) => /<p class="note warn">([^<]*)<\/p>/.exec(text)?.[1]
    const note = async () => noteIn((await call('/settings/integrations', { headers })).text)
    const { action, fields } = formOf((await call('/apps/sync/install?organization=third', { headers })).text)
    const installed = await call(action, { form: fields, headers })
    const { data } = (await call('/_admin/deliveries?organization=third')).body
    const { error } = data[0].attempts.at(-1)
    expect(await note()).toBe(
      `The app has not acknowledged the installation: ${error}. The next attempt is due at ${data[0].due_at}.`,
    )
    expect(noteIn(installed.text)).toBe(await note())
    await call('/_admin/clock/advance', { body: { by: '31d' } })
    expect(await note()).toBe(`The app has not acknowledged the installation: ${error}. No attempts are left.`)
  })
})

test('the start page has the organizations of a person, with the role and the apps there', async ({ call, cookie }) => {
  const textFor = async (user: string) => said((await call('/', { headers: { cookie: await cookie(user) } })).text)
  const ada = await textFor('ada')
  expect(ada).toMatch(/^Hello, Ada Acme Corp owner Installed: Notes, Duo, Twice, Sync Globex admin Installed: Twice /)
  expect(ada).toContain('Integrations Console Apps Install Notes')
  expect(await textFor('max')).toBe('Hello, Max Zenith learner No apps are installed Console')
  expect(await textFor('nia')).toBe('Hello, Nia You do not belong to any organization. Console')
})

describe('the journal names who a page is about', () => {
  test('the app of its path or of the request to authorize, the organization and the user', async ({
    call,
    cookie,
  }) => {
    const headers = { cookie: await cookie('ada') }
    const last = async () => (await call('/_admin/requests?surface=web')).body.data.at(-1)
    await call('/apps/duo/install?organization=globex', { headers })
    expect(await last()).toMatchObject({ app: 'duo', organization: 'globex', user: 'ada' })
    await call(`/consent?${authorizePath().split('?')[1]}`, { form: { csrf: 'x' }, headers })
    expect(await last()).toMatchObject({ app: 'notes', user: 'ada' })
    expect((await last()).organization).toBeNull()
  })

  test('of a request to authorize the organization, unless the person has still to pick one', async ({
    call,
    cookie,
  }) => {
    const headers = { cookie: await cookie('ada') }
    const twice = { client_id: 'app_twice', redirect_uri: 'http://127.0.0.1:3000/cb', scope: 'openid' }
    const silently = { ...twice, prompt: 'none' }
    for (const request of [{}, twice, silently]) await call(authorizePath(request), { headers })
    const { data } = (await call('/_admin/requests?surface=oauth')).body
    expect(data).toMatchObject([
      { organization: 'acme' },
      { app: 'twice', organization: null },
      { organization: 'globex' },
    ])
  })

  test.for([
    ['iframe', true],
    ['frame', true],
    ['fencedframe', false],
    ['document', false],
  ] as const)(
    'a silent sign-in in a %s of another site: explained %s',
    async ([destination, isExplained], { call }) => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': destination }
      expect(landing(await call(silent(), { headers })).query.error).toBe('login_required')
      const { reason } = (await call('/_admin/requests?surface=oauth')).body.data.at(-1)
      expect(reason.includes('browsers send no SameSite=Lax cookie there')).toBe(isExplained)
    },
  )
})

test('the stylesheet has the colors of both schemes, and it and the script are kept for an hour', async ({ call }) => {
  const sheet = await call('/assets/web-app.css')
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(sheet.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(sheet.text).toContain('color-scheme: light dark')
  expect(sheet.text).toContain('prefers-color-scheme: dark')
  expect(await call('/favicon.ico')).toMatchObject({ status: 204, text: '' })
  const script = await call('/assets/copy.js')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toBe('public, max-age=3600')
})
