import { eventParser } from '../../../control/client/event-parser.js'
import type { StreamEvent } from '../../../control/client/event-stream.js'

/** How the stream is: being read, cut off, or refused for this token. */
export type StreamState = 'connecting' | 'live' | 'cut' | 'refused'

export interface ReaderOptions {
  url: string
  token: string | undefined
  onEvents: (events: StreamEvent[]) => void
  onState: (state: StreamState) => void
  /** Ends the reading for good. */
  signal: AbortSignal
}

/** A comment line comes every 15 s; after so many ms without a byte the connection is dead. */
const SILENCE = 40_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 5_000

/**
 * Reads the stream until told to stop, going on after each cut where it stopped. Not an EventSource: that cannot carry
 * the admin token in a header.
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
      if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}`)
      onState('live')
      wait = FIRST_WAIT
      const take = eventParser<StreamEvent>()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(stop, SILENCE)
        const events = take(read.value)
        lastId = events.at(-1)?.id ?? lastId
        if (events.length > 0) onEvents(events)
      }
    } catch {
      // Whatever ended it, the answer is the same: say so, wait, and try again.
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
