import { signal } from '@preact/signals'
import { Problem, sendCall, tokenRefused } from '../../api/call.js'
import type { Delivery, List } from '../../api/shapes.js'
import { onEvent, onResync } from '../../live/connection.js'

/** So many are kept in memory, the newest. */
const IN_MEMORY = 1_000

/** Oldest first. */
export const deliveries = signal<Delivery[]>([])
export const loaded = signal(false)
export const problem = signal<Problem | undefined>(undefined)

/** States in which an attempt is still to come. */
export const isWaiting = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

function put(list: Delivery[], news: Delivery[]): Delivery[] {
  const byId = new Map(list.map((delivery) => [delivery.id, delivery]))
  for (const delivery of news) byId.set(delivery.id, delivery)
  return [...byId.values()].slice(-IN_MEMORY)
}

/** What came while the list was being read: it may be newer than the answer. */
let meanwhile: Delivery[] | undefined

async function load(): Promise<void> {
  const seen: Delivery[] = []
  meanwhile = seen
  try {
    const { data } = await sendCall<List<Delivery>>({ method: 'GET', path: '/_admin/deliveries' })
    if (meanwhile !== seen) return
    deliveries.value = put(data, seen)
    loaded.value = true
    problem.value = undefined
  } catch (error) {
    if (!tokenRefused.value) problem.value = error instanceof Problem ? error : new Problem(0, String(error))
  } finally {
    if (meanwhile === seen) meanwhile = undefined
  }
}

/** Keeps `deliveries` as they are in the emulator. */
export function followDeliveries(): void {
  void load()
  onResync(() => void load())
  let news: Delivery[] = []
  onEvent('delivery', (data) => {
    meanwhile?.push(data as Delivery)
    if (news.push(data as Delivery) > 1) return
    queueMicrotask(() => {
      const all = news
      news = []
      deliveries.value = put(deliveries.value, all)
    })
  })
}

export const findDelivery = (id: string) => deliveries.value.find((delivery) => delivery.id === id)
