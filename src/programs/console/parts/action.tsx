import { useSignal } from '@preact/signals'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { asProblem, type Call, type Problem, sendCall } from '../api/call.js'
import { Button } from './button.js'
import { ControlCall, shownCalls } from './control-call.js'
import { Dialog } from './dialog.js'

/** Several calls that belong together are made one after the other; the last one has the result. */
export type Calls<N extends CallName> = Call<N> | [...Call[], Call<N>]

/** Makes the calls, and shows them with their time in the bar at the foot. @throws Problem */
async function perform<N extends CallName>(given: Calls<N>): Promise<CallResult<N>> {
  const calls = [given].flat()
  const started = performance.now()
  const show = (result: string) => {
    shownCalls.value = { calls, result: `${result} in ${Math.round(performance.now() - started)} ms` }
  }
  try {
    let result: unknown
    for (const call of calls) result = await sendCall(call)
    show('done')
    return result as CallResult<N>
  } catch (error) {
    show(String(asProblem(error).status || 'failed'))
    throw error
  }
}

/** Makes calls for a component, with the state that it shows meanwhile and afterwards. */
export function usePerform() {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const run = async <N extends CallName>(calls: Calls<N>, onDone: (result: CallResult<N>) => void) => {
    busy.value = true
    problem.value = undefined
    try {
      onDone(await perform(calls))
    } catch (error) {
      problem.value = asProblem(error)
    } finally {
      busy.value = false
    }
  }
  return { busy, problem, run }
}

/** A problem in the words of the emulator. */
export function ProblemNote({ problem }: { problem: Problem | undefined }) {
  if (!problem) return null
  return (
    <p class="note bad" role="alert">
      {problem.message}
    </p>
  )
}

interface ActionProps<N extends CallName> {
  label: string
  /** The accessible name, where the label alone is not enough. */
  what?: string
  call: Calls<N>
  /** Asks first, and says what is lost. */
  confirm?: { title: string; loses: string } | undefined
  onDone?: (result: CallResult<N>) => void
}

/** A button that makes a control call, shows it, and shows a problem beside itself. */
export function Action<N extends CallName>({ label, what, call, confirm, onDone }: ActionProps<N>) {
  const calls = [call].flat()
  const { busy, problem, run } = usePerform()
  const asking = useSignal(false)
  const show = () => {
    shownCalls.value = { calls }
  }
  const ask = () => {
    problem.value = undefined
    asking.value = true
  }
  const cancel = () => {
    asking.value = false
  }
  const start = () =>
    void run(call, (result) => {
      cancel()
      onDone?.(result)
    })
  return (
    <span class="action">
      <Button
        disabled={busy.value}
        aria-label={what}
        onClick={confirm ? ask : start}
        onFocus={show}
        onPointerEnter={show}
      >
        {label}
      </Button>
      {!asking.value && <ProblemNote problem={problem.value} />}
      {asking.value && confirm && (
        <Dialog title={confirm.title} onClose={cancel}>
          <p>{confirm.loses}</p>
          <ControlCall calls={calls} />
          <ProblemNote problem={problem.value} />
          <div class="actions">
            <Button look="danger" disabled={busy.value} onClick={start}>
              {confirm.title}
            </Button>
            <Button look="quiet" onClick={cancel}>
              Cancel
            </Button>
          </div>
        </Dialog>
      )}
    </span>
  )
}
