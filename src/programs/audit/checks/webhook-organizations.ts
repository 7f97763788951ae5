import { shortDuration } from '../../../foundation/schema/duration.js'
import { capitalized } from '../../reports/capitalized.js'
import { pluralize } from '../../reports/pluralize.js'
import { refreshRequests } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import { causeOfLostToken, findLostReinstall, LOST_REINSTALL, probeStranger } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { install, installAndProbe } from '../context/installing.js'
import { serviceAfterRestart } from '../context/restart.js'
import { attemptOf, type Tenant } from '../context/tenant.js'
import { defineChecks, fail, failOfRefreshes, pass, probeNeeds } from './check.js'
import { queues, timeouts } from './library-words.js'

/** Probes that hang at once, for each of two organizations. */
const HANGING_PROBES = 2
/** Probes of the other organization; the fastest counts, as a busy machine may slow any of them down. */
const MEASURED_PROBES = 3
/** A probe may be slower than twice its time by this: less than any timeout of an app. */
const ALLOWANCE_MS = 1_000
const REACH_MS = 5_000

/** Spellings in a URL that decode to another slug than that of an organization. */
const spellings: Record<string, (slug: string) => string> = {
  'without its last character': (slug) => slug.slice(0, -1),
  'in upper case': (slug) => slug.toUpperCase(),
  'with a letter before it': (slug) => `x${slug}`,
  'encoded twice': (slug) => `%25${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`,
  'with a space after it': (slug) => `${slug}%20`,
  'with a space before it': (slug) => `%20${slug}`,
  'with a NUL after it': (slug) => `${slug}%00`,
}

export const webhookOrganizations = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'webhook.late-uninstall': {
    // An uninstall ends an installation, whichever tokens the app uses.
    explainedBy: [],
    title: 'keeps a new installation when the uninstall of the former one arrives late',
    severity: 'high',
    source: 'spec: §3, §6.3',
    expected:
      'Serves an organization that installs it again. Returns a 2xx to the late event, and serves the organization as before: its `installation_id` decides.',
    fix: 'On app.uninstalled, delete the installation whose id is `installation_id`, and nothing when another one has replaced it. The next app.installed of the organization begins a new one.',
    async run(context) {
      const { platform, waitForBackground } = context
      const lost = await findLostReinstall(context)
      if (lost) return fail(capitalized(LOST_REINSTALL), lost)
      const tenant = await installAndProbe(context)
      await tenant.fault({ match: { surface: 'webhook', event: 'app.uninstalled' }, effect: 'drop', times: 1 })
      const delivery = await tenant.uninstall({ mustAcknowledge: false })
      if (!delivery) throw new Inconclusive('no app.uninstalled was sent')
      await tenant.install()
      await tenant.mustServe('after a reinstall')
      const late = attemptOf(await platform.admin.redeliver(delivery.id))
      await waitForBackground()
      const probe = await tenant.observeProbe()
      if (probe.sent.status === null) {
        throw new Inconclusive(`no response to the probe after the late app.uninstalled: ${probe.sent.error}`, probe)
      }
      if (!probe.isOk) {
        const what = tenant.isNotInstalled(probe.sent) ? 'ended the new one' : 'stopped its service'
        // Repeated alone: an app may lose the installation to simultaneous writes of other checks.
        return fail(`The late app.uninstalled of the former installation ${what}`, { ...probe, late: true })
      }
      if (late?.error !== null) {
        return fail(`The app did not acknowledge the late app.uninstalled: ${late?.error}`, { late: true })
      }
      return pass('An app.uninstalled of the former installation, 1 time after a reinstall, ended nothing')
    },
  },
  'webhook.never-installed': {
    explainedBy: [],
    title: 'serves no organization that has not installed it',
    severity: 'critical',
    source: 'spec: §3, §5.2.2, §5.2.6; OWASP API1:2023',
    expected: 'Responds as declared in `not_installed`, and sends no request with the token of any organization.',
    fix: 'Look the organization up by its exact slug, decoded once, and refuse it when there is no installation. Never fall back to another one.',
    Node: 'Express has decoded request.params: no decodeURIComponent or trim after it',
    Python: 'Flask and Django have decoded the path: no unquote() or strip() after it',
    Go: 'r.PathValue (Go 1.22) is decoded: no url.PathUnescape or strings.EqualFold after it',
    Ruby: 'Rails has decoded params: no CGI.unescape or strip after it',
    PHP: 'frameworks have decoded the path: no urldecode() after it; MySQL: a utf8mb4_0900_bin column, as other collations ignore case or a space at the end',
    async run(context) {
      const stranger = await context.platform.tenant()
      const unknown = await judgeStranger(context, 'An organization that never installed the app', stranger)
      // An app that serves everybody may do so without a request to /v0, which would prove nothing of an installation.
      if (unknown.outcome === 'fail' && (await probeStranger(context))) return unknown
      const verdicts = [unknown]
      const tenant = await installAndProbe(context)
      for (const [how, spell] of Object.entries(spellings)) {
        const what = `The slug of another organization ${how}`
        verdicts.push(await judgeStranger(context, what, stranger, { tenant, spelling: spell(tenant.slug) }))
      }
      await tenant.mustServe('after the probes of others')
      const failure = verdicts.find(({ outcome }) => outcome === 'fail')
      return failure ?? pass(`${verdicts.length} organizations that never installed the app were not served`)
    },
  },
  'webhook.queue-kept': {
    title: 'keeps what it has acknowledged when it is restarted',
    severity: 'medium',
    needs: [...probeNeeds, 'restart'],
    source: 'spec: §6.2, §6.3',
    expected: 'Serves an organization whose app.installed it acknowledged just before it was restarted.',
    fix: 'Store the event before you acknowledge it, and process the stored events after a start. The platform does not send an acknowledged event again. A queue repeats an interrupted job only when its lock or visibility timeout is over, often 30 s: set a shorter one, or a longer `background`.',
    ...queues,
    order: 'alone',
    async run(context) {
      const before = await installAndProbe(context)
      const tenant = await install(context)
      const kept = await serviceAfterRestart(context, before)
      const lost = 'after a restart, the app does not serve an organization that it served before'
      if (!kept.holds) throw new Consequence('api.restart', lost, { sent: kept.value })
      const { value: sent, holds } = await tenant.awaitService()
      if (holds) return pass('1 app.installed that was acknowledged just before a restart had its effect after it')
      // An app that is killed during a refresh loses its tokens too.
      const time = `within ${shortDuration(context.file.background)} ("background")`
      const message = `An app.installed that was acknowledged just before a restart had no effect ${time} after it: the probe returns`
      return failOfRefreshes(context, `${message} ${describeResponse(sent)}`, { sent, late: true })
    },
  },
  'webhook.isolation': {
    title: 'serves an organization while the requests of others hang',
    severity: 'medium',
    source: 'spec: §5.2.6; RFC 9110 §15.6',
    expected: 'Responds for one organization in about its usual time, while /v0 and a refresh hang for others.',
    fix: 'Let several requests run at once, lock and queue by organization, never for all, and set a timeout on every request, so that a slow one holds up nothing else.',
    ...timeouts,
    PHP: `${timeouts.PHP}; php -S handles one request at a time, unless PHP_CLI_SERVER_WORKERS is set`,
    order: 'alone',
    async run(context) {
      const installed = () => installAndProbe(context)
      const [other, api, refresh] = await Promise.all([installed(), installed(), installed()])
      await other.mustRefresh()
      const undisturbed = await probesWithRefresh(other)
      const failed = undisturbed.find(({ sent }) => !other.isOk(sent))
      if (failed) {
        const cause = (await causeOfLostToken(context)) ?? 'api.stampede'
        throw new Consequence(cause, 'probes at once that need a refresh fail, also while nothing hangs', failed)
      }
      const usual = Math.max(...undisturbed.map(({ took }) => took))
      const effect = { connection: 'hang' } as const
      const hanging = [
        await api.fault({ match: { surface: 'api' }, effect }),
        await refresh.fault({ match: refreshRequests, effect }),
      ]
      await refresh.expireTokens()
      const probes = [api, refresh].flatMap((tenant) => Array.from({ length: HANGING_PROBES }, () => tenant.probe()))
      const countHits = () => Promise.all(hanging.map((fault) => fault.hits()))
      const hits = await context.until(countHits, (counts) => counts.every((count) => count > 0), REACH_MS)
      const probing = probesWithRefresh(other)
      const limit = 2 * usual + ALLOWANCE_MS
      // An app without a timeout would hang for as long as the probes wait.
      await Promise.race([Promise.allSettled([probing]), context.wait(limit + ALLOWANCE_MS)])
      await Promise.all(hanging.map((fault) => fault.lift()))
      const [meanwhile] = await Promise.all([probing, ...probes])
      const [apiHits = 0, refreshHits = 0] = hits
      const inTime = `within ${REACH_MS / 1000} s`
      const { sent, took } = meanwhile.reduce((fastest, each) => (each.took < fastest.took ? each : fastest))
      const seen = `${Math.round(took)} ms while ${pluralize(apiHits, '/v0 request')} and ${pluralize(refreshHits, 'refresh')} of other organizations hung; usually ${Math.round(usual)} ms`
      const evidence = { sent, seen }
      // A lock of all requests holds up the other one's too, which never reach the platform then.
      if (apiHits + refreshHits > 0 && took > limit) {
        return fail('Requests that hang for one organization hold up another one', { ...evidence, late: true })
      }
      if (apiHits === 0) throw new Inconclusive(`no probe made the app call /v0 ${inTime}`, evidence)
      if (!other.isOk(sent)) {
        return fail('The app does not serve one organization while requests of others hang', evidence)
      }
      if (refreshHits === 0) throw new Inconclusive(`no probe made the app refresh ${inTime}`, evidence)
      return pass(`Responded after ${seen}`)
    },
  },
})

/**
 * Probes at once with an expired token, and a refresh long enough for all to need it: a lock of all refreshes is met too.
 * @returns the responses, each with the milliseconds of all its requests, also of the one that checks the sign-in.
 */
async function probesWithRefresh(tenant: Tenant) {
  await tenant.expireTokens()
  const slow = await tenant.fault({ match: refreshRequests, effect: { delay: 300 } })
  const measure = async () => {
    const begun = performance.now()
    const sent = await tenant.probe()
    return { sent, took: performance.now() - begun }
  }
  return Promise.all(Array.from({ length: MEASURED_PROBES }, measure)).finally(slow.lift)
}

/** The organization that a probe may reach by mistake, and a slug that resembles its own. */
type Lookalike = { tenant: Tenant; spelling?: string }

/** Probes an organization that has not installed the app. @param lookalike whose resembling slug is in the URL. */
async function judgeStranger(context: AuditContext, what: string, stranger: Tenant, lookalike?: Lookalike) {
  const { tenant, spelling }: Lookalike = lookalike ?? { tenant: stranger }
  const since = await context.platform.newestEntry()
  const sent = await tenant.probe(spelling)
  const { api, refreshes, entries } = await tenant.requestsSince(since)
  const evidence = { sent, entries, seen: describeResponse(sent) }
  const shown = context.platform.made.find(({ marker }) => sent.response.body.includes(marker))
  if (shown && shown !== stranger) return fail(`${what} is shown a course of ${shown.slug}`, evidence)
  const misused = `${what} makes the app use the token of ${tenant.slug}`
  if (api.length > 0) return fail(misused, evidence)
  if (refreshes.length > 0) return failOfRefreshes(context, misused, evidence)
  if (tenant.isOk(sent)) return fail(`${what} is served`, evidence)
  if (spelling === undefined && !tenant.isNotInstalled(sent)) {
    return fail(`The response of the probe does not match not_installed: ${evidence.seen}`, evidence)
  }
  return pass(what)
}
