import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, skip, type Verdict } from '../verdict.js'
import { saidBy } from './probes.js'
import { begun, brokenHop, callbackFor, isSignIn, landed, person, signedInPerson } from './signing-in.js'

/** Real milliseconds; a failure that took longer is the end of somebody's patience, not a judgement on the token. */
const PATIENCE = 3_000

/** A sign-in whose id_token is invalid in one way must fail. @param effect as for a fault on `id_token`. */
export const refusesToken =
  (effect: string, what: string) =>
  async (scene: Scene): Promise<Verdict> => {
    const who = await person(scene)
    const fault = await scene.platform.fault(who.tenant.slug, { match: { surface: 'id_token' }, effect, times: 1 })
    const landing = await landed(scene, who, await callbackFor(who))
    if ((await fault.hits()) === 0) {
      throw new Inconclusive('the app did not redeem the code', { sent: landing.visit.last, entries: landing.entries })
    }
    const evidence = { sent: landing.visit.hops[0], entries: landing.entries }
    const broken = brokenHop(landing.visit)
    if (landing.session?.isIn) return fail(`The app accepted an id_token ${what} and signed the browser in`, evidence)
    if (broken && broken.duration > PATIENCE) {
      throw new Inconclusive(`the app gave up after ${broken.duration} ms, regardless of the token`, evidence)
    }
    if (broken) {
      return fail(`The app rejected an id_token ${what}, but failed (${saidBy(broken)})`, evidence)
    }
    await signedInPerson(scene)
    return pass('Rejected, and the genuine id_token after it was accepted')
  }

export async function wrongNonce(scene: Scene): Promise<Verdict> {
  const asked = (await begun(scene.browser())).searchParams.get('nonce')
  if (!asked) return skip('The app sends no nonce, so it has nothing to compare (see signin.nonce)')
  return refusesToken('wrong_nonce', 'with the nonce of another sign-in')(scene)
}

export async function audArray(scene: Scene): Promise<Verdict> {
  await signedInPerson(scene)
  const who = await person(scene)
  await scene.platform.fault(who.tenant.slug, {
    match: { surface: 'id_token' },
    effect: { claims: { aud: [scene.app.clientId] } },
    times: 1,
  })
  const landing = await landed(scene, who, await callbackFor(who))
  if (isSignIn(landing)) return pass('Signed in')
  return fail('The app rejected an id_token whose aud is an array with the client_id', {
    sent: landing.visit.hops[0],
    entries: landing.entries,
  })
}

/** Good libraries fetch keys at most every 30 s. */
const FETCH_INTERVAL = 35_000

export async function rotation(scene: Scene): Promise<Verdict> {
  await signedInPerson(scene)
  const { last } = await scene.platform.keyFetches(0)
  if (last !== undefined) await scene.wait(Math.max(0, last + FETCH_INTERVAL - Date.now()))
  await scene.platform.admin.rotateKeys()
  const who = await person(scene)
  const landing = await landed(scene, who, await callbackFor(who))
  if (isSignIn(landing)) return pass('Fetched the new key and signed in')
  return fail('Nobody could sign in after the platform rotated its signing key', {
    sent: landing.visit.hops[0],
    entries: landing.entries,
  })
}

const SIGN_INS = 5
const UNKNOWN = 20
/** The first fetch, and one that met a change. */
const MOST_FETCHES = 2
/** One each 30 s, and a margin. */
const MOST_FETCHES_OF_UNKNOWN = 5

export async function keysCached(scene: Scene): Promise<Verdict> {
  const fetches = async (since: number) => {
    const { entries } = await scene.platform.keyFetches(since)
    return entries.filter(({ path }) => path.endsWith('/jwks.json')).map(({ id }) => id)
  }
  const start = await scene.platform.mark()
  for (let count = 0; count < SIGN_INS; count++) await signedInPerson(scene)
  const known = await fetches(start)
  if (known.length > MOST_FETCHES) {
    return fail(
      `The app fetched the JWKS ${known.length} times for ${SIGN_INS} sign-ins; it can be cached for an hour`,
      {
        entries: known,
      },
    )
  }
  const mark = await scene.platform.mark()
  const who = await person(scene)
  const match = { surface: 'id_token' as const }
  await scene.platform.fault(who.tenant.slug, { match, effect: 'unknown_kid', times: UNKNOWN })
  for (let count = 0; count < UNKNOWN; count++) {
    const browser = scene.browser()
    const callback = await callbackFor({ ...who, browser })
    await browser.follow(callback.href, { stopAt: browser.isAuthorize })
  }
  const unknown = await fetches(mark)
  if (unknown.length > MOST_FETCHES_OF_UNKNOWN) {
    return fail(`The app fetched the JWKS ${unknown.length} times for ${UNKNOWN} id_tokens with unknown keys`, {
      entries: unknown,
    })
  }
  return pass(
    `${counted(known.length, 'fetch', 'fetches')} for ${SIGN_INS} sign-ins, ${unknown.length} for ${UNKNOWN} id_tokens with unknown keys`,
  )
}
