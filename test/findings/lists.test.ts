import { describe, expect } from 'vitest'
import { test as base } from '../harness/emulator-test.js'
import { expectOne, withFindings } from './findings-test.js'

const test = withFindings(base)
const ELEMENTS = '/v0/elements'

describe('unread_pages', () => {
  test.override({ settings: { pageSize: 2 } })

  test('is found when next was not followed three times', async ({ call, found, newest }) => {
    for (let request = 0; request < 2; request++) await call(ELEMENTS, { as: 'at_acme' })
    expect(await found('unread_pages')).toEqual([])
    await call(ELEMENTS, { as: 'at_acme' })
    const entries = [await newest()]
    const says = /\/v0\/elements was read 3 times without following next/
    expectOne(await found('unread_pages'), {
      level: 'hint',
      section: 'spec: §4.2',
      app: 'notes',
      organization: 'acme',
      count: 1,
      entries,
      says,
    })
  })

  test('is found where a fault only delayed the responses', async ({ call, found, inject }) => {
    await inject({ surface: 'api' }, { delay: 1 }, { times: 3 })
    for (let request = 0; request < 3; request++) await call(ELEMENTS, { as: 'at_acme', injected: true })
    expect(await found('unread_pages')).toHaveLength(1)
  })

  test('is found when the pages are longer than the journal keeps, also under liberties', async ({ call, found }) => {
    await call(`${ELEMENTS}/page`, { as: 'key_acme', method: 'PUT', body: { content: 'word '.repeat(20_000) } })
    await call('/_admin/liberties', { method: 'PUT', body: { seed: '1', kinds: 'cursors,key-order' } })
    for (let request = 0; request < 3; request++) {
      const { text, body } = await call(ELEMENTS, { as: 'at_acme' })
      expect([text.length > 100_000, typeof body.payload.next]).toEqual([true, 'string'])
    }
    expect(await found('unread_pages')).toMatchObject([{ count: 1 }])
  })

  test('is not found for lists of different filters', async ({ call, found }) => {
    for (const type of ['CONTENT', 'SUBMISSION', 'VIDEO']) {
      await call(`${ELEMENTS}?module=module&type=${type}`, { as: 'at_acme' })
    }
    expect(await found('unread_pages')).toEqual([])
  })

  test('is taken back when next is followed after the third read', async ({ call, found }) => {
    for (let request = 0; request < 2; request++) await call(ELEMENTS, { as: 'at_acme' })
    const { payload } = (await call(ELEMENTS, { as: 'at_acme' })).body
    expect(await found('unread_pages')).toMatchObject([{ count: 1 }])
    await call(`${ELEMENTS}?page=${payload.next}`, { as: 'at_acme' })
    expect(await found('unread_pages')).toEqual([])
  })

  test('is not found for workers that read side by side, nor again once it is deleted', async ({ call, found }) => {
    const read = async (page: string) => (await call(`${ELEMENTS}${page}`, { as: 'at_acme' })).body.payload.next
    const nexts = await Promise.all(['', '', '', ''].map(read))
    for (const next of nexts) await read(`?page=${next}`)
    expect(await found('unread_pages')).toEqual([])
    for (let request = 0; request < 3; request++) await read('')
    expect(await found('unread_pages')).toHaveLength(1)
    await call('/_admin/findings', { method: 'DELETE' })
    expect(await found('unread_pages')).toEqual([])
  })

  test('is not found when next is followed, also when a page has to be asked for twice', async ({
    call,
    found,
    inject,
  }) => {
    for (let round = 0; round < 5; round++) {
      const { payload } = (await call(ELEMENTS, { as: 'at_acme' })).body
      await inject({ surface: 'api' }, { status: 503 })
      const page = `${ELEMENTS}?page=${payload.next}`
      expect((await call(page, { as: 'at_acme' })).status).toBe(503)
      expect((await call(page, { as: 'at_acme' })).body.payload.next).toBeNull()
    }
    expect(await found()).toEqual([])
  })
})

describe('polling', () => {
  test('is found at the tenth same answer at even gaps', async ({ call, found, newest, later }) => {
    for (let poll = 0; poll < 9; poll++) {
      await call(ELEMENTS, { as: 'key_acme' })
      await later(poll % 2 ? '60s' : '80s')
    }
    expect(await found()).toEqual([])
    await call(ELEMENTS, { as: 'key_acme' })
    const entries = [await newest()]
    const says = /GET \/v0\/elements returned the same response 10 times, about every 60 s/
    expectOne(await found(), {
      rule: 'polling',
      level: 'hint',
      section: 'spec: §6',
      app: null,
      organization: 'acme',
      count: 1,
      entries,
      says,
    })
  })

  test('goes by the clock of the organization', async ({ call, found }) => {
    for (let poll = 0; poll < 10; poll++) {
      await call(ELEMENTS, { as: 'key_acme' })
      await call('/_admin/clock/advance', { body: { by: '60s', organization: 'acme' } })
    }
    expect(await found()).toMatchObject([{ rule: 'polling', organization: 'acme' }])
  })

  test('is found in whatever order the members are', async ({ call, found, later }) => {
    await call('/_admin/liberties', { method: 'PUT', body: { seed: '3', kinds: 'key-order' } })
    const answers = new Set<string>()
    for (let poll = 0; poll < 10; poll++) {
      answers.add((await call(`${ELEMENTS}/page`, { as: 'key_acme' })).text)
      await later('60s')
    }
    expect(answers.size).toBeGreaterThan(1)
    expect(await found()).toMatchObject([{ rule: 'polling' }])
  })

  test('is not found for a request that fails', async ({ call, found, later }) => {
    for (let poll = 0; poll < 12; poll++) {
      expect((await call(`${ELEMENTS}/gone`, { as: 'key_acme' })).status).toBe(404)
      await later('60s')
    }
    expect(await found()).toEqual([])
  })

  test('is not found for a burst, for uneven gaps or for answers that change', async ({ call, found, later }) => {
    for (let request = 0; request < 12; request++) await call(ELEMENTS, { as: 'key_acme' })
    for (let request = 0; request < 12; request++) {
      await call('/v0/modules', { as: 'key_acme' })
      await later(request % 2 ? '60s' : '100s')
    }
    for (let request = 0; request < 12; request++) {
      const body = { name: `Reading ${request}` }
      await call(`${ELEMENTS}/page`, { as: 'key_acme', method: 'PUT', body })
      await call(`${ELEMENTS}/page`, { as: 'key_acme' })
      await later('60s')
    }
    expect(await found()).toEqual([])
  })
})

describe('unused_scope', () => {
  test.override({
    world: {
      organizations: [{ slug: 'acme', members: [{ user: 'ada', role: 'owner' }] }],
      users: [{ id: 'ada', email: 'ada@acme.test' }],
      apps: [
        {
          client_id: 'app_notes',
          client_secret: 'notes_secret',
          manifest: {
            id: 'notes',
            name: 'Notes',
            version: '1.0.0',
            permissions: ['elements:read', 'courses:read', 'members:read'],
            oauth: { install: true },
            webhook: { url: 'http://localhost:3000/webhook' },
          },
        },
      ],
      installations: [
        { app: 'notes', organization: 'acme', credentials: { access_token: 'at_acme', refresh_token: 'rt_acme' } },
      ],
    },
  })

  test('names what was granted and not needed, once however often one asks', async ({ call, found, newest }) => {
    expect(await found()).toEqual([])
    await call(ELEMENTS, { as: 'at_acme' })
    const entries = [await newest()]
    await found()
    const says = /The app never used what acme granted: courses:read, members:read\./
    expectOne(await found(), {
      rule: 'unused_scope',
      level: 'hint',
      section: 'spec: §5.3',
      app: 'notes',
      count: 1,
      entries,
      says,
    })
    await call('/_admin/findings', { method: 'DELETE' })
    expect(await found()).toEqual([])
  })

  test('is not found for scopes whose requests failed, by a fault or not', async ({ call, found, inject }) => {
    await call(`${ELEMENTS}/gone`, { as: 'at_acme' })
    await inject({ surface: 'api' }, { status: 503 })
    await call('/v0/courses', { as: 'at_acme' })
    await inject({ surface: 'api' }, { status: 429 })
    await call('/v0/members', { as: 'at_acme' })
    expect(await found('unused_scope')).toEqual([])
  })
})
