import type { Warning } from '../../foundation/schema/issue.js'
import type { TraceContext } from './trace.js'

/** The surfaces of the emulator, and its outgoing webhooks. control-api: "Shapes", journal entry */
export const surfaceNames = ['api', 'oauth', 'web', 'admin', 'inbox', 'webhook'] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** Returns true for `/v0` and OAuth, the surfaces that apps call. */
export const isPlatformApi = (surface: string | undefined): surface is 'api' | 'oauth' =>
  surface === 'api' || surface === 'oauth'

/** The code of the warning about an authorization request that a page's script made. */
export const FROM_SCRIPT = 'authorize_request_from_script'

/** Facts about a request for the journal, beyond the message itself. */
export interface Notes {
  /** The reason of a refusal, in more words than the response has. */
  reason?: string
  warnings?: Warning[]
  /** The id of the injected fault that the request met, and its effect: the fault may be deleted by then. */
  fault?: string
  effect?: unknown
  /** True when it held the response back after the work, so that it may have come too late for the client. */
  isHeldBack?: boolean
  /** The ids of the liberties that the exchange met. */
  liberties?: string[]
  /** The cursor of the next page of a list, null on its last one: the journal truncates long bodies. */
  next?: string | null
}

/** The sender of a request, for the journal and for faults that match on it. */
export interface Identity {
  app?: string | undefined
  organization?: string | undefined
  user?: string | undefined
}

/** Facts about a sent webhook. */
export interface DeliveryFacts {
  id: string
  event: string
  /** The event's id, which no other delivery has, also after a reset or restore. */
  event_id: string
  /** The origin of the webhook's URL. */
  origin: string
  /** Real milliseconds that the app has. */
  window: number
  /** Forged: its signature does not fit its body. Altered: signed, but not what the platform would have sent. */
  sent: 'genuine' | 'altered' | 'forged'
}

export const MAX_MARK_NAME = 500

/** The beginning or the end of a test, or of a step of one. coverage: "Marks" */
export interface Mark {
  name: string
  kind: 'test' | 'step'
  state: 'begin' | 'passed' | 'failed'
  /** Slug: only of exchanges of this organization. */
  organization?: string | undefined
}

/** Bytes of a body that the journal keeps. control-api: "Journal" */
export const MAX_JOURNALED_BODY = 64 * 1024
/** Approximate bytes of an exchange without its bodies. */
export const ENTRY_BYTES = 2_000

/** One side of an exchange, as it was. */
export interface Message {
  headers: Record<string, string | string[] | undefined>
  /** The bytes sent over the wire, at most the first `MAX_JOURNALED_BODY`; undefined when it is binary, or there is none. */
  body: string | Buffer | undefined
  /** Length of the whole body in bytes. */
  length: number
}

/** One side of an exchange as it is given to the journal; `length` only when it is not that of `body`. */
export type GivenMessage = Pick<Message, 'headers' | 'body'> & { length?: number | undefined }

export type Exchange = Omit<JournalEntry, 'id' | 'reportedDuration' | 'request' | 'response'> & {
  request: GivenMessage
  response: GivenMessage
}

/** A request and its response, unredacted; presented with secrets redacted. control-api: "Journal" */
export interface JournalEntry {
  id: number
  at: string
  surface: SurfaceName
  method: string
  path: string
  /** The query as sent, without the question mark. */
  search: string
  /** Null when no response went out or came in. */
  status: number | null
  /** Real milliseconds. */
  duration: number
  /** The duration as it is reported, which is 0 in a seeded world whose clock is stopped. */
  reportedDuration: number
  /** The address that it came from; empty for what went out. */
  client: string
  /** The port there, which distinguishes a client's connections; undefined for what went out. */
  client_port?: number | undefined
  /** Checkpoints before the request was received, before it can have been sent, and before its response; see `Arrivals`. */
  receivedAfter?: number | undefined
  sentAfter?: number | undefined
  respondedAfter?: number | undefined
  /** A step of a scenario has sent it; left out for what comes from the app, a browser or a person. */
  sender?: 'scenario' | undefined
  /** The span of its sender, as its `traceparent` names it. */
  sentIn?: TraceContext | undefined
  /** Its own span when spans are exported. */
  span?: (TraceContext & { parent?: string | undefined }) | undefined
  /** The route's path, with `:id` for a name; left out when none matched. */
  route?: string | undefined
  /** The run of an audit or a sweep that caused it. */
  run?: string | undefined
  /** Names of the test and the step during which it ended. */
  marks?: string[] | undefined
  /** The id of the route's operation, unique in its surface; undefined when the request led to no route. */
  operation?: string | undefined
  /** An injected fault broke the connection instead of, or within, the response. */
  broken?: boolean
  /** The scope that the route asks of an install token; null when no token is enough. */
  scope?: string | null | undefined
  /** Facts about the webhook, for entries of webhooks. */
  delivery?: DeliveryFacts
  identity: Identity
  notes: Notes
  request: Message
  response: Message
}

/** Returns the names of a test and its step in one line. coverage: "Marks" */
export const markPath = (marks: string[]): string => marks.join(' › ')

/** Returns true if `mark` is one of the names, or their path. */
export const hasMark = (marks: string[] | undefined, mark: string): boolean =>
  marks !== undefined && (marks.includes(mark) || markPath(marks) === mark)
