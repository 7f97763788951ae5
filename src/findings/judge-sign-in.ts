import type { JournalEntry } from '../world/exchange.js'
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
  /** `<client_id> <state>` of requests whose answer went to the callback. */
  const ended = new Recent<string, true>()
  /** `<redirect_uri> <state>` to the same with the client. */
  const asked = new Recent<string, string>()
  const codes = new Recent<string, Issued>()
  const redeemed = new Recent<string, { faulty: boolean }>()

  const judgeRequest = (entry: JournalEntry) => {
    const query = new URLSearchParams(entry.search)
    const [client, state, redirect] = ['client_id', 'state', 'redirect_uri'].map((name) => query.get(name) ?? '')
    if (!entry.identity.app || !state || entry.status === 400) return
    const key = `${client} ${state}`
    if (ended.has(key)) report('state_reuse', entry, 'The state had been in an earlier authorization request.')
    const isNew = asked.get(`${redirect} ${state}`) === undefined
    asked.set(`${redirect} ${state}`, key)
    // A request that comes back after the sign-in page is the same one.
    if (!isNew) return
    const bits = Math.round(bitsOf(state))
    if (bits < STATE_BITS) report('weak_state', entry, `The state has ${state.length} characters, some ${bits} bits.`)
    if (!query.get('code_challenge')) report('no_pkce', entry, 'The request has no code_challenge.')
    if (!query.get('nonce')) report('no_nonce', entry, 'The request has no nonce.')
  }

  const judgeCallback = (entry: JournalEntry) => {
    const location = String(entry.response.headers.location ?? '')
    if (!URL.canParse(location)) return
    const { searchParams } = new URL(location)
    const [state, code] = [searchParams.get('state'), searchParams.get('code')]
    if (state === null) return
    for (const [asker, key] of asked) {
      if (asker.endsWith(` ${state}`) && location.startsWith(asker.slice(0, -state.length - 1))) ended.set(key, true)
    }
    if (code) codes.set(code, { entry, redeemed: false })
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
      const faulty = entry.notes.fault !== undefined
      if (before && !before.faulty && !faulty) {
        report('code_reuse', entry, 'The authorization code had been redeemed before.')
      } else if (world.store.codes.by('secret', code)?.used_at) redeemed.set(code, { faulty })
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
