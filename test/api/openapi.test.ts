import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { test as plain, send } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const [{ api_key: apiKey }] = JSON.parse(
  readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8'),
).organizations

describe('wire §3: GET /v0/openapi.json', () => {
  let emulator: Emulator
  let document: Any
  let text: string
  beforeAll(async () => {
    emulator = await startEmulator({ seed: 'examples', now: '2026-01-01T00:00:00Z', pageSize: 2 })
    const answer = await send(`${emulator.url}/v0/openapi.json`)
    text = answer.text
    document = answer.body
  })
  afterAll(() => emulator.close())

  plain('needs no credential and is an OpenAPI 3.1 document', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.servers).toEqual([{ url: emulator.url }])
  })

  plain("passes Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual([])
  })

  plain('has the webhooks of spec §6, with their signature headers and bodies', () => {
    expect(Object.keys(document.webhooks)).toEqual(['app.installed', 'app.uninstalled'])
    const { post } = document.webhooks['app.installed']
    expect(post.parameters).toMatchObject([
      { name: 'Platform-Signature', in: 'header', required: true },
      { name: 'Platform-Idempotency-Key', in: 'header', required: true },
    ])
    expect(post.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/AppInstalled' } } },
    })
    expect(Object.keys(post.responses)).toEqual(['2XX'])
    expect(post['x-source']).toBe('spec: §6')
    const { AppInstalled, Credentials } = document.components.schemas
    const { data } = AppInstalled.properties
    expect([data.required, data.properties.installer]).toEqual([
      ['organization', 'app', 'installer'],
      { $ref: '#/components/schemas/Installer' },
    ])
    expect(AppInstalled.required).toEqual(['id', 'type', 'created_at', 'installation_id', 'data'])
    expect(Object.keys(Credentials.properties)).toEqual([
      ...['client_id', 'access_token', 'refresh_token', 'token_type', 'expires_in', 'expires_at', 'scope'],
    ])
  })

  plain('names the headers of webhooks as they are sent', async () => {
    const other = await startEmulator({ headerPrefix: 'Acme' })
    const { body } = await send(`${other.url}/v0/openapi.json`)
    await other.close()
    const [signature] = body.webhooks['app.uninstalled'].post.parameters
    expect(signature.name).toBe('Acme-Signature')
  })

  plain('says which headers a refusal has', () => {
    const { responses } = document.components
    const headersOf = (name: string) => Object.entries<Any>(responses[name].headers ?? {})
    for (const name of ['Unauthorized', 'InsufficientScope']) {
      expect(headersOf(name)).toEqual([
        ['WWW-Authenticate', { description: expect.stringContaining('RFC 6750'), schema: { type: 'string' } }],
      ])
    }
    expect(headersOf('RateLimited')).toEqual([
      ['Retry-After', { description: 'Seconds until the next request may be made', schema: { type: 'string' } }],
    ])
    expect(headersOf('NotFound')).toEqual([])
  })

  plain('promises no list of members for a response, and takes no other property of an element', () => {
    const { Course, Error: error, QuizProperties } = document.components.schemas
    expect([Course, error].map(({ additionalProperties }) => additionalProperties)).toEqual([undefined, undefined])
    expect(QuizProperties.additionalProperties).toBe(false)
  })

  plain('has every route of wire §3, each with its source, and the scope that an install token needs', () => {
    const scopes = Object.fromEntries(
      Object.entries<Any>(document.paths).flatMap(([path, operations]) =>
        Object.entries<Any>(operations).map(([method, { security, description }]) => {
          const takesToken = security.some((each: Any) => each.InstallToken)
          const [, scope] = /with the scope `([\w:]+)`/.exec(description) ?? []
          expect(takesToken, `${method} ${path}`).toBe(scope !== undefined)
          return [`${method.toUpperCase()} ${path}`, security.length === 0 ? 'open' : (scope ?? null)]
        }),
      ),
    )
    expect(scopes).toEqual({
      'GET /v0/courses': 'courses:read',
      'GET /v0/courses/{id}': 'courses:read',
      'GET /v0/courses/{id}/members': 'members:read',
      'GET /v0/courses/{id}/members/{member}': 'members:read',
      'GET /v0/modules': 'modules:read',
      'GET /v0/modules/{id}': 'modules:read',
      'GET /v0/elements': 'elements:read',
      'POST /v0/elements': null,
      'GET /v0/elements/search': 'elements:read',
      'POST /v0/elements/search': 'elements:read',
      'GET /v0/elements/{id}': 'elements:read',
      'PUT /v0/elements/{id}': null,
      'PATCH /v0/elements/{id}': null,
      'DELETE /v0/elements/{id}': null,
      'GET /v0/elements/{id}/activities': 'activities:read',
      'GET /v0/members': 'members:read',
      'GET /v0/members/{id}': 'members:read',
      'GET /v0/activities': 'activities:read',
      'GET /v0/activities/{id}': 'activities:read',
      'GET /v0/openapi.json': 'open',
    })
    for (const operations of Object.values<Any>({ ...document.paths, ...document.webhooks })) {
      for (const { 'x-source': source } of Object.values<Any>(operations)) expect(source).toMatch(/^(spec|wire): §/)
    }
  })

  plain('has a schema for each of the 28 types behind a discriminator, for reading and for creating', () => {
    for (const name of ['Element', 'NewElement']) {
      const { oneOf, discriminator } = document.components.schemas[name]
      expect(oneOf).toHaveLength(28)
      expect(discriminator.propertyName).toBe('type')
      expect(Object.keys(discriminator.mapping)).toHaveLength(28)
    }
  })

  plain('names what a body is refused with wherever one is read, a search by GET too', async () => {
    const { get, post } = document.paths['/v0/elements/search']
    expect(Object.keys(get.responses)).toEqual(['200', '400', '401', '403', '413', '415', '429', '500'])
    expect(Object.keys(get.responses)).toEqual(Object.keys(post.responses))
    const headers = { 'content-type': 'text/plain', 'content-length': '1' }
    const options = { method: 'GET', headers: { ...headers, authorization: `Bearer ${apiKey}` } }
    const status = await new Promise((resolve, reject) => {
      request(`${emulator.url}/v0/elements/search`, options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('x')
    })
    expect(status).toBe(415)
    expect(Object.keys(document.paths['/v0/courses'].get.responses)).not.toContain('415')
  })

  plain('describes parameters beside their schemas, once', () => {
    const { parameters } = document.paths['/v0/elements/search'].get
    expect(parameters).toContainEqual({
      name: 'type',
      in: 'query',
      description: 'An element type',
      schema: { type: 'string', enum: expect.arrayContaining(['QUIZ']) },
    })
    expect(document.paths['/v0/courses/{id}/members/{member}'].get.parameters).toEqual(
      [
        ['id', 'Id of a course'],
        ['member', 'Id of a member'],
      ].map(([name, description]) => ({ name, in: 'path', required: true, description, schema: { type: 'string' } })),
    )
    const all = Object.values<Any>(document.paths).flatMap((item) => Object.values<Any>(item))
    expect(all.filter((operation) => operation.parameters?.length === 0)).toEqual([])
    const described = all.flatMap((operation) => operation.parameters ?? []).filter(({ schema }) => schema.description)
    expect(described).toEqual([])
  })

  plain('shows what the API answers in the default world as examples', async () => {
    const call = async (path: string, method = 'GET', body?: unknown) => {
      const answer = await send(emulator.url + path, { as: apiKey, method, body })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    const shown = new Map<string, { body: Any; answer: Any }>()
    for (const operations of Object.values<Any>(document.paths)) {
      for (const { operationId, requestBody, responses } of Object.values<Any>(operations)) {
        const body = requestBody?.content['application/json'].examples
        shown.set(operationId, { body, answer: responses[200].content['application/json'].examples })
      }
    }
    const without = [...shown].filter(([, { body, answer }]) => !body && !answer).map(([id]) => id)
    expect(without).toEqual(['getOpenApiDocument'])
    expect(shown.get('updateElementWithPatch')).toEqual(shown.get('updateElement'))
    for (const path of ['courses', 'modules', 'members', 'activities', 'elements']) {
      const page = shown.get(`list${path.charAt(0).toUpperCase()}${path.slice(1)}`)?.answer.page.value
      expect(page).toEqual(await call(`/v0/${path}`))
    }
    const elements = shown.get('retrieveElement')?.answer
    const created = shown.get('createElement')?.body
    const types = Object.keys(document.components.schemas.Element.discriminator.mapping)
    expect(Object.keys(elements)).toEqual(types)
    for (const type of types) {
      expect(elements[type].value).toEqual(await call(`/v0/elements/${elements[type].value.payload.id}`))
      const { value } = created[type]
      expect((await call('/v0/elements', 'POST', value)).payload).toMatchObject(value)
    }
  })
})

plain('spec §8: the limits of metadata are in the document', async ({ call }) => {
  const { body } = await call('/v0/openapi.json')
  const { metadata } = body.components.schemas.NewTagElement.properties
  expect(metadata).toMatchObject({ maxProperties: 50, propertyNames: { maxLength: 40 } })
  expect(metadata.additionalProperties.anyOf).toContainEqual({ type: 'string', maxLength: 500 })
})

describe('wire §7: element_type_names', () => {
  plain.override({ settings: { elementTypeNames: { MEETING_PROVIDER_A: 'ZOOM', QUIZ: 'TEST' } } })

  plain('renames types in the document', async ({ call }) => {
    const { body } = await call('/v0/openapi.json')
    const { mapping } = body.components.schemas.Element.discriminator
    expect(mapping.ZOOM).toBe('#/components/schemas/MeetingProviderAElement')
    expect(JSON.stringify(body)).not.toContain('MEETING_PROVIDER_A')
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(body), absoluteRef: '/openapi.json', config })
    expect(problems.map(({ message }) => message)).toEqual([])
  })
})
