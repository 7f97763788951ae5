import { snapshotsOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'

/** Baselines of snapshots are marked under names that `START` cannot have. */
export const SNAPSHOT_PREFIX = 'snapshot:'

/**
 * Lists a run as running until its stream ends, also by a kill. One that has not restored the world leaves a snapshot
 * then, which tells its changes from later ones. audit: "Rules of a fair audit" 2
 */
export function holdRun(world: Pick<World, 'runs' | 'store' | 'clock'>, run: string, signal: AbortSignal) {
  const { runs, store, clock } = world
  const { before, left } = snapshotsOf(run)
  const end = () => {
    runs.delete(run)
    if (store.namedState(SNAPSHOT_PREFIX + before)) store.nameState(SNAPSHOT_PREFIX + left, clock.timestamp(null))
  }
  if (signal.aborted) return
  runs.add(run)
  signal.addEventListener('abort', end, { once: true })
}

/** Gives the run of a new snapshot ids that no other run has had: an app rightly ignores events that come again. */
export function leapForRun({ runs, random }: Pick<World, 'runs' | 'random'>, snapshot: string): void {
  for (const run of runs) if (snapshotsOf(run).before === snapshot) random.leap(run)
}
