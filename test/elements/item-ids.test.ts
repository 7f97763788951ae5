import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

const form = (question: object) => ({
  module: 'module1',
  name: 'Form',
  type: 'FORM',
  properties: { questions: [{ type: 'TEXT', text: 'Why?', ...question }] },
})

describe('wire §5: item ids', () => {
  test.for(['a', 'x'.repeat(64), '\u{1F600}'.repeat(64), 'with a blank', '<b>&"'])(
    '%j is kept',
    async (id, { call }) => {
      const { status, body } = await call('/v0/elements', { as: 'key_acme', body: form({ id }) })
      expect(status).toBe(200)
      expect(body.payload.properties.questions[0].id).toBe(id)
    },
  )

  test.for([
    '',
    '\u0000new',
    'x'.repeat(65),
    '\u{1F600}'.repeat(65),
    'a\nb',
    'a\u0000b',
    '\u0000',
    'a\u202eb',
    '\ud800',
  ])('%j is refused', async (id, { call }) => {
    const { status, body } = await call('/v0/elements', { as: 'key_acme', body: form({ id }) })
    expect(status).toBe(400)
    expect(body.details).toMatchObject([{ path: 'properties.questions.0.id' }])
  })
})

describe('wire §5: min_words is at least 0', () => {
  test.for(['FORM', 'PEER_REVIEW'])('in a %s', async (type, { call }) => {
    const send = (min_words: number) => call('/v0/elements', { as: 'key_acme', body: { ...form({ min_words }), type } })
    expect((await send(0)).status).toBe(200)
    const { status, body } = await send(-1)
    expect(status).toBe(400)
    expect(body.details).toEqual([{ path: 'properties.questions.0.min_words', message: 'must be at least 0' }])
  })
})

describe('wire §1 "seed": after a reset, an item without an id gets none that the app kept from before', () => {
  test.override({ settings: { seed: 'items' } })
  type Item = { id?: string; text: string; answers?: Item[]; is_correct?: boolean }
  const idsOf = (items: Item[] = []): unknown[] => items.flatMap(({ id, answers }) => [id, ...idsOf(answers)])

  test('in an update, nor one that the element has', async ({ call }) => {
    const update = async (...questions: Item[]) => {
      const sent = { as: 'key_acme', method: 'PUT', body: { properties: { questions } } }
      return (await call('/v0/elements/essay', sent)).body.payload.properties.questions as Item[]
    }
    const [kept] = (await update({ text: 'Why?' })) as [Item]
    await call('/_admin/reset', { method: 'POST' })
    const both = idsOf(await update(kept, { text: 'How?' }))
    expect(both).toEqual([kept.id, expect.stringMatching(/^[A-Za-z0-9]{16}$/)])
    expect(both[1]).not.toBe(kept.id)

    await call('/_admin/reset', { method: 'POST' })
    await update(kept)
    expect(idsOf(await update({ text: 'How?' }))).not.toContain(kept.id)
  })

  test('in a new element, whatever array it is in, and the world can be loaded', async ({ call }) => {
    const create = async (...questions: Item[]) => {
      const body = { module: 'module1', name: 'Quiz', type: 'QUIZ', properties: { questions } }
      return (await call('/v0/elements', { as: 'key_acme', body })).body.payload.properties.questions as Item[]
    }
    const question = (): Item => ({ text: 'Why?', answers: [{ text: 'Yes', is_correct: true }] })
    const earlier = await create(question(), question())
    await call('/_admin/reset', { method: 'POST' })
    const ids = idsOf(await create(...earlier, question()))
    expect(ids.slice(0, 4)).toEqual(idsOf(earlier))
    expect(new Set(ids).size).toBe(6)
    const { body } = await call('/_admin/state')
    expect((await call('/_admin/state', { method: 'PUT', body })).status).toBe(200)
  })
})
