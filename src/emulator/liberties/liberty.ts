import type { Response } from '../serving/response.js'
import type { SerialisedResponse } from '../serving/send.js'
import type { RequestContext } from '../serving/surface.js'
import type { Settings } from '../world/setting-table.js'
import type { Outbox } from '../world/webhook-parts.js'
import type { World } from '../world/world.js'
import type { Chance } from './chance.js'

/** A request, or something that is made without one, as a liberty sees it. */
export interface Turn {
  /** The world without liberties. */
  readonly world: World
  /** The request; undefined for a webhook that is sent later. */
  readonly context: RequestContext | undefined
  /** `api listCourses`, `event app.installed`, `id_token`. */
  readonly operation: string
  /** Slug of the organization, and the manifest id of the app; empty when unknown. */
  readonly organization: string
  readonly app: string
  /** Chance that is the same for the whole run, for all that has this key. */
  kept(...key: string[]): Chance
  /** Chance of this request alone. */
  readonly fresh: Chance
  /** Notes that the exchange has met the liberty. */
  take(): void
}

/** A form of texts that are made at random. */
export interface TextForm {
  alphabet: string
  size: number
}

/** What liberties change. */
export interface Changed {
  settings: Settings
  deliver: Outbox['deliver']
  /** A response of `/v0`, OAuth or the pages. */
  response: Response
  /** A JSON body of `/v0` or OAuth, or an event. */
  json: object
  /** A response as it is sent; the journal keeps it as it was before. */
  transport: SerialisedResponse
}

export type Changes = { [A in keyof Changed]: (value: Changed[A], turn: Turn) => Changed[A] }

/** Everything that a liberty can do. */
export interface Acts extends Changes {
  /** Returns the usual path for one that is served beside it. */
  path(path: string, turn: Turn): string | undefined
  /** Reads what `response` has written for the next request. */
  request(turn: Turn): void
  id(turn: Turn): TextForm
  secret(turn: Turn): TextForm
  /** Runs before the handler: waits, or refuses. Returns true when it did. @throws Refusal */
  weather(context: RequestContext, turn: Turn): boolean | Promise<boolean>
  idToken(draft: { header: { kid?: string }; claims: Record<string, unknown> }, turn: Turn): void
}

/** A liberty without at least one act does not compile. */
type SomeActs = { [A in keyof Acts]: Pick<Acts, A> & Partial<Acts> }[keyof Acts]

export interface Liberty {
  /** In words, for the documentation. */
  varies: string
  /** The rows of the decisions that leave it open, or what else does. */
  open: string[]
  acts: SomeActs
}
