import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { asProblem, type Call, type Problem, sendCall, tokenRefused } from './call.js'
import { onEvent, onResync } from './connection.js'
import type { Delivery, Entry } from './shapes.js'

/** A list of the control API that is loaded once and continued by the events of the stream. */
export interface FollowedList {
  ready: ReadonlySignal<boolean>
  problem: ReadonlySignal<Problem | undefined>
  follow(): void
  reload(): void
}

interface Followed {
  request: { call: Call<'listRequests'>; item: Entry }
  delivery: { call: Call<'listDeliveries'>; item: Delivery }
}

interface FollowedListOptions<E extends keyof Followed> {
  call: Followed[E]['call']
  /** The type of the events that carry an item. */
  event: E
  /** Gets the list, and the items that came while it was loading: the list may lack them, or have older states. */
  onLoad(data: Followed[E]['item'][], meanwhile: Followed[E]['item'][]): void
  /** Gets the items of all events of one frame, so that they become one change of the list. */
  onNews(news: Followed[E]['item'][]): void
}

export function createFollowedList<E extends keyof Followed>(options: FollowedListOptions<E>): FollowedList {
  type Item = Followed[E]['item']
  const { call, event, onLoad, onNews } = options
  const ready = signal(false)
  const problem = signal<Problem | undefined>(undefined)
  let meanwhile: Item[] | undefined
  let news: Item[] = []

  async function load(): Promise<void> {
    const received: Item[] = []
    meanwhile = received
    try {
      const items: Item[] = await sendCall(call)
      // A later load has begun since.
      if (meanwhile !== received) return
      batch(() => {
        onLoad(items, received)
        ready.value = true
        problem.value = undefined
      })
    } catch (error) {
      if (!tokenRefused.value) problem.value = asProblem(error)
    } finally {
      if (meanwhile === received) meanwhile = undefined
    }
  }

  const reload = () => void load()
  return {
    ready,
    problem,
    reload,
    follow() {
      reload()
      onResync(reload)
      onEvent(event, (item: Item) => {
        meanwhile?.push(item)
        if (news.push(item) > 1) return
        queueMicrotask(() => {
          const all = news
          news = []
          onNews(all)
        })
      })
    },
  }
}
