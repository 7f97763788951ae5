import * as z from 'zod'
import { appDocument, elementDocument, fixtureDocument } from '../../src/control/fixtures/document.js'
import { elementTypeNames } from '../../src/emulator/world/element-type-names.js'
import { manifestSchema } from '../../src/platform/apps/manifest-schema.js'
import { createBody } from '../../src/platform/elements/element-schemas.js'

type JsonSchema = z.core.JSONSchema.JSONSchema
type Properties = Record<string, JsonSchema>

const elements = z.toJSONSchema(createBody, { io: 'input' })
const { $schema: _, ...manifest } = z.toJSONSchema(manifestSchema([]), { io: 'input' })

/** The variants of a new element, by type. */
const variants = Object.values(elements.$defs ?? {}).flatMap(({ properties }) => {
  const type = (properties as Properties | undefined)?.type?.const
  return type === undefined ? [] : [{ type, properties: properties as Properties }]
})

/** Gives an element of a document the fields of one that is created, without its place. fixtures: "Fields" */
function describeElement(schema: JsonSchema): void {
  const { name, content, metadata } = variants[0]?.properties ?? {}
  const type: JsonSchema = { type: 'string', enum: [...elementTypeNames] }
  schema.properties = { ...schema.properties, type, name, content, metadata } as Properties
  schema.allOf = variants.map(({ type, properties: { properties } }) => ({
    if: { properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { properties } as Properties },
  }))
}

function describeApp(schema: JsonSchema): void {
  const own = schema.properties as Properties
  own.manifest = { $ref: '#/$defs/Manifest' }
  own.versions = { type: 'array', minItems: 1, items: { $ref: '#/$defs/Manifest' } }
}

const properties = Object.entries(elements.$defs ?? {}).filter(([name]) => name.endsWith('Properties'))

/**
 * Returns the JSON Schema of the fixture document. It is the validating schema, and where that leaves elements and
 * manifests to their rooms, those rooms' own.
 */
export function fixtureSchema(): JsonSchema {
  const document = z.toJSONSchema(fixtureDocument, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === elementDocument) describeElement(jsonSchema)
      if (zodSchema === appDocument) describeApp(jsonSchema)
    },
  })
  document.$defs = { ...document.$defs, ...Object.fromEntries(properties), Manifest: manifest }
  return document
}
