import { eventParser } from '../../../control/client/event-parser.js'
import type { StreamEvent } from '../../../control/client/event-stream.js'

/** The state of the connection; `refused` for this token. */
export type StreamState = 'connecting' | 'live' | 'cut' | 'refused'

interface ReaderOptions {
  url: string
  token: string | undefined
  onEvents: (events: StreamEvent[]) => void
  onState: (state: StreamState) => void
  /** Ends the connection for good. */
  signal: AbortSignal
}

/** Milliseconds without a byte after which a connection is dead: a comment line comes every 15 s. */
const SILENCE = 40_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 5_000

/**
 * Reads the stream until the signal aborts, and reconnects after each cut where it stopped. Not an EventSource: that
 * cannot send the admin token in a header.
 */
export async function readEvents({ url, token, onEvents, onState, signal }: ReaderOptions): Promise<void> {
  let lastId: number | undefined
  let wait = FIRST_WAIT
  while (!signal.aborted) {
    const connection = new AbortController()
    const stop = () => connection.abort()
    signal.addEventListener('abort', stop)
    let silence = setTimeout(stop, SILENCE)
    try {
      const response = await fetch(url, {
        headers: {
          accept: 'text/event-stream',
          ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        cache: 'no-store',
        signal: connection.signal,
      })
      if (response.status === 401) return onState('refused')
      if (!response.ok || !response.body) throw new Error(`The stream responded with ${response.status}`)
      onState('live')
      wait = FIRST_WAIT
      const parse = eventParser<StreamEvent>()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(stop, SILENCE)
        const events = parse(read.value)
        lastId = events.at(-1)?.id ?? lastId
        if (events.length > 0) onEvents(events)
      }
    } catch {
      // Reconnects, whatever the cause.
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
    }
    if (signal.aborted) return
    onState('cut')
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
}
