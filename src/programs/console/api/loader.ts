import { batch, signal } from '@preact/signals'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { asProblem, type Call, type Problem, sendCall, tokenRefused } from './call.js'

interface LoaderOptions<N extends CallName, T> {
  /** Returns what is kept of a result: all of it when left out. */
  keep?(result: CallResult<N>): T
  /** Called when something first uses `data`. */
  watched?(): void
  /** Called when nothing uses `data` any more. */
  unwatched?(): void
}

/** Makes a call again and again; `data` is what is kept of the newest result. Of overlapping loads, the last one counts. */
export function createLoader<N extends CallName, T = CallResult<N>>(call: Call<N>, options: LoaderOptions<N, T> = {}) {
  const { keep = (result) => result as T, ...use } = options
  const data = signal<T | undefined>(undefined, use)
  const problem = signal<Problem | undefined>(undefined)
  let newest = 0
  const load = async () => {
    const own = ++newest
    try {
      const result = await sendCall(call)
      if (own !== newest) return
      batch(() => {
        data.value = keep(result)
        problem.value = undefined
      })
    } catch (error) {
      if (own === newest && !tokenRefused.value) problem.value = asProblem(error)
    }
  }
  return { data, problem, load }
}
