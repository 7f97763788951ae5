import type { StreamEvent } from '../../client/event-stream.js'
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
const tabs = new Set<MessagePort>()
let state: StreamState = 'connecting'
let reading: { url: string; token: string | undefined; stop: AbortController } | undefined
let gathered: StreamEvent[] = []

const tell = (message: FromWorker) => {
  for (const tab of tabs) tab.postMessage(message)
}

const flush = () => {
  const lost = gathered.length - AT_MOST
  if (lost > 0) gathered.splice(0, lost, { id: 0, type: 'gap', data: { missed: lost } })
  tell({ events: gathered })
  gathered = []
}

const read = (url: string, token: string | undefined) => {
  reading?.stop.abort()
  const stop = new AbortController()
  reading = { url, token, stop }
  void readEvents({
    url,
    token,
    signal: stop.signal,
    onEvents: (events) => {
      if (gathered.length === 0) setTimeout(flush, GATHER)
      gathered.push(...events)
    },
    onState: (next) => {
      if (stop.signal.aborted) return
      state = next
      tell({ state })
    },
  })
}

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if ('bye' in data) {
      tabs.delete(port)
      return
    }
    tabs.add(port)
    const { url, token } = data.hello
    const isAnother = reading?.url !== url || reading.token !== token || state === 'refused'
    if (isAnother) read(url, token)
    else port.postMessage({ state } satisfies FromWorker)
  }
}
