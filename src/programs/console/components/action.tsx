import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { CallName, CallResult } from '../../../control/admin/calls.js'
import { asProblem, type Call, curlOfCall, type Problem, sendCall } from '../api/call.js'
import { report } from '../api/report.js'
import { reloadAll } from '../api/resource.js'
import { Button, Copy, type ShownCalls, shownCalls } from './button.js'
import { closeDialog, Dialog, DialogActions, openDialog } from './dialog.js'
import { Note } from './facts.js'

/** The characters of a body that are shown: an import may have millions. */
const SHOWN = 2_000

const shownBody = (body: unknown) => {
  const text = JSON.stringify(body) ?? ''
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** Method, path and body of control calls, with Copy: the page teaches the API. console: Manners */
export function ControlCall({ calls, result }: ShownCalls) {
  return (
    <div class="call">
      <code>
        {calls.map(({ method, path, body }, index) => (
          <span key={index}>
            {index > 0 && <br />}
            <b>{method}</b> {path} <span class="soft">{shownBody(body)}</span>
          </span>
        ))}
      </code>
      {result && <span class="soft nowrap">{result}</span>}
      <Copy text={() => calls.map(curlOfCall).join('\n')} label="Copy as curl" what="this control call" />
    </div>
  )
}

/** The bar at the foot of the page. */
export const CallBar = () => (
  <footer class="callbar">
    {shownCalls.value ? (
      <ControlCall {...shownCalls.value} />
    ) : (
      <p class="soft">Every action is a control API call. Point at a button to see it here.</p>
    )}
  </footer>
)

/** Returns the call that removes what the first of several has made. */
type Removal<N extends CallName> = (made: { id: string }) => Call<N>

/**
 * Several calls that belong together are made one after the other; the last one has the result. A removal is made also
 * when a call before it fails.
 */
export type Calls<N extends CallName> = Call<N> | [...Call[], Call<N> | Removal<N>]

const outlined = <N extends CallName>(calls: Calls<N>): Call[] =>
  [calls].flat().map((call) => (typeof call === 'function' ? call({ id: 'ID' }) : call))

/** Makes calls for a component, with the state that it shows meanwhile and afterwards. The bar at the foot shows them with their time. */
export function usePerform() {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const run = async <N extends CallName>(given: Calls<N>, onDone: (result: CallResult<N>) => void) => {
    if (busy.value) return
    const calls = outlined(given)
    const started = performance.now()
    const show = (result: string | number) => {
      shownCalls.value = { calls, result: `${result} in ${Math.round(performance.now() - started)} ms` }
    }
    busy.value = true
    problem.value = undefined
    let made: { id: string } | undefined
    let result: unknown
    for (const [index, call] of [given].flat().entries()) {
      if (typeof call === 'function' && made) calls[index] = call(made)
      else if (problem.value) continue
      try {
        result = await sendCall(calls[index] as Call)
        made ??= result as { id: string }
      } catch (error) {
        problem.value ??= asProblem(error)
      }
    }
    busy.value = false
    show(problem.value ? problem.value.status || 'failed' : 'done')
    if (problem.value) return
    onDone(result as CallResult<N>)
    reloadAll()
  }
  return { busy, problem, run }
}

/** A problem in the words of the emulator. */
export const ProblemNote = ({ problem }: { problem: Problem | undefined }) => (
  <Note tone="bad" role="alert">
    {problem?.message}
  </Note>
)

/** Shown until data is there, or why it could not be read. */
export const Waiting = ({ problem }: { problem?: Problem | undefined }) =>
  problem ? <ProblemNote problem={problem} /> : <p class="soft">Loading…</p>

interface ActionProps<N extends CallName> {
  label: string
  /** The accessible name, and the title of the question, where the label alone is not enough. */
  what?: string | undefined
  call: Calls<N>
  /** Asks first, and says this. */
  loses?: string | undefined
  onDone?: (result: CallResult<N>) => void
}

/** A button that makes a control call, shows it, and shows a problem beside itself. A report has none. */
export const Action = <N extends CallName>(props: ActionProps<N>) => (report ? null : <ActionButton {...props} />)

function ActionButton<N extends CallName>({ label, what, call, loses, onDone }: ActionProps<N>) {
  const { busy, problem, run } = usePerform()
  const question = useSignal<ComponentChildren>(null)
  const calls = outlined(call)
  const title = what ?? label
  const isAsking = () => question.value !== null && openDialog.value === question.value
  const start = () =>
    void run(call, (result) => {
      // Another dialog may be open by now.
      if (isAsking()) closeDialog()
      onDone?.(result)
    })
  const ask = () => {
    problem.value = undefined
    question.value = openDialog.value = <Question {...{ title, calls, loses, busy, problem, start }} />
  }
  return (
    <span class="action">
      <Button calls={calls} disabled={busy.value} aria-label={what} onClick={loses ? ask : start}>
        {label}
      </Button>
      {!isAsking() && <ProblemNote problem={problem.value} />}
    </span>
  )
}

interface QuestionProps extends Pick<ReturnType<typeof usePerform>, 'busy' | 'problem'> {
  title: string
  calls: Call[]
  loses: string | undefined
  start: () => void
}

/** Asks before the calls are made, and says what is lost. console: Manners */
const Question = ({ title, calls, loses, busy, problem, start }: QuestionProps) => (
  <Dialog title={title}>
    <p>{loses}</p>
    <ControlCall calls={calls} />
    <ProblemNote problem={problem.value} />
    <DialogActions>
      <Button look="danger" disabled={busy.value} onClick={start}>
        {title}
      </Button>
    </DialogActions>
  </Dialog>
)
