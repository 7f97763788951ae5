import { pluralize } from '../../reports/pluralize.js'
import { idsOf } from '../app/app-requests.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, type Landing, mustSignIn } from '../context/person.js'
import { defineChecks, fail, pass, signInNeeds } from './check.js'

/** After a fetch of the keys, most libraries fetch them again after 30 s, oauth4webapi after a minute. */
const REFETCH_MS = 35_000
const LATE_REFETCH_MS = 65_000
const SIGN_INS = 5
/** The first one, and one after a change. */
const MAX_FETCHES = 2
const UNKNOWN = 20
/** Workers with a cache of their own fetch once each. */
const MAX_FETCHES_OF_UNKNOWN = 10

const fetchKeys = {
  Node: 'jose: one createRemoteJWKSet(url) for the process; it fetches on an unknown kid, at most every 30 s',
  Python:
    'PyJWT: one PyJWKClient(url) for the process; Authlib fetches for each unknown kid and cannot be set otherwise',
  Go: 'go-oidc 3: one provider.Verifier for the process; it fetches when no known key verifies a token',
  Ruby: 'jwt: JWT::JWK::Set with a loader that is called with kid_not_found, held back for 30 s; openid_connect: repeat discover! on JSON::JWK::Set::KidNotFound, at most every 30 s',
  PHP: 'firebase/php-jwt: CachedKeySet with $rateLimit = true',
}

export const signingKeys = defineChecks({ needs: signInNeeds })({
  'signin.keys-cached': {
    title: 'caches the keys for an hour',
    severity: 'medium',
    source: 'spec: §4.8, §8',
    expected: `Fetches the JWKS at most ${MAX_FETCHES} times for ${SIGN_INS} sign-ins.`,
    fix: 'Keep one key set for the process, not one for each request.',
    ...fetchKeys,
    // Sign-ins of other checks would be counted.
    order: 'alone',
    async run(context) {
      const fetchesOfSignIns = () =>
        keyFetchesDuring(context, async () => {
          for (let count = 0; count < SIGN_INS; count++) await mustSignIn(context)
        })
      const cold = await fetchesOfSignIns()
      // Each of several workers fetches them for its first sign-in.
      const fetches = cold.length > MAX_FETCHES ? await fetchesOfSignIns() : cold
      const count = pluralize(fetches.length, 'fetch')
      if (fetches.length <= MAX_FETCHES) return pass(`${count} of the JWKS for ${SIGN_INS} sign-ins`)
      const message = `The app fetched the JWKS ${fetches.length} times for ${SIGN_INS} sign-ins, after ${cold.length} times for ${SIGN_INS} before; it can be cached for an hour`
      return fail(message, { entries: fetches })
    },
  },
  'signin.unknown-keys': {
    title: 'does not fetch the keys for each unknown one',
    severity: 'low',
    source: 'spec: §8; RFC 8725 §3.10',
    expected: `Fetches the JWKS at most ${MAX_FETCHES_OF_UNKNOWN} times for ${UNKNOWN} id_tokens with unknown keys.`,
    fix: 'After a fetch, wait some 30 s before an unknown kid leads to another one.',
    ...fetchKeys,
    async run(context) {
      await mustSignIn(context)
      const person = await createPerson(context)
      const fault = await person.tenant.fault({ match: { surface: 'id_token' }, effect: 'unknown_kid', times: UNKNOWN })
      const fetches = await keyFetchesDuring(context, async () => {
        for (let count = 0; count < UNKNOWN; count++) {
          const { browser, getCallback } = person.atAnotherBrowser()
          await browser.followApp((await getCallback()).href)
        }
      })
      // Sign-ins of other checks are counted too: no number of them makes an app fetch more that waits after a fetch.
      const count = `${pluralize(fetches.length, 'time')} while it got ${await fault.hits()} id_tokens with unknown keys`
      if (fetches.length <= MAX_FETCHES_OF_UNKNOWN) return pass(`Fetched the JWKS ${count}`)
      return fail(`The app fetched the JWKS ${count}`, { entries: fetches })
    },
  },
})

/** Runs late: the next sign-in needs the new key, and no sign-in works in an app that never fetches it. */
export const keyRotation = defineChecks({ needs: [...signInNeeds, 'whoami'] })({
  'signin.rotation': {
    title: 'signs in after the platform has rotated its key',
    severity: 'medium',
    source: 'spec: §4.8, §8; OpenID Connect Core §10.1.1',
    expected: 'Fetches the JWKS again when a token names an unknown kid, and signs in.',
    fix: 'Fetch the JWKS again on an unknown kid, at most once every 30 s.',
    ...fetchKeys,
    order: 'last',
    async run(context) {
      const { platform, wait } = context
      await mustSignIn(context)
      const last = (await platform.keyRequests(0)).at(-1)
      const lastFetch = last ? Date.parse(last.at) : Date.now() - REFETCH_MS
      const waitUntil = (interval: number) => wait(Math.max(0, lastFetch + interval - Date.now()))
      await waitUntil(REFETCH_MS)
      await platform.admin.rotateKeys()
      let landing: Landing | undefined
      for (const interval of [REFETCH_MS, LATE_REFETCH_MS]) {
        await waitUntil(interval)
        const person = await createPerson(context)
        landing = await person.followCallback()
        if (landing.isSignIn)
          return pass(`Fetched the new key and signed in, ${interval / 1000} s after the last fetch`)
      }
      return fail('No sign-in worked after the platform rotated its signing key', landing)
    },
  },
})

async function keyFetchesDuring({ platform }: AuditContext, act: () => Promise<void>): Promise<number[]> {
  const since = await platform.newestEntry()
  await act()
  const requests = await platform.keyRequests(since)
  return idsOf(requests.filter(({ path }) => path.endsWith('/jwks.json')))
}
