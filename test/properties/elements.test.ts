import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Send, senderTo } from '../harness/emulator-test.js'
import { type Mutation, mutate, mutations, resolve, valid } from '../harness/from-schema.js'
import { propertyRuns } from '../harness/property-runs.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Json = any

const MINUTES = 5 * 60_000

/** Types of elements that bodies may refer to; all are in the course of `module`. */
const TARGETS = ['SUBMISSION', 'GROUP_SUBMISSION', 'PEER_REVIEW', 'GROUP_PEER_REVIEW'] as const
const sourceOf: Record<string, (typeof TARGETS)[number]> = {
  PEER_REVIEW: 'SUBMISSION',
  SELF_REVIEW: 'SUBMISSION',
  AI_REVIEW: 'SUBMISSION',
  INSTRUCTOR_REVIEW: 'GROUP_SUBMISSION',
  INSTRUCTOR_DISCUSSION: 'SUBMISSION',
  FEEDBACK_REFLECTION: 'PEER_REVIEW',
  GROUP_PEER_REVIEW: 'GROUP_SUBMISSION',
  GROUP_FEEDBACK_REFLECTION: 'GROUP_PEER_REVIEW',
}

const world = {
  organizations: [
    {
      slug: 'lab',
      api_key: 'key_lab',
      courses: [
        {
          id: 'course',
          name: 'Course',
          modules: [
            {
              id: 'targets',
              name: 'Targets',
              elements: TARGETS.map((type) => ({ id: `a-${type}`, type, name: type })),
            },
            { id: 'module', name: 'Module' },
          ],
        },
      ],
    },
  ],
}

/** Applies rules beyond JSON Schema: references, unique ids, ordered ranges, no rule twice. */
function settle(body: Json): Json {
  const { type, properties } = body
  body.module = 'module'
  if (!properties) return body
  for (const name of ['questions', 'inputs']) distinguish(properties[name])
  if (properties.source) properties.source.id = `a-${sourceOf[type]}`
  for (const input of properties.inputs ?? []) {
    input.element = 'a-SUBMISSION'
    if (typeof input.scored_via === 'string') input.scored_via = 'a-PEER_REVIEW'
  }
  for (const question of properties.questions ?? []) {
    for (const name of ['answers', 'options']) distinguish(question[name])
    if (typeof question.range_min === 'number') question.range_max = question.range_min + 1
    else if (typeof question.range_max === 'number') question.range_max = 1 + Math.abs(question.range_max)
  }
  if (typeof properties.min_members === 'number') properties.max_members = properties.min_members
  if (properties.video_url !== undefined) delete properties.video_type
  const rules = properties.completion_rules?.rules
  if (rules)
    properties.completion_rules.rules = rules.filter(
      (rule: Json, i: number) => rules.findIndex((it: Json) => it.type === rule.type) === i,
    )
  return body
}

function distinguish(items: Json): void {
  for (const [index, item] of (items ?? []).entries()) if (item.id !== undefined) item.id += `#${index}`
}

/** Returns true if `read` has everything in `sent`; defaults may add to it. */
function holds(read: Json, sent: Json): boolean {
  if (Array.isArray(sent)) return read.length === sent.length && sent.every((item, index) => holds(read[index], item))
  if (sent === null || typeof sent !== 'object') return Object.is(read, sent) || (sent === 0 && read === 0)
  return Object.entries(sent).every(([key, value]) => Object.hasOwn(read, key) && holds(read[key], value))
}

const unsetOrHeld = (read: Json, sent: Json) =>
  sent === null ? read === null || read === 'URL' || (Array.isArray(read) && read.length === 0) : holds(read, sent)

describe('any element', () => {
  let emulator: Emulator
  let send: Send
  let components: Record<string, Json>
  let body: fc.Arbitrary<Json>

  beforeAll(async () => {
    emulator = await startEmulator({
      fixtures: world,
      seed: 'properties',
      now: '2026-01-01T00:00:00Z',
      pageSize: 1000,
      journalSize: 10,
    })
    send = senderTo(emulator.url, 'key_lab')
    components = (await send('GET', '/v0/openapi.json')).body.components.schemas
    body = valid(components.NewElement, components).map((it) => settle(structuredClone(it)))
  })
  afterAll(() => emulator.close())

  const done = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200)
    return answer.body.payload
  }

  test('that is valid is read as it was created, sent back as it was read, and exported and imported', {
    timeout: MINUTES,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const made = done(await send('POST', '/v0/elements', sent))
        const { metadata = {}, properties = {}, content, position: _, ...plain } = JSON.parse(JSON.stringify(sent))
        const strings = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)]))
        expect(isDeepStrictEqual(made.metadata, strings)).toBe(true)
        expect(holds(made, plain)).toBe(true)
        expect(made.content).toBe(content ?? '')
        for (const [name, value] of Object.entries(properties)) {
          const sound =
            name === 'source' && value
              ? made.properties.source.id === (value as Json).id
              : unsetOrHeld(made.properties[name], value)
          expect(sound, `${name}: ${JSON.stringify(value)} is read as ${JSON.stringify(made.properties[name])}`).toBe(
            true,
          )
        }
        const read = await send('GET', `/v0/elements/${made.id}`)
        expect(isDeepStrictEqual(read.body.payload, made)).toBe(true)
        const again = await send(
          'PUT',
          `/v0/elements/${made.id}`,
          read.text.slice('{"error":null,"payload":'.length, -1),
        )
        expect(again.text).toBe(read.text)
        if (made.position > 50) await send('DELETE', `/v0/elements/${made.id}`)
      }),
      propertyRuns(1250),
    )
    const before = await send('GET', '/v0/elements')
    const exported = await send('GET', '/_admin/state')
    expect(exported.status).toBe(200)
    await using other = await startEmulator({ fixtures: {}, pageSize: 1000 })
    const sendThere = senderTo(other.url, 'key_lab')
    const imported = await sendThere('PUT', '/_admin/state', exported.text)
    expect(imported.status, imported.text).toBe(200)
    expect((await sendThere('GET', '/v0/elements')).text).toBe(before.text)
  })

  test('with any one thing made invalid is refused, and nothing changes', { timeout: MINUTES }, async () => {
    const { payload } = (await send('GET', '/v0/elements')).body
    const newest = payload.data[0].id
    const mutated = body.chain((sent) => {
      const schema = components.NewElement.oneOf
        .map((option: Json) => resolve(option, components))
        .find((option: Json) => option.properties.type.const === sent.type)
      const all = mutations(schema, sent, components).filter(({ path }) => path.length > 0)
      return fc.constantFrom(...all).map((it): [Json, Mutation] => [sent, { path: it.path, value: mutate(sent, it) }])
    })
    const kept: Record<string, string> = {}
    await fc.assert(
      fc.asyncProperty(mutated, fc.boolean(), async ([sent, { path, value }], asUpdate) => {
        const isUpdate =
          asUpdate && path[0] !== 'module' && path[0] !== 'type' && !(path[0] === 'name' && value.name === undefined)
        if (isUpdate) {
          kept[sent.type] ??= done(
            await send('POST', '/v0/elements', { module: 'targets', name: 'x', type: sent.type }),
          ).id
          const id = kept[sent.type]
          const before = await send('GET', `/v0/elements/${id}`)
          const refused = await send('PATCH', `/v0/elements/${id}`, value)
          expect(refused.status, `${path.join('.')}: ${refused.text}`).toBe(400)
          expect(refused.body.details.length).toBeGreaterThan(0)
          expect((await send('GET', `/v0/elements/${id}`)).text).toBe(before.text)
        } else {
          const refused = await send('POST', '/v0/elements', value)
          expect(refused.status, `${path.join('.')}: ${refused.text}`).toBe(400)
          expect(refused.body.details.length).toBeGreaterThan(0)
        }
      }),
      propertyRuns(2250),
    )
    const after = (await send('GET', '/v0/elements')).body.payload.data
    const made = new Set(Object.values(kept))
    expect(after.filter(({ id }: Json) => !made.has(id))[0].id).toBe(newest)
  })

  test('no request whatever is answered with a 5xx', { timeout: MINUTES }, async () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(null, [], {}, 0, '', true, 1e308, -1e308, { id: {} }, [[[[]]]], { __proto__: null }),
    )
    const field = fc.constantFrom(
      'module',
      'name',
      'content',
      'position',
      'type',
      'metadata',
      'properties',
      'q',
      '__proto__',
      'constructor',
    )
    const inner = fc.constantFrom(
      'questions',
      'inputs',
      'source',
      'completion_rules',
      'video_url',
      'passing_score',
      'min_members',
      'start_date',
      '__proto__',
    )
    const item = fc.constantFrom(
      'id',
      'text',
      'type',
      'answers',
      'options',
      'element',
      'scored_via',
      'weight',
      'rules',
      'operator',
      '__proto__',
    )
    const entries = (key: fc.Arbitrary<string>, value: fc.Arbitrary<Json>) =>
      fc
        .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: key }, fc.string()), value), { maxLength: 5 })
        .map((pairs) => `{${pairs.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`)
    const oddText = odd.map((value) => JSON.stringify(value))
    const type = fc.oneof(
      oddText,
      fc
        .constantFrom('QUIZ', 'FORM', 'SCORE', 'PEER_REVIEW', 'DISCUSSION', 'GROUP_FORMATION', 'VIDEO', 'SURVEY')
        .map((it) => JSON.stringify(it)),
    )
    const items = fc
      .array(fc.oneof(oddText, entries(item, fc.oneof(oddText, type))), { maxLength: 3 })
      .map((list) => `[${list.join(',')}]`)
    const properties = entries(inner, fc.oneof(oddText, items, entries(item, fc.oneof(oddText, items))))
    const shaped = fc
      .tuple(type, properties)
      .map(([type, properties]) => `{"module":"module","name":"n","type":${type},"properties":${properties}}`)
    const sent = fc.oneof(
      oddText,
      entries(field, fc.oneof(oddText, properties, type)),
      { weight: 3, arbitrary: shaped },
      fc.string(),
    )
    const segment = fc.oneof(
      fc.constantFrom(
        'elements',
        'search',
        'a-SUBMISSION',
        'a-PEER_REVIEW',
        'activities',
        'courses',
        'course',
        'members',
        'modules',
        'openapi.json',
        '__proto__',
        'constructor',
        '..',
        '%00',
        '%zz',
        '%ff',
        '',
      ),
      fc.string({ maxLength: 8 }).map((it) => it.replace(/[^!-~]/g, 'x').replace(/[#?]/g, '')),
    )
    const path = fc
      .tuple(
        fc.constantFrom('elements', 'courses', 'modules', 'members', 'activities'),
        fc.array(segment, { maxLength: 3 }),
      )
      .map(([first, rest]) => `/v0/${[first, ...rest].join('/')}`)
    const query = fc.oneof(
      fc.constant(''),
      fc.constantFrom(
        '?page=x',
        '?page=',
        '?page=WyJhIiwxXQ',
        '?member=__proto__',
        '?course=constructor',
        '?q=%ff&type=QUIZ',
        '?q=a&q=b',
        '?type=__proto__',
        '?%',
      ),
    )
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
    const contentType = fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', ''),
    )
    const target = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ['POST', '/v0/elements'],
          ['PATCH', '/v0/elements/a-PEER_REVIEW'],
          ['PUT', '/v0/elements/a-SUBMISSION'],
          ['POST', '/v0/elements/search'],
        ),
      },
      fc.tuple(method, path),
    )
    await fc.assert(
      fc.asyncProperty(target, query, sent, contentType, async ([method, path], query, sent, contentType) => {
        if (method === 'DELETE' && /a-|search/.test(path as string)) return
        const answer = await send(method as string, `${path}${query}`, sent, { 'content-type': contentType })
        expect(answer.status, `${method} ${path}${query} ${sent}: ${answer.text}`).toBeLessThan(500)
        expect(answer.body).toHaveProperty(answer.status === 200 && path === '/v0/openapi.json' ? 'openapi' : 'error')
      }),
      propertyRuns(1750),
    )
  })
})
