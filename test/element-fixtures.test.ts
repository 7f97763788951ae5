import { type FixtureDocument, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test } from './emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Json = any

const documentOf = (elements: Json[], others: Json[] = []): FixtureDocument => ({
  organizations: [
    {
      slug: 'lab',
      api_key: 'key_lab',
      courses: [
        { id: 'c1', name: 'One', modules: [{ id: 'm1', name: 'One', elements }] },
        { id: 'c2', name: 'Two', modules: [{ id: 'm2', name: 'Two', elements: others }] },
      ],
    },
  ],
})
const at = 'organizations.0.courses.0.modules.0.elements'

describe('fixtures "Checked whole": the rules of elements hold for fixtures too', () => {
  test.for<[Json, string[]]>([
    [{ type: 'NOPE', name: 'x' }, ['type']],
    [{ type: 'QUIZ' }, ['name']],
    [{ type: 'QUIZ', name: '' }, ['name']],
    [{ type: 'QUIZ', name: 'x', metadata: { 'a[': 'x' } }, ['metadata.a[']],
    [{ type: 'QUIZ', name: 'x', properties: { pasing_score: 1 } }, ['properties.pasing_score']],
    [
      { type: 'QUIZ', name: 'x', properties: { passing_score: 101, questions: [null, { text: 'x' }] } },
      ['properties.passing_score', 'properties.questions.0', 'properties.questions.1.answers'],
    ],
    [
      { type: 'GROUP_FORMATION', name: 'x', properties: { min_members: 2, max_members: 1 } },
      ['properties.max_members'],
    ],
    [{ type: 'PEER_REVIEW', name: 'x', properties: { source: { id: 'nope' } } }, ['properties.source']],
    [{ type: 'PEER_REVIEW', name: 'x', properties: { source: { id: 'quiz' } } }, ['properties.source']],
    [{ type: 'PEER_REVIEW', name: 'x', properties: { source: { id: 'far' } } }, ['properties.source']],
    [
      {
        id: 'score',
        type: 'SCORE',
        name: 'x',
        properties: { inputs: [{ element: 'score' }, { element: 'quiz', weight: 0 }] },
      },
      ['properties.inputs.1.weight', 'properties.inputs.0.element'],
    ],
    [
      {
        id: 'score',
        type: 'SCORE',
        name: 'x',
        properties: { inputs: [{ element: 'score' }, { element: 'quiz', scored_via: 'quiz' }] },
      },
      ['properties.inputs.0.element', 'properties.inputs.1.scored_via'],
    ],
  ])('%j is refused, naming the place', async ([element, paths], { call }) => {
    const quiz = { id: 'quiz', type: 'QUIZ', name: 'Quiz' }
    const document = documentOf([element, quiz], [{ id: 'far', type: 'SUBMISSION', name: 'Far' }])
    const before = (await call('/v0/elements', { as: 'key_acme' })).body
    const answer = await call('/_admin/fixtures', { body: document })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ path }: Json) => path)).toEqual(paths.map((path) => `${at}.0.${path}`))
    expect((await call('/v0/elements', { as: 'key_acme' })).body).toEqual(before)
  })

  test('an element may refer to a later one, and items get ids where they have none', async ({ call }) => {
    const document = documentOf([
      {
        id: 'verdict',
        type: 'PEER_REVIEW',
        name: 'R',
        properties: { source: { id: 'report' }, questions: [{ type: 'TEXT', text: 'T' }] },
      },
      { id: 'report', type: 'SUBMISSION', name: 'E' },
    ])
    expect((await call('/_admin/fixtures', { body: document })).status).toBe(201)
    const { properties } = (await call('/v0/elements/verdict', { as: 'key_lab' })).body.payload
    expect(properties.source).toEqual({ type: 'SUBMISSION', id: 'report', name: 'E' })
    expect(properties.questions[0].id).toMatch(/^[A-Za-z0-9]{16}$/)
  })

  test('a SOURCE video has the URL that the web app gave it, which a client cannot change', async ({ call }) => {
    const video_url = 'https://cdn.lab.test/v.mp4'
    const video = { id: 'video', type: 'VIDEO', name: 'V', properties: { video_type: 'SOURCE', video_url } }
    expect((await call('/_admin/fixtures', { body: documentOf([video]) })).status).toBe(201)
    const update = (properties: object) =>
      call('/v0/elements/video', { method: 'PATCH', as: 'key_lab', body: { properties } })
    expect((await update({ video_url: 'https://other.test' })).status).toBe(400)
    expect((await update({ video_url })).body.payload.properties).toEqual({ video_type: 'SOURCE', video_url })
  })
})

describe('fixtures "A whole world": whatever requests can bring about can be loaded', () => {
  const review = (id: string) => ({ id: 'peer', type: 'PEER_REVIEW', name: 'R', properties: { source: { id } } })
  const score = {
    id: 'score',
    type: 'SCORE',
    name: 'S',
    properties: { inputs: [{ element: 'a', scored_via: 'peer' }] },
  }
  const essays = ['a', 'b'].map((id) => ({ id, type: 'SUBMISSION', name: id }))

  test('a review that has got another source since it grades a score input', async ({ call }) => {
    await call('/_admin/fixtures', { body: documentOf([...essays, review('a'), score]) })
    const body = { properties: { source: { id: 'b' } } }
    expect((await call('/v0/elements/peer', { method: 'PATCH', as: 'key_lab', body })).status).toBe(200)
    const state = (await call('/_admin/state')).body
    const read = (await call('/v0/elements/score', { as: 'key_lab' })).body
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
    expect((await call('/v0/elements/score', { as: 'key_lab' })).body).toEqual(read)
  })

  test('but nobody may write such a document', async ({ call }) => {
    const answer = await call('/_admin/fixtures', { body: documentOf([...essays, review('b'), score]) })
    expect(answer.body.errors.map(({ path }: Json) => path)).toEqual([`${at}.3.properties.inputs.0.scored_via`])
  })
})

describe('wire §7: element_type_names', () => {
  test.for([
    [{ ZOOM: 'MEETING' }, 'element_type_names.ZOOM'],
    [{ QUIZ: 'FORM' }, 'element_type_names.QUIZ'],
    [{ QUIZ: 'TEST', FORM: 'TEST' }, 'element_type_names.'],
  ] as [Record<string, string>, string][])('%j is refused', async ([element_type_names, path]) => {
    await expect(startEmulator({ fixtures: {}, element_type_names })).rejects.toMatchObject({
      details: [expect.objectContaining({ path: expect.stringContaining(path) })],
    })
  })
})
