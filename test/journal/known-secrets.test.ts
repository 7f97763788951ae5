import { Socket } from 'node:net'
import type { FixtureDocument } from 'mockademy'
import { describe, expect, vi } from 'vitest'
import { test as commandLineTest } from '../harness/command-line.js'
import { type Answer, test as base, type Call, send } from '../harness/emulator-test.js'
import { startReceiver } from '../harness/receiver.js'
import { landing, silent } from '../harness/sign-in-test.js'
import { acme } from '../harness/worlds/acme.js'

type Caller = (path: string, call?: Call) => Promise<Answer>

/** Expects `[redacted]` in place of the secrets. */
function expectHidden(shown: Pick<Answer, 'text'>, ...secrets: string[]): void {
  expect(shown.text).toContain('[redacted]')
  for (const secret of secrets) expect(shown.text).not.toContain(secret)
}

/** The journal without the headers that hold the credential of each request, which are redacted by name. */
async function journalOf(call: Caller): Promise<Pick<Answer, 'text' | 'body'>> {
  const { body } = await call('/_admin/requests')
  for (const { request } of body.data) delete request.headers.authorization
  return { body, text: JSON.stringify(body) }
}

/** The data of the stream's events so far, up to the first of a type, which is the last. */
async function firstOf(type: string, url: string): Promise<string> {
  const ending = new AbortController()
  const response = await fetch(`${url}/_admin/stream?since=0`, { signal: ending.signal })
  let text = ''
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(bytes).toString()
    if (new RegExp(`event: ${type}\n.*\n\n`).test(text)) break
  }
  ending.abort()
  return text.slice(text.indexOf(`event: ${type}`))
}

/** Sends an event of the app `notes` to an address. @returns the delivery. */
async function sentTo(call: Caller, url: string): Promise<Answer> {
  const manifest = { ...Object(acme.apps?.[0]?.manifest), webhook: { url } }
  await call('/_admin/apps/notes/manifest', { method: 'PUT', body: manifest })
  const [{ id }] = (await call('/_admin/installations')).body.data
  return call('/_admin/events', { body: { type: 'notes.shared', installation: id, data: {} } })
}

interface Fixtures {
  /** A live access token as the emulator makes them. */
  token: string
}

const test = base.extend<Fixtures>({
  token: async ({ call }, use) => {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    const { access_token } = (await call('/oauth/token', { form })).body
    await call('/_admin/requests', { method: 'DELETE' })
    await use(access_token)
  },
})

const encoded = (text: string) => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)
const element = { module: 'module1', type: 'CONTENT' }
const code = { grant_type: 'authorization_code', client_id: 'app_notes' }

describe('control-api "Journal": a secret that the emulator knows is redacted wherever it stands', () => {
  const leaks: [string, (call: Caller, secret: string) => Promise<unknown>][] = [
    ['in a path, and in the reason that repeats it', (call, it) => call(`/v0/elements/${it}`, { as: 'key_acme' })],
    ['in a path without a route', (call, it) => call(`/nowhere/${it}/more`)],
    ['in a query', (call, it) => call(`/v0/courses?x=${it}`, { as: 'key_acme' })],
    ['in a parameter that is refused', (call, it) => call(`/v0/courses?page=${it}`, { as: 'key_acme' })],
    ['as the name of a parameter', (call, it) => call(`/v0/courses?${it}=1`, { as: 'key_acme' })],
    ['in a state', (call, it) => call(`/oauth/authorize?client_id=app_notes&state=${it}`)],
    [
      'in a body and the response',
      (call, it) => call('/v0/elements', { as: 'key_acme', body: { ...element, name: it } }),
    ],
    [
      'in a longer text',
      (call, it) => call('/v0/elements', { as: 'key_acme', body: { ...element, name: `It is ${it}.` } }),
    ],
    ['as the name of a field', (call, it) => call('/v0/elements', { as: 'key_acme', body: { ...element, [it]: 1 } })],
    [
      'in JSON within a text',
      (call, it) => call('/v0/elements', { as: 'key_acme', body: { ...element, content: `{"a":"\\n${it}"}` } }),
    ],
    ['as the scope of a token request', (call, it) => call('/oauth/token', { form: { ...code, scope: it } })],
    ['in an unknown field of a form', (call, it) => call('/oauth/token', { form: { ...code, foo: it } })],
    ['as a client_id', (call, it) => call('/oauth/token', { form: { ...code, client_id: it } })],
    [
      'in a redirect_uri',
      (call, it) => call('/oauth/token', { form: { ...code, redirect_uri: `http://localhost:3000/cb?code=${it}` } }),
    ],
    [
      'encoded in an address within an address',
      (call, it) => call(`/oauth/authorize?redirect_uri=${encodeURIComponent(`http://x.test/?a=${encoded(it)}`)}`),
    ],
    [
      'in a Referer',
      (call, it) => call('/v0/courses', { headers: { referer: `http://localhost/${it}?x=${it}#${it}` } }),
    ],
    ['in any header', (call, it) => call('/v0/courses', { headers: { 'x-note': `see ${it}` } })],
    ['in what an inbox was sent', (call, it) => call('/_inbox/box', { body: { note: it } })],
    ['percent-encoded in a path', (call, it) => call(`/v0/elements/${encoded(it)}`, { as: 'key_acme' })],
    [
      'percent-encoded three times over',
      (call, it) => call(`/v0/elements/${encodeURIComponent(encodeURIComponent(encoded(it)))}`, { as: 'key_acme' }),
    ],
    [
      'percent-encoded three times over in a body',
      (call, it) => {
        const content = encodeURIComponent(encodeURIComponent(encoded(it)))
        return call('/v0/elements', { as: 'key_acme', body: { ...element, content } })
      },
    ],
    ['percent-encoded in a query', (call, it) => call(`/v0/courses?x=${encoded(it)}`, { as: 'key_acme' })],
  ]

  test.for(leaks)('%s', async ([, leak], { call, token }) => {
    await leak(call, token)
    expectHidden(await journalOf(call), token, encoded(token))
  })

  test.for(leaks)('%s, as fixtures name them', async ([, leak], { call }) => {
    for (const secret of ['at_acme', 'key_zenith', 'notes_secret', 'notes_signing']) {
      await call('/_admin/requests', { method: 'DELETE' })
      await leak(call, secret)
      expectHidden(await journalOf(call), secret, encoded(secret))
    }
  })

  const token = '/x.abcdefghij.at_acme.1/abc~def_2'
  const odd = acme.installations?.map((it) => ({
    ...it,
    credentials: { access_token: token, refresh_token: 'rt_acme' },
  }))

  base.extend({ world: { ...acme, installations: odd } }).for(leaks)(
    '%s, also of other characters than words have',
    async ([, leak], { call }) => {
      await leak(call, token)
      expectHidden(await journalOf(call), token, encoded(token), encodeURIComponent(token))
    },
  )

  test('a code, also one that has been used, and a session', async ({ call }) => {
    const session = (await call('/_admin/sessions', { body: { user: 'ada' } })).body.cookie
    const cookie = `${session.name}=${session.value}`
    const answer = await call(silent({ scope: 'openid' }), { headers: { cookie } })
    const { code: first } = landing(answer).query
    expect(first).toMatch(/^ac_/)
    for (const secret of [String(first), session.value]) {
      const redirect_uri = `http://localhost:3000/callback?code=${secret}&state=x`
      await call('/oauth/token', { form: { ...code, code: String(first), redirect_uri } })
      await call('/oauth/token', { form: { ...code, redirect_uri: secret } })
      expectHidden(await journalOf(call), secret)
    }
    const odd = 'a~code.of_other.characters_1'
    const { body: world } = await call('/_admin/state')
    world.codes[0].secret = odd
    expect((await call('/_admin/state', { method: 'PUT', body: world })).status).toBe(200)
    await call(`/v0/courses?x=${odd}`, { as: 'key_acme' })
    expectHidden(await journalOf(call), odd)
  })

  test('the stream', async ({ emulator, call, token }) => {
    await call(`/v0/elements/${token}?x=${token}`, { as: 'key_acme' })
    expectHidden({ text: await firstOf('request', emulator.url) }, token)
  })

  test('a delivery: event data, and the address that it goes to', async ({ emulator, call, token }) => {
    const manifest = { ...Object(acme.apps?.[0]?.manifest), webhook: { url: `${emulator.url}/_inbox/${token}` } }
    await call('/_admin/apps/notes/manifest', { method: 'PUT', body: manifest })
    const [{ id }] = (await call('/_admin/installations')).body.data
    const sent = await call('/_admin/events', {
      body: { type: 'notes.shared', installation: id, data: { note: token, more: [`a ${token}`] } },
    })
    expect(sent.body.installation).toBe(id)
    expectHidden(sent, token)
    expectHidden(await call('/_admin/deliveries'), token)
    expectHidden(await call(`/_admin/deliveries/${sent.body.id}`), token)
    expectHidden(await journalOf(call), token)
    // The app gets what was sent, and who reads an inbox plays the app.
    expect((await call(`/_admin/inboxes/${token}`)).text).toContain(`"note":"${token}"`)
  })

  test('a delivery on the stream, and in the answer to an installation', async ({ emulator, call }) => {
    const manifest = { ...Object(acme.apps?.[0]?.manifest), webhook: { url: `${emulator.url}/_inbox/at_acme` } }
    await call('/_admin/apps/notes/manifest', { method: 'PUT', body: manifest })
    const { body } = await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } })
    expectHidden({ text: JSON.stringify(body.delivery) }, 'at_acme')
    expect(body.credentials.access_token).toMatch(/^at_/)
    expectHidden({ text: await firstOf('delivery', emulator.url) }, 'at_acme')
    const ended = await call(`/_admin/installations/${body.installation.id}`, { method: 'DELETE' })
    expectHidden({ text: JSON.stringify(ended.body.delivery) }, 'at_acme')
  })

  test('what an app answers a webhook with', async ({ call }) => {
    const receiver = await startReceiver()
    receiver.handles((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'x-note': 'at_acme' }).end('{"got":"at_acme"}')
    })
    const answered = await sentTo(call, receiver.url)
    expect(answered.body.attempts[0].response).toMatchObject({
      headers: { 'x-note': '[redacted]' },
      body: { got: '[redacted]' },
    })
    expectHidden(answered, 'at_acme')
  })

  test('a warning', async ({ call, token }) => {
    await call('/v0/elements', { as: 'key_acme', body: { ...element, name: 'A', [token]: 1 } })
    const [{ warnings }] = (await call('/_admin/requests')).body.data
    expect(warnings).toMatchObject([{ path: '[redacted]' }])
    expect(JSON.stringify(warnings)).not.toContain(token)
  })

  test('problem details', async ({ call, token }) => {
    const unknown = await call(`/_admin/installations?app=${token}`)
    expect(unknown.body.detail).toBe('There is no app "[redacted]"; there are: notes')
    expectHidden(unknown, token)
    const invalid = await call('/_admin/faults', { body: { effect: token, [token]: 1 } })
    expect(invalid.status).toBe(400)
    expect(invalid.text).not.toContain(token)
    expectHidden(await call('/_admin/organizations/key_zenith'), 'key_zenith')
  })

  test('findings', async ({ call, token }) => {
    await call(`/v0/elements/${token}`, { as: 'key_acme' })
    await call(`/v0/courses?x=${token}`, { as: 'key_acme' })
    const { body, text } = await call('/_admin/findings')
    expect(body.data).not.toEqual([])
    expect(text).not.toContain(token)
  })

  test('an internal error on standard error', async ({ call, onTestFinished }) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    vi.spyOn(Socket.prototype, 'resetAndDestroy').mockImplementation(() => {
      throw new Error('in notes_secret')
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { connection: 'reset' } } })
    await call('/v0/courses', { injected: true })
    expect(write.mock.calls).toEqual([[expect.stringMatching(/^mockademy: internal error: Error: in \[redacted]\n/)]])
  })

  test('a long text full of them', async ({ call }) => {
    const name = 'at_acme.'.repeat(7_000)
    await call('/v0/elements', { as: 'key_acme', body: { ...element, name } })
    expectHidden(await journalOf(call), 'at_acme')
  })

  test('one that is known no more: of a world before a reset', async ({ call, token }) => {
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin/state')).text).not.toContain(token)
    await call(`/v0/elements/${token}`, { as: 'key_acme' })
    await call(`/v0/elements/of-${token}`, { as: 'key_acme' })
    const journal = await journalOf(call)
    expectHidden(journal, token)
    expect(journal.body.data.at(-1).path).toBe('/v0/elements/of-[redacted]')
  })

  test('the code in an address, also of another platform', async ({ call }) => {
    await call('/v0/courses', { headers: { referer: 'http://localhost/callback?code=s3cret-value&x=stays' } })
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry.request.headers.referer).toBe('http://localhost/callback?code=%5Bredacted%5D&x=stays')
  })

  test('the wire says what it said, and state shows secrets', async ({ call, token }) => {
    expect((await call('/v0/elements', { as: 'key_acme', body: { ...element, name: token } })).body.payload.name).toBe(
      token,
    )
    await call('/_inbox/box', { body: { note: token } })
    expect((await call('/_admin/inboxes/box')).body.data[0].body).toEqual({ note: token })
    const state = await call('/_admin/state')
    for (const secret of [token, 'key_acme', 'notes_secret']) expect(state.text).toContain(secret)
  })

  test('any number of tokens costs a text no more', async ({ emulator, call }) => {
    await emulator.admin.setLiberties({ seed: '1', kinds: ['tokens'] })
    const content = 'a few-words, of.no=secret '.repeat(2_000)
    const costOf = async () => {
      const begun = process.cpuUsage()
      for (let n = 0; n < 5; n++)
        await call('/v0/elements', { as: 'key_acme', body: { ...element, name: 'A', content } })
      await call('/_admin/requests')
      const { user, system } = process.cpuUsage(begun)
      return user + system
    }
    const mint = () => emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
    expect((await mint()).access_token).toMatch(/[.~+/]/)
    await costOf()
    const few = await costOf()
    for (let n = 0; n < 1_000; n++) await mint()
    expect(await costOf()).toBeLessThan(10 * few)
  })

  test('a long token that the end of what is kept would divide', async ({ emulator, call }) => {
    await emulator.admin.setLiberties({ seed: '6', kinds: ['tokens'] })
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })),
    )
    const long = tokens.map(({ access_token }) => access_token).find(({ length }) => length >= 300) ?? ''
    const before = 'word '.repeat(13_050)
    await call('/_inbox/box', { raw: before + long, headers: { 'content-type': 'text/plain' } })
    const { request } = (await call('/_admin/requests?surface=inbox')).body.data[0]
    expect(request.length).toBe(before.length + long.length)
    expect(request.body.length + long.length).toBeGreaterThan(64 * 1024)
    expect(request.body).toBe(before)
  })

  test('what is no secret stays as it is', async ({ call }) => {
    const body = {
      ...element,
      name: 'at_acme2 key_acm ada@acme.test',
      content: 'A 100% token: 2026-01-01T00:00:00Z \\n',
    }
    await call('/v0/elements?x=%41da&y=1+1', { as: 'key_acme', body })
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry.path).toBe('/v0/elements')
    expect(entry.query).toEqual({ x: 'Ada', y: '1 1' })
    expect(entry.request.body).toEqual(body)
    expect(entry.response.body.payload).toMatchObject({ name: body.name, content: body.content })
  })
})

describe('secrets that are also something else', () => {
  const odd: FixtureDocument = {
    ...acme,
    organizations: acme.organizations?.map((it) => ({ ...it, api_key: it.slug === 'acme' ? 'module1' : '2026-01-01' })),
    apps: acme.apps?.map((it) => ({ ...it, client_secret: 'secret', signing_secret: 'ada@ac' })),
    installations: [
      {
        app: 'notes',
        organization: 'acme',
        credentials: { access_token: 'at/acme.1+2==', refresh_token: 'a' },
      },
    ],
  }
  const oddTest = base.extend({ world: odd })

  oddTest('ids, e-mail addresses and times stay', async ({ call }) => {
    const at = '2026-01-01T00:00:00Z'
    // The secret is within this one, not at its beginning.
    const other = 'granada@acrid.test'
    await call('/_admin/users', { body: { email: other } })
    const manifest = { ...Object(acme.apps?.[0]?.manifest), id: 'midnight' }
    await call('/_admin/apps', { body: { manifest, signing_secret: '00:00:00' } })
    const emails = `email=ada@acme.test&other=${other}`
    await call(`/v0/modules/module1?${emails}&a=a&at=${at}&day=2026-01-01&time=00:00:00`, { as: 'module1' })
    const [entry] = (await call('/_admin/requests')).body.data
    const query = { email: 'ada@acme.test', other, a: 'a', at, day: '[redacted]', time: '[redacted]' }
    expect(entry).toMatchObject({ path: '/v0/modules/module1', query })
  })

  test('of two that begin alike the longer one goes whole', async ({ call }) => {
    const [short, long] = ['one/secret', 'one/secret/of_another']
    for (const [id, signing_secret] of [
      ['short', short],
      ['long', long],
    ]) {
      const manifest = { ...Object(acme.apps?.[0]?.manifest), id }
      expect((await call('/_admin/apps', { body: { manifest, signing_secret } })).status).toBe(201)
    }
    await call('/v0/elements', { as: 'key_acme', body: { ...element, name: `It is ${long}, not ${short}.` } })
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry.request.body.name).toBe('It is [redacted], not [redacted].')
  })

  test('one that comes later, and one that takes the place of another', async ({ call }) => {
    const name = 'some/secret more/secret'
    const shown = async () => {
      await call('/v0/elements', { as: 'key_acme', body: { ...element, name } })
      return (await call('/_admin/requests')).body.data.at(-1).request.body.name
    }
    expect(await shown()).toBe(name)
    const manifest = { ...Object(acme.apps?.[0]?.manifest), id: 'later' }
    await call('/_admin/apps', { body: { manifest, signing_secret: 'some/secret' } })
    expect(await shown()).toBe('[redacted] more/secret')
    await call('/_admin/apps/later', { method: 'DELETE' })
    await call('/_admin/apps', { body: { manifest, signing_secret: 'more/secret' } })
    expect(await shown()).toBe('some/secret [redacted]')
  })

  oddTest('an ordinary word is a secret where it stands alone', async ({ call, emulator }) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'no', client_id: 'app_notes', client_secret: 'wrong' }
    await call('/oauth/token', { form })
    await call('/v0/courses?x=secret&y=the+secret', { as: 'module1' })
    await call('/v0/elements/secret', { as: 'module1' })
    const [refused, course, element] = (await call('/_admin/requests')).body.data
    expect(refused.reason).toBe(
      `The client_secret is not the one of app_notes: mockademy env --app notes --url ${emulator.url} prints it`,
    )
    expect(Object.keys(refused.request.body)).toContain('client_secret')
    expect(course.query).toEqual({ x: '[redacted]', y: 'the secret' })
    expect(element.path).toBe('/v0/elements/[redacted]')
  })

  oddTest('a token of other characters than words have', async ({ call }) => {
    const token = 'at/acme.1+2=='
    await call(`/v0/elements/${token}?x=${encodeURIComponent(token)}`, { as: 'module1' })
    await call(`/v0/elements/${encodeURIComponent(token)}`, { as: 'module1' })
    await call('/v0/elements', { as: 'module1', body: { ...element, name: `<${token}>` } })
    expectHidden(await journalOf(call), token, encodeURIComponent(token))
  })
})

describe('on the command line', () => {
  commandLineTest('start --log', async ({ start }) => {
    const { url, stdout } = await start(['--port', '0', '--store', 'memory', '--log'])
    const [{ id }] = (await send(`${url}/_admin/installations`)).body.data
    await send(`${url}/_admin/installations/${id}`, { method: 'DELETE' })
    const body = { app: 'notes', organization: 'acme', announce: false }
    const { access_token } = (await send(`${url}/_admin/installations`, { body })).body.credentials
    await send(`${url}/v0/elements/${access_token}`, { as: 'key_acme' })
    await expect.poll(stdout).toContain('/v0/elements/[redacted]')
    expect(stdout()).not.toContain(access_token)
  })
})
