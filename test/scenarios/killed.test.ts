import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { startReceiver } from '../harness/receiver.js'
import { test as base } from '../harness/temporary-folder.js'

interface Killed {
  /** Runs a scenario that creates a person and then visits an app, where `midway` happens. */
  run: (from: 'start' | 'current', midway: (close: () => void) => void) => Promise<void>
  /** The users of a store and its notes, after a start. */
  opened: (store: string) => Promise<{ users: string[]; notes: string[] }>
}

const user = (id: string) => ({ id, email: `${id}@acme.test`, first_name: id, last_name: 'Doe' })
const said = expect.stringContaining(
  'stopped while a scenario was running: the world is restored to its state before the scenario',
)

const test = base.extend<Killed>({
  run: async ({ store }, use) => {
    const app = await startReceiver()
    await use(async (from, midway) => {
      const emulator = await startEmulator({ store, fixtures: { users: [user('ann')] } })
      await emulator.admin.createUser(user('bea'))
      let closed: Promise<void> | undefined
      const close = () => {
        closed ??= emulator.close()
      }
      app.handles((_, response) => {
        midway(close)
        response.writeHead(200).end()
      })
      const steps: object[] = [
        { request: { method: 'POST', path: '/_admin/users', body: user('cid') } },
        { visit: { url: app.url } },
      ]
      await emulator.admin.runScenario({ from, steps }).catch(() => {})
      close()
      await closed
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the destructuring
  opened: async ({}, use) => {
    await use(async (store) => {
      const emulator = await startEmulator({ store })
      const users = (await emulator.admin.listUsers()).map(({ id }) => id)
      const { notes } = emulator
      await emulator.close()
      return { users, notes }
    })
  },
})

/** Copies the files that a kill would leave. */
const copied = (store: string, copy: string) => {
  cpSync(store, copy)
  cpSync(`${store}.journal`, `${copy}.journal`)
}

describe('control-api "Scenarios": an emulator that is killed in the middle of one', () => {
  test('has the world at its next start as it was when the scenario began, and says so once', async ({
    folder,
    store,
    run,
    opened,
  }) => {
    const copy = join(folder, 'copy.json')
    await run('start', () => copied(store, copy))
    expect(await opened(copy)).toEqual({ users: ['ann', 'bea'], notes: [said] })
    const { mtimeMs } = statSync(copy)
    expect(await opened(copy)).toEqual({ users: ['ann', 'bea'], notes: [] })
    expect(statSync(copy).mtimeMs).toBe(mtimeMs)
    expect(await opened(store)).toEqual({ users: ['ann', 'bea'], notes: [] })
  })

  test('says so once, also when it is killed again', async ({ folder, store, run, opened }) => {
    const [copy, second] = [join(folder, 'copy.json'), join(folder, 'second.json')]
    await run('start', () => copied(store, copy))
    const emulator = await startEmulator({ store: copy })
    expect(emulator.notes).toEqual([said])
    copied(copy, second)
    await emulator.close()
    expect(await opened(second)).toEqual({ users: ['ann', 'bea'], notes: [] })
  })

  test('keeps what was changed after the scenario', async ({ folder, store, run, opened }) => {
    await run('start', () => {})
    const emulator = await startEmulator({ store })
    await emulator.admin.runScenario({ steps: [{ reset: {} } as object] })
    await emulator.admin.createUser(user('dan'))
    copied(store, join(folder, 'copy.json'))
    await emulator.close()
    expect(await opened(join(folder, 'copy.json'))).toEqual({ users: ['ann', 'bea', 'dan'], notes: [] })
  })

  test('keeps the changes of one that goes nowhere back', async ({ folder, store, run, opened }) => {
    const copy = join(folder, 'copy.json')
    await run('current', () => copied(store, copy))
    expect(await opened(copy)).toEqual({ users: ['ann', 'bea', 'cid'], notes: [] })
  })

  test('which is stopped in the middle writes nothing of it either', async ({ store, run, opened }) => {
    await run('start', (close) => close())
    expect((await opened(store)).users).toEqual(['ann', 'bea'])
  })
})
