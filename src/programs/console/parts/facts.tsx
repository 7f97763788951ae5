import type { ComponentChildren } from 'preact'
import { dateTime, fromNow } from '../api/clock.js'

/** Names and values; those without a value are left out. */
export function Facts({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="facts">
      {Object.entries(of)
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

/** A time, with its distance from now on the emulator's clock. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {dateTime(at)} <span class="soft">{fromNow(at)}</span>
  </time>
)
