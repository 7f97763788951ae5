import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'
import { mayBeLost } from './response-visibility.js'

const AUTHORIZE = '/oauth/authorize'
/** Bits that a state should have at least. RFC 6749 §10.10 */
const STATE_BITS = 128

/** Organizations are judged apart, so that a test in one makes no finding in another. */
const keyOf = (organization: string | undefined, redirect: string, state: string) =>
  `${organization ?? ''} ${redirect} ${state}`

interface StateUse {
  redirect: string
  latest: JournalEntry
  /** The latest that got a code. */
  completed?: JournalEntry
  /** The first whose code was redeemed. */
  redeemed?: JournalEntry
}

/** A code: the exchange that issued it, and the authorization request, with its key among those with a state. */
interface IssuedCode {
  entry: JournalEntry
  isRedeemed: boolean
  authorization?: { key: string; request: JournalEntry }
}

/** code_reuse, state_reuse, weak_state, no_pkce, no_nonce, unredeemed_code. control-api: "Findings" */
export const judgeSignIn: CreateJudge = (world, report) => {
  const requests = new Recent<string, StateUse>()
  const issued = new Recent<string, IssuedCode>()
  const redeemed = new Recent<string, { isLost: boolean }>()

  const judgeRequest = (entry: JournalEntry) => {
    const query = new URLSearchParams(entry.search)
    const [state = '', redirect = ''] = ['state', 'redirect_uri'].map((name) => query.get(name) ?? '')
    if (!entry.identity.app || !state || entry.status === 400) return
    const undecided = keyOf(undefined, redirect, state)
    const key = keyOf(entry.identity.organization, redirect, state)
    const before = requests.get(key) ?? requests.get(undecided)
    // Before the person had signed in, no organization was known.
    requests.delete(undecided)
    requests.set(key, { ...before, redirect, latest: entry })
    // The same request comes again after the sign-in page, and when a page is reloaded.
    if (before) return
    const bits = Math.round(bitsOf(state))
    if (bits < STATE_BITS) {
      report('weak_state', entry, `The state has ${state.length} characters, with at most ${bits} random bits.`)
    }
    if (!query.get('code_challenge')) report('no_pkce', entry, 'The authorization request has no code_challenge.')
    // Without the scope openid there is no id_token that a nonce could come back in.
    const hasIdToken = query.get('scope')?.split(' ').includes('openid')
    if (hasIdToken && !query.get('nonce')) report('no_nonce', entry, 'The authorization request has no nonce.')
  }

  const judgeRedirect = (entry: JournalEntry) => {
    const location = String(entry.response.headers.location ?? '')
    if (!URL.canParse(location)) return
    const { searchParams } = new URL(location)
    const [state, code] = [searchParams.get('state'), searchParams.get('code')]
    // After an error the app may use the same URL again (spec: §5.4.5), so only a code completes a request.
    if (state === null || !code) return
    for (const [key, use] of requests) {
      const { redirect, latest, completed } = use
      const { organization = entry.identity.organization } = latest.identity
      const isOther = organization !== entry.identity.organization || !location.startsWith(redirect)
      if (!key.endsWith(` ${state}`) || isOther) continue
      // A repeated URL may be a reload; the app has used the state twice only if it redeems both codes.
      if (completed && completed.search !== latest.search) {
        const earlier = `request ${completed.id}, which returned a code`
        report('state_reuse', latest, `The state had already been used in ${earlier}.`)
      }
      requests.set(key, { ...use, completed: latest })
      issued.set(code, { entry, isRedeemed: false, authorization: { key, request: latest } })
      return
    }
    issued.set(code, { entry, isRedeemed: false })
  }

  const judgeStateReuse = ({ key, request }: NonNullable<IssuedCode['authorization']>) => {
    const use = requests.get(key)
    if (!use) return
    const { redeemed = request } = use
    if (redeemed !== request && redeemed.search === request.search) {
      const earlier = `request ${redeemed.id}, whose code was redeemed`
      report('state_reuse', request, `The state had already been used in ${earlier}.`)
    }
    requests.set(key, { ...use, redeemed })
  }

  const judgeRedemption = (entry: JournalEntry, code: string) => {
    const issuedCode = issued.get(code)
    if (issuedCode) issuedCode.isRedeemed = true
    const before = redeemed.get(code)
    const isLost = mayBeLost(entry)
    if (before && !before.isLost && !isLost) {
      report('code_reuse', entry, 'The authorization code had already been redeemed.')
    } else if (world.store.codes.by('secret', code)?.used_at) {
      redeemed.set(code, { isLost: isLost || before?.isLost === true })
      if (issuedCode?.authorization) judgeStateReuse(issuedCode.authorization)
    }
  }

  return {
    judge({ entry, form }) {
      if (entry.path === AUTHORIZE && entry.method === 'GET') judgeRequest(entry)
      if (entry.status === 302 || entry.status === 303) judgeRedirect(entry)
      const code = form?.get('grant_type') === 'authorization_code' ? form.get('code') : null
      if (code) judgeRedemption(entry, code)
    },

    conclude() {
      for (const [secret, { entry, isRedeemed }] of issued) {
        const code = world.store.codes.by('secret', secret)
        if (isRedeemed || !code || code.used_at !== null || code.expires_at > world.clock.timestamp(code.organization))
          continue
        report('unredeemed_code', entry, 'An authorization code expired without being redeemed.')
        issued.delete(secret)
      }
    },
  }
}

/** Returns the most random bits that a text of this length and alphabet can hold. */
function bitsOf(text: string): number {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase()
  const alphabets: [RegExp, number][] = [
    [/^\d*$/, 10],
    [/^[\da-f-]*$/i, 16],
    [/^[a-z]*$/i, 26],
    [/^[a-z\d]*$/i, 36],
  ]
  const size = alphabets.find(([pattern, of]) => pattern.test(text) && (isOneCase || of === 16))?.[1] ?? 64
  return new Set(text).size < 4 ? 0 : text.length * Math.log2(size)
}
