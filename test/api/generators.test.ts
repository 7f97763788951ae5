import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const test = base.extend<{ documents: Any[] }>({
  documents: async ({ call }, use) => {
    await use([(await call('/v0/openapi.json')).body, (await call('/_admin/openapi.json')).body])
  },
})

const schemaFiles = ['schema.json', 'scenario.schema.json', 'audit.schema.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')),
)

const operationsOf = (document: Any): Any[] =>
  Object.values<Any>(document.paths).flatMap((item) => Object.values<Any>(item))

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'pattern' && typeof inner === 'string') yield inner
    else if (key === 'patternProperties') yield* Object.keys(inner)
    yield* patternsIn(inner)
  }
}

/** The parts of a pattern that differ in ECMA 262 without flags and with `u`, and in Python, Java and RE2. */
function dialectIn(pattern: string): string | undefined {
  const [special] = /\\(?:[^dDwWsSbtnrfx\\^$.*+?()[\]{}|/-]|x(?![0-9a-f]{2}))/.exec(pattern) ?? []
  if (special) return special
  const [group] = /\(\?[^:]/.exec(pattern) ?? []
  if (group) return group
  const classes = pattern.replace(/\\./g, '').match(/\[\^?[^\]]*\]/g) ?? []
  return classes.find((each) => /^\[\^?\]|.\[|--|&&|\|\||~~/.test(each))
}

describe('what linters and generators of other languages ask of the OpenAPI documents', () => {
  test('patterns are of no dialect, in the JSON Schemas of files too', ({ documents }) => {
    const patterns = [...new Set([...documents, ...schemaFiles].flatMap((document) => [...patternsIn(document)]))]
    expect(patterns.length).toBeGreaterThan(10)
    for (const pattern of patterns) {
      expect(dialectIn(pattern), pattern).toBeUndefined()
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')], pattern).not.toThrow()
    }
  })

  test.for(['\\p{C}', '\\u0000', '(?<a>b)', '(?i:a)', '[^[\\]]', '[^\\][]', '[a&&b]'])(
    '%s would be noticed',
    (pattern) => expect(dialectIn(pattern)).toBeDefined(),
  )

  test('operations and parameters have descriptions, documents a contact', ({ documents }) => {
    for (const document of documents) {
      expect(document.info.contact).toEqual({ name: 'Mockademy', url: expect.stringMatching(/^https:/) })
      const described = operationsOf(document).flatMap(({ operationId, description, parameters = [] }) => [
        { of: operationId, description },
        ...parameters.map(({ name, description }: Any) => ({ of: `${operationId} ${name}`, description })),
      ])
      expect(described.filter(({ description }) => !/\w/.test(description ?? ''))).toEqual([])
    }
  })

  test('no requirement of a scheme without OAuth flows names scopes, and each operation can be refused', ({
    documents,
  }) => {
    for (const operation of documents.flatMap(operationsOf)) {
      expect(operation.security.flatMap((each: Any) => Object.values(each).flat())).toEqual([])
      expect(Object.keys(operation.responses).filter((status) => status.startsWith('4'))).not.toEqual([])
    }
  })

  test('no schema has the name that generators give to a part of an operation', ({ documents }) => {
    const parts = ['Result', 'Params', 'Body', 'Data', 'Request', 'Response', 'Responses', 'Error', 'Errors']
    for (const document of documents) {
      const taken = operationsOf(document).flatMap(({ operationId: id }) =>
        parts.map((part) => `${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`),
      )
      expect(Object.keys(document.components.schemas).filter((name) => taken.includes(name))).toEqual([])
    }
  })
})
