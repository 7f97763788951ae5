import { AdminError } from '../../control/client/errors.js'
import type { GuardedExchange } from '../../foundation/http-client/guarded-client.js'
import { isLifecycleEvent } from '../../platform/webhooks/lifecycle-events.js'
import { atPointer, describeResponse, isSuccess, matches } from '../audit/app/app-response.js'
import type { Browser } from '../audit/app/browser.js'
import { Inconclusive } from '../audit/app/failures.js'
import { inOrganization } from '../audit/app/file.js'
import type { AuditContext } from '../audit/context/context.js'
import { attemptOf, type Delivery, type Tenant } from '../audit/context/tenant.js'
import { pluralize } from '../reports/pluralize.js'

export const BURST = 8
/** Real time for which a scenario tries what it expects: as often as the sweep does. */
const TRYING = '3s'
/** Real milliseconds after which no further request of a burst is waited for. */
const STRAGGLER = 1_000

/** The organization of one case, and the browser of its owner. */
export interface Subject {
  context: AuditContext
  tenant: Tenant
  browser: Browser
  /** Records that the app's list must show. */
  listed: number
  /** The same as in `ScenarioFacts`. */
  wave: number
}

export interface StepResult {
  holds: boolean
  seen: string
  exchanges: GuardedExchange[]
  /** A harm that the response itself shows. */
  harm?: string | undefined
}

export interface ScenarioFacts extends Pick<AuditContext, 'app' | 'file'> {
  organization: string
  /** The same as in `CasePlan`. */
  status: number | null | undefined
  listed: number
  /** First requests of a burst, which wait for each other so that all of them meet the same state of the platform. */
  wave: number
  sent: string[]
}

export type ScenarioStep = Record<string, unknown>

interface Action {
  /** Sends webhooks, so that the app may work on after it has acknowledged them. */
  delivers?: true
  /** Sends the app nothing. */
  unnoticed?: true
  run(subject: Subject, occurrence: number): Promise<StepResult>
  /** Returns the steps of a scenario that do the same; undefined where no scenario can. @param expects compares responses. */
  scenario?(facts: ScenarioFacts, expects: boolean, occurrence: number): ScenarioStep[]
}

/** Returns an action that a step of the same kind does in a scenario. */
const lifecycle = (kind: 'install' | 'uninstall', deliver: (subject: Subject) => Promise<Delivery | null>): Action => ({
  delivers: true,
  run: async (subject) => acknowledgement(await deliver(subject)),
  scenario: ({ app: { id: app }, organization }, _, occurrence) => [
    { name: `${kind}${occurrence}`, [kind]: { app, organization } },
  ],
})

/** The steps of flows, and what flows end with. sweep: "Flows" */
const actions = {
  install: lifecycle('install', ({ tenant }) => tenant.install()),
  uninstall: lifecycle('uninstall', async ({ context, tenant }) => {
    const { id } = await installationIn(context, tenant)
    return (await context.platform.admin.uninstall(id)).delivery
  }),
  upgrade: {
    delivers: true,
    async run({ context, tenant }) {
      await installationIn(context, tenant)
      await tenant.upgrade()
      const deliveries = await context.platform.admin.listDeliveries({ organization: tenant.slug })
      return acknowledgement(deliveries.at(-1) ?? null)
    },
    scenario: ({ app: { id: app, manifest, nextVersion: version }, organization }) => [
      { push: { ...manifest, version } },
      { name: 'upgrade1', upgrade: { app, organization } },
    ],
  },
  event: {
    delivers: true,
    async run({ context, tenant }, occurrence) {
      const { id: installation } = await installationIn(context, tenant)
      const type = eventOf(context, occurrence)
      return acknowledgement(await context.platform.admin.sendEvent({ type, installation, data: {} }))
    },
    scenario({ app, organization }, _, occurrence) {
      const type = eventOf({ app }, occurrence)
      return [{ name: `event${occurrence}`, event: { app: app.id, organization, type, data: {} } }]
    },
  },
  expire: {
    unnoticed: true,
    async run({ tenant }) {
      const { affected } = await tenant.expireTokens()
      return { holds: true, seen: `${pluralize(affected, 'access token')} expired`, exchanges: [] }
    },
    scenario: ({ organization }) => [{ expire: { organization } }],
  },
  probe: {
    run: async ({ tenant }) => responses([await tenant.probe()], tenant.isOk),
    scenario: probeVisits,
  },
  burst: {
    async run({ context, tenant, wave }) {
      const fault = wave > 0 ? await tenant.fault(holding(wave)) : undefined
      const ended = new AbortController()
      const visits = Promise.all(Array.from({ length: BURST }, () => tenant.probe())).finally(() => ended.abort())
      // An app that asks for less at once is not kept waiting.
      for (let before = 0, now = -1; fault && !ended.signal.aborted && before !== now; now = await fault.hits()) {
        before = now
        await Promise.race([visits, context.wait(STRAGGLER)])
      }
      await fault?.lift()
      return responses(await visits, tenant.isOk)
    },
    scenario(facts, expects) {
      const { app, organization, wave } = facts
      const { match, ...held } = holding(wave)
      return [
        ...(wave > 0 ? [{ fault: { match: { ...match, app: app.id, organization }, ...held } }] : []),
        ...probeVisits(facts, expects, BURST),
      ]
    },
  },
  'not-installed': {
    run: async ({ tenant }) =>
      responses([await tenant.probe()], (sent) => tenant.isNotInstalled(sent) && !tenant.isOk(sent)),
    scenario: probeVisits,
  },
  list: {
    async run({ context: { file }, tenant, listed }) {
      const { sent, count } = await tenant.requestList()
      const response = describeResponse(sent)
      if (!isSuccess(sent)) return { holds: false, seen: response, exchanges: [sent] }
      const of = `${count ?? 'no'} of ${listed} ${file.list?.of}`
      const harm = count === listed ? undefined : `the response to the list was ${response}, with ${of}`
      return { holds: count === listed, seen: `${response}, ${of}`, exchanges: [sent], harm }
    },
    scenario: ({ file: { list }, organization, listed, status }, expects) => {
      if (!list) return []
      const body = (list.count.split('/').slice(1) as string[]).reduceRight<unknown>(
        (inner, key) => (key === 'length' ? { $length: listed } : { [key]: inner }),
        listed,
      )
      const visit = { url: inOrganization(list.url, organization), headers: list.headers }
      return [expects ? { visit: { ...visit, within: TRYING }, expect: { status, body } } : { visit }]
    },
  },
  'sign-in': {
    async run({ context, tenant, browser }) {
      const { whoami } = context.file
      const reached = await browser.signIn(tenant.user)
      const sent = await browser.get(whoami?.url ?? '')
      const user = atPointer(sent.response.body, whoami?.signed_in.user ?? '')
      const holds = matches(sent, whoami?.signed_in) && user !== undefined && user !== null
      const isOther = holds && context.platform.made.some((other) => other !== tenant && other.user.id === user)
      const harm = isOther ? 'the browser is signed in as somebody else' : undefined
      return {
        holds: holds && !isOther,
        seen: reached?.message ?? `whoami: ${describeResponse(sent)}`,
        exchanges: [sent],
        harm,
      }
    },
  },
  acknowledged: {
    async run({ context, tenant }) {
      const deliveries = await context.platform.admin.listDeliveries({ organization: tenant.slug })
      const open = deliveries.filter(({ state }) => state !== 'acknowledged')
      const seen =
        open.map(({ event, state }) => `${event.type} is ${state}`).join(', ') || 'every event is acknowledged'
      return { holds: open.length === 0, seen, exchanges: [] }
    },
    scenario: ({ sent }) =>
      [...new Set(sent)].map((event) => ({
        expect_delivery: { event, count: sent.filter((each) => each === event).length, state: 'acknowledged' },
      })),
  },
} satisfies Record<string, Action>

export type ActionName = keyof typeof actions

/** Returns a fault that lets requests through together. */
const holding = (wave: number) => ({ match: { surface: 'api' as const }, effect: { hold: wave }, times: wave })

export const actionOf = (name: ActionName): Action => actions[name]

/** Custom events of the manifest. */
export const eventsOf = ({ app }: Pick<AuditContext, 'app'>): string[] =>
  (app.manifest.webhook?.events ?? []).filter((type) => !isLifecycleEvent(type))

export function eventOf(context: Pick<AuditContext, 'app'>, occurrence: number): string {
  const events = eventsOf(context)
  return events[(occurrence - 1) % events.length] ?? ''
}

/** Returns the installation that is there now. @throws Inconclusive when there is none. */
export async function installationIn({ platform: { admin } }: Pick<AuditContext, 'platform'>, { slug }: Tenant) {
  const [installation] = await admin.listInstallations({ organization: slug, state: 'installed' })
  if (!installation) throw new Inconclusive('the app is not installed')
  return installation
}

/** Runs a step. A control call that the platform rejects is a step that failed, since an earlier one may have. */
export async function attempt(name: ActionName, subject: Subject, occurrence = 1): Promise<StepResult> {
  try {
    return await actionOf(name).run(subject, occurrence)
  } catch (error) {
    if (!(error instanceof AdminError || error instanceof Inconclusive)) throw error
    return { holds: false, seen: error.message, exchanges: [] }
  }
}

function acknowledgement(delivery: Delivery | null): StepResult {
  if (!delivery) return { holds: true, seen: 'no webhook', exchanges: [] }
  const holds = delivery.state === 'acknowledged'
  const { type } = delivery.event
  const why = attemptOf(delivery)?.error ?? delivery.state
  return { holds, seen: `${type} ${holds ? 'acknowledged' : `not acknowledged: ${why}`}`, exchanges: [] }
}

function responses(exchanges: GuardedExchange[], isRight: (sent: GuardedExchange) => boolean): StepResult {
  const counts = new Map<string, number>()
  for (const sent of exchanges) counts.set(describeResponse(sent), (counts.get(describeResponse(sent)) ?? 0) + 1)
  const seen = [...counts].map(([text, count]) => (count > 1 ? `${count} × ${text}` : text)).join(', ')
  return { holds: exchanges.every(isRight), seen, exchanges }
}

function probeVisits({ file: { probe }, organization, status }: ScenarioFacts, expects: boolean, at_once?: number) {
  if (!probe) return []
  const visit = { url: inOrganization(probe.url, organization), headers: probe.headers, at_once }
  return [expects ? { visit: { ...visit, within: TRYING }, expect: { status } } : { visit }]
}
