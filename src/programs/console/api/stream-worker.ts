import type { StreamEvent } from '../../../control/client/event-stream.js'
import { readEvents, type StreamState } from './event-reader.js'

/** A message of a tab to the worker. */
export type ToWorker = { join: { url: string; token: string | undefined } } | { leave: true }
/** A message of the worker to its tabs. */
export type FromWorker = { state: StreamState } | { events: StreamEvent[] }

/** Milliseconds in which events are gathered before the tabs get them. */
const GATHER = 50
/** The most events that tabs get at once: the newest. */
const AT_MOST = 2_000

/**
 * One connection for all tabs of a browser, which opens only six to an origin: a stream for each tab would hang the
 * seventh tab, and the app's own sign-in page. console: Serving
 */
const scope = self as unknown as { onconnect: ((event: MessageEvent) => void) | null }

/** A connection, and the tabs with its token. */
interface Connection {
  tabs: Set<MessagePort>
  state: StreamState
  stop: AbortController
}

const connections = new Map<string, Connection>()

function connect(url: string, token: string | undefined): Connection {
  const connection: Connection = { tabs: new Set(), state: 'connecting', stop: new AbortController() }
  const post = (message: FromWorker) => {
    for (const tab of connection.tabs) tab.postMessage(message)
  }
  let gathered: StreamEvent[] = []
  const flush = () => {
    const lost = gathered.length - AT_MOST
    if (lost > 0) gathered.splice(0, lost, { id: 0, type: 'gap', data: { missed: lost } })
    post({ events: gathered })
    gathered = []
  }
  void readEvents({
    url,
    token,
    signal: connection.stop.signal,
    onEvents: (events) => {
      if (gathered.length === 0) setTimeout(flush, GATHER)
      gathered.push(...events)
    },
    onState: (state) => {
      connection.state = state
      post({ state })
    },
  })
  return connection
}

/** Removes the tab, and ends its connection when it was the last one. */
function leave(tab: MessagePort): void {
  for (const [key, { tabs, stop }] of connections) {
    if (!tabs.delete(tab) || tabs.size > 0) continue
    stop.abort()
    connections.delete(key)
  }
}

scope.onconnect = ({ ports: [tab] }) => {
  if (!tab) return
  tab.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    leave(tab)
    if ('leave' in data) return
    const { url, token } = data.join
    const key = JSON.stringify([url, token])
    const connection = connections.get(key) ?? connect(url, token)
    connections.set(key, connection)
    connection.tabs.add(tab)
    tab.postMessage({ state: connection.state } satisfies FromWorker)
  }
}
