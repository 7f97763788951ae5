import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { generatedSchemas } from '../harness/generated.js'
import { schemaValidator } from '../harness/schema-validator.js'

const FIXTURES = join(ROOT, 'fixtures')
const schema = async (name: string) => JSON.parse(await readFile(join(FIXTURES, name), 'utf8'))

/** A reference to an earlier step's result. */
const ref = (way: string) => `\${${way}}`

const validate = schemaValidator({ allErrors: true })
  .addSchema(await schema('schema.json'), 'schema.json')
  .compile(await schema('scenario.schema.json'))

describe('fixtures/scenario.schema.json', () => {
  test('is what the validating schemas say (run `npm run schema` when this fails)', async () => {
    expect(await readFile(join(ROOT, 'fixtures', 'scenario.schema.json'), 'utf8')).toBe(
      generatedSchemas()['fixtures/scenario.schema.json'],
    )
  })

  test('accepts the scenarios in fixtures/scenarios', async () => {
    for (const name of await readdir(join(FIXTURES, 'scenarios'))) {
      validate(parse(await readFile(join(FIXTURES, 'scenarios', name), 'utf8')))
      expect(validate.errors, name).toBeNull()
    }
  })

  test('knows the steps, one in each, and takes references for values of any type', async () => {
    const accepts = (...steps: object[]) => validate({ steps })
    expect(accepts({ advance: { by: '10s' } }, { name: 'x', mark: {} })).toBe(true)
    expect(accepts({ advance: { by: ref('app.body.by') } })).toBe(true)
    expect(accepts({ expect_requests: { path: '/v0/*', count: ref('settle.count') } })).toBe(true)
    expect(accepts({ fault: { match: { surface: 'api' }, effect: 'rate_limited', times: 1 } })).toBe(true)
    expect(accepts({ advance: { by: 'soon' } })).toBe(false)
    expect(accepts({ advance: { by: '10s' }, mark: {} })).toBe(false)
    expect(accepts({ instal: { app: 'notes', organization: 'acme' } })).toBe(false)
    expect(accepts({ install: { app: 'notes' } })).toBe(false)
    expect(accepts({ fixtures: { organisations: [] } })).toBe(false)
    expect(accepts({ title: 'nothing' })).toBe(false)
    expect(accepts()).toBe(false)
    expect(validate({ from: 'here', steps: [{ mark: {} }] })).toBe(false)
  })
})

describe('docs/scenarios.md', () => {
  test('has a row for every step', async () => {
    const text = await readFile(join(ROOT, 'docs', 'scenarios.md'), 'utf8')
    const { properties } = (await schema('scenario.schema.json')).properties.steps.items
    const rows = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(rows).toEqual(Object.keys(properties).filter((key) => !['name', 'title', 'expect'].includes(key)))
  })
})
