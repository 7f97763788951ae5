import { batch, signal } from '@preact/signals'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { asProblem, type Call, type Problem, sendCall, tokenRefused } from './call.js'

/** Makes a call again and again, and passes its results on. Of overlapping loads, the last one counts. */
export function createLoader<N extends CallName>(call: Call<N>, onLoad: (result: CallResult<N>) => void) {
  const ready = signal(false)
  const problem = signal<Problem | undefined>(undefined)
  let newest = 0
  const load = async () => {
    const own = ++newest
    try {
      const result = await sendCall(call)
      if (own !== newest) return
      batch(() => {
        onLoad(result)
        ready.value = true
        problem.value = undefined
      })
    } catch (error) {
      if (own === newest && !tokenRefused.value) problem.value = asProblem(error)
    }
  }
  return { ready, problem, load }
}
