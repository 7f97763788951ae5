import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { describe, expect, onTestFinished } from 'vitest'
import { startProcess } from '../harness/emulator-process.js'
import { send } from '../harness/emulator-test.js'
import { test } from '../harness/webhook-test.js'

describe.runIf(process.platform === 'linux')('an attempt whose result the store cannot take', () => {
  test('is made again 10 s later, and not before', async ({ store, world, app }) => {
    const emulator = await startProcess({
      store,
      seed: 'test',
      now: '2026-01-01T00:00:00Z',
      fixtures: world,
      ackWindow: '1m',
      attemptTimeout: '1m',
    })
    onTestFinished(() => emulator.kill())
    /** The file system takes no more of the process's files than that, as when it is full. */
    const limit = (bytes: number | 'unlimited') =>
      expect(spawnSync('prlimit', ['--pid', String(emulator.pid), `--fsize=${bytes}:`]).status).toBe(0)
    const call = (path: string, body?: object) => send(`${emulator.url}/_admin/${path}`, { body })
    const { id } = (await call('installations', { app: 'notes', organization: 'acme' })).body.installation

    let answer = () => {}
    app.handles((_, response) => {
      answer = () => void response.writeHead(200).end()
    })
    const pending = call('events', { type: 'note.created', installation: id, data: {} })
    await app.arrival('note.created')
    app.answers(200)
    limit(statSync(`${store}.journal`).size)
    answer()
    expect((await pending).status).toBe(507)
    limit('unlimited')

    const delivery = async () => (await call('deliveries')).body.data.at(-1)
    expect(await delivery()).toMatchObject({ state: 'pending', attempts: [] })
    expect(app.received('note.created')).toHaveLength(1)
    await call('clock/advance', { by: '9999ms' })
    expect(app.received('note.created')).toHaveLength(1)
    await call('clock/advance', { by: '1ms' })
    expect(app.received('note.created')).toHaveLength(2)
    expect(await delivery()).toMatchObject({ state: 'acknowledged', attempts: [{ status: 200 }] })
  })
})
