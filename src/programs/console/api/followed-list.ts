import { computed } from '@preact/signals'
import type { Call, Delivery, Entry } from './call.js'
import { createLoader } from './loader.js'
import { report } from './report.js'
import { type EventData, onEvents, onResync } from './stream.js'

/** The most items that are kept in memory. console: Serving, load */
export const IN_MEMORY = report ? Number.POSITIVE_INFINITY : 1_000

/** Adds items at the front, oldest of them first. One that is in the list already is replaced in its place. */
function withNews<T extends Entry | Delivery>(list: T[], news: T[]): T[] {
  const byId = new Map(news.map((item) => [item.id, item]))
  const updated = list.map((item) => {
    const newer = byId.get(item.id)
    byId.delete(item.id)
    return newer ?? item
  })
  return [...[...byId.values()].reverse(), ...updated].slice(0, IN_MEMORY)
}

type ListName = 'listRequests' | 'listDeliveries'

/**
 * Loads a list of the control API, and continues it by the events of the stream. Its `items` are newest first.
 * @param event the type of the events that carry an item.
 * @param collection the collection of the stream's changes that the items are in.
 * @param onLoad called with the items after each load of the whole list.
 */
export function createFollowedList<E extends 'request' | 'delivery'>(
  call: Call<ListName>,
  event: E,
  collection: string,
  onLoad?: (items: EventData<E>[]) => void,
) {
  type Item = EventData<E>
  /** The items that came while the list was loading: it may lack them, or have older states. */
  let meanwhile: Item[] | undefined
  const { data, problem, load } = createLoader<ListName, Item[]>(call, {
    // The result may have many times the items that are kept.
    keep(loaded: Item[]) {
      const items = withNews(loaded.toReversed(), meanwhile ?? [])
      onLoad?.(items)
      return items
    },
  })
  const reload = async () => {
    const received: Item[] = []
    meanwhile = received
    await load()
    if (meanwhile === received) meanwhile = undefined
  }
  onResync(reload)
  onEvents(event, (news: Item[]) => {
    meanwhile?.push(...news)
    data.value &&= withNews(data.value, news)
  })
  onEvents('change', (changes) => {
    const removed = changes.filter((each) => each.collection === collection && each.kind === 'removed')
    const ids = removed.map(({ id }) => id)
    // A list that is loading may still have them.
    if (ids.includes('*') || (meanwhile && ids.length > 0)) void reload()
    else if (ids.length > 0) data.value &&= data.value.filter(({ id }) => !ids.includes(String(id)))
  })
  void reload()
  return { items: computed(() => data.value ?? []), ready: computed(() => data.value !== undefined), problem }
}
