import { request } from 'node:http'
import { describe, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { type Received, startReceiver } from '../harness/receiver.js'

/** Minutes. */
const MONTH = 30 * 24 * 60 + 17

/** Makes the machine's clock go wrong by some minutes, before anything of the emulator is loaded. */
const shiftedClock = (minutes: number) => {
  const script = `const Real = Date, ahead = ${minutes * 60_000}
    globalThis.Date = class extends Real {
      constructor(...given) { given.length ? super(...given) : super(Real.now() + ahead) }
      static now() { return Real.now() + ahead }
    }`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` }
}

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Returns the raw response (status line, headers in order, body), or the error code if the connection failed. */
function answerOf(port: number, { method = 'GET', path, headers = {}, body }: Call): Promise<string> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
    sent.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const lines = [`${response.statusCode} ${response.statusMessage}`]
      for (let index = 0; index < response.rawHeaders.length; index += 2) {
        lines.push(`${response.rawHeaders[index]}: ${response.rawHeaders[index + 1]}`)
      }
      resolve([...lines, '', Buffer.concat(chunks).toString('latin1')].join('\n'))
    })
    sent.end(body)
  })
}

const json = (method: string, path: string, value?: unknown, headers: Record<string, string> = {}): Call => ({
  method,
  path,
  headers: { ...headers, ...(value !== undefined && { 'Content-Type': 'application/json' }) },
  ...(value !== undefined && { body: JSON.stringify(value) }),
})

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\n\n') + 2))
const headerOf = (answer: string, name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(answer)?.[1] ?? ''

/** A long day of an app and its tests. @returns every answer, in order. */
async function live(port: number, webhook: string): Promise<string[]> {
  const answers: string[] = []
  const send = async (call: Call) => {
    const answer = await answerOf(port, call)
    answers.push(`${call.method ?? 'GET'} ${call.path}\n${answer}`)
    return answer
  }
  const admin = (method: string, path: string, value?: unknown) => send(json(method, `/_admin${path}`, value))
  const api = (path: string, token: string, how: Partial<Call> = {}) =>
    send({ path, ...how, headers: { Authorization: `Bearer ${token}`, ...how.headers } })
  const form = (fields: Record<string, string>) =>
    send({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: 'app_notes', client_secret: 'notes_secret', ...fields }).toString(),
    })

  // Control: what people make.
  await admin('POST', '/organizations', { slug: 'hooli', name: 'Hooli' })
  const user = bodyOf(await admin('POST', '/users', { email: 'gavin@hooli.test', first_name: 'Gavin' }))
  await admin('PUT', `/organizations/hooli/members/${user.id}`, { role: 'owner' })
  const { api_key: key } = bodyOf(await admin('POST', '/organizations/hooli/api-key'))
  await admin('POST', '/fixtures', {
    organizations: [
      { slug: 'made', courses: [{ name: 'C', modules: [{ name: 'M', elements: [{ type: 'QUIZ', name: 'Q' }] }] }] },
    ],
  })
  const manifest = {
    id: 'notes',
    name: 'Notes',
    version: '1.0.0',
    permissions: ['elements:read', 'courses:read', 'openid', 'profile', 'email'],
    oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
    webhook: { url: webhook },
  }
  await admin('PUT', '/apps/notes/manifest', manifest)
  await admin('POST', '/apps', { manifest: { ...manifest, id: 'other' } })

  // Webhooks with retries, faults with a count, a redelivery.
  await admin('POST', '/faults', { match: { surface: 'webhook' }, effect: 'bad_signature', times: 1 })
  const { installation, credentials } = bodyOf(
    await admin('POST', '/installations', { app: 'notes', organization: 'hooli' }),
  )
  await admin('POST', '/clock/advance', { by: '10s' })
  await admin('POST', '/clock/advance', { by: '100s' })
  const event = bodyOf(
    await admin('POST', '/events', { type: 'lesson.done', installation: installation.id, data: { id: 7 } }),
  )
  await admin('POST', `/deliveries/${event.id}/redeliver`)
  await admin('GET', '/deliveries')

  // CRUD on /v0, and what it refuses.
  const { id: module } = bodyOf(await api('/v0/modules', 'key_acme')).payload.data[0]
  for (const type of ['CONTENT', 'QUIZ', 'SURVEY', 'FORM', 'CHECKLIST']) {
    const question =
      type === 'QUIZ'
        ? { answers: [{ text: 'Yes', is_correct: true }] }
        : type === 'SURVEY'
          ? { options: [{ text: 'a' }, { text: 'b' }] }
          : type === 'FORM'
            ? { type: 'TEXT' }
            : {}
    const properties = type === 'CONTENT' ? {} : { questions: [{ text: 'Why?', ...question }] }
    const made = await send(
      json('POST', '/v0/elements', { module, type, name: type, properties }, { Authorization: 'Bearer key_acme' }),
    )
    const { id } = bodyOf(made).payload
    await send(
      json('PATCH', `/v0/elements/${id}`, { position: 0, name: `${type} first` }, { Authorization: 'Bearer key_acme' }),
    )
    if (type === 'FORM') await api(`/v0/elements/${id}`, 'key_acme', { method: 'DELETE' })
  }
  await api('/v0/elements', 'key_acme')
  await send(json('POST', '/v0/elements/search', { q: 'first' }, { Authorization: 'Bearer key_acme' }))
  await send(json('POST', '/v0/elements', { type: 'NOPE' }, { Authorization: 'Bearer key_acme' }))
  await api('/v0/courses/nope', key)
  await api('/v0/courses', 'nobody')
  await api('/v0/members', credentials.access_token)
  await send({ path: '/v0/courses', method: 'DELETE' })
  await admin('POST', '/faults', { match: { surface: 'api' }, effect: 'rate_limited', times: 2, after: 1 })
  for (let n = 0; n < 4; n++) await api('/v0/courses', credentials.access_token)
  await admin('POST', '/faults', { match: { surface: 'api' }, effect: 'unavailable', probability: 0.5, times: 3 })
  for (let n = 0; n < 8; n++) await api('/v0/courses', credentials.access_token)
  await admin('POST', '/faults', { match: { surface: 'api' }, effect: { connection: 'reset' }, times: 1 })
  for (let n = 0; n < 2; n++) await api('/v0/courses', credentials.access_token)
  await admin('GET', '/faults')

  // Sign-in with codes and id_tokens, asked and silent; pages; keys.
  const { cookie } = bodyOf(await admin('POST', '/sessions', { user: 'gavin@hooli.test' }))
  const Cookie = `${cookie.name}=${cookie.value}`
  const authorize = (more: Record<string, string>) =>
    `/oauth/authorize?${new URLSearchParams({
      client_id: 'app_notes',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: 'http://localhost:3000/callback',
      state: 'a state of some length',
      nonce: 'n-0',
      ...more,
    })}`
  await send({ path: authorize({}), headers: { Cookie } })
  await send({ path: authorize({ prompt: 'none' }) })
  await send({ path: authorize({ prompt: 'none', scope: 'openid courses:write' }), headers: { Cookie } })
  for (const rotate of [false, true, false]) {
    if (rotate) await admin('POST', '/keys/rotate', {})
    const callback = new URL(
      headerOf(await send({ path: authorize({ prompt: 'none' }), headers: { Cookie } }), 'location'),
    )
    const code = callback.searchParams.get('code') ?? ''
    const exchanged = await form({
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'http://localhost:3000/callback',
    })
    expect(bodyOf(exchanged).id_token).toMatch(/^eyJ/)
    await form({ grant_type: 'authorization_code', code, redirect_uri: 'http://localhost:3000/callback' })
    await api('/v0/courses', bodyOf(exchanged).access_token)
  }
  await admin('POST', '/faults', { match: { surface: 'id_token' }, effect: 'bad_signature', times: 1 })
  await send({ path: '/.well-known/openid-configuration' })
  await send({ path: '/.well-known/jwks.json' })
  await send({ path: '/login' })
  await send({ path: '/', headers: { Cookie } })
  await send({
    path: '/login',
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'user=ada',
  })

  // Tokens: expired, refreshed, used twice, minted, revoked; snapshots and resets on the way.
  await admin('POST', '/snapshots', { name: 'noon' })
  await admin('POST', '/tokens/expire', { organization: 'hooli', kind: 'access' })
  await api('/v0/courses', credentials.access_token)
  await form({ grant_type: 'refresh_token', refresh_token: credentials.refresh_token })
  await form({ grant_type: 'refresh_token', refresh_token: credentials.refresh_token })
  await admin('POST', '/snapshots/noon/restore')
  await form({ grant_type: 'refresh_token', refresh_token: credentials.refresh_token })
  await admin('POST', '/tokens', { app: 'notes', organization: 'hooli', user: user.id })
  await admin('POST', '/tokens/revoke', { organization: 'hooli' })
  await admin('PUT', '/apps/notes/manifest', { ...manifest, version: '2.0.0' })
  const upgraded = bodyOf(await admin('POST', `/installations/${installation.id}/upgrade`, {}))
  await admin('POST', '/scenarios', {
    steps: [
      { request: { path: '/v0/courses', as: 'acme' }, expect: { status: 200 } },
      { expect_requests: { count: 0 } },
    ].map((step, index) => ({ name: `step${index}`, ...step })),
    from: 'current',
  })
  await admin('DELETE', `/installations/${upgraded.installation.id}`)

  // Everything that is remembered of all that.
  await admin('GET', '/clock')
  await admin('GET', '')
  await admin('GET', '/tokens')
  await admin('GET', '/sessions')
  await admin('GET', '/installations')
  await admin('GET', '/deliveries')
  await admin('GET', '/findings')
  await admin('GET', '/requests')
  await admin('GET', '/state')
  await admin('POST', '/reset')
  await admin('GET', '/state')
  return answers
}

/** A webhook as it arrived. */
const arrived = ({ method, path, headers, raw }: Received) => ({ method, path, headers, raw: raw.toString('latin1') })

describe('wire §1 "seed": the same calls, a month apart, in two processes', () => {
  test('are answered byte for byte the same, and so are the webhooks', async ({ start }) => {
    const port = await freePort()
    const receiver = await startReceiver()
    let count = 0
    receiver.handles((_, response) => {
      response.sendDate = false
      // The first two attempts of the first event fail.
      response.writeHead(++count <= 2 ? 503 : 200).end()
    })
    const flags = [
      '--seed',
      'twice',
      '--now',
      '2026-01-01T00:00:00Z',
      '--port',
      String(port),
      '--store',
      'memory',
      '--quiet',
    ]
    const runs: { answers: string[]; webhooks: object[]; offset: number }[] = []
    for (const minutes of [0, MONTH]) {
      count = 0
      receiver.forget()
      const emulator = await start(flags, { env: shiftedClock(minutes) })
      const answers = await live(port, receiver.url)
      const { offset } = bodyOf(await answerOf(port, json('POST', '/_admin/clock/resume')))
      runs.push({ answers, webhooks: receiver.received().map(arrived), offset })
      await emulator.stop()
    }
    const minutesApart = (runs.map(({ offset }) => offset).reduce((one, other) => one - other) / 60_000) | 0
    expect(minutesApart).toBe(MONTH)
    const [first, second] = runs as [(typeof runs)[0], (typeof runs)[0]]
    expect(first.answers.length).toBeGreaterThan(90)
    expect(first.webhooks.length).toBeGreaterThan(5)
    // An id_token's warning says how far the machine's clock is.
    const steady = (answer = '') => answer.replaceAll(/ is \d+ days in the past/g, ' is a while in the past')
    for (const [index, answer] of first.answers.entries()) expect(steady(second.answers[index])).toBe(steady(answer))
    expect(second.webhooks).toEqual(first.webhooks)
    expect(first.answers.every((answer) => /\ndate: |\nECONNRESET$/i.test(answer))).toBe(true)
  })
})
