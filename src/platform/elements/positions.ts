import { generateKeyBetween } from 'fractional-indexing'
import type { World } from '../../emulator/world/world.js'
import type { ElementRecord } from './element-record.js'

/** 0-indexed place in its module. spec: §2.1 */
export const positionOf = (world: Pick<World, 'store'>, element: ElementRecord): number =>
  world.store.elements.in('siblings', element.module).rank(element)

/** Returns the `order` of a new element at `position`, at the end when that is undefined or beyond it. spec: §2.1 */
export function orderAt(world: Pick<World, 'store'>, module: string, position: number | undefined): string {
  const siblings = world.store.elements.in('siblings', module)
  const place = Math.min(position ?? siblings.size, siblings.size)
  return generateKeyBetween(siblings.at(place - 1)?.order ?? null, siblings.at(place)?.order ?? null)
}

/** Returns the `order` that brings an element to `position` among its siblings: its own when it is there. spec: §2.1 */
export function orderMovedTo(world: Pick<World, 'store'>, element: ElementRecord, position: number): string {
  const siblings = world.store.elements.in('siblings', element.module)
  const from = siblings.rank(element)
  const to = Math.min(position, siblings.size - 1)
  if (to === from) return element.order
  const [before, after] = to < from ? [to - 1, to] : [to, to + 1]
  return generateKeyBetween(siblings.at(before)?.order ?? null, siblings.at(after)?.order ?? null)
}
