import { pluralize } from '../../reports/pluralize.js'
import { idsOf, mustCall, mustHaveRefreshed, refreshRequests, summaryOf } from '../app/app-requests.js'
import type { AuditContext } from '../context/context.js'
import { installAndProbe } from '../context/installing.js'
import type { Tenant } from '../context/tenant.js'
import { failOfLostToken, failOfRefreshes, pass, type Verdict } from './check.js'

const STAMPEDE = 10
/** Time for requests to meet: an app may handle them one after the other. */
const MEET_MS = 1_500

/**
 * Sends ten probes at once with an expired token. If probes are a signed-in person's and only one of them got a 401,
 * repeats it with ten browsers, since PHP handles the requests of one session one after another. Then tests a 401 that
 * arrives after the refresh. @param explainedBy id of the check that explains several refreshes.
 */
export async function stampede(context: AuditContext, explainedBy?: string): Promise<Verdict> {
  const [tenant, other] = await Promise.all([installAndProbe(context), installAndProbe(context)])
  const isOfPerson = context.file.probe?.as !== undefined
  const probers = Array<Pick<Tenant, 'probe'>>(STAMPEDE).fill(tenant)
  let verdict = await probeAtOnce(context, { tenant, probers, other: isOfPerson ? undefined : other, explainedBy })
  if (verdict.outcome === 'inconclusive' && isOfPerson) {
    const browsers = Array.from({ length: STAMPEDE }, tenant.atAnotherBrowser)
    await Promise.all(browsers.map((browser) => browser.probe()))
    verdict = await probeAtOnce(context, { tenant, probers: browsers, other, explainedBy })
  }
  return verdict.outcome === 'pass' ? probeWithLate401(context, tenant, verdict.message) : verdict
}

interface Stampede {
  tenant: Tenant
  probers: Pick<Tenant, 'probe'>[]
  /** Served meanwhile by an app that queues by organization; left out where it may queue by browser. */
  other: Tenant | undefined
  explainedBy: string | undefined
}

async function probeAtOnce(context: AuditContext, { tenant, probers, other, explainedBy }: Stampede): Promise<Verdict> {
  await tenant.expireTokens()
  const since = await context.platform.newestEntry()
  // Requests meet at the 401 where the app lets them, and the refresh takes long enough for all to want one.
  const held = await tenant.fault({ match: { surface: 'api' }, effect: { hold: STAMPEDE }, times: STAMPEDE })
  const slow = await tenant.fault({ match: refreshRequests, effect: { delay: 300 } })
  const probing = Promise.all(probers.map((prober) => prober.probe()))
  await context.until(held.hits, (hits) => hits > 0, MEET_MS)
  const elsewhere = other?.probe().then(other.isOk)
  const meeting = Promise.race([probing, context.wait(MEET_MS)])
  const isOtherServed = await Promise.race([elsewhere, meeting])
  await meeting
  await held.lift()
  const [probes] = await Promise.all([probing, elsewhere])
  await slow.lift()
  const requests = await tenant.requestsSince(since)
  const { api, rejected, refreshes } = requests
  mustCall(api)
  const failed = probes.filter((each) => !tenant.isOk(each))
  const refused = refreshes.filter(({ status }) => status !== 200)
  const seen = `${STAMPEDE - failed.length} of ${STAMPEDE} probes worked; ${summaryOf(requests)}`
  const evidence = { sent: failed[0] ?? probes[0], seen, entries: idsOf(refreshes) }
  if (refused.length > 0) {
    const message = `The token endpoint rejected ${pluralize(refused.length, 'refresh')} of the stampede`
    return failOfLostToken(context, message, evidence)
  }
  mustHaveRefreshed(requests, evidence)
  // A check beside this one may have made the app pause for all organizations.
  if (failed.length > 0) {
    const message = `${failed.length} of ${STAMPEDE} probes failed`
    return failOfLostToken(context, message, { ...evidence, late: true })
  }
  // Without a 401, no probe has made the refresh necessary.
  if (refreshes.length > 1 || rejected.length === 0) {
    const when = rejected.length === 0 ? ' before any 401' : ''
    const message = `One expired token led to ${pluralize(refreshes.length, 'refresh')}${when}`
    return failOfRefreshes(context, message, { ...evidence, followsFrom: explainedBy })
  }
  if (rejected.length < 2 && isOtherServed !== true) {
    const message = `Only ${rejected.length} of ${STAMPEDE} probes at once got a 401, while another organization waited; let the app handle several requests at once, as in production, or leave this check out: --skip api.stampede`
    return { outcome: 'inconclusive', message, ...evidence }
  }
  return pass(`${STAMPEDE} probes at once, of which ${rejected.length} got a 401, shared 1 refresh`)
}

/** Lets one request get its 401 once another one has led to a refresh. @param passed message of the probes at once. */
async function probeWithLate401(context: AuditContext, tenant: Tenant, passed: string): Promise<Verdict> {
  // Another browser, signed in beforehand where probes are a person's: an app may lock the session of the first one.
  const other = tenant.atAnotherBrowser()
  await other.probe()
  await tenant.expireTokens()
  const since = await context.platform.newestEntry()
  const held = await tenant.fault({ match: { surface: 'api' }, effect: { hold: 2 }, times: 1 })
  const late = tenant.probe()
  await context.until(held.hits, (hits) => hits > 0, MEET_MS)
  const prompt = other.probe()
  await Promise.race([prompt, context.wait(MEET_MS)])
  await held.lift()
  const probes = await Promise.all([late, prompt])
  const requests = await tenant.requestsSince(since)
  const { rejected, refreshes } = requests
  const evidence = { sent: probes[0], seen: summaryOf(requests), entries: idsOf([...rejected, ...refreshes]) }
  if (refreshes.length > 1) {
    const message = 'A 401 of the old token that came after the refresh led to another refresh'
    return failOfRefreshes(context, message, evidence)
  }
  const failed = probes.find((probe) => !tenant.isOk(probe))
  if (failed) {
    const message = 'A probe failed whose 401 came after the refresh'
    return failOfLostToken(context, message, { ...evidence, sent: failed, late: true })
  }
  return pass(rejected.length > 1 ? `${passed}; a 401 that came after the refresh led to no other` : passed)
}
