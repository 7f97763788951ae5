import type { ReadonlySignal } from '@preact/signals'
import type { Call, Delivery, Entry, Problem } from './call.js'
import { createLoader } from './loader.js'
import { report } from './report.js'
import { onEvent, onResync } from './stream.js'

/** The most items that are kept in memory. console: Serving, load */
export const IN_MEMORY = report ? Number.POSITIVE_INFINITY : 1_000

/** Adds items at the front, oldest of them first. One that is in the list already is replaced in its place. */
export function withNews<T extends Entry | Delivery>(list: T[], news: T[]): T[] {
  const byId = new Map(news.map((item) => [item.id, item]))
  const updated = list.map((item) => {
    const newer = byId.get(item.id)
    byId.delete(item.id)
    return newer ?? item
  })
  return [...[...byId.values()].reverse(), ...updated].slice(0, IN_MEMORY)
}

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
  let meanwhile: Item[] | undefined
  let news: Item[] = []
  const { ready, problem, load } = createLoader<'listRequests' | 'listDeliveries'>(call, (items: Item[]) =>
    onLoad(items, meanwhile ?? []),
  )
  const reload = async () => {
    const received: Item[] = []
    meanwhile = received
    await load()
    if (meanwhile === received) meanwhile = undefined
  }
  return {
    ready,
    problem,
    reload: () => void reload(),
    follow() {
      void reload()
      onResync(() => void reload())
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
