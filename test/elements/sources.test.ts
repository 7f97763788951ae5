import { describe, expect } from 'vitest'
import { type Answer, test as base } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const test = base.extend<{
  make: (type: string, properties?: unknown, module?: string) => Promise<Answer>
  update: (id: string, properties: unknown) => Promise<Answer>
}>({
  make: async ({ call }, use) => {
    await use((type, properties, module = 'module1') =>
      call('/v0/elements', { as: 'key_acme', body: { module, name: type, type, properties } }),
    )
  },
  update: async ({ call }, use) => {
    await use((id, properties) => call(`/v0/elements/${id}`, { method: 'PATCH', as: 'key_acme', body: { properties } }))
  },
})

const pathsOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(400)
  return answer.body.details.map(({ path }: Any) => path)
}
const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBe(200)
  return answer.body.payload.id
}
const propertiesOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200)
  return answer.body.payload.properties
}

const sourceTypes: Record<string, string[]> = {
  PEER_REVIEW: ['SUBMISSION'],
  SELF_REVIEW: ['SUBMISSION'],
  AI_REVIEW: ['SUBMISSION'],
  INSTRUCTOR_REVIEW: ['SUBMISSION', 'GROUP_SUBMISSION'],
  INSTRUCTOR_DISCUSSION: ['SUBMISSION', 'GROUP_SUBMISSION'],
  FEEDBACK_REFLECTION: ['PEER_REVIEW'],
  GROUP_PEER_REVIEW: ['GROUP_SUBMISSION'],
  GROUP_FEEDBACK_REFLECTION: ['GROUP_PEER_REVIEW'],
}
const candidates = ['SUBMISSION', 'GROUP_SUBMISSION', 'PEER_REVIEW', 'GROUP_PEER_REVIEW', 'SELF_REVIEW', 'QUIZ']

describe('spec §2.3: required element type of source', () => {
  test.for(Object.entries(sourceTypes))('%s: %j', async ([type, allowed], { make, update }) => {
    const empty = idOf(await make(type))
    for (const candidate of candidates) {
      const source = idOf(await make(candidate))
      const answers = [await make(type, { source: { id: source } }), await update(empty, { source: { id: source } })]
      for (const answer of answers) {
        if (!allowed.includes(candidate)) expect(pathsOf(answer)).toEqual(['properties.source'])
        else expect(propertiesOf(answer).source).toEqual({ type: candidate, id: source, name: candidate })
      }
    }
    expect(propertiesOf(await update(empty, { source: null })).source).toBeNull()
  })

  test('the source is in the same course, in whichever module', async ({ make, update }) => {
    const far = idOf(await make('SUBMISSION', {}, 'module3'))
    const near = idOf(await make('SUBMISSION', {}, 'module2'))
    expect(pathsOf(await make('PEER_REVIEW', { source: { id: far } }))).toEqual(['properties.source'])
    expect(pathsOf(await update('review', { source: { id: far } }))).toEqual(['properties.source'])
    expect(propertiesOf(await update('review', { source: { id: near } })).source.id).toBe(near)
  })

  test('one that is absent or foreign is refused, with the other issues of the body', async ({ make, call }) => {
    expect(pathsOf(await make('PEER_REVIEW', { source: { id: 'nope' } }))).toEqual(['properties.source'])
    expect(pathsOf(await make('PEER_REVIEW', { source: { id: 'zpage' } }))).toEqual(['properties.source'])
    const body = { module: 'nope', name: '', type: 'PEER_REVIEW', properties: { source: { id: 'page' }, questions: 1 } }
    const answer = await call('/v0/elements', { as: 'key_acme', body })
    expect(pathsOf(answer).toSorted()).toEqual(['module', 'name', 'properties.questions', 'properties.source'])
  })

  test.for<[unknown, string]>([
    ['essay', 'properties.source'],
    [{}, 'properties.source.id'],
    [{ id: 5 }, 'properties.source.id'],
    [{ id: 'essay', element: 'x' }, 'properties.source.element'],
    [[], 'properties.source'],
  ])('source %j is refused', async ([source, path], { make }) => {
    expect(pathsOf(await make('PEER_REVIEW', { source }))).toEqual([path])
  })

  test('type and name beside the id are ignored', async ({ make }) => {
    const answer = await make('PEER_REVIEW', { source: { id: 'essay', type: 'QUIZ', name: 5 } })
    expect(propertiesOf(answer).source).toEqual({ type: 'SUBMISSION', id: 'essay', name: 'Essay' })
  })

  test('INSTRUCTOR_DISCUSSION has no questions', async ({ make }) => {
    expect(pathsOf(await make('INSTRUCTOR_DISCUSSION', { questions: [] }))).toEqual(['properties.questions'])
  })
})

describe('spec §2.3: score input', () => {
  const pairings: Record<string, string[]> = {
    SUBMISSION: ['PEER_REVIEW', 'AI_REVIEW', 'INSTRUCTOR_REVIEW'],
    PEER_REVIEW: ['FEEDBACK_REFLECTION'],
    GROUP_SUBMISSION: [],
    QUIZ: [],
    GROUP_PEER_REVIEW: [],
  }
  const reviews = ['PEER_REVIEW', 'AI_REVIEW', 'INSTRUCTOR_REVIEW', 'SELF_REVIEW', 'FEEDBACK_REFLECTION', 'SUBMISSION']

  test.for(Object.entries(pairings))('%s may be scored via %j', async ([graded, allowed], { make }) => {
    const element = idOf(await make(graded))
    for (const review of reviews) {
      const scored_via = idOf(await make(review))
      const answer = await make('SCORE', { inputs: [{ element, scored_via }] })
      if (allowed.includes(review)) expect(propertiesOf(answer).inputs).toMatchObject([{ element, scored_via }])
      else expect(pathsOf(answer)).toEqual(['properties.inputs.0.scored_via'])
    }
  })

  test('id is generated, weight defaults to 1, scored_via to null; the same element may be in several', async ({
    make,
    update,
  }) => {
    const made = await make('SCORE', { inputs: [{ element: 'essay' }, { id: 'i', element: 'essay', weight: 3 }] })
    const { inputs } = propertiesOf(made)
    expect(inputs).toEqual([
      { id: expect.stringMatching(/^[A-Za-z0-9]{16}$/), element: 'essay', weight: 1, scored_via: null },
      { id: 'i', element: 'essay', weight: 3, scored_via: null },
    ])
    const turned = inputs.toReversed()
    expect(propertiesOf(await update(idOf(made), { inputs: turned })).inputs).toEqual(turned)
    expect(pathsOf(await update(idOf(made), { inputs: [inputs[1], inputs[1]] }))).toEqual(['properties.inputs.1.id'])
  })

  test.for<[unknown, string[]]>([
    [{}, ['element']],
    [{ element: 5 }, ['element']],
    [{ element: 'nope' }, ['element']],
    [{ element: 'zpage' }, ['element']],
    [{ element: 'essay', weight: 0 }, ['weight']],
    [{ element: 'essay', weight: -1 }, ['weight']],
    [{ element: 'essay', weight: 1.5 }, ['weight']],
    [{ element: 'essay', weight: '1' }, ['weight']],
    [{ element: 'essay', weight: null }, ['weight']],
    [{ element: 'essay', scored_via: 'nope' }, ['scored_via']],
    [{ element: 'essay', scored_via: 'zpage' }, ['scored_via']],
    [{ element: 'essay', scored_via: 5 }, ['scored_via']],
    [{ element: 'essay', name: 'x' }, ['name']],
    [{ element: 'nope', weight: 0, scored_via: 'nope' }, ['element', 'scored_via', 'weight']],
    ['essay', ['']],
  ])('%j is refused', async ([input, paths], { make }) => {
    const answer = await make('SCORE', { inputs: [{ element: 'page' }, input] })
    expect(pathsOf(answer).toSorted()).toEqual(paths.map((path) => `properties.inputs.1${path && `.${path}`}`))
  })

  test('the element is in the same course and is not the score itself', async ({ make, update }) => {
    const far = idOf(await make('QUIZ', {}, 'module3'))
    expect(pathsOf(await make('SCORE', { inputs: [{ element: far }] }))).toEqual(['properties.inputs.0.element'])
    const score = idOf(await make('SCORE'))
    expect(pathsOf(await update(score, { inputs: [{ element: score }] }))).toEqual(['properties.inputs.0.element'])
    propertiesOf(await make('SCORE', { inputs: [{ element: score }] }))
  })

  test('a review that has a source must be of the element', async ({ make }) => {
    const other = idOf(await make('SUBMISSION'))
    const answer = await make('SCORE', { inputs: [{ element: other, scored_via: 'review' }] })
    expect(pathsOf(answer)).toEqual(['properties.inputs.0.scored_via'])
    propertiesOf(await make('SCORE', { inputs: [{ element: 'essay', scored_via: 'review' }] }))
  })

  test('inputs that were read are accepted again, whatever has become of the review since', async ({
    make,
    update,
    call,
  }) => {
    const made = await make('SCORE', { inputs: [{ element: 'essay', scored_via: 'review' }] })
    const other = idOf(await make('SUBMISSION'))
    propertiesOf(await update('review', { source: { id: other } }))
    const read = await call(`/v0/elements/${idOf(made)}`, { as: 'key_acme' })
    propertiesOf(await update(idOf(made), propertiesOf(read)))
    const heavier = propertiesOf(read).inputs.map((input: Any) => ({ ...input, weight: 2 }))
    expect(pathsOf(await update(idOf(made), { inputs: heavier }))).toEqual(['properties.inputs.0.scored_via'])
  })
})
