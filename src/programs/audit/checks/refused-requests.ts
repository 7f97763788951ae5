import { pluralize } from '../../reports/pluralize.js'
import { idsOf, mostAttempts, mustCall, noCall } from '../app/app-requests.js'
import { describeResponse, isBroken } from '../app/app-response.js'
import { probeStranger, servesStrangers } from '../context/causes.js'
import { changeDuringRefresh, install, installAndProbe } from '../context/installing.js'
import { attemptOf } from '../context/tenant.js'
import { defineChecks, fail, failOfRefreshes, pass, probeNeeds } from './check.js'
import { timeouts } from './library-words.js'
import { surviveOutages } from './outage.js'

const RETRY_AFTER_MS = 2_000
/** The clocks of app and journal may differ by this. */
const TOLERANCE_MS = 50
/** A client that counts from when it received the 429 has retried by then. */
const MARGIN_MS = 500
const REACH_MS = 5_000
/** Time for the app to read a response; earlier requests may have been under way. */
const READ_MS = 300
const EARLY_PROBES = 2
/** Further probes come this long before its end, when an app that waits for less has begun again, also a slow one. */
const LATE_PROBES_MS = [750, 250]

export const refusedRequests = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'api.after-uninstall': {
    title: 'purges an organization that has uninstalled it',
    severity: 'high',
    source: 'spec: §3, §6',
    expected: 'Deletes the installation, stops serving the organization, and sends no request with its tokens.',
    fix: 'On app.uninstalled, delete the credentials and stop the background jobs of that organization. After a refresh, update the stored tokens only if they are still those that you refreshed.',
    async run(context) {
      const { app, platform, waitForBackground } = context
      const uninstalled = await (await install(context)).uninstall({ mustAcknowledge: false })
      if (uninstalled && uninstalled.state !== 'acknowledged') {
        const message = `The app did not acknowledge app.uninstalled: ${attemptOf(uninstalled)?.error}`
        return fail(message, { seen: `sent to ${app.webhook}`, late: true })
      }
      const { tenant, refreshing, isOverlapping } = await changeDuringRefresh(context, (each) => each.uninstall())
      const since = await platform.newestEntry()
      await waitForBackground()
      const sent = await tenant.probe()
      await tenant.probe()
      const { api, refreshes, entries } = await tenant.requestsSince(since)
      const response = describeResponse(sent)
      const evidence = { sent, seen: response, entries, late: true }
      if (api.length > 0) {
        return fail(`The app called /v0 with a revoked token (${pluralize(api.length, 'request')})`, evidence)
      }
      if (refreshes.length > 0) {
        return fail(`The app refreshed with a revoked token (${pluralize(refreshes.length, 'request')})`, evidence)
      }
      if (tenant.isOk(sent)) {
        const stranger = await probeStranger(context)
        if (stranger) throw servesStrangers(stranger)
        return fail('The app still serves the organization', evidence)
      }
      if (!tenant.isNotInstalled(sent)) {
        return fail(`The response of the probe does not match not_installed: ${response}`, evidence)
      }
      const raced = { ...(await refreshing.observeProbe()), late: true }
      const count = pluralize(raced.entries.length, 'request')
      const revived = raced.isOk ? 'serves the organization again' : `sent ${count} with revoked tokens`
      if (isOverlapping && (raced.isOk || raced.entries.length > 0)) {
        return fail(`After an uninstall that came during a refresh, the app ${revived}`, raced)
      }
      const alike = isOverlapping ? '; the same after an uninstall during a refresh' : ''
      return pass(`Purged: 2 probes return ${response}, and the app sends nothing to the platform${alike}`)
    },
  },
  'api.after-upgrade': {
    title: 'switches to the new tokens of an upgrade at once',
    severity: 'high',
    source: 'spec: §3, §9.2',
    expected: 'The next request carries the new token, and the old one is never sent again.',
    fix: 'Replace the stored credentials on every app.installed, including any cached copies. After a refresh, update the stored tokens only if they are still those that you refreshed.',
    async run(context) {
      const { tenant, refreshing, isOverlapping } = await changeDuringRefresh(context, (each) => each.upgrade())
      // An app that works its queue later may still have the old token until then.
      await context.waitForBackground()
      const probe = { ...(await tenant.observeProbe()), late: true }
      const { rejected, refreshes, isOk } = probe
      if (rejected.length > 0) {
        return fail(`The app used a token of the old version (${pluralize(rejected.length, 'request')})`, probe)
      }
      const early = 'The app refreshed the new token before it got a 401'
      if (refreshes.length > 0) return failOfRefreshes(context, early, probe)
      const response = describeResponse(probe.sent)
      if (!isOk) return fail(`The app does not serve the organization after the upgrade: ${response}`, probe)
      mustCall(probe.api)
      const raced = { ...(await refreshing.observeProbe()), late: true }
      if (isOverlapping && (raced.rejected.length > 0 || !raced.isOk)) {
        // An app that works on without a refresh has stored the new tokens, and a process of it has a copy of the old ones.
        const isCopy = raced.isOk && raced.refreshes.length === 0
        if (isCopy) return fail('A process of the app still uses a token of the old version', raced)
        return fail('The response of a refresh replaced the tokens of an upgrade that came meanwhile', raced)
      }
      const both = `${pluralize(probe.api.length, 'request')} with the new token, none with the old one`
      return pass(isOverlapping ? `${both}; the same after an upgrade during a refresh` : both)
    },
  },
  'api.insufficient-scope': {
    title: 'treats a 403 as final',
    severity: 'medium',
    source: 'spec: §5.2.4',
    expected:
      'No refresh, no retry loop, the app itself does not return a 5xx, and the tokens are kept for other endpoints.',
    fix: 'Handle 403 separately from 401, and keep the tokens. Only a new version with more permissions brings the scope.',
    Node: 'fetch: look at response.status; axios: catch error.response.status',
    Python: 'look at response.status_code before raise_for_status()',
    Go: 'look at resp.StatusCode: client.Do returns no error for a 403',
    Ruby: 'Faraday, raise_error: rescue Faraday::ForbiddenError',
    PHP: "Guzzle: catch ClientException, or 'http_errors' => false",
    async run(context) {
      const tenant = await installAndProbe(context)
      const usual = await tenant.observeProbe()
      const probe = await tenant.observeProbeUnder({ match: { surface: 'api' }, effect: 'insufficient_scope' })
      const { calls, refreshes } = probe
      const attempts = mostAttempts(probe.api, usual.api)
      const response = describeResponse(probe.sent)
      if (calls === 0) throw noCall(probe)
      const vain = 'The app refreshed after a 403, which cannot add a scope'
      if (refreshes.length > 0) return failOfRefreshes(context, vain, probe)
      if (attempts > 3) return fail(`One probe sent the same request ${attempts} times, although it got a 403`, probe)
      if (isBroken(probe.sent)) return fail(`After a 403 from the platform, the app itself failed: ${response}`, probe)
      const { value: after, holds } = await tenant.awaitService()
      if (!holds) {
        const seen = `${response} at the 403, and ${describeResponse(after)} once the platform accepts the token again`
        const evidence = { ...probe, sent: after, seen, late: true }
        return fail('After a 403, the app no longer serves the organization', evidence)
      }
      const count = `${pluralize(calls, 'request')} with a 403`
      return pass(`${count}, no refresh, and the app returned ${response}; then it worked on`)
    },
  },
  'api.rate-limited': {
    acceptsLimit: true,
    title: 'respects Retry-After',
    severity: 'high',
    source: 'wire: §2 "rate limit"; RFC 6585 §4',
    expected:
      'Sends nothing for that organization until the time in Retry-After has passed, for any of its users; then continues, or reports a clear error (4xx or 503).',
    fix: 'On a 429, store the end of the time in Retry-After for the organization, and compare it before each request. Wait, or return 429 or 503. Libraries that wait by themselves do so for one request alone.',
    Node: 'got and ky wait by themselves',
    Python: 'urllib3: Retry(status_forcelist=[429]) waits by itself; requests and httpx do not',
    Go: 'hashicorp/go-retryablehttp waits by itself',
    Ruby: 'faraday-retry: retry_statuses: [429] waits by itself',
    PHP: 'caseyamcl/guzzle_retry_middleware waits by itself; Laravel: Http::retry does not',
    async run(context) {
      const { platform, wait, until } = context
      const tenant = await installAndProbe(context)
      const since = await platform.newestEntry()
      const effect = { status: 429, headers: { 'retry-after': String(RETRY_AFTER_MS / 1000) } }
      await tenant.fault({ match: { surface: 'api' }, effect, times: 1 })
      const probing = tenant.probe()
      const findLimited = async () => (await tenant.requestsSince(since)).api.find(({ status }) => status === 429)
      const limited = await until(findLimited, (entry) => entry !== undefined, REACH_MS)
      if (!limited) throw noCall({ sent: await probing })
      // The app has had the time to read the 429 when its next users come.
      await wait(READ_MS)
      const limitedAt = Date.parse(limited.at)
      const probeBeforeEnd = async (ms: number) => {
        await wait(Math.max(0, limitedAt + RETRY_AFTER_MS - ms - Date.now()))
        return tenant.probe()
      }
      const sent = await Promise.all([
        probing,
        ...Array.from({ length: EARLY_PROBES }, () => tenant.probe()),
        ...LATE_PROBES_MS.map(probeBeforeEnd),
      ])
      await wait(Math.max(0, limitedAt + RETRY_AFTER_MS + MARGIN_MS - Date.now()))
      const { api } = await tenant.requestsSince(since)
      const elapsed = api.map(({ at }) => Date.parse(at) - limitedAt)
      const early = elapsed.filter((time) => time > READ_MS && time < RETRY_AFTER_MS - TOLERANCE_MS)
      const broken = sent.find((each) => isBroken(each) && each.status !== 503)
      if (early.length > 0) {
        const seen = `${pluralize(early.length, 'request')} before the time in Retry-After had passed, the first after ${Math.min(...early)} ms`
        const failed = broken ? `, and the app itself failed: ${describeResponse(broken)}` : ''
        return fail(`The app did not respect Retry-After${failed}`, { sent: sent[0], seen, entries: idsOf(api) })
      }
      if (broken) {
        const message = `While the platform limits its requests, the app itself failed: ${describeResponse(broken)}`
        return fail(message, { sent: broken, entries: idsOf(api) })
      }
      await tenant.mustServe('after the rate limit has ended')
      const statuses = sent.map(describeResponse).join(', ')
      return pass(`1 request got a 429, and ${sent.length} probes made no other in time; they got ${statuses}`)
    },
  },
  'api.outage': {
    title: 'survives an outage of the platform',
    severity: 'medium',
    source: 'RFC 9110 §15.6; wire: §2; spec: §5.2.3',
    expected:
      'At most 5 attempts for one request, no refresh, a response within 30 s, and everything works again afterwards.',
    fix: 'Set a timeout on every request, handle bodies that are not JSON, and limit retries.',
    ...timeouts,
    order: 'alone',
    run: surviveOutages,
  },
})
