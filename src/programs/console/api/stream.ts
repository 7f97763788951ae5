import { signal } from '@preact/signals'
import type { StreamEvent } from '../../../control/client/event-stream.js'
import { adminToken, base, tokenRefused } from './call.js'
import type { FromTab, StreamState, ToTab } from './stream-worker.js'

/** The worker's file, whose name contains a hash of its contents: put here by the build. */
declare const STREAM_WORKER: string

export const streamState = signal<StreamState>('connecting')
/** The number of events that were lost because the page or the emulator could not keep up; null when none. */
export const missed = signal<number | null>(null)

export type EventData<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>['data']

const listeners: { type: StreamEvent['type']; listener: (data: never[]) => void }[] = []
const resyncs: (() => void)[] = []

/** Calls `listener` with the data of all events of that type in one frame, so that they become one change of the page. */
export const onEvents = <T extends StreamEvent['type']>(type: T, listener: (data: EventData<T>[]) => void) =>
  void listeners.push({ type, listener })

/** Calls `reload` whenever loaded data may be out of date: another world, a gap, a new connection. */
export const onResync = (reload: () => void) => void resyncs.push(reload)

let waiting: StreamEvent[] = []

/** Passes events on once a frame, however many there are. A tab in the background has no frames. */
function receive(events: StreamEvent[]): void {
  const isScheduled = waiting.length > 0
  waiting.push(...events)
  if (isScheduled) return
  if (document.hidden) setTimeout(dispatch, 250)
  else requestAnimationFrame(dispatch)
}

function dispatch(): void {
  const events = waiting
  waiting = []
  const byType = Map.groupBy(events, ({ type }) => type)
  for (const { type, listener } of listeners) {
    const data = byType.get(type)?.map((event) => event.data)
    if (data) listener(data as never[])
  }
  if (byType.has('gap') || byType.has('world')) resync()
}

onEvents('gap', (gaps) => {
  // An emulator that was started again has a gap in which nothing was missed.
  missed.value = gaps.reduce((sum, gap) => sum + gap.missed, missed.value ?? 0) || null
})

const resync = () => {
  for (const reload of resyncs) reload()
}

function changeState(state: StreamState): void {
  if (state === 'refused') tokenRefused.value = true
  streamState.value = state
  // Data read before may be out of date.
  if (state === 'live') resync()
}

/** Returns a port to the worker that all tabs share; to this page itself where there are no shared workers. */
function openPort(): MessagePort {
  const { href } = new URL(STREAM_WORKER, import.meta.url)
  if (typeof SharedWorker !== 'undefined') {
    return new SharedWorker(href, { type: 'module', name: 'mockademy-stream' }).port
  }
  const { port1, port2 } = new MessageChannel()
  const worker: Promise<typeof import('./stream-worker.js')> = import(href)
  void worker.then(({ serveTab }) => serveTab(port2))
  return port1
}

/** Reads the stream for as long as the page lives. */
export function openStream(): void {
  const url = new URL('_admin/stream', base).href
  const port = openPort()
  const post = (message: FromTab) => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<ToTab>) => ('state' in data ? changeState(data.state) : receive(data.events))
  const join = () => post({ join: { url, token: adminToken } })
  join()
  addEventListener('pagehide', () => post({ leave: true }))
  addEventListener('pageshow', ({ persisted }) => persisted && join())
}
