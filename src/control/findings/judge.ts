import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
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
