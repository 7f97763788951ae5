import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/webhook-test.js'

interface Fixtures {
  /** Everything in the world, by the number of records. */
  counts: () => Promise<Record<string, number>>
}

const test = base.extend<Fixtures>({
  counts: async ({ emulator }, use) => {
    await use(async () => {
      const { users = [], sessions = [], faults = [], silent_auth = [], ...rest } = await emulator.admin.getState()
      const { counts } = await emulator.admin.world()
      const { organizations = [], tokens = [], deliveries = [], installations = [] } = rest
      const lists = { users, sessions, faults, silent_auth, organizations, tokens, deliveries, installations }
      return { ...counts, ...Object.fromEntries(Object.entries(lists).map(([name, { length }]) => [name, length])) }
    })
  },
})

/** A document of an organization of which someone is a member, with an activity of theirs. */
const globexWith = (user: string) => {
  const elements = [{ type: 'SUBMISSION', name: 'E', activities: [{ id: 'act9', member: user }] }]
  const courses = [{ name: 'C', modules: [{ name: 'M', elements }] }]
  return { organizations: [{ slug: 'globex', api_key: 'key_globex', members: [{ user }], courses }] }
}

describe('control-api "Sandboxes"', () => {
  test('an organization with an owner and a learner, the only app installed', async ({ call, app }) => {
    const { status, body } = await call('/_admin/sandboxes', { method: 'POST' })
    expect(status).toBe(201)
    const slug = `sandbox-${body.id}`
    expect(body).toMatchObject({
      organization: { slug, name: slug },
      api_key: expect.stringMatching(/^key_/),
      people: {
        owner: { email: `owner@${slug}.test`.toLowerCase(), cookie: { value: expect.stringMatching(/^ses_/) } },
        learner: { email: `learner@${slug}.test`.toLowerCase() },
      },
      installation: { app: 'notes', organization: slug, installer: body.people.owner.id, state: 'installed' },
      credentials: { access_token: expect.stringMatching(/^at_/) },
      delivery: { state: 'acknowledged', organization: slug },
    })
    expect(app.received('app.installed')[0]?.body.data.organization).toEqual({ id: slug, name: slug })
    const members = (await call('/v0/members', { as: body.api_key })).body.payload.data
    expect(members.map((member: { full_name: string }) => member.full_name).toSorted()).toEqual([
      'Learner Sandbox',
      'Owner Sandbox',
    ])
    const { cookie } = body.people.owner
    const page = await call('/settings/integrations', { headers: { cookie: `${cookie.name}=${cookie.value}` } })
    expect(page.text).toContain(slug)

    const shown = (await call(`/_admin/sandboxes/${body.id}`)).body
    expect((await call('/_admin/sandboxes')).body.data).toEqual([shown])
    expect(shown).toEqual({
      id: body.id,
      organization: body.organization,
      people: { owner: { id: body.people.owner.id, email: body.people.owner.email }, learner: expect.anything() },
      expires_at: expect.any(String),
    })
    expect(Date.parse(shown.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000)
  })

  test('its people have valid addresses whatever ids look like', async ({ call }) => {
    for (const seed of Array.from({ length: 30 }, (_, index) => String(index))) {
      await call('/_admin/liberties', { method: 'PUT', body: { seed, kinds: ['ids'] } })
      const { status, body } = await call('/_admin/sandboxes', { method: 'POST' })
      expect({ seed, status, body }).toMatchObject({ seed, status: 201 })
      expect(body.people.owner.email).toMatch(/^owner@sandbox-[a-z0-9]+\.test$/)
    }
  })

  test('the people that are asked for, without an app', async ({ call }) => {
    const people = { admin: { email: 'Ann@Sand.test', first_name: 'Ann' }, lecturer: {} }
    const { body } = await call('/_admin/sandboxes', { body: { people, install: false, name: 'Sand' } })
    expect(body).toMatchObject({
      organization: { name: 'Sand' },
      installation: null,
      credentials: null,
      delivery: null,
    })
    expect(Object.keys(body.people).sort()).toEqual(['admin', 'lecturer'])
    expect((await call('/_admin/users')).body.data.at(-2)).toMatchObject({
      email: 'Ann@Sand.test',
      full_name: 'Ann Sandbox',
      email_verified: true,
      organizations: [{ slug: body.organization.slug, role: 'admin' }],
    })
  })

  test.for([
    [{ people: { learner: {} } }, 400, 'people'],
    [{ people: { owner: { email: 'no' } } }, 400, 'people.owner.email'],
    [{ people: { owner: { email: 'ada@acme.test' } } }, 409, 'people.owner.email'],
    [{ ttl: 0 }, 400, 'ttl'],
    [{ roles: {} }, 400, 'roles'],
    [{ from: 'nowhere' }, 404, undefined],
    [{ app: 'other' }, 404, undefined],
    [{ app: 'other', install: false }, 404, undefined],
  ] as const)('refuses %j, and changes nothing', async ([body, status, path], { call, counts }) => {
    const before = await counts()
    const refused = await call('/_admin/sandboxes', { body })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([status, path])
    expect(await counts()).toEqual(before)
  })

  test('says whose email a person of it cannot have', async ({ call }) => {
    const { body } = await call('/_admin/sandboxes', { body: { people: { owner: { email: 'Ada@acme.test' } } } })
    expect(body.errors).toEqual([{ path: 'people.owner.email', message: 'is the email of another user' }])
  })

  test('its owner installs the app, or else its admin', async ({ call }) => {
    for (const [people, role] of [
      [{ admin: {}, owner: {} }, 'owner'],
      [{ admin: {}, learner: {} }, 'admin'],
    ] as const) {
      const { body } = await call('/_admin/sandboxes', { body: { people } })
      expect(body.installation.installer).toBe(body.people[role].id)
    }
  })

  test('of several apps one must be named; of none, the way out is', async ({ call, emulator }) => {
    await emulator.admin.createApp({ manifest: { id: 'other', name: 'Other', version: '1.0.0', permissions: [] } })
    const { status, body } = await call('/_admin/sandboxes', { method: 'POST' })
    expect([status, body.errors]).toMatchObject([
      400,
      [{ path: 'app', message: expect.stringContaining('notes, other') }],
    ])
    expect((await call('/_admin/sandboxes', { body: { app: 'other' } })).status).toBe(201)
    for (const app of ['notes', 'other']) await call(`/_admin/apps/${app}`, { method: 'DELETE' })
    const { errors } = (await call('/_admin/sandboxes', { method: 'POST' })).body
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/: none; with "install": false no app is required$/) },
    ])
    expect((await call('/_admin/sandboxes', { body: { install: false } })).status).toBe(201)
  })

  test('from copies people, courses and activities, which have ids of their own', async ({ call }) => {
    const inputs = [{ element: 'essay', weight: 1, scored_via: 'review' }]
    const score = { module: 'module1', type: 'SCORE', name: 'Score', properties: { inputs } }
    expect((await call('/v0/elements', { as: 'key_acme', body: score })).status).toBe(200)
    const { body } = await call('/_admin/sandboxes', { body: { from: 'acme', people: {} } })
    const list = async (path: string, key: string) => (await call(path, { as: key })).body.payload.data
    for (const path of ['courses', 'modules', 'elements', 'activities', 'members']) {
      const [copies, originals] = [await list(`/v0/${path}`, body.api_key), await list(`/v0/${path}`, 'key_acme')]
      expect(copies).toHaveLength(originals.length)
      expect(copies.map((each: { name?: string }) => each.name)).toEqual(
        originals.map((each: { name?: string }) => each.name),
      )
      const ids = new Set(originals.map(({ id }: { id: string }) => id))
      expect(copies.filter(({ id }: { id: string }) => ids.has(id))).toEqual([])
    }
    const elements = await list('/v0/elements', body.api_key)
    const [essay, review, copied] = ['Essay', 'Review', 'Score'].map((name) =>
      elements.find((each: { name: string }) => each.name === name),
    )
    expect(review.properties.source).toEqual({ type: 'SUBMISSION', id: essay.id, name: 'Essay' })
    expect(copied.properties.inputs).toMatchObject([{ element: essay.id, scored_via: review.id }])
    const [group] = await list('/v0/activities', body.api_key)
    expect(group.members.map(({ email }: { email: string }) => email)).toEqual([
      `ada+${body.organization.slug}@acme.test`,
      `bob+${body.organization.slug}@acme.test`,
    ])
    await call(`/_admin/sandboxes/${body.id}`, { method: 'DELETE' })
    expect((await call('/_admin/users')).body.data).toHaveLength(3)
  })

  test('a copy of a copy has short emails, which no other user has', async ({ call, emulator: { admin } }) => {
    const long = `${'l'.repeat(230)}@acme.test`
    for (const email of [long, 'ada+sandbox-old@acme.test']) {
      const { id } = await admin.createUser({ email })
      await admin.putMember('acme', id, 'learner')
    }
    let from = 'acme'
    for (let depth = 0; depth < 2; depth++) {
      from = (await admin.createSandbox({ from, people: {} })).organization.slug
      const { members } = await admin.getOrganization(from)
      const emails = members.map(({ email }) => email)
      expect(emails).toEqual([
        `ada+${from}@acme.test`,
        `bob+${from}@acme.test`,
        expect.stringMatching(/^\w+@sandbox\.test$|^\w+\+sandbox-\w+@sandbox\.test$/),
        expect.stringMatching(/^\w+@sandbox\.test$|^\w+\+sandbox-\w+@sandbox\.test$/),
      ])
      expect(new Set(emails).size).toBe(4)
    }
    const { body } = await call('/_admin/state')
    expect((await call('/_admin/state', { method: 'PUT', body })).status).toBe(200)
  })

  test('its end deletes all that was made in it, in one change', async ({ call, emulator, counts, app, push }) => {
    await push({ webhook: { url: `${emulator.url}/_inbox/notes` } })
    const other = (await call('/_admin/sandboxes', { method: 'POST' })).body.organization
    const before = await counts()
    const clocks = (await call('/_admin/clock')).body
    const sandbox = await emulator.admin.sandbox({ app: 'notes' })
    const { slug } = sandbox.organization
    const inbox = () => emulator.admin.readInbox('notes')
    expect((await inbox()).map(({ organization }) => organization)).toContain(slug)
    await sandbox.fault({ effect: 'unavailable' })
    await emulator.admin.setSilentAuth({ outcome: 'login_required', organization: slug })
    await sandbox.clock.advance('1h')
    await sandbox.sessionFor('learner')
    await sandbox.end()
    expect(app.received()).toEqual([])
    expect(await counts()).toEqual(before)
    expect((await call('/_admin/clock')).body).toEqual(clocks)
    expect((await inbox()).map(({ organization }) => organization)).toEqual([other.slug])
    expect((await call(`/_admin/sandboxes/${sandbox.id}`)).status).toBe(404)
    expect((await call('/v0/courses', { as: sandbox.api_key })).status).toBe(401)
    expect((await sandbox.requests()).length).toBeGreaterThan(0)
  })

  test('its end empties the inboxes of what it has received, also after a scenario', async ({ emulator, push }) => {
    const { admin, url } = emulator
    await push({ webhook: { url: `${url}/_inbox/notes` } })
    const sandbox = await admin.sandbox({ app: 'notes' })
    await admin.runScenario({ steps: [{ reset: {} } as object] })
    expect(await admin.readInbox('notes')).toMatchObject([{ organization: sandbox.organization.slug }])
    await sandbox.end()
    expect(await admin.readInbox('notes')).toEqual([])
  })

  test('its end leaves people who are members elsewhere', async ({ call, counts, emulator: { admin } }) => {
    const { id, people } = await admin.createSandbox({ install: false })
    const learner = people.learner?.id as string
    expect((await call('/_admin/fixtures', { body: globexWith(learner) })).status).toBe(201)
    const { users = 0 } = await counts()

    await admin.deleteSandbox(id)
    expect(await counts()).toMatchObject({ users: users - 1 })
    const { payload } = (await call('/v0/activities/act9', { as: 'key_globex' })).body
    expect(payload.member.id).toBe(learner)
    expect((await call('/v0/members', { as: 'key_globex' })).body.payload.data).toHaveLength(1)
  })

  test('its end takes people who have left other organizations, where activities show a deleted user', async ({
    call,
    emulator: { admin },
  }) => {
    const { id, people } = await admin.createSandbox({ install: false })
    const learner = people.learner?.id as string
    expect((await call('/_admin/fixtures', { body: globexWith(learner) })).status).toBe(201)
    await call(`/_admin/organizations/globex/members/${learner}`, { method: 'DELETE' })
    await admin.deleteSandbox(id)
    const { status, body } = await call('/v0/activities', { as: 'key_globex' })
    expect([status, body.payload.data[0].member]).toMatchObject([200, { id: learner, full_name: 'Deleted User' }])
    const state = (await call('/_admin/state')).body
    expect(state.users.at(-1)).toMatchObject({ id: learner, email: `${learner}@deleted.test`, email_verified: false })
    expect((await call('/_admin/state', { method: 'PUT', body: state })).status).toBe(200)
  })

  test('its end aborts webhooks that are under way, and those of other organizations go on', async ({
    emulator: { admin },
    app,
  }) => {
    const [one, two] = [await admin.sandbox({ app: 'notes' }), await admin.sandbox({ app: 'notes' })]
    const responses = new Map<string | undefined, ServerResponse>()
    app.handles(({ type }, response) => void responses.set(type, response))
    const send = (sandbox: typeof one, type: string) =>
      admin.sendEvent({ type, installation: sandbox.installation?.id ?? '', data: {} })
    const sent = [send(one, 'first'), send(one, 'second'), send(two, 'other')]
    await Promise.all(['first', 'second', 'other'].map((type) => app.arrival(type)))
    const closed = ['first', 'second'].map((type) => once(responses.get(type) as ServerResponse, 'close'))
    await one.end()
    await Promise.all(closed)
    const [, open] = await two.deliveries()
    expect(await admin.deliveriesSettled({ timeout: 0 })).toEqual({ settled: false, waiting: [open?.id] })
    responses.get('other')?.writeHead(200).end()
    await Promise.all(sent)
    expect((await two.deliveries()).map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged'])
  })

  test('it goes with its organization', async ({ emulator: { admin } }) => {
    const { id, organization, people } = await admin.createSandbox({ install: false })
    await admin.deleteOrganization(organization.slug)
    expect(await admin.listSandboxes()).toEqual([])
    expect((await admin.listUsers()).map((user) => user.id)).not.toContain(people.owner?.id)
    await expect(admin.getSandbox(id)).rejects.toThrow('There is no sandbox')
  })

  test('it ends by itself when its time to live is over', async ({ emulator: { admin } }) => {
    await admin.createSandbox({ install: false, ttl: '1ms' })
    await expect.poll(() => admin.listSandboxes()).toEqual([])
  })

  test('it ends by its time to live, after a restart too', async ({ world, store }) => {
    const options = { fixtures: world, store }
    const first = await startEmulator(options)
    const { id } = await first.admin.createSandbox({ install: false, ttl: '2s' })
    await first.admin.createSandbox({ install: false })
    expect(await first.admin.listSandboxes()).toHaveLength(2)
    await first.close()
    const second = await startEmulator(options)
    const until = Date.now() + 20_000
    let left = await second.admin.listSandboxes()
    for await (const { type } of second.admin.stream({ since: 0, signal: AbortSignal.timeout(20_000) })) {
      if (type === 'change') left = await second.admin.listSandboxes()
      if (left.length === 1 || Date.now() > until) break
    }
    expect(left.map((each) => each.id)).not.toContain(id)
    expect(left).toHaveLength(1)
    await second.close()
  })
})

describe('control-api "Typed client": a sandbox', () => {
  test('has faults, requests, deliveries, findings, tokens and a clock of its own', async ({ emulator, call, app }) => {
    const { admin } = emulator
    const [one, two] = [await admin.sandbox(), await admin.sandbox()]
    const read = async ({ credentials }: typeof one) =>
      (await call('/v0/elements', { as: credentials?.access_token ?? '', injected: true })).status
    await one.fault({ effect: 'unavailable', times: 1 })
    expect([await read(two), await read(one), await read(one)]).toEqual([200, 503, 200])
    for (const all of [{ all: true }, { token: two.credentials?.access_token }]) {
      await expect(one.expireTokens(all as object)).rejects.toMatchObject({
        code: 'ERR_INVALID_OPTIONS',
        message: `Invalid options: ${Object.keys(all)} is not a filter of a sandbox: without filters, all of its access tokens expire; for one token, call admin.expireTokens({ token })`,
      })
    }
    expect(await one.expireTokens()).toEqual({ affected: 1, access: 1, refresh: 0 })
    expect([await read(one), await read(two)]).toEqual([401, 200])
    expect((await two.clock.advance('61m')).organization).toBe(two.organization.slug)
    expect(await read(two)).toBe(401)
    const times = [await one.clock.now(), (await admin.clock()).now, await two.clock.now()]
    expect(times).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T01:01:00.000Z'])

    const statuses = async ({ requests }: typeof one) =>
      (await requests({ surface: 'api' })).map(({ status }) => status)
    expect(await statuses(one)).toEqual([503, 200, 401])
    expect(await statuses(two)).toEqual([200, 200, 401])
    expect((await one.deliveries()).map(({ organization }) => organization)).toEqual([one.organization.slug])

    app.handles(() => {})
    const event = { type: 'note.made', installation: two.installation?.id ?? '', data: {} }
    void admin.sendEvent(event).catch(() => undefined)
    await app.arrival('note.made')
    expect(await one.settled({ timeout: 0 })).toEqual({ settled: true })
    expect(await two.settled({ timeout: 0 })).toMatchObject({ settled: false })
    await expect(one.sessionFor('lecturer')).rejects.toMatchObject({
      code: 'ERR_INVALID_OPTIONS',
      message: 'Invalid options: role must be owner or learner: the sandbox has no lecturer',
    })

    await one.end()
    await expect(one.clock.now()).rejects.toThrow(`There is no organization "${one.organization.slug}"`)
  })

  test('lists the findings of its organization, counted for itself', async ({ emulator, call }) => {
    const [one, two] = [await emulator.admin.sandbox(), await emulator.admin.sandbox()]
    const misuse = ({ credentials }: typeof one) => call('/v0/elements', { as: credentials?.refresh_token ?? '' })
    await misuse(one)
    await misuse(one)
    await misuse(two)
    const rule = 'wrong_kind_of_token'
    expect(await one.findings({ rule })).toMatchObject([{ organization: one.organization.slug, count: 2 }])
    expect(await two.findings({ rule })).toMatchObject([{ organization: two.organization.slug, count: 1 }])
    expect(await emulator.admin.listFindings({ rule })).toMatchObject([{ organization: null, count: 3 }])
  })
})
