import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { ROOT, test } from '../harness/command-line.js'
import { schemaValidator } from '../harness/schema-validator.js'
import { type Block, blocksIn, nameOf } from './pages.js'

const ajv = schemaValidator({ allErrors: true })
const schema = async (name: string) => JSON.parse(await readFile(join(ROOT, 'fixtures', name), 'utf8'))
/** Read once: a schema that is the same object is compiled once. */
const fixture = await schema('schema.json')

function readJson({ language, code }: Block): unknown {
  const errors: ParseError[] = []
  const value = parseJson(code, errors, { disallowComments: language === 'json', allowTrailingComma: false })
  expect(errors.map(({ error }) => printParseErrorCode(error))).toEqual([])
  return value
}

/** Compiles the schema for a kind of block. */
async function validatorOf(kind: string): Promise<ValidateFunction> {
  if (kind === 'fixture') return ajv.compile(fixture)
  if (kind === 'manifest') return ajv.compile({ ...fixture.$defs.Manifest, $defs: fixture.$defs })
  if (kind === 'scenario' && !ajv.getSchema('schema.json')) ajv.addSchema(fixture, 'schema.json')
  if (kind === 'audit' || kind === 'scenario') return ajv.compile(await schema(`${kind}.schema.json`))
  // The file of another program: it must only be JSON.
  if (kind === '') return ajv.compile({})
  if (kind === 'config') {
    return ajv.compile({
      $defs: fixture.$defs,
      type: 'object',
      additionalProperties: false,
      properties: {
        $schema: { type: 'string' },
        settings: fixture.properties.settings,
        fixtures: { type: ['string', 'array'], items: { type: 'string' } },
        audit: await schema('audit.schema.json'),
      },
    })
  }
  throw new Error(`${kind} is not known: fixture, manifest, audit, scenario, config or call=NAME`)
}

const blocks = blocksIn('json', 'jsonc').map((block) => [nameOf(block), block] as const)

describe('blocks of JSON', () => {
  test.for(blocks.filter(([, { kind }]) => !kind.startsWith('call=')))(
    '%s is what its schema describes',
    async ([, block]) => {
      const validate = await validatorOf(block.kind)
      validate(readJson(block))
      expect(validate.errors ?? []).toEqual([])
    },
  )

  test('fixture documents are valid, with every rule', async ({ folder, run }) => {
    const worlds = blocks.filter(([, { kind }]) => kind === 'fixture')
    const files = worlds.map(([name]) => `${name.replace(/[^\w.-]/g, '-')}.json`)
    for (const [index, [, { code }]] of worlds.entries()) await writeFile(join(folder, files[index] as string), code)
    expect(await run(['validate', ...files])).toMatchObject({
      status: 0,
      stdout: files.map((file) => `${file}: valid\n`).join(''),
      stderr: '',
    })
  })

  test('manifests and bodies of control calls are accepted', async () => {
    for (const [name, block] of blocks.filter(([, { kind }]) => kind === 'manifest' || kind.startsWith('call='))) {
      await using emulator = await startEmulator()
      const value = readJson(block)
      const [path, body] =
        block.kind === 'manifest'
          ? ['/_admin/apps', { manifest: { ...(value as object), id: 'of-the-page' } }]
          : [await pathOf(emulator.url, block.kind.replace('call=', '')), value]
      const response = await fetch(emulator.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { errors } = (await response.json()) as { errors?: unknown }
      expect({ name, ok: response.ok, errors }).toEqual({ name, ok: true, errors: undefined })
    }
  })
})

/** Returns the path of a POST call in the control API's document. */
async function pathOf(url: string, call: string): Promise<string> {
  const { paths } = (await (await fetch(`${url}/_admin/openapi.json`)).json()) as {
    paths: Record<string, { post?: { operationId: string } }>
  }
  const [path] = Object.entries(paths).find(([, { post }]) => post?.operationId === call) ?? []
  if (!path) throw new Error(`There is no control call ${call}`)
  return path
}

test.for(blocksIn('yaml').map((block) => [nameOf(block), block] as const))(
  'the YAML at %s can be read',
  ([, block]) => {
    expect(parseYaml(block.code)).toBeTypeOf('object')
  },
)
