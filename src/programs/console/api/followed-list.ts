import type { Call, Delivery, Entry } from './call.js'
import { createLoader } from './loader.js'
import { report } from './report.js'
import { onEvents, onResync } from './stream.js'

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

interface Followed {
  request: { call: Call<'listRequests'>; item: Entry }
  delivery: { call: Call<'listDeliveries'>; item: Delivery }
}

interface FollowedListOptions<E extends keyof Followed> {
  call: Followed[E]['call']
  /** The type of the events that carry an item. */
  event: E
  /** The collection of the stream's changes that the items are in. */
  collection: string
  /** Gets the whole list, newest first. */
  onLoad(items: Followed[E]['item'][]): void
  /** Gets items that are new or have changed, oldest first. */
  onNews(news: Followed[E]['item'][]): void
  /** Gets the ids of items that are gone; the whole list is loaded again when left out. */
  onRemoved?(ids: string[]): void
}

/** Loads a list of the control API, and continues it by the events of the stream. */
export function createFollowedList<E extends keyof Followed>(options: FollowedListOptions<E>) {
  const { call, event, collection, onLoad, onNews, onRemoved } = options
  type Item = Followed[E]['item']
  /** The items that came while the list was loading: it may lack them, or have older states. */
  let meanwhile: Item[] | undefined
  const { ready, problem, load } = createLoader<'listRequests' | 'listDeliveries'>(call, (items: Item[]) =>
    onLoad(withNews(items.toReversed(), meanwhile ?? [])),
  )
  const reload = async () => {
    const received: Item[] = []
    meanwhile = received
    await load()
    if (meanwhile === received) meanwhile = undefined
  }
  onResync(reload)
  onEvents(event, (items: Item[]) => {
    meanwhile?.push(...items)
    onNews(items)
  })
  onEvents('change', (changes) => {
    const removed = changes.filter((each) => each.collection === collection && each.kind === 'removed')
    if (removed.length === 0) return
    // A list that is loading may still have them.
    if (onRemoved && !meanwhile) onRemoved(removed.map(({ id }) => id))
    else void reload()
  })
  void reload()
  return { ready, problem, reload: () => void reload() }
}
