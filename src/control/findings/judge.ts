import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import type { RuleName } from './rules.js'

/** An exchange as judges see it. */
export interface Seen {
  entry: JournalEntry
  /** Real milliseconds, from any beginning: when the request came and when it was over. */
  startedAt: number
  endedAt: number
  /** The bearer credential; undefined when none was sent. */
  bearer: string | undefined
  /** The form of a request to the token endpoint. */
  form: URLSearchParams | undefined
  /** The JSON body of the response; undefined when it is none, or was cut. */
  answer: () => Record<string, unknown> | undefined
}

/** Reports a violation that the exchange shows, or an earlier one. */
export type Report = (rule: RuleName, entry: JournalEntry, seen: string) => void

/** Judges one matter. What it remembers lives as long as the world is the same one. */
export interface Judge {
  judge(seen: Seen): void
  /** What only shows when one asks: codes that ended unused, scopes that were never needed. */
  conclude?(): void
  /** Drops what `conclude` would say again of what has been cleared. */
  forget?(): void
}

export type CreateJudge = (world: World, report: Report, realNow: () => number) => Judge
