import { elementTypeNames } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { isElementType } from '../../platform/elements/element-types.js'
import { payloadOf, payloadOrThrow, type Shown } from './pages.js'
import { type PlatformCall, type PlatformClient, PlatformFailure, type PlatformResponse } from './platform-client.js'
import { type ExpectedRefusal, refusalsFor } from './refusals.js'

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
export type Evidence = Awaited<ReturnType<typeof gatherEvidence>>

interface ListRequest {
  route: string
  ids?: string[]
  component: string
  query?: Record<string, string>
  filter?: Filter
}

/** Pages that are read of one list: enough to see an order, and for most lists the end. */
const PAGES = 4
const SAMPLES = 3
const UNKNOWN = 'mockademy-unknown'

/** The lists of `/v0`, and the components that their items are. */
const kinds = { courses: 'Course', modules: 'Module', elements: 'Element', members: 'Member', activities: 'Activity' }
type Samples = Record<keyof typeof kinds, Shown[]>

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
  const lists: ListExchange[][] = []
  const resources: ResourceExchange[] = []

  async function ask(route: string, call: PlatformCall = {}, ...ids: string[]): Promise<PlatformExchange> {
    const where = `${call.method ?? 'GET'} ${route}`
    onAsk(where)
    const path = route.replace(/[? ].*/, '').replace(/{\w+}/g, () => encodeURIComponent(ids.shift() ?? UNKNOWN))
    return { where, response: await client.request(path, call) }
  }

  async function readList({ route, ids = [], component, query, filter }: ListRequest): Promise<Shown[]> {
    const pages: ListExchange[] = []
    let page: string | null | undefined
    do {
      const exchange = await ask(route, { query: { ...query, ...(page && { page }) } }, ...ids)
      pages.push(listIn(exchange, component, filter))
      page = pages.at(-1)?.next
    } while (page && pages.length < PAGES)
    lists.push(pages)
    return pages.flatMap(({ items }) => items)
  }

  async function readOne(route: string, component: string, ...ids: string[]): Promise<void> {
    const exchange = await ask(route, {}, ...ids)
    const payload = payloadOf(exchange.response)
    resources.push({ ...exchange, component, items: isObject(payload) ? [payload] : [] })
  }

  const found = {} as Samples
  for (const [list, component] of Object.entries(kinds)) {
    const items = await readList({ route: `/v0/${list}`, component })
    const [id] = sentIds(items)
    if (id !== undefined) await readOne(`/v0/${list}/{id}`, component, id)
    found[list as keyof Samples] = items
  }
  // A platform that differs still shows a list. Where there is none, `payloadOrThrow` throws the cause: the address, the key, or a
  // platform that is down.
  const responses = lists.flat().map(({ response }) => response)
  const isPlatform = responses.some(({ status, body }) => status === 200 && isObject(body))
  if (responses[0] && !isPlatform) payloadOrThrow('/v0/courses', responses[0])

  for (const type of elementTypeNames.filter((name) => !found.elements.some((element) => element.type === name))) {
    const exchange = await ask('/v0/elements/search', { query: { type } })
    // Another check reports elements of unknown types.
    const keeps = (item: Shown) => item.type === type || !isElementType(item.type)
    const filter = { says: 'only elements of the type', source: 'spec: §4.7', keeps }
    // A type that goes by another name there is refused, which is no difference of the search.
    if (exchange.response.status !== 400) lists.push([listIn(exchange, 'Element', filter)])
  }
  for (const list of filteredLists(found)) await readList(list)

  const component = 'CourseMember'
  for (const course of sentIds(found.courses).slice(0, SAMPLES)) {
    const [member] = sentIds(await readList({ route: '/v0/courses/{id}/members', ids: [course], component }))
    if (member === undefined || resources.some((one) => one.component === component)) continue
    await readOne('/v0/courses/{id}/members/{member}', component, course, member)
  }

  const refused: (PlatformExchange & { refusal: ExpectedRefusal })[] = []
  for (const each of refusalsFor(token)) refused.push({ refusal: each, ...(await ask(each.route, each.call)) })
  const withToken = refused.filter(({ refusal }) => refusal.mayPass)
  if (withToken.length > 0 && withToken.every(({ response }) => response.status === 401)) {
    throw new PlatformFailure(1, `${withToken[0]?.where} returned status 401: the token was rejected; has it expired?`)
  }
  const described = await ask('/v0/openapi.json', { credential: null })
  return { lists, resources, refused, described, limited: client.limited }
}

/** Returns the exchanges that should be successes. */
export const successful = ({ lists, resources }: Evidence): ResourceExchange[] => [...lists.flat(), ...resources]

const sentIds = (items: Shown[]): string[] => items.flatMap((item) => sentId(item) ?? [])

const sentId = (value: unknown) => (isObject(value) && typeof value.id === 'string' ? value.id : undefined)

function listIn(exchange: PlatformExchange, component: string, filter: Filter | undefined): ListExchange {
  const payload = payloadOf(exchange.response)
  const { data, next } = isObject(payload) ? payload : {}
  const isList = Array.isArray(data) && (next === null || typeof next === 'string')
  const items = Array.isArray(data) ? data.filter(isObject) : []
  return { ...exchange, component, items, next: isList ? next : undefined, filter }
}

/** Yields the filters of lists, each with a value that something has and with one that nothing has. wire: §3 */
function* filteredLists({ modules, activities, elements }: Samples): Generator<ListRequest> {
  const course = modules.map((module) => module.course).find((id) => typeof id === 'string')
  if (course !== undefined) {
    const keeps = (item: Shown) => item.course === course
    const filter = { says: 'only modules of the course', source: 'wire: §3', keeps }
    yield* withUnknown({ route: '/v0/modules?course={course}', component: 'Module', query: { course }, filter })
  }
  const { member, context } = activities.find((one) => sentId(one.member) && sentId(one.context)) ?? {}
  const [id, element] = [sentId(member), sentId(context)]
  if (id !== undefined && element !== undefined) {
    const keeps = (item: Shown) =>
      [item.member, ...(Array.isArray(item.members) ? item.members : [])].some((one) => sentId(one) === id)
    yield* withUnknown({
      route: '/v0/elements/{id}/activities?member={member}',
      ids: [element],
      component: 'Activity',
      query: { member: id },
      filter: { says: 'only activities of the member', source: 'spec: §4.1', keeps },
    })
  }
  const name = elements.map((each) => each.name).find((text) => typeof text === 'string' && text.length > 1)
  if (typeof name === 'string') {
    const q = name.slice(1, 20).toUpperCase()
    const says = 'only elements whose name contains it, ignoring case'
    const keeps = (item: Shown) => typeof item.name === 'string' && item.name.toUpperCase().includes(q)
    const filter = { says, source: 'spec: §4.7', keeps }
    yield { route: '/v0/elements/search?q={q}', component: 'Element', query: { q }, filter }
  }
}

function* withUnknown(list: ListRequest): Generator<ListRequest> {
  yield list
  const query = Object.fromEntries(Object.keys(list.query ?? {}).map((name) => [name, UNKNOWN]))
  const says = 'an empty list for an unknown one'
  yield { ...list, query, filter: { says, source: 'wire: §2 "404 or 400"', keeps: () => false } }
}
