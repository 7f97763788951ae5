import { effect, signal } from '@preact/signals'
import type { StreamEvent } from '../../../control/client/event-stream.js'
import { adminToken, base, tokenRefused } from './call.js'
import type { FromTab, StreamState, ToTab } from './stream-reader.js'

/** The worker's file, whose name contains a hash of its contents: put here by the build. */
declare const STREAM_WORKER: string

export const streamState = signal<StreamState>('connecting')
/** The number of events that were lost because the page or the emulator could not keep up; null when none. */
export const missed = signal<number | null>(null)

type EventData<T extends StreamEvent['type']> = Extract<StreamEvent, { type: T }>['data']

const listeners = new Map<string, Set<(data: never) => void>>()
const resyncs = new Set<() => void>()

/** Calls `listener` with the data of each event of that type. @returns what ends that. */
export function onEvent<T extends StreamEvent['type']>(type: T, listener: (data: EventData<T>) => void): () => void {
  const set = listeners.get(type) ?? new Set()
  listeners.set(type, set.add(listener))
  return () => set.delete(listener)
}

/** Calls `reload` whenever loaded data may be out of date: another world, a gap, a new connection. @returns what ends that. */
export function onResync(reload: () => void): () => void {
  resyncs.add(reload)
  return () => resyncs.delete(reload)
}

let waiting: StreamEvent[] = []

/** Runs `work` with the next frame. A tab in the background has no frames. */
const schedule = (work: () => void) => {
  if (document.hidden) setTimeout(work, 250)
  else requestAnimationFrame(work)
}

/** Passes events on once a frame, however many there are. */
function receive(events: StreamEvent[]): void {
  if (waiting.length === 0 && events.length > 0) schedule(dispatch)
  waiting.push(...events)
}

function dispatch(): void {
  const events = waiting
  waiting = []
  let lost = 0
  for (const { type, data } of events) {
    for (const listener of listeners.get(type) ?? []) listener(data as never)
    if (type === 'gap') lost += data.missed
  }
  if (lost > 0) missed.value = (missed.value ?? 0) + lost
  if (events.some(({ type }) => type === 'gap' || type === 'world')) resync()
}

const resync = () => {
  for (const reload of resyncs) reload()
}

/** True while data that is read may lack later changes: until the stream is live, also for the first time. */
let isBehind = true

function changeState(state: StreamState): void {
  if (state === 'refused') tokenRefused.value = true
  if (state !== 'live') isBehind = true
  streamState.value = state
  if (state === 'live' && isBehind) {
    isBehind = false
    resync()
  }
}

/** A port to the worker that all tabs share; to this page itself where there are no shared workers. */
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
  effect(() => post({ join: { url, token: adminToken.value } }))
  addEventListener('pagehide', () => post({ leave: true }))
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    isBehind = true
    post({ join: { url, token: adminToken.value } })
  })
}
