import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { type FixtureDocument, type StartOptions, startEmulator } from 'mockademy'
import { describe, expect, vi } from 'vitest'
import { startProcess } from '../harness/emulator-process.js'
import { send } from '../harness/emulator-test.js'
import { journalLine } from '../harness/journal-line.js'
import { test } from '../harness/temporary-folder.js'
import { acme } from '../harness/worlds/acme.js'

const start = (store: string, options: StartOptions = {}) => startEmulator({ store, ...options })
const addOrganization = (url: string, slug: string) =>
  send(`${url}/_admin/organizations`, { body: { slug, name: slug } })
const slugs = async (url: string): Promise<string[]> =>
  (await send(`${url}/_admin/organizations`)).body.data.map(({ slug }: { slug: string }) => slug)

/** An emulator in a process of its own, so that it can be killed. */
const startMortal = (store: string) => startProcess({ store, fixtures: {}, resume: true })

describe('a kill at any moment loses no answered write', () => {
  test('ten kills under load, each write found again', async ({ store }) => {
    const answered: string[] = []
    for (let round = 0; round < 10; round++) {
      const { kill, url } = await startMortal(store)
      expect(await slugs(url)).toEqual(expect.arrayContaining(answered))
      let died: Promise<void> | undefined
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; !died; count++) {
          const slug = `r${round}w${writer}c${count}`
          const answer = await addOrganization(url, slug).catch(() => undefined)
          if (answer === undefined) return
          expect(answer.status).toBe(201)
          answered.push(slug)
          // The kill comes in the middle of the others' writes, at another place in each round.
          if (writer === 0 && count === 5 + 2 * round) died = kill()
        }
      })
      await Promise.all(writers)
      await died
    }
    expect(answered.length).toBeGreaterThan(10 * 5)
    const emulator = await start(store)
    expect(await slugs(emulator.url)).toEqual(expect.arrayContaining(answered))
    await emulator.close()
  })

  test('the lock of the killed process does not keep the next one out', async ({ store }) => {
    const { kill } = await startMortal(store)
    await kill()
    expect(existsSync(`${store}.lock`)).toBe(true)
    const emulator = await start(store)
    await emulator.close()
    expect(existsSync(`${store}.lock`)).toBe(false)
  })
})

describe('store.json and its journal', () => {
  test('a change is a line of the journal before it is answered, and a clean stop folds it in', async ({
    folder,
    store,
  }) => {
    const emulator = await start(store, { fixtures: acme })
    await addOrganization(emulator.url, 'neo')
    const lines = readFileSync(`${store}.journal`, 'utf8').trimEnd().split('\n')
    const line = JSON.parse(lines.at(-1) as string)
    expect(line.n).toBe(lines.length)
    expect(line.changes[0].slice(0, 2)).toEqual(['organizations', 'neo'])
    expect(JSON.parse(readFileSync(store, 'utf8')).collections.organizations).toHaveLength(2)

    await emulator.close()
    expect(readdirSync(folder)).toEqual(['store.json'])
    const folded = JSON.parse(readFileSync(store, 'utf8'))
    expect(folded.collections.organizations.map(({ id }: { id: string }) => id)).toContain('neo')
  })

  test('lines that are folded already are skipped, as after a kill between the two writes', async ({ store }) => {
    const first = await start(store, { fixtures: {} })
    await addOrganization(first.url, 'neo')
    const journal = readFileSync(`${store}.journal`)
    await first.close()
    writeFileSync(`${store}.journal`, journal)

    const second = await start(store)
    expect(await slugs(second.url)).toEqual(['neo'])
    await addOrganization(second.url, 'trinity')
    await second.close()
    const third = await start(store)
    expect(await slugs(third.url)).toEqual(['neo', 'trinity'])
    await third.close()
  })

  test('a journal grown past the snapshot is folded while requests go on', async ({ store }) => {
    const emulator = await start(store, { fixtures: {} })
    const name = 'x'.repeat(100_000)
    for (let count = 0; count < 30; count++) {
      await send(`${emulator.url}/_admin/organizations`, { body: { slug: `o${count}`, name } })
    }
    // The fold runs in a thread; what it must never do is lose something, whenever it ends.
    await emulator.close()
    expect(statSync(store).size).toBeGreaterThan(3_000_000)
    const again = await start(store)
    expect(await slugs(again.url)).toHaveLength(30)
    await again.close()
  })

  test('a torn last line is dropped, with a note', async ({ store }) => {
    const { kill, url } = await startMortal(store)
    await addOrganization(url, 'neo')
    await kill()
    appendFileSync(`${store}.journal`, '{"n":2,"changes":[["organi')

    const emulator = await start(store)
    expect(await slugs(emulator.url)).toEqual(['neo'])
    expect(emulator.notes.join()).toContain('dropped')
    await addOrganization(emulator.url, 'trinity')
    await emulator.close()
    const again = await start(store)
    expect(await slugs(again.url)).toEqual(['neo', 'trinity'])
    await again.close()
  })

  test('users who were deleted although records refer to them are shown, and exported, as deleted ones', async ({
    store,
  }) => {
    const before = await start(store, { fixtures: acme })
    // Whom nothing but tokens refer to.
    await before.admin.createUser({
      id: 'eve',
      email: 'eve@acme.test',
      organizations: [{ slug: 'acme', role: 'learner' }],
    })
    await before.admin.mintTokens({ app: 'notes', organization: 'acme', user: 'eve' })
    await before.admin.deleteMember('acme', 'eve')
    await before.close()
    const { sealed: _, ...document } = JSON.parse(readFileSync(store, 'utf8'))
    const { users, memberships, course_members } = document.collections
    const isOthers = ({ id, user = id }: { id: string; user?: string }) => user !== 'bob' && user !== 'eve'
    const collections = {
      ...document.collections,
      users: users.filter(isOthers),
      memberships: memberships.filter(isOthers),
      course_members: course_members.filter(isOthers),
    }
    writeFileSync(store, JSON.stringify({ ...document, collections }))

    const { url, admin, close } = await start(store)
    const { status, body } = await send(`${url}/v0/activities`, { as: 'key_acme' })
    expect([status, body.payload.data[1].member]).toMatchObject([200, { id: 'bob', full_name: 'Deleted User' }])
    const exported = await admin.getState()
    expect((await send(`${url}/_admin/state`, { method: 'PUT', body: exported })).status).toBe(200)
    await close()
  })

  test('anything else that cannot be read stops the start, names file and line, and is left as it is', async ({
    store,
  }) => {
    const emulator = await start(store, { fixtures: acme })
    await emulator.close()
    const sound = readFileSync(store, 'utf8')
    const line = sound.split('\n').findIndex((text) => text.includes('"organizations"')) + 1
    const broken = sound.replace('"organizations": [', '"organizations": [ ,')
    writeFileSync(store, broken)
    await expect(start(store)).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringContaining(`${store}, line ${line}`),
    })
    expect(readFileSync(store, 'utf8')).toBe(broken)

    writeFileSync(store, sound)
    const change = (n: number) => journalLine({ n, counters: { sequence: 99, draws: 0 }, changes: [] })
    const { folded } = JSON.parse(sound)
    writeFileSync(`${store}.journal`, `${change(folded + 1)}nonsense\n${change(folded + 3)}`)
    await expect(start(store)).rejects.toMatchObject({ message: expect.stringContaining('.journal, line 2') })
    writeFileSync(`${store}.journal`, change(folded + 1) + change(folded + 3))
    await expect(start(store)).rejects.toMatchObject({ message: expect.stringContaining('.journal, line 2') })
    expect(existsSync(`${store}.lock`)).toBe(false)
  })

  test.runIf(process.platform === 'linux')(
    'a write that cannot be stored is 507, changes nothing, and later writes go on',
    async ({ folder, store }) => {
      const { kill, pid, url } = await startMortal(store)
      const limit = (bytes: number | 'unlimited') =>
        expect(spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]).status).toBe(0)
      const before = await slugs(url)
      const journal = statSync(`${store}.journal`).size
      // The file system takes no more of this process's file, as when it is full.
      limit(journal + 20)
      const refused = await addOrganization(url, 'neo')
      expect(refused.status).toBe(507)
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
      expect(refused.body.detail).toMatch(/^The store cannot be written: .*store\.json\.journal: EFBIG/)
      expect(await slugs(url)).toEqual(before)
      expect(statSync(`${store}.journal`).size).toBe(journal)

      limit('unlimited')
      expect((await addOrganization(url, 'neo')).status).toBe(201)
      await kill()
      const again = await start(store)
      expect(await slugs(again.url)).toEqual([...before, 'neo'])
      await again.close()
      expect(readdirSync(folder)).toEqual(['store.json'])
    },
  )
})

describe('one process a store', () => {
  test("a second process is refused with the first one's pid", async ({ store }) => {
    const { kill, pid } = await startMortal(store)
    await expect(start(store)).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringContaining(`${pid}`),
    })
    await kill()
  })

  test('so is a second emulator in the same process', async ({ store }) => {
    const emulator = await start(store, { fixtures: {} })
    await expect(start(store)).rejects.toMatchObject({ message: expect.stringContaining('in use') })
    await emulator.close()
  })

  test('whoever has taken over keeps the lock when the one before ends', async ({ store }) => {
    const emulator = await start(store, { fixtures: {} })
    const other = { id: 'other', pid: 1, host: 'elsewhere', started: null }
    writeFileSync(`${store}.lock`, JSON.stringify(other))
    // It looks at its lock every second: when it has, it says that it could not write.
    await emulator.close().catch((error: Error) => expect(error.message).toContain('another process has taken over'))
    expect(JSON.parse(readFileSync(`${store}.lock`, 'utf8'))).toEqual(other)
  })

  test('--fresh too is refused while another has it, and renames nothing', async ({ folder, store }) => {
    const emulator = await start(store, { fixtures: {} })
    await addOrganization(emulator.url, 'neo')
    await expect(start(store, { fixtures: acme, fresh: true })).rejects.toMatchObject({ exitStatus: 2 })
    expect(readdirSync(folder).toSorted()).toEqual(['store.json', 'store.json.journal', 'store.json.lock'])
    expect((await addOrganization(emulator.url, 'trinity')).status).toBe(201)
    await emulator.close()
    const again = await start(store)
    expect(await slugs(again.url)).toEqual(['neo', 'trinity'])
    await again.close()
  })

  test('--fresh takes over the store of one that is gone, and keeps its journal with the old one', async ({
    folder,
    store,
  }) => {
    const { kill, url } = await startMortal(store)
    await addOrganization(url, 'neo')
    await kill()
    const fresh = await start(store, { fixtures: acme, fresh: true })
    expect(await slugs(fresh.url)).toEqual(['acme', 'zenith'])
    await addOrganization(fresh.url, 'trinity')
    await fresh.close()
    expect(readdirSync(folder).toSorted()).toEqual(['store.json', 'store.json.old-1', 'store.json.old-1.journal'])
    const old = await start(`${store}.old-1`)
    expect(await slugs(old.url)).toEqual(['neo'])
    await old.close()
  })

  test.for([
    ['of a pid that is gone', { pid: 2 ** 22 + 1, host: hostname(), started: '1' }],
    ["of this process's own pid", { pid: process.pid, host: hostname(), started: null }],
    ['of a pid that now is another process', { pid: 1, host: hostname(), started: 'another time' }],
  ] as const)('a lock is stale when it is %s', async ([, lock], { folder, store }) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${store}.lock`, JSON.stringify(lock))
    const emulator = await start(store, { fixtures: {} })
    await emulator.close()
  })
})

describe('resuming', () => {
  test('a store that exists is resumed', async ({ store }) => {
    const first = await start(store, { fixtures: acme })
    expect((await send(`${first.url}/_admin`)).body.world).toBe('seeded')
    await addOrganization(first.url, 'neo')
    await first.close()
    const second = await start(store)
    const { body } = await send(`${second.url}/_admin`)
    expect(body).toMatchObject({ world: 'resumed', store })
    expect(await slugs(second.url)).toEqual(['acme', 'zenith', 'neo'])
    await second.close()
  })

  test('its clock goes on: a "now" is for a world that begins, and a note says so', async ({ store }) => {
    const first = await start(store, { now: '2026-01-01T00:00:00Z' })
    expect(first.notes).toEqual([])
    await first.close()
    const second = await start(store, { now: '2040-01-01T00:00:00Z' })
    expect((await send(`${second.url}/_admin/clock`)).body.now).toBe('2026-01-01T00:00:00.000Z')
    expect(second.notes).toEqual([expect.stringContaining('The store keeps its clock')])
    await second.close()
  })

  test('other fixtures than it was seeded from are refused, naming --fresh and --resume', async ({ folder, store }) => {
    await (await start(store, { fixtures: acme })).close()
    await expect(start(store, { fixtures: {} })).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringMatching(/--fresh.*--resume/s),
    })
    await (await start(store, { fixtures: acme })).close()

    const resumed = await start(store, { fixtures: {}, resume: true })
    expect(await slugs(resumed.url)).toContain('acme')
    await resumed.close()

    const fresh = await start(store, { fixtures: {}, fresh: true })
    expect(await slugs(fresh.url)).toEqual([])
    await fresh.close()
    expect(readdirSync(folder)).toEqual(['store.json', 'store.json.old-1'])
    const old = await start(`${store}.old-1`)
    expect(await slugs(old.url)).toContain('acme')
    await old.close()
  })

  test('a manifest that has been pushed since is none of other fixtures; one that has not been is', async ({
    store,
  }) => {
    const manifest = { id: 'own', name: 'Own', version: '1.0.0' }
    const withApp = (fields: object, more: object = {}) => ({
      fixtures: { apps: [{ client_id: 'own', manifest: { ...manifest, ...fields } }], ...more },
    })
    const first = await start(store, withApp({}))
    await send(`${first.url}/_admin/apps/own/manifest`, { method: 'PUT', body: { ...manifest, version: '1.1.0' } })
    await first.close()
    await expect(start(store, withApp({ version: '1.2.0' }))).rejects.toMatchObject({ exitStatus: 2 })
    await expect(start(store, withApp({ version: '1.1.0' }, acme))).rejects.toMatchObject({ exitStatus: 2 })
    await (await start(store, withApp({ version: '1.1.0' }))).close()
    await (await start(store, withApp({}))).close()
    await expect(start(store, withApp({ id: undefined }))).rejects.toMatchObject({ exitStatus: 2 })
  })

  test('reset goes back to the world that was resumed', async ({ store }) => {
    const first = await start(store, { fixtures: {} })
    await addOrganization(first.url, 'neo')
    await first.close()
    const second = await start(store)
    await addOrganization(second.url, 'trinity')
    await send(`${second.url}/_admin/reset`, { method: 'POST' })
    expect(await slugs(second.url)).toEqual(['neo'])
    await second.close()
    const third = await start(store)
    expect(await slugs(third.url)).toEqual(['neo'])
    await third.close()
  })

  test('ids drawn from a seed are not drawn again after a restart', async ({ store }) => {
    const first = await start(store, { fixtures: {}, seed: 's' })
    const a = await send(`${first.url}/_admin/users`, { body: { email: 'a@acme.test' } })
    await first.close()
    const second = await start(store, { seed: 's' })
    const b = await send(`${second.url}/_admin/users`, { body: { email: 'b@acme.test' } })
    expect(b.status).toBe(201)
    expect(b.body.id).not.toBe(a.body.id)
    await second.close()
  })

  test('a client id that a document has is not drawn for another app, unless its own is deleted', async () => {
    const manifest = { id: 'new', name: 'New', version: '1.0.0' }
    const drawn = async (apps: object[], deleted?: string) => {
      const { url, close } = await startEmulator({ seed: 's', fixtures: { apps } as FixtureDocument })
      if (deleted) await send(`${url}/_admin/apps/${deleted}`, { method: 'DELETE' })
      const { body } = await send(`${url}/_admin/apps`, { body: { manifest } })
      await close()
      return body.client_id
    }
    const client_id = await drawn([])
    const secrets = { client_secret: 'other_secret', signing_secret: 'other_signing' }
    const other = { manifest: { ...manifest, id: 'other' }, client_id, ...secrets }
    expect(await drawn([other])).toMatch(/^app_\w{16}$/)
    expect(await drawn([other], 'other')).toBe(client_id)
  })
})

test("is written, resumed and closed through file handles that only have `close`, as those of Yarn's Plug'n'Play", async ({
  store,
  onTestFinished,
}) => {
  const { open } = promises
  const closed: string[] = []
  const spy = vi.spyOn(promises, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest)
    const close = () => {
      closed.push(basename(String(path)))
      return handle.close()
    }
    return Object.create(handle, { close: { value: close }, [Symbol.asyncDispose]: { value: undefined } })
  })
  onTestFinished(() => spy.mockRestore())
  const first = await start(store, { fixtures: {} })
  await addOrganization(first.url, 'neo')
  await first.close()
  const second = await start(store)
  expect(await slugs(second.url)).toEqual(['neo'])
  await second.close()
  expect(spy.mock.calls.map(([path]) => basename(String(path)))).toEqual(closed)
  expect(new Set(closed)).toEqual(new Set(['document']))
})
