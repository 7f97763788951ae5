import * as z from 'zod'
import { shownManifest } from '../../../src/control/admin/apps.calls.js'
import { calls } from '../../../src/control/admin/calls.js'
import { anything } from '../../../src/control/admin/scenario-schemas.js'
import { shownScenario } from '../../../src/control/admin/scenarios.calls.js'
import { queryDuration } from '../../../src/control/admin/webhooks.calls.js'
import { appDocument, elementDocument } from '../../../src/control/fixtures/document.js'
import { settingsSchema } from '../../../src/emulator/world/setting-schemas.js'
import { durationInput } from '../../../src/foundation/schema/schema-words.js'

export type Json = z.core.JSONSchema.JSONSchema & { tsType?: string }
/** Side of a schema: `input` is what users write, `output` what they read. */
type Direction = 'input' | 'output'

/** Every named type of the declarations that is made of a schema, as JSON Schema. */
export const definitions: Record<string, Json> = {}

/** Names of types for schemas that check less, or say more, than a type needs. */
const named = new Map<unknown, string>([
  [durationInput, 'Duration'],
  [queryDuration, 'Duration'],
  [calls.addFault.body, 'NewFault'],
  [calls.addFault.response.shape.match, 'FaultMatch'],
  [calls.addFault.response.shape.effect, 'FaultEffect'],
  [calls.world.response.shape.settings, 'Settings'],
  [calls.listGaps.response.shape.scenario.unwrap().shape.steps, 'ScenarioStep[]'],
  [elementDocument, 'FixtureElement'],
  [settingsSchema, 'SettingOptions'],
  [shownManifest, 'Manifest'],
  [shownScenario, 'Scenario'],
  [anything, 'unknown'],
])

/** The JSON Schema of `schema`, its named parts in `definitions`. */
export function schemaOf(schema: z.ZodType, io: Direction): Json {
  const made = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // A named schema is described as a whole, and named as a part.
      const isWhole = (zodSchema as unknown) === schema && (schema === elementDocument || schema === settingsSchema)
      const type = isWhole ? undefined : named.get(zodSchema)
      if (type) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
        Object.assign(jsonSchema, { tsType: type })
      }
      if (zodSchema === appDocument) {
        Object.assign(jsonSchema.properties ?? {}, {
          manifest: { tsType: 'Manifest' },
          versions: { tsType: 'Manifest[]' },
        })
      }
    },
  })
  for (const [name, { id: _, ...definition }] of Object.entries(made.$defs ?? {}))
    definitions[name] = definition as Json
  return made.properties?.schema as Json
}

/** The name of the type of `schema`: its own, or `name`, which `description` then explains. */
export function typeNameFor(name: string, description: string, schema: z.ZodType, io: Direction): string {
  const known = schema.meta()?.id
  const made = schemaOf(schema, io)
  if (typeof known === 'string') return known === 'State' ? 'FixtureDocument' : known
  if (made.tsType) return made.tsType
  definitions[name] = { description, ...made }
  return name
}

/** An array of a type that is written by hand. */
export const arrayOf = (tsType: string): Json => ({ type: 'array', items: { tsType } as Json })

/** A union of string literals. */
export const literalUnion = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ')
