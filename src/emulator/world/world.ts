import type { Store } from '../../foundation/store/store.js'
import type { Clock } from './clock.js'
import type { Forms } from './forms.js'
import type { Coverage, Findings, Holds, Journal, KeyRing, Liberties, RateLimiter, Stream } from './parts.js'
import type { Random } from './random.js'
import type { Scenarios } from './scenario-parts.js'
import type { GivenSettings, Settings } from './setting-table.js'
import type { Spans } from './trace.js'
import type { Inboxes, Outbox, Post } from './webhook-parts.js'

/** Everything a rule may touch. Nothing of an emulator lives outside of its world, so that one process can run many. */
export interface World {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly journal: Journal
  /** Live events. */
  readonly stream: Stream
  readonly post: Post
  readonly outbox: Outbox
  readonly inboxes: Inboxes
  readonly keys: KeyRing
  readonly rateLimiter: RateLimiter
  readonly holds: Holds
  readonly liberties: Liberties
  readonly forms: Forms
  readonly findings: Findings
  readonly coverage: Coverage
  /** The last report of an audit and of a sweep, by the command's name. */
  readonly reports: Map<string, unknown>
  readonly scenarios: Scenarios
  /** Ids of the runs whose stream is open, in the order in which they began. */
  readonly runs: Set<string>
  /** Undefined unless spans are exported. */
  readonly spans?: Spans | undefined
  /** The key of the web app's forms for visitors who have not signed in; a page of another origin cannot read it. */
  readonly formKey: string
  /** The settings in force: a fixture document that is loaded later may change some. */
  readonly settings: Settings
  /** Known once the emulator listens. */
  readonly addresses: Addresses
  /** The origin of this world, and its neighbors. control-api: "World" */
  readonly origin: Origin
  /** Aborts when the emulator closes: what waits must stop waiting. */
  readonly closing: AbortSignal
}

/** Origins without a trailing slash. wire: §1 */
export interface Addresses {
  base_url: string
  app_url: string
  browser_url: string
}

export interface Origin {
  world: 'seeded' | 'resumed'
  /** The store's file, or `memory`. */
  store: string
  /** The API keys and app secrets that the fixtures of its beginning give: the only ones that may be shown. */
  fixture_secrets: string[]
  /** Numbers of records that the world began with, as `counts` of the store; a reset goes back to them. */
  counts: Record<string, number>
  /** Every world of the process, this one too. */
  worlds: { index: number; url: string }[]
  /** Settings that a flag, an option or the environment gives, which a fixture does not override. */
  explicitSettings: GivenSettings
}

/** The name of the state that reset goes back to. Snapshots have names of another form. */
export const START = 'start'
