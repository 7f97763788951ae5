import { describe, expect } from 'vitest'
import { changeManifest } from '../harness/change-manifest.js'
import { test as command } from '../harness/command-line.js'
import { test } from '../harness/emulator-test.js'

describe('coverage "Marks": entries carry the test and the step during which they ended', () => {
  test('from its begin to its end', async ({ call }) => {
    const read = () => call('/v0/elements', { as: 'key_acme' })
    const mark = async (body: object) => expect((await call('/_admin/marks', { body })).status).toBe(201)
    await read()
    await mark({ name: 'a course', kind: 'test' })
    await read()
    await mark({ name: 'opens it' })
    await read()
    await mark({ name: 'closes it' })
    await read()
    await mark({ name: 'closes it', state: 'passed' })
    await read()
    await mark({ name: 'a course', kind: 'test', state: 'failed' })
    await read()
    const marks = (await call('/_admin/requests')).body.data.map((entry: { mark?: string }) => entry.mark)
    const steps = ['a course', 'a course › opens it', 'a course › closes it', 'a course']
    expect(marks).toEqual([undefined, ...steps, undefined])
    const count = async (name: string) =>
      (await call(`/_admin/requests/count?mark=${encodeURIComponent(name)}`)).body.count
    expect(await Promise.all(['a course', 'opens it', 'a course › closes it'].map(count))).toEqual([4, 1, 1])
  })

  test('of an organization, beside those of all others', async ({ call, emulator }) => {
    const { mark } = emulator.admin
    const own = { kind: 'test', organization: 'acme' } as const
    await mark('all', { kind: 'test' })
    await mark('acme', own)
    await mark('in zenith', { organization: 'zenith' })
    for (const as of ['key_acme', 'key_zenith']) await call('/v0/courses', { as })
    await call('/v0/courses')
    await mark('all', { kind: 'test', state: 'passed' })
    await call('/_admin/clock/advance', { body: { by: '1h', organization: 'acme' } })
    const at = '2026-01-01T01:00:00.000Z'
    expect(await mark('acme', { ...own, state: 'passed' })).toEqual({ name: 'acme', ...own, state: 'passed', at })
    await call('/v0/courses', { as: 'key_acme' })
    const { data } = (await call('/_admin/requests')).body
    expect(data.map((entry: { mark?: string }) => entry.mark)).toEqual(['acme', 'all › in zenith', 'all', undefined])
    const unknown = await call('/_admin/marks', { body: { name: 'x', organization: 'nowhere' } })
    expect([unknown.status, unknown.body.detail]).toEqual([404, expect.stringContaining('acme')])
  })

  test('a step of an organization ends with itself, and leaves the test of all', async ({ call, emulator }) => {
    const { mark } = emulator.admin
    const read = () => call('/v0/courses', { as: 'key_acme' })
    await mark('all', { kind: 'test' })
    await mark('opens it', { organization: 'acme' })
    await read()
    await mark('opens it', { organization: 'acme', state: 'passed' })
    await read()
    const { data } = (await call('/_admin/requests')).body
    expect(data.map((entry: { mark?: string }) => entry.mark)).toEqual(['all › opens it', 'all'])
  })

  test.for(['reset', 'deleteOrganization'] as const)(
    'of an organization are gone with it (%s), also where another one gets its slug',
    async (way, { call, emulator }) => {
      const { createOrganization, deleteOrganization, generateApiKey, mark, reset } = emulator.admin
      const create = () => createOrganization({ slug: 'new', name: 'New' })
      await create()
      await mark('crashes', { kind: 'test', organization: 'new' })
      await (way === 'reset' ? reset() : deleteOrganization('new'))
      await create()
      await call('/v0/courses', { as: (await generateApiKey('new')).api_key })
      const { data } = (await call('/_admin/requests')).body
      expect(data).toHaveLength(1)
      expect(data[0]).not.toHaveProperty('mark')
    },
  )

  test('says what was marked and when', async ({ emulator }) => {
    expect(await emulator.admin.mark('opens it')).toEqual({
      name: 'opens it',
      kind: 'step',
      state: 'begin',
      at: '2026-01-01T00:00:00.000Z',
    })
  })

  test('?mark= filters deliveries and findings too', async ({ call, emulator }) => {
    await changeManifest(emulator.admin, { webhook: { url: `${emulator.url}/_inbox/notes` } })
    await emulator.admin.mark('installs')
    await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } })
    await emulator.admin.mark('is careless')
    await call('/v0/elements', { as: 'rt_acme' })
    const counts = async (mark: string) => {
      const lists = ['deliveries', 'findings'].map((list) => call(`/_admin/${list}?mark=${encodeURIComponent(mark)}`))
      return (await Promise.all(lists)).map(({ body }) => body.data.length)
    }
    expect(await counts('installs')).toEqual([1, 0])
    expect(await counts('is careless')).toEqual([0, 1])
  })

  describe('with a seed', () => {
    test.override({ settings: { seed: 'same ids again' } })

    test('?mark= has the deliveries of its own time, not those after a restore', async ({ emulator }) => {
      const { admin } = emulator
      await changeManifest(admin, { webhook: { url: `${emulator.url}/_inbox/notes` } })
      const { installation } = await admin.install({ app: 'notes', organization: 'zenith' })
      await admin.snapshot('before')
      for (const mark of ['one', 'two']) {
        await admin.restoreSnapshot('before')
        await admin.mark(mark)
        await admin.sendEvent({ type: mark, installation: installation.id, data: {} })
      }
      const events = async (mark: string) => (await admin.listDeliveries({ mark })).map(({ event }) => event.type)
      expect([await events('one'), await events('two')]).toEqual([[], ['two']])
    })
  })

  test('a mark that was never set is not found', async ({ call, emulator }) => {
    await emulator.admin.mark('opens it')
    for (const list of ['requests', 'requests/count', 'deliveries', 'findings']) {
      const { status, body } = await call(`/_admin/${list}?mark=opens`)
      expect([status, body.detail], list).toEqual([404, 'There is no mark "opens"; there are: opens it'])
    }
    // One that is under way is known also once the journal is emptied.
    await call('/_admin/requests', { method: 'DELETE' })
    expect((await call('/_admin/requests?mark=opens+it')).body.data).toEqual([])
    expect((await call('/_admin/marks', { body: { name: '' } })).status).toBe(400)
  })
})

command('mockademy mark sets one, and mockademy requests prints marks as headings', async ({ run, start }) => {
  const { url } = await start(['start', '--port', '0', '--store', 'memory'])
  const env = { MOCKADEMY_URL: url }
  await fetch(`${url}/v0/modules`)
  expect((await run(['mark', 'opens it'], { env })).status).toBe(0)
  await fetch(`${url}/v0/courses`)
  await fetch(`${url}/v0/elements`)
  expect((await run(['mark', 'opens it', '--state', 'passed'], { env })).status).toBe(0)
  await fetch(`${url}/v0/courses`)
  const { stdout } = await run(['requests'], { env })
  const lines = stdout.split('\n').map((line) => /^──.*|\/v0\/\w+/.exec(line)?.[0])
  expect(lines.slice(1, -1)).toEqual(['/v0/modules', '── opens it', '/v0/courses', '/v0/elements', '──', '/v0/courses'])
})
