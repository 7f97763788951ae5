import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

const score = (input: object) => ({ type: 'SCORE', properties: { inputs: [input] } })
const form = (...questions: object[]) => ({ type: 'FORM', properties: { questions } })
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

/** Changes to a valid CONTENT body of `POST /v0/elements`, each with the issues that it causes. */
const refused: [what: string, body: object, issues: [path: string, message: string][]][] = [
  ['an empty name', { name: '' }, [['name', 'must not be empty']]],
  ['a long name', { name: 'n'.repeat(256) }, [['name', 'must have at most 255 characters']]],
  ['an array for a name', { name: [] }, [['name', 'must be a string, not an array']]],
  ['no name', { name: undefined }, [['name', 'is required']]],
  ['a module that is not there', { module: 'nope' }, [['module', 'there is no module "nope"']]],
  ['a module of another organization', { module: 'zmodule' }, [['module', 'there is no module "zmodule"']]],
  ['properties that are none', { properties: [] }, [['properties', 'must be an object']]],
  ['metadata that is none', { metadata: [] }, [['metadata', 'must be an object of strings']]],
  ['51 keys of metadata', { metadata: keys(51) }, [['metadata', 'must have at most 50 keys, not 51']]],
  ['a nested value of metadata', { metadata: { a: {} } }, [['metadata.a', 'must be a string, a number or a boolean']]],
  [
    'a long value of metadata',
    { metadata: { a: 'v'.repeat(501) } },
    [['metadata.a', 'must have at most 500 characters']],
  ],
  ['a key with a bracket', { metadata: { 'a[b': 'v' } }, [['metadata.a[b', 'the key must not contain [ or ]']]],
  [
    'a long key',
    { metadata: { ['k'.repeat(41)]: 'v' } },
    [[`metadata.${'k'.repeat(41)}`, 'the key must have at most 40 characters']],
  ],
  [
    'a property of no type',
    { type: 'QUIZ', properties: { question: [] } },
    [['properties.question', 'is not a property of this element type; did you mean "questions"?']],
  ],
  [
    'a property of another type',
    { type: 'CONTENT', properties: { start_date: null } },
    [['properties.start_date', 'is not a property of this element type; there are none']],
  ],
  [
    'a group that must be larger than it may be',
    { type: 'GROUP_FORMATION', properties: { min_members: 5, max_members: 4 } },
    [['properties.max_members', 'must not be below min_members (5)']],
  ],
  [
    'a URL for a video that the web app has',
    { type: 'VIDEO', properties: { video_type: 'SOURCE', video_url: 'https://v.test/1' } },
    [['properties.video_url', 'can only change while video_type is URL; send video_type "URL" with it']],
  ],
  [
    'a URL that is none',
    { type: 'FILE', properties: { file_url: 'ftp://f.test' } },
    [['properties.file_url', 'must be an http or https URL']],
  ],
  [
    'a URL without a host',
    { type: 'FILE', properties: { file_url: 'https:///a' } },
    [['properties.file_url', 'must be an http or https URL']],
  ],
  [
    'a URL with a blank',
    { type: 'FILE', properties: { file_url: 'https://f.test/a b' } },
    [['properties.file_url', 'must be an http or https URL']],
  ],
  [
    'a long URL',
    { type: 'FILE', properties: { file_url: `https://f.test/${'x'.repeat(2034)}` } },
    [['properties.file_url', 'must have at most 2048 characters']],
  ],
  [
    'a date that is none',
    { type: 'MEETING_LINK', properties: { start_date: 'soon' } },
    [
      [
        'properties.start_date',
        'must be an ISO 8601 date, or a date-time with Z or an offset: 2026-01-31 or 2026-01-31T09:00:00Z',
      ],
    ],
  ],
  [
    'a part of a percentage',
    { type: 'QUIZ', properties: { passing_score: 0.5 } },
    [['properties.passing_score', 'must be an integer']],
  ],
  [
    'two rules of one type',
    {
      type: 'DISCUSSION',
      properties: {
        completion_rules: {
          rules: [
            { type: 'POST', count: 1 },
            { type: 'POST', count: 2 },
          ],
        },
      },
    },
    [['properties.completion_rules.rules.1.type', 'is given twice: POST may have one rule']],
  ],
  [
    'item ids with control characters, and a long one',
    form(
      { id: 'a\nb', type: 'TEXT', text: 'Why?' },
      { id: 'x'.repeat(65), type: 'TEXT', text: 'Why?' },
      { id: '', type: 'TEXT', text: 'Why?' },
    ),
    [
      ['properties.questions.0.id', 'must contain only printable characters'],
      ['properties.questions.1.id', 'must have 1 to 64 characters'],
      ['properties.questions.2.id', 'must have 1 to 64 characters'],
    ],
  ],
  [
    'a scale that ends before it begins',
    form({ type: 'NUMBER_SCALE', text: 'How?', range_min: 5, range_max: 4 }),
    [['properties.questions.0.range_max', 'must not be below range_min (5)']],
  ],
  [
    'a scale that begins above the default end',
    form({ type: 'NUMBER_SCALE', text: 'How?', range_min: 11 }),
    [['properties.questions.0.range_min', 'must not be above range_max (10)']],
  ],
  [
    'nothing to rank',
    form({ type: 'STACK_RANK', text: 'Which?', options: [] }),
    [['properties.questions.0.options', 'must have at least 1 item']],
  ],
  [
    'nothing to choose from',
    form({ type: 'MULTIPLE_CHOICE', text: 'Which?', options: [] }),
    [['properties.questions.0.options', 'must have at least 1 item']],
  ],
  [
    'two items of one id',
    form(
      { id: 'q', type: 'TEXT', text: 'Why?' },
      { type: 'TEXT', text: 'How?' },
      { id: 'q', type: 'INFO_BOX', text: '' },
    ),
    [['properties.questions.2.id', 'is also the id of item 0']],
  ],
  [
    'of items without an id, only the one that is wrong',
    form({ type: 'TEXT', text: 'Why?' }, { type: 'TEXT' }, { type: 'TEXT', text: 'How?' }),
    [['properties.questions.1.text', 'is required: a string']],
  ],
  [
    'an id that is no text, only as that',
    form({ id: 5, type: 'TEXT', text: 'Why?' }, { id: 5, type: 'TEXT', text: 'How?' }),
    [
      ['properties.questions.0.id', 'must be a string, not a number'],
      ['properties.questions.1.id', 'must be a string, not a number'],
    ],
  ],
  [
    'an input that is not there',
    score({ element: 'nope' }),
    [['properties.inputs.0.element', 'there is no element "nope"']],
  ],
  [
    'a review of what no review grades',
    score({ element: 'page', scored_via: 'review' }),
    [['properties.inputs.0.scored_via', 'is not possible for an element of type CONTENT; leave it out']],
  ],
  [
    'a review of another type',
    score({ element: 'essay', scored_via: 'page' }),
    [
      [
        'properties.inputs.0.scored_via',
        'must be of type PEER_REVIEW or AI_REVIEW or INSTRUCTOR_REVIEW; it is of type CONTENT',
      ],
    ],
  ],
  [
    'a source of another type',
    { type: 'PEER_REVIEW', properties: { source: { id: 'page' } } },
    [['properties.source', 'must be of type SUBMISSION; it is of type CONTENT']],
  ],
  [
    'an input of another course',
    { module: 'module3', ...score({ element: 'essay' }) },
    [['properties.inputs.0.element', 'the element "essay" is in another course']],
  ],
  [
    'a source of another course',
    { module: 'module3', type: 'PEER_REVIEW', properties: { source: { id: 'essay' } } },
    [['properties.source', 'the element "essay" is in another course']],
  ],
]

describe('wire §2: an element is refused with what is wrong, and where', () => {
  test.for(refused)('%s', async ([, body, issues], { call }) => {
    const answer = await call('/v0/elements', {
      as: 'key_acme',
      body: { module: 'module1', name: 'New', type: 'CONTENT', ...body },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.details).toEqual(issues.map(([path, message]) => ({ path, message })))
  })

  test('a type that is none, on the wire and in a document', async ({ call }) => {
    const odd = { name: 'New', type: 'QUIZZ' }
    const { body } = await call('/v0/elements', { as: 'key_acme', body: { ...odd, module: 'module1' } })
    const message = expect.stringMatching(/^must be one of [A-Z_]+(, [A-Z_]+){27}$/)
    expect(body.details).toEqual([{ path: 'type', message }])
    const courses = [{ id: 'c', name: 'C', modules: [{ id: 'm', name: 'M', elements: [odd] }] }]
    const document = { organizations: [{ slug: 'odd', name: 'Odd', courses }] }
    const answer = await call('/_admin/state', { method: 'PUT', body: document })
    expect(answer.status).toBe(400)
    const path = 'organizations.0.courses.0.modules.0.elements.0.type'
    expect(answer.body.errors).toEqual([{ path, message: body.details[0].message }])
  })

  test('a body that is no object, and a type to search for that is none', async ({ call }) => {
    const details = async (path: string, body: unknown) => (await call(path, { as: 'key_acme', body })).body.details
    const noObject = [{ path: '', message: 'the body must be a JSON object' }]
    expect(await details('/v0/elements', [])).toEqual(noObject)
    expect(await details('/v0/elements/search', [])).toEqual(noObject)
    const message = expect.stringMatching(/^must be one of CONTENT, VIDEO, [A-Z_]+(, [A-Z_]+){25}$/)
    expect(await details('/v0/elements/search', { type: 'NOPE' })).toEqual([{ path: 'type', message }])
  })

  test('a group that may be smaller than it must be, by an update', async ({ call }) => {
    const send = (path: string, body: object, method = 'POST') => call(path, { method, as: 'key_acme', body })
    const properties = { min_members: 2, max_members: 3 }
    const group = { module: 'module1', name: 'G', type: 'GROUP_FORMATION', properties }
    const { id } = (await send('/v0/elements', group)).body.payload
    const { body } = await send(`/v0/elements/${id}`, { properties: { min_members: 4 } }, 'PATCH')
    const message = 'must not be above max_members (3)'
    expect(body.details).toEqual([{ path: 'properties.min_members', message }])
  })

  test('a field that is ignored is named in the journal', async ({ call }) => {
    const named = (fields: object) => ({ as: 'key_acme', body: { q: 're', type: 'CONTENT', ...fields } })
    expect((await call('/v0/elements/search', named({ name: 'x' }))).status).toBe(200)
    const message = 'This field has no effect here; it was ignored'
    const [{ warnings }] = (await call('/_admin/requests')).body.data
    expect(warnings).toEqual([{ code: 'ignored_field', path: 'name', message }])
  })

  test('an element that is not there, in the journal; and the limits of a URL, in the OpenAPI document', async ({
    call,
  }) => {
    await call('/v0/elements/nothing', { as: 'key_acme' })
    expect((await call('/_admin/requests')).body.data[0].reason).toBe('There is no element nothing')
    const { schemas } = (await call('/v0/openapi.json')).body.components
    const { file_url } = schemas.FileProperties.properties
    const limits = { maxLength: 2048, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/\\\\]' }
    expect(JSON.stringify(file_url)).toContain(JSON.stringify(limits).slice(1, -1))
  })

  test('a score that would be an input of itself', async ({ call }) => {
    const made = await call('/v0/elements', { as: 'key_acme', body: { module: 'module1', name: 'S', type: 'SCORE' } })
    const { id } = made.body.payload
    const { body } = await call(`/v0/elements/${id}`, {
      method: 'PATCH',
      as: 'key_acme',
      body: { properties: { inputs: [{ element: id }] } },
    })
    expect(body.details).toEqual([{ path: 'properties.inputs.0.element', message: 'must not be the score itself' }])
  })

  test('a review whose source is another element', async ({ call }) => {
    const body = { module: 'module1', name: 'Other', type: 'SUBMISSION' }
    const { id } = (await call('/v0/elements', { as: 'key_acme', body })).body.payload
    const answer = await call('/v0/elements', {
      as: 'key_acme',
      body: { module: 'module1', name: 'S', ...score({ element: id, scored_via: 'review' }) },
    })
    const message = `must be a review of "${id}", but its source is "essay"`
    expect(answer.body.details).toEqual([{ path: 'properties.inputs.0.scored_via', message }])
  })
})
