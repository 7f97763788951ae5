import { type FaultBody, idsOf } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { served } from './genuine.js'
import { isOk, probe, probeOk, saidBy } from './probes.js'

const api = (effect: unknown, more: Partial<FaultBody> = {}): FaultBody => ({
  match: { surface: 'api' },
  effect,
  ...more,
})

export async function insufficientScope(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  const mark = await scene.platform.mark()
  const fault = await scene.platform.fault(tenant.slug, api('insufficient_scope'))
  const probed = await probe(scene, tenant)
  const calls = await fault.hits()
  await fault.lift()
  const requests = await scene.platform.requests(tenant, mark)
  const evidence = { sent: probed, seen: saidBy(probed), entries: idsOf(requests.api, requests.refreshes) }
  if (calls === 0) throw new Inconclusive('the probe did not make the app call /v0', evidence)
  if (requests.refreshes.length > 0) return fail('The app refreshed after a 403, which cannot add a scope', evidence)
  if (calls > 3) return fail(`One probe sent ${calls} requests, although each got a 403`, evidence)
  if (probed.status === null || probed.status >= 500) {
    return fail(`After a 403 from the platform, the app itself failed: ${saidBy(probed)}`, evidence)
  }
  return pass(`${counted(calls, 'request')}, no refresh, and the app returned ${saidBy(probed)}`)
}

const RETRY_AFTER = 2_000
/** What clocks and journals may differ by. */
const TOLERANCE = 50
const MARGIN = 500

export async function rateLimited(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  const mark = await scene.platform.mark()
  const limited = { status: 429, headers: { 'retry-after': String(RETRY_AFTER / 1000) } }
  await scene.platform.fault(tenant.slug, api(limited, { times: 1 }))
  const probed = await probe(scene, tenant)
  const first = await scene.platform.requests(tenant, mark)
  const refused = first.api.find(({ status }) => status === 429)
  const evidence = { sent: probed, seen: saidBy(probed), entries: idsOf(first.api) }
  if (!refused) throw new Inconclusive('the probe did not make the app call /v0', evidence)
  if (probed.status === null) return fail(`The app did not respond: ${saidBy(probed)}`, evidence)
  // The app counts from when it heard of the limit, which is a little later.
  await scene.wait(Math.max(0, Date.parse(refused.at) + RETRY_AFTER + MARGIN - Date.now()))
  const { api: calls } = await scene.platform.requests(tenant, mark)
  const retryFrom = Date.parse(refused.at) + RETRY_AFTER - TOLERANCE
  const sooner = calls.filter(({ id, at }) => id > refused.id && Date.parse(at) < retryFrom)
  if (sooner.length > 0) {
    const after = Date.parse(sooner[0]?.at ?? '') - Date.parse(refused.at)
    const seen = `${counted(sooner.length, 'request')} before the time in Retry-After had passed, the first after ${after} ms`
    return fail('The app did not respect Retry-After', { sent: probed, seen, entries: idsOf(calls) })
  }
  await probeOk(scene, tenant, 'after the rate limit has ended')
  return pass(`No request before the time in Retry-After had passed; the app returned ${saidBy(probed)}`)
}

const outages: [what: string, effect: object][] = [
  ['returns 503', { status: 503 }],
  ['resets connections', { connection: 'reset' }],
  ['does not respond', { connection: 'hang' }],
  ['cuts off its responses', { connection: 'truncate' }],
  ['returns HTML', { status: 200, body: 'html' }],
]
const MOST_TRIES = 5
const LONGEST_ANSWER = 30_000

export async function outage(scene: Scene): Promise<Verdict> {
  const verdicts = await Promise.all(outages.map(([what, effect]) => duringOutage(scene, what, effect)))
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [first] = failed
  return first
    ? { ...first, seen: failed.map(({ message, seen }) => `${message} (${seen})`).join('; ') }
    : pass('At most 5 attempts, a response in time, and everything worked again afterwards')
}

async function duringOutage(scene: Scene, what: string, effect: object): Promise<Verdict> {
  const { tenant } = await served(scene)
  const fault = await scene.platform.fault(tenant.slug, api(effect))
  const probed = await probe(scene, tenant)
  const tries = await fault.hits()
  await fault.lift()
  const evidence = {
    sent: probed,
    seen: `${saidBy(probed)} after ${probed.duration} ms and ${counted(tries, 'request')}`,
  }
  if (tries === 0) throw new Inconclusive('the probe did not make the app call /v0', evidence)
  if (probed.status === null || probed.duration > LONGEST_ANSWER) {
    return fail(`While the platform ${what}, the app does not respond within 30 s`, evidence)
  }
  if (tries > MOST_TRIES) return fail(`While the platform ${what}, one probe sends ${tries} requests`, evidence)
  const after = await probe(scene, tenant)
  if (isOk(scene, after)) return pass(what)
  return fail(`The app does not recover after the platform ${what}: ${saidBy(after)}`, evidence)
}

/** What a client must not mind, now or in a later version of the platform. */
const oddities: [what: string, faults: FaultBody[]][] = [
  ['unknown fields in /v0 responses', [api({ merge: { audit_extra: { a: [1] }, payload: { audit_extra: null } } })]],
  [
    'a token response that has "token_type": "bearer" and an unknown field, and no "expires_in"',
    [
      {
        match: { surface: 'oauth', grant_type: 'refresh_token' },
        effect: { merge: { token_type: 'bearer', audit_extra: true }, omit: ['expires_in'] },
      },
    ],
  ],
  [
    'an element of an unknown type',
    [{ match: { surface: 'api', path: '/v0/elements' }, effect: { body: listOfOne() } }],
  ],
]

/** A list of elements with one of a type that nobody knows yet. wire: §4 "element" */
function listOfOne() {
  const at = '2026-01-01T00:00:00.000Z'
  const element = {
    id: 'auditelement0001',
    object: 'element',
    name: 'From the future',
    content: '',
    type: 'HOLOGRAM',
    position: 0,
    module: 'auditmodule00001',
    course: 'auditcourse00001',
    cover: null,
    metadata: {},
    properties: { hologram_url: 'https://holograms.test/1' },
    created_at: at,
    updated_at: at,
  }
  return { error: null, payload: { data: [element], next: null } }
}

export async function tolerant(scene: Scene): Promise<Verdict> {
  for (const [what, faults] of oddities) {
    const { tenant } = await served(scene)
    for (const fault of faults) await scene.platform.fault(tenant.slug, fault)
    await scene.platform.expire(tenant)
    const first = await probe(scene, tenant)
    const second = isOk(scene, first) ? await probe(scene, tenant) : first
    if (!isOk(scene, second)) return fail(`With ${what}, the app stops working: ${saidBy(second)}`, { sent: second })
  }
  return pass('The app handled unknown fields, an unknown type and a missing expires_in')
}
