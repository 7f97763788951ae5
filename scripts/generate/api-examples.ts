import { readFileSync } from 'node:fs'
import { launch } from '../../src/control/start/launch.js'
import { elementTypeNames } from '../../src/emulator/world/element-type-names.js'

// The examples of the OpenAPI document of `/v0`, for `npm run build`: what an emulator responds in the default world.

/** JSON as it comes from the API. */
// biome-ignore lint/suspicious/noExplicitAny: reads whatever the responses hold, and fails where it is not there
type Payload = any

const DEFAULT_WORLD = 'fixtures/default.json'
const examples: Record<string, Partial<Record<'body' | 'response', Record<string, unknown>>>> = {}

function add(call: string, part: 'body' | 'response', name: string, value: unknown): void {
  const example = examples[call] ?? {}
  example[part] = { ...example[part], [name]: value }
  examples[call] = example
}

const explicitSettings = { seed: 'examples', now: '2026-01-01T00:00:00.000Z', page_size: 2 }
const { url, close } = await launch({ explicitSettings, fixtures: DEFAULT_WORLD })
const [{ api_key }] = JSON.parse(readFileSync(DEFAULT_WORLD, 'utf8')).organizations

async function call(path: string, method = 'GET', body?: object): Promise<{ payload: Payload }> {
  const headers = { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { payload: Payload }
}

for (const [plural, singular] of [
  ['Courses', 'Course'],
  ['Modules', 'Module'],
  ['Members', 'Member'],
  ['Activities', 'Activity'],
] as const) {
  const path = `/v0/${plural.toLowerCase()}`
  const page = await call(path)
  add(`list${plural}`, 'response', 'page', page)
  add(`retrieve${singular}`, 'response', singular.toLowerCase(), await call(`${path}/${page.payload.data[0].id}`))
}

const module = (await call('/v0/modules')).payload.data.at(-1)
const { course } = (await call(`/v0/modules/${module.id}`)).payload
const members = await call(`/v0/courses/${course}/members`)
add('listCourseMembers', 'response', 'page', members)
const [{ id: member }] = members.payload.data
add('retrieveCourseMember', 'response', 'member', await call(`/v0/courses/${course}/members/${member}`))

add('listElements', 'response', 'page', await call('/v0/elements'))
const search = { q: 'a', type: 'QUIZ' }
add('searchElements', 'response', 'page', await call(`/v0/elements/search?${new URLSearchParams(search)}`))
add('searchElementsByBody', 'body', 'search', search)
add('searchElementsByBody', 'response', 'page', await call('/v0/elements/search', 'POST', search))

let quiz: object = {}
for (const type of elementTypeNames) {
  const [element] = (await call('/v0/elements/search', 'POST', { type })).payload.data
  if (!element) throw new Error(`${DEFAULT_WORLD} must have an element of the type ${type}`)
  add('retrieveElement', 'response', type, await call(`/v0/elements/${element.id}`))
  const { module, name, content, metadata, properties } = element
  const body = { module, name, content, type, metadata, properties }
  add('createElement', 'body', type, body)
  if (type === 'QUIZ') quiz = body
}
const [{ context }] = (await call('/v0/activities')).payload.data
add('listElementActivities', 'response', 'page', await call(`/v0/elements/${context.id}/activities`))

const created = await call('/v0/elements', 'POST', quiz)
add('createElement', 'response', 'QUIZ', created)
const update = { position: 0, properties: { passing_score: 60 } }
add('updateElement', 'body', 'some', update)
add('updateElement', 'response', 'QUIZ', await call(`/v0/elements/${created.payload.id}`, 'PATCH', update))
add('deleteElement', 'response', 'deleted', await call(`/v0/elements/${created.payload.id}`, 'DELETE'))

await close()

export default JSON.stringify(examples)
