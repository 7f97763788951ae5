import * as z from 'zod'
import { pageOf } from '../world/documentation.js'
import type { Described, Operation } from './route.js'

export type Json = Record<string, unknown>

/** What a document says beside its routes. */
export interface Description {
  title: string
  version: string
  description: string
  /** Where the API answers. */
  server: string
  /** A line for each first segment of a path below the API's own prefix. */
  tags: Record<string, string>
  /** The first segment of a path that tells what it is about. */
  tagOf: (path: string) => string
  securitySchemes: Record<string, Json>
  /** The ways to be let in to a route; none when it is open. */
  securityOf: (operation: Operation) => Json[]
  /** The whole body of a success, when `answer` is what the route gives. */
  success: (answer: Json) => Json
  /** Components of error responses, by name. */
  responses: Record<string, Json>
  /** Status and response component of whatever an operation may be refused with. */
  refusalsOf: (route: Described) => Record<string, string>
  /** Component schemas that no route names, the error's for one. */
  schemas: Record<string, z.ZodType>
  /** Named request bodies and whole bodies of successes, by operation id. */
  examples?: Record<string, { body?: Json; answer?: Json }>
  /** Changes what zod makes of a schema. */
  override?: (context: { zodSchema: unknown; jsonSchema: Json }) => void
}

/**
 * The OpenAPI 3.1 document of a surface, made of the schemas that its routes validate with. Schemas that have an `id` in
 * their metadata become components; such a one is for bodies or for answers, as the two may differ (defaults).
 */
export function openApi(routes: Described[], description: Description): Json {
  const components: Json = {}
  const made = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() }
  const toSchema: ToSchema = (schema, io) => {
    const known = made[io].get(schema) ?? schemaOf(schema, io, components, description.override)
    made[io].set(schema, known)
    return known
  }
  for (const [name, schema] of Object.entries(description.schemas)) components[name] = toSchema(schema, 'output')
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    for (const [index, method] of route.methods.entries()) {
      const id =
        index === 0
          ? route.operation.id
          : `${route.operation.id}With${method.charAt(0)}${method.slice(1).toLowerCase()}`
      ;(paths[path] as Json)[method.toLowerCase()] = { operationId: id, ...operationOf(route, description, toSchema) }
    }
  }
  for (const schema of Object.values(components)) discriminate(schema as Json, components)
  const { title, version, server, tags, securitySchemes, responses } = description
  return {
    openapi: '3.1.0',
    info: { title, version, description: description.description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: components, responses, securitySchemes },
  }
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json

function operationOf(route: Described, description: Description, toSchema: ToSchema): Json {
  const { operation, path } = route
  const { summary, source, query, body, bodyRequired, answer, status = 200 } = operation
  const examples = description.examples?.[operation.id]
  const content = (schema: Json, named: Json | undefined) => ({
    'application/json': { schema, ...(named && { examples: valuesOf(named) }) },
  })
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query ? queryParameters(toSchema(query, 'input')) : []),
  ]
  return {
    summary,
    tags: [description.tagOf(path)],
    'x-source': source,
    externalDocs: { description: source, url: pageOf(source) },
    security: description.securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: bodyRequired ?? !body.safeParse({}).success,
        content: content(toSchema(body, 'input'), examples?.body),
      },
    }),
    responses: {
      [status]: {
        description: 'Success',
        content: content(
          answer ? description.success(toSchema(answer, 'output')) : { type: 'object' },
          examples?.answer,
        ),
      },
      ...mapValues(description.refusalsOf(route), (name) => ({ $ref: `#/components/responses/${name}` })),
    },
  }
}

const mapValues = <A>(object: Record<string, A>, map: (value: A) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))

const valuesOf = (named: Json) => mapValues(named, (value) => ({ value }))

function queryParameters({ properties = {}, required = [] }: Json): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

/** zod's JSON Schema of `schema`, its definitions moved to `components`. */
function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Json,
  override: Description['override'],
): Json {
  const made = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: (context) => override?.(context as unknown as Parameters<typeof override>[0]),
  })
  const plain = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, definition] of Object.entries<Json>(plain.$defs ?? {})) {
    const { id: _, ...rest } = definition
    components[name] = rest
  }
  return plain.properties.schema
}

/** Says by which field its options are told apart, where they are components that each name their `type`. */
function discriminate(schema: Json, components: Json): void {
  const options = (schema.oneOf as { $ref?: string }[] | undefined)?.map(({ $ref }) => $ref)
  if (!options?.every((option) => option !== undefined)) return
  const mapping = options.map((option) => {
    const component = components[option.split('/').at(-1) as string] as { properties?: { type?: { const?: string } } }
    return [component.properties?.type?.const, option]
  })
  if (mapping.every(([type]) => type !== undefined)) {
    schema.discriminator = { propertyName: 'type', mapping: Object.fromEntries(mapping) }
  }
}
