import type { ComponentChildren } from 'preact'
import { dateTime, fromNow } from '../api/clock.js'
import { hasView } from '../api/report.js'
import { linkTo } from './address.js'

/** Names and values; those without a value are left out. */
export function Facts({ of, class: name = 'facts' }: { of: Record<string, ComponentChildren>; class?: string }) {
  return (
    <dl class={name}>
      {Object.entries(of)
        .filter(([, value]) => value || value === 0)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A time, with its distance from now. @param of the organization on whose clock it is. */
export const Moment = ({ at, of }: { at: string; of?: string | null | undefined }) => (
  <time dateTime={at} title={at}>
    {dateTime(at)} <span class="soft nowrap">{fromNow(at, of)}</span>
  </time>
)

/** Returns a link to the record with this id, whose text is the id unless there is another; the text alone where the page has no such view. */
export const recordLink = (view: string, id: string | null | undefined, text: ComponentChildren = id) =>
  id && (hasView(view) ? <a href={linkTo(view, id)}>{text}</a> : text)

interface NoteProps {
  tone: 'good' | 'warn' | 'bad'
  title?: string
  /** `alert` is announced at once, `status` when there is time. */
  role?: 'alert' | 'status'
  children: ComponentChildren
}

/** A remark in a box; nothing without a text. */
export const Note = ({ tone, title, role, children }: NoteProps) =>
  children ? (
    <p class={`note ${tone}`} role={role}>
      {title && <b>{title}</b>} {children}
    </p>
  ) : null

/** Parts of a document that have no effect, or that the platform would refuse. */
export const Warnings = ({ of = [] }: { of: { path: string; code?: string; message: string }[] | undefined }) =>
  of.length > 0 && (
    <ul class="note warn plain">
      {of.map(({ path, code, message }) => (
        <li key={path + message}>
          <code>{path || code}</code> {message}
        </li>
      ))}
    </ul>
  )

/** A status, which the page shows by shape, word and color alike. console: Manners */
export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'busy'

const shapes: Record<Tone, string> = { good: '✓', bad: '✕', warn: '!', plain: '–', busy: '…' }

export function Status({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <span class="shape" aria-hidden="true">
        {shapes[tone]}
      </span>
      <span>{children}</span>
    </span>
  )
}

interface ChipProps {
  tone: Tone
  sign: string
  href: string | undefined
  /** Said to screen readers beside the text. */
  verdict: string
  isOpen?: boolean
  children: ComponentChildren
}

/** A cell of a matrix: a sign and a name, which link to what explains them. */
export const Chip = ({ tone, sign, href, verdict, isOpen, children }: ChipProps) => (
  <a class={`tag ${tone}`} href={href} aria-current={isOpen ? 'true' : undefined}>
    <span aria-hidden="true">{sign}</span> {children} <span class="visually-hidden">{verdict}</span>
  </a>
)

/** Scrolls an element into view when it is first rendered: as its `ref`. */
export const scrollTo = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' })

const LINKED = 8

/** Links to entries of the journal, the newest of many. */
export const EntryLinks = ({ of }: { of: number[] }) => (
  <p class="line">
    {of.slice(-LINKED).map((id) => (
      <a key={id} class="tag" href={linkTo('activity', id)}>
        entry {id}
      </a>
    ))}
    {of.length > LINKED && <span class="soft">and {of.length - LINKED} earlier</span>}
  </p>
)

/** The classes of HTTP statuses that a list can be filtered by, each with its tone, its word and the filter's label. */
export const statusClasses = {
  ok: ['good', 'OK', '2xx OK'],
  redirect: ['plain', 'redirect', '3xx redirect'],
  refused: ['bad', 'refused', '4xx refused'],
  error: ['bad', 'failed', '5xx failed'],
  none: ['bad', 'no response', 'No response'],
} as const

export function classOf(status: number | null): keyof typeof statusClasses {
  if (status === null) return 'none'
  if (status < 300) return 'ok'
  if (status < 400) return 'redirect'
  return status < 500 ? 'refused' : 'error'
}

export function HttpStatus({ status }: { status: number | null }) {
  const [tone, word] = statusClasses[classOf(status)]
  return (
    <Status tone={tone}>
      {status !== null && <b>{status}</b>} <span class="word">{word}</span>
    </Status>
  )
}

const stateTones: Record<string, Tone> = {
  acknowledged: 'good',
  installed: 'good',
  active: 'good',
  pending: 'busy',
  uninstalling: 'busy',
  retrying: 'warn',
  failed: 'bad',
  dropped: 'bad',
  revoked: 'bad',
}

/** The state of a delivery, an installation or a token. */
export const State = ({ state }: { state: string }) => <Status tone={stateTones[state] ?? 'plain'}>{state}</Status>
