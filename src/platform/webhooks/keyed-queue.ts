import { setMaxListeners } from 'node:events'

/** A job that waits for its turn. */
export interface Job<T> {
  id: string
  /** Jobs of one key run in this order. */
  sequence: number
  /** @param leave called once the next job of the key may start: when the request has left. */
  run(signal: AbortSignal, leave: () => void): Promise<T>
}

interface Queued<T> extends Job<T> {
  key: string
  done: (result: T | undefined) => void
  failed: (error: unknown) => void
}

/** The jobs of one key. */
interface Queue<T> {
  jobs: Queued<T>[]
  /** True while one of its jobs has started and not left. */
  busy: boolean
}

/**
 * Runs jobs. A job starts when the one before it of the same key has left, so that they arrive in order; of all keys at
 * most `atOnce` run.
 */
export class KeyedQueue<T> {
  #abort: AbortController
  #queues = new Map<string, Queue<T>>()
  #ready: Queue<T>[] = []
  #jobs = new Set<Queued<T>>()
  #running = 0

  /** @param onEnd called whenever a job has ended, or all were aborted. */
  constructor(
    readonly atOnce: number,
    readonly onEnd: () => void,
  ) {
    this.#abort = this.#newAbort()
  }

  /** Queues a job. @returns its result; undefined when it was aborted. */
  enqueue(key: string, job: Job<T>): Promise<T | undefined> {
    return new Promise((done, failed) => {
      const queue = this.#queues.get(key) ?? { jobs: [], busy: false }
      this.#queues.set(key, queue)
      const queued = { ...job, key, done, failed }
      this.#jobs.add(queued)
      const place = queue.jobs.findIndex((other) => other.sequence > job.sequence)
      queue.jobs.splice(place < 0 ? queue.jobs.length : place, 0, queued)
      if (!queue.busy && queue.jobs.length === 1) this.#ready.push(queue)
      // Everything that falls due at one instant is queued before the first of it starts.
      queueMicrotask(() => this.#startReady())
    })
  }

  /** Ids of the jobs that wait or run, of one key or all. */
  ids = (key?: string): Set<string> =>
    new Set([...this.#jobs].filter((job) => key === undefined || job.key === key).map(({ id }) => id))

  /** Aborts every job and discards its result. */
  abortAll(): void {
    // Most resets find nothing under way, and to abort a signal makes an error with its stack.
    if (this.#jobs.size > 0) this.#abortJobs()
    this.onEnd()
  }

  #abortJobs(): void {
    const aborted = { abort: this.#abort, jobs: this.#jobs }
    this.#abort = this.#newAbort()
    this.#queues = new Map()
    this.#ready = []
    this.#jobs = new Set()
    this.#running = 0
    aborted.abort.abort()
    for (const { done } of aborted.jobs) done(undefined)
  }

  #startReady(): void {
    while (this.#running < this.atOnce) {
      const queue = this.#ready.shift()
      const job = queue?.jobs.shift()
      if (!queue || !job) return
      this.#start(queue, job)
    }
  }

  #start(queue: Queue<T>, job: Queued<T>): void {
    const { signal } = this.#abort
    let left = false
    const leave = () => {
      if (left || signal.aborted) return
      left = true
      queue.busy = false
      if (queue.jobs.length > 0) this.#ready.push(queue)
      this.#startReady()
    }
    queue.busy = true
    this.#running++
    job
      .run(signal, leave)
      .then(job.done, job.failed)
      .finally(() => {
        if (signal.aborted) return
        this.#running--
        this.#jobs.delete(job)
        leave()
        this.#startReady()
        this.onEnd()
      })
  }

  /** Every job that runs listens to it. */
  #newAbort(): AbortController {
    const abort = new AbortController()
    setMaxListeners(this.atOnce, abort.signal)
    return abort
  }
}
