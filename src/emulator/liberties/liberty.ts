import type { Refusal } from '../../foundation/http/refusal.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Response } from '../serving/response.js'
import type { SerializedResponse } from '../serving/send.js'
import type { RequestContext } from '../serving/surface.js'
import type { IdTokenParts } from '../world/forms.js'
import type { World } from '../world/world.js'
import type { Chance } from './chance.js'

export type Delivery = RecordOf<'deliveries'>

/** A request or an event, as a liberty sees it. */
export interface Turn {
  /** The world without liberties. */
  readonly world: World
  /** The request; undefined for an event. */
  readonly context: RequestContext | undefined
  /** `api listCourses`, `event app.installed`. */
  readonly operation: string
  /** Slug of the organization, and the manifest id of the app; empty when unknown. */
  readonly organization: string
  readonly app: string
  /** Chance that is the same for the whole run, for all that has this key. */
  stableChance(...key: string[]): Chance
  /** Chance of this request or event alone. */
  readonly ownChance: Chance
  /** Notes that the liberty was taken. */
  take(): void
}

/** A form of texts that are made at random. `end` is always the same, and part of the size. */
export interface TextForm {
  alphabet: string
  size: number
  end?: string
}

/** Values that liberties change. One that returns another value than it was given has been taken. */
export interface Changed {
  /** A response of `/v0`, OAuth or the pages. */
  response: Response
  /** A JSON body of `/v0` or OAuth, or an event. */
  json: object
  idToken: IdTokenParts
  /** A response as it is sent; the journal keeps it as it was before. */
  transport: SerializedResponse
}

export type Changes = { [A in keyof Changed]: (value: Changed[A], turn: Turn) => Changed[A] }

/** Everything that a liberty can do. */
export interface Acts extends Changes {
  /** Reads what `response` has written for the next request. */
  request(turn: Turn): void
  pageSize(largest: number, turn: Turn): number
  /** Returns true when an empty page ends the list. */
  endsEmpty(turn: Turn): boolean
  id(turn: Turn): TextForm
  secret(turn: Turn): TextForm
  /** Returns the name on the wire of a signing key that has none yet. */
  kid(id: string, turn: Turn): string
  /** Runs before the handler. Returns a refusal, or true when it has done something else. */
  weather(context: RequestContext, turn: Turn): Refusal | boolean | Promise<boolean>
  /** Weather before the first attempt of an event. Returns true when the event is sent later. */
  hold(delivery: Delivery, turn: Turn): boolean
  /** Weather after the first attempt of an event. Returns true when another one is made. */
  repeat(delivery: Delivery, turn: Turn): boolean
  /** Runs after the first attempt of an event. */
  follow(delivery: Delivery, turn: Turn): void
}

type SomeActs = { [A in keyof Acts]: Pick<Acts, A> & Partial<Acts> }[keyof Acts]

export type Liberty = SomeActs & {
  /** Description for the documentation. */
  varies: string
  /** The rows of the decisions that leave it open, or what else does. */
  open: string[]
}
