import { Refusal } from '../../foundation/http/refusal.js'
import { type CurrentLiberties, callRoute, type Handle, type LibertyExchange } from '../serving/respond.js'
import type { Response } from '../serving/response.js'
import { type SerializedResponse, serialize } from '../serving/send.js'
import type { RequestContext } from '../serving/surface.js'
import { type Match, matchRoute } from '../serving/surface-routes.js'
import { isPlatformApi } from '../world/exchange.js'
import type { Forms } from '../world/forms.js'
import { type LibertyName, libertiesOf } from '../world/liberty-names.js'
import type { Liberties } from '../world/parts.js'
import type { Outbox } from '../world/webhook-parts.js'
import type { World } from '../world/world.js'
import { freeWorld } from './free-world.js'
import type { Delivery } from './liberty.js'
import { libertyTable } from './liberty-table.js'
import { usualPathOf } from './oauth-liberties.js'
import { type InForce, Turns } from './turns.js'
import { isFirstInstall } from './weather.js'

/** The id of the one record of a control call. */
export const LIBERTIES = 'liberties'

/** The operation whose response says what is free, and is not. */
const DOCUMENT = 'getOpenApiDocument'

const tableNames = Object.keys(libertyTable) as LibertyName[]

/** Creates the liberties of a world, and a responder for requests while some are in force. */
export function createLiberties(getWorld: () => World): Liberties & { respondWithLiberties: CurrentLiberties } {
  const numbers = new Map<string, number>()
  /** True once liberties were in force: apps may have cached the addresses of discovery. */
  let wereInForce = false
  /** Operations and organizations whose last request or event met weather. */
  const stormy = new Set<string>()
  const taken = new Map<LibertyName, number>()
  const firstTouched = new Map<LibertyName, string>()

  /** Returns the seed and kinds of the last control call, else those of the settings. */
  function chosen() {
    const { settings, store } = getWorld()
    const record = store.liberties.get(LIBERTIES)
    return {
      seed: (record ? record.seed : settings.liberties) || null,
      kinds: record?.kinds ?? settings.liberty_kinds,
    }
  }

  function begin(inForce: InForce, about: Omit<Turns['about'], 'world'>): Turns {
    const key = `${about.operation} ${about.organization}`
    const number = numbers.get(key) ?? 0
    numbers.set(key, number + 1)
    return new Turns(inForce, { world: getWorld(), ...about }, number)
  }

  function count(turns: Turns, describe: () => string): void {
    for (const name of turns.taken) {
      taken.set(name, (taken.get(name) ?? 0) + 1)
      if (!firstTouched.has(name)) firstTouched.set(name, describe())
    }
  }

  /** Returns a function that writes the events that an exchange causes. */
  function eventsOf({ inForce, about: { organization, app }, taken }: Turns): Forms['event'] {
    return (envelope) => {
      const event = begin(inForce, { context: undefined, operation: `event ${envelope.type}`, organization, app })
      for (const name of ['ids', 'tokens'] as const) if (taken.has(name)) event.taken.add(name)
      const body = JSON.stringify(event.changed('json', envelope))
      count(event, () => `the event ${envelope.type}`)
      return { body, ...(event.taken.size > 0 && { liberties: [...event.taken] }) }
    }
  }

  /** Returns a `deliver` with weather: at most one liberty for an event, and none for the event after. */
  function deliveriesIn(inForce: InForce): Outbox['deliver'] {
    return async (delivery) => {
      const world = getWorld()
      const { app, organization, event } = delivery
      const turns = begin(inForce, { context: undefined, operation: `delivery ${event.type}`, organization, app })
      const key = `${turns.about.operation} ${organization}`
      const isFaulty = [...world.store.faults.all].some(({ match }) => match.surface === 'webhook')
      const isCalm = stormy.delete(key) || isFaulty || isFirstInstall(world, app)
      const comes = (act: 'hold' | 'repeat', current: Delivery): boolean => {
        const came = !isCalm && turns.acting(act).some(({ run, turn }) => run(current, turn))
        if (came) stormy.add(key)
        return came
      }
      try {
        if (comes('hold', delivery)) return delivery
        const after = await world.outbox.deliver(delivery)
        comes('repeat', after)
        for (const { run, turn } of turns.acting('follow')) run(after, turn)
        return after
      } finally {
        count(turns, () => `the event ${event.type}`)
      }
    }
  }

  /** Returns a handler with weather: at most one liberty for a request, and none but `early-end` for the next. */
  function inWeather(turns: Turns, context: RequestContext): Handle {
    const meet = async () => {
      if (!context.route) return
      const { operation, organization, app } = turns.about
      if (isFirstInstall(getWorld(), app)) return
      const key = `${operation} ${organization}`
      const wasStormy = stormy.delete(key)
      // A token that ended early stays ended.
      const possible = turns.acting('weather').filter(({ name }) => !wasStormy || name === 'early-end')
      for (const { run, turn } of possible) {
        stormy.add(key)
        const came = await run(context, turn)
        if (came) turn.take()
        if (came instanceof Refusal) throw came
        if (came) return
        stormy.delete(key)
      }
    }
    return async (world, match, request, fault) => {
      if (fault === undefined) await meet()
      return callRoute(world, match, request)
    }
  }

  async function respond(inForce: InForce, exchange: LibertyExchange): Promise<SerializedResponse | undefined> {
    const world = getWorld()
    const { routes, request, record } = exchange
    const { surface } = routes
    const usual = usualPath(exchange.match, request.path)
    if (usual !== undefined) request.path = usual
    const match = usual === undefined ? exchange.match : matchRoute(routes, request.method, usual)
    const route = match.found === 'route' ? match.route : undefined
    const operation = `${surface.name} ${route?.operation.id ?? `${request.method} ${match.found}`}`
    const context: RequestContext = { world, surface, request, route }
    const beginTurns = () => {
      const { organization = '', app = '' } = surface.identify?.(world, request) ?? {}
      return begin(inForce, { context, operation, organization, app })
    }
    let begun: Turns | undefined
    // The sender of a token request is in its body.
    const response = await exchange.handleAndSettle(match, () => {
      begun = beginTurns()
      if (surface.name === 'api') for (const { run, turn } of begun.acting('request').reverse()) run(turn)
      const free = freeWorld(begun, eventsOf(begun), deliveriesIn(inForce))
      return { world: free, handler: inWeather(begun, { ...context, world: free }) }
    })
    if (!response) return undefined
    const turns = begun ?? beginTurns()
    if (usual !== undefined && inForce.names.includes('metadata')) turns.taken.add('metadata')
    const isFree = response.notes?.fault === undefined && route?.operation.id !== DOCUMENT
    const changedResponse = isFree ? withLiberties(turns, response) : response
    const serialized = serialize(changedResponse, surface.identify?.(world, request) ?? {})
    const sent = isFree && isPlatformApi(surface.name) ? turns.changed('transport', serialized) : serialized
    if (turns.taken.size > 0) serialized.notes = { ...serialized.notes, liberties: [...turns.taken] }
    record(serialized, match)
    count(
      turns,
      () => `${request.method} ${request.path} with status ${serialized.status}${entrySuffix(world, request)}`,
    )
    return sent
  }

  return {
    state() {
      const { seed, kinds } = chosen()
      // Counts of another time, where a snapshot without liberties was restored since.
      return { seed, kinds, taken: seed === null ? {} : Object.fromEntries(taken) }
    },
    rewind() {
      numbers.clear()
      stormy.clear()
      taken.clear()
    },
    firstTouched,
    respondWithLiberties(match, path) {
      const { seed, kinds } = chosen()
      if (seed === null) {
        const isCached = wereInForce && usualPath(match, path) !== undefined
        return isCached ? (exchange) => respond({ seed: '', names: [] }, exchange) : undefined
      }
      wereInForce = true
      const all = libertiesOf(kinds)
      const inForce = { seed, names: tableNames.filter((name) => all.has(name)) }
      return (exchange) => respond(inForce, exchange)
    },
  }
}

/** Returns `, entry 5` for the request that was just recorded; empty when it is not in the journal. */
function entrySuffix({ journal }: Pick<World, 'journal'>, { path }: { path: string }): string {
  const entry = journal.entries().at(-1)
  return entry?.path === path ? `, entry ${entry.id}` : ''
}

function withLiberties(turns: Turns, response: Response): Response {
  // A body of bytes is a file of the console.
  if (Buffer.isBuffer(response.body)) return response
  const made = turns.changed('response', response)
  const isApi = isPlatformApi(turns.about.context?.surface.name)
  return isApi && typeof made.body === 'object' ? { ...made, body: turns.changed('json', made.body) } : made
}

/** Returns the usual path, where a request is for another one of its endpoint. */
const usualPath = ({ found }: Match, path: string) => (found === 'nothing' ? usualPathOf(path) : undefined)
