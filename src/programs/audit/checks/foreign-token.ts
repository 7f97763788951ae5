import { idsOf } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import type { AuditContext } from '../context/context.js'
import type { Tenant } from '../context/tenant.js'
import { fail, type Verdict } from './check.js'

const PROBES = 3
/** Real milliseconds without a probe, in which an app that polls for others would call `/v0` too. */
const CALM = 300

/**
 * Fails an app whose probes of an organization call `/v0` with the token of one that had the app before the audit, such as
 * the first of all. Each probe must do so, and no call come without one.
 */
export async function useOfForeignToken(
  { platform, app, wait }: AuditContext,
  tenant: Tenant,
): Promise<Verdict | undefined> {
  // Without `run`, the calls of organizations that the audit has not made.
  const foreignSince = (since: number) => platform.admin.listRequests({ surface: 'api', app: app.id, since })
  for (let probe = 1; ; probe++) {
    const calm = await platform.newestEntry()
    await wait(CALM)
    if ((await foreignSince(calm)).length > 0) return undefined
    const since = await platform.newestEntry()
    const sent = await tenant.probe()
    const [foreign, { api: own }] = await Promise.all([foreignSince(since), tenant.requestsSince(since)])
    if (foreign.length === 0 || own.length > 0) return undefined
    if (probe < PROBES) continue
    const message = `The probe of one organization made the app use the token of ${foreign[0]?.organization}`
    return fail(message, { sent, seen: describeResponse(sent), entries: idsOf(foreign) })
  }
}
