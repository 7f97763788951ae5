import { timesLeft } from '../../emulator/faults/faults.js'
import { ENTRY_BYTES, MAX_JOURNALED_BODY } from '../../emulator/world/exchange.js'
import type { EventBatch } from '../../emulator/world/parts.js'
import type { World } from '../../emulator/world/world.js'
import { nextTurn } from '../../foundation/time/real-timers.js'
import { coverageOf } from '../coverage/report.js'
import { findingKey, mergeFindings } from '../findings/merge-findings.js'
import type { Delivery, Entry, Fault, Finding, RecordedRun } from './run-report.js'
import { BODY_LIMITS, shortenDelivery, shortenSides } from './shorten.js'

/** Approximate bytes of recorded exchanges. */
const MAX_BYTES = 100_000_000

/**
 * Records a run from its stream, whose events are redacted, so that the report survives resets and the limits of the
 * journal. When it grows too large, bodies are shortened first, then the oldest exchanges are dropped.
 * @returns a function that ends the recording.
 */
export function recordRun(world: World): () => Promise<RecordedRun> {
  /** Number of resets: findings start again after each. */
  let resets = 0
  /** Number of resets and restores: ids may repeat after each. */
  let worlds = 0
  /** Keyed by id, with the value of `worlds` at each. */
  const entries = new Map<number, { entry: Entry; inWorld: number }>()
  /** Keyed by world and id: a restore brings a pending delivery back, with the attempts that it had by then. */
  const deliveries = new Map<string, Delivery>()
  const findings = new Map<string, Finding>()
  const faults = new Map<string, Fault>()
  const moves = new Set<RecordedRun['moves'][number]>()
  let bodyLimit: number | null = null
  let leftOut = 0
  let bytes = 0

  const shrink = () => {
    const limit = BODY_LIMITS.find((each) => bodyLimit === null || each < bodyLimit)
    if (limit === undefined) {
      const oldest = [...entries.keys()].slice(0, Math.ceil(entries.size / 10))
      for (const id of oldest) entries.delete(id)
      leftOut += oldest.length
    } else {
      bodyLimit = limit
      for (const each of entries.values()) each.entry = shortenSides(each.entry, limit)
      for (const [id, delivery] of deliveries) deliveries.set(id, shortenDelivery(delivery, limit))
    }
    bytes = [...entries.values()].reduce((sum, { entry }) => sum + sizeOf(entry, bodyLimit), 0)
  }
  const take = {
    request(entry: Entry) {
      const kept = bodyLimit === null ? entry : shortenSides(entry, bodyLimit)
      entries.set(entry.id, { entry: kept, inWorld: worlds })
      bytes += sizeOf(entry, bodyLimit)
      if (bytes > MAX_BYTES) shrink()
    },
    delivery(delivery: Delivery) {
      deliveries.set(`${worlds} ${delivery.id}`, bodyLimit === null ? delivery : shortenDelivery(delivery, bodyLimit))
    },
    finding(finding: Finding) {
      findings.set(`${resets} ${findingKey(finding)}`, finding)
    },
    change({ collection, id }: { collection: string; id: string }) {
      const fault = collection === 'faults' ? world.store.faults.get(id) : undefined
      if (fault) faults.set(`${worlds} ${id}`, { ...fault, left: timesLeft(fault) } as Fault)
    },
    clock() {
      for (const move of world.clock.moves()) moves.add(move)
    },
    world({ why }: { why: string }) {
      if (why !== 'loaded') worlds++
      if (why === 'reset' || why === 'replaced') resets++
    },
  }
  const ending = new AbortController()
  const reading = (async () => {
    for await (const events of world.stream.read(undefined, ending.signal)) {
      for (const { type, data } of events as EventBatch) take[type as keyof typeof take]?.(data as never)
    }
  })()
  return async () => {
    // Events that have been published are read by then.
    await nextTurn()
    ending.abort()
    await reading
    const uniqueFaults = withUniqueIds(faults)
    return {
      entries: Array.from(entries.values(), ({ entry, inWorld }) => {
        const own = uniqueFaults.get(`${inWorld} ${entry.fault}`)
        return own ? { ...entry, fault: own.id } : entry
      }),
      deliveries: [...withUniqueIds(deliveries).values()],
      findings: mergeFindings(findings.values()),
      faults: [...uniqueFaults.values()],
      moves: [...moves],
      coverage: Array.from(world.store.apps.all, (app) => coverageOf([world], app, { whole: true })),
      bodyLimit,
      leftOut,
    }
  }
}

function sizeOf({ request, response }: Entry, limit: number | null): number {
  const most = limit ?? MAX_JOURNALED_BODY
  return ENTRY_BYTES + Math.min(request.length, most) + Math.min(response?.length ?? 0, most)
}

/** Numbers the ids that records of several worlds share, made again or restored: the newest record keeps its id. */
function withUniqueIds<R extends { id: string }>(records: Map<string, R>): Map<string, R> {
  const times = new Map<string, number>()
  const newestFirst = [...records].toReversed().map(([key, record]): [string, R] => {
    const before = times.get(record.id) ?? 0
    times.set(record.id, before + 1)
    return [key, before === 0 ? record : { ...record, id: `${record.id}~${before}` }]
  })
  return new Map(newestFirst.toReversed())
}
