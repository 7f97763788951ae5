import { listPage, payload } from '../../emulator/serving/envelope.js'
import type { Response } from '../../emulator/serving/response.js'
import { route } from '../../emulator/serving/route.js'
import type { World } from '../../emulator/world/world.js'
import { jsonBody } from '../../foundation/http/json-body.js'
import type { Request } from '../../foundation/http/request.js'
import { listOf, pageQuery } from '../../foundation/http/resource-schemas.js'
import { authenticate, type Caller } from '../authentication/authenticate.js'
import { createBody, deletedElement, elementSchema, updateBody } from './element-schemas.js'
import { createElement, deleteElement, findElement, updateElement } from './elements.js'
import { presentElement } from './present-element.js'
import { readSearch, type Search, searchFields } from './search.js'

const elementPage = listOf(elementSchema)

function searchPage(world: World, request: Request, caller: Caller, { filter, matches, warnings }: Search): Response {
  const elements = world.store.elements.in('organization', caller.organization)
  const list = { organization: caller.organization, filter }
  const found = listPage(world, request, list, elements, (element) => presentElement(world, element), matches)
  return { ...found, notes: { ...found.notes, warnings } }
}

/** spec: §4.2 to §4.7, wire: §3 */
export const elementRoutes = [
  route(
    'GET',
    '/v0/elements',
    {
      id: 'listElements',
      summary: 'List elements',
      source: 'spec: §4.2',
      scope: 'elements:read',
      query: pageQuery,
      answer: elementPage,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'elements:read')
      const elements = world.store.elements.in('organization', caller.organization)
      return listPage(world, request, caller, elements, (element) => presentElement(world, element))
    },
  ),
  route(
    'POST',
    '/v0/elements',
    {
      id: 'createElement',
      summary: 'Create an element',
      source: 'spec: §4.3',
      scope: null,
      body: createBody,
      answer: elementSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, null)
      const { element, warnings } = createElement(world, caller, jsonBody(request))
      return payload(presentElement(world, element), warnings)
    },
  ),
  route(
    'GET',
    '/v0/elements/search',
    {
      id: 'searchElements',
      summary: 'Search elements',
      source: 'spec: §4.7',
      scope: 'elements:read',
      query: pageQuery.extend(searchFields.shape),
      readsBody: true,
      answer: elementPage,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'elements:read')
      return searchPage(world, request, caller, readSearch(world, jsonBody(request), request.query))
    },
  ),
  route(
    'POST',
    '/v0/elements/search',
    {
      id: 'searchElementsByBody',
      summary: 'Search elements',
      source: 'spec: §4.7',
      scope: 'elements:read',
      query: pageQuery,
      body: searchFields,
      answer: elementPage,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'elements:read')
      return searchPage(world, request, caller, readSearch(world, jsonBody(request), undefined))
    },
  ),
  route(
    'GET',
    '/v0/elements/:id',
    {
      id: 'retrieveElement',
      summary: 'Retrieve an element',
      source: 'spec: §4.4',
      scope: 'elements:read',
      answer: elementSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, 'elements:read')
      return payload(presentElement(world, findElement(world, caller, request.params.id)))
    },
  ),
  route(
    ['PUT', 'PATCH'],
    '/v0/elements/:id',
    {
      id: 'updateElement',
      summary: 'Update an element',
      source: 'spec: §4.5',
      scope: null,
      body: updateBody,
      answer: elementSchema,
    },
    (world, request) => {
      const caller = authenticate(world, request, null)
      const body = jsonBody(request)
      const { element, warnings } = updateElement(world, findElement(world, caller, request.params.id), body)
      return payload(presentElement(world, element), warnings)
    },
  ),
  route(
    'DELETE',
    '/v0/elements/:id',
    {
      id: 'deleteElement',
      summary: 'Delete an element',
      source: 'spec: §4.6',
      scope: null,
      answer: deletedElement,
    },
    (world, request) => {
      const caller = authenticate(world, request, null)
      const element = findElement(world, caller, request.params.id)
      deleteElement(world, element)
      return payload({ id: element.id, object: 'element', deleted: true })
    },
  ),
]
