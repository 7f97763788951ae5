import type { ControlCaller } from '../client/caller.js'
import type { StreamEvent, StreamOptions } from '../client/event-stream.js'
import type { Wire } from '../client/wire.js'

/** What the steps of a scenario work with: the emulator and the app, as any program meets them. */
export interface Stage {
  /** The emulator's address. */
  url: string
  /** Its setting `admin_token`. */
  token: string | undefined
  call: ControlCaller
  /** Sends what a step says over connections that the emulator knows as the scenario's own. */
  wire: Wire
  stream(options: StreamOptions, onOpen: () => void): AsyncGenerator<StreamEvent>
  /** The API key of an organization that exists; null without one. */
  apiKeyOf(organization: string): string | null | undefined
  /** The setting `journal_size`. */
  journalSize: number
  /** What is told of a time that was measured, in real milliseconds. */
  told(measured: number): number
  signal: AbortSignal
}
