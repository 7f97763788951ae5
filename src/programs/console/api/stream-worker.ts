import { eventParser } from '../../../control/client/event-parser.js'
import type { StreamEvent } from '../../../control/client/event-stream.js'

/** The state of the connection; `refused` for this token. */
export type StreamState = 'connecting' | 'live' | 'cut' | 'refused'

interface Address {
  url: string
  token: string | undefined
}

/** A message of a tab: the stream that it wants, or that it leaves. */
export type FromTab = { join: Address } | { leave: true }
/** A message to a tab. */
export type ToTab = { state: StreamState } | { events: StreamEvent[] }

/** Milliseconds in which events are gathered before the tabs get them. */
const GATHER = 50

interface Connection {
  tabs: Set<MessagePort>
  state: StreamState
  stop: AbortController
}

const connections = new Map<string, Connection>()

/**
 * One connection for all tabs of a browser, which opens only six to an origin: a stream for each tab would hang the
 * seventh tab, and the app's own sign-in page. console: Serving
 */
const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void }

scope.onconnect = ({ ports: [tab] }) => {
  if (tab) serveTab(tab)
}

/** Reads the stream for a tab, also for a page without shared workers, over one connection for all tabs with the same token. */
export function serveTab(tab: MessagePort): void {
  tab.onmessage = ({ data }: MessageEvent<FromTab>) => {
    leave(tab)
    if ('leave' in data) return
    const key = JSON.stringify(data.join)
    const connection = connections.get(key) ?? connect(key, data.join)
    connection.tabs.add(tab)
    tab.postMessage({ state: connection.state } satisfies ToTab)
  }
}

function leave(tab: MessagePort): void {
  for (const [key, { tabs, stop }] of connections) {
    if (!tabs.delete(tab) || tabs.size > 0) continue
    stop.abort()
    connections.delete(key)
  }
}

function connect(key: string, address: Address): Connection {
  const connection: Connection = { tabs: new Set(), state: 'connecting', stop: new AbortController() }
  connections.set(key, connection)
  const post = (message: ToTab) => {
    for (const tab of connection.tabs) tab.postMessage(message)
  }
  let gathered: StreamEvent[] = []
  const flush = () => {
    post({ events: gathered })
    gathered = []
  }
  void readStream(address, connection.stop.signal, (message) => {
    if ('events' in message) {
      if (gathered.length === 0) setTimeout(flush, GATHER)
      gathered.push(...message.events)
      return
    }
    connection.state = message.state
    post(message)
    // It has ended, and the emulator may accept the token of the next tab that joins.
    if (message.state === 'refused') connections.delete(key)
  })
  return connection
}

/** Milliseconds without a byte after which a connection is dead: a comment line comes every 15 s. */
const SILENCE = 40_000
const FIRST_WAIT = 500
const MAX_WAIT = 5_000

/**
 * Reads the stream until the signal aborts, and reconnects after each cut where it stopped. Not an EventSource: that
 * cannot send the admin token in a header.
 */
async function readStream({ url, token }: Address, signal: AbortSignal, post: (message: ToTab) => void) {
  let lastId: number | undefined
  let wait = FIRST_WAIT
  while (!signal.aborted) {
    const dead = new AbortController()
    let silence = setTimeout(() => dead.abort(), SILENCE)
    try {
      const response = await fetch(url, {
        headers: {
          accept: 'text/event-stream',
          ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        cache: 'no-store',
        signal: AbortSignal.any([signal, dead.signal]),
      })
      if (response.status === 401) return post({ state: 'refused' })
      if (!response.ok || !response.body) throw new Error(`The stream responded with ${response.status}`)
      post({ state: 'live' })
      wait = FIRST_WAIT
      const parse = eventParser<StreamEvent>()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(() => dead.abort(), SILENCE)
        const events = parse(read.value)
        lastId = events.at(-1)?.id ?? lastId
        if (events.length > 0) post({ events })
      }
    } catch {
      // Reconnects, whatever the cause.
    } finally {
      clearTimeout(silence)
    }
    post({ state: 'cut' })
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, MAX_WAIT)
  }
}
