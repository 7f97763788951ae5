import { elementTypeNames } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { isElementType } from '../../platform/elements/element-types.js'
import { payloadOf, read, type Shown } from './pages.js'
import { type PlatformCall, type PlatformClient, PlatformFailure, type PlatformResponse } from './platform-client.js'
import { type ExpectedRefusal, refusalsFor } from './refusals.js'
import { typeNameProbes } from './type-names.js'

/** A request to the platform, and the response. */
export interface PlatformExchange {
  /** `GET /v0/courses/{id}`: the route, without ids. */
  where: string
  response: PlatformResponse
}

/** A success, and the resources that it shows. */
export interface ResourceExchange extends PlatformExchange {
  /** The component of the OpenAPI document that each of `items` is. */
  component: string
  items: Shown[]
}

export interface ListExchange extends ResourceExchange {
  /** From 0 on. */
  page: number
  /** Undefined when the payload is not a list that can be followed. */
  next: string | null | undefined
  filter: Filter | undefined
}

/** The condition that every item of a filtered list must meet. */
interface Filter {
  says: string
  source: string
  keeps(item: Shown): boolean
}

/** Every exchange that the checks look at. */
export interface Evidence {
  lists: ListExchange[]
  resources: ResourceExchange[]
  refused: (PlatformExchange & { refusal: ExpectedRefusal })[]
  described: PlatformExchange
  /** 429s that were waited for. */
  limited: Pick<PlatformResponse, 'status' | 'headers'>[]
}

interface ListRequest {
  where: string
  path: string
  component: string
  query?: Record<string, string>
  filter?: Filter
}

/** Pages that are read of one list: enough to see an order, and for most lists the end. */
const PAGES = 4
const SAMPLES = 3
const UNKNOWN = 'mockademy-unknown'

const components = ['Course', 'Module', 'Element', 'Member', 'Activity'] as const
type Found = Record<(typeof components)[number], Shown[]>

const topPath = (component: string) => `/v0/${component === 'Activity' ? 'activities' : `${component.toLowerCase()}s`}`

/**
 * Asks the platform whatever the checks need, with requests that change nothing: GETs, and requests that must be refused.
 * @param token an access token, to compare the response to a missing scope.
 * @throws PlatformFailure 1 when the platform cannot be reached or does not accept the key or the token.
 */
export async function gatherEvidence(
  client: PlatformClient,
  token: string | undefined,
  onAsk: (where: string) => void,
) {
  const lists: ListExchange[] = []
  const resources: ResourceExchange[] = []
  const ask = async (where: string, path: string, call?: PlatformCall): Promise<PlatformExchange> => {
    onAsk(where)
    return { where, response: await client.request(path, call) }
  }
  const readList = async ({ where, path, component, query = {}, filter }: ListRequest): Promise<Shown[]> => {
    const all: Shown[] = []
    for (let page = 0, cursor: string | null | undefined = null; page < PAGES; page++) {
      const exchange = await ask(where, path, { query: { ...query, ...(cursor && { page: cursor }) } })
      const list = listIn(exchange, component, page, filter)
      lists.push(list)
      all.push(...list.items)
      cursor = list.next
      if (!cursor) break
    }
    return all
  }
  const readOne = async (where: string, path: string, component: string) => {
    const exchange = await ask(where, path)
    const payload = payloadOf(exchange.response)
    resources.push({ ...exchange, component, items: isObject(payload) ? [payload] : [] })
  }

  const found = {} as Found
  for (const component of components) {
    const path = topPath(component)
    found[component] = await readList({ where: `GET ${path}`, path, component })
    const [first] = idsOf(found[component])
    if (first !== undefined) await readOne(`GET ${path}/{id}`, `${path}/${encodeURIComponent(first)}`, component)
  }
  // A platform that differs still shows a list. Where there is none, the address or the key is wrong, or the platform is down.
  const [first] = lists
  const isPlatform = lists.some(({ response: { status, body } }) => status === 200 && isObject(body))
  if (first && !isPlatform) read('/v0/courses', first.response)

  for (const type of elementTypeNames.filter((name) => !found.Element.some((element) => element.type === name))) {
    const exchange = await ask('GET /v0/elements/search', '/v0/elements/search', { query: { type } })
    // Another check reports elements of unknown types.
    const keeps = (item: Shown) => item.type === type || !isElementType(item.type)
    const filter = { says: 'only elements of the type', source: 'spec: §4.7', keeps }
    // A type that goes by another name there is refused, which is no difference of the search.
    if (exchange.response.status !== 400) lists.push(listIn(exchange, 'Element', 0, filter))
  }
  for (const list of filteredLists(found)) await readList(list)

  let isMemberRead = false
  for (const course of idsOf(found.Course).slice(0, SAMPLES)) {
    const path = `/v0/courses/${encodeURIComponent(course)}/members`
    const [member] = idsOf(await readList({ where: 'GET /v0/courses/{id}/members', path, component: 'CourseMember' }))
    if (member === undefined || isMemberRead) continue
    await readOne('GET /v0/courses/{id}/members/{member}', `${path}/${encodeURIComponent(member)}`, 'CourseMember')
    isMemberRead = true
  }

  const refused: Evidence['refused'] = []
  for (const refusal of refusalsFor(token)) {
    const where = `${refusal.call.method ?? 'GET'} ${refusal.route}`
    refused.push({ refusal, ...(await ask(where, refusal.path, refusal.call)) })
  }
  const withToken = refused.filter(({ refusal }) => refusal.mayPass)
  if (withToken.length > 0 && withToken.every(({ response }) => response.status === 401)) {
    throw new PlatformFailure(1, `${withToken[0]?.where} returned status 401: the token was rejected; has it expired?`)
  }
  const { path, call } = typeNameProbes.described
  return { lists, resources, refused, described: await ask(`GET ${path}`, path, call) }
}

const idsOf = (items: Shown[]): string[] => items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))

function listIn(exchange: PlatformExchange, component: string, page: number, filter: Filter | undefined): ListExchange {
  const payload = payloadOf(exchange.response)
  const { data, next } = isObject(payload) ? payload : {}
  const isList = Array.isArray(data) && (next === null || typeof next === 'string')
  const items = Array.isArray(data) ? data.filter(isObject) : []
  return { ...exchange, component, page, items, next: isList ? next : undefined, filter }
}

/** The filters of lists, each with a value that something has and with one that nothing has. wire: §3 */
function* filteredLists({ Module, Activity, Element }: Found): Generator<ListRequest> {
  const course = Module.find((module) => typeof module.course === 'string')?.course
  if (typeof course === 'string') {
    const keeps = (item: Shown) => item.course === course
    const filter = { says: 'only modules of the course', source: 'wire: §3', keeps }
    const where = 'GET /v0/modules?course={course}'
    yield* withUnknown({ where, path: '/v0/modules', component: 'Module', query: { course }, filter })
  }
  const { member, context } = Activity.find((one) => idOf(one.member) && idOf(one.context)) ?? {}
  const [id, element] = [idOf(member), idOf(context)]
  if (id !== undefined && element !== undefined) {
    const keeps = (item: Shown) =>
      [item.member, ...(Array.isArray(item.members) ? item.members : [])].some((one) => idOf(one) === id)
    yield* withUnknown({
      where: 'GET /v0/elements/{id}/activities?member={member}',
      path: `/v0/elements/${encodeURIComponent(element)}/activities`,
      component: 'Activity',
      query: { member: id },
      filter: { says: 'only activities of the member', source: 'spec: §4.1', keeps },
    })
  }
  const named = Element.find(({ name }) => typeof name === 'string' && name.length > 1)
  if (named) {
    const q = String(named.name).slice(1, 20).toUpperCase()
    const says = 'only elements whose name contains it, ignoring case'
    const keeps = ({ name }: Shown) => typeof name === 'string' && name.toUpperCase().includes(q)
    const path = '/v0/elements/search'
    const filter = { says, source: 'spec: §4.7', keeps }
    yield { where: `GET ${path}?q={q}`, path, component: 'Element', query: { q }, filter }
  }
}

const idOf = (value: unknown) => (isObject(value) && typeof value.id === 'string' ? value.id : undefined)

function* withUnknown(list: ListRequest): Generator<ListRequest> {
  yield list
  const query = Object.fromEntries(Object.keys(list.query ?? {}).map((name) => [name, UNKNOWN]))
  const says = 'an empty list for an unknown one'
  yield { ...list, query, filter: { says, source: 'wire: §2 "404 or 400"', keeps: () => false } }
}
