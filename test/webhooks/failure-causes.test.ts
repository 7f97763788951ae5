import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { describe, expect } from 'vitest'
import { test } from '../harness/webhook-test.js'

type Case = [status: number, headers: Record<string, string>, body: string, error: RegExp]

const text = { 'content-type': 'text/plain' }
const html = { 'content-type': 'text/html; charset=utf-8' }
const json = { 'content-type': 'application/json' }
const signature =
  /; the signature was right: Platform-Signature is the HMAC-SHA256 of the \d+ raw bytes of the body in lower-case hex, with the signing secret that ends in ning\. Check that the app has this secret, /

describe('dev "Why, for webhooks as for requests": the error of a failed attempt', () => {
  test.for<Case>([
    [
      401,
      text,
      'Bad signature\nat verify (app.js:3)',
      /^the app answered 401 "Bad signature"; the signature was right/,
    ],
    [401, html, 'Not you', /^the app answered 401 "Not you"; the signature was right/],
    [401, {}, '', signature],
    [
      400,
      json,
      '{"error":{"message":"hmac mismatch"}}',
      /^the app answered 400 "hmac mismatch"; the signature was right/,
    ],
    [403, html, '<title>Forbidden</title>', /^the app answered 403 "Forbidden"; the signature was right/],
    [
      403,
      html,
      '<h1>Forbidden</h1><meta name="csrf-token">',
      /^the app answered 403 "Forbidden"; the signature was right/,
    ],
    [403, html, '<title>403</title><h1>CSRF verification failed</h1>', /^the app answered 403 "403"; /],
    [403, text, 'CSRF token missing', /"; the app's CSRF protection rejected it: exempt the webhook's route/],
    [419, {}, '', /; the app's CSRF protection/],
    [401, text, 'Missing signature header', /; the request carried Platform-Signature: the app reads another header/],
    [
      404,
      html,
      '<title>Error</title><pre>Cannot POST &#47;webh&#x6f;ok &amp; co</pre>',
      /404 "Cannot POST \/webhook & co"; /,
    ],
    [
      404,
      {},
      '',
      /^the app answered 404; the program at 127\.0\.0\.1:\d+ has no route POST \/webhook: correct the path/,
    ],
    [405, {}, '', /; the route \/webhook at 127\.0\.0\.1:\d+ does not take POST/],
    [
      501,
      html,
      '<title>Error response</title>',
      /^the app answered 501 "Error response"; the route \/webhook at .* does not take POST/,
    ],
    [413, {}, '', /; the event has \d{3} bytes, which is over the limit/],
    [415, {}, '', /; the app does not accept Content-Type: application\/json/],
    [422, json, '{"detail":[{"msg":"field required"}]}', /^the app answered 422 ".*"; the app could not read/],
    [429, {}, '', /; the app limits how often it is called/],
    [502, {}, '', /; the app, or a proxy before it, is not ready/],
    [
      500,
      text,
      'TypeError: x is not a function',
      /500 "TypeError: x is not a function"; the app failed while it handled/,
    ],
    [
      301,
      { ...text, location: 'https://127.0.0.1/webhook?code=secret' },
      'Moved Permanently. Redirecting to https://127.0.0.1/webhook?code=secret',
      /^the app answered 301; redirects are not followed: the app sends http on to https:\/\/127\.0\.0\.1\/webhook, so/,
    ],
    [
      307,
      { location: '/webhook/' },
      '',
      /differs by the slash at the end, so write http:\/\/127\.0\.0\.1:\d+\/webhook\/ in/,
    ],
    [
      302,
      { location: '/login?next=%2Fwebhook' },
      '',
      /to its sign-in page \(http:\/\/127\.0\.0\.1:\d+\/login\), so exempt/,
    ],
    [302, { location: '/elsewhere' }, '', /sends the webhook on to http:\/\/127\.0\.0\.1:\d+\/elsewhere, so write/],
    [304, {}, '', /^the app answered 304; only a 2xx acknowledges$/],
    [500, text, `token=s3cret-value ${'x'.repeat(300)}`, /500 "token=\[redacted\] x{100,}…"; /],
    [500, { 'content-type': 'image/png' }, 'PNG', /^the app answered 500; the app failed/],
  ])('%i %j %j', async ([status, headers, body, error], { app, install, call }) => {
    app.handles((_, response) => void response.writeHead(status, headers).end(body))
    const { delivery } = (await install()).body
    expect(delivery.attempts[0].error).toMatch(error)
    const { data } = (await call('/_admin/requests?surface=webhook')).body
    expect(data[0].reason).toBe(delivery.attempts[0].error)
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
        'nothing listens at 127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9): start the app, or correct the port in webhook.url',
      )
    })

    test('an app on IPv4 alone, called by its IPv6 address', async ({ app, install, push }) => {
      await push({ webhook: { url: `http://[::1]:${app.port}/webhook` } })
      expect((await install()).body.delivery.attempts[0].error).toContain('so write localhost in webhook.url')
    })

    test('the host has no address', async ({ install, push }) => {
      await push({ webhook: { url: 'https://no-such-host.invalid/hook' } })
      expect((await install()).body.delivery.attempts[0].error).toMatch(
        /^the host name no-such-host\.invalid cannot be resolved \(getaddrinfo \w+ no-such-host\.invalid\): correct it/,
      )
    })

    test.for<[what: string, url: (port: number) => string, greeting: string, error: RegExp]>([
      ['closes the connection', (port) => `http://127.0.0.1:${port}/`, '', /closed the connection without a response/],
      ['is no web server', (port) => `http://127.0.0.1:${port}/`, '220 ready\r\n', /does not speak HTTP \(/],
      ['speaks http', (port) => `https://127.0.0.1:${port}/`, 'HTTP/1.1 400 Bad\r\n\r\n', /does not speak https \(/],
    ])('what listens %s', async ([, url, greeting, error], { install, push }) => {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.end(greeting))
      })
      await push({ webhook: { url: url(await portOf(server)) } })
      expect((await install()).body.delivery.attempts[0].error).toMatch(error)
      server.close()
    })
  })

  describe('with a window', () => {
    test.override({ settings: { ackWindow: '50ms' } })

    test('no answer in time', async ({ app, install }) => {
      app.neverAnswers()
      expect((await install()).body.delivery.attempts[0].error).toBe(
        'no response within 50ms (ack_window): respond with 200 first, and do the work afterwards',
      )
    })
  })

  describe('under a fault', () => {
    test.for<[effect: unknown, status: number, reason: string, error: string | null]>([
      [
        'bad_signature',
        401,
        'Injected fault: bad_signature; the app answered 401, as it should: the webhook was forged',
        '',
      ],
      ['altered_body', 500, 'Injected fault: altered_body; the app answered 500', ''],
      ['replay', 409, 'Injected fault: replay; the app answered 409', ''],
      ['lose_ack', 200, 'Injected fault: lose_ack; the response was lost on its way', ''],
      ['drop', 200, 'Injected fault: drop; nothing was sent', ''],
      ['bad_signature', 200, 'Injected fault: bad_signature', null],
    ])('%j, answered %i', async ([effect, status, reason, error], { app, call, fault, install }) => {
      app.answers(status)
      const { id } = (await fault(effect)).body
      const { delivery } = (await install()).body
      expect(delivery.attempts[0]).toMatchObject({ fault: id, error: error === null ? null : reason })
      await call(`/_admin/faults/${id}`, { method: 'DELETE' })
      if (effect === 'drop') return
      expect((await call('/_admin/requests?surface=webhook')).body.data[0]).toMatchObject({ fault: id, reason })
    })

    test('one that only postponed it', async ({ app, advance, call, fault, install }) => {
      app.answers(404)
      await fault({ delay: '5s' })
      await install()
      await advance('5s')
      const [entry] = (await call('/_admin/requests?surface=webhook')).body.data
      expect(entry.reason).toMatch(/^Injected fault: delay; the app answered 404; the program at /)
    })
  })
})

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
