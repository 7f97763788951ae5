import * as z from 'zod'
import {
  type StepKind,
  scenarioFields,
  stepBodies,
  stepFields,
  stepKinds,
} from '../../src/control/admin/scenario-schemas.js'
import { isObject } from '../../src/foundation/schema/is-object.js'
import { manifestSchema } from '../../src/platform/apps/manifest-schema.js'

type JsonSchema = z.core.JSONSchema.JSONSchema

const REFERENCE = { $ref: '#/$defs/Reference' }

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, $defs = {}, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return inlined(made, $defs) as JsonSchema
}

/** Named parts are written where they are used: their names are those of the control API. */
function inlined(value: unknown, parts: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, parts))
  if (!isObject(value)) return value
  const [, name] = /^#\/\$defs\/(.+)$/.exec(String(value.$ref)) ?? []
  if (name === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, parts)]))
  }
  const { id: _, ...part } = parts[name] as Record<string, unknown>
  const { $ref: __, ...beside } = value
  return inlined({ ...part, ...beside }, parts)
}

const acceptsAnyText = ({ description: _, ...schema }: JsonSchema): boolean =>
  Object.keys(schema).length === 0 || (schema.type === 'string' && Object.keys(schema).length === 1)

/** The schema, or a reference where it does not take any text anyway. */
function orReference(schema: JsonSchema): JsonSchema {
  if (acceptsAnyText(schema)) return schema
  const { description, ...own } = schema
  return { ...(description !== undefined && { description }), anyOf: [own, REFERENCE] }
}

/** Returns the schema with a reference allowed in place of each part. */
function withReferences(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, anyOf, ...rest } = schema
  const inner = (part: unknown) => orReference(withReferences(part as JsonSchema))
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    }),
    ...(items !== undefined && { items: inner(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
    ...(anyOf && { anyOf: anyOf.map((part) => withReferences(part as JsonSchema)) }),
  } as JsonSchema
}

/** Schemas that are in another file, or made otherwise: fixtures may be large, and their schema is beside this one. */
const elsewhere: Partial<Record<StepKind, JsonSchema>> = {
  fixtures: { $ref: 'schema.json' },
  push: withReferences(schemaOf(manifestSchema([]))),
}

const around = schemaOf(z.strictObject(scenarioFields))
const beside = withReferences(schemaOf(z.strictObject(stepFields)))
const steps = Object.fromEntries(
  stepKinds.map((kind) => [kind, orReference(elsewhere[kind] ?? withReferences(schemaOf(stepBodies[kind])))]),
)

/**
 * Returns the JSON Schema of a scenario. It is made of the validating schemas; a reference to an earlier step's result
 * may stand wherever a value may.
 */
export const scenarioSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...around,
  properties: {
    ...around.properties,
    steps: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        description: 'One step: exactly one of the kinds of steps, and what may stand beside it',
        properties: { ...beside.properties, ...steps },
        additionalProperties: false,
        oneOf: stepKinds.map((kind) => ({ required: [kind] })),
      },
    },
  },
  required: ['steps'],
  $defs: {
    Reference: {
      type: 'string',
      pattern: '\\$\\{[^{}]+\\}',
      description: `A value of an earlier step's result, as in \${install.installation.id}`,
    },
  },
})
