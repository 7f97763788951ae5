import type { JournalEntry } from '../../emulator/world/exchange.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { ObservedExchange } from './judge.js'

/** Gap after which the same request counts as a new attempt. */
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
