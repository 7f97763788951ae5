import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const limit = (pid: number, bytes: string) => spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]).status

describe.runIf(process.platform === 'linux')('a disk that is full when the emulator stops', () => {
  test('nothing is lost, and it says so; no temporary file stays', async ({ folder, start, run: _ }) => {
    const store = join(folder, 'data', 'store.json')
    const first = await start(['start', '--port', '0', '--store', store])
    expect((await send(`${first.url}/_admin/organizations`, { body: { slug: 'neo', name: 'Neo' } })).status).toBe(201)
    expect(limit(first.pid, '100')).toBe(0)
    const stopped = await first.stop()
    expect(stopped.status).toBe(1)
    expect(stopped.stderr).toMatch(
      /store\.json cannot be written: .*Nothing is lost: .*store\.json and its journal have every change/,
    )
    expect(stopped.stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['store.json', 'store.json.journal'])
    expect(readFileSync(store, 'utf8')).not.toContain('"neo"')

    const second = await start(['start', '--port', '0', '--store', store])
    expect((await send(`${second.url}/_admin/organizations/neo`)).status).toBe(200)
    expect((await second.stop()).status).toBe(0)
    expect(readdirSync(join(folder, 'data'))).toEqual(['store.json'])
  })
})
