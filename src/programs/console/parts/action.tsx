import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type Call, Problem, sendCall } from '../api/call.js'
import { ControlCall, shownCall } from './control-call.js'
import { Dialog } from './dialog.js'

/** Makes the calls one after the other, and says in the foot how it went. @returns the last one's answer. @throws Problem */
export async function perform(calls: Call[]): Promise<unknown> {
  const started = performance.now()
  const took = () => `in ${Math.round(performance.now() - started)} ms`
  try {
    let answer: unknown
    for (const call of calls) answer = await sendCall(call)
    shownCall.value = { calls, result: `done ${took()}` }
    return answer
  } catch (error) {
    shownCall.value = {
      calls,
      result: `${error instanceof Problem && error.status ? error.status : 'failed'} ${took()}`,
    }
    throw error
  }
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

export interface ActionProps {
  label: ComponentChildren
  /** What a screen reader says, where the label alone is not enough. */
  what?: string
  /** The call, or several that belong together. */
  call: Call | Call[]
  /** Asks first, saying what is lost. */
  confirm?: { title: string; loses: ComponentChildren }
  onDone?: (answer: unknown) => void
  quiet?: boolean
  small?: boolean
  disabled?: boolean
}

/** A button that makes a control call, shows it, and says at its own place what went wrong. */
export function Action({ label, what, call, confirm, onDone, quiet = true, small = true, disabled }: ActionProps) {
  const calls = [call].flat()
  const busy = useSignal(false)
  const asking = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const show = () => {
    shownCall.value = { calls }
  }
  const run = async () => {
    busy.value = true
    problem.value = undefined
    try {
      const answer = await perform(calls)
      asking.value = false
      onDone?.(answer)
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    } finally {
      busy.value = false
    }
  }
  const start = () => {
    if (!confirm) return void run()
    problem.value = undefined
    asking.value = true
  }
  return (
    <span class="action">
      <button
        type="button"
        class={`${quiet ? 'quiet' : ''} ${small ? 'small' : ''} ${confirm ? 'loses' : ''}`}
        disabled={disabled || busy.value}
        aria-label={what}
        onClick={start}
        onFocus={show}
        onPointerEnter={show}
      >
        {label}
      </button>
      {!asking.value && <ProblemNote problem={problem.value} />}
      {asking.value && confirm && (
        <Dialog
          title={confirm.title}
          onClose={() => {
            asking.value = false
          }}
        >
          <p>{confirm.loses}</p>
          <ControlCall calls={calls} />
          <ProblemNote problem={problem.value} />
          <div class="actions">
            <button type="button" class="danger" disabled={busy.value} onClick={() => void run()}>
              {confirm.title}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                asking.value = false
              }}
            >
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </span>
  )
}
