import { elementTypeNames } from '../../emulator/world/element-type-names.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { isElementType } from '../../platform/elements/element-types.js'
import { payloadOf, type Shown } from './pages.js'
import type { Answer, PlatformCall, PlatformClient } from './platform-client.js'
import { PlatformFailure } from './platform-failure.js'
import { typeNameProbes } from './platform-type-names.js'
import { type ExpectedRefusal, refusalsFor } from './refusals.js'

/** A request that was made of the platform, and what it answered. */
export interface PlatformExchange {
  /** `GET /v0/courses/{id}`: the route, without ids. */
  where: string
  answer: Answer
}

/** A success, and the resources that it shows. */
export interface ResourceExchange extends PlatformExchange {
  /** The component of the OpenAPI document that each of `items` is. */
  component: string
  items: Shown[]
}

export interface ListExchange extends ResourceExchange {
  /** Which page of its list it is, from 0 on. */
  page: number
  /** Undefined when the payload is not a list that can be followed. */
  next: string | null | undefined
  /** What every item must be like, where a filter was given. */
  filter?: { says: string; source: string; keeps: (item: Shown) => boolean; empty?: boolean }
}

/** Everything that the checks judge. */
export interface Evidence {
  lists: ListExchange[]
  resources: ResourceExchange[]
  refused: { refusal: ExpectedRefusal; where: string; answer: Answer }[]
  described: PlatformExchange
  /** 429s that were waited for. */
  limited: Pick<Answer, 'status' | 'headers'>[]
  /** `GET` of the discovery document and JWKS, when an issuer is given. */
  discovery?: PlatformExchange | undefined
  jwks?: PlatformExchange | undefined
}

/** Pages that are read of one list: enough to see an order, and for most lists the end. */
const PAGES = 4
const SAMPLES = 3

const topLists = [
  { path: '/v0/courses', component: 'Course' },
  { path: '/v0/modules', component: 'Module' },
  { path: '/v0/elements', component: 'Element' },
  { path: '/v0/members', component: 'Member' },
  { path: '/v0/activities', component: 'Activity' },
] as const

/**
 * Asks the platform whatever the checks need, with requests that change nothing: GETs, and requests that must be refused.
 * @param token an access token, to see what a missing scope is answered with.
 * @throws PlatformFailure 1 when the platform cannot be reached or does not accept the key.
 */
export async function gatherEvidence(
  client: PlatformClient,
  {
    token,
    limited,
    onAsk,
  }: { token: string | undefined; limited: Evidence['limited']; onAsk: (where: string) => void },
): Promise<Omit<Evidence, 'discovery' | 'jwks'>> {
  const lists: ListExchange[] = []
  const resources: ResourceExchange[] = []
  const ask = (where: string, path: string, call?: PlatformCall) => {
    onAsk(where)
    return client.request(path, call)
  }

  /** Some pages of a list; the items of all of them. */
  const readList = async (
    where: string,
    path: string,
    component: string,
    more: { query?: Record<string, string>; filter?: ListExchange['filter'] } = {},
  ): Promise<Shown[]> => {
    const all: Shown[] = []
    const query = more.query ?? {}
    for (let page = 0, cursor: string | null = null; page < PAGES; page++) {
      const answer: Answer = await ask(where, path, { query: { ...query, ...(cursor !== null && { page: cursor }) } })
      const exchange = listExchange({ where, answer, component, page }, more.filter)
      lists.push(exchange)
      all.push(...exchange.items)
      if (!exchange.next) break
      cursor = exchange.next
    }
    return all
  }

  const found: Record<string, Shown[]> = {}
  for (const { path, component } of topLists) {
    found[component] = await readList(`GET ${path}`, path, component)
    if (lists.length === 1 && lists[0]?.answer.status === 401) {
      throw new PlatformFailure(1, 'GET /v0/courses returned status 401: the credential was rejected')
    }
    const [first] = idsOf(found[component])
    if (first === undefined) continue
    const where = `GET ${path}/{id}`
    const answer = await ask(where, `${path}/${encodeURIComponent(first)}`)
    resources.push({ where, answer, component, items: itemsOf(payloadOf(answer)) })
  }

  for (const type of elementTypeNames) {
    if (found.Element?.some((element) => element.type === type)) continue
    const answer = await ask('GET /v0/elements/search', '/v0/elements/search', { query: { type } })
    // A type that goes by another name there is refused, which is no difference of the search.
    if (answer.status === 400) continue
    const says = 'only elements of the type'
    const filter = { says, source: 'spec: §4.7', keeps: ofType(type) }
    lists.push(listExchange({ where: 'GET /v0/elements/search', answer, component: 'Element', page: 0 }, filter))
  }

  await readFiltered(found, readList)
  for (const course of idsOf(found.Course).slice(0, SAMPLES)) {
    const path = `/v0/courses/${encodeURIComponent(course)}/members`
    const members = await readList('GET /v0/courses/{id}/members', path, 'CourseMember')
    const [member] = idsOf(members)
    const where = 'GET /v0/courses/{id}/members/{member}'
    if (member === undefined || resources.some((resource) => resource.where === where)) continue
    const answer = await ask(where, `${path}/${encodeURIComponent(member)}`)
    resources.push({ where, answer, component: 'CourseMember', items: itemsOf(payloadOf(answer)) })
  }

  const refused: Evidence['refused'] = []
  for (const refusal of refusalsFor({ token })) {
    const where = `${refusal.call.method ?? 'GET'} ${refusal.route ?? refusal.path}`
    const answer = await ask(where, refusal.path, refusal.call)
    refused.push({ refusal, where, answer })
  }
  const { path, call } = typeNameProbes.described
  return {
    lists,
    resources,
    refused,
    described: { where: `GET ${path}`, answer: await ask(`GET ${path}`, path, call) },
    limited,
  }
}

/** An element of a type that nobody knows is another check's business. */
const ofType = (type: string) => (item: Shown) => item.type === type || !isElementType(item.type)

type ReadList = (
  where: string,
  path: string,
  component: string,
  more?: { query?: Record<string, string>; filter?: ListExchange['filter'] },
) => Promise<Shown[]>

/** The filters of lists, each with a value that something has and with one that nothing has. wire: §3 */
async function readFiltered(found: Record<string, Shown[]>, readList: ReadList): Promise<void> {
  const filtered = async (
    path: string,
    {
      at,
      component,
      source,
      query,
      says,
      keeps,
    }: {
      at: string
      component: string
      source: string
      query: Record<string, string>
      says: string
      keeps: (item: Shown) => boolean
    },
  ) => {
    await readList(`GET ${path}`, at, component, { query, filter: { says, source, keeps } })
    const none = Object.fromEntries(Object.keys(query).map((name) => [name, 'mockademy-unknown']))
    const empty = {
      says: 'an empty list for an unknown one',
      source: 'wire: §2 "404 or 400"',
      keeps: () => false,
      empty: true,
    }
    await readList(`GET ${path}`, at, component, { query: none, filter: empty })
  }
  const [course] = (found.Module ?? []).flatMap(({ course }) => (typeof course === 'string' ? [course] : []))
  if (course !== undefined) {
    await filtered('/v0/modules?course={course}', {
      at: '/v0/modules',
      component: 'Module',
      source: 'wire: §3',
      query: { course },
      says: 'only modules of the course',
      keeps: (item) => item.course === course,
    })
  }
  const activity = (found.Activity ?? []).find(({ member, context }) => isObject(member) && isObject(context))
  const { member, context } = activity ?? {}
  if (isObject(member) && isObject(context) && typeof member.id === 'string' && typeof context.id === 'string') {
    const { id } = member
    await filtered('/v0/elements/{id}/activities?member={member}', {
      at: `/v0/elements/${encodeURIComponent(context.id)}/activities`,
      component: 'Activity',
      source: 'spec: §4.1',
      query: { member: id },
      says: 'only activities of the member',
      keeps: (item) =>
        [item.member, ...(Array.isArray(item.members) ? item.members : [])].some(
          (one) => isObject(one) && one.id === id,
        ),
    })
  }
  const named = (found.Element ?? []).find(({ name }) => typeof name === 'string' && name.length > 1)
  if (typeof named?.name === 'string') {
    const part = named.name.slice(1, 20).toUpperCase()
    await readList('GET /v0/elements/search?q={q}', '/v0/elements/search', 'Element', {
      query: { q: part },
      filter: {
        says: 'only elements whose name contains it, ignoring case',
        source: 'spec: §4.7',
        keeps: ({ name }) => typeof name === 'string' && name.toUpperCase().includes(part),
      },
    })
  }
}

const idsOf = (items: Shown[] = []): string[] => items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
const itemsOf = (payload: unknown): Shown[] => (isObject(payload) ? [payload] : [])

function listExchange(
  exchange: Pick<ListExchange, 'where' | 'answer' | 'component' | 'page'>,
  filter: ListExchange['filter'],
): ListExchange {
  const payload = payloadOf(exchange.answer)
  const { data, next } = isObject(payload) ? payload : {}
  return {
    ...exchange,
    items: Array.isArray(data) ? data.filter(isObject) : [],
    next: Array.isArray(data) && (next === null || typeof next === 'string') ? next : undefined,
    ...(filter && { filter }),
  }
}
