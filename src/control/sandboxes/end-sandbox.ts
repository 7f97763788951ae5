import type { World } from '../../emulator/world/world.js'
import { MAX_TIMEOUT } from '../../foundation/schema/duration.js'
import { pause } from '../../foundation/time/real-timers.js'
import type { SandboxRecord } from './sandbox-record.js'

// A start loads this file, and no schemas with it.

/**
 * Removes a sandbox with all that was made in it, in one change, and aborts its webhooks under way. People who are
 * members of another organization stay, and so do its requests in the journal.
 */
export function endSandbox(world: Pick<World, 'inboxes' | 'outbox' | 'store'>, sandbox: SandboxRecord): void {
  const { organization, people, copied } = sandbox
  world.store.change((tx) => {
    tx.removeWithOwned('organizations', organization)
    for (const user of [...people.map(({ user }) => user), ...copied]) {
      if (!world.store.memberships.by('user', user)) tx.removeWithOwned('users', user)
    }
  })
  world.outbox.abort(organization)
  world.inboxes.forget(organization)
}

/** Ends each sandbox when its time to live is over, in real time, until the emulator closes. */
export function expireSandboxes(world: Pick<World, 'clock' | 'closing' | 'inboxes' | 'outbox' | 'store'>): void {
  const { closing, store } = world
  let waiting: AbortController | undefined
  const first = () => store.sandboxes.in('expiring', 'all').at(0)
  const left = ({ expires_at }: SandboxRecord) => Date.parse(expires_at) - world.clock.machineNow()

  const waitForFirst = async () => {
    waiting?.abort()
    const next = first()
    if (!next) return
    waiting = new AbortController()
    const { signal } = waiting
    const ms = Math.min(Math.max(left(next), 0), MAX_TIMEOUT)
    await pause(ms, undefined, { signal: AbortSignal.any([signal, closing]), ref: false })
    for (let sandbox = first(); sandbox && left(sandbox) <= 0; sandbox = first()) endSandbox(world, sandbox)
    await waitForFirst()
  }
  // Rejected when another wait replaces it, the emulator closes, or the store cannot be written; the next change retries.
  const start = () => void waitForFirst().catch(() => undefined)
  store.onChange((changes) => {
    if (changes.some(({ collection }) => collection === 'sandboxes')) start()
  })
  start()
}
