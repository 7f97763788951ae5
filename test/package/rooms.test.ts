import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Checks a tree of these files; the repository's own when left out. */
function checkRooms(files?: Record<string, string>) {
  const args = [join(ROOT, 'scripts/check-rooms.js')]
  if (files) {
    const folder = mkdtempSync(join(tmpdir(), 'rooms-'))
    folders.push(folder)
    args.push(folder)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 })
  return { status, lines: stderr.split('\n').filter((line) => line !== '') }
}

const sound = {
  'index.ts': "export { connect } from './client/connect.js'\n",
  'client/connect.ts': "import { calls } from '../admin/calls.js'\nexport const connect = () => calls\n",
  'admin/calls.ts': "import type { World } from '../world/world.js'\nexport const calls: World[] = []\n",
  'world/world.ts': 'export interface World { name: string }\n',
}

describe('the rooms of src', () => {
  test('import each other downwards only', () => {
    expect(checkRooms()).toEqual({ status: 0, lines: [] })
  })

  test('each have a line in docs/architecture.md, and a place in its picture', () => {
    const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const [, picture = ''] = /^```text\n(.*?)^```$/ms.exec(text) ?? []
    const missing = rooms.filter(
      ({ name }) => !text.includes(`\`src/${name}/\``) || !new RegExp(`^ (.* )?${name}( |$)`, 'm').test(picture),
    )
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test.for([
    ['an import', "import { calls } from '../admin/calls.js'"],
    ['an import over several lines', "import {\n  calls,\n} from '../admin/calls.js'"],
    ['an import for its effects', "import '../admin/calls.js'"],
    ['an import of types', "import type { calls } from '../admin/calls.js'"],
    ['a re-export', "export * from '../admin/calls.js'"],
    ['a dynamic import', "export const late = () => import('../admin/calls.js')"],
    ['an imported type in place', "export type Calls = typeof import('../admin/calls.js')"],
  ] as const)('may not have %s that leads up', ([, line]) => {
    const { status, lines } = checkRooms({ ...sound, 'world/clock.ts': `${line}\n` })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^world\/clock\.ts:1: imports \.\.\/admin\/calls\.js: world is below admin, .* into world or below it, or let admin pass it in/,
      ),
    ])
  })

  test('may be named in comments that lead anywhere', () => {
    const comment = "// import { calls } from '../admin/calls.js'\n/**\n * import('../admin/calls.js')\n */\n"
    expect(checkRooms({ ...sound, 'world/clock.ts': comment }).status).toBe(0)
  })

  test('do not import the entry point, by its file or by its name', () => {
    const { lines } = checkRooms({
      ...sound,
      'cli/main.ts': "import { connect } from '../index.js'\nimport { Admin } from 'mockademy'\n",
    })
    expect(lines).toEqual([
      expect.stringContaining('cli/main.ts:1: imports ../index.js: cli is below the entry point'),
      expect.stringContaining('cli/main.ts:2: imports mockademy: cli is below the entry point'),
    ])
  })

  test('of one floor form no cycle', () => {
    const { status, lines } = checkRooms({
      'faults/faults.ts': "import type { Journal } from '../journal/journal.js'\n",
      'journal/journal.ts': "import type { Fault } from '../faults/faults.js'\n",
    })
    expect(status).toBe(1)
    expect(lines).toEqual([
      'faults → journal → faults: is a cycle of rooms. Turn one of these around:',
      '  faults/faults.ts:1: imports ../journal/journal.js',
      '  journal/journal.ts:1: imports ../faults/faults.js',
    ])
  })

  test('each have a floor', () => {
    const { status, lines } = checkRooms({ ...sound, 'helpers/text.ts': 'export const text = 1\n' })
    expect(status).toBe(1)
    expect(lines).toEqual(['helpers/: is not a known room. Give it a floor in scripts/check-rooms.js.'])
  })

  test('have every file but the entry point', () => {
    const { status, lines } = checkRooms({ ...sound, 'loose.ts': 'export const loose = 1\n' })
    expect(status).toBe(1)
    expect(lines).toEqual(['loose.ts: is in no room. Only index.ts, vitest.ts may be at the top.'])
  })

  test('that are bundled for the browser take types alone from the others', () => {
    const { status, lines } = checkRooms({
      ...sound,
      'client/event-parser.ts': 'export const eventParser = 1\n',
      'console/main.tsx': "import type { connect } from '../client/connect.js'\n",
      'console/reader.ts': "import { eventParser } from '../client/event-parser.js'\n",
      'console/shell.tsx': "import { connect } from '../client/connect.js'\n",
    })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringContaining(
        'console/shell.tsx:1: imports ../client/connect.js: console may import only types from client',
      ),
    ])
  })
})
