import type { OpenExchange, RespondFreely } from '../serving/respond.js'
import type { Response } from '../serving/response.js'
import { type SerialisedResponse, serialise } from '../serving/send.js'
import type { RequestContext } from '../serving/surface.js'
import { type Match, matchRoute } from '../serving/surface-routes.js'
import type { Forms } from '../world/forms.js'
import { type LibertyName, libertiesOf } from '../world/liberty-names.js'
import type { Liberties } from '../world/parts.js'
import type { Random } from '../world/random.js'
import type { World } from '../world/world.js'
import { Chance } from './chance.js'
import type { LibertiesRecord } from './liberties-record.js'
import type { Acts, Turn } from './liberty.js'
import { libertyTable } from './liberty-table.js'
import { isFirstInstall } from './weather.js'

/** The id of the one record of a control call. */
export const LIBERTIES = 'liberties'

/** An exchange, or what is made without one, and the liberties that it has met. */
interface Subject extends Pick<Turn, 'context' | 'operation' | 'organization' | 'app'> {
  taken: Set<LibertyName>
  turns: Map<LibertyName, Turn>
  /** The number of the exchange among those of its operation and organization. */
  number: number
}

/** Liberties in force: a seed, and the entries of the table that it works with, in the table's order. */
interface InForce {
  seed: string
  names: LibertyName[]
}

/** The parts of a response that only its sender knows, and the liberties do not touch. */
const described = new Set(['getOpenApiDocument'])

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

  function subjectOf(about: Pick<Subject, 'context' | 'operation' | 'organization' | 'app'>): Subject {
    const key = `${about.operation} ${about.organization}`
    const number = numbers.get(key) ?? 0
    numbers.set(key, number + 1)
    return { ...about, taken: new Set(), turns: new Map(), number }
  }

  /** The turn of a liberty in an exchange: the same for all of its acts. */
  function turnOf({ seed }: InForce, name: LibertyName, subject: Subject): Turn {
    const known = subject.turns.get(name)
    if (known) return known
    const { context, operation, organization, app, number } = subject
    const chance = (...key: unknown[]) => new Chance(JSON.stringify([seed, name, ...key]))
    const turn: Turn = {
      world: getWorld(),
      context,
      operation,
      organization,
      app,
      kept: (...key) => chance('kept', ...key),
      fresh: chance('fresh', operation, organization, number),
      take: () => void subject.taken.add(name),
    }
    subject.turns.set(name, turn)
    return turn
  }

  /** The liberties in force that have an act, each with its turn. */
  const acting = <A extends keyof Acts>(inForce: InForce, act: A, subject: Subject) =>
    inForce.names.flatMap((name) => {
      const { [act]: run } = libertyTable[name].acts as Partial<Acts>
      return run ? [{ name, run: run as NonNullable<Acts[A]>, turn: turnOf(inForce, name, subject) }] : []
    })

  function count(subject: Subject, describe: () => string): void {
    for (const name of subject.taken) {
      taken.set(name, (taken.get(name) ?? 0) + 1)
      if (!firstTouched.has(name)) firstTouched.set(name, describe())
    }
  }

  /** Returns the world with the parts that rules make ids, tokens, lists, events and id_tokens with. */
  function freeWorld(force: InForce, subject: Subject): World {
    const world = getWorld()
    const [id] = acting(force, 'id', subject)
    const [secret] = acting(force, 'secret', subject)
    const text = (form: { alphabet: string; size: number }) => world.random.text(form.alphabet, form.size)
    const made = <T>({ run, turn }: { run: (turn: Turn) => T; turn: Turn }): T => {
      turn.take()
      return run(turn)
    }
    const random: Random = Object.create(world.random, {
      ...(id && { id: { value: () => text(made(id)) }, eventId: { value: () => text(made(id)) } }),
      ...(secret && {
        // Sessions and forms are between the platform and a browser.
        secret: {
          value: (prefix: string) => (/^(ses_)?$/.test(prefix) ? world.random.secret(prefix) : text(made(secret))),
        },
      }),
    })
    const forms: Forms = {
      event(envelope) {
        const { organization, app } = subject
        const event = subjectOf({ context: undefined, operation: `event ${envelope.type}`, organization, app })
        for (const name of ['ids', 'tokens'] as const) if (subject.taken.has(name)) event.taken.add(name)
        const body = withJson(force, envelope, event)
        count(event, () => `the event ${envelope.type}`)
        return { body: JSON.stringify(body), ...(event.taken.size > 0 && { liberties: [...event.taken] }) }
      },
      idToken(draft) {
        const free = { header: { ...draft.header }, claims: { ...draft.claims } }
        for (const { run, turn } of acting(force, 'idToken', subject)) run(free, turn)
        return free
      },
    }
    const settings = acting(force, 'settings', subject).reduce(
      (given, { run, turn }) => run(given, turn),
      world.settings,
    )
    const outbox = acting(force, 'outbox', subject).reduce((given, { run, turn }) => run(given, turn), world.outbox)
    return Object.create(world, {
      random: { value: random },
      forms: { value: forms },
      outbox: { value: outbox },
      settings: { value: settings },
    })
  }

  const withJson = (force: InForce, body: object, subject: Subject): object =>
    acting(force, 'json', subject).reduce((given, { run, turn }) => run(given, turn), body)

  /** Returns a match whose handler meets the weather first: at most one each time, and never twice in a row. */
  function inWeather(force: InForce, match: Match, context: RequestContext, subject: Subject): Match {
    const weather = acting(force, 'weather', subject)
    if (match.found !== 'route' || weather.length === 0) return match
    const { handler } = match.route
    const meet = async () => {
      // The sender of a token request is in its body, which has been read by now.
      const { organization, app } = context.surface.identify?.(context.world, context.request) ?? {}
      if (isFirstInstall(getWorld(), app ?? '')) return
      const key = `${subject.operation} ${organization}`
      const wasStormy = stormy.delete(key)
      for (const { name, run, turn } of weather) {
        // A token that ended early stays ended.
        if (wasStormy && name !== 'early-end') continue
        stormy.add(key)
        if (await run(context, turn)) return
        stormy.delete(key)
      }
    }
    const route = {
      ...match.route,
      handler: async (...given: Parameters<typeof handler>) => {
        await meet()
        return handler(...given)
      },
    }
    return { ...match, route }
  }

  function changed(force: InForce, response: Response, match: Match, subject: Subject): Response {
    const isFaulty = response.notes?.fault !== undefined
    const isDocument = match.found === 'route' && described.has(match.route.operation.id)
    // A body of bytes is a file of the console.
    if (isFaulty || isDocument || Buffer.isBuffer(response.body)) return response
    const made = acting(force, 'response', subject).reduce((given, { run, turn }) => run(given, turn), response)
    const { body } = made
    const isWire = isOfWire(subject) && typeof body === 'object' && !Buffer.isBuffer(body)
    return isWire ? { ...made, body: withJson(force, body, subject) } : made
  }

  function sent(force: InForce, response: SerialisedResponse, subject: Subject): SerialisedResponse {
    if (!isOfWire(subject) || response.notes?.fault !== undefined) return response
    return acting(force, 'transport', subject).reduce((given, { run, turn }) => run(given, turn), response)
  }

  /** The usual path of one that is served beside it, and the liberty that serves it. */
  function usualPath(force: InForce, path: string): { path: string; name: LibertyName } | undefined {
    const nobody = { context: undefined, operation: '', organization: '', app: '', number: 0 }
    for (const { name, run, turn } of acting(force, 'path', { ...nobody, taken: new Set(), turns: new Map() })) {
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
    const operation = match.found === 'route' ? match.route.operation.id : `${request.method} ${match.found}`
    const { organization = '', app = '' } = surface.identify?.(world, request) ?? {}
    const context: RequestContext = {
      world,
      surface,
      request,
      route: match.found === 'route' ? match.route : undefined,
    }
    const subject = subjectOf({ context, operation: `${surface.name} ${operation}`, organization, app })
    if (alias) subject.taken.add(alias.name)
    if (surface.name === 'api') {
      for (const { run, turn } of acting(force, 'request', subject).reverse()) run(turn)
    }
    const free = freeWorld(force, subject)
    const made = await exchange.respond(free, inWeather(force, match, { ...context, world: free }, subject))
    if (!made) return undefined
    const response = serialise(changed(force, made, match, subject), surface.identify?.(world, request) ?? {})
    const out = sent(force, response, subject)
    if (subject.taken.size > 0) response.notes = { ...response.notes, liberties: [...subject.taken] }
    record(response, match)
    count(subject, () => {
      const entry = world.journal.entries().at(-1)
      const number = entry?.path === request.path ? `, entry ${entry.id}` : ''
      return `${request.method} ${request.path} with status ${response.status}${number}`
    })
    return out
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

const isOfWire = ({ context }: Subject): boolean => ['api', 'oauth'].includes(context?.surface.name ?? '')
