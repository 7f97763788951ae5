import { batch, signal } from '@preact/signals'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { asProblem, type Call, type Problem, sendCall, tokenRefused } from './call.js'

/**
 * Makes a call again and again; `data` is the newest result. Of overlapping loads, the last one counts.
 * @param use called when something first uses `data`, and when nothing does any more.
 */
export function createLoader<N extends CallName>(call: Call<N>, use?: { watched(): void; unwatched(): void }) {
  const data = signal<CallResult<N> | undefined>(undefined, use)
  const problem = signal<Problem | undefined>(undefined)
  let newest = 0
  const load = async () => {
    const own = ++newest
    try {
      const result = await sendCall(call)
      if (own !== newest) return
      batch(() => {
        data.value = result
        problem.value = undefined
      })
    } catch (error) {
      if (own === newest && !tokenRefused.value) problem.value = asProblem(error)
    }
  }
  return { data, problem, load }
}
