import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { journalLine } from '../harness/journal-line.js'
import { test } from '../harness/temporary-folder.js'

const example = fileURLToPath(new URL('format-1', import.meta.url))

/** A store with one organization, written by this version. */
async function written(store: string): Promise<string> {
  const emulator = await startEmulator({ store, fixtures: { organizations: [{ slug: 'acme', name: 'Acme Corp' }] } })
  await emulator.close()
  return readFileSync(store, 'utf8')
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const lineOf = (text: string, needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length

describe('what is on disk is checked on reading', () => {
  test.for<[string, (text: string) => string | Buffer, RegExp]>([
    [
      'another format',
      (text) => text.replace('"mockademy": 3', '"mockademy": 7').replace(/"version": ".*?"/, '"version": "3.1.0"'),
      /line 3: .*format 7.*Mockademy 3\.1\.0 wrote.*reads formats 1 to 3/,
    ],
    [
      'a format before the first',
      (text) => text.replace('"mockademy": 3', '"mockademy": 0'),
      /line 3: it is of format 0, .*; this is Mockademy .*, which reads formats 1 to 3\. Nothing was changed\. Use Mockademy \d.* or a later one, or start with --fresh/,
    ],
    [
      'another format, of which the writer is not said',
      (text) => text.replace('"mockademy": 3', '"mockademy": 4').replace(/ {2}"version": .*\n/, ''),
      /which Mockademy of another version wrote; .*Use the version that wrote it or a later one/,
    ],
    [
      'a format that is no number',
      (text) => text.replace('"mockademy": 3', '"mockademy": "3"'),
      /line 1: it is not a store/,
    ],
    [
      'a version that is no text',
      (text) => text.replace(/"version": ".*?"/, '"version": 3'),
      /line 1: it is not a store/,
    ],
    ...[
      ['folded', '-1', ' must be'],
      ['seeded_from', '7', ' must be a string'],
      ['fixture_secrets', '[7]', '\\.0 must be a string'],
      ['counters', '{"sequence":-1,"draws":0}', '\\.sequence must be'],
      ['counters', '{"sequence":1,"draws":-1}', '\\.draws must be'],
      ['counters', '{"sequence":1,"draws":0,"more":1}', '\\.more is not a known field'],
    ].map(([name, value, why]): [string, (text: string) => string, RegExp] => [
      `${name} ${value}`,
      (text) =>
        text
          .replace(new RegExp(` {2}"${name}": .*\n`), '')
          .replace('  "collections"', `  "${name}": ${value},\n  "collections"`),
      new RegExp(`line \\d+: ${name}${why}.*Mockademy .* wrote it\\. Nothing was changed`),
    ]),
    [
      'a field that nobody knows',
      (text) => text.replace('  "folded"', '  "colour": "red",\n  "folded"'),
      /line 5: colour is not a known field/,
    ],
    [
      'a collection that is no list',
      (text) => text.replace(/"organizations": \[.*?\n {4}\]/s, '"organizations": {}'),
      /line \d+: collections\.organizations must be/,
    ],
    [
      'a collection that nobody knows, with a record',
      (text) => text.replace('"collections": {', '"collections": {\n    "gadgets": [\n      {"id":"x"}\n    ],'),
      /line (\d+): collections\.gadgets is not a collection that this version knows/,
    ],
    [
      'the same id on two lines',
      (text) => text.replace(/^( {6}\{"id":"acme".*\})$/m, '$1,\n$1'),
      /collections\.organizations\.1\.id "acme" is given twice/,
    ],
    [
      'a field that is nested without end',
      (text) => text.replace('  "folded"', `  "colour": ${nested(7000)},\n  "folded"`),
      /line 5: it is nested more than 1000 levels deep/,
    ],
    [
      'a record with a value that is nested without end',
      (text) => text.replace('"name":"Acme Corp"', `"name":${nested(9000)}`),
      /line \d\d: it is nested more than 1000 levels deep/,
    ],
    ['half of it', (text) => text.slice(0, text.length / 2), /line \d+: it is not valid JSON/],
    ['a file of something else', () => '{ "name": "package" }', /line 1: it is not a store of Mockademy/],
    [
      'a collection that nobody knows',
      (text) => text.replace('"collections": {', '"collections": {\n    "gadgets": [],'),
      /line \d+: collections\.gadgets is not a collection that this version knows/,
    ],
    ['no counters', (text) => text.replace(/"counters": \{[^}]*\},/, ''), /counters is required/],
    [
      'a record that lacks a field',
      (text) => text.replace('"name":"Acme Corp",', ''),
      /collections\.organizations\.0\.name is required: a string.*Mockademy .* wrote it/,
    ],
    [
      'a record with a field that nobody knows',
      (text) => text.replace('"name":"Acme Corp"', '"name":"Acme Corp","colour":"red"'),
      /collections\.organizations\.0\.colour is not a known field/,
    ],
    [
      'a value of another kind',
      (text) => text.replace('"name":"Acme Corp"', '"name":7'),
      /collections\.organizations\.0\.name must be a string, not a number/,
    ],
    [
      'the same id twice',
      (text) =>
        text.replace(
          /("organizations": \[\s*)(\{[^}]*\})/,
          (_, start: string, record: string) => `${start}${record},${record}`,
        ),
      /collections\.organizations\.1\.id "acme" is given twice/,
    ],
    [
      'bytes that are not UTF-8',
      (text) => Buffer.from(text.replace('Acme Corp', 'Acm\u00e9'), 'latin1'),
      /it is not UTF-8/,
    ],
  ])(
    '%s: the start is refused with the line, and nothing is changed',
    async ([, spoil, message], { folder, store }) => {
      const sound = await written(store)
      const spoilt = spoil(sound)
      writeFileSync(store, spoilt)
      const refused = startEmulator({ store })
      await expect(refused).rejects.toMatchObject({ exitStatus: 2, message: expect.stringMatching(message) })
      await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(`${store}, line `) })
      expect(readFileSync(store)).toEqual(Buffer.from(spoilt))
      expect(readdirSync(folder)).toEqual(['store.json'])
    },
  )

  test('a folder in place of the file: the start is refused, and nothing is changed', async ({ folder }) => {
    const refused = startEmulator({ store: folder })
    const message = `The store ${folder} is a folder; name a file in it`
    await expect(refused).rejects.toMatchObject({ exitStatus: 2, message })
    expect(readdirSync(folder)).toEqual([])
  })

  test('the line is that of the collection, where nobody knows that', async ({ store }) => {
    const spoilt = (await written(store)).replace(
      '"collections": {',
      '"collections": {\n    "gadgets": [\n      {"id":"x"}\n    ],',
    )
    writeFileSync(store, spoilt)
    await expect(startEmulator({ store })).rejects.toMatchObject({
      message: expect.stringContaining(`${store}, line ${lineOf(spoilt, '"gadgets"')}: collections.gadgets`),
    })
  })

  test('the line is that of the value', async ({ store }) => {
    const sound = await written(store)
    writeFileSync(store, sound.replace('"name":"Acme Corp"', '"name":7'))
    await expect(startEmulator({ store })).rejects.toMatchObject({
      message: expect.stringContaining(`${store}, line ${lineOf(sound, '"Acme Corp"')}: `),
    })
  })

  test('a journal that begins after the change that follows is refused', async ({ store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const text = journalLine({ n: folded + 2, counters, changes: [] })
    writeFileSync(`${store}.journal`, text)
    const message = expect.stringContaining('.journal, line 1: a change before it is missing')
    await expect(startEmulator({ store })).rejects.toMatchObject({ exitStatus: 2, message })
    expect(readFileSync(`${store}.journal`, 'utf8')).toBe(text)
  })

  test.for<[string, (record: object) => unknown[], RegExp]>([
    [
      'a record that lacks a field',
      ({ ...record }) => ['organizations', 'neo', { ...record, name: undefined }],
      /name is required/,
    ],
    ['an unknown collection', (record) => ['gadgets', 'neo', record], /gadgets is not a collection/],
    ['a list of changes that is none', () => 7 as never, /it is not a change: changes\.0 must be/],
    [
      'a number in the place of a record',
      () => ['organizations', 'neo', 7],
      /changes\.0\.organizations must be an object/,
    ],
    ['another record than it says', (record) => ['organizations', 'trinity', record], /of "trinity".*"neo"/],
  ])('so is the journal: %s', async ([, change, message], { folder, store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const record = { id: 'neo', sequence: 50, created_at: '2026-01-01T00:00:00.000Z', name: 'Neo', api_key: null }
    const line = { n: folded + 1, counters, changes: [change(record)] }
    const text = `${journalLine({ ...line, changes: [] })}${journalLine({ ...line, n: folded + 2 })}{"torn`
    writeFileSync(`${store}.journal`, text)
    const refused = startEmulator({ store })
    await expect(refused).rejects.toMatchObject({ exitStatus: 2, message: expect.stringMatching(message) })
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('.journal, line 2: ') })
    expect(readFileSync(`${store}.journal`, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual(['store.json', 'store.json.journal'])
  })

  test('a line whose checksum does not match, or that has none, stops the start with its number', async ({ store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const change = (n: number) => ({ n: folded + n, counters, changes: [] })
    for (const second of [
      journalLine(change(2)).replace('"sequence":', '"sequence":9'),
      journalLine(change(2)).replace(/"crc32":"./, '"crc32":"g'),
      `${JSON.stringify(change(2))}\n`,
    ]) {
      const text = journalLine(change(1)) + second + journalLine(change(3))
      writeFileSync(`${store}.journal`, text)
      await expect(startEmulator({ store })).rejects.toMatchObject({
        exitStatus: 2,
        message: expect.stringContaining('.journal, line 2: its checksum does not match'),
      })
      expect(readFileSync(`${store}.journal`, 'utf8')).toBe(text)
    }
  })

  test('a line that is nested without end stops the start with its number', async ({ store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const text = `${journalLine({ n: folded + 1, counters, changes: [] })}${'['.repeat(200_000)}\n`
    writeFileSync(`${store}.journal`, text)
    await expect(startEmulator({ store })).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringContaining('.journal, line 2: it is not valid JSON'),
    })
    expect(readFileSync(`${store}.journal`, 'utf8')).toBe(text)
  })

  test('no bit of either file can flip and change data in silence', async ({ folder, store }) => {
    await written(store)
    const emulator = await startEmulator({ store })
    await send(`${emulator.url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })
    const files = [store, `${store}.journal`].map((path) => [path, readFileSync(path)] as const)
    await emulator.close()
    const copy = join(folder, 'copy.json')
    for (const [path, bytes] of files) {
      for (let flip = 0; flip < 100; flip++) {
        for (const [name, sound] of files) writeFileSync(name.replace(store, copy), sound)
        const flipped = Buffer.from(bytes)
        const at = flip < 8 ? bytes.length - 1 : Math.floor((flip * bytes.length) / 100)
        flipped[at] = (bytes[at] as number) ^ (1 << (flip % 8))
        writeFileSync(path.replace(store, copy), flipped)
        const opened = await startEmulator({ store: copy }).catch((error: Error) => error)
        if (opened instanceof Error) {
          expect(opened).toMatchObject({ exitStatus: 2, message: expect.stringMatching(/copy\.json.*, line \d+: /) })
          continue
        }
        expect(opened.notes.join()).toContain('was edited: its checksum')
        expect(path).toBe(store)
        await opened.close()
      }
    }
  })

  test('a journal without its store is refused, and stays', async ({ folder, store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const text = journalLine({ n: folded + 1, counters, changes: [] })
    writeFileSync(`${store}.journal`, text)
    rmSync(store)
    await expect(startEmulator({ store })).rejects.toMatchObject({
      exitStatus: 2,
      message:
        `The store cannot be read: ${store}.journal exists, but ${store} does not. ` +
        'Restore it, or start with --fresh.',
    })
    expect(readdirSync(folder)).toEqual(['store.json.journal'])
    expect(readFileSync(`${store}.journal`, 'utf8')).toBe(text)
  })

  test('a journal whose bytes are not UTF-8 is not read as something else', async ({ store }) => {
    const { folded, counters } = JSON.parse(await written(store))
    const line = journalLine({ n: folded + 1, counters, changes: [['faults', '\u00e9', null]] })
    writeFileSync(`${store}.journal`, Buffer.from(line, 'latin1'))
    await expect(startEmulator({ store })).rejects.toMatchObject({
      message: expect.stringContaining('.journal, line 1: it is not UTF-8'),
    })
  })
})

describe('a store of an earlier release', () => {
  test('is brought up to date when it is opened, its journal too, and says so', async ({ folder, store }) => {
    cpSync(example, folder, { recursive: true })
    const emulator = await startEmulator({ store })
    expect(emulator.notes).toEqual([`${store} was written by an earlier release; it has been upgraded.`])
    expect(readdirSync(folder)).toEqual(['store.json', 'store.json.journal', 'store.json.lock'])
    expect(JSON.parse(readFileSync(store, 'utf8'))).toMatchObject({ mockademy: 3, version: expect.any(String) })
    const { body } = await send(`${emulator.url}/_admin`)
    expect(body.world).toBe('resumed')
    expect(body.counts).toMatchObject({
      organizations: 4,
      elements: 32,
      apps: 3,
      installations: 3,
      tokens: 6,
      faults: 1,
    })
    // Its injected fault has still one request to meet.
    const search = `${emulator.url}/v0/elements/search?q=renamed`
    expect((await send(search, { as: 'key_acme', injected: true })).status).toBe(503)
    const { body: found } = await send(search, { as: 'key_acme' })
    expect(found.payload.data).toMatchObject([{ type: 'QUIZ', metadata: { k: 'v' } }])
    const { body: exported } = await send(`${emulator.url}/_admin/state`)
    await emulator.close()

    await using again = await startEmulator({ store })
    expect(again.notes).toEqual([])
    expect((await send(`${again.url}/_admin/state`)).body).toEqual(exported)
    expect((await send(`${again.url}/_admin/state`, { method: 'PUT', body: exported })).status).toBe(200)
  })

  test('such as the one before, whose journal had no checksums', async ({ folder, store }) => {
    cpSync(fileURLToPath(new URL('format-2', import.meta.url)), folder, { recursive: true })
    const emulator = await startEmulator({ store })
    expect(emulator.notes).toEqual([expect.stringContaining('earlier release')])
    const oldLines = readFileSync(fileURLToPath(new URL('format-2/store.json.journal', import.meta.url)))
    expect(readFileSync(`${store}.journal`, 'utf8')).toBe('')
    expect((await send(`${emulator.url}/_admin/organizations/neo`)).status).toBe(200)
    await emulator.close()

    // As after a kill between the two files: its lines are in the new one by then.
    writeFileSync(`${store}.journal`, oldLines)
    await using again = await startEmulator({ store })
    expect(again.notes).toEqual([])
    expect((await send(`${again.url}/_admin/organizations/neo`)).status).toBe(200)
  })

  test('that was edited says that too; a property that it lacks has its default', async ({ folder, store }) => {
    cpSync(fileURLToPath(new URL('format-2', import.meta.url)), folder, { recursive: true })
    writeFileSync(store, readFileSync(store, 'utf8').replace('"passing_score": 70,', ''))
    await using emulator = await startEmulator({ store })
    expect(emulator.notes).toEqual([
      `${store} was edited: its checksum does not match. Each record is valid; references between records were not checked.`,
      `${store} was written by an earlier release; it has been upgraded.`,
    ])
    const { body } = await send(`${emulator.url}/v0/elements/grammar-quiz`, { as: 'key_acme' })
    expect(body.payload.properties).toMatchObject({ passing_score: null, completion_trigger: 'on_pass' })
  })

  test('is left as it is when the start is refused', async ({ folder, store }) => {
    cpSync(example, folder, { recursive: true })
    await expect(startEmulator({ store, fixtures: {} })).rejects.toMatchObject({ exitStatus: 2 })
    expect(readdirSync(folder)).toEqual(['store.json', 'store.json.journal'])
    expect(readFileSync(store, 'utf8')).toBe(readFileSync(join(example, 'store.json'), 'utf8'))
  })
})

test.runIf(process.platform !== 'win32')('only its owner may read a store, which holds secrets', async ({ store }) => {
  const emulator = await startEmulator({ store, fixtures: {} })
  await send(`${emulator.url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })
  for (const file of [store, `${store}.journal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  await emulator.close()
  expect(statSync(store).mode & 0o777).toBe(0o600)
})

test.for(['/proc/nowhere/store.json', `${fileURLToPath(import.meta.url)}/store.json`])(
  'a path that cannot be made says so: %s',
  async (path) => {
    await expect(startEmulator({ store: path })).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringContaining('cannot be written'),
    })
  },
)
