/** How a thing is, by shape, word and colour alike. console: Manners */
type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'busy'

const shapes: Record<Tone, string> = { good: '✓', bad: '✕', warn: '!', plain: '–', busy: '…' }

/** A tag with a shape and a word. */
export function Status({ tone, children }: { tone: Tone; children: preact.ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <span class="shape" aria-hidden="true">
        {shapes[tone]}
      </span>
      <span>{children}</span>
    </span>
  )
}

/** What a status of HTTP comes to: the classes that one can filter by. */
export function classOf(status: number | null): 'ok' | 'redirect' | 'refused' | 'error' | 'none' {
  if (status === null) return 'none'
  if (status < 300) return 'ok'
  if (status < 400) return 'redirect'
  return status < 500 ? 'refused' : 'error'
}

const tones = { ok: 'good', redirect: 'plain', refused: 'bad', error: 'bad', none: 'bad' } as const
const words = { ok: 'OK', redirect: 'redirect', refused: 'refused', error: 'failed', none: 'no response' } as const

export function HttpStatus({ status }: { status: number | null }) {
  const kind = classOf(status)
  return (
    <Status tone={tones[kind]}>
      {status !== null && <b>{status}</b>} <span class="word">{words[kind]}</span>
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
