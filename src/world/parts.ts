import type { RecordOf } from '../store/kind.js'
import type { Transaction } from '../store/store.js'
import type { Exchange, JournalEntry } from './exchange.js'

// The parts of a world as its rules see them. Each is implemented in the room that it is named after and put together
// in src/start, so that a rule may use a part without importing the room.

/** Time as the world sees it. Its state is a record of the store, so that reset, snapshots and restarts take it along. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** `now`, or `ms` later, as a timestamp of the wire. wire: §1 */
  timestamp(ms?: number): string
  /** `offset`: how far a running clock is off the machine's; of a stopped one, how far it was before. */
  state(): { now: string; frozen: boolean; offset: number }
  /** Milliseconds that it is ahead of the machine's at this moment, behind when negative. */
  ahead(): number
  freeze(at?: number): void
  resume(): void
  /**
   * Moves time `by` ms forward. What falls due happens at its own moment: everything due at one instant together,
   * a later instant when the earlier ones have ended. False when another advance is under way.
   */
  advance(by: number): Promise<boolean>
  /** Runs `run` at `due` (ms since 1970), at once when that is past. The same `id` replaces its earlier entry. */
  schedule(id: string, due: number, run: () => Promise<void> | void): void
  cancel(id: string): void
  /** Forgets every entry, as before the world becomes another; an advance under way stops where it is. */
  cancelAll(): void
  /** Ends the real timer. */
  close(): void
}

/** The newest exchanges, in memory. control-api: "Journal" */
export interface Journal {
  record(exchange: Exchange): void
  /** Oldest first. */
  entries(): JournalEntry[]
  clear(): void
  /** Calls `listener` with every entry that is recorded. */
  onEntry(listener: (entry: JournalEntry) => void): void
  /** Calls `listener` with every exchange as it was, control calls too; returns what stops that. */
  onExchange(listener: (exchange: Exchange) => void): () => void
}

/** What can be told of, live. control-api: "Journal" */
export type EventType = 'request' | 'delivery' | 'change' | 'clock' | 'world' | 'finding'

/** Why everything must be read again. */
export type WorldChange = 'reset' | 'restored' | 'replaced' | 'loaded'

/** What a reader of the stream gets at a time: events, or how many are gone. */
export type Portion = { id: number; type: EventType | 'gap'; data: unknown }[]

/** Events of a world in one sequence, the newest of them kept for those who read later. control-api: "Journal" */
export interface Stream {
  /**
   * Tells of something that has happened.
   * @param data called once for each reader that gets to it.
   * @param size in bytes, about: what it keeps alive in memory.
   */
  publish(type: EventType, data: () => unknown, size?: number): void
  /** Makes another world by `work`: of its changes nothing is told but that everything must be read again. */
  renew<T>(why: WorldChange, work: () => T): T
  /** False while the world becomes another. */
  readonly tells: boolean
  /**
   * What has happened after the event `since`, and then whatever happens, until `signal` aborts; from now on when left
   * out. The reader sets the pace: one that falls behind what is kept gets a `gap`.
   */
  read(since: number | undefined, signal: AbortSignal): AsyncGenerator<Portion>
}

/** An HTTP POST to an app. */
export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Real milliseconds until the response must be there. */
  timeout: number
  /** Ends it at once. */
  signal: AbortSignal
  /** Called once the whole request has left. */
  onSent?: () => void
}

export interface PostResponse {
  status: number
  headers: Record<string, string>
  /** At most 1 MB of it. */
  body: string
  /** Real milliseconds. */
  duration: number
}

/** The one way in which the emulator opens a connection. Rejects with a `PostFailure`. wire: §7 */
export type Post = (request: PostRequest) => Promise<PostResponse>

type Delivery = RecordOf<'deliveries'>

/** The attempts that are under way, and those that wait for their time. */
export interface Outbox {
  /**
   * Makes the delivery's first attempt.
   * @returns the delivery as it is when the attempt has ended, or a fault has put it off.
   */
  deliver(delivery: Delivery): Promise<Delivery>
  /** The same for deliveries that nobody waits for. */
  send(deliveries: Delivery[]): void
  /** Sends a delivery once more, whatever became of it. */
  redeliver(delivery: Delivery): Promise<Delivery>
  /** Aborts every attempt under way and discards its result, as before a reset. */
  abortAll(): void
  /** Takes up the deliveries that the store says are still to be made, as after a start, a reset or a restore. */
  resume(): void
  /** Ids of the deliveries that are in flight or overdue. */
  waiting(): string[]
  /** Calls `listener` whenever an attempt has ended; returns what stops that. */
  onEnd(listener: () => void): () => void
}

/** What a room is told of deliveries whose result matters to it. */
export interface DeliveryListener {
  /** Called within the change that records an attempt, or that a fault has put it off until after the next one. */
  onRecorded(tx: Transaction, delivery: Delivery): void
  /** Called before the deliveries that are still to be made are taken up. */
  onResume(open: Delivery[]): void
}

/** A request that a built-in receiver has kept. control-api: "Shapes", inbox entry */
export interface InboxEntry {
  at: string
  /** The event's type; null when the body does not say. */
  event: string | null
  headers: Record<string, string>
  /** The JSON value, or the text when it is not JSON. */
  body: unknown
  raw: string
  /** Whether the signature is that of some app's signing secret; `app` then names it. */
  verified: boolean
  app: string | null
}

/** How an inbox answers. `delay` in real milliseconds. */
export interface InboxBehaviour {
  status: number
  delay: number
  headers: Record<string, string>
}

/** The built-in receivers, in memory. control-api: "Webhooks" */
export interface Inboxes {
  /** Oldest first. An inbox is there as soon as it is named. */
  entries(name: string): InboxEntry[]
  add(name: string, entry: InboxEntry): void
  behaviour(name: string): InboxBehaviour
  behave(name: string, behaviour: InboxBehaviour): void
  /** Empties one. */
  empty(name: string): void
  /** Empties all, and makes them well-behaved. */
  clear(): void
  /** Calls `listener` whenever an entry is added to any; returns what stops that. */
  onEntry(listener: () => void): () => void
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
   * Adds a new signing key.
   * @param rotation `retire`: drop every earlier key from the JWKS. `after`: publish it now, sign with it in so many ms.
   */
  rotate(rotation: { retire: boolean; after?: number | undefined }): { key: RecordOf<'keys'>; retired: string[] }
  /** Ends the making of keys. */
  close(): void
}

/** What the app under test did that it should not: one for each rule and app. control-api: "Findings" */
export interface Finding {
  rule: string
  /** An error is certain and forbidden; a hint is practice or a threshold. */
  level: 'error' | 'hint'
  section: string
  /** The manifest id; null when the app is not known. */
  app: string | null
  /** Null when it was in several. */
  organization: string | null
  count: number
  first_at: string
  last_at: string
  /** What was seen last, with the figures, and what to do instead. */
  message: string
  /** Ids of journal entries, the newest last. */
  entries: number[]
}

/** Judges every exchange when it is over. control-api: "Findings" */
export interface Findings {
  judge(entry: JournalEntry): void
  list(): Finding[]
  /** Empties the list. What judges know of tokens and codes stays: without it they would take a second use for a first. */
  clear(): void
  /** The world becomes another one: what was seen in the earlier one says nothing of it. The list stays. */
  renew(): void
  /** Calls `listener` with every finding that is new or has been seen again; returns what stops that. */
  onFinding(listener: (finding: Finding) => void): () => void
}

/** What the steps of a scenario came to. control-api: "Scenarios" */
export interface ScenarioResult {
  passed: boolean
  steps: {
    index: number
    name: string | null
    step: string
    ok: boolean
    /** Real milliseconds. */
    ms: number
    result?: unknown
    error?: { message: string; mismatches: { path: string; expected: unknown; got?: unknown }[]; entries: number[] }
  }[]
}

/** Control calls and requests as a scenario. control-api: "Scenarios" */
export interface Recording {
  scenario: { title?: string | undefined; steps: object[] }
  /** What is not among the steps, and before which of them it was. */
  left_out: { before: number; request: string; why: string }[]
}

/** Runs scenarios against this very emulator, and knows the requests that they make themselves. */
export interface Scenarios {
  /**
   * @param scenario as it came: it is checked whole before its first step.
   * @throws Refusal 400 with every issue; 409 while another scenario runs.
   */
  run(scenario: unknown, signal: AbortSignal): Promise<ScenarioResult>
  /** Keeps control calls and requests from now on; what was kept before is dropped. */
  startRecording(): Promise<void>
  /** @returns what was kept, as a scenario; undefined when nothing was being recorded. */
  stopRecording(): Promise<Recording | undefined>
  /** Whether a request that came over this connection is a scenario's own, and not the app's. */
  isOwn(client: string, port: number | undefined): boolean
}

/** Requests of each credential in its current minute, in memory. wire: §2 "rate limit" */
export interface RateLimiter {
  windows: Map<string, { endsAt: number; count: number }>
}

/** Requests that a `hold` fault keeps waiting, by the fault's id. control-api: "Faults" */
export interface Holds {
  /** Resolves when `size` requests wait for the same fault, when they are released, or when `signal` aborts. */
  wait(fault: string, size: number, signal: AbortSignal): Promise<void>
  releaseAll(): void
}
