import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { capitalized } from '../../reports/capitalized.js'
import { pluralize } from '../../reports/pluralize.js'
import { describeResponse, isClientError, isSuccess, matches, pageHint } from '../app/app-response.js'
import { Inconclusive } from '../app/failures.js'
import { servesStrangers } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { installWithoutWebhook, LIMIT_HINT, mustAcceptGenuine } from '../context/installing.js'
import type { Tenant } from '../context/tenant.js'
import { type CheckEntry, fail, pass, type Verdict } from './check.js'

/** Time in which a proxy forgets the requests before. */
const ALONE_MS = 1_000

interface Genuine {
  body: string
  signature: string
  sign: (body: string, secret: string) => string
  /** Registers a variant of the signature, with the options and filters of `openssl dgst` that make it. */
  inForm: (signature: string, form: string) => { signature: string }
}

/** Returns what a forged webhook changes: its body, its signature, or neither for one without a signature. */
type Forge = (genuine: Genuine) => { body?: string | Buffer; signature?: string }

interface Trial {
  tenant: Tenant
  what: string
  forge: Forge
  sent: GuardedExchange
}

/**
 * Sends each forgery for an organization of its own that the app does not know: it must reject it with a 4xx and do
 * nothing. Then the genuine webhook must be accepted, because a forgery must not mark the event as processed. Last, a
 * forged app.uninstalled must not end what was installed: an app may verify the events with credentials alone.
 */
export function rejects(forgeries: Record<string, Forge>): CheckEntry['run'] {
  return async (context: AuditContext) => {
    const trials = await Promise.all(
      Object.entries(forgeries).map(async ([how, forge]) => {
        const { tenant, body } = await installWithoutWebhook(context)
        const servedBefore = await tenant.findService()
        const sent = await postForged(context, body, forge)
        return { tenant, body, how, what: `a webhook ${how}`, forge, sent, servedBefore }
      }),
    )
    const service = trials.map(({ servedBefore }) => servedBefore).find(Boolean)
    if (service && !trials.some(({ sent }) => issueWith(sent))) throw servesStrangers(service)
    const begun = async ({ tenant }: Trial) => !service && Boolean(await tenant.findService())
    const limited = await findLimited(context, trials)
    const judged = trials.filter((trial) => !limited.includes(trial))
    const failure = await failureOf(context, judged, begun)
    if (failure) return { ...failure, ...doubtIn(failure), followsFrom: await causeOf(context, trials, failure) }
    const [{ what, sent } = {}] = limited
    if (what)
      throw new Inconclusive(`${what} got a 503, and a rejection when it was sent alone; ${LIMIT_HINT}`, { sent })
    const when =
      'after the genuine webhook; it was requested before the install as well, so a cache may have kept that response'
    await Promise.all(trials.map(({ tenant, body }) => mustAcceptGenuine(context, tenant, body, when)))

    const endings = await Promise.all(
      trials.map(async ({ tenant, how, forge }) => {
        const body = JSON.stringify(tenant.envelope({ type: 'app.uninstalled' }))
        const sent = await postForged(context, body, forge)
        return { tenant, what: `an app.uninstalled ${how}`, forge, sent }
      }),
    )
    const lasting = await failureOf(context, endings, ({ tenant }) => hasEnded(context, tenant))
    if (lasting) return { ...lasting, ...doubtIn(lasting) }
    await Promise.all(trials.map(({ tenant }) => tenant.uninstall()))
    const list = Object.keys(forgeries).join('; ')
    const count = pluralize(trials.length, 'app.installed', 'app.installed')
    return pass(`Rejected ${count} and as many app.uninstalled (${list}), and accepted the genuine one after each`)
  }
}

/** A proxy that limits the rate responds with 503: the check is repeated alone. */
const doubtIn = ({ sent }: Verdict) => (sent?.status === 503 ? { late: true } : {})

/** Returns the forgeries that got a 503 and are rejected when they are sent alone: a proxy may limit the rate. */
async function findLimited(context: AuditContext, trials: Trial[]): Promise<Trial[]> {
  const limited: Trial[] = []
  for (const trial of trials.filter(({ sent }) => sent.status === 503)) {
    await context.wait(ALONE_MS)
    const alone = await postForged(context, JSON.stringify(trial.tenant.envelope()), trial.forge)
    if (isClientError(alone)) limited.push(trial)
  }
  return limited
}

function postForged({ attacker, secrets }: AuditContext, body: string, forge: Forge): Promise<GuardedExchange> {
  const { sign } = attacker
  const inForm = (signature: string, form: string) => {
    secrets.addSignature(signature, { body, form })
    return { signature }
  }
  return attacker.post({ body, ...forge({ body, signature: sign(body), sign, inForm }) })
}

async function failureOf(context: AuditContext, trials: Trial[], hasEffect: (trial: Trial) => Promise<boolean>) {
  await context.waitForBackground()
  const found: { issue: string; sent: GuardedExchange }[] = []
  // An effect counts if it is repeated alone: an app may lose organizations to simultaneous writes of other checks.
  let late: true | undefined
  for (const trial of trials) {
    const { what, sent } = trial
    let issue = issueWith(sent)
    if (!issue && (await hasEffect(trial))) {
      issue = `got status ${sent.status}, but took effect anyway`
      late = true
    }
    if (issue) found.push({ issue: `${what} ${issue}`, sent })
  }
  const [failure] = found
  const seen = found.length > 1 ? found.map(({ issue }) => issue).join('; ') : undefined
  return failure && fail(capitalized(`${pageHint(failure.sent)}${failure.issue}`), { sent: failure.sent, seen, late })
}

/** Returns the check that explains responses such as a 5xx to forgeries without an effect: the app rejects genuine webhooks, too. */
async function causeOf(context: AuditContext, trials: Trial[], { late }: Verdict): Promise<string | undefined> {
  if (late || trials.some(({ sent }) => isSuccess(sent))) return undefined
  const { body } = await installWithoutWebhook(context)
  return isSuccess(await context.attacker.postSigned(body)) ? undefined : 'webhook.accepts'
}

/** Returns true if the app no longer serves an organization. @throws Inconclusive when it fails otherwise. */
async function hasEnded({ file: { probe } }: AuditContext, tenant: Tenant): Promise<boolean> {
  if (!probe) return false
  const { value: sent, holds } = await tenant.awaitService()
  if (holds || !probe.not_installed || matches(sent, probe.not_installed)) return !holds
  throw new Inconclusive(`the probe does not work after an install: ${describeResponse(sent)}`, { sent })
}

/** Describes what is wrong with the response to a forgery; undefined for a 4xx. */
function issueWith(sent: GuardedExchange): string | undefined {
  if (isSuccess(sent)) return `was accepted (${describeResponse(sent)})`
  if (sent.status === null) return `got no response (${sent.error})`
  if (sent.status >= 500) return `made the app fail (${describeResponse(sent)})`
  return sent.status >= 400 ? undefined : `got ${describeResponse(sent)} instead of a 4xx`
}
