import type { WireExchange } from '../../../control/client/wire.js'
import { describeResponse } from './app-response.js'
import type { AuditContext } from './context.js'
import { Consequence } from './failures.js'
import { installAndProbe } from './installing.js'
import type { Tenant } from './tenant.js'

/** Real milliseconds after `background` in which an idle app has nothing to do. */
const QUIET = 2_000

/** Probes an organization that has never installed the app. @returns the response when the app serves it all the same. */
export const serviceOfStranger = ({ platform, once }: Pick<AuditContext, 'platform' | 'once'>) =>
  once('service of a stranger', async () => (await platform.tenant()).findService())

/** @throws Consequence when the app serves the organization already: then no attack shows an effect. audit: rule 4b */
export async function mustBeStranger(tenant: Tenant): Promise<void> {
  const sent = await tenant.findService()
  if (sent) throw servesStrangers(sent)
}

export const servesStrangers = (sent: WireExchange): Consequence =>
  new Consequence('webhook.never-installed', 'the app serves organizations that have never installed it', {
    sent,
    seen: describeResponse(sent),
  })

/** Returns what the app requests for an organization that is served, without requests to the app. */
export const requestsUnasked = (
  context: Pick<AuditContext, 'platform' | 'file' | 'wait' | 'waitForBackground' | 'once'>,
) =>
  context.once('requests unasked', async () => {
    const tenant = await installAndProbe(context)
    const mark = await context.platform.mark()
    const time = context.file.background + QUIET
    await context.wait(time)
    return { tenant, time, ...(await tenant.requestsSince(mark)) }
  })

/** Returns the check that explains refreshes which nothing made necessary; undefined when the app makes none by itself. */
export async function causeOfRefreshes(context: Parameters<typeof requestsUnasked>[0]): Promise<string | undefined> {
  const { refreshes } = await requestsUnasked(context)
  return refreshes.length > 0 ? 'api.background' : undefined
}
