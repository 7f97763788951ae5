import { snapshotsOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'

/** Baselines of snapshots are marked under names that `START` cannot have. */
export const SNAPSHOT_PREFIX = 'snapshot:'

/**
 * Lists a run as running until its stream ends, which the system does for a program that is killed. One that has not
 * restored the world leaves a snapshot then: what it has changed can be told from what people change later.
 * audit: "Rules of a fair audit" 2
 */
export function holdRun(
  { runs, store, clock }: Pick<World, 'runs' | 'store' | 'clock'>,
  run: string,
  signal: AbortSignal,
) {
  const { before, left } = snapshotsOf(run)
  const end = () => {
    runs.delete(run)
    if (store.markNamed(SNAPSHOT_PREFIX + before)) store.mark(SNAPSHOT_PREFIX + left, clock.timestamp(null))
  }
  if (signal.aborted) return
  runs.add(run)
  signal.addEventListener('abort', end, { once: true })
}

/**
 * Gives a run that saves the world ids that no other run has had: an app knows the installations and events of the run
 * before, and rightly ignores what comes again.
 * @param snapshot name of a new snapshot.
 */
export function leapForRun({ runs, random }: Pick<World, 'runs' | 'random'>, snapshot: string): void {
  for (const run of runs) if (snapshotsOf(run).before === snapshot) random.leap(run)
}
