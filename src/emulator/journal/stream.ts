import type { EventBatch, EventType, Stream } from '../world/parts.js'
import { matchesRun } from '../world/run.js'

interface StreamEvent {
  id: number
  type: EventType
  /** Made when it is read, since most events never are. */
  data: () => unknown
  size: number
  run: string | undefined
}

const KEPT = { events: 2_000, bytes: 16 * 1024 * 1024 }
/** Events that a reader gets at once. */
const MAX_BATCH = 100
const ofRuns: EventType[] = ['request', 'delivery', 'finding']
/** Approximate bytes of an event that is no exchange or delivery. */
const SMALL_EVENT = 500

/** Creates the stream of an emulator's events. */
export function createStream(): Stream {
  const kept: StreamEvent[] = []
  const sleepers = new Set<() => void>()
  /** Presentations of the newest events, which readers share until the next event. */
  const shown = new Map<StreamEvent, EventBatch[number]>()
  let last = 0
  let bytes = 0
  let renewing = 0

  const wake = () => {
    if (sleepers.size === 0) return
    for (const resume of sleepers) resume()
    sleepers.clear()
  }
  const next = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const resume = () => {
        signal.removeEventListener('abort', resume)
        sleepers.delete(resume)
        resolve()
      }
      sleepers.add(resume)
      signal.addEventListener('abort', resume, { once: true })
    })

  const publish: Stream['publish'] = (type, data, { size = SMALL_EVENT, run } = {}) => {
    kept.push({ id: ++last, type, data, size, run })
    bytes += size
    shown.clear()
    while (kept.length > KEPT.events || (bytes > KEPT.bytes && kept.length > 1)) bytes -= kept.shift()?.size ?? 0
    wake()
  }

  const show = (event: StreamEvent) => {
    const { id, type, data } = event
    const made = shown.get(event) ?? { id, type, data: data() }
    if (shown.size < MAX_BATCH) shown.set(event, made)
    return made
  }

  return {
    publish,
    renew(why, work) {
      renewing++
      let result: ReturnType<typeof work>
      try {
        result = work()
      } finally {
        renewing--
      }
      publish('world', () => ({ why }))
      return result
    },
    get isRenewing() {
      return renewing > 0
    },
    async *read(since = last, signal, run) {
      let at = since
      while (!signal.aborted) {
        const before = (kept[0]?.id ?? last + 1) - 1
        // An id above the last one comes from an earlier emulator process.
        const isGone = at < before || at > last
        if (isGone) {
          const missed = Math.max(0, before - (at > last ? 0 : at))
          at = before
          yield [{ id: at, type: 'gap', data: { missed } }]
          continue
        }
        const batch = kept.slice(at - before, at - before + MAX_BATCH)
        if (batch.length === 0) {
          await next(signal)
          continue
        }
        at += batch.length
        const wanted = batch.filter((event) => !ofRuns.includes(event.type) || matchesRun(event.run, run))
        if (wanted.length > 0) yield wanted.map(show)
      }
    },
  }
}
