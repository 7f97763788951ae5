import { signal } from '@preact/signals'
import { createFollowedList } from '../../api/followed-list.js'
import type { Delivery } from '../../api/shapes.js'

/** So many are kept in memory, the newest. */
const IN_MEMORY = 1_000

/** Oldest first. */
export const deliveries = signal<Delivery[]>([])

/** States in which an attempt is still to come. */
export const isWaiting = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

function put(list: Delivery[], news: Delivery[]): Delivery[] {
  const byId = new Map(list.map((delivery) => [delivery.id, delivery]))
  for (const delivery of news) byId.set(delivery.id, delivery)
  return [...byId.values()].slice(-IN_MEMORY)
}

/** The emulator's list, with `deliveries` kept as it is. */
export const deliveryList = createFollowedList<Delivery>({
  path: '/_admin/deliveries',
  event: 'delivery',
  onLoad(data, meanwhile) {
    deliveries.value = put(data, meanwhile)
  },
  onNews(news) {
    deliveries.value = put(deliveries.value, news)
  },
})

export const findDelivery = (id: string) => deliveries.value.find((delivery) => delivery.id === id)
