import type { Request } from '../../foundation/http/request.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Exchange, JournalEntry, Mark } from './exchange.js'
import type { LibertyName } from './liberty-names.js'

// Interfaces of a world's parts. Rooms above implement them and src/control/start puts them together, so that a rule can
// use a part without importing its room. Those of webhooks are in webhook-parts.ts, of scenarios in scenario-parts.ts.

/** A clock that was set by a call. `organization` is null for the emulator's. */
export interface ClockMove {
  organization: string | null
  kind: 'advance' | 'freeze' | 'resume'
  from: string
  to: string
}

/** The newest exchanges, in memory. control-api: "Journal" */
export interface Journal {
  record(exchange: Exchange): void
  /** Oldest first. */
  entries(): JournalEntry[]
  clear(): void
  /** Marks the entries from now on with the name of a test or a step, until it ends or another one begins. */
  mark(mark: Mark): void
  /** Names of the marks since the journal was cleared. */
  markNames(): Iterable<string>
  /** Calls `listener` with every entry that is recorded. */
  onEntry(listener: (entry: JournalEntry) => void): void
  /** Calls `listener` with every exchange as it was, control calls too. @returns a function that removes it. */
  onExchange(listener: (exchange: Exchange) => void): () => void
}

/** The types of live events. control-api: "Journal" */
export type EventType = 'request' | 'delivery' | 'change' | 'clock' | 'world' | 'finding'

/** The reasons to read everything again. */
export type WorldChange = 'reset' | 'restored' | 'replaced' | 'loaded'

/** Events as a reader of the stream gets them: a gap counts the missed ones. */
export type EventBatch = { id: number; type: EventType | 'gap'; data: unknown }[]

/** Events of a world in one sequence, the newest of them kept for those who read later. control-api: "Journal" */
export interface Stream {
  /**
   * Publishes an event.
   * @param data called when readers get to it, once for all who wait for it.
   * @param about the run that it belongs to, and the approximate bytes that it keeps in memory.
   */
  publish(type: EventType, data: () => unknown, about?: { size?: number; run?: string | undefined }): void
  /** Replaces the world by `work`, and publishes one `world` event instead of its changes. */
  renew<T>(why: WorldChange, work: () => T): T
  /** True while the world becomes another. */
  readonly isRenewing: boolean
  /**
   * Yields the events after `since`, and then each new one, until `signal` aborts; from now on when left
   * out. The reader sets the pace: one that falls behind what is kept gets a `gap`.
   * @param run of the requests, deliveries and findings, as `matchesRun` reads it.
   */
  read(since: number | undefined, signal: AbortSignal, run?: string): AsyncGenerator<EventBatch>
}

/**
 * The world's signing keys. They are records, so reset, snapshots and restarts take them along; a key whose pair is
 * still being made is a record without its halves, which are filled in when something first needs them. So neither a
 * start nor a rotation waits, and only what needs a key does. wire: §1, §6
 */
export interface KeyRing {
  /** Begins to make the first key, unless the world has one. */
  prepare(): void
  /** The key that signs: the newest one that may. */
  signingKey(): Promise<RecordOf<'keys'>>
  /** The keys of the JWKS, newest first. */
  published(): Promise<RecordOf<'keys'>[]>
  /**
   * Returns the `kid` of a key on the wire: always the one that it had first, as verifiers keep keys by name.
   * @param proposed for a key that has none yet.
   */
  wireKid(id: string, proposed?: string): string
  /**
   * Adds a new signing key.
   * @param rotation `retire`: drop every earlier key from the JWKS. `after`: publish it now, sign with it in so many ms.
   */
  rotate(rotation: { retire: boolean; after?: number | undefined }): { key: RecordOf<'keys'>; retired: string[] }
  /** Ends the making of keys. */
  close(): void
}

/** A violation of a rule by the app under test: one for each rule and app. control-api: "Findings" */
export interface Finding {
  rule: string
  /** An error is certain and forbidden; a hint is practice or a threshold. */
  level: 'error' | 'hint'
  section: string
  /** The page that teaches the rule. */
  docs: string
  /** The manifest id; null when the app is not known. */
  app: string | null
  /** Null when it was in several. */
  organization: string | null
  count: number
  first_at: string
  last_at: string
  /** The last observation with its figures, and what to do instead. */
  message: string
  /** Ids of journal entries, the newest last. */
  entries: number[]
  /** The run that caused it: a run's findings are its own. */
  run?: string | undefined
}

/** A finding since the start. Its message is that of the first exchange, without secrets, also those that a reset has ended. */
export interface FindingSinceStart extends Finding {
  /** The first exchange that shows it, such as `GET /v0/courses 401: No Authorization header was sent`. */
  exchange: string
}

/** Judges every exchange when it is over. control-api: "Findings" */
export interface Findings {
  /** Takes note of a request to an OAuth endpoint before its response: a refresh may be under way for long. */
  begin(request: Pick<Request, 'body'>): void
  judge(entry: JournalEntry): void
  /**
   * @param run as `matchesRun` reads it.
   * @param organization lists what was found there alone, counted for itself.
   */
  list(run?: string, organization?: string): Finding[]
  /**
   * Lists the findings since the start of the emulator that belong to no run, also those that a reset has cleared. Of rules
   * that are judged anew for each listing, they are those since the latest reset: what a test leaves unused, the next may use.
   */
  sinceStart(): FindingSinceStart[]
  citing(entry: number): string[]
  /**
   * Empties the list. Judges keep what they know of tokens and codes, or a second use would look like a first.
   * @param alsoSinceStart also what `sinceStart` lists.
   */
  clear(alsoSinceStart: boolean): void
  /** Forgets what was seen, before the world is replaced. The list stays. */
  renew(): void
  /** Calls `listener` with every finding that is new or has been seen again. */
  onFinding(listener: (finding: Finding) => void): void
}

/** Variation of undocumented details, by seed. liberties: "Setting" */
export interface Liberties {
  /** The seed in force, null for none; the words that choose; and the exchanges and events that met each of them. */
  state(): { seed: string | null; kinds: string[]; taken: Partial<Record<LibertyName, number>> }
  /** Goes back to the beginning of the seed. */
  rewind(): void
  /** The first exchange that met each liberty since the start, in words, also of before a reset. */
  readonly firstTouched: ReadonlyMap<LibertyName, string>
}

export interface CoverageFilter {
  /** An entry's id, which is excluded, or a moment as a timestamp of the wire, which is included. */
  since?: number | string | undefined
  mark?: string | undefined
  /** Includes what was counted before the journal was last cleared. */
  whole?: boolean
}

/** Count of exchanges that met a cell of the coverage, and the last journal entry among them. */
export interface CellCount {
  /** Number of times by the app under test. */
  count: number
  /** Number of times by audits, sweeps and steps of scenarios. */
  byAudit: number
  entry: number | null
}

/** Counts what the app under test has met of the platform, as it happens. coverage: "Coverage" */
export interface Coverage {
  /** Returns how often an app has met a cell; the operations of `/v0` are rows by their ids. */
  met(app: string, filter: CoverageFilter): (group: string, row: string, column: string) => CellCount
  /** Begins anew, as the journal does. */
  clear(): void
  /** Forgets what was seen, before the world is replaced. The counts stay. */
  renew(): void
}

/** Requests of each credential in its current minute, in memory. wire: §2 "rate limit" */
export interface RateLimiter {
  /** `endsAt` is in the time of the organization. */
  windows: Map<string, { organization: string | null; endsAt: number; count: number }>
}

/** Requests that a `hold` fault keeps waiting, by the fault's id. control-api: "Faults" */
export interface Holds {
  /** Resolves when `size` requests wait for the same fault, when they are released, or when `signal` aborts. */
  wait(fault: string, size: number, signal: AbortSignal): Promise<void>
  releaseAll(): void
}
