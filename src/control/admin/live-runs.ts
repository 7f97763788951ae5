import { snapshotsOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'

/** Begins the names of saved states that are snapshots, which keeps them apart from `START`. */
export const SNAPSHOT_PREFIX = 'snapshot:'

/**
 * Lists a run as running until its stream ends, which also happens when it is killed. If it has not restored the world by
 * then, takes a snapshot, so that the next run can undo only its changes. audit: "Rules of a fair audit" 2
 */
export function trackRun(world: Pick<World, 'runs' | 'store' | 'clock'>, run: string, signal: AbortSignal) {
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

/** Skips ids for the run that took this snapshot: apps ignore events whose ids an earlier run has used. */
export function renewIdsForRun({ runs, random }: Pick<World, 'runs' | 'random'>, snapshot: string): void {
  for (const run of runs) if (snapshotsOf(run).before === snapshot) random.leap(run)
}
