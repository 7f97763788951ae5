import * as z from 'zod'
import { type ElementTypeName, elementTypeNames } from '../../emulator/world/element-type-names.js'
import type { World } from '../../emulator/world/world.js'
import { resource } from '../../foundation/http/resource-schemas.js'
import { elementName } from './element-body.js'
import { elementTypes, type Property } from './element-types.js'
import { integer, text } from './fields.js'
import { metadataOutput, metadataShape } from './metadata.js'
import { wireType, wireTypeSchema } from './type-names.js'

// The table of types as schemas, for the documents that describe the API and the fixtures. No request needs them, and
// there are a hundred, so they are made when a document is.

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

/** `GROUP_PEER_REVIEW` as `GroupPeerReview`. */
const pascal = (type: string) => type.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

const byType = <T>(make: (type: ElementTypeName) => T): Record<ElementTypeName, T> =>
  Object.fromEntries(elementTypeNames.map((type) => [type, make(type)])) as Record<ElementTypeName, T>

function anyType<S extends z.ZodObject>(schemas: Record<ElementTypeName, S>) {
  const [first, ...rest] = Object.values(schemas)
  return z.discriminatedUnion('type', [first as S, ...rest])
}

const literals = once(() => byType((type) => z.literal(type)))

const mapProperties = (type: ElementTypeName, map: (property: Property) => z.ZodType) =>
  z.strictObject(
    Object.fromEntries(Object.entries(elementTypes[type].properties).map(([name, property]) => [name, map(property)])),
  )

const outputProperties = (type: ElementTypeName) =>
  mapProperties(type, ({ input, output = input, default: initial }) => (initial === null ? output.nullable() : output))

/** The input of a request or a fixture; null resets the property. */
const inputProperties = once(() =>
  byType((type) =>
    mapProperties(type, ({ input }) => input.nullable().optional()).meta({ id: `${pascal(type)}Properties` }),
  ),
)

/** An element in a response. wire: §4 */
export const elementSchema = z.lazy(() =>
  anyType(
    byType((type) =>
      resource('element', {
        name: text,
        content: text,
        type: literals()[type],
        position: z.int().min(0),
        module: text,
        course: text,
        cover: text.nullable(),
        metadata: metadataOutput,
        properties: outputProperties(type),
        updated_at: z.iso.datetime(),
      }).meta({ id: `${pascal(type)}Element` }),
    ),
  ).meta({ id: 'Element' }),
)

const optional = {
  content: text.nullable().optional(),
  position: integer({ min: 0 }).optional(),
  metadata: metadataShape.optional(),
}

/** spec: §4.3 */
export const createBody = z.lazy(() =>
  anyType(
    byType((type) =>
      z
        .object({
          module: text,
          name: elementName,
          type: literals()[type],
          ...optional,
          properties: inputProperties()[type].optional(),
        })
        .meta({ id: `New${pascal(type)}Element` }),
    ),
  ).meta({ id: 'NewElement' }),
)

/** spec: §4.5 */
export const updateBody = z.lazy(() =>
  z
    .object({
      name: elementName.optional(),
      ...optional,
      properties: z.union(Object.values(inputProperties())).optional(),
    })
    .meta({ id: 'ElementUpdate' }),
)

/** spec: §4.6, wire: §4 "delete" */
export const deletedElement = z
  .strictObject({ id: text, object: z.literal('element'), deleted: z.literal(true) })
  .meta({ id: 'DeletedElement' })

/** The names of element types that are in force, for `z.toJSONSchema`. wire: §7 `element_type_names` */
export const nameTypes =
  (world: Pick<World, 'settings'>) =>
  ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void => {
    if (zodSchema === wireTypeSchema) jsonSchema.enum = elementTypeNames.map((type) => wireType(world, type))
    const type = elementTypeNames.find((type) => zodSchema === literals()[type])
    if (type) jsonSchema.const = wireType(world, type)
  }
