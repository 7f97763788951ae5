import { describe, expect } from 'vitest'
import { type Answer, test as base } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const test = base.extend<{
  create: (type: string, properties?: unknown) => Promise<Answer>
  update: (id: string, properties: unknown) => Promise<Answer>
}>({
  create: async ({ call }, use) => {
    await use((type, properties) =>
      call('/v0/elements', { as: 'key_acme', body: { module: 'module1', name: type, type, properties } }),
    )
  },
  update: async ({ call }, use) => {
    await use((id, properties) => call(`/v0/elements/${id}`, { method: 'PATCH', as: 'key_acme', body: { properties } }))
  },
})

const pathsOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(400)
  return answer.body.details.map(({ path }: Any) => path.replace(/^properties\.?/, ''))
}
const propertiesOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200)
  return answer.body.payload.properties
}
const anId = expect.stringMatching(/^[A-Za-z0-9]{16}$/)

const dates = { start_date: null, end_date: null }
const review = { source: null, questions: [] }

/** Every property of each type, as a new element has it. spec: §2.2, §2.3; wire: §4 */
const unset: Record<string, object> = {
  CONTENT: {},
  VIDEO: { video_url: null, video_type: 'URL' },
  MEETING_PROVIDER_A: { ...dates, meeting_reports: null },
  MEETING_LINK: { meeting_url: null, ...dates },
  QUIZ: { passing_score: null, completion_trigger: null, questions: [] },
  SUBMISSION: { questions: [] },
  GROUP_SUBMISSION: { questions: [] },
  EMBED: { embed: null },
  SURVEY: { questions: [] },
  SCORM: { scorm_url: null, scorm_user_identifier: null },
  CERTIFICATE: {
    certificate_title: null,
    certificate_description: null,
    certificate_course_name: null,
    certificate_issued_by: null,
  },
  TAG: {},
  PARTNER_LEARNING: {},
  SELF_REVIEW: review,
  PEER_REVIEW: review,
  FEEDBACK_REFLECTION: review,
  INSTRUCTOR_REVIEW: review,
  INSTRUCTOR_DISCUSSION: { source: null },
  AI_REVIEW: review,
  CHECKLIST: { questions: [] },
  DISCUSSION: { restrict_posts_to: null, completion_rules: null },
  FILE: { file_url: null },
  GROUP_FORMATION: {
    min_members: null,
    max_members: null,
    restrict_group_creation_to: null,
    group_threads_enabled: null,
  },
  FORM: { questions: [] },
  SCORE: { passing_score: null, passing_score_comparator: null, incomplete_inputs_handling: null, inputs: [] },
  GROUP_PEER_REVIEW: review,
  GROUP_FEEDBACK_REFLECTION: review,
  MEETING_PROVIDER_B: { ...dates, meeting_reports: null },
}

describe('spec §2.2: the element types', () => {
  test('are 28', () => {
    expect(Object.keys(unset)).toHaveLength(28)
  })

  test.for(Object.entries(unset))('%s has its properties, unset', async ([type, properties], { create, update }) => {
    const made = await create(type)
    expect(propertiesOf(made)).toEqual(properties)
    const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]))
    expect(propertiesOf(await create(type, nulls))).toEqual(properties)
    expect(propertiesOf(await update(made.body.payload.id, nulls))).toEqual(properties)
    expect(pathsOf(await create(type, { nonsense: 1, ...(type !== 'EMBED' && { embed: 'x' }) }))).toContain('nonsense')
  })
})

const url = 'https://cdn.acme.test/a?b=c#d'
const urls = {
  good: [url, 'HTTP://x.test', `https://x.test/${'a'.repeat(2033)}`],
  bad: [
    '',
    'x',
    'ftp://x.test',
    '//x.test',
    'javascript:alert(1)',
    ' https://x.test',
    'https://',
    `https://x.test/${'a'.repeat(2034)}`,
    5,
    true,
    [],
    {},
  ],
}
const moments = {
  good: ['2026-01-31', '2026-01-31T09:00:00Z', '2026-01-31T09:00Z', '2026-01-31T09:00:00.123+02:00', '2024-02-29'],
  bad: [
    '',
    'tomorrow',
    '2026-01-31T09:00:00',
    '2026-02-30',
    '2026-13-01',
    '31.01.2026',
    '2026-01-31 09:00:00Z',
    '2026-01-31T25:00:00Z',
    5,
    {},
  ],
}
const strings = { good: ['', 'x', '<b>'], bad: [5, true, [], {}] }
const booleans = { good: [true, false], bad: ['true', 0, {}, []] }
const percentages = { good: [0, 100, 50], bad: [-1, 101, 0.5, '50', true, [], {}] }
const counts = { good: [1, 7], bad: [0, -1, 1.5, '1', {}] }
const enumOf = (...good: string[]) => ({ good, bad: [`${good[0]}x`, '', 5, true, [], {}] })

/** Values that a property takes, and values that it does not. spec: §2.3, wire: §5 */
const values: [type: string, property: string, { good: unknown[]; bad: unknown[] }][] = [
  ['VIDEO', 'video_url', urls],
  ['VIDEO', 'video_type', enumOf('URL', 'SOURCE')],
  ['MEETING_PROVIDER_A', 'start_date', moments],
  ['MEETING_PROVIDER_A', 'end_date', moments],
  ['MEETING_PROVIDER_A', 'meeting_reports', booleans],
  ['MEETING_PROVIDER_B', 'start_date', moments],
  ['MEETING_PROVIDER_B', 'end_date', moments],
  ['MEETING_PROVIDER_B', 'meeting_reports', booleans],
  ['MEETING_LINK', 'meeting_url', urls],
  ['MEETING_LINK', 'start_date', moments],
  ['MEETING_LINK', 'end_date', moments],
  ['QUIZ', 'passing_score', percentages],
  ['QUIZ', 'completion_trigger', enumOf('on_pass', 'on_submit')],
  ['EMBED', 'embed', strings],
  ['FILE', 'file_url', urls],
  ['SCORM', 'scorm_url', urls],
  ['SCORM', 'scorm_user_identifier', enumOf('user_id', 'user_email')],
  ['CERTIFICATE', 'certificate_title', strings],
  ['CERTIFICATE', 'certificate_description', strings],
  ['CERTIFICATE', 'certificate_course_name', strings],
  ['CERTIFICATE', 'certificate_issued_by', strings],
  ['DISCUSSION', 'restrict_posts_to', enumOf('everyone', 'lecturers')],
  ['GROUP_FORMATION', 'min_members', counts],
  ['GROUP_FORMATION', 'max_members', counts],
  ['GROUP_FORMATION', 'restrict_group_creation_to', enumOf('everyone', 'lecturers')],
  ['GROUP_FORMATION', 'group_threads_enabled', booleans],
  ['SCORE', 'passing_score', percentages],
  [
    'SCORE',
    'passing_score_comparator',
    enumOf('greater_than', 'greater_than_or_equal', 'equal_to', 'less_than', 'less_than_or_equal'),
  ],
  ['SCORE', 'incomplete_inputs_handling', enumOf('ignore', 'score_as_zero')],
]

describe('spec §2.3: properties with a plain value', () => {
  test.for(values)('%s %s', async ([type, property, { good, bad }], { create, update }) => {
    const { id } = (await create(type)).body.payload
    for (const value of good) {
      expect(propertiesOf(await create(type, { [property]: value }))).toEqual({ ...unset[type], [property]: value })
      expect(propertiesOf(await update(id, { [property]: value }))).toMatchObject({ [property]: value })
    }
    for (const value of bad) {
      expect(new Set(pathsOf(await create(type, { [property]: value })))).toEqual(new Set([property]))
      expect(new Set(pathsOf(await update(id, { [property]: value })))).toEqual(new Set([property]))
    }
  })

  test('an end before the start is accepted', async ({ create }) => {
    propertiesOf(await create('MEETING_LINK', { start_date: '2026-02-01', end_date: '2026-01-01' }))
  })
})

describe('spec §2.3: video_type must be URL when updating video_url', () => {
  test('the type of the request counts, else the stored one', async ({ create, update }) => {
    expect(pathsOf(await create('VIDEO', { video_type: 'SOURCE', video_url: url }))).toEqual(['video_url'])
    const { id } = (await create('VIDEO', { video_type: 'SOURCE' })).body.payload
    const invalid = (await update(id, { video_url: 'ftp://host/file', video_type: 'SOURCE' })).body.details
    expect(invalid).toEqual([{ path: 'properties.video_url', message: 'must be an http or https URL' }])
    expect(pathsOf(await update(id, { video_url: url }))).toEqual(['video_url'])
    expect(propertiesOf(await update(id, { video_url: url, video_type: 'URL' }))).toEqual({
      video_url: url,
      video_type: 'URL',
    })
    expect(propertiesOf(await update(id, { video_type: 'SOURCE' }))).toEqual({ video_url: url, video_type: 'SOURCE' })
    expect(pathsOf(await update(id, { video_url: null }))).toEqual(['video_url'])
  })

  test('a URL that is sent back as it was read is no update', async ({ create, update }) => {
    const { id } = (await create('VIDEO', { video_url: url })).body.payload
    await update(id, { video_type: 'SOURCE' })
    propertiesOf(await update(id, { video_url: url, video_type: 'SOURCE' }))
    propertiesOf(await update(id, { video_url: url }))
  })
})

describe('spec §2.3: max_members >= min_members', () => {
  test('both are compared, and one against the stored other', async ({ create, update }) => {
    expect(pathsOf(await create('GROUP_FORMATION', { min_members: 3, max_members: 2 }))).toEqual(['max_members'])
    const { id } = (await create('GROUP_FORMATION', { min_members: 2, max_members: 3 })).body.payload
    expect(pathsOf(await update(id, { max_members: 1 }))).toEqual(['max_members'])
    expect(pathsOf(await update(id, { min_members: 4 }))).toEqual(['min_members'])
    propertiesOf(await update(id, { min_members: 3 }))
    propertiesOf(await update(id, { max_members: null }))
    propertiesOf(await update(id, { min_members: 9 }))
    expect(pathsOf(await update(id, { max_members: 8, min_members: 'x' }))).toEqual(['min_members'])
  })
})

describe('wire §5: completion_rules', () => {
  test.for([
    {
      operator: 'OR',
      rules: [
        { type: 'POST', count: 1 },
        { type: 'COMMENT', count: 2 },
      ],
    },
    { operator: 'AND', rules: [{ type: 'COMMENT', count: 1 }] },
  ])('%j', async (completion_rules, { create }) => {
    expect(propertiesOf(await create('DISCUSSION', { completion_rules }))).toMatchObject({ completion_rules })
  })

  test('the operator defaults to AND', async ({ create }) => {
    const rules = [{ type: 'POST', count: 1 }]
    const { completion_rules } = propertiesOf(await create('DISCUSSION', { completion_rules: { rules } }))
    expect(completion_rules).toEqual({ operator: 'AND', rules })
  })

  test.for<[unknown, string[]]>([
    [{ operator: 'XOR', rules: [{ type: 'POST', count: 1 }] }, ['operator']],
    [{ rules: [] }, ['rules']],
    [{}, ['rules']],
    [{ rules: [{ type: 'POST', count: 0 }] }, ['rules.0.count']],
    [{ rules: [{ type: 'POST', count: 1.5 }] }, ['rules.0.count']],
    [{ rules: [{ type: 'LIKE', count: 1 }] }, ['rules.0.type']],
    [{ rules: [{ count: 1 }] }, ['rules.0.type']],
    [{ rules: [null] }, ['rules.0']],
    [{ rules: [{ type: 'POST' }] }, ['rules.0.count']],
    [{ rules: [{ type: 'POST', count: 1, x: 1 }] }, ['rules.0.x']],
    [
      {
        rules: [
          { type: 'POST', count: 1 },
          { type: 'POST', count: 2 },
        ],
      },
      ['rules.1.type'],
    ],
    [{ rules: [{ type: 'POST', count: 1 }], other: 1 }, ['other']],
    [[], ['']],
    ['AND', ['']],
  ])('%j is refused', async ([completion_rules, paths], { create }) => {
    const expected = paths.map((path) => `completion_rules${path && `.${path}`}`)
    expect(pathsOf(await create('DISCUSSION', { completion_rules }))).toEqual(expected)
  })
})

const submissionDefaults = {
  accept_text: true,
  text_required: false,
  accept_file: false,
  file_required: false,
  file_multiple: false,
}
const answers = [{ id: 'a', text: 'A', is_correct: true }]
const options = [
  { id: 'a', text: 'A' },
  { id: 'b', text: 'B' },
]
const rubrics = [
  'SELF_REVIEW',
  'PEER_REVIEW',
  'AI_REVIEW',
  'INSTRUCTOR_REVIEW',
  'FEEDBACK_REFLECTION',
  'GROUP_PEER_REVIEW',
  'GROUP_FEEDBACK_REFLECTION',
]
const q = (fields: object) => ({ id: 'q', text: 'T', ...fields })

/** The least question of each kind, and what it is read as. spec: §2.3 */
const questions: [type: string, sent: object, read: object][] = [
  ['QUIZ', q({ answers }), { shuffle: false, require_all_correct: false, answers }],
  [
    'QUIZ',
    q({ answers, shuffle: true, require_all_correct: true }),
    { shuffle: true, require_all_correct: true, answers },
  ],
  ['SUBMISSION', q({}), submissionDefaults],
  [
    'GROUP_SUBMISSION',
    q({ accept_text: false, accept_file: true }),
    { ...submissionDefaults, accept_text: false, accept_file: true },
  ],
  ['SURVEY', q({ options }), { options }],
  ['CHECKLIST', q({}), {}],
  ['FORM', q({ type: 'TEXT' }), { type: 'TEXT', optional: false, min_words: 1 }],
  ['FORM', q({ type: 'NUMBER_SCALE' }), { type: 'NUMBER_SCALE', optional: false, range_min: 1, range_max: 10 }],
  [
    'FORM',
    q({ type: 'NUMBER_SCALE', range_min: 3, range_max: 3 }),
    { type: 'NUMBER_SCALE', optional: false, range_min: 3, range_max: 3 },
  ],
  [
    'FORM',
    q({ type: 'MULTIPLE_CHOICE', options, optional: true }),
    { type: 'MULTIPLE_CHOICE', optional: true, options },
  ],
  ['FORM', q({ type: 'STACK_RANK', options }), { type: 'STACK_RANK', optional: false, options }],
  ['FORM', q({ type: 'INFO_BOX' }), { type: 'INFO_BOX', optional: false }],
  ...rubrics.flatMap((type): [string, object, object][] => [
    [type, q({ type: 'TEXT' }), { type: 'TEXT', optional: false, min_words: null }],
    [
      type,
      q({ type: 'NUMBER_SCALE', range_max: 5 }),
      { type: 'NUMBER_SCALE', optional: false, range_min: null, range_max: 5 },
    ],
    [
      type,
      q({ type: 'TEXT_SCALE', options: [{ text: 'bad' }] }),
      { type: 'TEXT_SCALE', optional: false, options: [{ text: 'bad' }] },
    ],
    [type, q({ type: 'YES_NO', yes_text: 'Y' }), { type: 'YES_NO', optional: false, yes_text: 'Y', no_text: null }],
    [type, q({ type: 'INFO_BOX' }), { type: 'INFO_BOX', optional: false }],
  ]),
]

describe('spec §2.3: questions', () => {
  test.for(questions)('%s %j', async ([type, sent, read], { create, update }) => {
    const made = await create(type, { questions: [sent] })
    expect(propertiesOf(made).questions).toEqual([{ ...sent, ...read }])
    const again = await update(made.body.payload.id, propertiesOf(made))
    expect(propertiesOf(again)).toEqual(propertiesOf(made))
  })

  test.for<[type: string, question: unknown, paths: string[]]>([
    ['QUIZ', q({}), ['answers']],
    ['QUIZ', q({ answers: [] }), ['answers']],
    ['QUIZ', { answers }, ['text']],
    ['QUIZ', q({ answers: [{ text: 'A' }] }), ['answers.0.is_correct']],
    ['QUIZ', q({ answers: [{ text: 'A', is_correct: 'yes' }] }), ['answers.0.is_correct']],
    ['QUIZ', q({ answers: [{ is_correct: true }] }), ['answers.0.text']],
    ['QUIZ', q({ answers: [{ ...answers[0], x: 1 }] }), ['answers.0.x']],
    ['QUIZ', q({ answers: [answers[0], answers[0]] }), ['answers.1.id']],
    ['QUIZ', q({ answers, shuffle: 1 }), ['shuffle']],
    ['QUIZ', q({ answers, options }), ['options']],
    ['QUIZ', q({ answers, type: 'TEXT' }), ['type']],
    ['QUIZ', q({ answers, id: 5 }), ['id']],
    ['QUIZ', 'text', ['']],
    ['QUIZ', null, ['']],
    ['QUIZ', [], ['']],
    ['SUBMISSION', {}, ['text']],
    ['SUBMISSION', q({ accept_text: 'x' }), ['accept_text']],
    ['SUBMISSION', q({ answers }), ['answers']],
    ['SURVEY', q({}), ['options']],
    ['SURVEY', q({ options: [options[0]] }), ['options']],
    ['SURVEY', q({ options: [{}, { text: 'x' }] }), ['options.0.text']],
    ['SURVEY', q({ options: [options[0], options[0]] }), ['options.1.id']],
    ['SURVEY', q({ options: [{ ...options[0], is_correct: true }, options[1]] }), ['options.0.is_correct']],
    ['CHECKLIST', {}, ['text']],
    ['CHECKLIST', q({ done: true }), ['done']],
    ['FORM', q({}), ['type']],
    ['FORM', q({ type: 'YES_NO' }), ['type']],
    ['FORM', { type: 'NOPE', optional: 1 }, ['type', 'text', 'optional']],
    ['FORM', q({ type: 'TEXT', options }), ['options']],
    ['FORM', q({ type: 'TEXT', min_words: 1.5 }), ['min_words']],
    ['FORM', q({ type: 'TEXT', range_min: 1 }), ['range_min']],
    ['FORM', q({ type: 'NUMBER_SCALE', range_min: 11 }), ['range_min']],
    ['FORM', q({ type: 'NUMBER_SCALE', range_max: 0 }), ['range_max']],
    ['FORM', q({ type: 'NUMBER_SCALE', range_min: 5, range_max: 4 }), ['range_max']],
    ['FORM', q({ type: 'MULTIPLE_CHOICE' }), ['options']],
    ['FORM', q({ type: 'MULTIPLE_CHOICE', options: [] }), ['options']],
    ['FORM', q({ type: 'STACK_RANK', options: [options[0], options[0]] }), ['options.1.id']],
    ['FORM', q({ type: 'INFO_BOX', min_words: 1 }), ['min_words']],
    ...rubrics.flatMap((type): [string, unknown, string[]][] => [
      [type, q({}), ['type']],
      [type, q({ type: 'STACK_RANK', options }), ['type']],
      [type, q({ type: 'TEXT', options }), ['options']],
      [type, q({ type: 'NUMBER_SCALE', range_min: 5, range_max: 4 }), ['range_max']],
      [type, q({ type: 'TEXT_SCALE', options: [] }), ['options']],
      [type, q({ type: 'TEXT_SCALE', options: [{ id: 'x', text: 'y' }] }), ['options.0.id']],
      [type, q({ type: 'YES_NO', yes_text: 1 }), ['yes_text']],
      [type, q({ type: 'INFO_BOX', yes_text: 'x' }), ['yes_text']],
    ]),
  ])('%s %j is refused', async ([type, question, paths], { create }) => {
    const expected = paths.map((path) => `questions.0${path && `.${path}`}`)
    expect(pathsOf(await create(type, { questions: [question] })).toSorted()).toEqual(expected.toSorted())
  })

  test('an update replaces the array; ids given are kept, missing ones generated', async ({ create, update }) => {
    const made = await create('QUIZ', { questions: [{ text: 'One', answers: [{ text: 'A', is_correct: true }] }] })
    const [first] = propertiesOf(made).questions
    expect(first).toMatchObject({ id: anId, answers: [{ id: anId, text: 'A', is_correct: true }] })
    const { id } = made.body.payload
    const second = { text: 'Two', answers: [{ id: 'mine', text: 'B', is_correct: false }] }
    const { questions } = propertiesOf(await update(id, { questions: [second, first] }))
    expect(questions).toEqual([
      { ...second, id: anId, shuffle: false, require_all_correct: false },
      { ...first, id: first.id },
    ])
    expect(propertiesOf(await update(id, { passing_score: 5 })).questions).toEqual(questions)
    expect(propertiesOf(await update(id, { questions: [] })).questions).toEqual([])
  })

  test('the same id twice in one array is refused, in two arrays it is not', async ({ create }) => {
    const question = { id: 'x', text: 'T', answers: [{ id: 'x', text: 'A', is_correct: true }] }
    propertiesOf(await create('QUIZ', { questions: [question, { ...question, id: 'y' }] }))
    expect(pathsOf(await create('QUIZ', { questions: [question, question] }))).toEqual(['questions.1.id'])
  })

  test('a fault in one question hides no fault in another', async ({ create }) => {
    const paths = pathsOf(await create('QUIZ', { questions: [{ id: 'x' }, { id: 'x', text: 'T', answers }] }))
    expect(paths.toSorted()).toEqual(['questions.0.answers', 'questions.0.text', 'questions.1.id'])
  })
})

test('a text is stored as it is given, whatever it holds', async ({ call }) => {
  const properties = { embed: '\u0000new' }
  const body = { module: 'module1', name: 'Odd', type: 'EMBED', properties }
  expect((await call('/v0/elements', { as: 'key_acme', body })).body.payload.properties).toEqual(properties)
})

describe('wire §7: element_type_names', () => {
  test.override({ settings: { elementTypeNames: { MEETING_PROVIDER_A: 'ZOOM', SUBMISSION: 'ASSIGNMENT' } } })

  test('renames types both ways, in bodies, search, sources, contexts and errors', async ({ create, call, update }) => {
    const zoom = await create('ZOOM', { meeting_reports: true })
    expect(zoom.body.payload).toMatchObject({ type: 'ZOOM', properties: { meeting_reports: true } })
    const refused = await create('MEETING_PROVIDER_A')
    expect(refused.status).toBe(400)
    expect(refused.body.details[0].message).toContain('CONTENT, VIDEO, ZOOM, ')
    expect(refused.body.details[0].message).not.toContain('MEETING_PROVIDER_A')

    const search = (type: string) => call('/v0/elements/search', { as: 'key_acme', body: { type } })
    expect((await search('ASSIGNMENT')).body.payload.data).toMatchObject([{ id: 'essay', type: 'ASSIGNMENT' }])
    expect((await search('SUBMISSION')).status).toBe(400)

    const review = await call('/v0/elements/review', { as: 'key_acme' })
    expect(propertiesOf(review).source).toEqual({ type: 'ASSIGNMENT', id: 'essay', name: 'Essay' })
    propertiesOf(await update('review', propertiesOf(review)))
    const wrong = await update('review', { source: { id: zoom.body.payload.id } })
    expect(wrong.body.details).toEqual([
      { path: 'properties.source', message: 'must be of type ASSIGNMENT; it is of type ZOOM' },
    ])
    const { body } = await call('/v0/activities/act1', { as: 'key_acme' })
    expect(body.payload.context.type).toBe('ASSIGNMENT')
  })
})
