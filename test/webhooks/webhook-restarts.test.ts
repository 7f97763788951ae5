import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { startProcess } from '../harness/emulator-process.js'
import { send } from '../harness/emulator-test.js'
import { test as base } from '../harness/webhook-test.js'

interface Started {
  url: string
  kill(): Promise<void>
}

interface RestartFixtures {
  /** Starts, or starts again, an emulator that keeps its world in `store`: in a process that a signal kills, or here. */
  start: () => Promise<Started>
  install: (url: string) => ReturnType<typeof send>
}

const cases = { 'a SIGKILL': startProcess, 'a clean stop': startHere } as const

async function startHere(options: Parameters<typeof startProcess>[0]): Promise<Started> {
  const { url, close } = await startEmulator(options)
  return { url, kill: close }
}

for (const [end, begin] of Object.entries(cases)) {
  const test = base.extend<RestartFixtures>({
    start: async ({ store, world }, use) => {
      const started: Started[] = []
      await use(async () => {
        await started.pop()?.kill()
        const emulator = await begin({
          store,
          seed: 'test',
          now: '2026-01-01T00:00:00Z',
          fixtures: world,
          resume: true,
          attemptTimeout: '20s',
        })
        started.push(emulator)
        return emulator
      })
      await started.pop()?.kill()
    },
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
    install: async ({}, use) => {
      await use((url) =>
        send(`${url}/_admin/installations`, { body: { app: 'notes', organization: 'acme' } }).catch((error) => error),
      )
    },
  })

  describe(`wire §7: after ${end}`, () => {
    test('a pending retry is made in its time, with the same body', async ({ start, app, install }) => {
      app.answers(500)
      await install((await start()).url)
      const { url } = await start()
      const advance = (by: string) => send(`${url}/_admin/clock/advance`, { body: { by } })
      await advance('9s')
      expect(app.received()).toHaveLength(1)
      app.answers(200)
      await advance('1s')
      expect(app.received()).toHaveLength(2)
      expect(app.received()[1]?.raw).toEqual(app.received()[0]?.raw)
      const { data } = (await send(`${url}/_admin/deliveries`)).body
      expect(data).toMatchObject([{ state: 'acknowledged', attempts: [{ status: 500 }, { status: 200 }] }])
    })

    test('an install that was being announced is announced again', async ({ start, app, install }) => {
      app.neverAnswers()
      const first = await start()
      const interrupted = install(first.url)
      await app.arrival('app.installed', 1)
      app.answers(200)
      const { url } = await start()
      await interrupted
      const [one, two] = await app.arrival('app.installed', 2)
      expect(two?.raw).toEqual(one?.raw)
      expect((await send(`${url}/_admin/deliveries/settled`)).body).toEqual({ settled: true })
      const [installation] = (await send(`${url}/_admin/installations`)).body.data
      expect(installation.state).toBe('installed')
      const token = two?.body.data.credentials.access_token
      expect((await send(`${url}/v0/courses`, { as: token })).status).toBe(200)
    })

    test('an uninstall in the middle is completed', async ({ start, app, install }) => {
      const first = await start()
      const { installation, credentials } = (await install(first.url)).body
      app.neverAnswers()
      const interrupted = send(`${first.url}/_admin/installations/${installation.id}`, { method: 'DELETE' }).catch(
        (error) => error,
      )
      await app.arrival('app.uninstalled', 1)
      app.answers(200)
      const { url } = await start()
      await interrupted
      await app.arrival('app.uninstalled', 2)
      expect((await send(`${url}/_admin/deliveries/settled`)).body).toEqual({ settled: true })
      const after = (await send(`${url}/_admin/installations/${installation.id}`)).body
      expect(after.state).toBe('uninstalled')
      expect((await send(`${url}/v0/courses`, { as: credentials.access_token })).status).toBe(401)
      expect(app.types()).toEqual(['app.installed', 'app.uninstalled', 'app.uninstalled'])
    })
  })
}
