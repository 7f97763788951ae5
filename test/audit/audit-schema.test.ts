import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'

const schema = async () => JSON.parse(await readFile(join(ROOT, 'fixtures', 'audit.schema.json'), 'utf8'))

describe('fixtures/audit.schema.json', () => {
  test('is what the validating schema says (run `npm run schema` when this fails)', async () => {
    const printed = execFileSync(process.execPath, [join(ROOT, '.build', 'audit-schema.js')], { encoding: 'utf8' })
    expect(await schema()).toEqual(JSON.parse(printed))
  })

  test('knows the fields of the file', async () => {
    const validate = new Ajv2020({ strict: false }).compile(await schema())
    expect(validate({ app: 'notes', background: '2s', logs: ['app.log'] })).toBe(true)
    expect(validate({ start: 'http://localhost:3000/login' })).toBe(false)
    expect(validate({ app: 'notes', begin: 'http://localhost:3000/login' })).toBe(false)
  })
})
