import { signal } from '@preact/signals'
import type { Call } from '../api/call.js'
import { curlOfCall } from '../api/curl.js'
import { Copy } from './button.js'

interface ShownCalls {
  calls: Call[]
  /** `done in 12 ms`; undefined before the calls have been made. */
  result?: string
}

/** The calls in the bar at the foot: of the action that has the pointer or the focus, or that was made last. */
export const shownCalls = signal<ShownCalls | undefined>(undefined)

/** Method, path and body of control calls, with Copy: the page teaches the API. console: Manners */
export function ControlCall({ calls, result }: ShownCalls) {
  return (
    <div class="call">
      <code>
        {calls.map(({ method, path, body }, index) => (
          <span key={index}>
            {index > 0 && <br />}
            <b>{method}</b> {path} <span class="soft">{body !== undefined && JSON.stringify(body)}</span>
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
      <p class="soft">Every action on this page is a control API call. Point at a button to see its call here.</p>
    )}
  </footer>
)
