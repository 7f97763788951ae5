import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { mustHaveRefreshed, REQUESTS_TO_ALL, summaryOf } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import { installAndProbe } from './installing.js'
import type { Tenant } from './tenant.js'

/** Time after `background` in which an idle app has nothing to do. */
const IDLE_MS = 2_000

/** Probes an organization that has never installed the app. @returns the response when the app serves it all the same. */
export const probeStranger = ({ platform, once }: AuditContext) =>
  once('service of a stranger', async () => (await platform.tenant()).findService())

/** @throws Consequence when the app serves the organization already: then no attack shows an effect. audit: rule 4b */
export async function mustBeStranger(tenant: Tenant): Promise<void> {
  const sent = await tenant.findService()
  if (sent) throw servesStrangers(sent)
}

export function servesStrangers(sent: GuardedExchange): Consequence {
  const message = 'the app serves organizations that have never installed it'
  return new Consequence('webhook.never-installed', message, { sent, seen: describeResponse(sent) })
}

/** Returns the requests that the app makes by itself for an organization, and its refreshes before that. */
export const observeIdleApp = (context: AuditContext) =>
  context.once('requests unasked', async () => {
    const tenant = await installAndProbe(context)
    const early = (await tenant.requestsSince(0)).refreshes
    const since = await context.platform.newestEntry()
    const time = context.file.background + IDLE_MS
    await context.wait(time)
    return { tenant, early, time, ...(await tenant.requestsSince(since)) }
  })

/** Returns the check that explains refreshes which no 401 made necessary; undefined when the app makes none with a fresh token. */
export async function causeOfRefreshes(context: AuditContext): Promise<string | undefined> {
  const { refreshes, early } = await observeIdleApp(context)
  if (refreshes.length > 0) return 'api.background'
  return early.length > 0 ? 'api.not-early' : undefined
}

/**
 * Probes after the tokens have been replaced, until no process of the app uses the old ones: each may learn of it by a 401.
 * @returns the last probes, when a process goes on; undefined otherwise.
 */
async function observeOldTokens({ platform, until }: AuditContext, tenant: Tenant) {
  const observe = async () => {
    const since = await platform.newestEntry()
    const [sent] = await Promise.all(Array.from({ length: REQUESTS_TO_ALL }, () => tenant.probe()))
    const requests = await tenant.requestsSince(since)
    return { sent, seen: summaryOf(requests), ...requests }
  }
  const isDecided = ({ rejected, refreshes }: { rejected: unknown[]; refreshes: unknown[] }) =>
    rejected.length === 0 || refreshes.length > 0
  const probes = await until(observe, isDecided)
  if (probes.rejected.length === 0) return undefined
  const hasRefreshed = probes.refreshes.length > 0 && probes.refreshes.every(({ status }) => status === 200)
  return { ...probes, isOk: false, isCopy: !isDecided(probes), hasRefreshed }
}

/**
 * Ends a check where a process of the app uses tokens that have been replaced: no event that is sent again shows anything.
 * @param cause check that finds it. @throws Consequence, or Inconclusive when the process gets on by refreshing.
 */
export async function mustUseNewestTokens(context: AuditContext, tenant: Tenant, cause = 'api.rotation-kept') {
  const probes = await observeOldTokens(context, tenant)
  if (!probes) return
  const message = 'a process of the app uses tokens that have been replaced'
  throw probes.hasRefreshed ? new Inconclusive(message, probes) : new Consequence(cause, message, probes)
}

/** Lets the access token of an organization expire twice. @returns the probe with the second one; those before it if they use a replaced token. */
export const observeSecondRefresh = (context: AuditContext) =>
  context.once('second refresh', async () => {
    const tenant = await installAndProbe(context)
    await tenant.mustRefresh()
    const old = await observeOldTokens(context, tenant)
    if (old && !old.hasRefreshed) return old
    const probe = await tenant.observeRefresh()
    mustHaveRefreshed(probe)
    return { ...probe, isCopy: false }
  })

/** Returns the check that explains why a refresh after another one fails; undefined when it works alone, or could not be observed. */
export const causeOfLostToken = async (context: AuditContext): Promise<string | undefined> =>
  (await observeSecondRefresh(context).catch(() => undefined))?.isOk === false ? 'api.rotation-kept' : undefined

export const LOST_REINSTALL = 'the app does not serve an organization that uninstalls it and installs it again'

/** Installs the app again after an uninstall that it has acknowledged. @returns the probe if it is not served; undefined if it is. */
export async function findLostReinstall(context: AuditContext) {
  const tenant = await installAndProbe(context)
  await tenant.uninstall()
  await context.waitForBackground()
  await tenant.install()
  const { value: sent, holds } = await tenant.awaitService()
  return holds ? undefined : { sent, seen: describeResponse(sent), late: true }
}
