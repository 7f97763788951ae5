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
