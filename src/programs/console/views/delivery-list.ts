import { callOf } from '../api/call.js'
import { createFollowedList } from '../api/followed-list.js'

export const deliveryList = createFollowedList(callOf('listDeliveries'), 'delivery', 'deliveries')
/** Newest first. */
export const deliveries = deliveryList.items
