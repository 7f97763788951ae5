import type { StreamEvent } from '../../../control/client/event-stream.js'
import { readEvents, type StreamState } from './event-reader.js'

/** What a tab tells the worker: where the stream is, or that it leaves. */
export type ToWorker = { hello: { url: string; token: string | undefined } } | { bye: true }
/** What the worker tells its tabs. */
export type FromWorker = { state: StreamState } | { events: StreamEvent[] }

/** So long events are gathered before the tabs get them, in ms; so many at most, the newest. */
const GATHER = 50
const AT_MOST = 2_000

/**
 * One connection for all tabs of a browser, which opens only six to an origin: a stream for each tab would hang the
 * seventh tab, and the app's own sign-in page. console: Serving
 */
const scope = self as unknown as { onconnect: ((event: MessageEvent) => void) | null }

/** One connection, and the tabs that it is for: those that have the same token. */
interface Reading {
  tabs: Set<MessagePort>
  state: StreamState
  stop: AbortController
}

const readings = new Map<string, Reading>()

function startReading(url: string, token: string | undefined): Reading {
  const reading: Reading = { tabs: new Set(), state: 'connecting', stop: new AbortController() }
  const tell = (message: FromWorker) => {
    for (const tab of reading.tabs) tab.postMessage(message)
  }
  let gathered: StreamEvent[] = []
  const flush = () => {
    const lost = gathered.length - AT_MOST
    if (lost > 0) gathered.splice(0, lost, { id: 0, type: 'gap', data: { missed: lost } })
    tell({ events: gathered })
    gathered = []
  }
  void readEvents({
    url,
    token,
    signal: reading.stop.signal,
    onEvents: (events) => {
      if (gathered.length === 0) setTimeout(flush, GATHER)
      gathered.push(...events)
    },
    onState: (state) => {
      reading.state = state
      tell({ state })
    },
  })
  return reading
}

/** A connection that nobody listens to is ended. */
function leave(tab: MessagePort): void {
  for (const [key, { tabs, stop }] of readings) {
    if (!tabs.delete(tab) || tabs.size > 0) continue
    stop.abort()
    readings.delete(key)
  }
}

scope.onconnect = ({ ports: [tab] }) => {
  if (!tab) return
  tab.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    leave(tab)
    if ('bye' in data) return
    const { url, token } = data.hello
    const key = JSON.stringify([url, token])
    const reading = readings.get(key) ?? startReading(url, token)
    readings.set(key, reading)
    reading.tabs.add(tab)
    tab.postMessage({ state: reading.state } satisfies FromWorker)
  }
}
