export interface Job<T> {
  id: string
  /** Jobs of one key run in this order. */
  sequence: number
  /** @param leave called once the next job of the key may start: when the request has left. */
  run(signal: AbortSignal, leave: () => void): Promise<T>
}

interface Queued<T> extends Job<T> {
  queue: Queue<T>
  isRunning: boolean
  abort: AbortController
  done: (result: T | undefined) => void
  failed: (error: unknown) => void
}

interface Queue<T> {
  key: string
  /** Those that wait. */
  jobs: Queued<T>[]
  /** True while one of its jobs has started and not left. */
  busy: boolean
}

/** Runs jobs. Those of one key start in order, each after the one before has left; at most `atOnce` run in total. */
export class KeyedQueue<T> {
  #queues = new Map<string, Queue<T>>()
  #ready: Queue<T>[] = []
  #jobs = new Set<Queued<T>>()
  #running = 0

  /** @param onEnd called whenever a job has ended, or jobs were aborted. */
  constructor(
    readonly atOnce: number,
    readonly onEnd: () => void,
  ) {}

  /** Queues a job. @returns its result; undefined when it was aborted. */
  enqueue(key: string, job: Job<T>): Promise<T | undefined> {
    return new Promise((done, failed) => {
      const queue = this.#queues.get(key) ?? { key, jobs: [], busy: false }
      this.#queues.set(key, queue)
      const queued = { ...job, queue, isRunning: false, abort: new AbortController(), done, failed }
      this.#jobs.add(queued)
      const place = queue.jobs.findIndex((other) => other.sequence > job.sequence)
      queue.jobs.splice(place < 0 ? queue.jobs.length : place, 0, queued)
      if (!queue.busy && queue.jobs.length === 1) this.#ready.push(queue)
      // Everything that falls due at one instant is queued before the first of it starts.
      void Promise.resolve().then(() => this.#startReady())
    })
  }

  ids = (key?: string): Set<string> => new Set(this.#jobsOf(key).map(({ id }) => id))

  /** Aborts the jobs of one key or all, and discards their results. */
  abort(key?: string): void {
    for (const job of this.#jobsOf(key)) {
      job.queue.jobs = []
      this.#queues.delete(job.queue.key)
      this.#jobs.delete(job)
      if (job.isRunning) this.#running--
      job.abort.abort()
      job.done(undefined)
    }
    this.#startReady()
    this.onEnd()
  }

  #jobsOf = (key: string | undefined) => [...this.#jobs].filter(({ queue }) => key === undefined || queue.key === key)

  #startReady(): void {
    while (this.#running < this.atOnce) {
      const queue = this.#ready.shift()
      if (!queue) return
      const job = queue.jobs.shift()
      if (job) this.#start(queue, job)
    }
  }

  #start(queue: Queue<T>, job: Queued<T>): void {
    const { signal } = job.abort
    let left = false
    const leave = () => {
      if (left || signal.aborted) return
      left = true
      queue.busy = false
      if (queue.jobs.length > 0) this.#ready.push(queue)
      else this.#queues.delete(queue.key)
      this.#startReady()
    }
    queue.busy = true
    job.isRunning = true
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
}
