import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { pluralize } from '../../reports/pluralize.js'
import { mustCall } from '../app/app-requests.js'
import { describeResponse, isSuccess } from '../app/app-response.js'
import { Consequence } from '../app/failures.js'
import { freshKey } from '../context/attacker.js'
import { mustBeStranger, mustUseNewestTokens } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { installAndProbe, installWithoutWebhook, mustAcceptGenuine, mustTellApart } from '../context/installing.js'
import type { Tenant } from '../context/tenant.js'
import { defineChecks, fail, failOfLostToken, failOfRefreshes, pass, probeNeeds, type Verdict } from './check.js'

/** The hints use a unique column, so that only one of two workers stores an event. */
const rememberOnce = {
  fix: 'Store the `id` of every event, and the `created_at` and `installation_id` of the credentials that you keep. Ignore events that are known or older. The idempotency header is not signed, so do not rely on it.',
  Node: "Knex: .insert(event).onConflict('id').ignore(); Prisma: catch P2002",
  Python: 'Django: get_or_create(id=…); SQLAlchemy: insert(…).on_conflict_do_nothing()',
  Go: 'INSERT … ON CONFLICT DO NOTHING, then RowsAffected()',
  Ruby: 'Rails: a unique index, and rescue ActiveRecord::RecordNotUnique',
  PHP: 'Laravel: insertOrIgnore(…); Doctrine: catch UniqueConstraintViolationException',
}

export const webhookReplays = defineChecks({ needs: probeNeeds, explainedBy: ['api.tenants'] })({
  'webhook.duplicate': {
    title: 'processes a repeated event only once',
    severity: 'high',
    source: 'spec: §6.3',
    expected: 'Returns a 2xx again, and keeps the credentials that it has refreshed since.',
    ...rememberOnce,
    async run(context) {
      const { tenant, body } = await installWithoutWebhook(context)
      // To the app, a lost acknowledgement is one like any other: the platform sends the event with the same key again.
      await mustAcceptGenuine(context, tenant, body)
      await tenant.mustRefresh()
      await mustUseNewestTokens(context, tenant)
      const sent = await context.attacker.postSigned(body)
      const issue = `The app did not acknowledge the same event a second time: ${describeResponse(sent)}`
      if (!isSuccess(sent)) return fail(issue, { sent })
      await mustTellApart(context)
      return keepsCredentials(context, tenant, 'the same event was delivered again', sent)
    },
  },
  'webhook.replayed': {
    title: 'ignores a replay with another idempotency key',
    severity: 'high',
    source: 'spec: §6.3; wire: §7 "headers"',
    expected: 'Keeps the credentials that it has refreshed since. The `id` in the signed body identifies the event.',
    ...rememberOnce,
    async run(context) {
      const { tenant, body } = await installWithoutWebhook(context)
      await mustAcceptGenuine(context, tenant, body)
      await tenant.mustRefresh()
      await mustUseNewestTokens(context, tenant)
      await mustTellApart(context)
      const sent = await context.attacker.postSigned(body, freshKey())
      return keepsCredentials(context, tenant, 'a replay with another idempotency key', sent)
    },
  },
  'webhook.stale-install': {
    title: 'ignores an old app.installed',
    severity: 'high',
    source: 'spec: §3, §6',
    expected: 'After an uninstall, the organization stays uninstalled. After an upgrade, the new credentials stay.',
    ...rememberOnce,
    fix: `${rememberOnce.fix} Keep a tombstone for each installation that has ended.`,
    async run(context) {
      await mustTellApart(context)
      const verdict = await replayAfterUninstall(context)
      if (verdict.outcome !== 'pass') return verdict
      const known = await oldAfterUpgrade(context, true)
      return known.outcome === 'pass' ? oldAfterUpgrade(context, false) : known
    },
  },
  'webhook.order': {
    title: 'ends uninstalled when the events arrive in the wrong order',
    severity: 'medium',
    source: 'spec: §6.3',
    expected: 'An app.installed that arrives after the app.uninstalled of its installation changes nothing.',
    fix: 'Keep a tombstone with the `installation_id` of every app.uninstalled, even if the installation is unknown.',
    async run(context) {
      await mustTellApart(context)
      // The positive twin: in the right order, the same event leaves an organization that is served.
      await installAndProbe(context)
      const { tenant, body } = await installWithoutWebhook(context)
      // Signs the owner in where probes are the owner's: after the uninstall, the platform signs nobody in to the app.
      await mustBeStranger(tenant)
      tenant.mustHaveOwner()
      await tenant.uninstall()
      await mustBeStranger(tenant)
      const sent = await context.attacker.postSigned(body)
      return staysUninstalled(context, tenant, 'An app.installed that arrived after its app.uninstalled', sent)
    },
  },
})

async function replayAfterUninstall(context: AuditContext): Promise<Verdict> {
  const { attacker } = context
  const { tenant, body } = await installWithoutWebhook(context)
  await mustBeStranger(tenant)
  await attacker.postSigned(body)
  await tenant.mustServe('after an install')
  await tenant.uninstall()
  await mustHavePurged(context, tenant)
  const sent = await attacker.postSigned(body)
  await attacker.postSigned(body, freshKey())
  return staysUninstalled(context, tenant, 'An old app.installed, sent again after the uninstall,', sent)
}

/** @param isKnown false: it was never delivered, as when the app was down, and its time alone shows that it is old. */
async function oldAfterUpgrade(context: AuditContext, isKnown: boolean): Promise<Verdict> {
  const { tenant, envelope } = await installWithoutWebhook(context)
  // Times of an app may have whole seconds.
  const created_at = new Date(Date.parse(envelope.created_at) - 1_000).toISOString()
  const body = JSON.stringify({ ...envelope, created_at })
  if (isKnown) await mustAcceptGenuine(context, tenant, body)
  await tenant.upgrade()
  await tenant.mustServe('after an upgrade')
  await mustUseNewestTokens(context, tenant, 'api.after-upgrade')
  const sent = await context.attacker.postSigned(body)
  const came = isKnown ? 'was sent again' : 'arrived for the first time'
  return keepsCredentials(context, tenant, `the old version's app.installed ${came}`, sent)
}

/** Checks that the app uses its newest credentials: a probe works without a 401 and without a refresh. */
async function keepsCredentials(context: AuditContext, tenant: Tenant, what: string, sent: GuardedExchange) {
  await context.waitForBackground()
  const probe = await tenant.observeProbe()
  const { rejected, refreshes, entries } = probe
  if (rejected.length > 0 || refreshes.length > 0) {
    const seen = `next probe: ${pluralize(rejected.length, '/v0 request')} with a 401, ${pluralize(refreshes.length, 'refresh')}`
    const message = `After ${what}, the app used credentials that it had already replaced`
    const evidence = { sent, seen, entries }
    if (rejected.length === 0) return failOfRefreshes(context, message, evidence)
    return failOfLostToken(context, message, evidence)
  }
  if (probe.isOk) {
    mustCall(probe.api)
    return pass(`The app used the newest credentials in ${pluralize(probe.api.length, '/v0 request')} after ${what}`)
  }
  return fail(`After ${what}, the app no longer serves the organization: ${describeResponse(probe.sent)}`, probe)
}

/** Waits until the app has purged an organization. @throws Consequence when it still uses its tokens after `background`. */
async function mustHavePurged({ until }: AuditContext, tenant: Tenant): Promise<void> {
  const isPurged = ({ isOk, entries }: { isOk: boolean; entries: number[] }) => !isOk && entries.length === 0
  const probe = await until(tenant.observeProbe, isPurged)
  if (isPurged(probe)) return
  throw new Consequence('api.after-uninstall', 'the app has not purged the organization after the uninstall', probe)
}

async function staysUninstalled(context: AuditContext, tenant: Tenant, what: string, sent: GuardedExchange) {
  const { platform, waitForBackground } = context
  const since = await platform.newestEntry()
  await waitForBackground()
  const probe = await tenant.probe()
  const isServed = tenant.isOk(probe)
  const { api, refreshes, entries } = await tenant.requestsSince(since)
  if (!isServed && entries.length === 0) return pass(`${what} did not bring the organization back`)
  const seen = isServed
    ? `the probe works: ${describeResponse(probe)}`
    : `${pluralize(api.length, '/v0 request')} and ${pluralize(refreshes.length, 'refresh')} with revoked tokens`
  // Repeated alone: an app may lose what it remembers of the uninstall to simultaneous writes of other checks.
  return fail(`${what} brought the organization back`, { sent, seen, entries, late: true })
}
