import { setMaxListeners } from 'node:events'

/** A job that waits for its turn. */
export interface Job<T> {
  id: string
  /** Jobs of a lane stand in this order. */
  sequence: number
  /** @param leave called once the next job of the lane may start: when the request has left. */
  run(signal: AbortSignal, leave: () => void): Promise<T>
}

interface Queued<T> extends Job<T> {
  done: (result: T | undefined) => void
  failed: (error: unknown) => void
}

interface Lane<T> {
  jobs: Queued<T>[]
  /** One of its jobs has not left yet. */
  busy: boolean
}

/**
 * Jobs in lanes: of one lane the next starts when the one before it has left, so that they arrive in order; of all
 * lanes at most `atOnce` are under way.
 */
export class Lanes<T> {
  #abort: AbortController
  #lanes = new Map<string, Lane<T>>()
  #ready: Lane<T>[] = []
  #pending = new Map<string, number>()
  #queued = new Set<Queued<T>>()
  #running = 0

  /** @param onEnd called whenever a job has ended, or all were aborted. */
  constructor(
    readonly atOnce: number,
    readonly onEnd: () => void,
  ) {
    this.#abort = this.#newAbort()
  }

  /** Queues a job. @returns its result; undefined when it was aborted. */
  enqueue(name: string, job: Job<T>): Promise<T | undefined> {
    return new Promise((done, failed) => {
      const lane = this.#lanes.get(name) ?? { jobs: [], busy: false }
      this.#lanes.set(name, lane)
      const queued = { ...job, done, failed }
      this.#queued.add(queued)
      const place = lane.jobs.findIndex((other) => other.sequence > job.sequence)
      lane.jobs.splice(place < 0 ? lane.jobs.length : place, 0, queued)
      this.#count(job.id, 1)
      if (!lane.busy && lane.jobs.length === 1) this.#ready.push(lane)
      // What falls due at one instant is queued before the first of it starts.
      queueMicrotask(() => this.#pump())
    })
  }

  /** True while a job of that id waits or runs. */
  has = (id: string): boolean => this.#pending.has(id)

  /** Ids of the jobs that wait or are under way. */
  ids = (): string[] => [...this.#pending.keys()]

  /** Aborts every job and discards its result. */
  abortAll(): void {
    // Most resets find nothing under way, and to abort a signal makes an error with its stack.
    if (this.#queued.size > 0) this.#abortQueued()
    this.onEnd()
  }

  #abortQueued(): void {
    const aborted = { abort: this.#abort, queued: this.#queued }
    this.#abort = this.#newAbort()
    this.#lanes = new Map()
    this.#ready = []
    this.#pending = new Map()
    this.#queued = new Set()
    this.#running = 0
    aborted.abort.abort()
    for (const { done } of aborted.queued) done(undefined)
  }

  #pump(): void {
    while (this.#running < this.atOnce) {
      const lane = this.#ready.shift()
      const job = lane?.jobs.shift()
      if (!lane || !job) return
      this.#start(lane, job)
    }
  }

  #start(lane: Lane<T>, job: Queued<T>): void {
    const { signal } = this.#abort
    let left = false
    const leave = () => {
      if (left || signal.aborted) return
      left = true
      lane.busy = false
      if (lane.jobs.length > 0) this.#ready.push(lane)
      this.#pump()
    }
    lane.busy = true
    this.#running++
    job
      .run(signal, leave)
      .then(job.done, job.failed)
      .finally(() => {
        if (signal.aborted) return
        this.#running--
        this.#queued.delete(job)
        this.#count(job.id, -1)
        leave()
        this.#pump()
        this.onEnd()
      })
  }

  #count(id: string, by: number): void {
    const count = (this.#pending.get(id) ?? 0) + by
    if (count > 0) this.#pending.set(id, count)
    else this.#pending.delete(id)
  }

  /** Every job under way listens to it. */
  #newAbort(): AbortController {
    const abort = new AbortController()
    setMaxListeners(this.atOnce, abort.signal)
    return abort
  }
}
