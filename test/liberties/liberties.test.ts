import { createPublicKey } from 'node:crypto'
import { type Emulator, InvalidOptionsError, type StartOptions, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { libertiesOf, libertyKinds, libertyNames } from '../../src/emulator/world/liberty-names.js'
import { changeManifest } from '../harness/change-manifest.js'
import { type Answer, send, test } from '../harness/emulator-test.js'
import { startReceiver } from '../harness/receiver.js'
import { acme } from '../harness/worlds/acme.js'

const options: StartOptions = { seed: 'same', now: '2026-01-01T00:00:00Z' }

/** Not held against the OpenAPI document here: a test of its own does that. */
const plain = { as: 'key_acme', injected: true }

/** Returns the responses to some requests of an app, without the emulator's address. */
async function answersOf(url: string): Promise<string[]> {
  const answers: Answer[] = []
  for (const path of ['/v0/courses', '/v0/elements', '/v0/elements', '/v0/courses/nowhere', '/.well-known/jwks.json']) {
    answers.push(await send(url + path, plain))
  }
  return answers.map(({ status, headers, text }) =>
    JSON.stringify([status, headers.get('content-encoding'), text.replaceAll(url, '')]),
  )
}

/** Installs the app with the inbox `box` as its webhook. */
const installWithInbox = (emulator: Emulator, announce: boolean) =>
  installWithWebhook(emulator, `${emulator.url}/_inbox/box`, announce)

async function installWithWebhook({ admin }: Emulator, url: string, announce: boolean) {
  await changeManifest(admin, { webhook: { url } })
  return admin.install({ app: 'notes', organization: 'acme', announce })
}

test('unknown-event: an installation that a reset ended gets none', async ({ emulator }) => {
  const receiver = await startReceiver()
  receiver.handles(() => undefined)
  await emulator.admin.setLiberties({ seed: '1', kinds: ['unknown-event'] })
  await changeManifest(emulator.admin, { webhook: { url: receiver.url } })
  const installing = emulator.admin.install({ app: 'notes', organization: 'zenith' }).catch(() => undefined)
  await expect.poll(() => receiver.received()).toHaveLength(1)
  await emulator.admin.reset()
  await installing
  expect(await emulator.admin.listDeliveries()).toEqual([])
})

describe('without a seed', () => {
  test('nothing is taken', async ({ call, emulator }) => {
    await call('/v0/courses', { as: 'key_acme' })
    expect(await emulator.admin.getLiberties()).toEqual({ seed: null, kinds: ['shape'], taken: {} })
    expect((await emulator.admin.listRequests()).some((entry) => 'liberties' in entry)).toBe(false)
  })

  test('an empty one is none', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '' })
    expect(await emulator.admin.getLiberties()).toMatchObject({ seed: null })
  })
})

test('fixtures "A whole world": an export has those that a control call has chosen', async ({ emulator }) => {
  await emulator.admin.setLiberties({ seed: '7', kinds: ['key-order'] })
  const { settings } = await emulator.admin.getState()
  expect(settings).toMatchObject({ liberties: '7', liberty_kinds: ['key-order'] })
  await emulator.admin.putState(await emulator.admin.getState())
  expect(await emulator.admin.getLiberties()).toMatchObject({ seed: '7', kinds: ['key-order'] })
})

describe('a seed', () => {
  test('gives the same answers to the same requests, another one others', async () => {
    await using one = await startEmulator({ ...options, liberties: 7 })
    await using same = await startEmulator({ ...options, liberties: '7' })
    await using other = await startEmulator({ ...options, liberties: '8' })
    const answers = await answersOf(one.url)
    expect(await answersOf(same.url)).toEqual(answers)
    expect(await answersOf(other.url)).not.toEqual(answers)
  })

  test('begins again with a reset', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '7' })
    const before = await answersOf(emulator.url)
    expect(await answersOf(emulator.url)).not.toEqual(before)
    await emulator.admin.reset()
    expect((await emulator.admin.getLiberties()).taken).toEqual({})
    expect(await answersOf(emulator.url)).toEqual(before)
  })

  test.for(['1', '2', '3', '4'])('lists every element once, the newest first (%s)', async (liberties) => {
    await using usual = await startEmulator(options)
    await using free = await startEmulator({ ...options, liberties })
    const read = async (url: string) => {
      const all: { id: string; created_at: string }[] = []
      for (let page: string | null = ''; page !== null; ) {
        const { body } = await send(`${url}/v0/elements${page && `?page=${encodeURIComponent(page)}`}`, plain)
        all.push(...body.payload.data)
        page = body.payload.next
      }
      return all
    }
    const ids = (all: { id: string }[]) => all.map(({ id }) => id).sort()
    const found = await read(free.url)
    expect(ids(found)).toEqual(ids(await read(usual.url)))
    const times = found.map(({ created_at }) => Date.parse(created_at))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  test.for([
    ['once a listing, on a page that is no longer than others', 2, true],
    ['nowhere where pages have room for one', 1, false],
  ] as const)('shows an unknown type %s', async ([, pageSize, isShown]) => {
    await using emulator = await startEmulator({
      ...options,
      pageSize,
      liberties: '7',
      libertyKinds: 'unknown-type',
    })
    const seen: string[] = []
    for (let listing = 0; listing < 8; listing++) {
      for (let page: string | null = ''; page !== null; ) {
        const { body } = await send(`${emulator.url}/v0/elements${page && `?page=${encodeURIComponent(page)}`}`, plain)
        expect(body.payload.data.length).toBeLessThanOrEqual(pageSize)
        seen.push(...body.payload.data.map(({ id, type }: { id: string; type: string }) => `${listing} ${id} ${type}`))
        page = body.payload.next
      }
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.some((each) => each.endsWith('HOLOGRAM'))).toBe(isShown)
  })

  test('shows an unknown type in no search that it does not match', async ({ emulator }) => {
    await emulator.admin.setLiberties({ seed: '7', kinds: ['unknown-type'] })
    const path = '/v0/elements/search'
    const typesOf = async (query: string, body?: object) => {
      const types = new Set<string>()
      for (let n = 0; n < 8; n++) {
        const answer = await send(emulator.url + path + query, { ...plain, method: 'GET', body })
        for (const { type } of answer.body.payload.data) types.add(type)
      }
      return types
    }
    expect(await typesOf('')).toContain('HOLOGRAM')
    expect(await typesOf('?type=CONTENT')).toEqual(new Set(['CONTENT']))
    expect(await typesOf('', { type: 'CONTENT' })).toEqual(new Set(['CONTENT']))
    for (const types of [await typesOf('?q=e'), await typesOf('', { q: 'e' })]) {
      expect(types.size).toBeGreaterThan(0)
      expect(types).not.toContain('HOLOGRAM')
    }
  })

  test('is named in the entries that it touched, and counted', async () => {
    const kinds = ['key-order', 'token-type']
    await using emulator = await startEmulator({ ...options, liberties: '7', libertyKinds: kinds })
    await send(`${emulator.url}/v0/courses`, plain)
    const [entry] = await emulator.admin.listRequests()
    expect(entry?.liberties).toEqual(['key-order'])
    expect(await emulator.admin.getLiberties()).toEqual({ seed: '7', kinds, taken: { 'key-order': 1 } })
  })

  test('leaves the OpenAPI document alone', async () => {
    await using usual = await startEmulator(options)
    await using free = await startEmulator({ ...options, liberties: '7' })
    const document = async (url: string) => (await send(`${url}/v0/openapi.json`)).text.replaceAll(url, '')
    expect(await document(free.url)).toBe(await document(usual.url))
  })

  test('leaves a request alone that an injected fault has met', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '7', libertyKinds: ['shape', 'weather'] })
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: 'rate_limited', times: 1 })
    const { status, body } = await send(`${emulator.url}/v0/courses`, plain)
    expect(status).toBe(429)
    expect(body).toEqual({ error: 'Rate limit exceeded. Please try again later.', payload: null })
    const [entry] = await emulator.admin.listRequests()
    expect(entry?.fault).toBeTruthy()
    expect(entry).not.toHaveProperty('liberties')
  })
})

describe('an injected fault', () => {
  test('goes before the weather, also where it leaves the response of the platform', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '5', libertyKinds: 'hiccup' })
    const { admin, url } = emulator
    await admin.addFault({ match: { surface: 'api' }, effect: { merge: { payload: { merged: true } } } })
    for (let n = 0; n < 20; n++) {
      const { status, body } = await send(`${url}/v0/courses`, plain)
      expect([status, body.payload?.merged]).toEqual([200, true])
    }
    expect((await admin.getLiberties()).taken).toEqual({})
  })

  test('keeps the weather from every event, so that a test of webhooks meets its own faults alone', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '2', libertyKinds: 'duplicate-events' })
    const { admin } = emulator
    const { installation } = await installWithInbox(emulator, false)
    await admin.addFault({ match: { surface: 'webhook', event: 'y' }, effect: 'drop' })
    await admin.sendEvent({ type: 'x', installation: installation.id, data: {} })
    await admin.advanceClock('2h')
    await admin.deliveriesSettled({ timeout: '10s' })
    expect(await admin.readInbox('box')).toHaveLength(1)
    expect((await admin.getLiberties()).taken).toEqual({})
  })
})

describe('liberty_kinds', () => {
  test('takes kinds and ids, and leaves out those with -', async () => {
    await using emulator = await startEmulator({
      ...options,
      pageSize: 5,
      liberties: '7',
      libertyKinds: '-key-order, -more-fields',
    })
    await answersOf(emulator.url)
    const { kinds, taken } = await emulator.admin.getLiberties()
    expect(kinds).toEqual(['-key-order', '-more-fields'])
    const names = Object.keys(taken)
    expect(names.every((name) => libertyKinds[name as 'ids'] === 'shape')).toBe(true)
    expect(names).toContain('page-size')
    expect(names).not.toContain('key-order')
  })

  test.for([
    [
      ['-slow', 'weather'],
      ['hiccup', 'early-end', 'key-rotation', 'duplicate-events', 'reordered-events'],
    ],
    [['aud', '-slow', '-aud', 'claims'], ['claims']],
    [['-shape'], []],
    [[], []],
  ] as [string[], string[]][])('%j leaves out what has -, in any order, and adds nothing', ([words, names]) => {
    expect([...libertiesOf(words)]).toEqual(names)
  })

  test('names what is not one', async () => {
    const start = startEmulator({ libertyKinds: 'shape,colour' })
    await expect(start).rejects.toThrow(InvalidOptionsError)
    await expect(start).rejects.toThrow('libertyKinds "colour" must be shape, weather, future or the id of a liberty')
    const number = startEmulator({ libertyKinds: 3 } as unknown as StartOptions)
    await expect(number).rejects.toThrow('libertyKinds must be a string or an array of strings')
  })
})

describe('the control calls', () => {
  test('set, show and clear; a reset goes back to the beginning of the seed', async ({ emulator, call }) => {
    const { admin } = emulator
    expect(await admin.setLiberties({ seed: '3', kinds: ['timestamps'] })).toMatchObject({ seed: '3', taken: {} })
    await call('/v0/courses', { as: 'key_acme' })
    expect(await admin.getLiberties()).toEqual({ seed: '3', kinds: ['timestamps'], taken: { timestamps: 1 } })
    await admin.reset()
    expect(await admin.getLiberties()).toEqual({ seed: '3', kinds: ['timestamps'], taken: {} })
    expect(await admin.clearLiberties()).toMatchObject({ seed: null })
    await admin.reset()
    expect(await admin.getLiberties()).toEqual({ seed: null, kinds: ['shape'], taken: {} })
  })

  test.for(['', null])('the seed %j is none', async (seed, { emulator: { admin } }) => {
    await admin.setLiberties({ seed: '3' })
    expect(await admin.setLiberties({ seed })).toMatchObject({ seed: null })
  })

  test('a scenario meets them, as after a reset, and leaves them as they were', async ({ emulator: { admin } }) => {
    await admin.setLiberties({ seed: '3', kinds: ['timestamps'] })
    const expected = { status: 200, body: { seed: '3', kinds: ['timestamps'] } }
    const steps = [{ request: { path: '/_admin/liberties' }, expect: expected }]
    expect(await admin.runScenario({ steps })).toMatchObject({ passed: true })
    expect(await admin.getLiberties()).toMatchObject({ seed: '3' })
  })

  test('count nothing once a snapshot without them is restored', async ({ emulator: { admin }, call }) => {
    await admin.snapshot('before')
    await admin.setLiberties({ seed: '3', kinds: ['timestamps'] })
    await call('/v0/courses', { as: 'key_acme' })
    await admin.restoreSnapshot('before')
    expect(await admin.getLiberties()).toEqual({ seed: null, kinds: ['shape'], taken: {} })
  })

  test('are not changed, not even a report that looks like a page of /v0', async ({ emulator: { admin }, call }) => {
    await admin.setLiberties({ seed: '3', kinds: ['ties'] })
    const payload = { data: [...'abcdefgh'].map((id) => ({ id })), next: null }
    const body = { app: 'notes', passed: true, payload }
    expect((await call('/_admin/reports/audit', { method: 'PUT', body })).body).toEqual(body)
  })

  test('refuse kinds that are not there', async ({ call }) => {
    const { status, body } = await call('/_admin/liberties', { method: 'PUT', body: { seed: '1', kinds: ['x'] } })
    expect([status, body.errors[0].path]).toEqual([400, 'kinds'])
  })
})

test('control calls show the page size that is set', async () => {
  for (const liberties of ['1', '2', '3']) {
    await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'page-size' })
    expect((await emulator.admin.world()).settings.page_size).toBe(50)
  }
})

describe('tokens', () => {
  test('are of RFC 6750: 20 to 1,000 characters, with = at the end alone', async () => {
    const tokens: string[] = []
    for (let seed = 1; seed <= 12; seed++) {
      await using emulator = await startEmulator({ ...options, liberties: String(seed), libertyKinds: 'tokens' })
      await emulator.admin.install({ app: 'notes', organization: 'acme', announce: false })
      for (let n = 0; n < 5; n++) {
        const { access_token } = await emulator.admin.mintTokens({ app: 'notes', organization: 'acme' })
        tokens.push(access_token)
        expect((await send(`${emulator.url}/v0/courses`, { ...plain, as: access_token })).status).toBe(200)
      }
    }
    expect(tokens.filter((token) => !/^[\w.~+/-]+=*$/.test(token))).toEqual([])
    expect(tokens.some((token) => /[.~+/].*=$/.test(token))).toBe(true)
    const lengths = tokens.map(({ length }) => length)
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([20, 1000])
  })

  test('are not those of browsers: a session has its usual cookie', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'tokens' })
    const [user] = await emulator.admin.listUsers()
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await send(`${emulator.url}/login`)).text) ?? []
    const { headers } = await send(`${emulator.url}/login`, { form: { csrf, user: user?.id ?? '' } })
    expect(headers.get('set-cookie')).toMatch(/=ses_[\w-]{43};/)
  })

  test('are named by the event that brings them', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'tokens' })
    await installWithInbox(emulator, true)
    expect(await emulator.admin.listRequests({ surface: 'webhook' })).toMatchObject([{ liberties: ['tokens'] }])
  })
})

describe('error-words', () => {
  test('have no comma in a challenge, which clients split there', async ({ emulator: { admin, url } }) => {
    const descriptions: string[] = []
    for (let seed = 1; seed <= 12; seed++) {
      await admin.setLiberties({ seed: String(seed), kinds: ['error-words'] })
      const { headers } = await send(`${url}/v0/courses`, { ...plain, as: 'nobody' })
      descriptions.push(/error_description="([^"]*)"$/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? ',')
    }
    expect(descriptions.filter((each) => each.includes(','))).toEqual([])
    expect(descriptions.some((each) => each.startsWith('D?sol? '))).toBe(true)
  })
})

describe('lists', () => {
  test('have pages of different sizes, sometimes an empty last one, and cursors to encode', async () => {
    const [sizes, ends, cursors]: [boolean[], number[], string[]] = [[], [], []]
    for (const liberties of ['7', '8']) {
      await using emulator = await startEmulator({
        ...options,
        ...{ liberties, pageSize: 4, libertyKinds: 'page-size,cursors' },
      })
      const lengths: number[] = []
      for (let page: string | null = ''; page !== null; ) {
        const { body } = await send(`${emulator.url}/v0/elements${page && `?page=${encodeURIComponent(page)}`}`, plain)
        lengths.push(body.payload.data.length)
        page = body.payload.next as string | null
        if (page) cursors.push(page)
      }
      ends.push(lengths.pop() ?? 0)
      sizes.push(new Set(lengths).size > 1)
      expect(Math.max(...lengths)).toBeLessThanOrEqual(4)
    }
    expect(sizes).toContain(true)
    expect(ends).toContain(0)
    expect(Math.max(...cursors.map(({ length }) => length))).toBeGreaterThan(300)
    expect(cursors.filter(({ length }) => length > 600)).toEqual([])
    expect(cursors.some((cursor) => /[&#+]/.test(cursor) && /[%=? ]/.test(cursor))).toBe(true)
  })

  test('refuse a cursor that was changed', async () => {
    for (const liberties of ['7', '8']) {
      await using emulator = await startEmulator({ ...options, liberties, pageSize: 4, libertyKinds: 'cursors' })
      const read = (query: string) => send(`${emulator.url}/v0/elements${query}`, plain)
      const { next } = (await read('')).body.payload
      expect((await read(`?page=${encodeURIComponent(next)}`)).status).toBe(200)
      expect((await read(`?page=${encodeURIComponent(`${next}0`)}`)).status).toBe(400)
    }
  })

  test.for([
    ['GET', '/v0/elements/search', { q: 'e' }],
    ['POST', '/v0/elements/search', { q: 'e' }],
    ['POST', '/v0/elements/search', {}],
  ] as const)('of a search go on to the empty last page: %s %s %j', async ([method, path, body], { emulator }) => {
    const count = async (seed: string | null) => {
      await emulator.admin.setLiberties({ seed, kinds: ['page-size'] })
      const lengths: number[] = []
      for (let page: string | null = ''; page !== null; ) {
        const query = page && `?page=${encodeURIComponent(page)}`
        const answer = await send(emulator.url + path + query, { ...plain, method, body })
        expect(answer.body.error).toBeNull()
        lengths.push(answer.body.payload.data.length)
        page = answer.body.payload.next
      }
      return { total: lengths.reduce((sum, length) => sum + length), last: lengths.at(-1) }
    }
    const { total } = await count(null)
    const walks: { total: number; last: number | undefined }[] = []
    for (let seed = 1; seed <= 8; seed++) walks.push(await count(String(seed)))
    expect(walks.map((walk) => walk.total)).toEqual(Array(8).fill(total))
    expect(walks.map((walk) => walk.last)).toContain(0)
  })

  test('take the cursor of the empty last page with parameters that are no filter', async ({ emulator }) => {
    await emulator.admin.setLiberties({ seed: '7', kinds: ['page-size'] })
    const read = async (query: string) => (await send(`${emulator.url}/v0/elements?${query}`, plain)).body.payload
    const ends: number[] = []
    for (let walk = 0; walk < 8; walk++) {
      let { data, next } = await read('_=0')
      for (let n = 1; next !== null; n++) ({ data, next } = await read(`_=${n}&page=${encodeURIComponent(next)}`))
      ends.push(data.length)
    }
    expect(ends).toContain(0)
  })

  test('refuse the cursor of the empty last page of another filter', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '7', libertyKinds: 'page-size' })
    const read = (path: string) => send(`${emulator.url}/v0/${path}`, plain)
    const [{ name }] = (await read('elements')).body.payload.data
    const search = `elements/search?q=${encodeURIComponent(name)}`
    let next = null
    for (let n = 0; n < 20 && next === null; n++) next = (await read(search)).body.payload.next
    expect((await read(`${search}&page=${next}`)).body.payload).toEqual({ data: [], next: null })
    expect((await read(`elements/search?page=${next}`)).status).toBe(400)
  })
})

describe('what the owner has written', () => {
  const own = { level: 'beginner', nested: { of: 'any kind' } }
  const world = {
    ...acme,
    organizations: [
      {
        slug: 'acme',
        name: 'Acme Corp',
        api_key: 'key_acme',
        members: [{ user: 'ada', role: 'owner' as const }],
        courses: [
          {
            id: 'course1',
            name: 'Safety',
            metadata: { week: '1' },
            modules: [
              {
                name: 'Week 1',
                elements: [
                  {
                    id: 'essay',
                    type: 'SUBMISSION' as const,
                    name: 'Essay',
                    properties: { questions: [{ id: 'q1', text: 'Why?' }] },
                    activities: [{ id: 'act1', member: 'ada', responses: [{ question: 'q1', value: own }] }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    installations: [],
  }

  test('gets no further fields', async () => {
    await using emulator = await startEmulator({
      ...{ ...options, fixtures: world, liberties: '7', libertyKinds: 'more-fields' },
    })
    const payloadOf = async (path: string) => (await send(`${emulator.url}/v0/${path}`, plain)).body.payload
    expect((await payloadOf('courses/course1')).metadata).toEqual({ week: '1' })
    const activity = await payloadOf('activities/act1')
    expect(Object.keys(activity.meta.responses[0]).length).toBeGreaterThan(2)
    expect(activity.meta.responses[0].value).toEqual(own)
  })
})

test('a further field takes the place of none that is there', async () => {
  await using emulator = await startEmulator({ ...options, liberties: '7', libertyKinds: 'more-fields' })
  const receiver = await startReceiver()
  const { installation } = await installWithWebhook(emulator, receiver.url, false)
  const names = 'revision links locale flags trace source_system etag region _meta x-origin'.split(' ')
  const data = Object.fromEntries(names.map((name) => [name, 'own']))
  await emulator.admin.sendEvent({ type: 'x', installation: installation.id, data })
  expect(receiver.received('x').map(({ body }) => body.data)).toEqual([data])
})

describe('timestamps', () => {
  test('have other forms of the same moment', async () => {
    const timesOf = async (liberties: string) => {
      await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'timestamps' })
      const { data } = (await send(`${emulator.url}/v0/members`, plain)).body.payload
      return data.map(({ created_at }: { created_at: string }) => created_at) as string[]
    }
    const usual = await timesOf('')
    const found = new Set<string>()
    for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const times = await timesOf(seed)
      expect(times.map((time) => new Date(time).toISOString())).toEqual(usual)
      for (const time of times) found.add(time.slice('2026-01-01T00:00:00'.length))
    }
    const forms = [/^\.\d{3}Z$/, /^\.\d{6}/, /^\.\d{1,2}(Z|\+)/, /\d\+00:00$/]
    for (const form of forms)
      expect(
        [...found].some((time) => form.test(time)),
        String(form),
      ).toBe(true)
  })
})

describe('retry-after', () => {
  test('is in seconds, or a date by the clock of the organization', async () => {
    const found: number[] = []
    for (const liberties of ['1', '2']) {
      await using emulator = await startEmulator({ ...options, rateLimit: 1, liberties, libertyKinds: 'retry-after' })
      await emulator.admin.advanceClock('1h', { organization: 'acme' })
      await send(`${emulator.url}/v0/courses`, plain)
      const after = (await send(`${emulator.url}/v0/courses`, plain)).headers.get('retry-after') ?? ''
      found.push(Number(after) || Date.parse(after))
    }
    // A date is a second later, since it has whole seconds.
    expect(found.toSorted()).toEqual([Date.parse('2026-01-01T01:01:01Z'), 60])
  })

  test('of the token endpoint is by the clock of the organization whose token is refreshed', async ({ emulator }) => {
    const { admin, url } = emulator
    const waits = new Set<number>()
    await admin.freezeClock('2026-01-01T00:00:00Z')
    await admin.advanceClock('1h', { organization: 'acme' })
    for (let seed = 1; seed <= 12; seed++) {
      await admin.setLiberties({ seed: String(seed), kinds: ['retry-after', 'hiccup'] })
      const { refresh_token } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
      const form = { grant_type: 'refresh_token', refresh_token, client_id: 'app_notes', client_secret: 'notes_secret' }
      for (let n = 0; n < 4; n++) {
        const { headers } = await send(`${url}/oauth/token`, { form })
        const [after, date] = [headers.get('retry-after'), headers.get('date')]
        if (after?.endsWith('GMT')) waits.add(Date.parse(after) - Date.parse(date ?? ''))
      }
    }
    expect(waits).toEqual(new Set([2000]))
  })
})

describe('keys', () => {
  test('are two to five, of which one signs and others have another use, type or algorithm', async () => {
    const others: string[] = []
    for (const liberties of ['2', '3']) {
      await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'keys' })
      const { keys } = (await send(`${emulator.url}/.well-known/jwks.json`)).body
      expect(keys.length).toBeGreaterThan(1)
      expect(keys.length).toBeLessThan(6)
      for (const key of keys) expect(createPublicKey({ key, format: 'jwk' }).type).toBe('public')
      const isSigning = ({ alg }: { alg: string }) => alg === 'RS256'
      expect(keys.filter(isSigning)).toHaveLength(1)
      for (const { kty, alg, use } of keys.filter((key: { alg: string }) => !isSigning(key)))
        others.push(`${kty} ${alg} ${use}`)
    }
    expect(new Set(others)).toEqual(
      new Set(['OKP EdDSA sig', 'RSA RSA-OAEP-256 enc', 'RSA RS512 sig', 'RSA PS256 sig']),
    )
  })

  test.for(['1', '2', '4'])('have another kid each time that they are made, also after a reset (%s)', async (seed) => {
    await using emulator = await startEmulator({ liberties: seed, libertyKinds: 'keys' })
    const kids = new Set<string>()
    for (let rotation = 0; rotation < 3; rotation++) {
      await emulator.admin.rotateKeys({ retire: true })
      const { keys } = (await send(`${emulator.url}/.well-known/jwks.json`)).body
      kids.add(keys.find(({ alg }: { alg: string }) => alg === 'RS256').kid)
      await emulator.admin.reset()
    }
    expect(kids.size).toBe(3)
  })
})

describe('redirects', () => {
  test('to a page of the platform stay as they are', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'redirects' })
    const query = new URLSearchParams({
      client_id: (await emulator.admin.getApp('notes')).client_id,
      ...{ response_type: 'code', scope: 'openid', state: 'x', redirect_uri: 'http://localhost:3000/callback' },
    })
    const { headers } = await send(`${emulator.url}/oauth/authorize?${query}`)
    const [path, parameters] = (headers.get('location') ?? '').split('?')
    expect(path).toMatch(/^\//)
    expect([...new URLSearchParams(parameters).keys()]).toHaveLength(1)
  })

  test('after an install have a further parameter before the fragment', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'redirects' })
    const { admin } = emulator
    await changeManifest(admin, { post_install_action: { url: 'https://notes.test/setup#top' } })
    const { redirect_url } = await admin.install({ app: 'notes', organization: 'acme', announce: false })
    const { origin, pathname, searchParams, hash } = new URL(String(redirect_url))
    expect([origin + pathname, hash, searchParams.get('organization')]).toEqual([
      'https://notes.test/setup',
      '#top',
      'acme',
    ])
    expect([...searchParams.keys()]).toHaveLength(2)
  })
})

describe('transport', () => {
  test('is not compressed for a client that does not accept it', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'gzip' })
    for (const accepted of ['identity', 'gzip;q=0', 'gzip ; q=0'].flatMap((each) => Array(6).fill(each))) {
      const headers = { 'accept-encoding': accepted }
      const response = await send(`${emulator.url}/v0/courses`, { ...plain, headers })
      expect(response.headers.get('content-encoding'), accepted).toBeNull()
    }
  })

  test('that is compressed says to caches that it varies', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'gzip' })
    const seen = new Set<string>()
    for (let n = 0; n < 6; n++) {
      const { headers } = await fetch(`${emulator.url}/v0/courses`, { headers: { 'accept-encoding': 'gzip' } })
      seen.add(`${headers.get('content-encoding')} ${headers.get('vary')}`)
    }
    expect(seen).toEqual(new Set(['null null', 'gzip Accept-Encoding']))
  })

  test('is not chunked for an error', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'chunked' })
    const lengths = new Set<string | null>()
    for (let n = 0; n < 6; n++) {
      lengths.add((await send(`${emulator.url}/v0/courses`, plain)).headers.get('content-length'))
      expect((await send(`${emulator.url}/v0/courses/none`, plain)).headers.get('content-length')).toMatch(/^\d+$/)
    }
    expect(lengths).toContain(null)
  })

  test('is cut off by a fault, in chunks or not', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '1', libertyKinds: 'chunked' })
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: { connection: 'truncate' } })
    for (let n = 0; n < 6; n++) await expect(send(`${emulator.url}/v0/courses`, plain)).rejects.toThrow('aborted')
  })
})

describe('weather', () => {
  test('ends tokens at most five minutes early, each at a time of its own, as a token ends', async () => {
    const halfway = new Set<number>()
    const early: boolean[] = []
    for (const liberties of ['1', '2', '3', '4']) {
      await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'early-end' })
      const { admin, url } = emulator
      await admin.install({ app: 'notes', organization: 'acme', announce: false })
      const { access_token: as } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
      const read = () => send(`${url}/v0/courses`, { ...plain, as })
      await admin.advanceClock('54m')
      expect((await read()).status).toBe(200)
      await admin.advanceClock('210s')
      halfway.add((await read()).status)
      await admin.advanceClock('149s')
      const { status, headers } = await read()
      expect((await read()).status).toBe(status)
      early.push(status === 401)
      expect(headers.get('www-authenticate') ?? '').toMatch(status === 401 ? /^Bearer .*error="invalid_token"/ : /^$/)
      const { access_token } = await admin.mintTokens({ app: 'notes', organization: 'acme' })
      expect((await send(`${url}/v0/courses`, { ...plain, as: access_token })).status).toBe(200)
    }
    expect(halfway).toEqual(new Set([200, 401]))
    expect(early).toContain(true)
  })

  test('begins again with a reset, also where it came last', async ({ emulator: { admin, url } }) => {
    const first = async () => (await send(`${url}/v0/courses`, plain)).status
    const statuses = new Set<number>()
    for (let seed = 1; seed <= 12; seed++) {
      await admin.setLiberties({ seed: String(seed), kinds: ['hiccup'] })
      const status = await first()
      statuses.add(status)
      await admin.reset()
      expect(await first()).toBe(status)
    }
    expect(statuses.size).toBeGreaterThan(1)
  })

  test('sends an event again at once, or an hour later', async () => {
    const copies: number[][] = []
    for (const liberties of ['1', '2', '5']) {
      await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'duplicate-events' })
      const { admin } = emulator
      const { installation } = await installWithInbox(emulator, false)
      await admin.sendEvent({ type: 'x', installation: installation.id, data: {} })
      const arrived: number[] = []
      for (const by of ['1s', '59m', '2m'] as const) {
        await admin.advanceClock(by)
        await admin.deliveriesSettled({ timeout: '10s' })
        arrived.push((await admin.readInbox('box')).length)
      }
      copies.push(arrived)
    }
    expect(new Set(copies.map(String))).toEqual(new Set(['1,1,1', '2,2,2', '1,1,2']))
  })

  test('holds an event until a later one has overtaken it; the end of an earlier one releases nothing', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '5', libertyKinds: 'reordered-events' })
    const { admin } = emulator
    const receiver = await startReceiver()
    const { installation } = await installWithWebhook(emulator, receiver.url, false)
    const answers: (() => void)[] = []
    receiver.handles(({ body }, response) => {
      const answer = () => void response.writeHead(200).end()
      if (body.data.n === 1) answers.push(answer)
      else answer()
    })
    const sendEvent = (n: number) => admin.sendEvent({ type: 'x', installation: installation.id, data: { n } })
    const first = sendEvent(1)
    await receiver.arrival('x')
    await sendEvent(2)
    answers[0]?.()
    await first
    await sendEvent(3)
    await admin.deliveriesSettled({ timeout: '10s' })
    expect(receiver.received('x').map(({ body }) => body.data.n)).toEqual([1, 3, 2])
  })

  test('holds no installation and no uninstall', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '5', libertyKinds: 'reordered-events' })
    const { admin } = emulator
    const receiver = await startReceiver()
    let { installation } = await installWithWebhook(emulator, receiver.url, true)
    for (let round = 0; round < 6; round++) {
      expect((await admin.uninstall(installation.id)).delivery?.state).toBe('acknowledged')
      const again = await admin.install({ app: 'notes', organization: 'acme' })
      expect(again.delivery?.state).toBe('acknowledged')
      installation = again.installation
    }
  })

  test('never comes twice in a row', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '5', libertyKinds: 'hiccup' })
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) {
      const { status, headers } = await send(`${emulator.url}/v0/courses`, plain)
      if (status !== 200) expect(headers.get('retry-after')).toBe('1')
      statuses.push(status)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429, 503]))
    expect(statuses.some((status, index) => status !== 200 && statuses[index + 1] !== 200)).toBe(false)
  })

  test('leaves the first installation of an app alone, and no later one', async () => {
    await using emulator = await startEmulator({ ...options, liberties: '5', libertyKinds: 'weather,-slow' })
    const { admin, url } = emulator
    const receiver = await startReceiver()
    const statuses: number[][] = []
    receiver.handles(async ({ body }, response) => {
      const seen: number[] = []
      const { access_token, refresh_token } = body.data.credentials
      for (let n = 0; n < 20; n++) seen.push((await send(`${url}/v0/courses`, { ...plain, as: access_token })).status)
      const form = { grant_type: 'refresh_token', refresh_token, client_id: 'app_new', client_secret: 'new_secret' }
      seen.push((await send(`${url}/oauth/token`, { form })).status)
      statuses.push(seen)
      response.writeHead(200).end()
    })
    await admin.createApp({
      client_id: 'app_new',
      client_secret: 'new_secret',
      manifest: {
        id: 'new',
        name: 'New',
        version: '1.0.0',
        permissions: ['courses:read'],
        oauth: { install: true },
        webhook: { url: receiver.url },
      },
    })
    await admin.install({ app: 'new', organization: 'acme' })
    await admin.advanceClock('2h')
    await admin.deliveriesSettled({ timeout: '5s' })
    expect(statuses).toEqual([Array(21).fill(200)])
    expect((await admin.getLiberties()).taken).toEqual({})
    const { access_token: as } = await admin.mintTokens({ app: 'new', organization: 'acme' })
    const later: number[] = []
    for (let n = 0; n < 20; n++) later.push((await send(`${url}/v0/courses`, { ...plain, as })).status)
    expect(later).toContain(503)

    await admin.install({ app: 'new', organization: 'globex' })
    expect(statuses[1]).toContain(503)
    expect((await admin.getLiberties()).taken).toHaveProperty('hiccup')
  })

  test('sends the event of the first installation once', async ({ emulator: { admin, url } }) => {
    for (let seed = 1; seed <= 6; seed++) {
      await admin.setLiberties({ seed: String(seed), kinds: ['duplicate-events'] })
      await admin.reset()
      const webhook = { url: `${url}/_inbox/first` }
      const manifest = { ...{ id: 'first', name: 'First', version: '1.0.0' }, ...{ permissions: ['courses:read'] } }
      await admin.createApp({ manifest: { ...manifest, oauth: { install: true }, webhook } })
      await admin.install({ app: 'first', organization: 'acme' })
      await admin.advanceClock('2h')
      await admin.deliveriesSettled({ timeout: '10s' })
      expect(await admin.readInbox('first')).toHaveLength(1)
    }
  })

  test.for(['1', '3', '5', '8'])(
    'of events never comes twice in a row, and their entries name it (%s)',
    async (seed) => {
      await using emulator = await startEmulator({ ...options, liberties: seed, libertyKinds: 'weather,-slow' })
      const { admin } = emulator
      const { installation } = await installWithInbox(emulator, false)
      for (let n = 0; n < 8; n++) await admin.sendEvent({ type: 'x', installation: installation.id, data: { n } })
      await admin.deliveriesSettled({ timeout: '10s' })
      await admin.advanceClock('2h')
      await admin.deliveriesSettled({ timeout: '10s' })

      const touched = Array.from({ length: 8 }, (): string[] => [])
      const numbers: number[] = []
      for (const { liberties = [], request } of await admin.listRequests({ surface: 'webhook' })) {
        const { n } = (request.body as { data: { n: number } }).data
        touched[n]?.push(...liberties)
        numbers.push(n)
      }
      expect(new Set(touched.flat())).toEqual(new Set(['duplicate-events', 'reordered-events']))
      expect(touched.some((names, n) => names.length > 1 || (names.length > 0 && touched[n + 1]?.length))).toBe(false)
      const firsts = [...new Set(numbers)]
      expect(firsts).not.toEqual(firsts.toSorted())
      expect(firsts).toHaveLength(8)
      const duplicated = numbers.filter((n, index) => numbers.indexOf(n) < index).sort()
      expect(duplicated).toEqual(touched.flatMap((names, n) => (names.includes('duplicate-events') ? [n] : [])))
    },
  )

  test('is no shape, and neither is the future', () => {
    const kinds = libertyNames.map((name) => libertyKinds[name])
    expect([...new Set(kinds)]).toEqual(['shape', 'weather', 'future'])
  })
})

describe('metadata', () => {
  test('names endpoints elsewhere, and the documented ones work too', async () => {
    const found = new Set<string>()
    for (const liberties of ['1', '2', '3', '4']) {
      await using emulator = await startEmulator({ ...options, liberties, libertyKinds: 'metadata' })
      const { body } = await send(`${emulator.url}/.well-known/openid-configuration`)
      expect(body.issuer).toBe(emulator.url)
      expect((await send(body.jwks_uri)).body.keys).toHaveLength(1)
      expect((await send(`${emulator.url}/.well-known/jwks.json`)).body.keys).toHaveLength(1)
      expect((await send(body.token_endpoint, { form: {} })).body.error).toBe('invalid_client')
      expect((await send(`${emulator.url}/oauth/token`, { form: {} })).body.error).toBe('invalid_client')
      expect((await send(body.authorization_endpoint)).status).toBe(400)
      for (const name of ['jwks_uri', 'token_endpoint', 'authorization_endpoint']) {
        if (!/(jwks.json|token|authorize)$/.test(body[name])) found.add(name)
      }
    }
    expect([...found].sort()).toEqual(['authorization_endpoint', 'jwks_uri', 'token_endpoint'])
  })

  test('leaves the endpoints that discovery has named, which apps cache, also after another seed and without one', async ({
    emulator,
  }) => {
    const { admin, url } = emulator
    expect((await send(`${url}/oauth/token/v2`, { form: {} })).status).toBe(404)
    const named: Record<string, string>[] = []
    for (const seed of ['1', '2', '3', '4']) {
      await admin.setLiberties({ seed, kinds: ['metadata'] })
      named.push((await send(`${url}/.well-known/openid-configuration`)).body)
    }
    for (const change of [
      async () => undefined,
      () => admin.setLiberties({ seed: '5', kinds: ['gzip'] }),
      admin.clearLiberties,
    ]) {
      await change()
      for (const { jwks_uri = '', token_endpoint = '', authorization_endpoint = '' } of named) {
        expect((await send(jwks_uri)).body.keys).toHaveLength(1)
        expect((await send(token_endpoint, { form: {} })).body.error).toBe('invalid_client')
        expect((await send(authorization_endpoint)).status).toBe(400)
      }
    }
    // A liberty that is not in force is not among those that were taken.
    const [entry] = await admin.listRequests({ surface: 'oauth', path: '/oauth/token', limit: 1 })
    expect(entry).toMatchObject({ status: 401 })
    expect(entry).not.toHaveProperty('liberties')
    expect((await admin.getLiberties()).taken).not.toHaveProperty('metadata')
    expect((await send(`${url}/oauth/token/v3`, { form: {} })).status).toBe(404)
  })
})
