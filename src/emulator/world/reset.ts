import { START, type World } from './world.js'

/**
 * Goes to a named state, back or forward. What is under way is aborted and its result discarded; what the state has
 * pending is taken up again. control-api: "World"
 * @param until a later named state: what has changed since then stays.
 */
export const restoreTo = (world: World, state: string, until?: string): void =>
  world.stream.renew('restored', () => goTo(world, state, until))

function goTo(world: World, state: string, until?: string): void {
  interrupt(world)
  if (until === undefined) world.store.restore(state)
  else world.store.undo(state, until)
  world.outbox.resume()
}

/** Back to the world that this process loaded at start; journal and inboxes are emptied. */
export function reset(world: World): void {
  world.stream.renew('reset', () => {
    goToStart(world)
    forgetPast(world)
  })
}

/** Goes to the world that this process loaded at start, with the liberties of the last control call. liberties: "Setting" */
export function goToStart(world: World): void {
  const chosen = [...world.store.liberties.all]
  goTo(world, START)
  world.store.change((tx) => {
    for (const each of chosen) tx.put('liberties', { ...each, sequence: tx.next() })
  })
}

/** Empties what is kept and counted of requests, reports included, and begins the seed of the liberties again. */
export function forgetPast(
  world: Pick<World, 'clock' | 'coverage' | 'findings' | 'inboxes' | 'journal' | 'liberties' | 'reports'>,
): void {
  world.clock.forgetMoves()
  world.journal.clear()
  world.coverage.clear()
  world.findings.clear(false)
  world.inboxes.clear()
  world.reports.clear()
  world.liberties.rewind()
}

/** Ends everything that waits or is under way in a world that is replaced. */
export function interrupt(
  world: Pick<World, 'clock' | 'coverage' | 'findings' | 'holds' | 'outbox' | 'rateLimiter'>,
): void {
  world.outbox.abort()
  world.clock.cancelAll()
  world.holds.releaseAll()
  world.rateLimiter.windows.clear()
  world.findings.renew()
  world.coverage.renew()
}
