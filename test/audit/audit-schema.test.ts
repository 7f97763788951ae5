import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { generatedSchemas } from '../harness/generated.js'
import { schemaValidator } from '../harness/schema-validator.js'

const schema = async () => JSON.parse(await readFile(join(ROOT, 'fixtures', 'audit.schema.json'), 'utf8'))

describe('fixtures/audit.schema.json', () => {
  test('is what the validating schema says (run `npm run schema` when this fails)', async () => {
    expect(await readFile(join(ROOT, 'fixtures', 'audit.schema.json'), 'utf8')).toBe(
      generatedSchemas()['fixtures/audit.schema.json'],
    )
  })

  test('knows the fields of the file', async () => {
    const validate = schemaValidator().compile(await schema())
    expect(validate({ app: 'notes', background: '2s', logs: ['app.log'] })).toBe(true)
    expect(validate({ start: 'http://localhost:3000/login' })).toBe(false)
    expect(validate({ app: 'notes', begin: 'http://localhost:3000/login' })).toBe(false)
  })
})
