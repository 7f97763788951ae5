import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from './stage.js'

/** Real milliseconds without a request of the app after which it counts as quiet. */
const QUIET = 100

/**
 * Looks again whenever something happens in the emulator, until `look` says yes or the time is over.
 * @param within real milliseconds: an app works in real time.
 */
export async function waitFor(look: () => Promise<boolean>, within: number, stage: Stage): Promise<boolean> {
  const isSo = await look()
  if (isSo || within <= 0) return isSo
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, stage.signal, AbortSignal.timeout(within)])
  let opened = () => {}
  const open = new Promise<void>((resolve) => {
    opened = resolve
  })
  const events = stage.stream({ signal }, opened)
  try {
    const first = events.next()
    await Promise.race([open, first])
    // What happened while the stream was being opened is not in it.
    if (await look()) return true
    for (let event = await first; !event.done; event = await events.next()) {
      const { type } = event.value
      if ((type === 'request' || type === 'delivery') && (await look())) return true
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    ended.abort()
    await events.return(undefined)
  }
  stage.signal.throwIfAborted()
  return look()
}

/**
 * Waits until nothing is in flight or overdue and the app is quiet, at most `within` real milliseconds.
 * @param since id of the journal entry after which requests are looked at.
 */
export async function settle(within: number, since: number, stage: Stage): Promise<void> {
  const newest = async () => {
    const entries = await stage.call('listRequests', { query: { since } })
    return entries.findLast(({ surface }) => surface !== 'admin')?.id ?? since
  }
  const deadline = performance.now() + within
  const left = () => Math.max(0, Math.round(deadline - performance.now()))
  for (let before = -1, now = await newest(); before !== now && left() > 0; ) {
    before = now
    await stage.call('deliveriesSettled', { query: { timeout: left() } }, stage.signal)
    await pause(Math.min(QUIET, left()), undefined, { signal: stage.signal })
    now = await newest()
  }
}
