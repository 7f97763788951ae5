import { pluralize } from '../../reports/pluralize.js'
import { idsOf, mostAttempts, mustCall, mustHaveRefreshed } from '../app/app-requests.js'
import { observeIdleApp, observeSecondRefresh } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { install, installAndProbe, mustAcceptGenuine } from '../context/installing.js'
import { defineChecks, fail, failOfRefreshes, pass, probeNeeds } from './check.js'
import { stampede } from './stampede.js'

/** 401s for each request of a page. A good app stops after two; this limit ends an app that does not. */
const MAX_REJECTIONS = 5
/** Requests that a background job may make by chance. */
const MAX_IDLE_REQUESTS = 10

export const tokenRefresh = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'api.bearer': {
    explainedBy: [],
    title: 'sends its token in the Authorization header only',
    severity: 'high',
    source: 'spec: §5.2.1; RFC 9700 §4.3.2; RFC 6749 §2.3.1',
    expected:
      'Every request to /v0 has `Authorization: Bearer <token>`, and no URL, that of a refresh included, and no other header holds a credential.',
    fix: 'Send the token in the Authorization header alone. URLs and headers that no proxy knows as secret end up in logs.',
    Node: 'fetch(url, { headers: { authorization: "Bearer " + token } })',
    Python: "headers={'Authorization': f'Bearer {token}'}; requests: trust_env = False, or a .netrc replaces it",
    Go: 'req.Header.Set("Authorization", "Bearer "+token)',
    Ruby: "Faraday: connection.request :authorization, 'Bearer', token; oauth2: mode: :header",
    PHP: "Guzzle: 'headers' => ['Authorization' => \"Bearer $token\"]; Laravel: Http::withToken($token)",
    async run(context) {
      const { platform } = context
      const tenant = await install(context)
      const since = await platform.newestEntry()
      await tenant.mustServe('after an install')
      // A refresh, whose URL may hold a credential too.
      await tenant.observeRefresh()
      if (context.file.list) await tenant.requestList()
      const { api } = await tenant.requestsSince(since)
      // A request whose token is in its URL belongs to no organization.
      const lists = [{ surface: 'api' }, { path: '/oauth/token' }] as const
      const all = await Promise.all(lists.map((list) => platform.admin.listRequests({ ...list, since })))
      const own = all.flat().filter(({ organization }) => organization === null || organization === tenant.slug)
      const inUrl = own.filter(({ query }) => redactedIn(query).length > 0)
      const [first] = inUrl
      if (first) {
        const seen = `${first.method} ${first.path} with ${redactedIn(first.query).join(', ')} in its query`
        return fail('A credential was sent in a URL', { seen, entries: idsOf(inUrl) })
      }
      mustCall(api)
      const bare = api.filter(({ request }) => request.headers.authorization === undefined)
      if (bare.length > 0) return fail('A /v0 request had no Authorization header', { entries: idsOf(bare) })
      for (const { id, method, path, request } of api) {
        const other = redactedIn(request.headers).find((name) => name.toLowerCase() !== 'authorization')
        const seen = `${method} ${path} with a credential in the header ${other}`
        if (other) return fail('A credential was sent in a second header', { seen, entries: [id] })
      }
      return pass(`${pluralize(api.length, 'request')} with the token in the Authorization header only`)
    },
  },
  'api.refreshes-once': {
    title: 'follows a 401 with one refresh and one retry',
    severity: 'critical',
    source: 'spec: §5.2.3',
    expected: 'After a 401, one refresh, one retry of the same request, and success. After a second 401, it gives up.',
    fix: 'On a 401, refresh once, store both new tokens, and retry the request once with the new access token.',
    Node: 'ky and got: an afterResponse hook; axios: an interceptor that marks the request as retried',
    Python: 'httpx: an Auth whose auth_flow yields the request a second time after a 401',
    Go: 'an http.RoundTripper; req.GetBody() makes the body readable again',
    Ruby: 'Faraday: rescue Faraday::UnauthorizedError, refresh, and retry once',
    PHP: 'Laravel: Http::retry(2, 0, $when), where $when refreshes and calls $request->withToken()',
    async run(context) {
      const tenant = await installAndProbe(context)
      const usual = await tenant.observeProbe()
      const probe = await tenant.observeRefresh()
      const { api, rejected, refreshes, isOk } = probe
      mustCall(api)
      const tooMany = `One expired token led to ${refreshes.length} refreshes`
      if (refreshes.length > 1) return failOfRefreshes(context, tooMany, probe)
      if (refreshes.length === 0) {
        return fail(rejected.length > 0 ? 'The 401 led to no refresh' : 'The expired token was not sent', probe)
      }
      if (!isOk) return fail('The app did not retry the request successfully after the refresh', probe)
      const times = mostAttempts(rejected, usual.api)
      if (times > 1) return fail(`The same request was sent ${times} times with the expired token`, probe)
      const retries = pluralize(api.length - rejected.length, 'retry', 'retries')

      // A page of several requests may refresh once for each.
      const most = Math.max(1, usual.api.length)
      const endless = { match: { surface: 'api' }, effect: 'token_expired', times: MAX_REJECTIONS * most } as const
      const vain = await tenant.observeProbeUnder(endless)
      const tries = mostAttempts(vain.rejected, usual.api)
      if (tries > 2 || vain.refreshes.length > most) {
        const repeated = `${pluralize(tries, 'try', 'tries')} of a request and ${pluralize(vain.refreshes.length, 'refresh')}`
        return failOfRefreshes(context, `A 401 that a refresh does not end led to ${repeated}`, vain)
      }
      const followed = `${pluralize(rejected.length, 'request')} got a 401, followed by 1 refresh and ${retries}`
      return pass(`${followed}; it gave up after a second 401`)
    },
  },
  'api.not-early': {
    title: 'does not refresh before a 401',
    severity: 'medium',
    source: 'spec: §5.2.3',
    expected: 'Uses its access token until the platform returns 401, regardless of `expires_in`.',
    fix: 'Remove the expiry check before the request. Every refresh rotates the refresh token and can race with other workers.',
    Node: 'simple-oauth2: no token.expired()',
    Python:
      'Authlib and requests-oauthlib refresh by expires_at: store tokens without it and without expires_in, also after a refresh',
    Go: 'x/oauth2: a TokenSource refreshes a token that has an Expiry: leave it zero',
    Ruby: 'oauth2: no token.expired?',
    PHP: 'league/oauth2-client: no $token->hasExpired()',
    async run(context) {
      const { refreshes: fresh } = await (await installAndProbe(context)).requestsSince(0)
      const early = [...fresh, ...(await refreshesOfExpiringToken(context))]
      if (early.length === 0) return pass('No refresh in 1 probe with 59 minutes left and 1 with one minute left')
      const left = fresh.length > 0 ? '59 minutes' : 'one minute'
      const message = `The app refreshed a token that had ${left} left and had not been rejected`
      return failOfRefreshes(context, message, { entries: idsOf(early) })
    },
  },
  'api.stampede': {
    title: 'refreshes once when many requests get a 401 at the same time',
    severity: 'critical',
    source: 'spec: §3, §5.2.3',
    expected: 'Exactly one refresh, no `invalid_grant`, and every request succeeds.',
    fix: 'Let one refresh of an organization run at a time and the other requests wait for it. With several processes, use a lock in the database. After the wait, compare the stored token with the rejected one before you refresh.',
    Node: 'a Map of pending promises by organization, or async-mutex; several processes: SELECT … FOR UPDATE',
    Python: 'Django: select_for_update(); SQLAlchemy: with_for_update(); redis-py: client.lock(name)',
    Go: 'x/sync/singleflight: group.Do(organization, refresh); several processes: SELECT … FOR UPDATE',
    Ruby: 'Active Record: installation.with_lock { … }',
    PHP: 'Laravel: Cache::lock($name, 10)->block(10, $refresh); Doctrine: LockMode::PESSIMISTIC_WRITE',
    async run(context) {
      const single = await (await installAndProbe(context)).observeRefresh()
      mustHaveRefreshed(single)
      return stampede(context, single.refreshes.length > 1 ? 'api.refreshes-once' : undefined)
    },
  },
  'api.rotation-kept': {
    explainedBy: ['api.tenants', 'api.refreshes-once'],
    title: 'stores the new refresh token of each refresh',
    severity: 'critical',
    source: 'spec: §3, §2.6',
    expected: 'The second refresh uses the refresh token that the first one returned.',
    fix: 'Store the `refresh_token` of every token response in the same write as the `access_token`. After a 401, read the stored tokens again, in place of any copy in memory: another process may have replaced them.',
    Node: 'openid-client: refresh_token of what refreshTokenGrant() returns',
    Python: 'Authlib: update_token; requests-oauthlib: token_updater',
    Go: 'x/oauth2: a TokenSource stores nothing: wrap it and store token.RefreshToken',
    Ruby: 'oauth2: refresh returns a new token: store its refresh_token',
    PHP: "league/oauth2-client: getRefreshToken() of what getAccessToken('refresh_token', …) returns",
    async run(context) {
      const probe = await observeSecondRefresh(context)
      if (probe.isOk) return pass('The second of 2 refreshes used the refresh token that the first one returned')
      if (!probe.isCopy) return fail('The app could not refresh a second time', probe)
      return fail('A process of the app still uses a token that another process has replaced', probe)
    },
  },
  'api.background': {
    title: 'is quiet while it gets no requests',
    severity: 'medium',
    source: 'spec: §5.2.3',
    expected: 'No refresh and no storm of requests while its tokens are fresh and it gets no requests.',
    fix: 'Remove timers that refresh tokens: refresh after a 401 alone. Let background jobs run seldom, and for one organization after the other.',
    async run(context) {
      const { tenant, time, api, refreshes, entries } = await observeIdleApp(context)
      const seconds = `${time / 1000} s`
      const when = `within ${seconds}, although the app got no requests`
      const count = pluralize(refreshes.length, 'refresh')
      if (refreshes.length > 0) return fail(`${count} of a fresh token ${when}`, { entries })
      if (api.length > MAX_IDLE_REQUESTS) return fail(`${api.length} requests to /v0 ${when}`, { entries })
      await tenant.mustServe('afterwards')
      return pass(`No refresh and ${pluralize(api.length, '/v0 request')} in ${seconds} without requests to the app`)
    },
  },
})

/** Returns the names of the values that the journal has redacted. */
const redactedIn = (values: Record<string, string>): string[] =>
  Object.keys(values).filter((name) => values[name]?.includes('[redacted]'))

/** Delivers a token with one minute left and returns the refreshes that the app made by itself. */
async function refreshesOfExpiringToken(context: AuditContext) {
  const tenant = await context.platform.tenant()
  await tenant.install({ announce: false })
  const minted = await tenant.mint('60s')
  const expires_at = new Date(Date.now() + minted.expires_in * 1000).toISOString()
  const credentials = { client_id: context.app.clientId, ...minted, expires_at }
  await mustAcceptGenuine(context, tenant, JSON.stringify(tenant.envelope({ credentials })))
  return (await tenant.requestsSince(0)).refreshes
}
