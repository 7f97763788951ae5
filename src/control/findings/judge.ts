import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { RuleName } from './rules.js'

/** An exchange that is over, with what several judges read from it. */
export interface ObservedExchange {
  entry: JournalEntry
  /** Time of the request, in real milliseconds since an arbitrary moment. */
  startedAt: number
  /** Time of its response, in the same milliseconds. */
  endedAt: number
  /** The bearer credential of a request to `/v0`. */
  bearer: string | undefined
  /** The form of a request to the token endpoint. */
  form: URLSearchParams | undefined
  isRefreshing: (installation: string) => boolean
  /** Returns the JSON body of the response; undefined when it is not JSON, or was truncated. */
  responseBody: () => Record<string, unknown> | undefined
}

export type JudgedWorld = Pick<World, 'store' | 'clock' | 'addresses' | 'settings' | 'liberties'>

/** Reports a violation. `entry` is the exchange that shows it, `observation` says in a sentence what was observed. */
export type Report = (rule: RuleName, entry: JournalEntry, observation: string) => void

/** Judges exchanges by the rules of one matter. Its memory ends when the world is replaced. */
export interface Judge {
  judge(exchange: ObservedExchange): void
  /** Reports violations that no single exchange shows, such as codes that expired unused; called before each listing. */
  conclude?(): void
  /** Drops what `conclude` would report again after findings have been cleared. */
  forget?(): void
}

export type CreateJudge = (world: JudgedWorld, report: Report, realNow: () => number) => Judge

/** Entries that a judge remembers, so that its memory stays bounded however long a run lasts. */
const LIMIT = 5_000

/** A map that drops the entry that was set longest ago when it has too many. */
export class Recent<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > LIMIT) this.delete(this.keys().next().value as K)
    return this
  }
}

const NEW_ATTEMPT_AFTER_MS = 60_000

/** Sequential requests that prove a loop even if others overlap; a pool may send fewer in a row. */
const MIN_CHAIN = 6

/** Minimum of requests in a row that were certainly sequential. */
const MIN_CERTAIN = 2

/** A response that later requests are measured against. */
interface GivenResponse {
  /** Time at which it was sent, in real milliseconds since an arbitrary moment. */
  at: number
  /** Checkpoints before it, as `Arrivals` counts them. */
  respondedAfter: number
}

/** The same request again and again. control-api: "Findings", "by overlap" */
export interface Repetition {
  /** Time at which the first response was sent, in real milliseconds since an arbitrary moment. */
  since: number
  latest: GivenResponse
  /** Requests in a row of which each came after every response before it. */
  inARow: number
  /** Requests of which each was certainly sent after the response before it, with others between and beside them. */
  chain: { length: number; latest: GivenResponse }
}

/** Returns the repetition that a request continues, or begins when it comes `apart` real milliseconds later. */
export function repeat(
  exchange: ObservedExchange,
  before: Repetition | undefined,
  apart = NEW_ATTEMPT_AFTER_MS,
): Repetition {
  const latest = { at: exchange.endedAt, respondedAfter: exchange.entry.respondedAfter ?? 0 }
  if (!before || exchange.startedAt - before.latest.at > apart) {
    return { since: latest.at, latest, inARow: 0, chain: { length: 0, latest } }
  }
  const { since, inARow, chain } = before
  return {
    since,
    latest,
    inARow: cameAfter(exchange, before.latest) ? inARow + 1 : 0,
    chain: wasSentAfter(exchange, chain.latest) ? { length: chain.length + 1, latest } : chain,
  }
}

/**
 * Returns how often a request came again after its response had been sent; 0 while that may be a burst of workers side
 * by side. @param times that are a loop when they come in a row.
 */
export const repetitions = ({ inARow, chain }: Repetition, times: number): number => {
  if (inARow >= times && chain.length >= MIN_CERTAIN) return inARow
  return chain.length >= MIN_CHAIN ? chain.length : 0
}

/** Returns true when a request was received after a checkpoint that followed a response. */
const cameAfter = (exchange: ObservedExchange, given: GivenResponse): boolean =>
  (exchange.entry.receivedAfter ?? 0) > given.respondedAfter || wasSentAfter(exchange, given)

/**
 * Returns true when a request was sent after a response: its connection was made, or brought a response, later. Over any
 * other connection, its sender may have sent both requests at once, and was interrupted between them.
 */
const wasSentAfter = ({ entry }: ObservedExchange, { respondedAfter }: GivenResponse): boolean =>
  (entry.sentAfter ?? 0) > respondedAfter

/** Real milliseconds after which an app may no longer wait for a response that a fault delays. */
const PATIENCE_MS = 1_000

/** Returns true when the app may not have received the response, or not in time. */
export const mayBeLost = (entry: JournalEntry): boolean =>
  entry.status === null || hasMetFault(entry) || entry.notes.isHeldBack === true || isSlow(entry)

const isSlow = ({ duration, notes: { effect } }: JournalEntry): boolean =>
  duration >= PATIENCE_MS && isObject(effect) && 'delay' in effect

/** Parts of a fault's effect that leave the response as the platform makes it. */
const harmless = ['delay', 'jitter', 'hold', 'headers']

/** Returns true when an injected fault has changed or replaced the response. */
export function hasMetFault({ notes: { fault, effect } }: JournalEntry): boolean {
  if (fault === undefined) return false
  return !isObject(effect) || Object.keys(effect).some((part) => !harmless.includes(part))
}
