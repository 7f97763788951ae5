import { idsOf, mustCall, mustHaveRefreshed, refreshRequests, summaryOf } from '../context/app-requests.js'
import { causeOfRefreshes } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { installAndProbe } from '../context/installing.js'
import type { Tenant } from '../context/tenant.js'
import { counted, fail, pass, type Verdict } from './check.js'

const STAMPEDE = 10

/**
 * Probes an organization ten times at once with an expired token; once more with a browser for each where one browser is
 * answered one request after the other, as PHP's sessions are.
 * @param alone id of the check that explains several refreshes; undefined when a single probe leads to one.
 */
export async function stampede(context: AuditContext, alone?: string): Promise<Verdict> {
  const tenant = await installAndProbe(context)
  const verdict = await probeAtOnce(context, Array<Prober>(STAMPEDE).fill(tenant), tenant, alone)
  if (verdict.outcome !== 'inconclusive' || !context.file.probe?.as) return verdict
  const browsers = Array.from({ length: STAMPEDE }, tenant.atAnotherBrowser)
  await Promise.all(browsers.map((browser) => browser.probe()))
  return probeAtOnce(context, browsers, tenant, alone)
}

type Prober = Pick<Tenant, 'probe'>

/** Lets probers of one organization meet the 401 of its expired token at once. @param alone as for `stampede`. */
async function probeAtOnce(context: AuditContext, probers: Prober[], tenant: Tenant, alone?: string): Promise<Verdict> {
  await tenant.expireTokens()
  const mark = await context.platform.mark()
  // Requests meet at the 401 where the app lets them, and the refresh takes long enough for all to want one.
  const held = await tenant.fault({ match: { surface: 'api' }, effect: { hold: STAMPEDE }, times: STAMPEDE })
  const slow = await tenant.fault({ match: refreshRequests, effect: { delay: 300 } })
  const probing = Promise.all(probers.map((prober) => prober.probe()))
  await Promise.race([probing, context.wait(1_500)])
  await held.lift()
  const probes = await probing
  await slow.lift()
  const requests = await tenant.requestsSince(mark)
  const { api, rejected, refreshes } = requests
  mustCall(api)
  const failed = probes.filter((each) => !tenant.isOk(each))
  const refused = refreshes.filter(({ status }) => status !== 200)
  const seen = `${STAMPEDE - failed.length} of ${STAMPEDE} probes worked; ${summaryOf(requests)}`
  const evidence = { sent: failed[0] ?? probes[0], seen, entries: idsOf(refreshes) }
  if (refused.length > 0) {
    const count = counted(refused.length, 'refresh')
    return fail(`The token endpoint rejected ${count} of the stampede`, evidence)
  }
  mustHaveRefreshed(requests, evidence)
  if (failed.length > 0) return fail(`${failed.length} of ${STAMPEDE} probes failed`, evidence)
  if (refreshes.length > 1) {
    const followsFrom = (await causeOfRefreshes(context)) ?? alone
    return fail(`One expired token led to ${refreshes.length} refreshes`, { ...evidence, followsFrom })
  }
  if (rejected.length < 2) {
    const message = `Only ${rejected.length} of ${STAMPEDE} probes at once got a 401; let the app handle several requests at once, as in production`
    return { outcome: 'inconclusive', message, ...evidence }
  }
  return pass(`${STAMPEDE} probes at once, of which ${rejected.length} got a 401, shared 1 refresh`)
}
