import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { connect } from 'mockademy'
import { describe, expect } from 'vitest'
import { oneProcessTest as base, ROOT } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { startNotesApp } from '../harness/notes-app.js'

const FOLDER = join(ROOT, 'fixtures', 'scenarios')
const names = await readdir(FOLDER)

/** The emulator as a process in its default world, and the example app where that world says it is. */
const test = base.extend<{ flags: string[]; url: string }>({
  flags: [],
  url: async ({ flags, folder, start }, use) => {
    const port = await freePort()
    const world = await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8')
    await writeFile(join(folder, 'world.json'), world.replaceAll('localhost:3000', `localhost:${port}`))
    const { url } = await start(['--port', '0', '--store', 'memory', '--fixtures', 'world.json', ...flags])
    const app = await startNotesApp({ emulator: url, folder, variables: { PORT: String(port) } })
    await use(url)
    await app.stop()
  },
})

describe('the scenarios in fixtures/scenarios, against the example app', () => {
  test('are four', () => {
    expect(names.sort()).toEqual([
      'expired-token.jsonc',
      'receiver-down.jsonc',
      'refresh-race.jsonc',
      'upgrade-drops-scope.jsonc',
    ])
  })

  test('pass on the command line, all in one run and once more', async ({ run, url }) => {
    const files = names.map((name) => join(FOLDER, name))
    for (const _ of ['first', 'again']) {
      const { status, stdout, stderr } = await run(['scenario', 'run', ...files, '--url', url])
      expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(/\n4 passed\n$/)
      expect(stdout).not.toContain('✗')
    }
  })
})

describe('the same in a world whose clock stands still', () => {
  test.override({ flags: ['--seed', 'scenarios'] })

  test('pass by POST /_admin/scenarios, and leave the world as it was', async ({ url }) => {
    const admin = connect(url)
    const before = await admin.getState()
    for (const name of names) {
      const scenario = parse(await readFile(join(FOLDER, name), 'utf8'))
      const { passed, steps } = await admin.runScenario(scenario)
      expect(steps.find(({ ok }) => !ok)?.error, name).toBeUndefined()
      expect(passed).toBe(true)
      expect(steps).toHaveLength(scenario.steps.length)
    }
    expect(await admin.getState()).toEqual(before)
  })
})
