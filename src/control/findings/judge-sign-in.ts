import type { JournalEntry } from '../../emulator/world/exchange.js'
import { mayBeLost } from './hearing.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

const AUTHORIZE = '/oauth/authorize'
/** Bits that a state should have. RFC 6749 §10.10 asks for 128 at least. */
const STATE_BITS = 128

interface Issued {
  entry: JournalEntry
  redeemed: boolean
}

/** code_reuse, state_reuse, weak_state, no_pkce, no_nonce, unredeemed_code. control-api: "Findings" */
export const judgeSignIn: CreateJudge = (world, report) => {
  /** By `<redirect_uri> <state>`: the latest request with it, and the one that got a code. */
  const asked = new Recent<string, { entry: JournalEntry; ended: JournalEntry | undefined }>()
  const codes = new Recent<string, Issued>()
  const redeemed = new Recent<string, { isLost: boolean }>()

  const judgeRequest = (entry: JournalEntry) => {
    const query = new URLSearchParams(entry.search)
    const [state, redirect] = ['state', 'redirect_uri'].map((name) => query.get(name) ?? '')
    if (!entry.identity.app || !state || entry.status === 400) return
    const key = `${redirect} ${state}`
    const before = asked.get(key)
    asked.set(key, { entry, ended: before?.ended })
    // A request that comes back after the sign-in page, or a page that is loaded again, is the same one.
    if (before) return
    const bits = Math.round(bitsOf(state))
    if (bits < STATE_BITS)
      report('weak_state', entry, `The state has ${state.length} characters, with at most ${bits} random bits.`)
    if (!query.get('code_challenge')) report('no_pkce', entry, 'The authorization request has no code_challenge.')
    if (!query.get('nonce')) report('no_nonce', entry, 'The authorization request has no nonce.')
  }

  const judgeCallback = (entry: JournalEntry) => {
    const location = String(entry.response.headers.location ?? '')
    if (!URL.canParse(location)) return
    const { searchParams } = new URL(location)
    const [state, code] = [searchParams.get('state'), searchParams.get('code')]
    if (state === null) return
    // spec: §5.4.5 has the same URL again after an error, so only a code ends a request.
    if (!code) return
    for (const [key, { entry: request, ended }] of asked) {
      if (!key.endsWith(` ${state}`) || !location.startsWith(key.slice(0, -state.length - 1))) continue
      if (ended && ended !== request) {
        report('state_reuse', request, `The state had already been used in request ${ended.id}, which returned a code.`)
      }
      asked.set(key, { entry: request, ended: request })
      break
    }
    codes.set(code, { entry, redeemed: false })
  }

  return {
    judge({ entry, form }) {
      if (entry.path === AUTHORIZE && entry.method === 'GET') judgeRequest(entry)
      if (entry.status === 302 || entry.status === 303) judgeCallback(entry)
      const code = form?.get('grant_type') === 'authorization_code' ? form.get('code') : null
      if (!code) return
      const issued = codes.get(code)
      if (issued) issued.redeemed = true
      const before = redeemed.get(code)
      const isLost = mayBeLost(world, entry)
      if (before && !before.isLost && !isLost) {
        report('code_reuse', entry, 'The authorization code had already been redeemed.')
      } else if (world.store.codes.by('secret', code)?.used_at)
        redeemed.set(code, { isLost: isLost || before?.isLost === true })
    },

    conclude() {
      const now = world.clock.timestamp()
      for (const [secret, { entry, redeemed: isRedeemed }] of codes) {
        const code = world.store.codes.by('secret', secret)
        if (isRedeemed || !code || code.used_at !== null || code.expires_at > now) continue
        report('unredeemed_code', entry, 'An authorization code expired without being redeemed.')
        codes.delete(secret)
      }
    },
  }
}

/** By length and alphabet: what a text of this kind can hold at most. */
function bitsOf(text: string): number {
  const alphabets: [RegExp, number][] = [
    [/^\d*$/, 10],
    [/^[\da-f-]*$/i, 16],
    [/^[a-z]*$/, 26],
    [/^[a-z\d]*$/, 36],
  ]
  const size = alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 64
  return new Set(text).size < 4 ? 0 : text.length * Math.log2(size)
}
