import { writeFileSync } from 'node:fs'
import * as z from 'zod'
import { auditFile } from '../../src/programs/audit/app/file.js'
import { fixtureSchema } from './fixture-schema.js'
import { scenarioSchema } from './scenario-schema.js'

// Prints the JSON Schemas with which editors complete and check, by their files; with `--write`, writes them (`npm run schema`).

const schemas = {
  'fixtures/schema.json': fixtureSchema(),
  'fixtures/audit.schema.json': z.toJSONSchema(auditFile, { io: 'input' }),
  'fixtures/scenario.schema.json': scenarioSchema(),
}

// On one line: only programs read them, and indented they would be 5 KB more of the package.
const texts = Object.entries(schemas).map(([file, schema]) => [file, `${JSON.stringify(schema)}\n`] as const)
if (process.argv.includes('--write')) for (const [file, text] of texts) writeFileSync(file, text)
else process.stdout.write(JSON.stringify(Object.fromEntries(texts)))
