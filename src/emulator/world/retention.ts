import type { Transaction } from '../../foundation/store/store.js'
import type { World } from './world.js'

/** The parts of a world with which records end: when, and how many are kept. */
export type EndingWorld = Pick<World, 'clock' | 'settings' | 'store'>

/** The collections whose records end, as their kinds declare it. */
type Ending = 'tokens' | 'codes' | 'sessions' | 'deliveries'

/** Removes the oldest ended records above a limit, `retention` when left out. Call it wherever records begin or end. wire: §8 "retention" */
export function trimEnded(
  world: EndingWorld,
  tx: Transaction,
  collection: Ending,
  limit = world.settings.retention,
): void {
  const { store, clock } = world
  const ending = store[collection].in('ending', 'all')
  if (ending.size <= limit) return
  const endOf = store.endOf as (collection: Ending, record: unknown) => string | null
  const stillOpen = (rank: number) => {
    const record = ending.at(rank) as { organization?: string }
    return (endOf(collection, record) ?? '') > clock.timestamp(record.organization ?? null)
  }
  const oldest: string[] = []
  // A record that is still to end is not among those counted, so look for the first of these only past the limit.
  for (let rank = 0; rank < ending.size - limit && !stillOpen(rank + limit); rank++) {
    // One may be still to end by the clock of its organization, although later ones have ended by theirs.
    if (!stillOpen(rank)) oldest.push((ending.at(rank) as { id: string }).id)
  }
  for (const id of oldest) tx.remove(collection, id)
}
