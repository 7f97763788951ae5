import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { OutgoingDocument } from '../../src/foundation/store/store-document.js'
import { documentText, LayoutError, readLayout, recordsOf } from '../../src/foundation/store/store-layout.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const file = join(temporaryFolder(afterAll), 'store.json')

type Collections = Record<string, object[]>

/** The text of a `store.json` with these records. */
async function written(collections: Collections): Promise<string> {
  const records = Object.entries(collections).map(([collection, list]) => ({
    collection,
    texts: list.map((record) => JSON.stringify(record)),
  }))
  const counters = { sequence: 1, draws: 0 }
  const header = { mockademy: 3, version: '1', folded: 0, seeded_from: '', fixture_secrets: undefined, counters }
  let text = '{\n  "sealed": "no",\n'
  for await (const piece of documentText({ ...header, records } as OutgoingDocument)) text += piece
  return text
}

interface Read {
  header: { collections: object }
  collections: Collections
  /** The line of each block, and its first record. */
  blocks: [line: number, record: string | undefined][]
}

/** Reads a store file; returns undefined if it has another layout. */
async function readOf(text: string | Buffer): Promise<Read | undefined> {
  writeFileSync(file, text)
  try {
    return await readLayout(file, async (header, blocks) => {
      const read: Read = { header: JSON.parse(header), collections: {}, blocks: [] }
      for await (const block of blocks) {
        const before = read.collections[block.collection] ?? []
        read.collections[block.collection] = [...before, ...JSON.parse(`[${block.text}]`)]
        read.blocks.push([block.line, recordsOf(block)[0]])
      }
      return read
    })
  } catch (error) {
    if (error instanceof LayoutError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function parsed(text: string): { collections: Collections } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const small = {
  organizations: [{ id: 'acme' }, { id: 'globex', name: 'a\n    ]"}' }],
  users: [{ id: 'ada' }],
  elements: [{ id: 'e1' }, { id: 'e2' }, { id: 'e3' }],
}

describe('design: the layout of store.json', () => {
  test('has a line for each field and record, and every bracket in its place', async () => {
    expect(await written(small)).toBe(`{
  "sealed": "no",
  "mockademy": 3,
  "version": "1",
  "folded": 0,
  "seeded_from": "",
  "counters": {"sequence":1,"draws":0},
  "collections": {
    "organizations": [
      {"id":"acme"},
      {"id":"globex","name":"a\\n    ]\\"}"}
    ],
    "users": [
      {"id":"ada"}
    ],
    "elements": [
      {"id":"e1"},
      {"id":"e2"},
      {"id":"e3"}
    ]
  }
}
`)
  })

  test.for<[what: string, collections: Collections]>([
    ['several collections', small],
    ['one record', { users: [{ id: 'ada' }] }],
    ['none', {}],
    [
      'more than is read or written at a time, in characters of several bytes',
      Object.fromEntries(
        ['users', 'elements', 'tokens'].map((name) => [
          name,
          Array.from({ length: 40 }, (_, index) => ({ id: `${name}${index}`, text: 'Äö€'.repeat(5000 + 97 * index) })),
        ]),
      ),
    ],
    ['a record that is longer', { users: [{ id: 'a' }, { id: 'b', text: 'x'.repeat(2_500_000) }, { id: 'c' }] }],
  ])('is read as it was written: %s', async ([, collections]) => {
    const text = await written(collections)
    expect(parsed(text)?.collections).toEqual(collections)
    const read = await readOf(text)
    expect(read?.collections).toEqual(collections)
    expect(read?.header).toMatchObject({ mockademy: 3, version: '1', seeded_from: '', collections: {} })
    const lines = text.split('\n')
    for (const [line, record] of read?.blocks ?? []) expect(lines[line - 1]?.replace(/,$/, '').trim()).toBe(record)
  })

  test('with any line changed is read only where it is still JSON, and then as that says', async () => {
    const lines = (await written(small)).split('\n')
    const edits: ((line: string) => string[])[] = [
      () => [],
      (line) => [line, line],
      (line) => [`${line},`],
      (line) => [line.replace(/,$/, '')],
      (line) => [` ${line}`],
      (line) => [line.slice(1)],
      (line) => [line.trim()],
      (line) => [`${line} `],
      (line) => [`${line}]`],
      (line) => [`${line}}`],
      (line) => ['', line],
      (line) => [line, '    ],', '    "more": ['],
      (line) => [line, '    "more": [', '    ],'],
      (line) => [line, '    "more": [', '    ]'],
      (line) => [line, '    "more": [],'],
      (line) => [line, '    ]'],
      (line) => [line, '  }'],
      (line) => [line, '}'],
      (line) => [line, '      {"id":"new"}'],
      (line) => [line, '      {"id":"new"},'],
      (line) => [line, '  "collections": {'],
      (line) => [line, `    "${'x'.repeat(9)}-": [`],
    ]
    for (const [index, line] of lines.entries()) {
      for (const [edit, change] of edits.entries()) {
        const text = lines.toSpliced(index, 1, ...change(line)).join('\n')
        const read = await readOf(text)
        if (read) expect(read.collections, `${edit}: ${text}`).toEqual(withoutEmpty(parsed(text)?.collections))
      }
    }
  })

  test('cut off anywhere it is not read', async () => {
    const text = await written(small)
    for (let length = 0; length < text.length - 1; length++) expect(await readOf(text.slice(0, length))).toBeUndefined()
    // The line break at the end is not of the JSON.
    expect((await readOf(text.slice(0, -1)))?.collections).toEqual(small)
  })

  test('with bytes that are not UTF-8 it is not read', async () => {
    const text = await written(small)
    expect(await readOf(Buffer.from(text.replace('"ada"', '"ad\u00e9"'), 'latin1'))).toBeUndefined()
    expect(await readOf(Buffer.concat([Buffer.from(text), Buffer.from([0xff])]))).toBeUndefined()
  })
})

const withoutEmpty = (collections: Collections = {}) =>
  Object.fromEntries(Object.entries(collections).filter(([, list]) => list.length > 0))
