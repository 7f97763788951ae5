import dns from 'node:dns'
import { createServer, Socket } from 'node:net'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { serve } from '../harness/serve.js'
import { notesManifest, test } from '../harness/webhook-test.js'

type Headers = Record<string, string>

const text = { 'content-type': 'text/plain' }
const html = { 'content-type': 'text/html; charset=utf-8' }
const json = { 'content-type': 'application/json' }
const to = (location: string) => ({ location })

const fits =
  'the signature was right: Platform-Signature is the HMAC-SHA256 of the BYTES raw bytes of the body in lower-case hex, with the signing secret that ends in ning. Check that the app has this secret (PLATFORM_SIGNING_SECRET), verifies the raw body and not the parsed one, and compares hex and not base64'
const csrf = "the app's CSRF protection rejected it: exempt the webhook's route, which its signature protects"
const unsigned =
  'the request carried Platform-Signature: the app reads another header, or a proxy before it removes this one'
const guarded = "the app's sign-in protection rejected it: exempt the webhook's route, which its signature protects"
const otherHost = "the app's server rejects this host name: add the host of webhook.url to its allowed hosts"
const cors = "the app's CORS check rejected it: exempt the webhook's route, since webhooks have no Origin"
const noRoute = 'the program at APP has no route POST /webhook: correct the path or the port in webhook.url'
const noRouteOrHandler = `either the handler returned 404 and should return 200, or ${noRoute}`
const noPost = 'the route /webhook at APP does not take POST: add it there'
const unread = 'the app could not read or does not accept the event, which is JSON: its own output may say more'
const notReady = 'the app, or a proxy before it, is not ready: start the app, or correct the port of the proxy'
const failed = 'the app failed while it handled the event: its own output says why'
const other = 'only a 2xx acknowledges'
const slash = (path: string) =>
  `redirects are not followed: the app's route differs by the slash at the end, so write http://APP${path} in webhook.url`
const onTo = (url: string) =>
  `redirects are not followed: the app sends the webhook on to ${url}, so write that address in webhook.url`
const signIn = (path: string) =>
  `redirects are not followed: the app sends the webhook to its sign-in page (http://APP${path}), so exempt its route from sign-in`

const causes: [status: number, headers: Headers, body: string, cause: string][] = [
  [300, text, 'Missing signature', other],
  [300, text, 'wrong digest', other],
  [300, to('/elsewhere'), '', onTo('http://APP/elsewhere')],
  [302, to('http://['), '', other],
  [
    302,
    to('/webhook'),
    '',
    'redirects are not followed: the app redirects the webhook to the same address (http://APP/webhook), so respond with 200 there instead',
  ],
  [
    302,
    to('/webhook?checked=1'),
    '',
    'redirects are not followed: the app redirects the webhook to the same path (http://APP/webhook) with another query, so accept it there as it is, or write that query in webhook.url',
  ],
  [302, to('http://other.test/webhook/'), '', onTo('http://other.test/webhook/')],
  [307, to('/webhook/'), '', slash('/webhook/')],
  [308, to('/webhook/?code=secret'), '', slash('/webhook/')],
  [302, to('/login?next=%2Fwebhook'), '', signIn('/login')],
  [302, to('/Log-In'), '', signIn('/Log-In')],
  [302, to('/signin'), '', signIn('/signin')],
  [302, to('/users/sign-in'), '', signIn('/users/sign-in')],
  [302, to('/oauth/start'), '', signIn('/oauth/start')],
  [302, to('/authorize'), '', signIn('/authorize')],
  [302, to('/authors/new'), '', onTo('http://APP/authors/new')],
  [
    301,
    to('https://127.0.0.1/webhook?code=secret'),
    'Moved Permanently. Redirecting to https://127.0.0.1/webhook?code=secret',
    'redirects are not followed: the app sends http on to https://127.0.0.1/webhook, so switch its redirect to https off, or write that address in webhook.url',
  ],
  [304, {}, '', other],
  [101, {}, '', other],
  [101, { connection: 'Upgrade', upgrade: 'websocket' }, '', other],
  [399, to('/elsewhere'), '', onTo('http://APP/elsewhere')],
  [400, to('/elsewhere'), '', unread],
  [400, to('/login'), '', unread],
  [400, to('https://127.0.0.1/webhook'), '', unread],
  [400, to('/webhook/'), '', unread],
  [400, text, 'CSRF token missing', csrf],
  [403, html, '<title>403</title><h1>CSRF verification failed</h1>', csrf],
  [422, text, 'ActionController::InvalidAuthenticityToken', csrf],
  [403, text, 'CSRF', csrf],
  [403, json, '{"error":"Origin is missing"}', csrf],
  [403, text, 'The CORS policy forbids this Origin', fits],
  [403, text, 'Unknown origin', fits],
  [401, text, 'Possible forgery', fits],
  [409, text, 'CSRF token missing', other],
  [419, {}, '', csrf],
  [400, text, 'Missing signature header', unsigned],
  [401, text, 'We require a valid signature', unsigned],
  [499, text, 'the signature of the webhook is absent', unsigned],
  [500, text, 'Missing signature', failed],
  [400, text, 'WebhookVerificationError: Missing required headers', unsigned],
  [400, text, 'WebhookVerificationError: No matching signature found', fits],
  [401, text, 'No signatures found matching the expected signature for payload', fits],
  [400, json, '{"error":{"message":"hmac mismatch"}}', fits],
  [400, text, 'wrong digest', fits],
  [401, {}, '', fits],
  [403, html, '<h1>Forbidden</h1><meta name="csrf-token">', fits],
  [499, text, 'bad signature', fits],
  [401, { 'www-authenticate': 'Bearer' }, 'bad signature', fits],
  [401, { 'www-authenticate': 'Bearer realm="app"' }, '', guarded],
  [401, { 'www-authenticate': 'basic' }, 'Unauthorized', guarded],
  [401, { 'www-authenticate': 'Signature' }, 'Unauthorized', fits],
  [401, text, 'UnauthorizedError: No authorization token was found', guarded],
  [403, json, '{"detail":"Authentication credentials were not provided."}', guarded],
  [403, json, '{"detail":"Not authenticated"}', guarded],
  [401, text, 'Please log in', guarded],
  [401, json, '{"message":"Unauthenticated."}', guarded],
  [401, { 'www-authenticate': 'Token realm="Application"' }, '', guarded],
  [401, { 'www-authenticate': 'Bearer' }, 'invalid webhook', fits],
  [401, text, 'the body must be signed in hex', fits],
  [400, text, 'Please log in', unread],
  [404, html, '<h1>Page not found</h1> Log in to continue', noRoute],
  [429, text, 'Too many log in attempts', "the app limits how often it is called: exempt the webhook's route"],
  [403, text, 'You are not logged-in', guarded],
  [403, html, '<h1>Forbidden</h1><a href="/">Log in</a>', fits],
  [500, text, 'Invalid bearer token', failed],
  [403, text, 'Blocked request. This host ("web") is not allowed.', otherHost],
  [403, html, '<title>Action Controller: Exception caught</title><h1>Blocked hosts: web:3000</h1>', otherHost],
  [400, html, '<title>DisallowedHost at /webhook</title>', otherHost],
  [403, text, 'Invalid Host header', otherHost],
  [400, html, '<h1>Untrusted Host "localhost:8095".</h1>', otherHost],
  [403, text, 'This host does as it likes', fits],
  [403, text, 'This host organization is not allowed to install the app', fits],
  [403, text, 'Not allowed by CORS', cors],
  [500, html, '<title>Error</title><pre>Error: Not allowed by CORS<br>', cors],
  [403, text, 'Invalid CORS request', cors],
  [400, text, 'Missing headers: Content-Length', unread],
  [
    403,
    { server: 'AirTunes/675.4.1' },
    '',
    'AirPlay Receiver of macOS listens there: switch it off in the system settings, or choose another port for the app',
  ],
  [500, text, 'bad signature', failed],
  [400, {}, '', unread],
  [402, {}, '', other],
  [404, {}, '', noRoute],
  [404, json, '"no"', noRoute],
  [404, html, '<pre>Cannot POST /webhook</pre>', noRoute],
  [404, json, '{"error":"unknown organization"}', noRouteOrHandler],
  [405, {}, '', noPost],
  [410, json, '{"error":"unknown installation"}', other],
  [
    413,
    {},
    '',
    "the event has BYTES bytes, which is over the limit of the app's body parser, or of a proxy (nginx: client_max_body_size): raise it",
  ],
  [415, {}, '', 'the app does not accept Content-Type: application/json on this route'],
  [422, {}, '', unread],
  [429, {}, '', "the app limits how often it is called: exempt the webhook's route"],
  [499, {}, '', other],
  [500, {}, '', failed],
  [501, {}, '', noPost],
  [502, {}, '', notReady],
  [504, {}, '', notReady],
  [505, {}, '', failed],
]

/** Excerpts of bodies of 500 responses; undefined if there is no text. */
const sayings: [headers: Headers, body: string, said: string | undefined][] = [
  [text, 'Bad signature\nat verify (app.js:3)', 'Bad signature'],
  [text, '\n  first\rsecond', 'first'],
  [text, 'first \nsecond', 'first'],
  [text, ' \n ', undefined],
  [text, 'a page like <html>', 'a page like <html>'],
  [text, 'x'.repeat(160), 'x'.repeat(160)],
  [text, 'x'.repeat(161), `${'x'.repeat(160)}…`],
  [text, `token=s3cret-value ${'x'.repeat(300)}`, `token=[redacted] ${'x'.repeat(143)}…`],
  [text, ' <!doctype html><title lang="en">Busy</title>', 'Busy'],
  [text, '<html><h1 class="big">Broken</h1>', 'Broken'],
  [html, 'Not you', 'Not you'],
  [html, '<b class="x">Not</b> you', 'Not you'],
  [html, '<title></title><h2>Broken</h2>', 'Broken'],
  [html, '<title> Error </title><h3>Broken</h3>', 'Broken'],
  [html, '<title>Error</title><pre class="x">Broken</pre>', 'Broken'],
  [
    html,
    '<title>Action Controller: Exception caught</title><h1>\n  KeyError\n in Hooks#create</h1>',
    'KeyError in Hooks#create',
  ],
  [html, '<title>Error response</title><h1>Broken</h1>', 'Error response'],
  [html, '<title>An error</title><h1>Broken</h1>', 'An error'],
  [html, '<title>Error</title>', 'Error'],
  [html, 'a &#47; b &#8217; &#x6f;&#x2019; &amp;&lt;&gt;&quot;&nbsp;&copy;', 'a / b ’ o’ &<>" &copy;'],
  [json, '"text"', 'text'],
  [json, '7', '7'],
  [json, '{"message":"m","title":"t"}', 'm'],
  [json, '{"message":{"error":""},"detail":["no"],"reason":{"msg":"r"}}', 'r'],
  ...['message', 'error', 'detail', 'error_description', 'reason', 'description', 'title', 'msg'].map(
    (name): (typeof sayings)[number] => [json, JSON.stringify({ at: 1, [name]: 'why' }), 'why'],
  ),
  [json, '{"why":"no"}', '{"why":"no"}'],
  [{ 'content-type': 'text/plain; charset=utf-16le' }, 'n\0o\0', 'no'],
  [{ 'content-type': 'image/png' }, 'PNG', undefined],
]

/** Lets every lookup of a name fail until the test ends. */
function failLookups(why: () => Error): void {
  const resolver = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((...[, , callback]: [string, object, (error: Error) => void]) => callback(why())) as never)
  onTestFinished(() => resolver.mockRestore())
}

describe('dev "Why, for webhooks as for requests": the error of a failed attempt', () => {
  test('names the status, the first line and the likely cause', async ({ app, install, call, trigger }) => {
    const { id } = (await install()).body.installation
    const errorOf = async (status: number, headers: Headers, body: string): Promise<string> => {
      app.handles((_, response) => void response.writeHead(status, headers).end(body))
      app.forget()
      const { attempts } = (await trigger(id, 'note.created')).body
      const bytes = app.received()[0]?.raw.length
      return attempts[0].error.replace(`127.0.0.1:${app.port}`, 'APP').replace(` ${bytes} `, ' BYTES ')
    }
    const found: unknown[] = []
    for (const [status, headers, body] of causes) {
      const error = await errorOf(status, headers, body)
      found.push([status, headers, body, error.slice(error.indexOf('; ') + 2)])
    }
    for (const [headers, body] of sayings) {
      const error = await errorOf(500, headers, body)
      const [, said] = /^the app responded with 500(?: (".*"))?; the app failed/.exec(error) ?? [error, error]
      found.push([headers, body, said && JSON.parse(said)])
    }
    expect(found).toEqual([...causes, ...sayings])
    expect(await errorOf(302, to('/x'), 'Found')).toBe(`the app responded with 302; ${onTo('http://APP/x')}`)
    expect(await errorOf(404, text, 'Not found')).toBe(`the app responded with 404 "Not found"; ${noRoute}`)
    const reasons = (await call('/_admin/requests?surface=webhook')).body.data.map(
      ({ reason }: { reason?: string }) => reason,
    )
    expect(reasons).toContain(`the app responded with 404; ${noRoute.replace('APP', `127.0.0.1:${app.port}`)}`)
  })

  test('of a body with characters outside ASCII, the cause may be its charset', async ({ app, call, install }) => {
    await call('/_admin/organizations', { body: { slug: 'zurich', name: 'Hochschule Zürich' } })
    await call('/_admin/organizations/zurich/members/ada', { method: 'PUT', body: { role: 'owner' } })
    app.answers(401)
    const [attempt] = (await install({ organization: 'zurich' })).body.delivery.attempts
    expect(attempt.error).toContain(
      'verifies the raw body and not the parsed one, nor one decoded as ISO-8859-1 (audit: webhook.raw-body), and compares',
    )
  })

  test('a redirect from a route with a slash at the end to the one without', async ({ app, install, push }) => {
    await push({ webhook: { url: `${app.url}/` } })
    app.answers(301, to('/webhook'))
    const { error } = (await install()).body.delivery.attempts[0]
    expect(error.replace(`127.0.0.1:${app.port}`, 'APP')).toBe(`the app responded with 301; ${slash('/webhook')}`)
  })

  test.for([
    ['/webhook', 404, 'AT is the emulator itself: write the address of the app in webhook.url'],
    ['/', 405, 'AT is the emulator itself: write the address of the app in webhook.url'],
    ['/_inbox/a', 404, 'the program at AT has no route POST /_inbox/a: correct the path or the port in webhook.url'],
  ] as const)('%s of the emulator itself', async ([path, status, cause], { call, emulator, install, push }) => {
    const at = `localhost:${new URL(emulator.url).port}`
    await call('/_admin/inboxes/a', { method: 'PUT', body: { status: 404 } })
    await push({ webhook: { url: `http://${at}${path}` } })
    const [attempt] = (await install()).body.delivery.attempts
    expect(attempt.status).toBe(status)
    expect(attempt.error.slice(attempt.error.lastIndexOf('; ') + 2)).toBe(cause.replace('AT', at))
  })

  test('a secret in a long line is not shown in part', async ({ app, install }) => {
    app.handles(({ body }, response) => {
      const { access_token } = body.data.credentials
      response.writeHead(500, text).end(`${'x'.repeat(139)} ${access_token} ${'y'.repeat(100)}`)
    })
    expect((await install()).body.delivery.attempts[0].error).toMatch(/500 "x{139} \[redacted\] y{9}…"; /)
  })

  test('a secret that has few characters is not shown in part', async ({ app, call }) => {
    const manifest = { id: 'small', name: 'Small', version: '1.0.0', webhook: { url: app.url } }
    await call('/_admin/apps', { body: { manifest, signing_secret: 'eight888' } })
    app.answers(401)
    const { body } = await call('/_admin/installations', { body: { app: 'small', organization: 'acme' } })
    expect(body.delivery.attempts[0].error).toContain("with the app's signing secret. Check")
  })

  describe('without a response', () => {
    test('nothing listens there', async ({ install, push }) => {
      await push({ webhook: { url: 'http://127.0.0.1:9/hook' } })
      expect((await install()).body.delivery.attempts[0].error).toBe(
        'nothing listens at 127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9): start the app, or correct the port in webhook.url, or write localhost there for an app that listens on ::1 only',
      )
    })

    test('an app on IPv4 alone, called by its IPv6 address, on a machine with IPv6 or without', async ({
      app,
      install,
      push,
      trigger,
    }) => {
      await push({ webhook: { url: `http://[::1]:${app.port}/webhook` } })
      const { installation, delivery } = (await install()).body
      const error = `nothing listens at [::1]:${app.port}, the IPv6 address of this machine: an app that listens on 127.0.0.1 only cannot be reached there, so write localhost in webhook.url, or start the app`
      expect(delivery.attempts[0].error).toBe(error)
      let code = ''
      const { connect } = Socket.prototype
      const connecting = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given) {
        const [{ host }] = given.flat() as unknown as [{ host?: string }]
        if (host !== '::1') return Reflect.apply(connect, this, given)
        setImmediate(() => this.destroy(Object.assign(new Error('connect'), { code })))
        return Object.assign(this, { connecting: true })
      })
      onTestFinished(() => connecting.mockRestore())
      for (code of ['EADDRNOTAVAIL', 'ENETUNREACH', 'EAFNOSUPPORT']) {
        expect((await trigger(installation.id, 'note.created')).body.attempts[0].error).toBe(error)
      }
    })

    test('by the code of the network error', async ({ app, install, push, trigger }) => {
      await push({ webhook: { url: `http://localhost:${app.port}/webhook` } })
      const { id } = (await install()).body.installation
      const at = `localhost:${app.port}`
      const unknown = 'the host name localhost cannot be resolved (why): correct it in webhook.url'
      const untrusted =
        "the app's certificate is not trusted (why): name its authority in webhook_ca, or use http on localhost"
      const invalidNow = "the app's certificate is not valid at this time (why): renew it, or use http on localhost"
      const noHttps = (code: string) =>
        `${at} does not speak https (${code}): let webhook.url begin with http://, or serve https there`
      const noHttp = `${at} does not speak HTTP (why): another program may listen there`
      const closed = `${at} closed the connection without a response (why): the app may have crashed, or expect https`
      const expected: Record<string, string> = {
        ECONNREFUSED: `nothing listens at ${at} (why): start the app, or correct the port in webhook.url`,
        ENOTFOUND: unknown,
        EAI_AGAIN: unknown,
        SELF_SIGNED_CERT_IN_CHAIN: untrusted,
        CERT_HAS_EXPIRED: invalidNow,
        CERT_NOT_YET_VALID: invalidNow,
        ERR_TLS_CERT_ALTNAME_INVALID:
          "the app's certificate is for another host (why): write that host in webhook.url, or make one for localhost",
        DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
        UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
        EPROTO: noHttps('EPROTO'),
        ERR_SSL_WRONG_VERSION_NUMBER: noHttps('ERR_SSL_WRONG_VERSION_NUMBER'),
        EPROTONOSUPPORT: 'why',
        HPE_INVALID_CONSTANT: noHttp,
        NO_HPE_CODE: 'why',
        NO_ERR_SSL_CODE: 'why',
        ECONNRESET: closed,
        EPIPE: closed,
        EHOSTUNREACH: 'why',
        ENETUNREACH: 'why',
      }
      let code = ''
      failLookups(() => Object.assign(new Error('why'), { code }))
      const found: Record<string, string> = {}
      for (code of Object.keys(expected)) found[code] = (await trigger(id, 'note.created')).body.attempts[0].error
      expect(found).toEqual(expected)
    })

    test.for([
      ['http://localhost/hook', 'localhost:80'],
      ['https://localhost/hook', 'localhost:443'],
    ] as const)('the port of %s is named', async ([url, at], { install, push }) => {
      await push({ webhook: { url } })
      const refused = Object.assign(new Error('why'), { code: 'ECONNREFUSED' })
      failLookups(() => refused)
      expect((await install()).body.delivery.attempts[0].error).toBe(
        `nothing listens at ${at} (why): start the app, or correct the port in webhook.url`,
      )
    })

    test('a connection that a fault refuses is no matter of the app', async ({ fault, install }) => {
      await fault('unreachable')
      expect((await install()).body.delivery.attempts[0].error).toBe(
        'Injected fault: unreachable; the connection was refused',
      )
    })

    test('the host has no address', async ({ install, push }) => {
      await push({ webhook: { url: 'https://no-such-host.invalid/hook' } })
      expect((await install()).body.delivery.attempts[0].error).toMatch(
        /^the host name no-such-host\.invalid cannot be resolved \(getaddrinfo \w+ no-such-host\.invalid\): correct it/,
      )
    })

    test.for([
      [
        'host.docker.internal',
        "write localhost in webhook.url, or, if the emulator runs in a container, start it with --add-host host.docker.internal:host-gateway (Compose's extra_hosts)",
      ],
      [
        'web',
        'it looks like a service of Docker Compose, which only containers on its network can resolve. Run the emulator there, or publish the port of the app and write localhost in webhook.url',
      ],
    ])('%s is a name that containers know', async ([name, remedy], { install, push }) => {
      failLookups(() => Object.assign(new Error('why'), { code: 'ENOTFOUND' }))
      await push({ webhook: { url: `https://${name}:3000/hook` } })
      const error = `the host name ${name} cannot be resolved (why): ${remedy}`
      expect((await install()).body.delivery.attempts[0].error).toBe(error)
    })

    describe('of an emulator that listens at every address, as in a container', () => {
      test.override({ settings: { host: '0.0.0.0' } })

      test.for([
        [
          'localhost',
          '. If the emulator runs in a container, this is the container itself: for an app on your machine write host.docker.internal',
        ],
        ['host.docker.internal', ''],
      ])('nothing listens at %s', async ([name, hint], { install, push }) => {
        failLookups(() => Object.assign(new Error('why'), { code: 'ECONNREFUSED' }))
        await push({ webhook: { url: `http://${name}:9/hook` } })
        expect((await install()).body.delivery.attempts[0].error).toBe(
          `nothing listens at ${name}:9 (why): start the app, or correct the port in webhook.url${hint}`,
        )
      })
    })

    test.for<[what: string, url: (port: number) => string, greeting: string, error: RegExp]>([
      ['closes the connection', (port) => `http://127.0.0.1:${port}/`, '', /closed the connection without a response/],
      ['is no web server', (port) => `http://127.0.0.1:${port}/`, '220 ready\r\n', /does not speak HTTP \(/],
      [
        'sends headers that are too large',
        (port) => `http://127.0.0.1:${port}/`,
        `HTTP/1.1 200 OK\r\nSet-Cookie: a=${'x'.repeat(17_000)}\r\n\r\n`,
        /^the headers of the app's response have more than 16 KB \(.+\): set fewer or smaller cookies/,
      ],
      [
        'speaks http',
        (port) => `https://127.0.0.1:${port}/`,
        'HTTP/1.1 400 Bad\r\n\r\n',
        /does not speak https \(E\w+\): let/,
      ],
    ])('what listens %s', async ([, url, greeting, error], { install, push }) => {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.end(greeting))
      })
      await push({ webhook: { url: url((await serve(server)).port) } })
      expect((await install()).body.delivery.attempts[0].error).toMatch(error)
    })
  })

  describe('with a window', () => {
    test.override({ settings: { ackWindow: '500ms', attemptTimeout: '500ms' } })

    test('no answer in time, which may be that of a dev server while the app has acknowledged nothing', async ({
      app,
      call,
      install,
    }) => {
      await call('/_admin/apps', { body: { manifest: { ...notesManifest(app), id: 'other' } } })
      expect((await install({ app: 'other' })).body.delivery.state).toBe('acknowledged')
      app.neverAnswers()
      expect((await install()).body.delivery.attempts[0].error).toBe(
        'no response within 500ms (ack_window): respond with 200 first, and do the work afterwards; a dev server that compiles this route at its first request responds to the next',
      )
    })

    test('no answer in time, of an app that has acknowledged before', async ({ app, install, uninstall }) => {
      const { installation } = (await install()).body
      app.neverAnswers()
      expect((await uninstall(installation.id)).body.delivery.attempts[0].error).toMatch(
        /^no response within 500ms \(\w+\): respond with 200 first, and do the work afterwards$/,
      )
    })
  })

  describe('under a fault', () => {
    test('says so, and looks for no cause', async ({ app, call, fault, install, trigger }) => {
      const { installation } = (await install()).body
      const expected: [effect: string, status: number, error: string | null][] = [
        ['bad_signature', 200, null],
        ['bad_signature', 302, 'the app responded with 302'],
        ['bad_signature', 400, 'the app responded with 400, as it should: the webhook was forged'],
        ['no_signature', 499, 'the app responded with 499, as it should: the webhook was forged'],
        ['stale_signature', 500, 'the app responded with 500'],
        ['altered_body', 500, 'the app responded with 500'],
        ['replay', 409, 'the app responded with 409'],
        ['lose_ack', 200, 'the response was lost'],
        ['drop', 200, 'nothing was sent'],
      ]
      for (const [effect, status, error] of expected) {
        app.answers(status)
        const { id } = (await fault(effect)).body
        const delivery = (await trigger(installation.id, 'note.created')).body
        const reason = `Injected fault: ${effect}${error === null ? '' : `; ${error}`}`
        expect(delivery.attempts[0]).toMatchObject({ fault: id, error: error && reason })
        if (effect === 'drop') continue
        const { data } = (await call('/_admin/requests?surface=webhook')).body
        expect(data.find(({ fault }: { fault?: string }) => fault === id)).toMatchObject({ fault: id, reason })
      }
    })

    test('one that only postponed it', async ({ app, advance, call, fault, install }) => {
      app.answers(404)
      await fault({ delay: '5s' })
      await install()
      await advance('5s')
      const [entry] = (await call('/_admin/requests?surface=webhook')).body.data
      expect(entry.reason).toMatch(/^Injected fault: delay; the app responded with 404; the program at /)
    })
  })
})
