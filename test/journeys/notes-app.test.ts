import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { createBrowser } from '../harness/cookie-jar.js'
import { send } from '../harness/emulator-test.js'
import { startNotesApp, test } from '../harness/notes-app.js'
import { signatureOf } from '../harness/receiver.js'
import { formOf } from '../harness/sign-in-test.js'

const api = { surface: 'api' }
const tokenRequest = { surface: 'oauth', path: '/oauth/token' }
const expireAccess = { kind: 'access', grant: 'install' }

/** A sound `app.installed`, with changes. */
const installedEvent = (changes: object = {}) => ({
  id: 'evt_made_up',
  type: 'app.installed',
  created_at: '2030-01-01T00:00:00.000Z',
  installation_id: 'made-up',
  data: {
    organization: { id: 'acme', name: 'Acme' },
    app: { id: 'notes', name: 'Course Notes', version: '1.0.0' },
    installer: { id: 'ada', email: 'ada@acme.test', full_name: 'Ada Okafor' },
    credentials: { access_token: 'at_made_up', refresh_token: 'rt_made_up' },
  },
  ...changes,
})

describe('webhooks: nothing is believed that is not signed', () => {
  const body = JSON.stringify(installedEvent())
  const right = signatureOf(body)
  const signatures: [string, Record<string, string>][] = [
    ['another secret', { 'platform-signature': signatureOf(body, 'another') }],
    ['of another body', { 'platform-signature': signatureOf(`${body} `) }],
    ['nothing', { 'platform-signature': '' }],
    ['8 digits', { 'platform-signature': right.slice(0, 8) }],
    ['63 digits', { 'platform-signature': right.slice(0, 63) }],
    ['65 digits', { 'platform-signature': `${right}0` }],
    ['no hex', { 'platform-signature': 'z'.repeat(64) }],
    ['hex that breaks off', { 'platform-signature': `${right.slice(0, 62)}zz` }],
    ['base64', { 'platform-signature': Buffer.from(right, 'hex').toString('base64') }],
    ['10 KB', { 'platform-signature': right.repeat(160) }],
    ['not ASCII', { 'platform-signature': 'é'.repeat(64) }],
  ]

  test('odd signatures are answered 401 and have no effect; the right one has', async ({ deliver, probe }) => {
    for (const [name, headers] of signatures) expect((await deliver(body, headers)).status, name).toBe(401)
    expect(await probe()).toBe(404)
    expect((await deliver(body)).status).toBe(200)
    // It is installed now, and the platform takes the tokens for what they are.
    expect(await probe()).toBe(409)
  })

  test('an unsigned body is refused', async ({ app, probe }) => {
    const headers = { 'content-type': 'application/json' }
    expect((await send(`${app.url}/webhook`, { raw: body, headers })).status).toBe(401)
    expect(await probe()).toBe(404)
  })

  test('what is verified is the raw body', async ({ deliver, probe }) => {
    const odd = ` \n${JSON.stringify(installedEvent(), null, 3)}\r\n`.replace('"Acme"', '"\\u0041cme \u00e9"')
    expect((await deliver(odd, { 'platform-signature': signatureOf(JSON.stringify(JSON.parse(odd))) })).status).toBe(
      401,
    )
    expect(await probe()).toBe(404)
    expect((await deliver(odd)).status).toBe(200)
    expect(await probe()).toBe(409)
  })

  test('signed nonsense is answered 4xx, and the next event works', async ({ app, deliver, probe }) => {
    const { id: _, ...withoutId } = installedEvent()
    const nonsense = {
      empty: '',
      null: 'null',
      list: '[]',
      text: '"app.installed"',
      'no JSON': '{"type":',
      'too large': JSON.stringify({ type: 'x', filling: 'x'.repeat(900_000) }),
      deep: '['.repeat(100_000),
      'no type': '{}',
      'no id': JSON.stringify(withoutId),
      'no data': JSON.stringify(installedEvent({ data: null })),
      'no organization': JSON.stringify(installedEvent({ data: {} })),
      'odd time': JSON.stringify(installedEvent({ created_at: 'yesterday' })),
    }
    for (const [name, text] of Object.entries(nonsense)) {
      const { status } = await deliver(text)
      expect([400, 413], `${name}: ${status}`).toContain(status)
    }
    expect((await send(`${app.url}/webhook`)).status).toBe(404)
    const compressed = await deliver(body, { 'content-encoding': 'gzip' })
    expect(compressed.status).toBe(415)
    expect(await probe()).toBe(404)
    expect((await deliver(body)).status).toBe(200)
  })

  test('events and fields that nobody knows are acknowledged, and so is an install without credentials', async ({
    deliver,
    probe,
  }) => {
    for (const type of ['note.written', 'constructor', '__proto__']) {
      expect((await deliver(JSON.stringify({ id: 'evt_1', type, data: 7 }))).status).toBe(200)
    }
    const { data } = installedEvent()
    const { credentials, ...rest } = data
    const more = { ...data, more: [1], organization: { ...data.organization, more: { a: 1 } } }
    expect((await deliver(JSON.stringify(installedEvent({ data: more, more: true })))).status).toBe(200)
    const bare = installedEvent({
      id: 'evt_bare',
      installation_id: 'bare',
      data: { ...rest, organization: { id: 'initech' } },
    })
    expect((await deliver(JSON.stringify(bare))).status).toBe(200)
    expect(await probe('initech')).toBe(409)
  })
})

describe('webhooks: events come twice, late and out of order', () => {
  test('an event that comes again after a refresh does not bring back the tokens before it', async ({
    admin,
    install,
    probe,
    deliver,
    statuses,
  }) => {
    const { delivery } = await install()
    await admin('tokens/expire', expireAccess)
    expect(await probe()).toBe(200)

    expect((await admin(`deliveries/${delivery.id}/redeliver`, undefined, 'POST')).body.state).toBe('acknowledged')
    const { raw } = await sentBody(admin, delivery.id)
    expect((await deliver(raw, { 'platform-idempotency-key': 'evt_another' })).status).toBe(200)
    expect(await probe()).toBe(200)
    expect(await statuses('/oauth/token')).toEqual([200])
  })

  test('an old install comes back neither after an uninstall nor after an upgrade', async ({
    admin,
    install,
    upgrade,
    probe,
    deliver,
    statuses,
  }) => {
    const first = await install()
    const { raw } = await sentBody(admin, first.delivery.id)
    await upgrade(first.installation.id)
    expect((await deliver(raw)).status).toBe(200)
    expect(await probe()).toBe(200)
    expect(await statuses('/v0/courses')).toEqual([200])

    const [, second] = (await admin('installations?organization=acme')).body.data
    await admin(`installations/${second.id}`, undefined, 'DELETE')
    const renamed = JSON.stringify({ ...JSON.parse(raw), id: 'evt_renamed' })
    const older = {
      ...JSON.parse(raw),
      id: 'evt_older',
      installation_id: 'older',
      created_at: '2020-01-01T00:00:00.000Z',
    }
    for (const body of [raw, renamed, JSON.stringify(older)]) expect((await deliver(body)).status).toBe(200)
    expect(await probe()).toBe(404)

    await install()
    expect(await probe()).toBe(200)
  })

  test('an uninstall that overtakes the retried install is the end of it', async ({ admin, install, fault, probe }) => {
    await fault({ surface: 'webhook', event: 'app.installed' }, 'drop', { times: 1 })
    const { installation, delivery } = await install()
    await admin(`installations/${installation.id}`, undefined, 'DELETE')
    expect((await admin(`deliveries/${delivery.id}/redeliver`, undefined, 'POST')).body.state).toBe('acknowledged')
    expect(await probe()).toBe(404)
  })

  test('an uninstall that comes late leaves the new installation alone', async ({ admin, install, fault, probe }) => {
    const first = await install()
    await fault({ surface: 'webhook', event: 'app.uninstalled' }, 'drop', { times: 1 })
    const { delivery } = (await admin(`installations/${first.installation.id}`, undefined, 'DELETE')).body
    await install()
    expect((await admin(`deliveries/${delivery.id}/redeliver`, undefined, 'POST')).body.state).toBe('acknowledged')
    expect(await probe()).toBe(200)
  })

  test('twenty organizations at once are acknowledged, with nothing asked of the platform before', async ({
    admin,
    fault,
    probe,
    app,
  }) => {
    await fault(api, { connection: 'hang' })
    const slugs = Array.from({ length: 20 }, (_, index) => `org${index}`)
    for (const slug of slugs) {
      await admin('organizations', { slug, name: slug })
      await admin(`organizations/${slug}/members/ada`, { role: 'owner' }, 'PUT')
    }
    const installs = await Promise.all(
      slugs.map((organization) => admin('installations', { app: 'notes', organization })),
    )
    for (const { body } of installs) expect(body.delivery.state, app.url).toBe('acknowledged')
    await admin('faults', undefined, 'DELETE')
    expect(await probe('org19')).toBe(200)
  })
})

/** The delivery's body as signed and sent. */
async function sentBody(
  admin: (path: string) => Promise<{ body: { deliveries: { id: string; body: string }[] } }>,
  id: string,
) {
  const { body } = await admin('state')
  return { raw: body.deliveries.find((delivery) => delivery.id === id)?.body as string }
}

describe('the API: tokens', () => {
  test('a 401 is followed by one refresh and one retry, and nothing is refreshed before', async ({
    admin,
    install,
    probe,
    statuses,
  }) => {
    await install()
    await admin('clock/advance', { by: '59m' })
    expect(await probe()).toBe(200)
    expect(await statuses('/oauth/token')).toEqual([])
    for (const round of [1, 2]) {
      await admin('clock/advance', { by: '61m' })
      expect(await probe()).toBe(200)
      expect(await statuses('/oauth/token')).toEqual(Array(round).fill(200))
    }
    expect(await statuses('/v0/courses')).toEqual([200, 401, 200, 401, 200])
  })

  test('ten requests that meet the 401 together share one refresh', async ({
    admin,
    install,
    fault,
    probe,
    statuses,
  }) => {
    await install()
    await admin('tokens/expire', expireAccess)
    await fault(api, { hold: 10 }, { times: 10 })
    expect(await Promise.all(Array.from({ length: 10 }, () => probe()))).toEqual(Array(10).fill(200))
    expect(await statuses('/oauth/token')).toEqual([200])
    expect((await statuses('/v0/courses')).filter((status) => status === 401)).toHaveLength(10)
  })

  test('a request that was under way when a refresh failed does not begin another', async ({
    admin,
    app,
    install,
    fault,
    probe,
    statuses,
  }) => {
    await install()
    await admin('tokens/expire', expireAccess)
    await fault(tokenRequest, { connection: 'reset' })
    await fault({ ...api, path: '/v0/elements/essay' }, { hold: 2 })
    const held = app.get('/organizations/acme/elements/essay')
    const holding = async () => (await admin('faults')).body.data.at(-1)
    await expect.poll(async () => (await holding()).hits).toBe(1)
    expect(await probe()).toBe(503)
    await admin(`faults/${(await holding()).id}`, undefined, 'DELETE')
    expect((await held).status).toBe(503)
    expect(await statuses('/v0/*')).toEqual([401, 401])
    expect(await statuses('/oauth/token')).toHaveLength(1)
  })

  test('a token that is refused as soon as it is there is not refreshed again', async ({
    install,
    fault,
    probe,
    statuses,
  }) => {
    await install()
    await fault(api, { status: 401 })
    expect(await probe()).toBe(502)
    expect(await statuses('/oauth/token')).toEqual([200])
    expect(await statuses('/v0/courses')).toEqual([401, 401])
  })

  test('a refresh whose answer is lost strands the tokens until a new install', async ({
    admin,
    install,
    fault,
    probe,
    statuses,
  }) => {
    const { installation } = await install()
    await admin('tokens/expire', expireAccess)
    await fault(tokenRequest, { connection: 'reset' }, { phase: 'after', times: 1 })
    expect(await probe()).toBe(503)
    for (let count = 0; count < 10; count++) expect(await probe()).toBe(409)
    const [lost, ...others] = await statuses('/oauth/token')
    expect(lost).not.toBe(400)
    expect(others).toEqual([400])

    await admin(`installations/${installation.id}`, undefined, 'DELETE')
    await install()
    expect(await probe()).toBe(200)
  })

  test('after invalid_grant the token endpoint is asked no more', async ({ admin, install, probe, statuses }) => {
    await install()
    await admin('tokens/revoke', { organization: 'acme' })
    for (let count = 0; count < 10; count++) expect(await probe()).toBe(409)
    expect(await statuses('/oauth/token')).toEqual([400])
    expect(await statuses('/v0/courses')).toEqual([401])
  })

  test('a refresh under way when the app is upgraded does not overwrite the new tokens', async ({
    admin,
    install,
    upgrade,
    fault,
    probe,
    statuses,
  }) => {
    const { installation } = await install()
    await admin('tokens/expire', expireAccess)
    await fault(tokenRequest, { hold: 2 })
    const held = probe()
    await expect.poll(async () => (await statuses('/v0/courses')).length).toBe(1)
    await upgrade(installation.id)
    await admin('faults', undefined, 'DELETE')
    expect(await held).toBe(200)
    expect(await probe()).toBe(200)
    expect(await statuses('/v0/courses')).toEqual([401, 200, 200])
  })

  test('after an uninstall nothing is asked with the old tokens', async ({ admin, install, probe, statuses }) => {
    const { installation } = await install()
    expect(await probe()).toBe(200)
    await admin(`installations/${installation.id}`, undefined, 'DELETE')
    expect(await probe()).toBe(404)
    expect(await statuses('/v0/courses')).toEqual([200])
  })

  test('a 403 is passed on, without a refresh', async ({ app, install, statuses }) => {
    await install()
    const members = await app.get('/organizations/acme/members')
    expect(members).toMatchObject({ status: 403, body: { error: 'Insufficient scope' } })
    expect(await statuses('/v0/members')).toEqual([403])
    expect(await statuses('/oauth/token')).toEqual([])
  })

  test('organizations that are asked for side by side are never mixed up', async ({ app, install, call }) => {
    for (const organization of ['acme', 'initech']) await install(organization)
    const slugs = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'acme' : 'initech'))
    const courses = await Promise.all(slugs.map((slug) => app.get(`/organizations/${slug}/courses`)))
    for (const [index, { body }] of courses.entries()) {
      const own = await call('/v0/courses', { as: `key_${slugs[index]}` })
      expect(body.payload.data).toEqual(own.body.payload.data)
    }
  })
})

describe('the API: a platform that has trouble', () => {
  test('after a 429 nothing is asked before Retry-After is over', async ({
    admin,
    app,
    install,
    fault,
    probe,
    statuses,
  }) => {
    await install()
    await fault(api, { status: 429, headers: { 'retry-after': '0' } }, { times: 1 })
    expect(await probe()).toBe(429)
    expect(await probe()).toBe(200)

    await fault(api, { status: 429, headers: { 'retry-after': '600' } }, { times: 1 })
    const limited = await app.get('/organizations/acme/courses')
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await probe()).toBe(429)
    expect((await app.get('/organizations/acme/elements')).status).toBe(429)
    expect(await statuses('/v0/courses')).toEqual([429, 200, 429])
    expect((await admin('installations?organization=acme')).body.data).toHaveLength(1)
  })

  test('answers with more, and with less, than documented do no harm', async ({
    admin,
    app,
    install,
    fault,
    probe,
  }) => {
    await install()
    await admin('tokens/expire', expireAccess)
    await fault(tokenRequest, { merge: { token_type: 'bearer', more: [] }, omit: ['expires_in', 'scope'] })
    expect(await probe()).toBe(200)
    const body = { error: null, payload: { data: [{ id: 'new', type: 'HOLOGRAM', more: {} }], more: 1 } }
    await fault(api, { status: 200, body }, { times: 1 })
    expect((await app.get('/organizations/acme/elements')).body).toEqual(body.payload.data)
  })
})

describe('the API: addresses', () => {
  describe('with short pages', () => {
    test.override({ settings: { pageSize: 7 } })

    test('a list is read to its last page', async ({ app, call, install }) => {
      await install()
      const { status, body } = await app.get('/organizations/acme/elements')
      expect(status).toBe(200)
      const own = []
      for (let page = ''; page !== null; ) {
        const { payload } = (await call(`/v0/elements${page}`, { as: 'key_acme' })).body
        own.push(...payload.data)
        page = payload.next && `?page=${encodeURIComponent(payload.next)}`
      }
      expect(own.length).toBeGreaterThan(14)
      expect(body).toEqual(own)
    })

    test('of a list that breaks off nothing is shown', async ({ app, install, fault }) => {
      await install()
      await fault(api, { status: 503 }, { after: 2 })
      expect(await app.get('/organizations/acme/elements')).toMatchObject({ status: 503, body: { error: /reached/ } })
    })

    test('a list that never ends is given up', async ({ app, install, fault, admin }) => {
      await install()
      await fault(api, { status: 200, body: { error: null, payload: { data: [{}], next: 'again' } } })
      expect((await app.get('/organizations/acme/elements')).body).toHaveLength(2)
      expect((await admin('requests/count?path=/v0/elements')).body.count).toBe(2)
    })
  })

  test('an id leads to an element or nowhere', async ({ app, install, statuses }) => {
    await install()
    expect((await app.get('/organizations/acme/elements/essay')).status).toBe(200)
    for (const id of ['%2e%2e', '..%2fcourses', 'a%3fb', '%00', 'x'.repeat(65)]) {
      expect((await app.get(`/organizations/acme/elements/${id}`)).status, id).toBe(404)
    }
    expect((await app.get('/organizations/%E0%A4%A/courses')).status).toBe(400)
    expect(await statuses('/v0/*')).toEqual([200])
  })

  test('data is for this machine alone', async ({ app, install }) => {
    await install()
    const { port } = new URL(app.url)
    expect(await statusFor(`localhost:${port}`)).toBe(200)
    expect(await statusFor(`evil.test:${port}`)).toBe(403)

    function statusFor(host: string): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        const asked = request(`${app.url}/organizations/acme/courses`, { headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        asked.on('error', reject).end()
      })
    }
  })
})

describe('what is kept', () => {
  test('tokens survive a restart in a sealed file, rotated ones too', async ({
    admin,
    emulator,
    folder,
    install,
    app,
    statuses,
  }) => {
    const variables = { DATA_FILE: join(folder, 'data') }
    const first = await startNotesApp({ emulator: emulator.url, folder, variables })
    const { credentials } = await install()
    await admin('tokens/expire', expireAccess)
    expect((await first.get('/organizations/acme/courses')).status).toBe(200)
    await first.stop()
    expect(await readFile(variables.DATA_FILE, 'latin1')).not.toMatch(/acme|rt_|at_/)

    const second = await startNotesApp({ emulator: emulator.url, folder, variables })
    expect((await second.get('/organizations/acme/courses')).status).toBe(200)
    await second.stop()
    expect(await statuses('/oauth/token')).toEqual([200])
    expect(credentials.access_token).toMatch(/^at_/)
    expect((await app.get('/organizations/acme/courses')).status).toBe(404)

    const foreign = startNotesApp({
      emulator: emulator.url,
      folder,
      variables: { ...variables, PLATFORM_CLIENT_SECRET: 'x' },
    })
    await expect(foreign).rejects.toThrow(
      /data cannot be read: it is broken, or was written with another client secret\n$/,
    )
  })
})

describe('sign-in', () => {
  test('asks for consent, and ends in a session of the app', async ({
    app,
    install,
    browser,
    signedIn,
    signIn,
    me,
  }) => {
    await install()
    await signedIn('dara')
    expect(await me()).toBe(401)
    const end = await signIn(browser, '/login?returnTo=%2Fsetup%3Forganization%3Dacme')
    expect(end).toMatchObject({ status: 200, text: expect.stringContaining('<h1>Welcome, Dara Novak!</h1>') })
    expect(end.url.href).toBe(`${app.url}/setup?organization=acme`)
    // She has not installed it, so she is not told whose it is.
    expect(end.text).not.toContain('Acme')
    expect(await me()).toEqual({ sub: 'dara', name: 'Dara Novak', email: 'dara@mail.test' })
    expect((await browser.open(app.url)).text).toContain('You are signed in as Dara Novak.')
  })

  test('the request has what a careful one has, and nothing of it comes twice', async ({ app, install, emulator }) => {
    await install()
    const seen = new Set<string>()
    for (const browser of [createBrowser(), createBrowser()]) {
      for (let count = 0; count < 3; count++) {
        const { status, headers } = await browser.peek(`${app.url}/login`)
        expect(status).toBe(302)
        const to = new URL(headers.get('location') ?? '')
        expect(to.origin + to.pathname).toBe(`${emulator.url}/oauth/authorize`)
        const { state, nonce, code_challenge, ...rest } = Object.fromEntries(to.searchParams)
        expect(rest).toEqual({
          response_type: 'code',
          client_id: 'app_notes',
          redirect_uri: `${app.url}/callback`,
          scope: 'openid profile email',
          code_challenge_method: 'S256',
        })
        for (const value of [state, nonce, code_challenge]) {
          expect(value).toMatch(/^[\w-]{43}$/)
          seen.add(value as string)
        }
      }
    }
    expect(seen.size).toBe(18)
  })

  test('a session is a cookie out of reach, of a new value every time, until it is ended', async ({
    app,
    install,
    browser,
    signedIn,
    signIn,
    me,
  }) => {
    await install()
    await signedIn('ada')
    const consent = await browser.open(`${app.url}/login`)
    const { action, fields } = formOf(consent.text)
    browser.cookies.get('localhost')?.set('notes_session', 'planted')
    const end = await browser.submit(new URL(action, consent.url), { ...fields, decision: 'allow' })
    const first = browser.cookies.get('localhost')?.get('notes_session')
    expect(first).toMatch(/^[\w-]{43}$/)
    // The cookie of the sign-in is gone with it.
    expect([...(browser.cookies.get('localhost')?.keys() ?? [])]).toEqual(['notes_session'])

    const flow = await browser.peek(`${app.url}/login`)
    expect(flow.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax$/)
    await signIn()
    const second = browser.cookies.get('localhost')?.get('notes_session')
    expect(second).not.toBe(first)
    expect(end.status).toBe(200)

    const elsewhere = await send(`${app.url}/logout`, { method: 'POST' })
    expect(elsewhere.headers.has('set-cookie')).toBe(false)
    expect(await me()).toMatchObject({ sub: 'ada' })

    const old = createBrowser()
    old.cookies.set('localhost', new Map([['notes_session', first as string]]))
    expect(await me(old)).toBe(401)
    expect((await browser.submit(`${app.url}/logout`, {})).url.href).toBe(`${app.url}/`)
    old.cookies.set('localhost', new Map([['notes_session', second as string]]))
    expect(await me(old)).toBe(401)
  })

  describe('on https', () => {
    test.override({ variables: { ORIGIN: 'https://notes.test' } })

    test('cookies are secure and bound to the host', async ({ app, browser, install }) => {
      await install()
      const { headers } = await browser.peek(`${app.url}/login`)
      expect(headers.get('set-cookie')).toMatch(
        /^__Host-notes_sign_in=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
      )
      const to = new URL(headers.get('location') ?? '')
      expect(to.searchParams.get('redirect_uri')).toBe('https://notes.test/callback')
    })
  })

  test('it returns to the app and nowhere else', async ({ app, install, browser, signedIn, signIn }) => {
    await install()
    await signedIn('ada')
    for (const to of ['/me', `${app.url}/me`, 'me']) {
      expect((await signIn(browser, `/login?returnTo=${encodeURIComponent(to)}`)).url.href, to).toBe(`${app.url}/me`)
    }
    const elsewhere = [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '\\\\evil.test',
      '/\t/evil.test/',
      'javascript:alert(1)',
      'data:text/html,x',
      `${app.url.replace('http:', 'https:')}/`,
      `${app.url}@evil.test/`,
      `${app.url}.evil.test/`,
      'http://[',
    ]
    for (const to of elsewhere) {
      expect((await signIn(browser, `/login?returnTo=${encodeURIComponent(to)}`)).url.href, to).toBe(`${app.url}/`)
    }
    // A path that looks like a host stays a path of the app.
    expect((await signIn(browser, `/login?returnTo=${encodeURIComponent(`${app.url}//evil.test/`)}`)).url.href).toBe(
      `${app.url}//evil.test/`,
    )
    expect((await signIn(browser, '/login?returnTo=/me&returnTo=//evil.test')).url.href).toBe(`${app.url}/`)
  })

  test("the user's tokens go nowhere", async ({ admin, install, signedIn, signIn, statuses, app, browser }) => {
    await install()
    await signedIn('ada')
    await signIn()
    expect(await statuses('/v0/*')).toEqual([])
    const { tokens } = (await admin('state')).body
    const values = [...(browser.cookies.get('localhost')?.values() ?? [])].join(' ')
    expect(tokens.length).toBeGreaterThan(3)
    for (const { secret } of tokens) expect(values + app.log()).not.toContain(secret)
  })
})

describe('sign-in after an install', () => {
  test('is silent for who is signed in', async ({ browser, install, signedIn, me }) => {
    const { redirect_url } = await install()
    await signedIn('ada')
    const end = await browser.open(redirect_url)
    expect(end.text).toContain('<h1>Welcome, Ada Okafor!</h1>\n<p>Course Notes is ready for Acme Academy.</p>')
    const [, authorize] = end.path
    expect(authorize?.searchParams.get('prompt')).toBe('none')
    expect(authorize?.searchParams.get('organization')).toBe('acme')
    expect(end.path).toHaveLength(4)
    expect(await me()).toMatchObject({ sub: 'ada' })
    // With a session there is nothing to ask.
    expect((await browser.open(redirect_url)).path).toHaveLength(1)
  })

  test('asks whoever is not signed in, once', async ({ browser, emulator, install, me }) => {
    const { redirect_url } = await install()
    const login = await browser.open(redirect_url)
    expect(login.url.href).toContain(`${emulator.url}/login`)
    const form = formOf(login.text)
    const consent = await browser.submit(new URL(form.action, login.url), { ...form.fields, user: 'ada' })
    const { action, fields } = formOf(consent.text)
    const end = await browser.submit(new URL(action, consent.url), { ...fields, decision: 'allow' })
    expect(end.text).toContain('Course Notes is ready for Acme Academy.')
    expect(await me()).toMatchObject({ sub: 'ada' })
  })

  test('every other outcome is a page, without a session and without a loop', async ({
    admin,
    app,
    browser,
    install,
    signedIn,
    me,
  }) => {
    const { redirect_url } = await install()
    await signedIn('hana')
    const refused = await browser.open(redirect_url)
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('not available to you yet') })
    for (const outcome of ['interaction_required', 'consent_required', 'invalid_scope', 'server_error']) {
      await admin('silent-auth', { outcome }, 'PUT')
      const end = await browser.open(`${app.url}/setup?organization=acme`)
      expect([400, 403], outcome).toContain(end.status)
      expect(end.path, outcome).toHaveLength(3)
      expect(end.text).toContain('<a href="/login">')
    }
    expect(await me()).toBe(401)
  })

  test('a landing before the webhook says so', async ({ admin, app, browser, fault, signedIn }) => {
    await fault({ surface: 'webhook' }, 'drop', { times: 1 })
    const { redirect_url } = (await admin('installations', { app: 'notes', organization: 'acme' })).body
    await signedIn('ada')
    const end = await browser.open(redirect_url)
    expect(end.text, app.url).toContain('reload this page in a moment')
  })
})

describe('sign-in: what comes to the callback', () => {
  test('a state that is altered, absent, empty or doubled is refused, and the code is left alone', async ({
    browser,
    callback,
    me,
    statuses,
  }) => {
    const changes: ((query: URLSearchParams) => void)[] = [
      (query) => query.set('state', `${query.get('state')}x`),
      (query) => query.delete('state'),
      (query) => query.set('state', ''),
      (query) => query.append('state', 'x'),
      (query) => query.set('state', '__proto__'),
    ]
    for (const change of changes) {
      const url = await callback()
      change(url.searchParams)
      expect((await browser.open(url)).status, url.search).toBe(400)
    }
    expect(await me()).toBe(401)
    expect(await statuses('/oauth/token')).toEqual([])
    expect((await browser.open(await callback())).status).toBe(200)
    expect(await me()).toMatchObject({ sub: 'ada' })
  })

  test('a state is good for one time', async ({ browser, callback, statuses }) => {
    const url = await callback()
    expect((await browser.open(url)).status).toBe(200)
    expect((await browser.open(url)).status).toBe(400)
    expect(await statuses('/oauth/token')).toEqual([200])
  })

  test("somebody else's code and state sign nobody in", async ({ app, browser, callback, me, statuses }) => {
    const attackers = await callback()
    const victim = createBrowser()
    expect((await victim.open(attackers)).status).toBe(400)
    // Nor in the middle of a sign-in of the victim's own.
    await victim.peek(`${app.url}/login`)
    expect((await victim.open(attackers)).status).toBe(400)
    expect(await me(victim)).toBe(401)
    expect(await statuses('/oauth/token')).toEqual([])
    expect((await browser.open(attackers)).status).toBe(200)
  })

  test('two sign-ins side by side in one browser both end well', async ({ app, browser, callback }) => {
    const [one, two] = [await callback(), await callback()]
    expect((await browser.open(one)).url.href).toBe(`${app.url}/`)
    expect((await browser.open(two)).url.href).toBe(`${app.url}/`)
  })

  test('every error is a page, and nothing of it is repeated', async ({ app, browser, me, statuses }) => {
    const errors = ['login_required', 'interaction_required', 'invalid_scope', 'access_denied', 'invalid_request']
    for (const error of [...errors, 'server_error', 'temporarily_unavailable', '<b>x', 'constructor', '']) {
      const begun = await browser.peek(`${app.url}/login`)
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, error_description: '<script>alert(1)</script>\r\nX: y', state })
      const end = await browser.open(`${app.url}/callback?${query}`)
      expect([400, 403], error).toContain(end.status)
      expect(end.path).toHaveLength(1)
      expect(end.text).not.toMatch(/<script|<b>|X: y/)
      expect(end.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const odd = await browser.open(`${app.url}/callback?code=%3Cscript%3E&state=%3Cscript%3E%0d%0aX:y`)
    expect(odd).toMatchObject({ status: 400, text: expect.not.stringContaining('<script') })
    expect(await me()).toBe(401)
    expect(await statuses('/oauth/token')).toEqual([])
  })
})

describe('sign-in: the id_token', () => {
  const wrong = ['bad_signature', 'unknown_kid', 'wrong_iss', 'wrong_aud', 'expired', 'not_yet_valid', 'missing_sub']
  const claims = [{ sub: '' }, { sub: 7 }, { exp: 'never' }, { aud: [] }, { azp: 'another' }, { nonce: null }]

  test('one that is wrong in anything signs nobody in', async ({ app, browser, callback, fault, me }) => {
    const omitted = ['iss', 'aud', 'exp', 'nonce'].map((claim) => ({ omit: [claim] }))
    const effects = [
      ...wrong,
      'alg_none',
      'hs256',
      'wrong_nonce',
      ...omitted,
      ...claims.map((each) => ({ claims: each })),
    ]
    for (const effect of effects) {
      await fault({ surface: 'id_token' }, effect, { times: 1 })
      expect((await browser.open(await callback())).status, JSON.stringify(effect)).toBe(400)
      expect(await me()).toBe(401)
    }
    await expect.poll(() => app.log().match(/^Sign-in failed: J\w+ ERR_J\w+$/gm)).toHaveLength(effects.length)
    expect((await browser.open(await callback())).status).toBe(200)
    expect(await me()).toMatchObject({ sub: 'ada' })
  })

  test('an audience in a list is the app too, and a user is who the subject says', async ({
    app,
    browser,
    callback,
    fault,
    me,
  }) => {
    await fault({ surface: 'id_token' }, { claims: { aud: ['app_notes'], email: 'new@acme.test' } }, { times: 1 })
    await browser.open(await callback())
    expect(await me()).toMatchObject({ sub: 'ada', email: 'new@acme.test' })
    await fault({ surface: 'id_token' }, { claims: { sub: 'another', name: `<i a='"'>&` } }, { times: 1 })
    await browser.open(await callback())
    expect(await me()).toEqual({ sub: 'another', name: `<i a='"'>&`, email: 'ada@acme.test' })
    expect((await browser.open(app.url)).text).toContain('signed in as &#60;i a=&#39;&#34;&#39;&#62;&#38;.')
  })

  test('keys are fetched once, also when many are unknown', async ({ browser, callback, fault, statuses }) => {
    for (let count = 0; count < 3; count++) expect((await browser.open(await callback())).status).toBe(200)
    await fault({ surface: 'id_token' }, 'unknown_kid')
    for (let count = 0; count < 5; count++) expect((await browser.open(await callback())).status).toBe(400)
    expect(await statuses('/.well-known/*')).toEqual([200, 200])
  })
})

describe('sign-in: a platform that has trouble', () => {
  test('without the discovery document there is a page, and later a sign-in', async ({
    app,
    browser,
    fault,
    callback,
  }) => {
    await fault({ surface: 'oauth', path: '/.well-known/openid-configuration' }, { status: 503 }, { times: 1 })
    expect((await browser.open(`${app.url}/login`)).status).toBe(503)
    expect((await browser.open(await callback())).status).toBe(200)
  })

  test('without the keys nobody is signed in, and later they are', async ({ browser, fault, callback, me }) => {
    await fault({ surface: 'oauth', path: '/.well-known/jwks.json' }, { connection: 'reset' }, { times: 1 })
    expect((await browser.open(await callback())).status).toBe(503)
    expect(await me()).toBe(401)
    expect((await browser.open(await callback())).status).toBe(200)
  })
})

// The app waits for seconds before it tries again or gives up: these do so side by side.
describe.concurrent('a platform that keeps the app waiting', () => {
  test('a refresh that has no readable answer keeps the tokens', async ({ admin, install, fault, probe, statuses }) => {
    await install()
    const effects = [{ status: 503 }, { connection: 'reset' }, { status: 200, body: 'html' }, { connection: 'hang' }]
    for (const effect of effects) {
      await admin('tokens/expire', expireAccess)
      await fault(tokenRequest, effect, { times: 1 })
      await admin('requests', undefined, 'DELETE')
      expect(await probe(), JSON.stringify(effect)).toBe(503)
      expect(await statuses('/oauth/token')).toHaveLength(1)
      expect(await probe()).toBe(200)
      expect((await statuses('/oauth/token')).slice(1)).toEqual([200])
    }
  })

  test('what gets no usable answer is tried three times in all', async ({ install, fault, probe, admin, statuses }) => {
    await install()
    const broken = [{ status: 503 }, { status: 200, body: 'html' }]
    const cut = [{ connection: 'reset' }, { connection: 'truncate' }, { connection: 'empty' }]
    for (const effect of [...broken, ...cut]) {
      await admin('requests', undefined, 'DELETE')
      await fault(api, effect, { times: 2 })
      expect(await probe(), JSON.stringify(effect)).toBe(200)
      await fault(api, effect)
      expect(await probe()).toBe(503)
      await admin('faults', undefined, 'DELETE')
      expect(await statuses('/v0/courses')).toHaveLength(6)
    }
  })

  test('a hang is given up after 5 s and tried again', async ({ install, fault, probe }) => {
    await install()
    await fault(api, { connection: 'hang' }, { times: 1 })
    expect(await probe()).toBe(200)
  })

  test('whatever the token endpoint answers, there is a page, and the code is tried once', async ({
    browser,
    callback,
    fault,
    me,
    statuses,
  }) => {
    const effects = [
      { status: 500 },
      { connection: 'reset' },
      { connection: 'hang' },
      { status: 200, body: 'html' },
      { status: 200, body: { access_token: 'at_x' } },
    ]
    for (const [index, effect] of effects.entries()) {
      await fault(tokenRequest, effect, { times: 1 })
      expect([400, 503], JSON.stringify(effect)).toContain((await browser.open(await callback())).status)
      expect(await me()).toBe(401)
      expect(await statuses('/oauth/token')).toHaveLength(index + 1)
    }
    expect((await browser.open(await callback())).status).toBe(200)
  })
})
