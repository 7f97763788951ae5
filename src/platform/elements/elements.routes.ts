import * as z from 'zod'
import { listPage, payload } from '../../emulator/serving/envelope.js'
import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { belowPrefix, readBySchema } from '../../foundation/schema/issue.js'
import { apiRoute, type Caller } from '../authentication/authenticate.js'
import { forCreate, forUpdate, jsonObject } from './element-body.js'
import type { ElementRecord } from './element-record.js'
import { createBody, deletedElement, elementSchema, updateBody } from './element-schemas.js'
import { createElement, deleteElement, findElement, presentElement, updateElement } from './elements.js'
import { text } from './fields.js'
import { readType, wireTypeSchema } from './type-names.js'

/** spec: §4.7 */
const searchFields = z.object({
  q: text.optional().describe('A part of the name, in any case'),
  type: wireTypeSchema.optional(),
})

/**
 * Reads the query of a search; `q` and `type` combine. wire: §3 "Search"
 * @param body a JSON value, undefined when none was sent.
 * @param query of a GET, where it may replace a body.
 * @throws Refusal 400
 */
function readSearch(world: Pick<World, 'settings'>, body: unknown, query: URLSearchParams | undefined) {
  const asked = { ...jsonObject(body) }
  for (const field of ['q', 'type']) {
    const value = query?.get(field)
    if (value != null) asked[field] = value
  }

  const { data, issues: found = [] } = readBySchema(searchFields, asked)
  const issues = belowPrefix(found)
  const type = typeof asked.type === 'string' ? readType(world, asked.type, issues) : undefined
  if (issues.length > 0) throw invalid(issues)

  const part = withoutCase(data?.q ?? '')
  return {
    filter: { q: part || null, type: type ?? null },
    matches: (element: ElementRecord) =>
      (type === undefined || element.type === type) && (part === '' || withoutCase(element.name).includes(part)),
  }
}

/** Lower case alone depends on the place in a word: Σ becomes ς at its end and σ before other letters. */
const withoutCase = (text: string): string => text.toLowerCase().toUpperCase()

const reading = { scope: 'elements:read', response: elementSchema } as const
const listing = { ...reading, query: pageQuery, response: listOf(elementSchema) }
/** spec: §5.2.4. No install token is enough. */
const writing = { scope: null, response: elementSchema } as const

const elementPage = (
  world: World,
  request: Request,
  caller: Caller,
  search?: ReturnType<typeof readSearch>,
): Response =>
  listPage(world, request, caller, {
    filter: search?.filter,
    records: world.store.elements.in('organization', caller.organization),
    present: (element) => presentElement(world, element),
    includes: search?.matches,
  })

const searchFieldNames = Object.keys(searchFields.shape)

const operations = {
  list: { ...listing, id: 'listElements', summary: 'List elements', source: 'spec: §4.2' },
  create: {
    ...writing,
    id: 'createElement',
    summary: 'Create an element',
    source: 'spec: §4.3',
    body: createBody,
    fields: forCreate.known,
  },
  search: {
    ...listing,
    id: 'searchElements',
    summary: 'Search elements',
    source: 'spec: §4.7',
    query: pageQuery.extend(searchFields.shape),
    readsBody: true,
    fields: searchFieldNames,
  },
  searchByBody: {
    ...listing,
    id: 'searchElementsByBody',
    summary: 'Search elements',
    source: 'spec: §4.7',
    body: searchFields,
    fields: searchFieldNames,
  },
  retrieve: { ...reading, id: 'retrieveElement', summary: 'Retrieve an element', source: 'spec: §4.4' },
  update: {
    ...writing,
    id: 'updateElement',
    summary: 'Update an element',
    source: 'spec: §4.5',
    body: updateBody,
    fields: forUpdate.known,
  },
  remove: {
    ...writing,
    id: 'deleteElement',
    summary: 'Delete an element',
    source: 'spec: §4.6',
    response: deletedElement,
  },
}

/** spec: §4.2 to §4.7, wire: §3 */
export const elementRoutes = [
  apiRoute('GET', '/v0/elements', operations.list, (world, request, caller) => elementPage(world, request, caller)),
  apiRoute('POST', '/v0/elements', operations.create, (world, _, caller, body) =>
    payload(presentElement(world, createElement(world, caller, body))),
  ),
  apiRoute('GET', '/v0/elements/search', operations.search, (world, request, caller, body) =>
    elementPage(world, request, caller, readSearch(world, body, request.query)),
  ),
  apiRoute('POST', '/v0/elements/search', operations.searchByBody, (world, request, caller, body) =>
    elementPage(world, request, caller, readSearch(world, body, undefined)),
  ),
  apiRoute('GET', '/v0/elements/:id', operations.retrieve, (world, { params }, caller) =>
    payload(presentElement(world, findElement(world, caller, params.id))),
  ),
  apiRoute(['PUT', 'PATCH'], '/v0/elements/:id', operations.update, (world, { params }, caller, body) =>
    payload(presentElement(world, updateElement(world, findElement(world, caller, params.id), body))),
  ),
  apiRoute('DELETE', '/v0/elements/:id', operations.remove, (world, { params }, caller) => {
    const element = findElement(world, caller, params.id)
    deleteElement(world, element)
    return payload({ id: element.id, object: 'element', deleted: true })
  }),
]
