import { computed, signal } from '@preact/signals'
import { callOf } from '../api/call.js'
import { createFollowedList } from '../api/followed-list.js'
import type { Delivery } from '../api/shapes.js'

/** The most deliveries that are kept in memory: the newest. */
const IN_MEMORY = 1_000

/** Oldest first. */
export const deliveries = signal<Delivery[]>([])

/** True while an attempt is still to come. */
export const isWaiting = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

/** The number of deliveries that failed, or whose last attempt did. */
export const failingCount = computed(
  () =>
    deliveries.value.filter(
      (delivery) => delivery.state === 'failed' || (isWaiting(delivery) && delivery.attempts.length > 0),
    ).length,
)

function put(list: Delivery[], news: Delivery[]): Delivery[] {
  const byId = new Map(list.map((delivery) => [delivery.id, delivery]))
  for (const delivery of news) byId.set(delivery.id, delivery)
  return [...byId.values()].slice(-IN_MEMORY)
}

/** Loads and follows the emulator's list into `deliveries`. */
export const deliveryList = createFollowedList({
  call: callOf('listDeliveries'),
  event: 'delivery',
  onLoad(data, meanwhile) {
    deliveries.value = put(data, meanwhile)
  },
  onNews(news) {
    deliveries.value = put(deliveries.value, news)
  },
})
