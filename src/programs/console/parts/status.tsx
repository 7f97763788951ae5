import type { ComponentChildren } from 'preact'

/** A status, which the page shows by shape, word and color alike. console: Manners */
type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'busy'

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

/** The classes of HTTP statuses that a list can be filtered by. */
const statusClasses = {
  ok: { tone: 'good', word: 'OK' },
  redirect: { tone: 'plain', word: 'redirect' },
  refused: { tone: 'bad', word: 'refused' },
  error: { tone: 'bad', word: 'failed' },
  none: { tone: 'bad', word: 'no response' },
} as const

export function classOf(status: number | null): keyof typeof statusClasses {
  if (status === null) return 'none'
  if (status < 300) return 'ok'
  if (status < 400) return 'redirect'
  return status < 500 ? 'refused' : 'error'
}

export function HttpStatus({ status }: { status: number | null }) {
  const { tone, word } = statusClasses[classOf(status)]
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
