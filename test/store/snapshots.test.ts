import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type Call, send, test } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'
import { memoryInUse } from '../harness/resources.js'

const small = {
  organizations: [
    {
      slug: 'acme',
      api_key: 'key_acme',
      courses: [{ id: 'c', name: 'C', modules: [{ id: 'm', name: 'M' }] }],
    },
  ],
} as const

const snapshot = (url: string, name: string) => send(`${url}/_admin/snapshots`, { body: { name } })
const restore = (url: string, name: string) => send(`${url}/_admin/snapshots/${name}/restore`, { method: 'POST' })
const changesOf = async (url: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await send(`${url}/_admin/snapshots`)).body.data.map(({ name, changes }: { name: string; changes: number }) => [
      name,
      changes,
    ]),
  )

describe('snapshots', () => {
  test.override('world', structuredClone(small) as never)

  test('what was made and undone nets to nothing, for snapshots and for a reset', async ({ call, emulator }) => {
    await snapshot(emulator.url, 'before')
    const made = await call('/v0/elements', { as: 'key_acme', body: { module: 'm', name: 'E', type: 'CONTENT' } })
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    expect(await changesOf(emulator.url)).toEqual({ before: 2 })
    await call(`/v0/elements/${made.body.payload.id}`, { as: 'key_acme', method: 'DELETE' })
    expect(await changesOf(emulator.url)).toEqual({ before: 1 })
    await call('/_admin/organizations/neo', { method: 'DELETE' })
    expect(await changesOf(emulator.url)).toEqual({ before: 0 })

    // Also when the making is before a snapshot and the undoing after it.
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    await snapshot(emulator.url, 'between')
    await call('/_admin/organizations/neo', { method: 'DELETE' })
    expect(await changesOf(emulator.url)).toEqual({ before: 0, between: 1 })
  })

  test('a field that is changed and changed back is no change', async ({ call, emulator }) => {
    await call('/_admin/users', { body: { id: 'ada', email: 'ada@acme.test', first_name: 'Ada' } })
    await snapshot(emulator.url, 'before')
    await call('/_admin/organizations/acme/members/ada', { method: 'PUT', body: { role: 'learner' } })
    await snapshot(emulator.url, 'learner')
    await call('/_admin/organizations/acme/members/ada', { method: 'PUT', body: { role: 'owner' } })
    expect(await changesOf(emulator.url)).toEqual({ before: 1, learner: 1 })
    await call('/_admin/organizations/acme/members/ada', { method: 'PUT', body: { role: 'learner' } })
    expect(await changesOf(emulator.url)).toEqual({ before: 1, learner: 0 })
  })

  const newUser = (id: string, email = `${id}@acme.test`) => ({ id, email, first_name: 'A', last_name: 'B' })

  test('what was changed up to a later one is undone alone; what has changed since stays', async ({
    call,
    emulator,
  }) => {
    const make = (slug: string) => call('/_admin/organizations', { body: { slug, name: slug } })
    const slugs = async () => (await call('/_admin/organizations')).body.data.map(({ slug }: { slug: string }) => slug)
    const rename = (first_name: string) => call('/_admin/users/ada', { method: 'PUT', body: { first_name } })
    await call('/_admin/users', { body: { id: 'ada', email: 'ada@acme.test', first_name: 'Before' } })
    await snapshot(emulator.url, 'before')
    await make('during')
    await rename('During')
    await call('/_admin/users', { body: newUser('eve') })
    await call('/_admin/clock/freeze', { body: { at: '2031-01-01T00:00:00.000Z' } })
    await snapshot(emulator.url, 'left')
    await make('since')
    await rename('Since')
    await call('/_admin/users/eve', { method: 'PUT', body: { first_name: 'Since' } })
    const undone = await call('/_admin/snapshots/before/restore', { body: { until: 'left' } })
    expect(undone).toMatchObject({ status: 200, body: { name: 'before', changes: 2 } })
    expect(await slugs()).toEqual(['acme', 'since'])
    expect((await call('/_admin/users')).body.data).toMatchObject([{ id: 'ada', first_name: 'Since' }])
    expect((await call('/_admin/clock')).body.now).not.toMatch(/^2031/)
    expect((await call('/_admin/snapshots/before/restore', { body: { until: 'none' } })).status).toBe(404)
    for (const [name, until] of [
      ['left', 'before'],
      ['left', 'left'],
    ]) {
      const refused = await call(`/_admin/snapshots/${name}/restore`, { body: { until } })
      expect(refused).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'until', message: `must be a snapshot that was taken after "${name}"` }] },
      })
    }
  })

  const notes = (version: string) => ({
    ...{ id: 'notes', name: 'Notes', version, permissions: ['elements:read', 'courses:read'] },
    ...{ oauth: { install: true }, webhook: { url: 'http://127.0.0.1:9/hook' } },
  })

  test('what was made since for something that is undone is removed with it', async ({ call, emulator }) => {
    await call('/_admin/users', { body: newUser('ada') })
    await call('/_admin/apps', { body: { manifest: notes('1.0.0') } })
    await snapshot(emulator.url, 'before')
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    const made = await call('/v0/elements', { as: 'key_acme', body: { module: 'm', name: 'E', type: 'CONTENT' } })
    await call(`/v0/elements/${made.body.payload.id}`, { as: 'key_acme', method: 'DELETE' })
    await snapshot(emulator.url, 'left')
    await call('/_admin/organizations/neo/members/ada', { method: 'PUT', body: { role: 'owner' } })
    const installed = await call('/_admin/installations', {
      body: { app: 'notes', organization: 'neo', announce: false },
    })
    const { access_token } = installed.body.credentials
    expect((await call('/v0/courses', { as: access_token })).status).toBe(200)
    expect((await call('/_admin/snapshots/before/restore', { body: { until: 'left' } })).status).toBe(200)
    expect((await call('/_admin/installations')).body.data).toEqual([])
    expect((await call('/v0/courses', { as: access_token })).status).toBe(401)
    const { body: state } = await call('/_admin/state')
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
  })

  test('what is put back goes with what has been removed since', async ({ call, emulator }) => {
    const made = await call('/v0/elements', { as: 'key_acme', body: { module: 'm', name: 'E', type: 'CONTENT' } })
    await snapshot(emulator.url, 'before')
    const path = `/v0/elements/${made.body.payload.id}`
    await call(path, { as: 'key_acme', method: 'DELETE' })
    await snapshot(emulator.url, 'left')
    await call('/_admin/organizations/acme', { method: 'DELETE' })
    expect((await call('/_admin/snapshots/before/restore', { body: { until: 'left' } })).status).toBe(200)
    expect((await call('/_admin')).body.counts).toMatchObject({ organizations: 0, courses: 0, elements: 0 })
  })

  test('a later one is gone to from another branch, whose records have its sequence numbers and times', async ({
    call,
    emulator,
  }) => {
    await call('/_admin/clock/freeze', { body: {} })
    await snapshot(emulator.url, 'start')
    for (const slug of ['one', 'two']) {
      await call('/_admin/organizations', { body: { slug, name: slug } })
      await call('/_admin/users', { body: { id: slug, email: `${slug}@acme.test`, first_name: 'A', last_name: 'B' } })
      await snapshot(emulator.url, slug)
      await restore(emulator.url, 'start')
    }
    for (const slug of ['two', 'one', 'two']) {
      await restore(emulator.url, slug)
      const { data } = (await call('/_admin/organizations')).body
      expect(data.map((each: { slug: string }) => each.slug)).toEqual(['acme', slug])
      expect((await call(`/_admin/organizations/${slug}`)).body.slug).toBe(slug)
      expect((await call('/_admin/users')).body.data).toMatchObject([{ id: slug }])
    }
  })

  test('they survive a reset, and are gone to forward too', async ({ call, emulator }) => {
    await call('/_admin/organizations', { body: { slug: 'neo', name: 'Neo' } })
    await snapshot(emulator.url, 'later')
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin/organizations/neo')).status).toBe(404)
    expect(await changesOf(emulator.url)).toEqual({ later: 1 })
    expect((await restore(emulator.url, 'later')).body.changes).toBe(0)
    expect((await call('/_admin/organizations/neo')).status).toBe(200)
  })

  test('a name may be taken again, and a deleted one keeps the others as they are', async ({ call, emulator }) => {
    const add = (slug: string) => call('/_admin/organizations', { body: { slug, name: slug } })
    for (const slug of ['a', 'b', 'c']) {
      await add(slug)
      await snapshot(emulator.url, slug)
    }
    await add('d')
    await snapshot(emulator.url, 'b')
    await call('/_admin/snapshots/c', { method: 'DELETE' })
    expect(await changesOf(emulator.url)).toEqual({ a: 3, b: 0 })
    await restore(emulator.url, 'a')
    expect((await call('/_admin')).body.counts.organizations).toBe(2)
    await restore(emulator.url, 'b')
    expect((await call('/_admin')).body.counts.organizations).toBe(5)
  })

  test('one of the present state may be deleted: the others lead back and forth as before', async ({
    call,
    emulator,
  }) => {
    const organizations = async () => (await call('/_admin')).body.counts.organizations
    const add = (slug: string) => call('/_admin/organizations', { body: { slug, name: slug } })
    await snapshot(emulator.url, 'first')
    await add('a')
    await snapshot(emulator.url, 'present')
    await call('/_admin/snapshots/present', { method: 'DELETE' })
    await add('b')
    expect(await changesOf(emulator.url)).toEqual({ first: 2 })
    await snapshot(emulator.url, 'last')
    await restore(emulator.url, 'first')
    expect(await organizations()).toBe(1)
    await restore(emulator.url, 'last')
    expect(await organizations()).toBe(3)
  })

  test('one from which several lead away may be deleted: each of them is still there', async ({ call, emulator }) => {
    const add = (slug: string) => call('/_admin/organizations', { body: { slug, name: slug } })
    const names = ['a', 'b', 'c', 'd']
    await add('trunk')
    await snapshot(emulator.url, 'fork')
    for (const name of names) {
      await restore(emulator.url, 'fork')
      await add(name)
      await snapshot(emulator.url, name)
    }
    await call('/_admin/snapshots/fork', { method: 'DELETE' })
    expect(await changesOf(emulator.url)).toEqual({ a: 2, b: 2, c: 2, d: 0 })
    for (const name of names) {
      await restore(emulator.url, name)
      const slugs = (await call('/_admin/organizations')).body.data.map(({ slug }: { slug: string }) => slug)
      expect(slugs.toSorted()).toEqual(['acme', 'trunk', name].toSorted())
    }
  })

  test('hundreds of them, with changes between, cost what changed and no more', async ({ call, emulator }) => {
    const rounds = 400
    const users = (round: number) =>
      Array.from({ length: 30 }, (_, index) => ({ id: `u${round}-${index}`, email: `u${round}-${index}@acme.test` }))
    const before = memoryInUse()
    for (let round = 0; round < rounds; round++) {
      await call('/_admin/fixtures', { body: { users: users(round) } })
      await snapshot(emulator.url, `s${round}`)
    }
    // An image of the past for each snapshot would be 2.4 million of them.
    expect(memoryInUse() - before).toBeLessThan(150_000_000)
    expect((await changesOf(emulator.url)).s199).toBe(200 * 30)
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin')).body.counts.users).toBe(0)
    expect((await restore(emulator.url, 's199')).status).toBe(200)
    expect((await call('/_admin')).body.counts.users).toBe(200 * 30)
  })
})

describe('a snapshot that is taken again and again', () => {
  test.override('world', structuredClone(small) as never)
  test.override('settings', { journalSize: 0 })

  test('keeps nothing of what was made before one time and removed after it', async ({ call, emulator }) => {
    let rounds = 0
    const makeAndRemove = async () => {
      for (let times = 0; times < 40; times++) {
        const slug = `neo${rounds++}`
        const elements = Array.from({ length: 300 }, (_, index) => ({
          id: `${slug}-${index}`,
          name: 'E',
          type: 'CONTENT',
        }))
        const courses = [{ id: slug, name: slug, modules: [{ id: slug, name: slug, elements }] }]
        await call('/_admin/fixtures', { body: { organizations: [{ slug, name: slug, courses }] } })
        await snapshot(emulator.url, 'x')
        await call(`/_admin/organizations/${slug}`, { method: 'DELETE' })
        await snapshot(emulator.url, 'x')
      }
    }
    await makeAndRemove()
    const before = memoryInUse()
    await makeAndRemove()
    expect(memoryInUse() - before).toBeLessThan(1_000_000)
  })
})

describe('any history of changes, snapshots, restores and resets', () => {
  test.override('world', structuredClone(small) as never)

  const names = ['x', 'y', 'z']
  const slugs = ['neo', 'trinity', 'morpheus']
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), name: fc.constantFrom(...slugs) }),
    fc.record({ kind: fc.constant('drop' as const), name: fc.constantFrom(...slugs) }),
    fc.record({ kind: fc.constant('snapshot' as const), name: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('restore' as const), name: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('forget' as const), name: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('reset' as const), name: fc.constant('') }),
  )

  test('each name leads to the organizations that there were, and counts what differs', async ({ call, emulator }) => {
    const post = (path: string, body?: Call['body']) => call(path, { method: 'POST', ...(body ? { body } : {}) })
    const present = async (): Promise<string[]> =>
      (await call('/_admin/organizations')).body.data.map(({ slug }: { slug: string }) => slug)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        await post('/_admin/reset')
        for (const name of Object.keys(await changesOf(emulator.url))) {
          await call(`/_admin/snapshots/${name}`, { method: 'DELETE' })
        }
        const start = await present()
        const kept = new Map<string, string[]>()
        let now = start
        for (const { kind, name } of steps) {
          if (kind === 'add') {
            const { status } = await post('/_admin/organizations', { slug: name, name })
            if (status === 201) now = [...now, name]
          } else if (kind === 'drop') {
            const { status } = await call(`/_admin/organizations/${name}`, { method: 'DELETE' })
            if (status === 200) now = now.filter((slug) => slug !== name)
          } else if (kind === 'snapshot') {
            kept.delete(name)
            kept.set(name, now)
            await snapshot(emulator.url, name)
          } else if (kind === 'restore') {
            const { status } = await restore(emulator.url, name)
            expect(status).toBe(kept.has(name) ? 200 : 404)
            now = kept.get(name) ?? now
          } else if (kind === 'forget') {
            await call(`/_admin/snapshots/${name}`, { method: 'DELETE' })
            kept.delete(name)
          } else {
            await post('/_admin/reset')
            now = start
          }
          expect((await present()).toSorted()).toEqual(now.toSorted())
        }
        const changes = await changesOf(emulator.url)
        expect(Object.keys(changes).toSorted()).toEqual([...kept.keys()].toSorted())
        for (const [name, then] of kept) {
          const differing = new Set([...then, ...now].filter((slug) => then.includes(slug) !== now.includes(slug)))
          // One that was removed and made again has another number and is another record.
          expect(changes[name]).toBeGreaterThanOrEqual(differing.size)
          if (differing.size === 0 && then === now) expect(changes[name]).toBe(0)
        }
      }),
      propertyRuns(20),
    )
  })
})
