import { text } from 'node:stream/consumers'
import { audit } from 'mockademy'
import { describe, expect } from 'vitest'
import { openStream } from '../console/event-source.js'
import { changeManifest } from '../harness/change-manifest.js'
import { test as base } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'

const RUN = 'audit-1'

/** An organization that a run has made beside those of the world, in which the app of the world is installed. */
const test = base.extend<{ tokenOfRun: string }>({
  tokenOfRun: async ({ call, emulator }, use) => {
    const fixtures = {
      users: [{ id: 'rita', email: 'rita@run.test', run: RUN }],
      organizations: [{ slug: 'tried', run: RUN, members: [{ user: 'rita', role: 'owner' }] }],
    }
    expect((await call('/_admin/fixtures', { body: fixtures })).status).toBe(201)
    await changeManifest(emulator.admin, { webhook: { url: `${emulator.url}/_inbox/notes` } })
    const { body } = await call('/_admin/installations', { body: { app: 'notes', organization: 'tried' } })
    await call('/_admin/requests', { method: 'DELETE' })
    await use(body.credentials.access_token)
  },
})

interface Item {
  run?: string
  organization: string | null
}
const organizationsOf = (items: Item[]) => items.map(({ organization, run }) => [organization, run])

describe('dev "Why": the traffic of a run is left out unless it is asked for', () => {
  test('requests and their count', async ({ call, tokenOfRun }) => {
    await call('/v0/elements', { as: 'at_acme' })
    await call('/v0/elements', { as: tokenOfRun })
    await call('/v0/elements', { as: tokenOfRun })
    const listed = async (query: string) => organizationsOf((await call(`/_admin/requests${query}`)).body.data)
    expect(await listed('')).toEqual([['acme', undefined]])
    expect(await listed('?run=audit-1')).toEqual([
      ['tried', RUN],
      ['tried', RUN],
    ])
    expect(await listed('?run=any')).toEqual([
      ['acme', undefined],
      ['tried', RUN],
      ['tried', RUN],
    ])
    const counts = await Promise.all(
      ['', '?run=any'].map(async (query) => (await call(`/_admin/requests/count${query}`)).body.count),
    )
    expect(counts).toEqual([1, 3])
  })

  test('deliveries', async ({ call, tokenOfRun: _ }) => {
    const listed = async (query = '') => organizationsOf((await call(`/_admin/deliveries${query}`)).body.data)
    expect(await listed()).toEqual([])
    expect(await listed('?run=audit-1')).toEqual([['tried', RUN]])
  })

  test('findings, which a run has for each organization, beside those of others', async ({ call, tokenOfRun }) => {
    const mint = async (organization: string) =>
      (await call('/_admin/tokens', { body: { app: 'notes', organization } })).body.refresh_token
    await call('/v0/elements', { as: await mint('tried') })
    expect((await call('/_admin/findings')).body.data).toEqual([])
    await call('/v0/elements', { as: await mint('acme') })
    const [mine] = (await call('/_admin/findings')).body.data
    expect(mine).toMatchObject({ rule: 'wrong_kind_of_token', organization: 'acme', count: 1 })
    expect(mine.run).toBeUndefined()
    const ofRun = (await call('/_admin/findings?run=audit-1')).body.data
    expect(ofRun).toMatchObject([{ rule: 'wrong_kind_of_token', organization: 'tried', count: 1, run: RUN }])
    expect((await call('/_admin/findings?run=any')).body.data).toHaveLength(2)
    expect(tokenOfRun).toBeTruthy()
  })

  test('a finding about a token of a run, also where the request names nobody', async ({ call, tokenOfRun }) => {
    await call(`/nowhere?x=${tokenOfRun}`)
    expect((await call('/_admin/findings')).body.data).toEqual([])
    const ofRun = (await call('/_admin/findings?run=audit-1')).body.data
    expect(ofRun).toMatchObject([{ rule: 'token_in_url', app: 'notes', organization: 'tried', run: RUN }])
  })

  test('the stream', async ({ call, emulator, tokenOfRun }) => {
    const streams = await Promise.all(
      ['', '?run=audit-1', '?run=any'].map((query) => openStream(`${emulator.url}/_admin/stream${query}`)),
    )
    await call('/v0/elements', { as: tokenOfRun })
    await call('/v0/elements', { as: 'at_acme' })
    await call('/_admin/clock/advance', { body: { by: '1s' } })
    const seen = await Promise.all(
      streams.map(async (stream) => {
        await stream.until((events) => events.some(({ type }) => type === 'clock'), 'the clock')
        const requests = stream.ofType('request').map(({ data }) => data.organization)
        await stream.close()
        return requests
      }),
    )
    expect(seen).toEqual([['acme'], ['tried'], ['tried', 'acme']])
  })

  test('pages that its browsers request are its own, whoever they name', async ({ call }) => {
    await call('/oauth/authorize?client_id=app_notes', { headers: { 'Mockademy-Run': 'audit-2' } })
    expect((await call('/_admin/requests')).body.data).toEqual([])
    expect((await call('/_admin/requests?run=audit-2')).body.data).toMatchObject([{ surface: 'oauth', run: 'audit-2' }])
  })

  test('discovery and keys, which name nobody, are of the run that is open', async ({ call, emulator }) => {
    const ofRun = await openStream(`${emulator.url}/_admin/stream`, { 'mockademy-run': 'audit-3' })
    for (let request = 0; request < 6; request++) await call('/.well-known/jwks.json')
    await call('/v0/openapi.json')
    expect((await call('/_admin/requests')).body.data).toMatchObject([{ path: '/v0/openapi.json' }])
    expect((await call('/_admin/requests?run=audit-3')).body.data).toHaveLength(6)
    expect((await call('/_admin/findings')).body.data).toEqual([])
    const ofAnother = await openStream(`${emulator.url}/_admin/stream`, { 'mockademy-run': 'audit-4' })
    await call('/.well-known/jwks.json')
    // It may be for either.
    expect((await call('/_admin/requests')).body.data).toMatchObject([
      { path: '/v0/openapi.json' },
      { path: '/.well-known/jwks.json' },
    ])
    for (const stream of [ofRun, ofAnother]) await stream.close()
  })

  test('a run that left nothing is not found, and "any" is no run', async ({ call, tokenOfRun: _ }) => {
    for (const path of ['requests', 'requests/count', 'deliveries', 'findings']) {
      const { status, body } = await call(`/_admin/${path}?run=audit-9`)
      expect([status, body.detail], path).toEqual([404, 'There is no run "audit-9"; there are: audit-1'])
    }
    const named = await call('/_admin/fixtures', { body: { organizations: [{ slug: 'x', run: 'any' }] } })
    expect([named.status, named.body.errors[0].path]).toEqual([400, 'organizations.0.run'])
  })

  test('an exported world keeps which organizations and users are a run', async ({ call, tokenOfRun }) => {
    const { body } = await call('/_admin/state')
    await call('/_admin/state', { method: 'PUT', body })
    await call('/v0/elements', { as: tokenOfRun })
    expect((await call('/_admin/requests?run=audit-1')).body.data).toHaveLength(1)
    expect((await call('/_admin/users')).body.data.at(-1)).toMatchObject({ id: 'rita', run: RUN })
    expect((await call('/_admin/organizations/tried')).body).toMatchObject({ run: RUN })
  })
})

describe('a run pushes nothing else out of the journal', () => {
  test.override({ settings: { journalSize: 2 } })

  test('its entries have room of their own, ten times as much, for the links of its report', async ({
    call,
    tokenOfRun,
  }) => {
    await call('/v0/elements', { as: 'at_acme' })
    for (let round = 0; round < 110; round++) await call('/v0/elements', { as: tokenOfRun })
    await call('/v0/elements', { as: 'at_acme' })
    const { data } = (await call('/_admin/requests?run=any')).body
    const own = ['acme', undefined]
    expect(organizationsOf(data)).toEqual([own, ...Array(20).fill(['tried', RUN]), own])
  })
})

describe('an audit', () => {
  test.override({ settings: { seed: undefined, now: undefined } as never })

  test('leaves nothing in the lists, and all of it under its run', async ({ call, emulator }) => {
    const tokens = new Map<string, string>()
    const { url } = await serve(async (incoming, response) => {
      if (incoming.method === 'POST') {
        const { type, data } = JSON.parse(await text(incoming))
        if (type === 'app.installed') tokens.set(data.organization.id, data.credentials.access_token)
        response.end()
        return
      }
      const token = tokens.get(String(incoming.url).slice(1)) ?? ''
      const { status } = await fetch(`${emulator.url}/v0/elements`, { headers: { authorization: `Bearer ${token}` } })
      response.writeHead(status).end()
    })
    await changeManifest(emulator.admin, { webhook: { url } })
    await audit({
      url: emulator.url,
      file: { app: 'notes', probe: { url: `${url}/{organization}` } },
      only: ['api.tenants', 'webhook.accepts'],
    })
    expect((await call('/_admin/requests')).body.data).toEqual([])
    expect((await call('/_admin/findings')).body.data).toEqual([])
    const { data } = (await call('/_admin/requests?run=any')).body
    expect(new Set(data.map(({ surface }: { surface: string }) => surface))).toEqual(new Set(['webhook', 'api']))
    expect(new Set(data.map(({ run }: Item) => run)).size).toBe(1)
  })
})
