import { describe, expect } from 'vitest'
import { type Answer, test as base, type Call, senderTo } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const test = base.extend<{ api: (method: string, path: string, body?: unknown) => Promise<Answer> }>({
  api: async ({ call }, use) => {
    await use((method, path, body) => {
      const request: Call = { method, as: 'key_acme' }
      if (body !== undefined) request.body = body
      return call(path, request)
    })
  },
})

const page = { module: 'module2', name: 'Page', type: 'CONTENT' }
const pathsOf = (answer: Answer) => answer.body.details.map(({ path }: Any) => path)

describe('spec §4.3: create', () => {
  test('answers 200 with the element in the envelope', async ({ api }) => {
    const { status, body } = await api('POST', '/v0/elements', { ...page, content: '# Hi', metadata: { a: 'b' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      error: null,
      payload: {
        id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        object: 'element',
        name: 'Page',
        content: '# Hi',
        type: 'CONTENT',
        position: 0,
        module: 'module2',
        course: 'course1',
        cover: null,
        metadata: { a: 'b' },
        properties: {},
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    })
    expect((await api('GET', `/v0/elements/${body.payload.id}`)).body).toEqual(body)
  })

  test('content is "" when it is left out or null', async ({ api }) => {
    expect((await api('POST', '/v0/elements', page)).body.payload.content).toBe('')
    expect((await api('POST', '/v0/elements', { ...page, content: null })).body.payload.content).toBe('')
  })

  test('all faults come back at once, each with its path', async ({ api }) => {
    const answer = await api('POST', '/v0/elements', {
      module: 'nowhere',
      name: '',
      type: 'QUIZ',
      content: 5,
      position: -1,
      metadata: { 'a[b]': 'x', deep: {} },
      properties: { passing_score: 101, pasing_score: 1, questions: [{ text: 'x', answers: [] }, { answers: 'x' }] },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'Validation failed', payload: null })
    expect(pathsOf(answer).toSorted()).toEqual([
      'content',
      'metadata.a[b]',
      'metadata.deep',
      'module',
      'name',
      'position',
      'properties.pasing_score',
      'properties.passing_score',
      'properties.questions.0.answers',
      'properties.questions.1.answers',
      'properties.questions.1.text',
    ])
    const unknown = answer.body.details.find(({ path }: Any) => path === 'properties.pasing_score')
    expect(unknown.message).toContain('did you mean "passing_score"?')
  })

  test.for([
    [{ ...page, module: undefined }, ['module']],
    [{ ...page, name: undefined }, ['name']],
    [{ ...page, type: undefined }, ['type']],
    [{}, ['module', 'name', 'type']],
    [{ ...page, module: 'zmodule' }, ['module']],
    [{ ...page, module: null }, ['module']],
    [{ ...page, module: ['module1'] }, ['module']],
    [{ ...page, name: '' }, ['name']],
    [{ ...page, name: null }, ['name']],
    [{ ...page, name: 'x'.repeat(256) }, ['name']],
    [{ ...page, type: 'content' }, ['type']],
    [{ ...page, type: 'constructor' }, ['type']],
    [{ ...page, type: null }, ['type']],
    [{ ...page, position: null }, ['position']],
    [{ ...page, position: 1.5 }, ['position']],
    [{ ...page, position: '1' }, ['position']],
    [{ ...page, metadata: null }, ['metadata']],
    [{ ...page, metadata: [] }, ['metadata']],
    [{ ...page, metadata: { a: null } }, ['metadata.a']],
    [{ ...page, metadata: { ['k'.repeat(41)]: '' } }, [`metadata.${'k'.repeat(41)}`]],
    [{ ...page, metadata: { a: 'v'.repeat(501) } }, ['metadata.a']],
    [{ ...page, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ''])) }, ['metadata']],
    [{ ...page, properties: null }, ['properties']],
    [{ ...page, properties: [] }, ['properties']],
    [{ ...page, properties: { a: 1 } }, ['properties.a']],
    [[], ['']],
    [null, ['']],
    ['text', ['']],
  ] as [unknown, string[]][])('%j is refused', async ([body, paths], { api }) => {
    const before = (await api('GET', '/v0/elements')).body
    const answer = await api('POST', '/v0/elements', body)
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual(paths)
    expect((await api('GET', '/v0/elements')).body).toEqual(before)
  })

  test('lengths count code points', async ({ api }) => {
    const metadata = { ['😀'.repeat(40)]: '😀'.repeat(500) }
    const { status, body } = await api('POST', '/v0/elements', { ...page, name: '😀'.repeat(255), metadata })
    expect(status).toBe(200)
    expect(body.payload.metadata).toEqual(metadata)
    expect((await api('POST', '/v0/elements', { ...page, name: '😀'.repeat(256) })).status).toBe(400)
  })

  test('50 keys of metadata are accepted, and numbers and booleans are stored as their string', async ({ api }) => {
    const metadata = { n: 1.5, t: true, f: false, ...Object.fromEntries(Array.from({ length: 47 }, (_, i) => [i, ''])) }
    const { body } = await api('POST', '/v0/elements', { ...page, metadata })
    expect(body.payload.metadata).toMatchObject({ n: '1.5', t: 'true', f: 'false' })
    expect(Object.keys(body.payload.metadata)).toHaveLength(50)
  })

  test('__proto__ and constructor are ordinary keys of metadata', async ({ call, api }) => {
    const raw = '{"module":"module2","name":"x","type":"TAG","metadata":{"__proto__":"p","constructor":"c","":"e"}}'
    const headers = { 'content-type': 'application/json' }
    const { text, body } = await call('/v0/elements', { raw, as: 'key_acme', headers })
    expect(text).toContain('"metadata":{"__proto__":"p","constructor":"c","":"e"}')
    const read = await api('PATCH', `/v0/elements/${body.payload.id}`, { name: 'y' })
    expect(read.text).toContain('"__proto__":"p"')
  })

  test('they are no properties, though', async ({ call }) => {
    const raw = '{"module":"module2","name":"x","type":"TAG","properties":{"__proto__":1,"constructor":2}}'
    const answer = await call('/v0/elements', { raw, as: 'key_acme', headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual(['properties.__proto__', 'properties.constructor'])
  })
})

describe('wire §2: order of checks', () => {
  const raw = '{'
  const headers = { 'content-type': 'application/json' }

  test('credential, then scope, then body syntax, then existence, then validation', async ({ call }) => {
    const put = { method: 'PUT', raw, headers }
    expect((await call('/v0/elements/nope', put)).status).toBe(401)
    expect((await call('/v0/elements/nope', { ...put, as: 'at_acme' })).status).toBe(403)
    const malformed = await call('/v0/elements/nope', { ...put, as: 'key_acme' })
    expect(malformed.status).toBe(400)
    expect(malformed.body).toEqual({ error: 'The body is not valid JSON', payload: null })
    const invalid = { method: 'PUT', body: { name: '' }, as: 'key_acme' }
    expect((await call('/v0/elements/nope', invalid)).status).toBe(404)
    expect((await call('/v0/elements/zpage', invalid)).status).toBe(404)
    expect((await call('/v0/elements/essay', invalid)).status).toBe(400)
  })

  test('a body that is not JSON is 415, one over 10 MB is 413', async ({ call }) => {
    const text = { method: 'POST', raw: 'a=b', headers: { 'content-type': 'text/plain' }, as: 'key_acme' }
    expect((await call('/v0/elements', text)).status).toBe(415)
    const suffixed = { raw: '{"q":"re"}', headers: { 'content-type': 'application/vnd.app.search+json' } }
    expect((await call('/v0/elements/search', { ...text, ...suffixed })).status).toBe(200)
    const latin = { method: 'POST', raw: '{}', headers: { 'content-type': 'application/json; charset=iso-8859-1' } }
    const refused = await call('/v0/elements', { ...latin, as: 'key_acme' })
    expect([refused.status, refused.body.error]).toEqual([
      415,
      'The body must be JSON in UTF-8 (Content-Type: application/json)',
    ])
    const utf8 = { 'content-type': 'application/json;charset="UTF-8"' }
    expect((await call('/v0/elements', { ...latin, headers: utf8, as: 'key_acme' })).status).toBe(400)
    const large = { method: 'POST', raw: ' '.repeat(10 * 1024 * 1024 + 1), headers, as: 'key_acme' }
    expect((await call('/v0/elements', large)).status).toBe(413)
    const [entry] = (await call('/_admin/requests?status=413')).body.data
    expect(entry.reason).toBe('The body is larger than 10 MB')
  })

  const bodies: [name: string, raw: string, type: string][] = [
    ['malformed JSON', '{', 'application/json'],
    ['no JSON', 'a=b', 'text/plain'],
    ['JSON nested too deep', '['.repeat(200), 'application/json'],
    ['over 10 MB', ' '.repeat(10 * 1024 * 1024 + 1), 'application/json'],
  ]
  test.for(bodies)('a body with GET or DELETE is ignored: %s', async ([, raw, type], { emulator }) => {
    const send = senderTo(emulator.url, 'key_acme')
    const statusOf = async (method: string, path: string) =>
      (await send(method, `/v0/elements/${path}`, raw, { 'content-type': type })).status
    expect(await statusOf('GET', 'essay')).toBe(200)
    expect(await statusOf('DELETE', 'nope')).toBe(404)
    expect(await statusOf('DELETE', 'essay')).toBe(200)
    expect(await statusOf('GET', 'essay')).toBe(404)
  })

  test('other methods are 405 with Allow', async ({ call }) => {
    const answer = await call('/v0/elements/essay', { method: 'POST', as: 'key_acme', body: {} })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE')
  })

  test('an install token reads and may not write', async ({ call }) => {
    expect((await call('/v0/elements/essay', { as: 'at_acme' })).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/v0/elements'],
      ['PUT', '/v0/elements/essay'],
      ['PATCH', '/v0/elements/essay'],
      ['DELETE', '/v0/elements/essay'],
    ] as const) {
      const answer = await call(path, { method, as: 'at_acme', ...(method !== 'DELETE' && { body: {} }) })
      expect([answer.status, answer.body.error]).toEqual([403, 'Insufficient scope'])
    }
  })
})

describe('spec §4.4: retrieve', () => {
  test('an element is found by its id, with name, type, content, position and properties', async ({ api }) => {
    const made = (
      await api('POST', '/v0/elements', { ...page, type: 'EMBED', content: 'Look', properties: { embed: '<b>' } })
    ).body.payload
    const { status, body } = await api('GET', `/v0/elements/${made.id}`)
    expect(status).toBe(200)
    expect(body.payload).toMatchObject({
      name: 'Page',
      type: 'EMBED',
      content: 'Look',
      position: 0,
      properties: { embed: '<b>' },
    })
  })

  test("one that does not exist, or is another organization's, is 404", async ({ api, call }) => {
    for (const [path, as] of [
      ['/v0/elements/nothing', 'key_acme'],
      ['/v0/elements/page', 'key_zenith'],
    ] as const) {
      const { status, body } = await call(path, { as })
      expect({ status, body }).toEqual({ status: 404, body: { error: 'Resource not found', payload: null } })
    }
    expect((await api('GET', '/v0/elements/page')).status).toBe(200)
  })
})

describe('spec §4.5: update', () => {
  test.for(['PUT', 'PATCH'])('%s leaves what is not sent unchanged', async (method, { api, call }) => {
    await call('/_admin/clock/advance', { body: { by: '1s' } })
    const before = (await api('GET', '/v0/elements/page')).body.payload
    const { body } = await api(method, '/v0/elements/page', { name: 'New' })
    expect(body.payload).toEqual({ ...before, name: 'New', updated_at: '2026-01-01T00:00:01.000Z' })
    expect((await api('GET', '/v0/elements/page')).body).toEqual(body)
  })

  test('a client may send back what it read', async ({ api }) => {
    for (const id of ['essay', 'review', 'page']) {
      const before = (await api('GET', `/v0/elements/${id}`)).body
      const answer = await api('PUT', `/v0/elements/${id}`, before.payload)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(before)
    }
  })

  test('fields that are not among the update fields are ignored, and the journal says so', async ({ api, call }) => {
    const ignored = { id: 'x', object: 'y', type: 'QUIZ', module: 'module2', course: 'c', created_at: 'z', extra: 1 }
    const { status, body } = await api('PATCH', '/v0/elements/page', ignored)
    expect(status).toBe(200)
    expect(body.payload).toMatchObject({ id: 'page', type: 'CONTENT', module: 'module1', course: 'course1' })
    const { data } = (await call('/_admin/requests?method=PATCH')).body
    expect(data[0].warnings.map(({ path }: Any) => path)).toEqual(Object.keys(ignored))
    expect(data[0].warnings[0]).toEqual({ code: 'ignored_field', path: 'id', message: expect.any(String) })
  })

  test('of many ignored fields, the journal names 100', async ({ api, call }) => {
    const names = Array.from({ length: 101 }, (_, index) => `field${index}`)
    await api('PATCH', '/v0/elements/page', Object.fromEntries(names.map((name) => [name, 1])))
    const [{ warnings }] = (await call('/_admin/requests')).body.data
    expect(warnings.map(({ path }: Any) => path)).toEqual(names.slice(0, 100))
  })

  test.for([
    ['PATCH', '/v0/elements/page', { titel: 'x', position: -1 }, 400],
    ['PUT', '/v0/elements/nope', { titel: 'x' }, 404],
    ['POST', '/v0/elements', { titel: 'x', name: '' }, 400],
    ['POST', '/v0/elements/search', { titel: 'x', type: 'NOPE' }, 400],
    ['GET', '/v0/elements/search', { titel: 'x', q: 1 }, 400],
  ] as const)('also when %s %s is refused', async ([method, path, body, status], { api, call }) => {
    expect((await api(method, path, body)).status).toBe(status)
    const [{ warnings }] = (await call('/_admin/requests')).body.data
    const message = 'This field has no effect here; it was ignored'
    expect(warnings).toEqual([{ code: 'ignored_field', path: 'titel', message }])
  })

  test.for([
    ['GET', '/v0/activities?member=bob&member=ada', 200, ['member']],
    ['GET', '/v0/elements?page=&limit=3&module=m', 400, ['limit', 'module']],
    ['GET', '/v0/elements/page?expand', 200, ['expand']],
    ['POST', '/v0/elements/search?q=essay', 200, ['q']],
    ['DELETE', '/v0/elements/nope?force=1', 404, ['force']],
    ['GET', '/v0/elements/search?q=e&type=CONTENT', 200, []],
    ['GET', '/v0/elements/essay/activities?member=bob', 200, []],
    ['GET', '/v0/modules?course=course1', 200, []],
  ] as const)(
    'the journal of %s %s (%i) names ignored parameters',
    async ([method, path, status, names], { api, call }) => {
      expect((await api(method, path)).status).toBe(status)
      const [{ warnings }] = (await call('/_admin/requests')).body.data
      const message = 'This query parameter has no effect here; it was ignored'
      expect(warnings).toEqual(names.map((path) => ({ code: 'ignored_parameter', path, message })))
    },
  )

  test('a given metadata replaces the old one whole', async ({ api }) => {
    await api('PATCH', '/v0/elements/page', { metadata: { a: '1', b: '2' } })
    const { body } = await api('PATCH', '/v0/elements/page', { metadata: { c: '3' } })
    expect(body.payload.metadata).toEqual({ c: '3' })
  })

  test('null empties content; for name, position and metadata it is refused', async ({ api }) => {
    expect((await api('PATCH', '/v0/elements/page', { content: null })).body.payload.content).toBe('')
    const answer = await api('PATCH', '/v0/elements/page', { name: null, position: null, metadata: null })
    expect(answer.status).toBe(400)
    expect(pathsOf(answer)).toEqual(['name', 'position', 'metadata'])
  })

  test('another organization cannot', async ({ call }) => {
    const answer = await call('/v0/elements/page', { method: 'PATCH', as: 'key_zenith', body: { name: 'x' } })
    expect([answer.status, answer.body]).toEqual([404, { error: 'Resource not found', payload: null }])
  })
})

describe('spec §2.1: position', () => {
  const order = async (api: (method: string, path: string) => Promise<Answer>, module: string) => {
    const { data } = (await api('GET', '/v0/elements')).body.payload
    const siblings = data.filter((element: Any) => element.module === module)
    const sorted = siblings.toSorted((a: Any, b: Any) => a.position - b.position)
    expect(sorted.map(({ position }: Any) => position)).toEqual(sorted.map((_: Any, index: number) => index))
    return sorted.map(({ name }: Any) => name)
  }

  test('a new element is appended, inserted, or clamped to the end', async ({ api }) => {
    for (const [name, position] of [
      ['a', undefined],
      ['b', undefined],
      ['c', 0],
      ['d', 1],
      ['e', 99],
      ['f', 4],
    ] as const) {
      await api('POST', '/v0/elements', { ...page, name, position })
    }
    expect(await order(api, 'module2')).toEqual(['c', 'd', 'a', 'b', 'f', 'e'])
    const huge = await api('POST', '/v0/elements', { ...page, name: 'g', position: 1e300 })
    expect(huge.body.payload.position).toBe(6)
  })

  test.for([
    [0, 3, 'bcdae'],
    [3, 0, 'dabce'],
    [1, 2, 'acbde'],
    [2, 1, 'acbde'],
    [0, 99, 'bcdea'],
    [4, 4, 'abcde'],
  ] as const)('moving from %i to %i re-orders the siblings', async ([from, to, expected], { api }) => {
    const ids: string[] = []
    for (const name of 'abcde') ids.push((await api('POST', '/v0/elements', { ...page, name })).body.payload.id)
    const { body } = await api('PATCH', `/v0/elements/${ids[from]}`, { position: to })
    expect(body.payload.position).toBe(Math.min(to, 4))
    expect((await order(api, 'module2')).join('')).toBe(expected)
  })

  test('deleting closes the gap', async ({ api }) => {
    await api('DELETE', '/v0/elements/essay')
    expect(await order(api, 'module1')).toEqual(['Review', 'Reading'])
  })
})

describe('spec §4.6: delete', () => {
  test('answers with what was deleted, and then it is gone', async ({ api, call }) => {
    const answer = await api('DELETE', '/v0/elements/page')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ error: null, payload: { id: 'page', object: 'element', deleted: true } })
    for (const method of ['GET', 'DELETE']) expect((await api(method, '/v0/elements/page')).status).toBe(404)
    expect((await call('/v0/elements/zpage', { method: 'DELETE', as: 'key_acme' })).status).toBe(404)
    expect((await call('/v0/elements/zpage', { as: 'key_zenith' })).status).toBe(200)
  })

  test('goes with its organization', async ({ call }) => {
    const elements = async () => (await call('/_admin')).body.counts.elements
    const before = await elements()
    expect((await call('/_admin/organizations/zenith', { method: 'DELETE' })).status).toBe(200)
    expect(await elements()).toBe(before - 1)
  })

  test('deletes its activities and turns sources that name it null', async ({ api, call }) => {
    await api('DELETE', '/v0/elements/essay')
    expect((await call('/_admin/state')).text).not.toContain('"essay"')
    expect((await api('GET', '/v0/activities')).body.payload.data).toEqual([])
    expect((await api('GET', '/v0/activities/act1')).status).toBe(404)
    expect((await api('GET', '/v0/elements/review')).body.payload.properties.source).toBeNull()
  })

  test('drops score inputs whose element it is, and turns scored_via references to it null', async ({ api }) => {
    const inputs = [
      { id: 'i1', element: 'essay', scored_via: 'review' },
      { id: 'i2', element: 'page' },
      { id: 'i3', element: 'review' },
      { id: 'i4', element: 'essay' },
    ]
    const score = { ...page, type: 'SCORE', properties: { inputs } }
    const { id } = (await api('POST', '/v0/elements', score)).body.payload
    const left = async () => (await api('GET', `/v0/elements/${id}`)).body.payload.properties.inputs
    await api('DELETE', '/v0/elements/review')
    expect(await left()).toEqual([
      { id: 'i1', element: 'essay', weight: 1, scored_via: null },
      { id: 'i2', element: 'page', weight: 1, scored_via: null },
      { id: 'i4', element: 'essay', weight: 1, scored_via: null },
    ])
    await api('DELETE', '/v0/elements/essay')
    expect(await left()).toEqual([{ id: 'i2', element: 'page', weight: 1, scored_via: null }])
  })

  test('turns scored_via null where nothing else names it', async ({ api }) => {
    const inputs = [{ id: 'i1', element: 'essay', scored_via: 'review' }]
    const { id } = (await api('POST', '/v0/elements', { ...page, type: 'SCORE', properties: { inputs } })).body.payload
    await api('DELETE', '/v0/elements/review')
    const { properties } = (await api('GET', `/v0/elements/${id}`)).body.payload
    expect(properties.inputs).toEqual([{ id: 'i1', element: 'essay', weight: 1, scored_via: null }])
  })
})

describe('spec §4.7: search', () => {
  const names = (answer: Answer) => answer.body.payload.data.map(({ name }: Any) => name)

  test('matches a part of the name in any case, newest first', async ({ api, call }) => {
    expect(names(await api('POST', '/v0/elements/search', { q: 'RE' }))).toEqual(['Reading', 'Review'])
    expect(names(await call('/v0/elements/search?q=eSS', { as: 'at_acme' }))).toEqual(['Essay'])
    expect(names(await api('POST', '/v0/elements/search', { q: 'sky' }))).toEqual([])
  })

  test.for(['ΑΣ', 'ασ', 'ας', 'αστρο'])('finds %s within ΑΣΤΡΟ: a sigma has two lower cases', async (q, { api }) => {
    await api('POST', '/v0/elements', { ...page, name: 'ΑΣΤΡΟ' })
    expect(names(await api('POST', '/v0/elements/search', { q }))).toEqual(['ΑΣΤΡΟ'])
  })

  test('q and type are optional, and combine', async ({ api, call }) => {
    expect(names(await api('POST', '/v0/elements/search', {}))).toHaveLength(3)
    expect(names(await call('/v0/elements/search', { method: 'POST', as: 'key_acme' }))).toHaveLength(3)
    expect(names(await api('POST', '/v0/elements/search', { type: 'CONTENT' }))).toEqual(['Reading'])
    expect(names(await api('POST', '/v0/elements/search', { q: 're', type: 'PEER_REVIEW' }))).toEqual(['Review'])
    expect(names(await call('/v0/elements/search?q=re&type=CONTENT', { as: 'key_acme' }))).toEqual(['Reading'])
    const both = { method: 'GET', as: 'key_acme', body: { q: 'essay', type: 'CONTENT' } }
    expect(names(await call('/v0/elements/search?q=re', both))).toEqual(['Reading'])
  })

  test('a type that does not exist and a q that is no string are refused', async ({ api, call }) => {
    expect(pathsOf(await api('POST', '/v0/elements/search', { type: 'NOPE', q: 1 })).toSorted()).toEqual(['q', 'type'])
    expect((await call('/v0/elements/search?type=NOPE', { as: 'key_acme' })).status).toBe(400)
    expect((await api('POST', '/v0/elements/search', [])).status).toBe(400)
  })
})

describe('wire §3: searches, too', () => {
  test.override({ settings: { pageSize: 1 } })

  test('are paged with the page cursor', async ({ api, call }) => {
    const names = (answer: Answer) => answer.body.payload.data.map(({ name }: Any) => name)
    const first = await api('POST', '/v0/elements/search', { q: 're' })
    expect(names(first)).toEqual(['Reading'])
    const second = await api('POST', `/v0/elements/search?page=${first.body.payload.next}`, { q: 're' })
    expect(names(second)).toEqual(['Review'])
    expect(second.body.payload.next).toBeNull()
    expect((await call('/v0/elements/search?page=x', { as: 'key_acme' })).status).toBe(400)
  })

  test('a cursor of another search is refused', async ({ api }) => {
    const search = (body: object, page = '') => api('POST', `/v0/elements/search?page=${page}`, body)
    const { next } = (await api('POST', '/v0/elements/search', { q: 're' })).body.payload
    for (const other of [{}, { q: 'e' }, { q: 're', type: 'CONTENT' }]) {
      const { status, body } = await search(other, next)
      expect(status).toBe(400)
      expect(body.details).toEqual([{ path: 'page', message: expect.stringContaining('another') }])
    }
    expect((await api('GET', `/v0/elements?page=${next}`)).status).toBe(400)
    expect((await search({ q: 'RE' }, next)).status).toBe(200)
  })
})
