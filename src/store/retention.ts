import type { World } from '../world.js'
import type { RecordOf } from './records.js'
import type { Transaction } from './store.js'

type Ending = 'tokens' | 'codes' | 'sessions' | 'deliveries'

/** When a record ended or will end by itself; null when it does not. wire: §8 "retention" */
export const endedAt: { [C in Ending]: (record: RecordOf<C>) => string | null } = {
  tokens: ({ ended_at, expires_at }) => (ended_at && ended_at < expires_at ? ended_at : expires_at),
  codes: ({ used_at, expires_at }) => used_at ?? expires_at,
  sessions: ({ ambient, created_at }) => (ambient ? null : created_at),
  deliveries: ({ ended_at }) => ended_at,
}

/** Drops the oldest ended records beyond the setting `retention`. Called where such records are made or ended. */
export function trimEnded(world: World, tx: Transaction, collection: Ending): void {
  const ending = world.store[collection].in('ending', 'all')
  const { retention } = world.settings
  if (ending.size <= retention) return
  const now = world.clock.timestamp()
  // A record that is still to end is not among those counted, so look for the first of these only past the limit.
  const stillOpen = (rank: number) => (endedAt[collection] as (record: unknown) => string)(ending.at(rank)) > now
  const oldest: string[] = []
  for (let rank = 0; rank < ending.size - retention && !stillOpen(rank + retention); rank++) {
    oldest.push((ending.at(rank) as { id: string }).id)
  }
  for (const id of oldest) tx.remove(collection, id)
}
