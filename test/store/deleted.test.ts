import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const write = (url: string, slug: string) => send(`${url}/_admin/organizations`, { body: { slug, name: slug } })

describe.runIf(process.platform !== 'win32')('what is deleted under a running emulator', () => {
  test('its journal: writes are 507 from then on, and the end says what is lost', async ({ folder, start }) => {
    const store = join(folder, 'store.json')
    const { url, stop } = await start(['start', '--port', '0', '--store', store])
    expect((await write(url, 'neo')).status).toBe(201)
    expect((await write(url, 'trinity')).status).toBe(201)
    const answered = ['neo', 'trinity']
    rmSync(`${store}.journal`)
    await expect
      .poll(async () => {
        const { status, body } = await write(url, `late${answered.length}`)
        if (status === 201) answered.push(body.slug)
        return status
      })
      .toBe(507)
    expect((await send(`${url}/_admin/organizations/neo`)).status).toBe(200)

    const { status, stderr } = await stop()
    expect(status).toBe(1)
    expect(stderr).toContain('store.json.journal was deleted while the emulator was running')
    expect(stderr).toContain(`${answered.length} changes since ${store} was last written are lost.`)
    expect(stderr).not.toContain('Nothing is lost')
    expect(readdirSync(folder).toSorted()).not.toContain('store.json.lock')
  })

  test('its folder: the end says that the world is lost', async ({ folder, start }) => {
    const store = join(folder, 'state', 'store.json')
    const { url, stop } = await start(['start', '--port', '0', '--store', store])
    rmSync(join(folder, 'state'), { recursive: true })
    let count = 0
    await expect.poll(async () => (await write(url, `late${count++}`)).status).toBe(507)
    const { status, stderr } = await stop()
    expect(status).toBe(1)
    expect(stderr).toContain('The world is lost')
    expect(existsSync(join(folder, 'state'))).toBe(false)
  })

  test('its folder: keys and exports can still be read', async ({ folder, start }) => {
    const args = (name: string) => ['start', '--port', '0', '--store', join(folder, name, 'store.json')]
    const cases = [
      [await start(args('unused')), 1],
      [await start([...args('seeded'), '--seed', 'lesson']), 1],
      [await start(args('rotated')), 2],
    ] as const
    expect((await send(`${cases[2][0].url}/_admin/keys/rotate`, { body: {} })).status).toBe(200)
    for (const name of ['unused', 'seeded', 'rotated']) rmSync(join(folder, name), { recursive: true })
    for (const [{ url, stop }, count] of cases) {
      let late = 0
      await expect.poll(async () => (await write(url, `late${late++}`)).status).toBe(507)
      const { status, body } = await send(`${url}/.well-known/jwks.json`)
      expect(status).toBe(200)
      expect(body.keys).toEqual(Array(count).fill(expect.objectContaining({ kid: expect.any(String), kty: 'RSA' })))
      expect((await send(`${url}/.well-known/jwks.json`)).body).toEqual(body)
      const state = await send(`${url}/_admin/state`)
      expect(state.body.organizations).toContainEqual(expect.objectContaining({ slug: 'acme' }))
      expect((await stop()).status).toBe(1)
    }
  })

  test('its lock: another may have the store, so writes are 507, and the journal has every change', async ({
    folder,
    start,
  }) => {
    const store = join(folder, 'store.json')
    const args = ['start', '--port', '0', '--store', store]
    const { url, stop } = await start(args)
    expect((await write(url, 'neo')).status).toBe(201)
    rmSync(`${store}.lock`)
    let count = 0
    await expect.poll(async () => (await write(url, `late${count++}`)).status).toBe(507)
    expect(existsSync(`${store}.lock`)).toBe(false)

    const { status, stderr } = await stop()
    expect(status).toBe(1)
    expect(stderr).toContain('store.json.lock was deleted while the emulator was running')
    expect(stderr).toContain('Nothing is lost')
    const second = await start(args)
    expect((await send(`${second.url}/_admin/organizations/neo`)).status).toBe(200)
    expect((await second.stop()).status).toBe(0)
  })

  test('its store.json alone is written again at the end', async ({ folder, start }) => {
    const store = join(folder, 'store.json')
    const { url, stop } = await start(['start', '--port', '0', '--store', store])
    rmSync(store)
    expect((await write(url, 'neo')).status).toBe(201)
    expect((await stop()).status).toBe(0)
    expect(readFileSync(store, 'utf8')).toContain('"neo"')
  })
})
