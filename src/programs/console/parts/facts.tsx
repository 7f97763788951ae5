import type { ComponentChildren } from 'preact'
import { dateTime, fromNow } from '../emulator-time.js'

/** Names and values of one thing; what has no value is left out. */
export function Facts({ of }: { of: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A moment, with how far it is from now on the emulator's clock. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {dateTime(at)} <span class="soft">{fromNow(at)}</span>
  </time>
)
