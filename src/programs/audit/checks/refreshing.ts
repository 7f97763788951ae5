import { idsOf, type PresentedEntry, type Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { acceptsGenuine, installed, served } from './genuine.js'
import { isOk, mustCall, probe, probeOk, saidBy } from './probes.js'

/** A probe, and what it made the app ask the platform for. */
async function watched(scene: Scene, tenant: Tenant) {
  const mark = await scene.platform.mark()
  const probed = await probe(scene, tenant)
  const requests = await scene.platform.requests(tenant, mark)
  return { probed, ...requests, entries: idsOf(requests.api, requests.refreshes) }
}

/** `401, 200`; what comes several times in a row as `10 × 401`. */
function statusesOf(entries: PresentedEntry[]): string {
  const runs: { status: number | null; count: number }[] = []
  for (const { status } of entries) {
    const last = runs.at(-1)
    if (last?.status === status) last.count++
    else runs.push({ status, count: 1 })
  }
  return runs.map(({ status, count }) => (count > 1 ? `${count} × ${status}` : status)).join(', ') || 'nothing'
}

const summary = (api: PresentedEntry[], refreshes: PresentedEntry[]) =>
  `/v0 returned ${statusesOf(api)}; the token endpoint returned ${statusesOf(refreshes)}`

export async function bearer(scene: Scene): Promise<Verdict> {
  const { tenant } = await installed(scene)
  const mark = await scene.platform.mark()
  await probeOk(scene, tenant, 'after an install')
  const { api } = await scene.platform.requests(tenant, mark)
  const all = (await scene.platform.admin.listRequests({ surface: 'api' })).filter(({ id }) => id > mark)
  const inUrl = all.filter(
    ({ organization, query }) =>
      (organization === null || organization === tenant.slug) && Object.values(query).includes('[redacted]'),
  )
  const [first] = inUrl
  if (first) {
    const names = Object.keys(first.query).filter((name) => first.query[name] === '[redacted]')
    const seen = `${first.method} ${first.path} with ${names.join(', ')} in its query`
    return fail('A credential was sent in a URL', { seen, entries: idsOf(inUrl) })
  }
  mustCall(api)
  const bare = api.filter(({ request }) => request.headers.authorization === undefined)
  if (bare.length > 0) return fail('A /v0 request had no Authorization header', { entries: idsOf(bare) })
  return pass(`${counted(api.length, 'request')} with the token in the Authorization header only`)
}

export async function refreshesOnce(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await scene.platform.expire(tenant)
  const { probed, api, refreshes, entries } = await watched(scene, tenant)
  mustCall(api)
  const evidence = { sent: probed, seen: `${saidBy(probed)}; ${summary(api, refreshes)}`, entries }
  if (refreshes.length > 1) return fail(`One 401 led to ${refreshes.length} refreshes`, evidence)
  if (refreshes.length === 0) return fail('The 401 led to no refresh', evidence)
  if (!isOk(scene, probed)) return fail('The app did not retry the request successfully after the refresh', evidence)
  const refused = api.filter(({ status }) => status === 401).length
  if (refused > 1) return fail(`The expired token was sent ${refused} times`, evidence)
  return pass('401, one refresh, one retry')
}

export async function notEarly(scene: Scene): Promise<Verdict> {
  const { tenant } = await installed(scene)
  const fresh = await watched(scene, tenant)
  if (!isOk(scene, fresh.probed)) throw new Inconclusive(`the probe does not work: ${saidBy(fresh.probed)}`)
  mustCall(fresh.api)
  const { tenant: late, envelope } = await aboutToExpire(scene)
  await acceptsGenuine(scene, late, JSON.stringify(envelope))
  const whole = await scene.platform.requests(late, 0)
  const early = [...fresh.refreshes, ...whole.refreshes]
  if (early.length === 0) return pass('No refresh with 59 minutes left, and none with one minute left')
  const when = fresh.refreshes.length > 0 ? '59 minutes' : 'one minute'
  return fail(`The app refreshed a token that had ${when} left and had not been rejected`, { entries: idsOf(early) })
}

/** A webhook whose credentials have one minute left. */
async function aboutToExpire(scene: Scene) {
  const tenant = await scene.platform.tenant()
  const made = await scene.platform.install(tenant, false)
  const minted = await scene.platform.mint(tenant, '60s')
  const expires_at = new Date(Date.now() + minted.expires_in * 1000).toISOString()
  const credentials = { client_id: scene.app.clientId, ...minted, expires_at }
  return { tenant, envelope: scene.platform.envelope(tenant, { ...made, credentials }) }
}

const STAMPEDE = 10

export async function stampede(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await scene.platform.expire(tenant)
  const mark = await scene.platform.mark()
  // They meet at the 401 where the app lets them, and the refresh takes long enough for all to ask for one.
  const together = await scene.platform.fault(tenant.slug, {
    match: { surface: 'api' },
    effect: { hold: STAMPEDE },
    times: STAMPEDE,
  })
  const slow = await scene.platform.fault(tenant.slug, {
    match: { surface: 'oauth', grant_type: 'refresh_token' },
    effect: { delay: 300 },
  })
  const probing = Promise.all(Array.from({ length: STAMPEDE }, () => probe(scene, tenant)))
  await Promise.race([probing, scene.wait(1_500)])
  await together.lift()
  const probed = await probing
  await slow.lift()
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  mustCall(api)
  const failed = probed.filter((each) => !isOk(scene, each))
  const refused = refreshes.filter(({ status }) => status !== 200)
  const seen = `${STAMPEDE - failed.length} of ${STAMPEDE} probes worked; ${summary(api, refreshes)}`
  const evidence = { sent: failed[0] ?? probed[0], seen, entries: idsOf(refreshes) }
  if (refused.length > 0)
    return fail(
      `The token endpoint rejected ${counted(refused.length, 'refresh', 'refreshes')} of the stampede`,
      evidence,
    )
  if (failed.length > 0) return fail(`${failed.length} of ${STAMPEDE} probes failed`, evidence)
  if (refreshes.length === 0) throw new Inconclusive('the app got no 401', evidence)
  return pass(
    `${STAMPEDE} probes got a 401 at the same time and shared ${counted(refreshes.length, 'refresh', 'refreshes')}`,
  )
}

export async function rotationKept(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await scene.platform.expire(tenant)
  await probeOk(scene, tenant, 'after the access token has expired')
  await scene.platform.expire(tenant)
  const { probed, api, refreshes, entries } = await watched(scene, tenant)
  mustCall(api)
  const seen = `${saidBy(probed)}; ${summary(api, refreshes)}`
  if (isOk(scene, probed)) return pass('The second refresh used the refresh token that the first one returned')
  return fail('The app could not refresh a second time', { sent: probed, seen, entries })
}

/** Refreshes of `trouble` fail before anything has changed; the next probe must work again. */
const refreshFailure = async (scene: Scene, what: string, effect: object): Promise<Verdict> => {
  const { tenant } = await served(scene)
  await scene.platform.expire(tenant)
  const broken = await scene.platform.fault(tenant.slug, {
    match: { surface: 'oauth', grant_type: 'refresh_token' },
    effect,
  })
  const first = await watched(scene, tenant)
  const asked = await broken.hits()
  await broken.lift()
  const next = await watched(scene, tenant)
  const seen = `during the failure: ${saidBy(first.probed)}; afterwards: ${saidBy(next.probed)}; ${summary(next.api, next.refreshes)}`
  const evidence = { sent: next.probed, seen, entries: [...first.entries, ...next.entries] }
  if (asked === 0) throw new Inconclusive('the app did not refresh', evidence)
  if (asked > 5) return fail(`The app tried a refresh that ${what} ${asked} times in one probe`, evidence)
  if (isOk(scene, next.probed)) return pass(`The tokens were kept after a refresh that ${what}`)
  return fail(`The app does not recover from a refresh that ${what}`, evidence)
}

export async function refreshFails(scene: Scene): Promise<Verdict> {
  const both = await Promise.all([
    refreshFailure(scene, 'returned 503', { status: 503 }),
    refreshFailure(scene, 'was reset', { connection: 'reset' }),
  ])
  return (
    both.find(({ outcome }) => outcome === 'fail') ??
    pass('The tokens were kept after a 503 and after a connection reset')
  )
}

const MOST_DEAD_REFRESHES = 3

export async function refreshLost(scene: Scene): Promise<Verdict> {
  const { tenant, made } = await served(scene)
  await scene.platform.expire(tenant)
  const lost = await scene.platform.fault(tenant.slug, {
    match: { surface: 'oauth', grant_type: 'refresh_token' },
    effect: { connection: 'reset' },
    phase: 'after',
    times: 1,
  })
  const mark = await scene.platform.mark()
  await probe(scene, tenant)
  if ((await lost.hits()) === 0) throw new Inconclusive('the app did not refresh')
  for (let again = 0; again < 5; again++) await probe(scene, tenant)
  const { refreshes } = await scene.platform.requests(tenant, mark)
  const dead = refreshes.filter(({ status }) => status === 400)
  const entries = idsOf(refreshes)
  if (dead.length > MOST_DEAD_REFRESHES) {
    return fail(`The app sent the used refresh token ${dead.length} more times in 6 probes`, { entries })
  }
  await scene.platform.uninstall(made.installation.id)
  await scene.platform.install(tenant)
  const healed = await probe(scene, tenant)
  if (isOk(scene, healed))
    return pass(
      `${counted(dead.length, 'further refresh', 'further refreshes')}, and the app works again after a new install`,
    )
  return fail('The app does not work again after a new install', { sent: healed, seen: saidBy(healed), entries })
}

export async function deadGrant(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await scene.platform.admin.revokeTokens({ organization: tenant.slug })
  const mark = await scene.platform.mark()
  for (let again = 0; again < 10; again++) await probe(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const evidence = { seen: summary(api, refreshes), entries: idsOf(refreshes) }
  if (refreshes.length > MOST_DEAD_REFRESHES) {
    return fail(`${refreshes.length} token requests in 10 probes after the grant had ended`, evidence)
  }
  if (refreshes.length === 0) throw new Inconclusive('the app did not refresh after its token was rejected', evidence)
  return pass(`${counted(refreshes.length, 'token request')} in 10 probes`)
}
