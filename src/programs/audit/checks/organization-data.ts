import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { valueAt } from '../../../foundation/schema/issue.js'
import { capitalized } from '../../reports/capitalized.js'
import { pluralize } from '../../reports/pluralize.js'
import { idsOf, type JournalEntry, mustHaveRefreshed, noCall } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { install, installAndProbe } from '../context/installing.js'
import { serviceAfterRestart } from '../context/restart.js'
import type { Tenant } from '../context/tenant.js'
import { additions, FEW, meet, readList, recordsWithUnknownFields } from './additions.js'
import { defineChecks, fail, failOfLostToken, failOfRefreshes, pass, probeNeeds, type Verdict } from './check.js'
import { useOfForeignToken } from './foreign-token.js'
import { encryption, ignoredFields } from './library-words.js'

/** Three pages. */
const MANY = 137
const REFUSED_ORGANIZATIONS = 10
/** Threads that share a token mix it up in some bursts only. */
const MAX_BURSTS = 15
const BURSTS_MS = 2_000

export const organizationData = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'api.pages': {
    title: 'reads every page of a list',
    severity: 'high',
    needs: ['webhook', 'oauth.install', 'list'],
    source: 'spec: §4.2; wire: §2 "list payload"',
    expected: `Lists all ${MANY} elements (courses, members), whatever the size of a page.`,
    fix: 'While `payload.next` is not null, request the next page with `?page=<next>`.',
    async run(context) {
      const of = context.file.list?.of ?? 'elements'
      const few = await context.platform.tenant({ [of]: FEW })
      const many = await context.platform.tenant({ [of]: MANY })
      await Promise.all([few.install(), many.install()])
      const size = `with ${context.pageSize} a page (page_size)`
      const first = await readList(context, few, FEW)
      if (first.count !== FEW) {
        // With a smaller page_size, these are several pages too.
        const entries = idsOf(pagesBeforeUnread((await few.requestsSince(0)).api))
        const message = `the list shows ${first.count} of ${FEW} ${of}`
        if (entries.length === 0) throw new Inconclusive(message, first)
        return fail(`${capitalized(message)} ${size}, and the app left "next" unread`, { ...first, entries })
      }
      const { count, sent } = await readList(context, many, MANY)
      if (count === MANY) return pass(`Listed all ${MANY} ${of} ${size}, and all ${FEW} of another organization`)
      return fail(`The app lists ${count} of ${MANY} ${of} ${size}`, { sent })
    },
  },
  'api.tenants': {
    explainedBy: [],
    title: "never uses one organization's token for another",
    severity: 'critical',
    source: 'spec: §5.2.2, §5.2.6',
    expected: 'When requests of several organizations are interleaved, each uses the token of its own organization.',
    fix: 'Store credentials by organization ID and pass them as arguments. Do not keep a "current token" in a shared variable.',
    Node: 'no variable of a module and no axios.defaults.headers; where an argument cannot reach, AsyncLocalStorage',
    Python: 'no global, and no requests.Session with a token for all; where an argument cannot reach, contextvars',
    Go: 'no http.Client with a token for all: x/oauth2: one client for each organization',
    Ruby: 'no @@variable; where an argument cannot reach, ActiveSupport::CurrentAttributes',
    PHP: 'Laravel Octane, Swoole: no static property and no singleton, as they outlive a request',
    // Another check's install would replace the "current" organization of an app that has one.
    order: 'alone',
    async run(context) {
      const { platform } = context
      const served = await install(context)
      const { value } = await served.awaitService()
      const isSilent = (await served.requestsSince(0)).api.length === 0
      const first =
        courseOfAnother(context, served, value) ?? (isSilent ? await useOfForeignToken(context, served) : undefined)
      if (first) return first
      await served.mustServe('after an install')
      const refused = await platform.tenants(REFUSED_ORGANIZATIONS)
      const all = [served, ...refused]
      await Promise.all(refused.map((tenant) => tenant.install()))
      await context.waitForBackground()
      for (const tenant of all) {
        const mixed = await findMixUp(context, tenant, all, served)
        if (mixed) return mixed
      }
      let bursts = 0
      const end = performance.now() + BURSTS_MS
      do {
        const { mixed, rejected } = await probeInBurst(context, served, refused)
        if (mixed) return mixed
        if (rejected === refused.length) bursts++
        else if (bursts > 0) break
        else throw noCall({}, `only ${rejected} of ${refused.length} organizations called /v0`)
      } while (!context.isLimited && bursts < MAX_BURSTS && performance.now() < end)
      const probes = `${2 * refused.length} interleaved probes of ${all.length} organizations`
      return pass(`${probes} in ${pluralize(bursts, 'burst')}, each with its own token`)
    },
  },
  'api.tolerant': {
    title: 'tolerates additions to the API',
    severity: 'medium',
    source: 'spec: §9; RFC 6749 §5.1',
    expected: 'Keeps working with unknown fields, `"token_type": "bearer"`, no `expires_in` and unknown element types.',
    fix: 'Validate the fields that you use and ignore the rest. Token types are case-insensitive, and expires_in is optional.',
    ...ignoredFields,
    async run(context) {
      // An app that never refreshes would not meet the token response; nothing new is to blame for that.
      const tenant = await installAndProbe(context)
      await tenant.mustRefresh()
      const met: string[] = []
      const records = recordsWithUnknownFields((await tenant.requestsSince(0)).api)
      if (records) {
        const { what, match, effect } = records
        const { sent, isOk, calls } = await tenant.observeProbeUnder({ match, effect })
        if (!isOk) return fail(`With ${what}, the app stops working: ${describeResponse(sent)}`, { sent })
        if (calls > 0) met.push(`${what} met in ${pluralize(calls, 'response')}`)
      }
      for (const addition of additions) {
        const { what, sent, isFine, hits } = await meet(context, addition)
        if (!isFine) {
          return failOfLostToken(context, `With ${what}, the app stops working: ${describeResponse(sent)}`, { sent })
        }
        const listAdvice = '; point "list" to a page that reads elements each time, past any cache'
        const advice = addition.isListed && context.file.list ? listAdvice : addition.advice
        if (hits === 0) throw new Inconclusive(`the app never met ${what}${advice ?? ''}`, { sent })
        met.push(`${what} met in ${pluralize(hits, 'response')}`)
      }
      return pass(`Works on: ${met.join('; ')}`)
    },
  },
  'api.restart': {
    title: 'still has its tokens after a restart',
    severity: 'high',
    needs: [...probeNeeds, 'restart'],
    source: 'spec: §3, §5.2.6',
    expected:
      'Serves the organization after the restart with the newest tokens, and refreshes none of them before a 401. Credentials are sent once, so they must be on disk.',
    fix: 'Store credentials in a database, encrypted at rest, before you acknowledge the webhook, and both tokens of every refresh in one write before you use them. Refresh nothing at the start.',
    ...encryption,
    order: 'alone',
    async run(context) {
      const [installed, refreshed] = [await installAndProbe(context), await installAndProbe(context)]
      await refreshed.mustRefresh()
      const since = await context.platform.newestEntry()
      const kept = await serviceAfterRestart(context, installed)
      if (!kept.holds) {
        const response = describeResponse(kept.value)
        return fail(`The app does not serve the organization after the restart: ${response}`, { sent: kept.value })
      }
      const before = await refreshed.observeProbe()
      if (!before.isOk || before.rejected.length > 0) {
        return failOfLostToken(context, 'The restart lost the access token of the last refresh', before)
      }
      const later = await Promise.all([installed, refreshed].map((tenant) => tenant.requestsSince(since)))
      const early = later.filter(({ rejected }) => rejected.length === 0).flatMap(({ refreshes }) => refreshes)
      if (early.length > 0) {
        const message = `After the restart, the app refreshed tokens that had not been rejected (${pluralize(early.length, 'refresh')})`
        return failOfRefreshes(context, message, { entries: idsOf(early) })
      }
      const after = await refreshed.observeRefresh()
      mustHaveRefreshed(after)
      if (!after.isOk) {
        return failOfLostToken(context, 'The restart lost the refresh token of the last refresh', after)
      }
      const passed = '2 organizations are served after 1 restart without a refresh'
      return pass(`${passed}, then one of them by a refresh with the newest refresh token`)
    },
  },
})

/** Returns the requests for pages whose `next` was not requested. */
function pagesBeforeUnread(requests: JournalEntry[]): JournalEntry[] {
  const read = new Set<unknown>(requests.map(({ query }) => query.page))
  return requests.filter(({ response: { body } }) => {
    const next = valueAt(body, ['payload', 'next'])
    return next && !read.has(next)
  })
}

/**
 * Probes organizations at once while the platform rejects the tokens of all but one.
 * @returns a failure if the app mixes them up, and the number of organizations whose tokens were rejected.
 */
async function probeInBurst(context: AuditContext, served: Tenant, refused: Tenant[]) {
  const match = { surface: 'api' } as const
  const faults = await Promise.all(refused.map((tenant) => tenant.fault({ match, effect: 'insufficient_scope' })))
  // Refused once, then served again: an app that reports a 403 to every caller has not retried in vain.
  const order = refused.flatMap((tenant) => [tenant, served])
  const since = await context.platform.newestEntry()
  const probes = await Promise.all(order.map(async (tenant) => ({ tenant, sent: await tenant.probe() })))
  const hits = await Promise.all(faults.map((fault) => fault.lift()))
  const rejected = hits.filter((count) => count > 0).length
  const requests = await Promise.all([served, ...refused].map((tenant) => tenant.requestsSince(since)))
  // An app that made no request shows data that it read before, with whatever token.
  const isCached = requests.flatMap(({ api }) => api).length < probes.length
  for (const { tenant, sent } of probes) {
    const shown = courseOfAnother(context, tenant, sent)
    if (shown) return { mixed: shown, rejected }
    const isOwn = sent.response.body.includes(tenant.marker)
    if (tenant !== served && tenant.isOk(sent) && !isOwn && !isCached) {
      const message = "The platform rejected the token of one organization, but its probe worked with another's token"
      return { mixed: fail(message, { sent }), rejected }
    }
    if (tenant === served && !tenant.isOk(sent)) {
      const seen = `${describeResponse(sent)} while the platform rejected only the tokens of other organizations`
      const message = 'The probe of one organization failed because the token of another was rejected'
      return { mixed: fail(message, { sent, seen }), rejected }
    }
  }
  const after = (await Promise.all(refused.map((tenant) => tenant.awaitService()))).find(({ holds }) => !holds)
  if (after) {
    const message = 'the app no longer serves an organization after a 403'
    const evidence = { sent: after.value, seen: describeResponse(after.value), late: true }
    throw new Consequence('api.insufficient-scope', message, evidence)
  }
  return { mixed: undefined, rejected }
}

/** Probes one of several organizations that have the app. Returns a failure if the app mixes them up. @param served before. */
async function findMixUp(context: AuditContext, tenant: Tenant, all: Tenant[], served: Tenant) {
  const since = await context.platform.newestEntry()
  const { value: sent, holds } = await tenant.awaitService()
  const shown = courseOfAnother(context, tenant, sent)
  if (shown || holds) return shown
  const { api: own } = await tenant.requestsSince(since)
  const others = all.filter((each) => each !== tenant)
  const foreign = (await Promise.all(others.map((each) => each.requestsSince(since)))).flatMap(({ api }) => api)
  const used = `${pluralize(own.length, '/v0 request')} with its token, ${foreign.length} with those of others`
  const evidence = { sent, seen: `${describeResponse(sent)}; ${used}`, entries: idsOf(foreign) }
  if (own.length === 0 && foreign.length > 0) {
    return fail("The probe of one organization made the app use another's token", evidence)
  }
  if (tenant === served && sent.status !== null) {
    return fail('The app no longer serves an organization once others have installed it', evidence)
  }
  await tenant.mustServe('after an install')
}

function courseOfAnother({ platform }: AuditContext, tenant: Tenant, sent: GuardedExchange): Verdict | undefined {
  const other = platform.made.find((each) => each !== tenant && sent.response.body.includes(each.marker))
  const seen = `"${other?.marker}" in the response`
  return other && fail('The probe of one organization showed a course of another', { sent, seen })
}
