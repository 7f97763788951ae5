import { once } from 'node:events'
import { request as requestTo } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { processorTimeOf } from '../harness/resources.js'
import { serve } from '../harness/serve.js'
import { test } from '../harness/webhook-test.js'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2])
const KEPT = 64 * 1024
const bomb = gzipSync('y'.repeat(1024 * 1024 + 1))

describe('control-api "Journal": bodies', () => {
  test.for<[type: string | undefined, raw: string | Uint8Array<ArrayBuffer>, shown: unknown, length: number]>([
    ['text/plain', 'naïve', 'naïve', 6],
    ['text/html; charset=utf-8', '<h1>No</h1>', '<h1>No</h1>', 11],
    ['application/xml', '<a>1</a>', '<a>1</a>', 8],
    ['application/atom+xml', '<a>1</a>', '<a>1</a>', 8],
    ['application/json', '{"a":1}', { a: 1 }, 7],
    ['application/problem+json', '{"a":', '{"a":', 5],
    ['application/x-www-form-urlencoded', 'a=1&b=2', { a: '1', b: '2' }, 7],
    ['application/x-www-form-urlencoded', 'a=1&code=s3cret&a=2', 'a=1&code=%5Bredacted%5D&a=2', 19],
    [undefined, Buffer.from('naïve'), 'naïve', 6],
    [undefined, Buffer.from('{"a":1}'), { a: 1 }, 7],
    [undefined, PNG, '[11 bytes of unknown type]', 11],
    ['image/png', PNG, '[11 bytes of image/png]', 11],
    ['application/octet-stream', Buffer.from('text'), '[4 bytes of application/octet-stream]', 4],
  ])('%s %j is kept as text, or by length and type', async ([type, raw, shown, length], { call }) => {
    await call('/_inbox/box', { raw, headers: type === undefined ? {} : { 'content-type': type } })
    const { request } = (await call('/_admin/requests?surface=inbox')).body.data[0]
    expect(request).toMatchObject({ body: shown, length })
  })

  test('of a longer one the first 64 KB, in whole characters, and its true length', async ({ call }) => {
    await call('/_inbox/box', { raw: `x${'é'.repeat(50_000)}`, headers: { 'content-type': 'text/plain' } })
    const { request } = (await call('/_admin/requests?surface=inbox')).body.data[0]
    expect(request.length).toBe(100_001)
    expect(request.body).toBe(`x${'é'.repeat((KEPT - 2) / 2)}`)
  })

  test.for([
    ['/v0/elements/search', 'wrong', 401, 100_000, 'y'.repeat(KEPT)],
    ['/v0/nothing', 'key_acme', 404, 100_000, 'y'.repeat(KEPT)],
    ['/oauth/token', undefined, 413, 100_000, '[100000 bytes of application/json]'],
  ] as const)(
    'of a request to %s as %s, which is refused with %i',
    async ([path, as, status, length, shown], { call }) => {
      const headers = { 'content-type': 'application/json' }
      expect((await call(path, { as, method: 'POST', raw: 'y'.repeat(length), headers })).status).toBe(status)
      const { request, reason } = (await call('/_admin/requests')).body.data[0]
      expect(request).toMatchObject({ body: shown, length })
      if (status === 413) expect(reason).toBe('The body is larger than 64 KB')
    },
  )

  test('of a refused request that sends the rest later, what has come', async ({ call, emulator }) => {
    const headers = { authorization: 'Bearer wrong', 'content-length': 1_000_000 }
    const sending = requestTo(`${emulator.url}/v0/elements/search`, { method: 'POST', headers })
    sending.on('error', () => undefined).write('begun')
    const [{ statusCode }] = await once(sending, 'response')
    sending.destroy()
    expect(statusCode).toBe(401)
    const [entry] = (await call('/_admin/requests')).body.data
    expect(entry.request).toMatchObject({ body: 'begun', length: 1_000_000 })
  })

  test.for<[type: string, body: string | Uint8Array, shown: unknown, length: number]>([
    ['text/html', `<h1>Boom</h1>${'.'.repeat(20_000)}`, `<h1>Boom</h1>${'.'.repeat(20_000)}`, 20_013],
    ['text/plain', 'y'.repeat(70_000), 'y'.repeat(KEPT), 70_000],
    ['text/plain', 'y'.repeat(2_000_000), 'y'.repeat(KEPT), 2_000_000],
    ['image/png', PNG, '[11 bytes of image/png]', 11],
  ])(
    'what an app answers to a webhook: %s',
    async ([type, body, shown, length], { app, call, install, deliveries }) => {
      app.handles((_, response) => {
        response.writeHead(500, { 'content-type': type, 'content-length': length }).end(body)
      })
      await install()
      const { response } = (await call('/_admin/requests?surface=webhook')).body.data[0]
      expect(response.length).toBe(length)
      expect(response.body).toBe(shown)
      expect((await deliveries())[0].attempts[0].response.body).toBe(shown)
    },
  )

  test.for<[type: string, coding: string, raw: Buffer, shown: unknown, length: number]>([
    ['application/json', 'gzip', gzipSync('{"a":1}'), { a: 1 }, 7],
    ['application/json', 'GZIP', gzipSync('{"code":"s3cret"}'), { code: '[redacted]' }, 17],
    ['text/plain', 'x-gzip', gzipSync('y'.repeat(70_000)), 'y'.repeat(KEPT), 70_000],
    ['text/plain', 'deflate', deflateSync('naïve'), 'naïve', 6],
    ['text/plain; charset=ISO-8859-1', 'br', brotliCompressSync(Buffer.from('naïve', 'latin1')), 'naïve', 6],
    ['text/plain; charset="iso-8859-1"', 'identity', Buffer.from('naïve', 'latin1'), 'naïve', 6],
    ['text/plain;charset=utf-16le', '', Buffer.from('naïve', 'utf16le'), 'naïve', 6],
    ['text/plain;charset=latin1', '', Buffer.alloc(2_000_000, 'é', 'latin1'), 'é'.repeat(KEPT / 2), 3_048_576],
    ['text/plain; charset=klingon', '', Buffer.from('naïve'), 'naïve', 6],
    ['text/plain', 'zstd', Buffer.from('text'), 'text', 4],
    ['text/plain', 'gzip', Buffer.from('text'), 'text', 4],
    ['text/plain', 'gzip', gzipSync('naïve').subarray(0, 20), '[20 bytes of text/plain]', 20],
    ['text/plain', 'gzip', bomb, `[${bomb.length} bytes of text/plain]`, bomb.length],
    ['image/png', 'gzip', gzipSync(PNG), '[11 bytes of image/png]', 11],
  ])(
    'what an app answers to a webhook is decoded: %s in %s',
    async ([type, coding, raw, shown, length], { app, call, install }) => {
      const headers = { 'content-type': type, 'content-encoding': coding, 'content-length': raw.length }
      app.handles((_, response) => void response.writeHead(500, headers).end(raw))
      const [attempt] = (await install()).body.delivery.attempts
      expect(attempt.response.body).toEqual(shown)
      const { response } = (await call('/_admin/requests?surface=webhook')).body.data[0]
      expect(response).toMatchObject({ headers: { 'content-encoding': coding }, body: shown, length })
    },
  )

  test('what an app sends is not decoded', async ({ call }) => {
    const raw = gzipSync('{"a":1}')
    await call('/v0/elements/search', {
      as: 'key_acme',
      method: 'POST',
      raw: new Uint8Array(raw),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    const { request, reason } = (await call('/_admin/requests?surface=api')).body.data[0]
    expect(request.length).toBe(raw.length)
    expect(reason).toBe('Content-Encoding gzip is not supported: send the body uncompressed, without this header')
  })

  test('an answer without a type is text, or JSON', async ({ call, install, push }) => {
    let answer = 'it broke'
    const { url } = await serve((request, response) => {
      request.resume()
      response.writeHead(500).end(answer)
    })
    await push({ webhook: { url: `${url}/` } })
    const { delivery } = (await install()).body
    answer = '{"why":"it broke"}'
    const again = (await call(`/_admin/deliveries/${delivery.id}/redeliver`, { method: 'POST' })).body
    expect(again.attempts.map((attempt: { response: { body: unknown } }) => attempt.response.body)).toEqual([
      'it broke',
      { why: 'it broke' },
    ])
  })

  test.for([
    ['text/html', '<input type="hidden" name="csrf" value="s3cret-value"><b>stays</b>'],
    ['text/html', '<a href="/callback?code=s3cret-value&amp;x=stays">'],
    ['text/plain', 'Authorization: Bearer s3cret-value\nstays'],
    ['text/plain', "{ client_secret: 's3cret-value', name: 'stays' }"],
    ['application/xml', '<t><access_token>s3cret-value</access_token><name>stays</name></t>'],
    ['application/json', '{"name":"stays","access_token":"s3cret-value"'],
    ['application/json', '{"name":"stays","access_token" : "s3cret-value"'],
    ['application/json', '{"name":"stays","access_token":s3cret-value}'],
    ['application/json', `{"name":"stays","body":"{\\"code\\":\\"s3cret-value\\"}"`],
    ['application/json', `{"name":"stays","code":"s3cret-value","filler":"${'x'.repeat(KEPT)}"}`],
    ['application/x-www-form-urlencoded', `name=stays&code=s3cret-value&filler=${'x'.repeat(KEPT)}`],
  ])('a secret is redacted by name in %s: %s', async ([type, raw], { call }) => {
    await call('/_inbox/box', { raw, headers: { 'content-type': type as string } })
    const { text } = await call('/_admin/requests?surface=inbox')
    expect(text).not.toContain('s3cret')
    expect(text).toContain('[redacted]')
    expect(text).toContain('stays')
  })

  test.for([
    ['application/json', '{"error":{"code":"ER_DUP_ENTRY","message":"Duplicate entry"}}'],
    ['application/json', '{"code":500,"password":""}'],
    ['application/json', '{"code":"auth/invalid-email","access_token":null}'],
    ['text/xml', '<Error><Code>AccessDenied</Code></Error>'],
    ['text/plain', 'Request failed with status code: 404'],
    ['text/plain', 'OperationalError: (psycopg2) code=42P01 relation "tokens" does not exist'],
    ['text/plain', 'cannot refresh with token: undefined'],
    ['text/plain', 'cannot refresh with refresh_token=None'],
  ])('the code of an error and a missing value are shown in %s: %s', async ([type, raw], { call }) => {
    await call('/_inbox/box', { raw, headers: { 'content-type': type as string } })
    const { text } = await call('/_admin/requests?surface=inbox')
    expect(text).not.toContain('[redacted]')
  })

  test('a secret that the emulator knows is redacted by value in any text', async ({ call }) => {
    for (const secret of ['key_acme', '\\u006bey_acme'])
      await call('/_inbox/box', { raw: `<p>${secret} stays</p>`, headers: { 'content-type': 'text/html' } })
    const { data } = (await call('/_admin/requests?surface=inbox')).body
    expect(data.map(({ request }: { request: { body: unknown } }) => request.body)).toEqual(
      Array(2).fill('<p>[redacted] stays</p>'),
    )
  })

  test.for([0, 1, 20, 45, 46, 47])(
    'a secret is not shown in part where a long body ends, %i characters into it',
    async (part, { call, install }) => {
      const { access_token: secret } = (await install()).body.credentials
      const text = `${'stays '.repeat(KEPT)}`.slice(0, KEPT - part - 1)
      await call('/_inbox/box', { raw: `${text} ${secret} and more`, headers: { 'content-type': 'text/plain' } })
      const { request } = (await call('/_admin/requests?surface=inbox')).body.data[0]
      expect(request.body.slice(0, KEPT - part - 1)).toBe(text)
      expect(request.body.slice(KEPT - part - 1).trim()).toBe(part < secret.length ? '' : '[redacted]')
    },
  )

  test('the pages of the web app are kept without what their forms carry', async ({ call }) => {
    const { cookie } = (await call('/_admin/sessions', { body: { user: 'ada' } })).body
    const page = await call('/settings/integrations?organization=acme', {
      headers: { cookie: `${cookie.name}=${cookie.value}` },
    })
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] as string
    const { body, text } = await call('/_admin/requests?surface=web')
    expect(body.data.at(-1).response.body).toContain('name="csrf" value="[redacted]"')
    expect(body.data.at(-1).response.length).toBe(Buffer.byteLength(page.text))
    expect(text).not.toContain(csrf)
  })

  test('what makes patterns slow is shown at once', async ({ call }) => {
    const headers = { 'content-type': 'text/plain' }
    for (const raw of ['a', '\\', '"', '\\"', 'a=', '<', ' ', 'name="', '"a":"'])
      await call('/_inbox/box', { raw: raw.repeat(60_000 / raw.length), headers })
    const time = await processorTimeOf(async () =>
      expect((await call('/_admin/requests?surface=inbox')).body.data).toHaveLength(9),
    )
    expect(time).toBeLessThan(5_000)
  })
})
