import * as z from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiSecuritySchemeObject,
} from 'zod-openapi'
import { pathParameters } from '../../foundation/http/path-pattern.js'
import { type RefusalName, refusals } from '../../foundation/http/refusal.js'
import { sourceFields } from '../world/documentation.js'
import { packageManifest } from '../world/version.js'
import { type Operation, type RouteDescription, templateOf } from './surface.js'

export interface DocumentParts {
  title: string
  version: string
  description: string
  /** The address of the API. */
  server: string
  tags: Record<string, string>
  tagOf: (path: string) => string
  securitySchemes: Record<string, ZodOpenApiSecuritySchemeObject>
  noteOf: (route: RouteDescription) => string | undefined
  /** The descriptions of path parameters, by the segment before. */
  parameters: Record<string, string>
  /** Returns the security requirements of an operation; none when it is open. */
  securityOf: (operation: Operation) => Record<string, string[]>[]
  /** Returns the whole body of a success, of the route's `response`. */
  successBody: (response: z.ZodType) => z.ZodType
  responseOf: (name: RefusalName) => ZodOpenApiResponseObject
  refusalsOf: (route: RouteDescription) => (RefusalName | false)[]
  /** Named request bodies and whole bodies of successes, by operation id. */
  examples?: Record<string, { body?: NamedValues; response?: NamedValues }>
  override?: CreateDocumentOptions['override']
  /** Requests that the server makes of its clients. */
  webhooks?: ZodOpenApiPathsObject
}

type NamedValues = Record<string, unknown>

/**
 * Returns the OpenAPI 3.1 document of a surface, made of the schemas that its routes validate with. A schema with an `id`
 * in its metadata becomes a component; one whose input and output differ (defaults) becomes two, `…` and `…Output`.
 */
export function openApi(routes: RouteDescription[], description: DocumentParts): Record<string, unknown> {
  const { title, version, server, tags, responseOf, refusalsOf, securitySchemes, override, webhooks } = description
  const used = new Set(routes.flatMap(refusalsOf))
  const names = (Object.keys(refusals) as RefusalName[]).filter((name) => used.has(name))
  const responses = Object.fromEntries(names.map((name) => [componentOf(name), responseOf(name)]))
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    paths[path] = { ...paths[path], ...itemOf(route, description) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title,
        version,
        description: description.description,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Mockademy', url: packageManifest.bugs.url },
      },
      servers: [{ url: server }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths,
      ...(webhooks && { webhooks }),
      components: { responses, securitySchemes },
    },
    { override },
  )
  return {
    ...document,
    paths: mapValues(document.paths ?? {}, describeParameters),
    ...(webhooks && { webhooks: mapValues(document.webhooks ?? {}, describeParameters) }),
  }
}

/** Returns the component of an error response: `NotFound` of `not_found`. */
const componentOf = (name: RefusalName): string =>
  name === 'internal' ? 'InternalError' : name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** Returns one operation for each method; the id of the first is the route's own. */
const itemOf = (route: RouteDescription, description: DocumentParts): ZodOpenApiPathItemObject =>
  Object.fromEntries(
    route.methods.map((method, index) => {
      const suffix = index === 0 ? '' : `With${method.charAt(0)}${method.slice(1).toLowerCase()}`
      const operationId = route.operation.id + suffix
      return [method.toLowerCase(), { operationId, ...operationOf(route, description) }]
    }),
  )

function operationOf(route: RouteDescription, description: DocumentParts): ZodOpenApiOperationObject {
  const { operation, path } = route
  const { id, summary, source, query, headers, body, bodyRequired, response, status = 200 } = operation
  const examples = description.examples?.[id]
  const content = (schema: z.ZodType | undefined, named: NamedValues | undefined, mediaType = 'application/json') => ({
    [mediaType]: {
      schema: schema ?? { type: 'object' as const },
      ...(named && { examples: mapValues(named, (value) => ({ value })) }),
    },
  })
  const inPath = Object.fromEntries(
    pathParameters(path).map(({ segment, name }) => [
      name,
      z.string().meta({ description: description.parameters[segment] }),
    ]),
  )
  const note = description.noteOf(route)
  const refused = description.refusalsOf(route).filter((name) => name !== false)
  const responseTo = (name: RefusalName) => ({ $ref: `#/components/responses/${componentOf(name)}` })
  return {
    summary,
    description: `${summary}.${note === undefined ? '' : ` ${note}`}`,
    tags: [description.tagOf(path)],
    ...sourceFields(source),
    security: description.securityOf(operation),
    requestParams: { path: z.object(inPath), ...(query && { query }), ...(headers && { header: headers }) },
    ...(body && {
      requestBody: { required: bodyRequired ?? !body.safeParse({}).success, content: content(body, examples?.body) },
    }),
    responses: {
      [status]: {
        description: 'Success',
        content: content(response && description.successBody(response), examples?.response, operation.mediaType),
      },
      ...Object.fromEntries(refused.map((name) => [refusals[name].status, responseTo(name)])),
    },
  }
}

interface Parameter {
  description?: string
  schema?: { description?: string }
}

/**
 * The operations of a path, with the description of a parameter beside its schema. The library leaves it in the schema,
 * and copies it only from the outermost one: not from within an `optional`.
 */
const describeParameters = (item: object): object =>
  mapValues(item as Record<string, { parameters?: Parameter[] }>, ({ parameters = [], ...operation }) => ({
    ...operation,
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ schema: { description, ...schema } = {}, ...parameter }) => ({
        ...parameter,
        ...(description !== undefined && { description }),
        schema,
      })),
    }),
  }))

const mapValues = <A, B>(object: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
