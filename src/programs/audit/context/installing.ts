import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { REQUESTS_TO_ALL, refreshRequests } from '../app/app-requests.js'
import { describeResponse, isClientError, isSuccess, pageHint } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import { mustBeAcknowledged, type Tenant } from './tenant.js'

/** Installs the app in a new organization. @throws Inconclusive when the app does not acknowledge it. */
export async function install({ platform }: AuditContext): Promise<Tenant> {
  const tenant = await platform.tenant()
  mustBeAcknowledged(await tenant.install(), 'app.installed')
  return tenant
}

/**
 * Installs the app in a new organization, and waits until it is at rest: what it requests by itself after an install, such
 * as everything that it copies, is no response to what a check does next.
 * @throws Inconclusive when the app does not serve it.
 */
export async function installAndProbe(context: AuditContext): Promise<Tenant> {
  const tenant = await install(context)
  await tenant.mustServe('after an install')
  if (await worksAfterInstall(context)) await context.waitForBackground()
  return tenant
}

/** Returns true when the app requests anything by itself once it has acknowledged an install. */
const worksAfterInstall = (context: AuditContext): Promise<boolean> =>
  context.once('works after an install', async () => {
    const tenant = await install(context)
    const since = await context.platform.newestEntry()
    await context.waitForBackground()
    return (await tenant.requestsSince(since)).entries.length > 0
  })

const REFRESH_MS = 3_000
/** Time for it to acknowledge a change, unless it waits for the refresh first. */
const ACKNOWLEDGE_MS = 1_000

/**
 * Upgrades or uninstalls for an organization, and for another one while a refresh is under way: the platform has rotated
 * the tokens, and its response comes after the app has acknowledged the change.
 * @returns both organizations; `isOverlapping` is false when the app did not refresh.
 */
export async function changeDuringRefresh(context: AuditContext, change: (tenant: Tenant) => Promise<unknown>) {
  const { until, wait } = context
  const [tenant, refreshing] = await Promise.all([installAndProbe(context), installAndProbe(context)])
  await refreshing.expireTokens()
  const held = await refreshing.fault({ match: refreshRequests, phase: 'after', effect: { hold: 2 }, times: 1 })
  const probing = refreshing.probe()
  const hits = await until(held.hits, (count) => count > 0, REFRESH_MS)
  const changing = change(refreshing)
  await Promise.race([Promise.allSettled([changing]), wait(ACKNOWLEDGE_MS)])
  await held.lift()
  await Promise.all([probing, changing, change(tenant)])
  return { tenant, refreshing, isOverlapping: hits > 0 }
}

/**
 * Probes organizations until the app serves them all, or no more of them within `background`: a queue may work off one
 * install after another. The first time, the probes of a slow app may have taken that long.
 * @param before number of those that were not served the time before. @returns those without service, with the last response.
 */
export async function findUnserved(
  tenants: Tenant[],
  before = Number.POSITIVE_INFINITY,
): Promise<{ tenant: Tenant; value: GuardedExchange }[]> {
  const services = await Promise.all(tenants.map(async (tenant) => ({ tenant, ...(await tenant.awaitService()) })))
  const unserved = services.filter(({ holds }) => !holds)
  if (unserved.length === 0 || unserved.length >= before) return unserved
  return findUnserved(
    unserved.map(({ tenant }) => tenant),
    unserved.length,
  )
}

/** Installs the app without telling it. @returns also the webhook that would tell it. */
export async function installWithoutWebhook({ platform }: AuditContext) {
  const tenant = await platform.tenant()
  await tenant.install({ announce: false })
  const envelope = tenant.envelope()
  return { tenant, envelope, body: JSON.stringify(envelope) }
}

/** Sends the genuine webhook. @throws Inconclusive when the app does not accept it, or it has no effect. */
export async function mustAcceptGenuine(
  { attacker, file }: AuditContext,
  tenant: Tenant,
  body: string,
  when = 'after the genuine webhook',
) {
  const sent = await attacker.postSigned(body)
  if (!isSuccess(sent)) {
    throw new Inconclusive(`the app did not accept the genuine webhook: ${describeResponse(sent)}`, { sent })
  }
  if (file.probe) await tenant.mustServe(when)
}

/** Organizations of the control; an app that responds at random is right about all of them once in some thousand runs. */
const ROUNDS = 6

/**
 * Sends genuine webhooks of several organizations at once, each after forged ones. If some are refused, sends one of them
 * again, one at a time: a machine that was busy accepts it then.
 */
const sendGenuineAndForged = ({ attacker, platform, once }: AuditContext) =>
  once('tells genuine webhooks from forged ones', async () => {
    const tenants = await platform.tenants(ROUNDS)
    const rounds = await Promise.all(
      tenants.map(async (tenant) => {
        await tenant.install({ announce: false })
        const body = JSON.stringify(tenant.envelope())
        const forged = [
          await attacker.post({ body }),
          await attacker.post({ body, signature: attacker.sign(body, 'the secret of somebody else') }),
          await attacker.post({ body, signature: attacker.sign(`${body} `) }),
        ]
        return { body, forged: forged.map(isRejected), genuine: await attacker.postSigned(body) }
      }),
    )
    const rejectsKind = (kind: number) => rounds.every(({ forged }) => forged[kind])
    const genuine = rounds.map((round) => round.genuine)
    const refused = rounds.find((round) => !isSuccess(round.genuine))
    if (refused && genuine.some(isSuccess)) {
      for (let count = 0; count < REQUESTS_TO_ALL; count++) genuine.push(await attacker.postSigned(refused.body))
    }
    return { genuine, again: genuine.slice(ROUNDS), rejectsForged: [0, 1, 2].some(rejectsKind) }
  })

/** @throws Consequence when the app accepts some genuine webhooks and refuses others, Inconclusive when a proxy may do so. */
export async function mustAcceptAlike(context: AuditContext): Promise<void> {
  const { genuine, again } = await sendGenuineAndForged(context)
  const refused = genuine.filter((each) => !isSuccess(each))
  const sent = again.find((each) => each.status !== null && !isSuccess(each))
  if (!sent) return
  const message = `${refused.length} of ${genuine.length} genuine webhooks were not accepted: ${describeResponse(sent)}`
  if (sent.status === 503) throw new Inconclusive(`${message}; ${LIMIT_HINT}`, { sent })
  const alike = isClientError(sent) ? 'have the same signing secret' : 'run'
  throw new Consequence('webhook.accepts', `${message}; check that all instances of the app ${alike}`, { sent })
}

/** Names a likely cause of a 503 to some requests alone. */
export const LIMIT_HINT =
  "if a proxy limits the rate, as nginx's limit_req does with a 503, lift the limit for the audit"

/**
 * Control for checks that expect a 2xx: an app that also accepts forged webhooks, or rejects genuine ones, proves nothing.
 * @throws Inconclusive when the app does not tell genuine webhooks from forged ones, of at least one kind, each time, or as `mustAcceptAlike`.
 */
export async function mustTellApart(context: AuditContext): Promise<void> {
  await mustAcceptAlike(context)
  const { genuine, rejectsForged } = await sendGenuineAndForged(context)
  if (rejectsForged && genuine.every(isSuccess)) return
  const hint = genuine.map(pageHint).find(Boolean) ?? ''
  throw new Inconclusive(
    `${hint}the app does not accept every genuine webhook with a 2xx and reject forged ones, so accepting one proves nothing`,
  )
}

/** A 5xx too: other checks say that it should be none. */
const isRejected = ({ status }: GuardedExchange) => status !== null && status >= 400
