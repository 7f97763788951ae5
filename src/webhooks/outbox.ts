import type { World } from '../world.js'

/** The attempts that are under way, and those that wait for their time. */
export interface Outbox {
  /** Aborts every attempt under way and discards its outcome, as before a reset. */
  abortAll(): void
  /** Takes up the deliveries that the store says are still to be made, as after a start, a reset or a restore. */
  resume(): void
  /** Sends `app.installed` for installations that came with a fixture document and asked for it. */
  announce(installations: string[]): void
}

export const createOutbox = (_world: () => World): Outbox => ({ abortAll() {}, resume() {}, announce() {} })
