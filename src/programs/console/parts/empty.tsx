import type { ComponentChildren } from 'preact'
import type { Problem } from '../api/call.js'
import { ProblemNote } from './action.js'
import { Copy } from './copy.js'

/** What is shown where there is nothing: what would fill it, with the command to copy. console: Manners */
export function Empty({ title, children, command }: { title: string; children: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command && (
        <div class="call">
          <code>{command}</code>
          <Copy text={() => command} what="this command" />
        </div>
      )}
    </div>
  )
}

/** A list that is not there yet, or cannot be had. */
export const Waiting = ({ problem }: { problem: Problem | undefined }) =>
  problem ? <ProblemNote problem={problem} /> : <p class="soft waiting">Loading…</p>
