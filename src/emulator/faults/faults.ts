import { matchesPath } from '../../foundation/http/path-pattern.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { byCreation } from '../../foundation/store/collection.js'
import { brokenConnections } from '../serving/response.js'
import { isPlatformApi } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { type FaultRecord, organizationIn } from './fault-record.js'
import type { FaultMatch } from './fault-request.js'

/** A request, webhook or id_token that faults may match. A fault names the app by its manifest id or client id. */
type FaultFacts = FaultMatch & { surface: NonNullable<FaultMatch['surface']> }

/**
 * Returns the journal's notes on an exchange that a fault has changed. The reason says its effect, since the fault may
 * be deleted before the note is read. dev: "Why, for webhooks as for requests"
 */
export const faultNotes = ({ id, effect, phase }: Pick<FaultRecord, 'id' | 'effect'> & { phase?: string }) => ({
  reason: `Injected fault: ${describeEffect(effect)}`,
  fault: id,
  effect,
  ...(phase === 'after' && waits(effect) && { isHeldBack: true }),
})

const waits = (effect: unknown) => isObject(effect) && ('delay' in effect || 'hold' in effect)

/** Returns an effect in words: its name, or its parts without the texts and claims in them, which may be secret. */
export const describeEffect = (effect: unknown): string =>
  isObject(effect)
    ? Object.entries(effect)
        .map(([name, value]) => `${name}${describeValue(name, value)}`)
        .join(', ')
    : String(effect)

function describeValue(name: string, value: unknown): string {
  if (typeof value === 'number') return ` ${value}${milliseconds.has(name) ? ' ms' : ''}`
  if (Array.isArray(value)) return ` ${value.join(' ')}`
  if (isObject(value)) return ` ${Object.keys(value).join(' ')}`
  return plain.has(String(value)) ? ` ${value}` : ''
}

const milliseconds = new Set(['delay', 'jitter'])
/** Values of `connection` and `body` that are names. */
const plain = new Set<string>([...brokenConnections, 'malformed_json', 'html'])

/** Returns how often a fault will still fire; null when it always will. */
export const timesLeft = ({ times, hits }: FaultRecord): number | null => (times === null ? null : times - hits)

/**
 * Returns the oldest fault that matches and fires, and counts the hit; undefined when none does. control-api: "Faults"
 * @param canChange returns false for an effect that the request cannot meet; its fault waits for another one.
 */
export function fireFault(
  world: Pick<World, 'store' | 'clock' | 'random'>,
  facts: FaultFacts,
  canChange: (effect: unknown) => boolean,
) {
  if (world.store.faults.all.size === 0) return undefined
  return world.store.change((tx) => {
    for (const fault of candidates(world, facts.organization)) {
      const isOver =
        timesLeft(fault) === 0 ||
        (fault.expires_at !== null && fault.expires_at <= world.clock.timestamp(organizationIn(fault)))
      if (isOver || !matches(world, fault.match as FaultMatch, facts) || !canChange(fault.effect)) continue
      const seen = fault.seen + 1
      const fires = seen > fault.after && (fault.probability === 1 || world.random.fraction() < fault.probability)
      const counted = tx.put('faults', { ...fault, seen, hits: fault.hits + (fires ? 1 : 0) })
      if (fires) return counted
    }
    return undefined
  })
}

/** Returns the faults that match any organization or this one, oldest first; others cost nothing. */
function candidates({ store }: Pick<World, 'store'>, organization: string | undefined): FaultRecord[] {
  const general = [...store.faults.in('any_organization', 'all')]
  const own = organization === undefined ? [] : [...store.faults.in('organization', organization)]
  return general.length === 0 ? own : [...general, ...own].sort(byCreation)
}

function matches({ store }: Pick<World, 'store'>, match: FaultMatch, facts: FaultFacts): boolean {
  const { surface, path, event, app, ...exact } = match
  if (surface ? surface !== facts.surface : !isPlatformApi(facts.surface)) return false
  if (path !== undefined && !matchesPath(path, facts.path ?? '')) return false
  if (event !== undefined && !matchesPath(event, facts.event ?? '')) return false
  if (app !== undefined && facts.app !== app && store.apps.get(facts.app ?? '')?.client_id !== app) return false
  return (Object.keys(exact) as (keyof typeof exact)[]).every((name) => match[name] === facts[name])
}
