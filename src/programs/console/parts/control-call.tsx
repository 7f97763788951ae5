import { signal } from '@preact/signals'
import { type Call, curlOfCall } from '../api/call.js'
import { Copy } from './copy.js'

/** A call that was made, or is about to be. */
interface Shown {
  calls: Call[]
  /** `201 in 12 ms`; undefined while it has not been made. */
  result?: string
}

/** What the bar at the foot shows: the action that the pointer or the focus is on, or the last one that was made. */
export const shownCall = signal<Shown | undefined>(undefined)

const bodyOf = ({ body }: Call) => (body === undefined ? '' : JSON.stringify(body))

/** Method, path and body of a control call, with Copy: the page teaches the API. console: Manners */
export function ControlCall({ calls, result }: Shown) {
  return (
    <div class="call">
      <code>
        {calls.map((call, index) => (
          <span key={index}>
            <b>{call.method}</b> {call.path} <span class="soft">{bodyOf(call)}</span>
            {index < calls.length - 1 && <br />}
          </span>
        ))}
      </code>
      {result && <span class="soft nowrap">{result}</span>}
      <Copy text={() => calls.map(curlOfCall).join('\n')} label="Copy as curl" what="this control call" />
    </div>
  )
}

/** The bar at the foot of the page. */
export function CallBar() {
  return (
    <footer class="callbar">
      {shownCall.value ? (
        <ControlCall {...shownCall.value} />
      ) : (
        <p class="soft">Every action on this page is a control API call. Point at a button to see its call here.</p>
      )}
    </footer>
  )
}
