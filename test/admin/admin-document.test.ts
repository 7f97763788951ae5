import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect } from 'vitest'
import { adminDocument } from '../../src/control/admin/admin-document.js'
import { calls } from '../../src/control/admin/calls.js'
import { test } from '../harness/emulator-test.js'
import { schemaValidator } from '../harness/schema-validator.js'

const defaultWorld = JSON.parse(readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8'))

let compiled: ReturnType<typeof schemaValidator> | undefined

/**
 * Returns true if a value is as the schema at that pointer of a document asks. The documents of all emulators differ by
 * their address only, so the first one is compiled for all.
 */
function valid(document: object, pointer: string, value: unknown): boolean {
  compiled ??= schemaValidator().addSchema(document, 'admin')
  return compiled.validate({ $ref: `admin#${pointer}` }, value)
}

const bodyOf = (method: string, path: string) =>
  `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody/content/application~1json/schema`

describe('control-api "World": GET /_admin/openapi.json', () => {
  test("passes Redocly's recommended rules", async ({ call }) => {
    const { text } = await call('/_admin/openapi.json')
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual([])
  })

  test('describes each tag of its operations, and no other', async ({ call }) => {
    const { body: document } = await call('/_admin/openapi.json')
    const paths: Record<string, { tags: string[] }>[] = Object.values(document.paths)
    const used = paths.flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags))
    const described = document.tags.map(({ name }: { name: string }) => name)
    expect(described.toSorted()).toEqual([...new Set(used)].sort())
  })

  test('describes the stream as server-sent events, which continue after an id', async ({ call }) => {
    const { body: document } = await call('/_admin/openapi.json')
    const { parameters, responses } = document.paths['/_admin/stream'].get
    expect(Object.keys(responses['200'].content)).toEqual(['text/event-stream'])
    expect(parameters.map((each: { in: string; name: string }) => `${each.in} ${each.name}`)).toEqual([
      'query since',
      'query run',
      'header Last-Event-ID',
    ])
  })

  test('is computed once for all emulators of a process, which differ by their address', async ({ call, emulator }) => {
    const { body: document } = await call('/_admin/openapi.json')
    expect(document.servers).toEqual([{ url: emulator.url }])
    const [one, other] = ['http://one.test', 'http://other.test'].map((url) => adminDocument(calls, url))
    expect(one?.paths).toBe(other?.paths)
    expect(other?.servers).toEqual([{ url: 'http://other.test' }])
  })

  test('says of which calls the body may be left out, which is true, and {} as good', async ({ call }) => {
    const { body: document } = await call('/_admin/openapi.json')
    type Operation = { requestBody?: { required: boolean } }
    const optional = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { requestBody }]) => requestBody?.required === false)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(optional).toEqual([
      'POST /_admin/snapshots/{name}/restore',
      'POST /_admin/clock/freeze',
      'POST /_admin/clock/resume',
      'POST /_admin/sandboxes',
      'POST /_admin/installations/{id}/upgrade',
      'POST /_admin/keys/rotate',
      'PUT /_admin/inboxes/{name}',
    ])
    for (const [method, path] of [
      ['POST', '/_admin/clock/freeze'],
      ['POST', '/_admin/clock/resume'],
      ['POST', '/_admin/keys/rotate'],
      ['PUT', '/_admin/inboxes/box'],
    ] as const) {
      expect((await call(path, { method })).status).toBe(200)
      expect((await call(path, { method, body: {} })).status).toBe(200)
    }
    // The same schema, and a body that is needed all the same.
    expect((await call('/_admin/users', { method: 'POST' })).status).toBe(400)
  })

  test.for([
    ['PUT', '/_admin/state', defaultWorld, 200],
    ['POST', '/_admin/fixtures', { users: [{ email: 'new@acme.test' }] }, 201],
    ['POST', '/_admin/users', { email: 'new@acme.test' }, 201],
    ['POST', '/_admin/faults', { effect: 'rate_limited' }, 201],
    ['POST', '/_admin/scenarios', { steps: [{ advance: { by: '10s' } }, { rotate_keys: {} }] }, 200],
  ] as const)('lets the body of %s %s leave out what has a default', async ([method, path, body, status], { call }) => {
    expect(valid((await call('/_admin/openapi.json')).body, bodyOf(method, path), body)).toBe(true)
    expect((await call(path, { method, body })).status).toBe(status)
  })

  test.for([
    ['PUT', '/_admin/state', { settings: { access_token_ttl: true } }],
    ['POST', '/_admin/faults', { effect: 'rate_limited', matches: {} }],
    ['POST', '/_admin/scenarios', { steps: [{ advance: { by: 'a while' } }] }],
  ] as const)('shows what is wrong with a body that %s %s refuses', async ([method, path, body], { call }) => {
    expect(valid((await call('/_admin/openapi.json')).body, bodyOf(method, path), body)).toBe(false)
    expect((await call(path, { method, body })).status).toBe(400)
  })

  test('describes a recording as what it is: a scenario to send', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    await call('/_admin/keys/rotate', { method: 'POST' })
    await call('/_admin/users', { body: { email: 'new@acme.test' } })
    const { body: recording } = await call('/_admin/recording', { method: 'DELETE' })
    const { body: document } = await call('/_admin/openapi.json')
    expect(recording.scenario.steps).toEqual([{ rotate_keys: {} }, { user: { email: 'new@acme.test' } }])
    expect(valid(document, '/components/schemas/Recording', recording)).toBe(true)
    expect(valid(document, '/components/schemas/Recording', { ...recording, scenario: { steps: [] } })).toBe(false)
  })
})
