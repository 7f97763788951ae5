import { effect, signal } from '@preact/signals'
import type { StreamEvent } from '../../../control/client/event-stream.js'
import { adminToken, base, tokenRefused } from '../api/call.js'
import { readEvents, type StreamState } from './event-reader.js'
import type { FromWorker, ToWorker } from './stream-worker.js'

/** The worker's file, whose name holds a hash of its contents: put here by the build. */
declare const STREAM_WORKER: string

export const streamState = signal<StreamState>('connecting')
/** How many events were lost when this page, or the emulator, could not keep up; null when none. */
export const missed = signal<number | null>(null)

type Listener = (data: unknown) => void
const listeners = new Map<string, Set<Listener>>()
const resyncs = new Set<() => void>()

/** Calls `listener` with each event of that type; returns what stops that. */
export function onEvent(type: string, listener: Listener): () => void {
  const set = listeners.get(type) ?? new Set()
  listeners.set(type, set.add(listener))
  return () => set.delete(listener)
}

/** Calls `reread` whenever what is known may be out of date: another world, a gap, a connection that begins or is back. */
export function onResync(reread: () => void): () => void {
  resyncs.add(reread)
  return () => resyncs.delete(reread)
}

let waiting: StreamEvent[] = []
let drawing = false

/** One drawing a frame, however many events there are. A tab in the background has no frames. */
const schedule = (work: () => void) => {
  if (document.hidden) setTimeout(work, 250)
  else requestAnimationFrame(work)
}

function take(events: StreamEvent[]): void {
  waiting.push(...events)
  if (drawing) return
  drawing = true
  schedule(() => {
    drawing = false
    const batch = waiting
    waiting = []
    for (const { type, data } of batch) {
      for (const listener of listeners.get(type) ?? []) listener(data)
    }
    const lost = batch.filter(({ type }) => type === 'gap')
    if (lost.length > 0) {
      const counts = lost.map(({ data }) => (data as { missed: number }).missed)
      missed.value = (missed.value ?? 0) + counts.reduce((sum, count) => sum + count, 0)
    }
    if (lost.length > 0 || batch.some(({ type }) => type === 'world')) resync()
  })
}

const resync = () => {
  for (const reread of resyncs) reread()
}

/** What is read while the stream is not live lacks what happens until it is: at first, too. */
let isBehind = true

function turnTo(state: StreamState): void {
  if (state === 'refused') tokenRefused.value = true
  if (state !== 'live') isBehind = true
  streamState.value = state
  if (state === 'live' && isBehind) {
    isBehind = false
    resync()
  }
}

/** Reads the stream for as long as the page lives: by the worker that all tabs share, directly where there is none. */
export function openStream(): void {
  const url = new URL('_admin/stream', base).href
  if (typeof SharedWorker === 'undefined') {
    let stop = new AbortController()
    effect(() => {
      stop.abort()
      stop = new AbortController()
      void readEvents({ url, token: adminToken.value, onEvents: take, onState: turnTo, signal: stop.signal })
    })
    return
  }
  const { port } = new SharedWorker(new URL(STREAM_WORKER, import.meta.url), { name: 'mockademy-stream' })
  const tell = (message: ToWorker) => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<FromWorker>) => ('state' in data ? turnTo(data.state) : take(data.events))
  effect(() => tell({ hello: { url, token: adminToken.value } }))
  addEventListener('pagehide', () => tell({ bye: true }))
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    isBehind = true
    tell({ hello: { url, token: adminToken.value } })
  })
}
