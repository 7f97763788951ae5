import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'
import { processorTimeOf } from '../harness/resources.js'

/** Sends headers and the beginning of a body, and never the rest. */
const announce = (url: string, headers: Record<string, string>): Promise<{ status: number; connection: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers })
    sent.on('error', reject)
    sent.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, connection: String(response.headers.connection) })
      sent.destroy()
    })
    sent.write('[')
  })

/** Sends bytes on a connection of their own. @returns what comes back until it closes. */
const sendBytes = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket
      .on('data', (chunk) => {
        text += chunk
      })
      .on('close', () => resolve(text))
      .on('error', reject)
  })

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('what is cheap is judged before a byte of the body is read', () => {
  const huge = { 'content-type': 'application/json', 'content-length': String(400 * 1024 * 1024) }

  test.for([
    ['/_admin/state', { origin: 'http://evil.test' }, 403],
    ['/_admin/state', { host: 'evil.test' }, 403],
    ['/v0/elements', { authorization: 'Bearer nobody' }, 401],
    ['/v0/elements', { authorization: 'Bearer nobody', 'content-length': '1000' }, 401],
    ['/v0/elements', { authorization: 'Bearer key_acme' }, 413],
    ['/oauth/token', {}, 413],
  ] as [string, Record<string, string>, number][])(
    'POST %s with %j: %i',
    async ([path, headers, status], { emulator }) => {
      const answer = await announce(emulator.url + path, { ...huge, ...headers })
      expect(answer).toEqual({ status, connection: 'close' })
    },
  )

  test.for([
    ['of a known length', 64 * 1024, 401],
    ['of a known length', 64 * 1024 + 1, 413],
    ['in chunks', 64 * 1024, 401],
    ['in chunks', 64 * 1024 + 1, 413],
  ] as const)('a form %s of %i bytes: %i', async ([how, size, status], { emulator }) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(how === 'of a known length' && { 'content-length': String(size) }),
    }
    const sent = request(`${emulator.url}/oauth/token`, { method: 'POST', headers })
    const answered = once(sent, 'response')
    sent.write('grant_type=refresh_token&refresh_token=')
    sent.end('x'.repeat(size - 39))
    const [answer] = (await answered) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(status)
  })

  test('a body over the limit is answered while it is still being sent', async ({ call }) => {
    const raw = new Uint8Array(11 * 1024 * 1024).fill(32)
    const headers = { 'content-type': 'application/json' }
    const answer = await call('/v0/elements', { raw, headers, as: 'key_acme' })
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject({ payload: null })
  })
})

/** A request that says nothing about itself but what its connection needs. */
const bare = (target: string, ...headers: string[]) =>
  [`${target} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n')

describe('a request that leaves out what others say', () => {
  test.for([
    ['/v0/elements', 'authorization: Bearer key_acme', 'HTTP/1.1 415 ', 'The body must be JSON in UTF-8'],
    ['/oauth/token', 'x-nothing: true', 'HTTP/1.1 400 ', 'The body must be application/x-www-form-urlencoded in UTF-8'],
  ] as const)('the type of a body for %s', async ([path, header, status, text], { emulator }) => {
    const answer = await sendBytes(emulator.url, `${bare(`POST ${path}`, header, 'content-length: 2')}{}`)
    expect(answer.slice(0, status.length)).toBe(status)
    expect(answer).toContain(text)
  })

  test.for([
    ['http://localhost', 200],
    ['http://localhost?q=1', 200],
    ['http://localhost/nowhere', 404],
    ['HTTP://localhost/v0/courses?page_size=1', 401],
    ['*', 404],
    ['ftp://localhost/', 404],
  ] as const)('the path, or has it in absolute form: %s is %i', async ([target, status], { emulator }) => {
    const answer = await sendBytes(emulator.url, bare(`GET ${target}`))
    expect(Number(answer.split(' ', 2)[1])).toBe(status)
    // Not the page of the framework below, which is `<!DOCTYPE html>`.
    expect(answer).toMatch(status === 401 ? /"payload":null/ : /<!doctype html>/)
  })
})

describe('a body with a Content-Encoding is refused in the form of its surface: 415, at the token endpoint 400', () => {
  const message = (coding: string) =>
    `Content-Encoding ${coding} is not supported: send the body uncompressed, without this header`
  test.for([
    ['/v0/elements/search', 'gzip', 415, { error: message('gzip'), payload: null }],
    ['/_admin/users', 'br', 415, { status: 415, detail: message('br') }],
    ['/oauth/token', 'utf-8', 400, { error: 'invalid_request', error_description: message('utf-8') }],
  ] as const)('%s, %s', async ([path, coding, status, body], { call }) => {
    const type = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = { 'content-type': type, 'content-encoding': coding }
    const answer = await call(path, { raw: gzipSync('{}'), headers, method: 'POST', as: 'key_acme' })
    expect(answer).toMatchObject({ status, body })
    const plain = { ...headers, 'content-encoding': 'Identity' }
    expect((await call(path, { raw: '{}', headers: plain, method: 'POST', as: 'key_acme' })).body).not.toEqual(
      answer.body,
    )
  })

  test('a form of a page with one is no form', async ({ call }) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    const { status, body } = await call('/login', { raw: gzipSync('user=ada'), headers })
    expect(status).toBe(400)
    expect(body).toContain('This address accepts only forms sent from its own pages.')
  })

  test('where no body is sent, the header says nothing', async ({ call }) => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await call('/v0/elements/search', { headers, method: 'POST', as: 'key_acme' })).status).toBe(200)
  })
})

describe('wire §2 "shape of a body"', () => {
  test.for([
    ['POST', '/v0/elements', 'application/json'],
    ['POST', '/_admin/fixtures', 'application/json'],
    ['PUT', '/_admin/state', 'application/json'],
    ['POST', '/_inbox/deep', 'application/json'],
  ])('%s %s nested 6,000 levels deep: 400', async ([method, path, type], { call }) => {
    const answer = await call(path as string, {
      method: method as string,
      raw: nested(6000),
      headers: { 'content-type': type as string },
      as: 'key_acme',
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('more than 100 levels')
    expect((await call('/_admin/inboxes/deep')).body.data).toEqual([])
    expect((await call('/_admin/requests')).status).toBe(200)
  })

  test('100 levels pass, in texts any number', async ({ call }) => {
    const body = { q: `"${nested(500)}` }
    expect((await call('/v0/elements/search', { body, as: 'key_acme' })).status).toBe(200)
    const deep = await call('/_inbox/fine', { raw: nested(100), headers: { 'content-type': 'application/json' } })
    expect(deep.status).toBe(200)
  })

  test('a number too large for a double is called so', async ({ call }) => {
    const headers = { 'content-type': 'application/json' }
    const { body } = await call('/v0/elements/essay', {
      method: 'PATCH',
      raw: '{"position":1e999}',
      headers,
      as: 'key_acme',
    })
    const message = 'must be a number, not a number too large for a double'
    expect(body.details).toEqual([{ path: 'position', message }])
  })

  test('at most 100 issues are listed, then how many more there are', async ({ call }) => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, 1]))
    const body = { module: 'module1', name: 'A', type: 'CONTENT', properties }
    const { status, body: answer, text } = await call('/v0/elements', { body, as: 'key_acme' })
    expect(status).toBe(400)
    expect(answer.details).toHaveLength(101)
    expect(answer.details.at(-1)).toEqual({ path: '', message: 'and 4900 more' })
    expect(text.length).toBeLessThan(50_000)
    const first = Object.fromEntries(Object.entries(properties).slice(0, 100))
    const { details } = (await call('/v0/elements', { body: { ...body, properties: first }, as: 'key_acme' })).body
    expect(details).toHaveLength(100)
  })

  // zod throws from some hundred thousand issues within an item.
  const option = { text: 'Yes' }
  const options = [...Array(20_000).fill(option), ...Array(150_000).fill(1)]
  const questions = [{ type: 'MULTIPLE_CHOICE', text: 'Which?', options }]
  const course = { name: 1, status: 1, cover: 1, currency: 1, price: '1', availability: 1, visibility: 1, url: 1 }

  test.for<[path: string, body: object, issue: object]>([
    [
      '/v0/elements',
      { module: 'module1', name: 'A', type: 'FORM', properties: { questions } },
      { path: 'properties.questions', message: 'there are too many issues to list' },
    ],
    [
      '/_admin/fixtures',
      { organizations: [{ slug: 'neo', name: 'Neo', courses: Array(20_000).fill(course) }] },
      { path: '', message: 'there are too many issues to list' },
    ],
  ])('more issues than can be counted are one, in POST %s', async ([path, body, issue], { call }) => {
    const { status, body: refused } = await call(path, { body, as: 'key_acme' })
    expect(status).toBe(400)
    expect(refused.details ?? refused.errors).toEqual([issue])
  })

  test.for<[path: string, body: object]>([
    ['/v0/elements', { module: 'module1', name: 'A', type: 'FORM', properties: { questions: Array(150_000).fill(1) } }],
    ['/_admin/faults', { effect: { omit: Array(150_000).fill(1) } }],
  ])(
    'of an array with too many issues the first 20,000 items are checked, in POST %s',
    async ([path, body], { call }) => {
      const { status, body: refused } = await call(path, { body, as: 'key_acme' })
      expect(status).toBe(400)
      expect((refused.details ?? refused.errors).at(-1)).toEqual({ path: '', message: 'and 19900 more' })
    },
  )

  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`${'x'.repeat(50)}${n}`, 1]))
  const matchers = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`$${'x'.repeat(50)}${n}`, 1]))

  test.for<[path: string, body: object]>([
    ['/v0/elements', { module: 'module1', name: 'A', type: 'QUIZ', properties: many }],
    ['/_admin/scenarios', { steps: [many] }],
    ['/_admin/scenarios', { steps: [{ request: { path: '/v0' }, expect: { body: matchers } }] }],
  ])('hints stop with the list, for 100,000 unknown keys of POST %s', async ([path, body], { call }) => {
    await call(path, { body: {}, as: 'key_acme' })
    const unchecked = await processorTimeOf(() => call('/_inbox/unchecked', { body }))
    const checked = await processorTimeOf(async () => {
      const refused = await call(path, { body, as: 'key_acme' })
      const listed = refused.body.details ?? refused.body.errors
      expect(listed.at(-1)).toEqual({ path: '', message: 'and 99900 more' })
    })
    expect(checked).toBeLessThan(10 * unchecked)
  })

  test('of 1,000 ignored fields the journal lists 100', async ({ call }) => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`field${n}`, 1]))
    await call('/v0/elements', { body: { ...many, module: 'module1', name: 'A', type: 'CONTENT' }, as: 'key_acme' })
    const [entry] = (await call('/_admin/requests?surface=api')).body.data
    expect(entry.status).toBe(200)
    expect(entry.warnings).toHaveLength(100)
  })

  test('a form of more than 1,000 parameters', async ({ call }) => {
    const form = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`n${n}`, '1']))
    const answer = await call('/oauth/token', { form })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'invalid_request' })
  })
})

describe('what is kept is bounded', () => {
  test('the journal keeps 64 KB of a body, with its true length, and no secret of it', async ({ call }) => {
    const body = { access_token: 'at_secret', filler: 'x'.repeat(200_000) }
    await call('/_inbox/big', { body })
    await call('/v0/elements', { body, as: 'key_acme' })
    const [entry] = (await call('/_admin/requests?surface=api')).body.data
    expect(entry.request.length).toBe(JSON.stringify(body).length)
    expect(entry.request.body.length).toBeLessThan(70_000)
    expect(entry.request.body).toContain('"access_token":"[redacted]"')
    expect(JSON.stringify(entry)).not.toContain('at_secret')
  })

  test('a body of backslashes is shown as soon as any other', async ({ call }) => {
    const raw = `${'\\'.repeat(63_000)}"${'a'.repeat(9000)}`
    await call('/_inbox/slow', { raw, headers: { 'content-type': 'application/json' } })
    const time = await processorTimeOf(async () => expect((await call('/_admin/requests')).status).toBe(200))
    expect(time).toBeLessThan(3000)
  })
})

test('what answers GET answers HEAD, and Allow says so', async ({ call }) => {
  const answer = await call('/v0/courses', { method: 'DELETE', as: 'key_acme' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
})

test('a name in a path whose percent-encoding is not valid is 400', async ({ call }) => {
  const message = 'The path is not valid percent-encoding'
  for (const name of ['%zz', '%E0%A4']) {
    expect(await call(`/v0/courses/${name}`)).toMatchObject({ status: 400, body: { error: message, payload: null } })
    expect(await call(`/_admin/apps/${name}`)).toMatchObject({ status: 400, body: { detail: message } })
  }
})

test('JSON is never taken for anything else', async ({ call }) => {
  expect((await call('/v0/courses', { as: 'key_acme' })).headers.get('x-content-type-options')).toBe('nosniff')
})

test("wire §1: Date is the emulator's clock, on every surface", async ({ call }) => {
  for (const path of ['/v0/courses', '/.well-known/jwks.json', '/login', '/_admin/clock', '/_inbox/any', '/nowhere']) {
    expect((await call(path)).headers.get('date'), path).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
  }
  await call('/_admin/clock/advance', { body: { by: '30d' } })
  expect((await call('/v0/courses')).headers.get('date')).toBe('Sat, 31 Jan 2026 00:00:00 GMT')
})

describe('RFC 9112 §3.2: more than one Host is 400', () => {
  test.for(['/v0/courses', '/oauth/token', '/login', '/_admin/clock', '/_inbox/any', '/healthz'])(
    '%s',
    async (path, { emulator }) => {
      const { host } = new URL(emulator.url)
      const answer = await sendBytes(
        emulator.url,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nhost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect(answer).toContain('The request has more than one Host header')
    },
  )
})

describe('wire §2 "two answers": Node gives them without an envelope, by the time of the machine', () => {
  test.for([
    ['400 Bad Request', 'GET /v0/courses HTTP/1.1\r\nno colon\r\n\r\n'],
    ['400 Bad Request', 'GET /v0/courses HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['431 Request Header Fields Too Large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['417 Expectation Failed', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n'],
  ])('%s', async ([status, bytes], { emulator, call }) => {
    const answer = await sendBytes(emulator.url, bytes as string)
    const [head = '', body] = answer.split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
    expect(body).not.toContain('{')
    // The emulator's clock stands at the beginning of 2026.
    expect(head).not.toContain('Date: Thu, 01 Jan 2026')
    expect((await call('/_admin/requests')).body.data).toEqual([])
  })
})
