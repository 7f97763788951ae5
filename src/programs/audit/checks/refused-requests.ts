import { describeResponse, isBroken, matches } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { installAndProbe } from '../context/installing.js'
import { idsOf, mustCall } from '../context/tenant.js'
import { counted, defineChecks, fail, joinFailures, pass, type Verdict } from './check.js'

/** Milliseconds. */
const RETRY_AFTER = 2_000
/** Milliseconds by which the app's clock and the journal may differ. */
const TOLERANCE = 50
/** Milliseconds after which a client that counts from when it received the 429 has certainly retried. */
const MARGIN = 500
const MOST_TRIES = 5
/** Milliseconds. */
const LONGEST_RESPONSE = 30_000

const outages = {
  'returns 503': { status: 503 },
  'resets connections': { connection: 'reset' },
  'does not respond': { connection: 'hang' },
  'cuts off its responses': { connection: 'truncate' },
  'returns HTML': { status: 200, body: 'html' },
}

/** audit: "API and tokens" */
export const refusedRequests = defineChecks(['webhook', 'oauth.install', 'probe'], {
  'api.after-uninstall': {
    title: 'purges an organization that has uninstalled it',
    severity: 'high',
    source: 'spec: §3, §6',
    expected: 'Deletes the installation, stops serving the organization, and sends no request with its tokens.',
    remedy: 'On app.uninstalled, delete the credentials and stop the background jobs of that organization.',
    async run(context) {
      const { platform, file, wait } = context
      const tenant = await installAndProbe(context)
      await tenant.uninstall()
      const mark = await platform.mark()
      await wait(file.background)
      const sent = await tenant.probe()
      await tenant.probe()
      const { api, refreshes, entries } = await tenant.requestsSince(mark)
      const response = describeResponse(sent)
      const evidence = { sent, seen: response, entries }
      if (api.length > 0) {
        return fail(`The app called /v0 with a revoked token (${counted(api.length, 'request')})`, evidence)
      }
      if (refreshes.length > 0) {
        return fail(`The app refreshed with a revoked token (${counted(refreshes.length, 'request')})`, evidence)
      }
      if (tenant.isOk(sent)) return fail('The app still serves the organization', evidence)
      const declared = file.probe?.not_installed
      if (declared && !matches(sent, declared)) {
        return fail(`The response of the probe does not match not_installed: ${response}`, evidence)
      }
      return pass(`Purged: the probe returns ${response}, and the app sends nothing to the platform`)
    },
  },
  'api.after-upgrade': {
    title: 'switches to the new tokens of an upgrade at once',
    severity: 'high',
    source: 'spec: §3, §9.2',
    expected: 'The next request carries the new token, and the old one is never sent again.',
    remedy: 'Replace the stored credentials on every app.installed, including any cached copies.',
    async run(context) {
      const tenant = await installAndProbe(context)
      await tenant.upgrade()
      const probe = await tenant.observeProbe()
      const { rejected, refreshes, isOk } = probe
      if (rejected.length > 0) {
        return fail(`The app used a token of the old version (${counted(rejected.length, 'request')})`, probe)
      }
      if (refreshes.length > 0) return fail('The app refreshed the new token before it got a 401', probe)
      if (!isOk) {
        const response = describeResponse(probe.sent)
        return fail(`The app does not serve the organization after the upgrade: ${response}`, probe)
      }
      mustCall(probe.api)
      return pass('The app used the new token at once, and the old one never again')
    },
  },
  'api.insufficient-scope': {
    title: 'treats a 403 as final',
    severity: 'medium',
    source: 'spec: §5.2.4',
    expected: 'No refresh, no retry loop, and the app itself does not return a 5xx.',
    remedy: 'Handle 403 separately from 401. Only a new version with more permissions brings the scope.',
    async run(context) {
      const tenant = await installAndProbe(context)
      const probe = await tenant.observeProbeUnder({ match: { surface: 'api' }, effect: 'insufficient_scope' })
      const { calls } = probe
      const response = describeResponse(probe.sent)
      if (calls === 0) throw new Inconclusive('the probe did not make the app call /v0', probe)
      if (probe.refreshes.length > 0) return fail('The app refreshed after a 403, which cannot add a scope', probe)
      if (calls > 3) return fail(`One probe sent ${calls} requests, although each got a 403`, probe)
      if (isBroken(probe.sent)) return fail(`After a 403 from the platform, the app itself failed: ${response}`, probe)
      return pass(`${counted(calls, 'request')}, no refresh, and the app returned ${response}`)
    },
  },
  'api.rate-limited': {
    title: 'respects Retry-After',
    severity: 'high',
    source: 'wire: §2 "rate limit"; RFC 6585 §4',
    expected: 'Sends nothing until the time in Retry-After has passed, then continues, or reports a clear error.',
    remedy: 'On a 429, wait for the number of seconds in Retry-After, or give up and return an error.',
    async run(context) {
      const { platform, wait } = context
      const tenant = await installAndProbe(context)
      const mark = await platform.mark()
      const effect = { status: 429, headers: { 'retry-after': String(RETRY_AFTER / 1000) } }
      await tenant.fault({ match: { surface: 'api' }, effect, times: 1 })
      const sent = await tenant.probe()
      const first = await tenant.requestsSince(mark)
      const limited = first.api.find(({ status }) => status === 429)
      const response = describeResponse(sent)
      const evidence = { sent, seen: response, entries: idsOf(first.api) }
      if (!limited) throw new Inconclusive('the probe did not make the app call /v0', evidence)
      if (sent.status === null) return fail(`The app did not respond: ${response}`, evidence)
      const limitedAt = Date.parse(limited.at)
      await wait(Math.max(0, limitedAt + RETRY_AFTER + MARGIN - Date.now()))
      const { api } = await tenant.requestsSince(mark)
      const later = api.filter(({ id }) => id > limited.id).map(({ at }) => Date.parse(at) - limitedAt)
      const early = later.filter((elapsed) => elapsed < RETRY_AFTER - TOLERANCE)
      if (early.length > 0) {
        const seen = `${counted(early.length, 'request')} before the time in Retry-After had passed, the first after ${early[0]} ms`
        return fail('The app did not respect Retry-After', { sent, seen, entries: idsOf(api) })
      }
      await tenant.mustServe('after the rate limit has ended')
      return pass(`No request before the time in Retry-After had passed; the app returned ${response}`)
    },
  },
  'api.outage': {
    title: 'survives an outage of the platform',
    severity: 'medium',
    source: 'RFC 9110 §15.6; wire: §2',
    expected: 'At most 5 attempts for one request, a response within 30 s, and everything works again afterwards.',
    remedy: 'Set a timeout on every request (AbortSignal.timeout), handle bodies that are not JSON, and limit retries.',
    async run(context) {
      const all = Object.entries(outages)
      const verdicts = await Promise.all(all.map(([what, effect]) => duringOutage(context, what, effect)))
      const failure = joinFailures(verdicts)
      return failure ?? pass('At most 5 attempts, a response in time, and everything worked again afterwards')
    },
  },
})

async function duringOutage(context: AuditContext, what: string, effect: object): Promise<Verdict> {
  const tenant = await installAndProbe(context)
  const { sent, calls } = await tenant.observeProbeUnder({ match: { surface: 'api' }, effect })
  const seen = `${describeResponse(sent)} after ${sent.duration} ms and ${counted(calls, 'request')}`
  const evidence = { sent, seen }
  if (calls === 0) throw new Inconclusive('the probe did not make the app call /v0', evidence)
  if (sent.status === null || sent.duration > LONGEST_RESPONSE) {
    return fail(`While the platform ${what}, the app does not respond within 30 s`, evidence)
  }
  if (calls > MOST_TRIES) return fail(`While the platform ${what}, one probe sends ${calls} requests`, evidence)
  const after = await tenant.probe()
  if (tenant.isOk(after)) return pass(what)
  return fail(`The app does not recover after the platform ${what}: ${describeResponse(after)}`, evidence)
}
