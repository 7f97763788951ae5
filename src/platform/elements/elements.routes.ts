import { listPage, payload } from '../../emulator/serving/envelope.js'
import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { apiRoute, type Caller } from '../authentication/authenticate.js'
import { forCreate, forUpdate } from './element-body.js'
import { createBody, deletedElement, elementSchema, updateBody } from './element-schemas.js'
import { createElement, deleteElement, findElement, presentElement, updateElement } from './elements.js'
import { readSearch, type Search, searchFields } from './search.js'

const reading = { scope: 'elements:read', response: elementSchema } as const
const listing = { ...reading, query: pageQuery, response: listOf(elementSchema) }
/** spec: §5.2.4. No install token is enough. */
const writing = { scope: null, response: elementSchema } as const

const elementPage = (world: World, request: Request, caller: Caller, search?: Search): Response =>
  listPage(world, request, caller, {
    filter: search?.filter,
    records: world.store.elements.in('organization', caller.organization),
    present: (element) => presentElement(world, element),
    includes: search?.matches,
  })

const searching = {
  ...listing,
  summary: 'Search elements',
  source: 'spec: §4.7',
  fields: Object.keys(searchFields.shape),
}

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
  search: { ...searching, id: 'searchElements', query: pageQuery.extend(searchFields.shape), readsBody: true },
  searchByBody: { ...searching, id: 'searchElementsByBody', body: searchFields },
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
  apiRoute('DELETE', '/v0/elements/:id', operations.remove, (world, { params: { id } }, caller) => {
    deleteElement(world, findElement(world, caller, id))
    return payload({ id, object: 'element', deleted: true })
  }),
]
