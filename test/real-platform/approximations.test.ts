import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { type Document, test } from './platform-test.js'

/** Finds an element in a fixture document by its id. */
const elementIn = (document: Document, id: string): Document =>
  document.organizations[0].courses
    .flatMap(({ modules }: Document) => modules)
    .flatMap(({ elements }: Document) => elements)
    .find((element: Document) => element.id === id)

interface Case {
  what: string
  /** Changes the resource `of` wherever it is shown. */
  change: (item: Document) => void
  of: { object: string; id: string }
  listed: { resource: string; field: string; what: string }
  expected: (document: Document) => unknown
  toBe: unknown
}

/** Each of these characters has two units of UTF-16. */
const long = (length: number) => '😀'.repeat(length)
const element = (id: string) => ({ object: 'element', id })
const LEFT_OUT = 'is not valid here; left out'
const NEAREST = 'is not valid here; changed to the nearest valid value'

const ofCourse = (what: string, field: string, value: unknown, note: string, toBe: unknown): Case => ({
  what,
  of: { object: 'course', id: 'course1' },
  change(item) {
    item[field] = value
  },
  listed: { resource: 'courses', field, what: note },
  expected: (document) => document.organizations[0].courses[0][field],
  toBe,
})

const cases: Case[] = [
  {
    what: 'an element of an unknown type',
    of: element('page'),
    change(item) {
      item.type = 'ROLEPLAY'
    },
    listed: { resource: 'elements', field: 'type', what: 'is not known; set to CONTENT' },
    expected: (document) => elementIn(document, 'page'),
    toBe: expect.objectContaining({ type: 'CONTENT', name: 'Reading', content: '# Read this' }),
  },
  {
    what: 'a meeting of an unknown name',
    of: element('page'),
    change: (item) => {
      item.type = 'TEAMS'
      item.properties = { start_date: null, end_date: null, meeting_reports: true }
    },
    listed: {
      resource: 'elements',
      field: 'type',
      what: 'is treated as MEETING_PROVIDER_A because of its properties; --element-type-names MEETING_PROVIDER_A=TEAMS makes it certain',
    },
    expected: (document) => [elementIn(document, 'page').type, document.settings],
    toBe: ['MEETING_PROVIDER_A', { element_type_names: { MEETING_PROVIDER_A: 'TEAMS' } }],
  },
  {
    what: 'a name over its limit',
    of: element('page'),
    change(item) {
      item.name = long(300)
    },
    listed: { resource: 'elements', field: 'name', what: 'is longer than 255 characters; cut off' },
    expected: (document) => elementIn(document, 'page').name,
    toBe: long(255),
  },
  {
    what: 'metadata over its limits',
    of: element('page'),
    change(item) {
      item.metadata = { 'a[b]': 'x'.repeat(600), number: 3 }
    },
    listed: { resource: 'elements', field: 'metadata', what: NEAREST },
    expected: (document) => elementIn(document, 'page').metadata,
    toBe: { 'a(b)': 'x'.repeat(500), number: '3' },
  },
  {
    what: 'a property that the type does not have',
    of: element('page'),
    change(item) {
      item.properties = { theme: 'dark' }
    },
    listed: { resource: 'elements', field: 'properties.theme', what: 'is not a property of CONTENT; left out' },
    expected: (document) => elementIn(document, 'page').properties,
    toBe: {},
  },
  ofCourse('a field that no resource has', 'locale', 'de', 'has no place in a fixture document; left out', undefined),
  ofCourse('a value outside of an enumeration', 'status', 'live', LEFT_OUT, undefined),
  ofCourse('a number in a string', 'price', '149.00', NEAREST, 149),
  ofCourse('a number where a name belongs', 'name', 101, NEAREST, '101'),
  ofCourse('a number where an address belongs', 'url', 7, LEFT_OUT, undefined),
  ofCourse('a boolean where a string belongs', 'currency', true, LEFT_OUT, undefined),
  ofCourse('seconds in a string', 'created_at', '1700000000', NEAREST, '2023-11-14T22:13:20.000Z'),
  ofCourse('milliseconds in a string', 'created_at', '1700000000000', NEAREST, '2023-11-14T22:13:20.000Z'),
  ofCourse('a string where a number belongs', 'price', 'ask us', LEFT_OUT, undefined),
  {
    what: 'a property that is a number in a string',
    of: element('review'),
    change: (item) => {
      const question = { id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 1, range_max: '5' }
      item.properties.questions = [question]
    },
    listed: { resource: 'elements', field: 'properties.questions.range_max', what: NEAREST },
    expected: (document) => elementIn(document, 'review').properties.questions,
    toBe: [{ id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 1, range_max: 5 }],
  },
  {
    what: 'a question of an unknown kind',
    of: element('review'),
    change: (item) => {
      const question = { id: 'r1', type: 'SLIDER', text: 'How well?', optional: false, steps: 3 }
      item.properties.questions = [question]
    },
    listed: { resource: 'elements', field: 'properties.questions.type', what: NEAREST },
    expected: (document) => elementIn(document, 'review').properties.questions,
    toBe: [{ id: 'r1', type: 'TEXT', text: 'How well?', optional: false }],
  },
  {
    what: 'a question without a text, also in its options,',
    of: element('review'),
    change: (item) => {
      item.properties.questions = [{ id: 'r1', type: 'TEXT_SCALE', options: [{}] }]
    },
    listed: { resource: 'elements', field: 'properties.questions.text', what: LEFT_OUT },
    expected: (document) => elementIn(document, 'review').properties.questions,
    toBe: [],
  },
  {
    what: 'numbers out of their range',
    of: element('review'),
    change: (item) => {
      const question = { id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 1.4, range_max: 5 }
      item.properties.questions = [question]
    },
    listed: { resource: 'elements', field: 'properties.questions.range_min', what: NEAREST },
    expected: (document) => elementIn(document, 'review').properties.questions,
    toBe: [{ id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 1, range_max: 5 }],
  },
  {
    what: 'numbers in the wrong order',
    of: element('review'),
    change: (item) => {
      const question = { id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 5, range_max: 2 }
      item.properties.questions = [question]
    },
    listed: { resource: 'elements', field: 'properties.questions.range_max', what: LEFT_OUT },
    expected: (document) => elementIn(document, 'review').properties.questions,
    toBe: [{ id: 'r1', type: 'NUMBER_SCALE', text: 'How well?', range_min: 5 }],
  },
  {
    what: 'a source of the wrong type',
    of: element('review'),
    change(item) {
      item.properties.source = { id: 'page', type: 'CONTENT', name: 'Reading' }
    },
    listed: {
      resource: 'elements',
      field: 'properties.source',
      what: 'must be of type SUBMISSION; it is of type CONTENT; left out',
    },
    expected: (document) => elementIn(document, 'review').properties,
    toBe: { questions: [] },
  },
  {
    what: 'a source that is gone',
    of: element('review'),
    change(item) {
      item.properties.source = { id: 'gone', type: 'SUBMISSION', name: 'Gone' }
    },
    listed: { resource: 'elements', field: 'properties.source', what: 'there is no element …; left out' },
    expected: (document) => elementIn(document, 'review').properties,
    toBe: { questions: [] },
  },
  {
    what: 'score inputs that refer to what is gone',
    of: element('page'),
    change: (item) => {
      item.type = 'SCORE'
      item.properties = {
        inputs: [
          { id: 'i1', element: 'gone', weight: 1, scored_via: null },
          { id: 'i2', element: 'essay', weight: 0, scored_via: 'gone' },
        ],
      }
    },
    listed: { resource: 'elements', field: 'properties.inputs.element', what: 'there is no element …; left out' },
    expected: (document) => elementIn(document, 'page').properties.inputs,
    toBe: [{ id: 'i2', element: 'essay', weight: 1 }],
  },
  {
    what: 'a time that is none',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.timestamp = 'yesterday'
    },
    listed: { resource: 'activities', field: 'timestamp', what: LEFT_OUT },
    expected: (document) => elementIn(document, 'essay').activities.map(({ timestamp }: Document) => typeof timestamp),
    toBe: ['undefined', 'string'],
  },
  {
    what: 'an answer to a question that is gone',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.meta.responses[0].question = 'gone'
    },
    listed: {
      resource: 'activities',
      field: 'meta.responses.question',
      what: 'is not a question of the element; set to null',
    },
    expected: (document) => elementIn(document, 'essay').activities[0].responses[0].question,
    toBe: null,
  },
  {
    what: 'an activity of somebody who is no member',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.member.id = 'stranger'
    },
    listed: {
      resource: 'members',
      field: '',
      what: 'is not listed, but appears in a course or an activity; added as a member',
    },
    expected: (document) => document.organizations[0].members.map(({ user, role }: Document) => `${user} ${role}`),
    toBe: ['ada owner', 'bob learner', 'stranger learner'],
  },
  {
    what: 'an activity that somebody completed who is no member',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.completed_by = { ...item.member, id: 'stranger' }
    },
    listed: { resource: 'activities', field: 'completed_by', what: 'is not a member; left out' },
    expected: (document) => elementIn(document, 'essay').activities[0].completed_by,
    toBe: null,
  },
  {
    what: 'an activity of nobody',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      delete item.member
    },
    listed: { resource: 'activities', field: '', what: 'has no member; left out' },
    expected: (document) => elementIn(document, 'essay').activities.map(({ id }: Document) => id),
    toBe: ['act2'],
  },
  {
    what: 'properties that are no object',
    of: element('page'),
    change(item) {
      item.properties = ['theme']
    },
    listed: { resource: 'elements', field: 'properties', what: 'is not an object; left out' },
    expected: (document) => elementIn(document, 'page').properties,
    toBe: {},
  },
  {
    what: 'meta that is no object',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.meta = 'none'
    },
    listed: { resource: 'activities', field: 'meta', what: 'is not an object; left out' },
    expected: (document) => elementIn(document, 'essay').activities[0].responses,
    toBe: [],
  },
  {
    what: 'a response that is no object',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.meta.responses = ['yes']
    },
    listed: {
      resource: 'activities',
      field: 'meta.responses',
      what: 'has an entry that is not an object; left out',
    },
    expected: (document) => elementIn(document, 'essay').activities[0].responses,
    toBe: [],
  },
  {
    what: 'an activity of a member and of members',
    of: { object: 'activity', id: 'act1' },
    change(item) {
      item.members = [{ ...item.member, id: 'stranger' }]
    },
    listed: { resource: 'activities', field: 'members', what: 'is beside member; left out' },
    expected: (document) => document.users.map(({ id }: Document) => id),
    toBe: ['ada', 'bob'],
  },
  {
    what: 'a flag in words',
    of: { object: 'member', id: 'ada' },
    change(item) {
      item.is_email_verified = 'yes'
    },
    listed: { resource: 'members', field: 'is_email_verified', what: 'is not a boolean; set to false' },
    expected: (document) => document.users[0].email_verified,
    toBe: false,
  },
  {
    what: 'a position in words',
    of: { object: 'module', id: 'module1' },
    change(item) {
      item.position = 'first'
    },
    listed: { resource: 'modules', field: 'position', what: 'is not a number; placed last' },
    expected: (document) => document.organizations[0].courses[0].modules.map(({ id }: Document) => id),
    toBe: ['module2', 'module1'],
  },
  {
    what: 'an id that no fixture document takes',
    of: { object: 'module', id: 'module3' },
    change(item) {
      item.id = 'a module/3'
    },
    listed: { resource: 'modules', field: 'id', what: 'is not a valid ID for a fixture document; changed' },
    expected: (document) => document.organizations[0].courses[1].modules.map(({ id }: Document) => id),
    toBe: [expect.stringMatching(/^[a-z0-9]{16}$/)],
  },
]

/** Calls `visit` for every resource in a body. */
function visitResources(value: Document, visit: (item: Document) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.object === 'string') visit(value)
  for (const inner of Object.values(value)) visitResources(inner, visit)
}

describe('what the document cannot hold', () => {
  test.for(cases.map((one) => [one.what, one] as const))(
    'keeps %s as near as it can be, lists it, and is valid',
    async ([, { of, change, listed, expected, toBe }], { emulator, between, pullFrom }) => {
      const base = await between(emulator.url, ({ path, body }) => {
        if (path === '/v0/openapi.json') return
        visitResources(body, (item) => {
          if (item.object === of.object && item.id === of.id && (item.object !== 'element' || 'properties' in item))
            change(item)
        })
      })
      const { document, approximations } = await pullFrom({ base })
      expect(approximations).toContainEqual({ ...listed, count: expect.any(Number), ids: expect.any(Array) })
      expect(expected(document)).toEqual(toBe)
      await (await startEmulator({ fixtures: document })).close()
    },
  )

  test('asks for an element whose properties the list does not show', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/elements') for (const item of body.payload.data) delete item.properties
    })
    const { document, approximations } = await pullFrom({ base })
    expect(elementIn(document, 'essay').properties.questions).toHaveLength(1)
    expect(approximations).toEqual([])
  })

  test('refers to an element by the id that the document gives it', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path !== '/v0/elements') return
      const inputs = [{ id: 'i1', element: 'essay', weight: 1, scored_via: 'a review/1' }]
      for (const item of body.payload.data) {
        if (item.id === 'review') item.id = 'a review/1'
        if (item.id === 'page') Object.assign(item, { type: 'SCORE', properties: { inputs } })
      }
    })
    const { document } = await pullFrom({ base })
    const [input] = elementIn(document, 'page').properties.inputs
    expect(elementIn(document, input.scored_via)).toMatchObject({ type: 'PEER_REVIEW' })
  })

  test('lists an element that belongs to no module', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/elements') body.payload.data[0].module = 'nowhere'
    })
    const { document, approximations } = await pullFrom({ base })
    expect(elementIn(document, 'page')).toBeUndefined()
    const what = 'belongs to a module that is not listed; left out'
    expect(approximations).toEqual([{ resource: 'elements', field: '', what, count: 1, ids: ['page'] }])
  })

  test('lists an element that came before, and an ID that is not a string', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path !== '/v0/elements') return
      const { data } = body.payload
      data.push({ ...data[0], name: 'Another' }, { ...data[0], id: 5 })
    })
    const { document, approximations } = await pullFrom({ base })
    expect(elementIn(document, 'page').name).toBe('Reading')
    const found = { resource: 'elements', field: '', count: 1 }
    expect(approximations).toEqual([
      { ...found, what: 'is listed more than once; only the first is kept', ids: ['page'] },
      { ...found, what: 'has no id that is a string; left out', ids: [] },
    ])
  })

  test.for([5, '5', true])('says once that %j is no time', async (time, { emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/modules') body.payload.data[0].created_at = time
    })
    const { approximations } = await pullFrom({ base })
    expect(approximations).toMatchObject([{ resource: 'modules', field: 'created_at', what: LEFT_OUT, count: 1 }])
  })

  test('counts what is the same, and names the first three', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/elements') for (const item of body.payload.data) item.locale = 'en'
    })
    const { approximations } = await pullFrom({ base })
    const what = 'has no place in a fixture document; left out'
    expect(approximations).toEqual([
      { resource: 'elements', field: 'locale', what, count: 3, ids: ['page', 'review', 'essay'] },
    ])
  })
})
