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

  test('a scenario that it meets ends as ever', async ({ folder, start }) => {
    const { pid, url, stop } = await start(['start', '--port', '0', '--store', join(folder, 'data', 'store.json')])
    const fault = { match: { surface: 'api' }, effect: { hold: 2 } }
    const steps = [{ fault }, { request: { path: '/v0/courses', as: 'acme' } }]
    const running = send(`${url}/_admin/scenarios`, { body: { steps } })
    await expect.poll(async () => (await send(`${url}/_admin/faults`)).body.data[0]?.hits).toBe(1)
    expect(limit(pid, '100')).toBe(0)
    await send(`${url}/v0/courses`, { as: 'key_acme' })
    expect(await running).toMatchObject({ status: 200, body: { passed: true } })
    await stop()
  })
})
