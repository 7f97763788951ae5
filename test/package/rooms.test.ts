import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const foldersOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** Checks a tree of these files; the repository's own when left out. */
function checkRooms(files?: Record<string, string>) {
  const args = [join(ROOT, 'scripts/check-rooms.js')]
  if (files) {
    const folder = temporaryFolder()
    args.push(folder)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, lines: stderr.split('\n').filter((line) => line !== '') }
}

const sound = {
  'index.ts': "export { connect } from './control/client/connect.js'\n",
  'control/client/connect.ts': "import { calls } from '../admin/calls.js'\nexport const connect = () => calls\n",
  'control/admin/calls.ts':
    "import type { World } from '../../emulator/world/world.js'\nexport const calls: World[] = []\n",
  'emulator/world/world.ts': 'export interface World { name: string }\n',
}

describe('the rooms of src', () => {
  test('import each other downwards only', () => {
    expect(checkRooms()).toEqual({ status: 0, lines: [] })
  })

  test('stand in at most six wings', () => {
    expect(foldersOf(join(ROOT, 'src')).length).toBeLessThanOrEqual(6)
  })

  test('each have a line in docs/architecture.md, and a place in its picture', () => {
    const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const [, picture = ''] = /^```text\n(.*?)^```$/ms.exec(text) ?? []
    const missing = foldersOf(join(ROOT, 'src')).flatMap((wing) => {
      const row = new RegExp(`^ ${wing} +(.*(?:\\n {14}\\S.*)*)`, 'm').exec(picture)?.[1] ?? ''
      const drawn = row.split(/[\s·]+/)
      return foldersOf(join(ROOT, 'src', wing))
        .filter((room) => !text.includes(`\`src/${wing}/${room}/\``) || !drawn.includes(room))
        .map((room) => `${wing}/${room}`)
    })
    expect(missing).toEqual([])
  })

  test.for([
    ['an import', "import { calls } from '../../control/admin/calls.js'"],
    ['an import over several lines', "import {\n  calls,\n} from '../../control/admin/calls.js'"],
    ['an import for its effects', "import '../../control/admin/calls.js'"],
    ['an import of types', "import type { calls } from '../../control/admin/calls.js'"],
    ['a re-export', "export * from '../../control/admin/calls.js'"],
    ['a dynamic import', "export const late = () => import('../../control/admin/calls.js')"],
    ['an imported type in place', "export type Calls = typeof import('../../control/admin/calls.js')"],
  ] as const)('may not have %s that leads up', ([, line]) => {
    const { status, lines } = checkRooms({ ...sound, 'emulator/world/clock.ts': `${line}\n` })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^emulator\/world\/clock\.ts:1: imports \.\.\/\.\.\/control\/admin\/calls\.js: emulator\/world is below control\/admin, .* into emulator\/world or below it, or let control\/admin pass it in/,
      ),
    ])
  })

  test('may be named in comments that lead anywhere', () => {
    const comment =
      "// import { calls } from '../../control/admin/calls.js'\n/**\n * import('../../control/admin/calls.js')\n */\n"
    expect(checkRooms({ ...sound, 'emulator/world/clock.ts': comment }).status).toBe(0)
  })

  test('do not import the entry point, by its file or by its name', () => {
    const { lines } = checkRooms({
      ...sound,
      'programs/cli/main.ts': "import { connect } from '../../index.js'\nimport { Admin } from 'mockademy'\n",
    })
    expect(lines).toEqual([
      expect.stringContaining('programs/cli/main.ts:1: imports ../../index.js: programs/cli is below the entry point'),
      expect.stringContaining('programs/cli/main.ts:2: imports mockademy: programs/cli is below the entry point'),
    ])
  })

  test('have no folders that import each other in a circle', () => {
    const { status, lines } = checkRooms({
      'emulator/world/clock.ts': "import { dates } from './dates/dates.js'\n",
      'emulator/world/dates/dates.ts': "import { random } from '../random.js'\n",
    })
    expect(status).toBe(1)
    expect(lines.join('\n')).toContain('emulator/world → emulator/world/dates → emulator/world: is a cycle of folders')
  })

  test('of one wing import each other in the order of the table', () => {
    const { status, lines } = checkRooms({
      'emulator/faults/faults.ts': "import type { Journal } from '../journal/journal.js'\n",
      'emulator/journal/journal.ts': "import type { Fault } from '../faults/faults.js'\n",
    })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^emulator\/journal\/journal\.ts:1: .* emulator\/journal is below emulator\/faults/),
    ])
  })

  test('each have a place in the table', () => {
    const { status, lines } = checkRooms({ ...sound, 'platform/helpers/text.ts': 'export const text = 1\n' })
    expect(status).toBe(1)
    expect(lines).toEqual(['platform/helpers: is not a known room. Give it a place in scripts/check-rooms.js.'])
  })

  test('are in a wing', () => {
    const { status, lines } = checkRooms({ ...sound, 'oauth/pkce.ts': 'export const pkce = 1\n' })
    expect(status).toBe(1)
    expect(lines).toEqual(['oauth/: is not a wing. The wings are programs, control, platform, emulator, foundation.'])
  })

  test('have every file but the entry point', () => {
    const { status, lines } = checkRooms({ ...sound, 'loose.ts': 'export const loose = 1\n' })
    expect(status).toBe(1)
    expect(lines).toEqual(['loose.ts: only index.ts, playwright.ts, vitest.ts may be at the top.'])
  })

  test('that are bundled for the browser take types alone from the others', () => {
    const connect = "connect } from '../../control/client/connect.js'\n"
    const { status, lines } = checkRooms({
      ...sound,
      'control/client/event-parser.ts': 'export const eventParser = 1\n',
      'programs/console/main.tsx': `import type { ${connect}`,
      'programs/console/reader.ts': "import { eventParser } from '../../control/client/event-parser.js'\n",
      'programs/console/shell.tsx': `import { ${connect}`,
    })
    expect(status).toBe(1)
    expect(lines).toEqual([
      expect.stringContaining(
        'programs/console/shell.tsx:1: imports ../../control/client/connect.js: programs/console may import only types from control/client',
      ),
    ])
  })
})
