import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { capitalized } from '../../reports/capitalized.js'
import { pluralize } from '../../reports/pluralize.js'
import { idsOf } from '../app/app-requests.js'
import { describeResponse, isClientError, isSuccess } from '../app/app-response.js'
import type { Evidence } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { findUnserved, install, installAndProbe, installWithoutWebhook, mustTellApart } from '../context/installing.js'
import { attemptOf, type Delivery, type Tenant } from '../context/tenant.js'
import { withNewFields } from './additions.js'
import { defineChecks, fail, pass, type Verdict } from './check.js'
import { ignoredFields, queues } from './library-words.js'

/** Time to acknowledge a webhook. spec: §6 rule 2 */
const WINDOW_MS = 3_000
const BURST = 20

const garbage = {
  'an empty body': '',
  'the JSON value null': 'null',
  'an empty JSON array': '[]',
  'text that is not JSON': '{"type":',
  '900 KB of text that is not JSON': 'x'.repeat(900 * 1024),
}

export const timelyAcknowledgements = defineChecks({ needs: ['webhook'], control: mustTellApart })({
  'webhook.accepts': {
    title: 'acknowledges a genuine app.installed in time',
    severity: 'critical',
    source: 'spec: §6.2, §6.4',
    expected: 'Returns a 2xx within 3 s.',
    fix: "Handle POST at the webhook URL of the manifest, verify the raw body with the app's signing secret, store the credentials, and return 200 at once. Protection against CSRF must let the request through.",
    Node: 'Express: app.post(path, express.raw({ type: () => true }), handler), before express.json()',
    Python: 'Django: @csrf_exempt; Flask-WTF: @csrf.exempt',
    Go: 'Go 1.22: mux.HandleFunc("POST /webhook", handler); before, a pattern with a method matches no request',
    Ruby: 'Rails: skip_forgery_protection in the controller',
    PHP: "Laravel: validateCsrfTokens(except: ['webhook'])",
    async run(context) {
      const delivery = await (await context.platform.tenant()).install()
      const issue = issueWith(delivery)
      if (issue) {
        const message = (await acceptsBase64Alone(context, delivery))
          ? 'The app rejects a genuine app.installed, and accepts one whose signature is in base64: expect it in lower-case hex'
          : `A genuine app.installed ${issue}`
        return fail(message, await evidenceOf(context, delivery))
      }
      const { status, duration } = attemptOf(delivery) ?? {}
      return pass(`Acknowledged 1 app.installed with ${status} after ${duration} ms`)
    },
  },
  'webhook.acknowledges-first': {
    title: 'acknowledges before it calls the platform',
    severity: 'medium',
    source: 'spec: §6.2, §6.4',
    expected: 'Returns a 2xx within 3 s, even while /v0 takes 10 s to respond.',
    fix: 'Store the event, respond, and leave the rest to a queue. Everything that the handler awaits counts against the 3 s.',
    ...queues,
    explainedBy: ['webhook.accepts'],
    async run(context) {
      const tenant = await context.platform.tenant()
      const slow = await tenant.fault({ match: { surface: 'api' }, effect: { delay: '10s' } })
      const delivery = await tenant.install()
      const issue = issueWith(delivery)
      const calls = await slow.lift()
      const waiting = pluralize(calls, '/v0 request')
      const took = `${attemptOf(delivery)?.duration} ms`
      if (!issue) return pass(`Acknowledged after ${took} while ${waiting} waited for a slow /v0`)
      const why = calls > 0 ? `, while ${waiting} of the handler waited for the platform` : ''
      return fail(`app.installed ${issue}${why}`, await evidenceOf(context, delivery))
    },
  },
})

/** audit: "Webhooks". Run last, because they may stop the app's queue. */
export const unusualWebhooks = defineChecks({ needs: ['webhook'], control: mustTellApart, order: 'last' })({
  'webhook.unknown-event': {
    title: 'acknowledges events that it does not know',
    severity: 'medium',
    source: 'spec: §9; wire: §7',
    expected: 'Returns a 2xx and ignores the event, and the next app.installed works.',
    fix: 'Return 200 in the default case of the event switch, and let a worker drop what it does not know. The platform retries an event that is rejected.',
    async run(context) {
      const tenant = isProbed(context) ? await installAndProbe(context) : await install(context)
      const data = { organization: { id: tenant.slug }, anything: 1 }
      const event = tenant.envelope({ type: 'audit.unknown_event', data })
      const verdict = await mustWorkOn(context, event, 'an event of an unknown type')
      if (verdict.outcome !== 'pass' || !isProbed(context)) return verdict
      const probe = await tenant.observeProbe()
      return probe.isOk ? verdict : fail('An event of an unknown type ended the installation that it names', probe)
    },
  },
  'webhook.unknown-fields': {
    title: 'acknowledges webhooks with fields that it does not know',
    severity: 'medium',
    source: 'spec: §9; wire: §7',
    expected: 'Returns a 2xx and processes the fields that it knows.',
    fix: 'Validate the fields that you use and ignore the rest. Platforms add fields without notice.',
    ...ignoredFields,
    async run(context) {
      const { tenant, envelope } = await installWithoutWebhook(context)
      return mustWorkOn(context, withNewFields(envelope), 'an app.installed with undocumented fields', tenant)
    },
  },
  'webhook.without-credentials': {
    title: 'acknowledges an app.installed without credentials',
    severity: 'medium',
    source: 'spec: §6, §9',
    expected: 'Returns a 2xx; the installation has no token, and the next app.installed works.',
    fix: 'Check that `data.credentials` exists before you read from it.',
    Node: 'event.data.credentials?.access_token; zod: .optional()',
    Python: "event['data'].get('credentials'); Pydantic: Credentials | None = None",
    Go: 'a field of type *Credentials, which is nil without them',
    Ruby: "event.dig('data', 'credentials')",
    PHP: "$event['data']['credentials'] ?? null",
    async run(context) {
      const { envelope } = await installWithoutWebhook(context)
      const { credentials: _, ...data } = envelope.data as Record<string, unknown>
      return mustWorkOn(context, { ...envelope, data }, 'an app.installed without credentials')
    },
  },
  'webhook.garbage': {
    title: 'rejects a signed request that is not an event',
    severity: 'medium',
    source: 'spec: §6',
    expected: 'Returns a 4xx, never a 5xx, and the next genuine webhook works.',
    fix: 'Catch the error of the parser, check that the result is an object with a string `type`, and return 400 otherwise.',
    Node: "JSON.parse throws SyntaxError; typeof null is 'object'",
    Python: 'json.loads raises ValueError; isinstance(event, dict)',
    Go: 'json.Unmarshal accepts null and leaves the struct empty: check Type; http.MaxBytesReader limits the size',
    Ruby: 'JSON.parse raises JSON::ParserError; event.is_a?(Hash)',
    PHP: "json_decode returns null without JSON_THROW_ON_ERROR; is_string($event['type'] ?? null)",
    async run(context) {
      const { attacker, app } = context
      await mustServeBefore(context)
      const sent: [what: string, exchange: GuardedExchange][] = []
      for (const [what, body] of Object.entries(garbage)) {
        sent.push([`${what} with a valid signature`, await attacker.postSigned(body)])
      }
      sent.push(['a GET', await attacker.send({ method: 'GET', url: app.webhook })])
      const wrong = sent.filter(([, exchange]) => !isClientError(exchange))
      if (wrong[0]) {
        const seen = wrong.map(([what, exchange]) => `${what}: ${describeResponse(exchange)}`).join('; ')
        return fail(`Expected a 4xx: ${seen}`, { sent: wrong[0][1] })
      }
      const stopped = await describeStop(context)
      if (stopped) return fail(`After requests that are no events, ${stopped}`, { sent: sent.at(-1)?.[1] })
      return pass(`Rejected ${sent.length} requests that are no events, and accepted the genuine webhook after them`)
    },
  },
  'webhook.burst': {
    title: 'acknowledges 20 installs at once and loses none',
    severity: 'medium',
    source: 'spec: §6.2',
    expected: 'Returns a 2xx for each within 3 s, and serves them all.',
    fix: 'Do nothing slow before you acknowledge, hold no lock for all organizations meanwhile, and let several requests run at once. Lock a store of all organizations from reading to writing.',
    Node: 'pg: new Pool({ max: 10 }) and no transaction that waits for another request',
    Python: 'gunicorn --workers 2 --threads 8: a sync worker handles one request at a time',
    Go: 'database/sql: SetMaxOpenConns above 1; no mutex around the handler',
    Ruby: 'Puma: threads 5, 5, and as many connections in pool of database.yml',
    PHP: 'PHP-FPM: pm.max_children; session_write_close() before slow work',
    explainedBy: ['webhook.accepts'],
    order: 'alone',
    async run(context) {
      const tenants = await context.platform.tenants(BURST)
      const deliveries = await Promise.all(tenants.map((tenant) => tenant.install()))
      const failed = deliveries.filter((delivery) => issueWith(delivery))
      const slowest = Math.max(...deliveries.map((delivery) => attemptOf(delivery)?.duration ?? 0))
      if (failed.length > 0) {
        const count = `${failed.length} of ${BURST} simultaneous webhooks failed`
        return fail(`${count}; the first ${issueWith(failed[0] ?? null)}`, await evidenceOf(context, ...failed))
      }
      const acknowledged = `${BURST} installs at once, the slowest acknowledged after ${slowest} ms`
      if (!isProbed(context)) return pass(acknowledged)
      const unserved = await findUnserved(tenants)
      const [first] = unserved
      if (!first) return pass(`${acknowledged}, and all served`)
      first.tenant.mustHaveOwner()
      await mustServeBefore(context)
      const message = `${unserved.length} of ${BURST} simultaneous installs were acknowledged and had no effect`
      return fail(message, { sent: first.value, late: true })
    },
  },
})

function issueWith(delivery: Delivery | null): string | undefined {
  const attempt = attemptOf(delivery)
  if (!attempt) return 'was not sent'
  if (attempt.error !== null) return `was not acknowledged: ${attempt.error}`
  return attempt.duration > WINDOW_MS ? `was acknowledged too late, after ${attempt.duration} ms` : undefined
}

/** Returns true if the app rejected a delivery, and accepts a webhook whose signature has another encoding. */
async function acceptsBase64Alone(context: AuditContext, delivery: Delivery | null): Promise<boolean> {
  const attempt = attemptOf(delivery)
  if (!attempt || !isClientError(attempt)) return false
  const { body } = await installWithoutWebhook(context)
  const signature = Buffer.from(context.attacker.sign(body), 'hex').toString('base64')
  return isSuccess(await context.attacker.post({ body, signature }))
}

/** Returns what shows how deliveries to organizations of their own failed: the URL, and the journal entries of the attempts. */
async function evidenceOf({ platform, app }: AuditContext, ...deliveries: (Delivery | null)[]): Promise<Evidence> {
  const organizations = new Set(deliveries.map((delivery) => delivery?.organization))
  const webhooks = await platform.admin.listRequests({ surface: 'webhook', app: app.id })
  const entries = idsOf(webhooks.filter(({ organization }) => organizations.has(organization ?? undefined)))
  return { seen: `sent to ${app.webhook}`, entries, late: true }
}

/** Sends an event to an app that works; it must acknowledge it and work on. @param installed organization that it installs. */
async function mustWorkOn(context: AuditContext, event: unknown, what: string, installed?: Tenant): Promise<Verdict> {
  await mustServeBefore(context)
  const sent = await context.attacker.postSigned(JSON.stringify(event))
  if (!isSuccess(sent)) return fail(`${capitalized(what)} was not acknowledged: ${describeResponse(sent)}`, { sent })
  await context.waitForBackground()
  const stopped = await describeStop(context)
  if (stopped) return fail(`After ${what}, ${stopped}`, { sent })
  const service = installed && isProbed(context) ? await installed.awaitService() : undefined
  if (service?.holds === false) {
    await mustServeBefore(context)
    const seen = `probe: ${describeResponse(service.value)}`
    return fail(`${capitalized(what)} was acknowledged and had no effect`, { sent, seen, late: true })
  }
  return pass(`Acknowledged ${what} with ${sent.status}, and worked on`)
}

const isProbed = ({ file, app }: AuditContext) => file.probe !== undefined && app.parts['oauth.install'] !== undefined

/** @throws Inconclusive when the app does not serve an organization that installs it, where a probe can tell. */
const mustServeBefore = async (context: AuditContext) => isProbed(context) && installAndProbe(context)

/** Describes how the app has stopped working, e.g. because its worker died; tries two installs, since one may be late. */
async function describeStop(context: AuditContext): Promise<string | undefined> {
  let issue: string | undefined
  for (const tenant of await context.platform.tenants(2)) {
    const error = attemptOf(await tenant.install())?.error
    if (error) issue = `the app did not acknowledge the next app.installed: ${error}`
    else if (!isProbed(context)) return undefined
    else {
      const { value, holds } = await tenant.awaitService()
      if (holds) return undefined
      issue = `the next app.installed had no effect: the probe returns ${describeResponse(value)}`
    }
  }
  return issue
}
