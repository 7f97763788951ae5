import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { onEvent, onResync } from '../live/connection.js'
import { Problem, sendCall, tokenRefused } from './call.js'
import type { List } from './shapes.js'

/** A list of the control API that is read once and goes on with the events of the stream. */
export interface FollowedList {
  loaded: ReadonlySignal<boolean>
  /** Why it could not be read. */
  problem: ReadonlySignal<Problem | undefined>
  follow(): void
  reload(): void
}

interface FollowedListOptions<T> {
  path: string
  /** The type of the events that carry an item. */
  event: string
  /** Takes the list, and what came while it was being read: the response may not have it, or in an older state. */
  onLoad(data: T[], meanwhile: T[]): void
  /** Takes the items of all events of one drawing, which become one change of the list. */
  onNews(news: T[]): void
}

export function createFollowedList<T>({ path, event, onLoad, onNews }: FollowedListOptions<T>): FollowedList {
  const loaded = signal(false)
  const problem = signal<Problem | undefined>(undefined)
  let meanwhile: T[] | undefined
  let news: T[] = []

  async function load(): Promise<void> {
    const seen: T[] = []
    meanwhile = seen
    try {
      const { data } = await sendCall<List<T>>({ method: 'GET', path })
      // Another reading has begun since, which knows better.
      if (meanwhile !== seen) return
      batch(() => {
        onLoad(data, seen)
        loaded.value = true
        problem.value = undefined
      })
    } catch (error) {
      if (!tokenRefused.value) problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    } finally {
      if (meanwhile === seen) meanwhile = undefined
    }
  }

  const reload = () => void load()
  return {
    loaded,
    problem,
    reload,
    follow() {
      reload()
      onResync(reload)
      onEvent(event, (data) => {
        meanwhile?.push(data as T)
        if (news.push(data as T) > 1) return
        queueMicrotask(() => {
          const all = news
          news = []
          onNews(all)
        })
      })
    },
  }
}
