import type { OpenExchange, RespondFreely } from '../serving/respond.js'
import type { Response } from '../serving/response.js'
import { type SerialisedResponse, serialise } from '../serving/send.js'
import type { RequestContext } from '../serving/surface.js'
import { type Match, matchRoute } from '../serving/surface-routes.js'
import type { Forms } from '../world/forms.js'
import { type LibertyName, libertiesOf } from '../world/liberty-names.js'
import type { Liberties } from '../world/parts.js'
import type { World } from '../world/world.js'
import { freeWorld } from './free-world.js'
import type { LibertiesRecord } from './liberties-record.js'
import { libertyTable } from './liberty-table.js'
import { type InForce, Subject } from './subject.js'
import { isFirstInstall } from './weather.js'

/** The id of the one record of a control call. */
export const LIBERTIES = 'liberties'

/** The operation whose response says what is free, and is not. */
const DOCUMENT = 'getOpenApiDocument'

/** Creates the liberties of a world, and what responds to requests while some are in force. */
export function createLiberties(getWorld: () => World): Liberties & { respondFreely(): RespondFreely | undefined } {
  const numbers = new Map<string, number>()
  /** Operations and organizations whose last request met weather. */
  const stormy = new Set<string>()
  const taken = new Map<LibertyName, number>()
  const firstTouched = new Map<LibertyName, string>()
  let latest: { record: LibertiesRecord | undefined; settings: World['settings']; inForce: InForce } | undefined

  const chosen = ({ settings }: World, record: LibertiesRecord | undefined) => ({
    seed: (record ? record.seed : settings.liberties) || null,
    kinds: record?.kinds ?? settings.liberty_kinds,
  })

  function inForce(world: World): InForce | undefined {
    const { settings } = world
    const record = world.store.liberties.get(LIBERTIES)
    if (!record && !settings.liberties) return undefined
    if (latest?.record === record && latest?.settings === settings) return latest?.inForce
    const { seed, kinds } = chosen(world, record)
    if (seed === null) return undefined
    const all = libertiesOf(kinds)
    const names = (Object.keys(libertyTable) as LibertyName[]).filter((name) => all.has(name))
    latest = { record, settings, inForce: { seed, names } }
    return latest.inForce
  }

  function begin(force: InForce, about: Omit<Subject['about'], 'world'>): Subject {
    const key = `${about.operation} ${about.organization}`
    const number = numbers.get(key) ?? 0
    numbers.set(key, number + 1)
    return new Subject(force, { world: getWorld(), ...about }, number)
  }

  function count(subject: Subject, describe: () => string): void {
    for (const name of subject.taken) {
      taken.set(name, (taken.get(name) ?? 0) + 1)
      if (!firstTouched.has(name)) firstTouched.set(name, describe())
    }
  }

  /** Returns what writes the events that an exchange causes. */
  function eventsOf({ inForce, about: { organization, app }, taken }: Subject): Forms['event'] {
    return (envelope) => {
      const event = begin(inForce, { context: undefined, operation: `event ${envelope.type}`, organization, app })
      for (const name of ['ids', 'tokens'] as const) if (taken.has(name)) event.taken.add(name)
      const body = JSON.stringify(event.changed('json', envelope))
      count(event, () => `the event ${envelope.type}`)
      return { body, ...(event.taken.size > 0 && { liberties: [...event.taken] }) }
    }
  }

  /** Returns a match whose handler meets the weather first: at most one each time, and never twice in a row. */
  function inWeather(subject: Subject, match: Match, context: RequestContext): Match {
    const weather = subject.acting('weather')
    if (match.found !== 'route' || weather.length === 0) return match
    const { handler } = match.route
    const meet = async () => {
      // The sender of a token request is in its body, which has been read by now.
      const { organization, app } = context.surface.identify?.(context.world, context.request) ?? {}
      if (isFirstInstall(getWorld(), app ?? '')) return
      const key = `${subject.about.operation} ${organization}`
      const wasStormy = stormy.delete(key)
      for (const { name, run, turn } of weather) {
        // What has ended stays ended.
        if (wasStormy && name !== 'early-end') continue
        stormy.add(key)
        if (await run(context, turn)) return
        stormy.delete(key)
      }
    }
    const free: typeof handler = async (...given) => {
      await meet()
      return handler(...given)
    }
    return { ...match, route: { ...match.route, handler: free } }
  }

  /** The usual path of one that is served beside it, and the liberty that serves it. */
  function usualPath(force: InForce, path: string): { path: string; name: LibertyName } | undefined {
    const nothing = begin(force, { context: undefined, operation: '', organization: '', app: '' })
    for (const { name, run, turn } of nothing.acting('path')) {
      const usual = run(path, turn)
      if (usual !== undefined) return { path: usual, name }
    }
    return undefined
  }

  async function respond(force: InForce, exchange: OpenExchange): Promise<SerialisedResponse | undefined> {
    const world = getWorld()
    const { routes, request, record } = exchange
    const { surface } = routes
    const alias = exchange.match.found === 'nothing' ? usualPath(force, request.path) : undefined
    if (alias) request.path = alias.path
    const match = alias ? matchRoute(routes, request.method, alias.path) : exchange.match
    const route = match.found === 'route' ? match.route : undefined
    const operation = `${surface.name} ${route?.operation.id ?? `${request.method} ${match.found}`}`
    const { organization = '', app = '' } = surface.identify?.(world, request) ?? {}
    const context: RequestContext = { world, surface, request, route }
    const subject = begin(force, { context, operation, organization, app })
    if (alias) subject.taken.add(alias.name)
    if (surface.name === 'api') {
      for (const { run, turn } of subject.acting('request').reverse()) run(turn)
    }
    const free = freeWorld(subject, eventsOf(subject))
    const made = await exchange.respond(free, inWeather(subject, match, { ...context, world: free }))
    if (!made) return undefined
    const isFree = made.notes?.fault === undefined && route?.operation.id !== DOCUMENT
    const response = serialise(isFree ? changed(subject, made) : made, surface.identify?.(world, request) ?? {})
    const sent = isFree && isOfWire(subject) ? subject.changed('transport', response) : response
    if (subject.taken.size > 0) response.notes = { ...response.notes, liberties: [...subject.taken] }
    record(response, match)
    count(subject, () => {
      const entry = world.journal.entries().at(-1)
      const number = entry?.path === request.path ? `, entry ${entry.id}` : ''
      return `${request.method} ${request.path} with status ${response.status}${number}`
    })
    return sent
  }

  return {
    state() {
      const world = getWorld()
      return { ...chosen(world, world.store.liberties.get(LIBERTIES)), taken: Object.fromEntries(taken) }
    },
    rewind() {
      numbers.clear()
      stormy.clear()
      taken.clear()
    },
    firstTouched,
    respondFreely() {
      const force = inForce(getWorld())
      return force && ((exchange) => respond(force, exchange))
    },
  }
}

function changed(subject: Subject, response: Response): Response {
  // A body of bytes is a file of the console.
  if (Buffer.isBuffer(response.body)) return response
  const made = subject.changed('response', response)
  return isOfWire(subject) && typeof made.body === 'object'
    ? { ...made, body: subject.changed('json', made.body) }
    : made
}

const isOfWire = ({ about: { context } }: Subject): boolean => ['api', 'oauth'].includes(context?.surface.name ?? '')
