import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test as base, temporaryFolder } from '../harness/temporary-folder.js'

const COUNT = 1500
const LAST = COUNT - 1
const api_key = 'key_acme'
const lessons = Array.from({ length: COUNT }, (_, index) => ({
  id: `e${index}`,
  type: 'CONTENT',
  name: `Lesson ${index}`,
  content: `${'Ä\n"}'.repeat(200)}${index}`,
}))
const fixtures = {
  organizations: [
    {
      slug: 'acme',
      api_key,
      courses: [{ id: 'course', name: 'Course', modules: [{ id: 'module', name: 'Module', elements: lessons }] }],
    },
  ],
}

/** A store of 1,500 elements, which is two megabytes: more than is read at a time. */
const written = join(temporaryFolder(afterAll), 'store.json')
beforeAll(async () => (await startEmulator({ store: written, fixtures })).close())

const test = base.extend<{ store: string }>({
  store: async ({ store }, use) => {
    copyFileSync(written, store)
    await use(store)
  },
})

/** The content of each lesson that a store has, and what its start notes. */
async function opened(store: string): Promise<{ contents: unknown[]; notes: string[] }> {
  const emulator = await startEmulator({ store })
  const { organizations } = await emulator.admin.getState()
  const { notes } = emulator
  await emulator.close()
  const contents = organizations?.[0]?.courses?.[0]?.modules?.[0]?.elements?.map(({ content }) => content) ?? []
  return { contents, notes }
}

const contents = lessons.map(({ content }) => content)
const edited = expect.stringContaining('was edited: its checksum')

describe('design: the layout of store.json', () => {
  test('is a record a line, of which every one is read again', async ({ store }) => {
    const text = readFileSync(store, 'utf8')
    expect(text.match(/^ {6}\{"name":"Lesson \d+",.*\},?$/gm)).toHaveLength(COUNT)
    expect(Object.keys(JSON.parse(text).collections)).toEqual(expect.arrayContaining(['organizations', 'elements']))
    expect(await opened(store)).toEqual({ contents, notes: [] })
  })

  test.for([
    ['as an editor lays JSON out', (text: string) => JSON.stringify(JSON.parse(text), null, 4)],
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['with line breaks of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    [
      'with a record on two lines',
      (text: string) => text.replace(`{"name":"Lesson ${LAST}",`, `{"name":"Lesson ${LAST}",\n`),
    ],
  ] as const)('may be another one: %s', async ([, lay], { store }) => {
    const text = lay(readFileSync(store, 'utf8'))
    writeFileSync(store, text)
    expect(await opened(store)).toEqual({ contents, notes: [edited] })
    expect(readFileSync(store, 'utf8')).not.toBe(text)
    expect(await opened(store)).toEqual({ contents, notes: [] })
  })

  test('names the line of a record far down that is not valid', async ({ store }) => {
    const lines = readFileSync(store, 'utf8').split('\n')
    const index = lines.findIndex((line) => line.includes('"Lesson 1490"'))
    lines[index] = (lines[index] as string).replace('"Lesson 1490"', '7')
    writeFileSync(store, lines.join('\n'))
    await expect(startEmulator({ store })).rejects.toMatchObject({
      message: expect.stringContaining(
        `store.json, line ${index + 1}: collections.elements.1490.name must be a string`,
      ),
    })
  })

  test.for([
    ['no last bracket', (text: string) => text.replace(/\}\n$/, '')],
    ['a comma after the last record', (text: string) => text.replace(/\}\n {4}\]/, '},\n    ]')],
    [
      'no comma between records',
      (text: string) => text.replace('},\n      {"name":"Lesson 7"', '}\n      {"name":"Lesson 7"'),
    ],
    ['no comma between collections', (text: string) => text.replace('    ],\n', '    ]\n')],
    ['a bracket too many', (text: string) => `${text}}\n`],
  ] as const)('that is no JSON is refused: %s', async ([, spoil], { store }) => {
    const text = readFileSync(store, 'utf8')
    const spoilt = spoil(text)
    expect(spoilt).not.toBe(text)
    writeFileSync(store, spoilt)
    await expect(startEmulator({ store })).rejects.toThrow('it is not valid JSON')
    expect(readFileSync(store, 'utf8')).toBe(spoilt)
  })
})

test('a fold replaces, removes and adds records a piece at a time, and seals what comes of it', async ({ store }) => {
  const emulator = await startEmulator({ store })
  const send = (method: string, path: string, body?: object) =>
    fetch(`${emulator.url}/v0/${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then(({ status }) => status)
  // The signing key is a record too, made when it is asked for.
  await emulator.admin.getState()
  const due = statSync(store).size
  expect(await send('DELETE', 'elements/e1')).toBe(200)
  expect(await send('POST', 'elements', { module: 'module', type: 'CONTENT', name: 'New' })).toBe(200)
  expect(await send('PATCH', 'elements/e1498', { name: 'Changed' })).toBe(200)
  await emulator.admin.createOrganization({ slug: 'globex', name: 'Globex' })
  // The last of these begins a fold, and nothing is left for `close` to write.
  for (let sent = 0; sent < due; sent += 1_000_000) {
    expect(await send('PATCH', 'elements/e2', { content: String(sent).padEnd(1_000_000, 'x') })).toBe(200)
  }
  const { sequence: _, ...before } = await emulator.admin.getState()
  await emulator.close()

  const elements = JSON.parse(readFileSync(store, 'utf8')).collections.elements as { id: string; name: string }[]
  expect(elements).toHaveLength(COUNT)
  expect(elements.map(({ id }) => id)).not.toContain('e1')
  expect(elements.find(({ id }) => id === 'e1498')).toMatchObject({ name: 'Changed' })
  expect(elements.at(-1)).toMatchObject({ name: 'New' })
  await using again = await startEmulator({ store })
  expect(again.notes).toEqual([])
  expect(await again.admin.getState()).toMatchObject(before)
})
