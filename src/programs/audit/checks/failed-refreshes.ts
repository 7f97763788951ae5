import { pluralize } from '../../reports/pluralize.js'
import { idsOf, MAX_TRIES, mustHaveRefreshed, refreshRequests, summaryOf } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import { Consequence } from '../app/failures.js'
import { findLostReinstall, LOST_REINSTALL } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { observeAttempts } from '../context/fresh-connections.js'
import { installAndProbe } from '../context/installing.js'
import { defineChecks, fail, pass, probeNeeds, tryEach, type Verdict } from './check.js'

const MAX_DEAD_REFRESHES = 3

const failures = { 'returned 503': { status: 503 }, 'was reset': { connection: 'reset' } }

/** Errors of libraries that mean the end of a grant. */
const endedGrant = {
  Node: "openid-client: ResponseBodyError with error === 'invalid_grant'",
  Python: "Authlib: OAuthError with error == 'invalid_grant'; requests-oauthlib: InvalidGrantError",
  Go: 'x/oauth2: errors.As(err, &e) with e of *oauth2.RetrieveError, and e.ErrorCode == "invalid_grant"',
  Ruby: "oauth2: OAuth2::Error with code == 'invalid_grant'",
  PHP: "league/oauth2-client: IdentityProviderException with getResponseBody()['error'] === 'invalid_grant'",
}

export const failedRefreshes = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'api.refresh-fails': {
    explainedBy: ['api.tenants', 'api.refreshes-once'],
    title: 'recovers from a refresh that fails before it takes effect',
    severity: 'high',
    source: 'spec: §5.2.3; RFC 6749 §5.2',
    expected:
      'Keeps the refresh token after a 503 or a connection reset, tries the refresh at most 5 times, and the next request works.',
    fix: 'Only `invalid_grant` ends a grant. After any other failure, keep the tokens, limit retries, and report the error.',
    ...endedGrant,
    run: tryEach(failures, afterFailedRefresh, () => {
      return 'The tokens were kept after 1 refresh that returned 503 and 1 that was reset'
    }),
  },
  'api.refresh-lost': {
    title: 'recovers from a refresh whose response was lost',
    severity: 'high',
    source: 'spec: §3; RFC 6749 §5.2',
    expected: 'Sends the used refresh token at most 3 more times, and works again after a new install.',
    fix: 'After `invalid_grant`, mark the installation as disconnected, and do not refresh again until the next app.installed.',
    ...endedGrant,
    async run(context) {
      const tenant = await installAndProbe(context)
      await tenant.expireTokens()
      const effect = { connection: 'reset' } as const
      const lost = await tenant.fault({ match: refreshRequests, effect, phase: 'after', times: 1 })
      const since = await context.platform.newestEntry()
      await tenant.probe()
      if ((await lost.hits()) === 0) mustHaveRefreshed(await tenant.requestsSince(since), {})
      for (let again = 0; again < 5; again++) await tenant.probe()
      const { refreshes } = await tenant.requestsSince(since)
      const dead = refreshes.filter(({ status }) => status === 400)
      const entries = idsOf(refreshes)
      if (dead.length > MAX_DEAD_REFRESHES) {
        return fail(`The app sent the used refresh token ${dead.length} more times in 6 probes`, { entries })
      }
      await tenant.uninstall()
      await tenant.install()
      const { value: sent, holds } = await tenant.awaitService()
      if (!holds) {
        const lost = await findLostReinstall(context).catch(() => undefined)
        if (lost) throw new Consequence('webhook.late-uninstall', LOST_REINSTALL, lost)
        return fail('The app does not work again after a new install', { sent, entries })
      }
      const count = pluralize(dead.length, 'further refresh')
      return pass(`1 lost response, ${count}, and the app works again after a new install`)
    },
  },
  'api.dead-grant': {
    title: 'stops refreshing a grant that has ended',
    severity: 'medium',
    source: 'spec: §3; RFC 6749 §5.2',
    expected: 'At most 3 token requests in 10 probes after the grant has ended.',
    fix: 'Record that the grant has ended. Only the next app.installed brings a new one.',
    ...endedGrant,
    async run(context) {
      const { platform } = context
      const tenant = await installAndProbe(context)
      await platform.admin.revokeTokens({ organization: tenant.slug })
      const since = await platform.newestEntry()
      for (let again = 0; again < 10; again++) await tenant.probe()
      const requests = await tenant.requestsSince(since)
      const count = requests.refreshes.length
      const evidence = { seen: summaryOf(requests), entries: idsOf(requests.refreshes) }
      if (count > MAX_DEAD_REFRESHES) {
        return fail(`${count} token requests in 10 probes after the grant had ended`, evidence)
      }
      mustHaveRefreshed(requests, evidence)
      return pass(`${pluralize(count, 'token request')} in 10 probes`)
    },
  },
})

async function afterFailedRefresh(context: AuditContext, what: string, effect: object): Promise<Verdict> {
  const tenant = await installAndProbe(context)
  const observe = async () => {
    await tenant.expireTokens()
    const { calls, ...probe } = await tenant.observeProbeUnder({ match: refreshRequests, effect })
    return { ...probe, attempts: calls }
  }
  const first = await observeAttempts({ max: MAX_TRIES, observe }, tenant)
  const next = await tenant.observeProbe()
  const seen = `during the failure: ${describeResponse(first.sent)}; afterwards: ${next.seen}`
  const evidence = { sent: next.sent, seen, entries: [...first.entries, ...next.entries] }
  const { attempts } = first
  if (attempts === 0) mustHaveRefreshed(first, evidence)
  if (attempts > MAX_TRIES) {
    return fail(`The app tried a refresh that ${what} ${attempts} times in one probe`, evidence)
  }
  if (next.isOk) return pass(`The tokens were kept after a refresh that ${what}`)
  return fail(`The app does not recover from a refresh that ${what}`, evidence)
}
