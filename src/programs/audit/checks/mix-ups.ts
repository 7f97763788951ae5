import type { WireExchange } from '../../../control/client/wire.js'
import { idsOf } from '../context/app-requests.js'
import { describeResponse } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import type { Tenant } from '../context/tenant.js'
import { counted, fail, type Verdict } from './check.js'

/** Probes an organization, with the others installed: the app must not take it for one of them. @param isKnown served before. */
export async function mixUpOf(context: AuditContext, tenant: Tenant, all: Tenant[], isKnown: boolean) {
  const mark = await context.platform.mark()
  const { value: sent, holds } = await tenant.awaitService()
  const shown = courseOfAnother(context, tenant, sent)
  if (shown || holds) return shown
  const { api: own } = await tenant.requestsSince(mark)
  const others = all.filter((each) => each !== tenant)
  const foreign = (await Promise.all(others.map((each) => each.requestsSince(mark)))).flatMap(({ api }) => api)
  const used = `${counted(own.length, '/v0 request')} with its token, ${foreign.length} with those of others`
  const evidence = { sent, seen: `${describeResponse(sent)}; ${used}`, entries: idsOf(foreign) }
  if (own.length === 0 && foreign.length > 0) {
    return fail("The probe of one organization made the app use another's token", evidence)
  }
  if (isKnown && sent.status !== null) {
    return fail('The app no longer serves an organization once others have installed it', evidence)
  }
  await tenant.mustServe('after an install')
}

export function courseOfAnother({ platform }: AuditContext, tenant: Tenant, sent: WireExchange): Verdict | undefined {
  const other = platform.made.find((each) => each !== tenant && sent.response.body.includes(each.marker))
  const seen = `"${other?.marker}" in the response`
  return other && fail('The probe of one organization showed a course of another', { sent, seen })
}
