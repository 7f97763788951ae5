import type { IncomingResponse, OutgoingRequest } from '../../foundation/http-client/send.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Transaction } from '../../foundation/store/store.js'

/** The response to a webhook, with at most 1 MB of its body. */
export interface PostResponse extends Pick<IncomingResponse, 'status' | 'duration'> {
  headers: Record<string, string>
  /** Decoded by `Content-Encoding` and charset; undefined when it cannot be and is not UTF-8. */
  body: Buffer | undefined
  /** Bytes of the whole body, as far as they were read or announced, decoded. */
  length: number
}

/** Sends a webhook. Rejects with a `SendFailure` of `http-client`. wire: §7 */
export type Post = (
  request: Required<Pick<OutgoingRequest, 'url' | 'headers' | 'body' | 'timeout' | 'signal'>> &
    Pick<OutgoingRequest, 'onSent'>,
) => Promise<PostResponse>

type Delivery = RecordOf<'deliveries'>

/** The attempts that are under way, and those that wait for their time. */
export interface Outbox {
  /** Makes the delivery's first attempt. @returns the delivery once that has ended, or a fault has postponed it. */
  deliver(delivery: Delivery): Promise<Delivery>
  /** The same for several, without waiting. */
  send(deliveries: Delivery[]): void
  /** Sends a delivery once more, in any state. */
  redeliver(delivery: Delivery): Promise<Delivery>
  /** Aborts the attempts under way, in one organization or all, and discards their results, as before a reset. */
  abort(organization?: string): void
  /** Takes up the deliveries that the store says are still to be made, as after a start, a reset or a restore. */
  resume(): void
  /** Ids of the deliveries that are in flight or overdue, in one organization or all. */
  waiting(organization?: string): string[]
  /** Calls `listener` whenever an attempt has ended. @returns a function that removes it. */
  onEnd(listener: () => void): () => void
}

export interface DeliveryListener {
  /** Called within the change that records an attempt, or that a fault has postponed it until after the next one. */
  onDeliveryChange(tx: Transaction, delivery: Delivery): void
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
  /** True when an app's signing secret made the signature; `app` names it. */
  verified: boolean
  app: string | null
  /** Null when the body names no installation. */
  organization: string | null
}

/** The response of an inbox. `delay` in real milliseconds. */
export interface InboxBehavior {
  status: number
  delay: number
  headers: Record<string, string>
}

/** The built-in receivers, in memory. control-api: "Webhooks" */
export interface Inboxes {
  /** Oldest first. An inbox is there as soon as it is named. */
  entries(name: string): InboxEntry[]
  /** @returns the response. */
  add(name: string, entry: InboxEntry): InboxBehavior
  behave(name: string, behavior: InboxBehavior): void
  /** Empties one, or removes the entries of an organization from it. */
  empty(name: string, organization?: string): void
  /** Removes the entries of an organization from all. */
  forget(organization: string): void
  /** Empties all, and makes them well-behaved. */
  clear(): void
  /** Returns a function that restores all as they are now. */
  save(): () => void
  /** Calls `listener` whenever an entry is added to any. @returns a function that removes it. */
  onEntry(listener: () => void): () => void
}
