import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { compare } from '../../src/programs/real-platform/compare.js'
import { readReference } from '../../src/programs/real-platform/reference.js'
import { send } from '../harness/emulator-test.js'
import { schemaValidator } from '../harness/schema-validator.js'
import { test } from '../real-platform/platform-test.js'
import { seeds } from './seeds.js'

/** A world with everything that compare looks at, under a seed. */
const startFree = (seed: string) => startEmulator({ seed: 'free', now: '2026-01-01T00:00:00Z', liberties: seed })

describe('an emulator with every shape', () => {
  test.for(seeds)('differs from a plain one in decisions only, by seed %s', async (seed, { watch }) => {
    await using free = await startFree(seed)
    const { access_token } = (
      await send(`${free.url}/_admin/tokens`, {
        body: { app: 'notes', organization: 'globex', scope: 'courses:read' },
      })
    ).body
    const { differences } = await compare({
      base: free.url,
      issuer: free.url,
      apiKey: 'key_acme',
      token: access_token,
      requestsPerSecond: 0,
      watch,
      referenceFor: (names) => readReference(names, startEmulator),
    })
    expect(differences.length).toBeGreaterThan(5)
    expect(differences.filter(({ section }) => !section.startsWith('wire: '))).toEqual([])
  })
})

describe('a webhook under a seed', () => {
  test.for(seeds)('is as the OpenAPI document of the API says (%s)', async (seed) => {
    await using free = await startFree(seed)
    const { body: document } = await send(`${free.url}/v0/openapi.json`)
    const validator = schemaValidator().addSchema(document, 'api')
    const webhook = { url: `${free.url}/_inbox/box` }
    const manifest = {
      id: 'told',
      name: 'Told',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true as const },
      webhook,
    }
    await free.admin.createApp({ manifest })
    const { installation } = await free.admin.install({ app: 'told', organization: 'acme' })
    await free.admin.uninstall(installation.id)
    const [installed, uninstalled] = (await free.admin.readInbox('box')).map(({ body }) => body)
    for (const [name, event] of Object.entries({ AppInstalled: installed, AppUninstalled: uninstalled })) {
      validator.validate({ $ref: `api#/components/schemas/${name}` }, event)
      expect(validator.errorsText()).toBe('No errors')
    }
  })
})

describe('what /v0 answers under a seed', () => {
  /** `send` holds every response against `/v0/openapi.json`. */
  test.for(seeds)('is as its OpenAPI document says (%s)', async (seed) => {
    await using free = await startFree(seed)
    const ask = (path: string, call = {}) => send(`${free.url}/v0/${path}`, { as: 'key_acme', ...call })
    const seen: string[] = []
    for (const list of ['courses', 'modules', 'elements', 'members', 'activities', 'courses/writing/members']) {
      for (let page: string | null = ''; page !== null; ) {
        const { body } = await ask(`${list}${page && `?page=${encodeURIComponent(page)}`}`)
        if (body.payload.data[0]) seen.push(list)
        page = body.payload.next
        if (body.payload.data[0] && !list.includes('/')) await ask(`${list}/${body.payload.data[0].id}`)
      }
    }
    expect(new Set(seen).size).toBe(6)
    expect((await ask('courses/nowhere')).status).toBe(404)
    expect((await ask('courses', { as: 'nobody' })).status).toBe(401)
    const [module] = (await ask('modules')).body.payload.data
    const body = {
      module: module.id,
      name: 'New',
      type: 'QUIZ',
      properties: { questions: [{ text: '?', answers: [] }] },
    }
    expect((await ask('elements', { body })).status).toBe(400)
    const made = await ask('elements', { body: { ...body, properties: {} } })
    expect(made.status).toBe(200)
    const path = `elements/${encodeURIComponent(made.body.payload.id)}`
    expect((await ask(path, { method: 'PUT', body: made.body.payload })).status).toBe(200)
    expect((await ask(path, { method: 'DELETE' })).status).toBe(200)
  })
})
