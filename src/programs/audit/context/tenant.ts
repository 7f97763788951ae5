import { randomBytes } from 'node:crypto'
import type { Admin } from '../../../control/client/admin.js'
import type { WireExchange } from '../../../control/client/wire.js'
import { type Duration, shortDuration } from '../../../foundation/schema/duration.js'
import { idsOf, markJournal, mustCall, mustHaveRefreshed, readAppRequests, summaryOf } from './app-requests.js'
import { describeResponse, matches } from './app-response.js'
import type { AppUnderTest } from './app-under-test.js'
import type { Browser } from './browser.js'
import { Inconclusive } from './failures.js'
import type { AuditFile } from './file.js'
import type { Patience } from './patience.js'
import { poll } from './polling.js'
import type { Secrets } from './secrets.js'

/** Longer than the 30 s that an app has to respond in, whatever the platform does. audit: `api.outage` */
const PROBE_TIMEOUT = 35_000

export type FaultBody = Parameters<Admin['addFault']>[0]
export type Delivery = NonNullable<Awaited<ReturnType<Admin['install']>>['delivery']>
type Credentials = NonNullable<Awaited<ReturnType<Admin['install']>>['credentials']>

/** The parts of a run that an organization needs. */
export interface TenantParts {
  admin: Admin
  app: Pick<AppUnderTest, 'id' | 'manifest' | 'version'>
  file: Pick<AuditFile, 'probe' | 'whoami' | 'background'>
  secrets: Secrets
  browser: () => Browser
  nextVersion: () => Promise<string>
  wait: (ms: number) => Promise<void>
  patience: Patience
}

/** An organization of a check's own, with one owner, a course, and nothing installed. */
export type Tenant = ReturnType<typeof createTenant>

export function createTenant(parts: TenantParts, run: string, number: number) {
  const { admin, app, file, secrets, browser, nextVersion, wait, patience } = parts
  // Numbers of one length: no slug is the beginning of another one. audit: `webhook.never-installed`
  const slug = `${run}-${String(number).padStart(4, '0')}`
  const name = `Audit ${number}`
  const user = { id: `${slug}-owner`, email: `${slug}@mockademy.test`, full_name: `Audit Owner ${number}` }
  let installed: Awaited<ReturnType<Admin['install']>> | undefined

  const learn = ({ access_token, refresh_token }: { access_token?: string; refresh_token?: string }) => {
    secrets.add(access_token, 'access token')
    secrets.add(refresh_token, 'refresh token')
  }

  /** Installs the app. Without `announce`, no webhook is sent. */
  async function install(announce = true): Promise<Delivery | null> {
    installed = await admin.install({ app: app.id, organization: slug, version: app.version, announce })
    learn(installed.credentials ?? {})
    return installed.delivery
  }

  const installation = () => {
    if (!installed) throw new Error(`nothing is installed in ${slug}`)
    return installed.installation
  }

  /** @param spelling of the organization in the URL, when it is not its own slug. */
  const urlOf = (template: string, spelling = encodeURIComponent(slug)) =>
    template.replaceAll('{organization}', spelling)

  let owners: Promise<Browser> | undefined

  /** Returns the browser of the owner, signed in where a sign-in works: the app need not be installed. */
  async function ownersBrowser(): Promise<Browser> {
    owners ??= signIn(browser())
    const current = owners
    const at = await current
    const { whoami } = file
    if (!whoami || matches(await at.get(whoami.url), whoami.signed_in)) return at
    if (owners === current) owners = signIn(at)
    return owners
  }

  async function signIn(at: Browser): Promise<Browser> {
    try {
      const request = await at.startSignIn()
      await at.followApp(await at.passPlatform(request.href, user))
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error
    }
    return at
  }

  /** Makes the app call `/v0` for the organization. Only for checks that need `probe`. @param spelling as for `urlOf`. */
  const probe = (spelling?: string): Promise<WireExchange> =>
    visit(file.probe?.url ?? '', file.probe?.headers, spelling)

  /** Requests a page of the app about the organization, as who the audit's file says. @param template of its URL. */
  async function visit(template: string, headers?: Record<string, string>, spelling?: string): Promise<WireExchange> {
    const from = file.probe?.as === 'signed_in' ? await ownersBrowser() : browser()
    return from.get(urlOf(template, spelling), { headers, timeout: PROBE_TIMEOUT })
  }

  const isOk = (exchange: WireExchange) => matches(exchange, file.probe?.ok)

  /** Repeats a probe until it works or `background` is over. */
  const awaitService = () => poll(() => probe(), isOk, { within: patience.background(), wait })

  /**
   * The positive twin of most checks of the API: the app serves the organization, at the latest when `background` is over.
   * @throws Inconclusive when it does not, and when it does so without a call to `/v0`.
   */
  async function mustServe(when: string): Promise<WireExchange> {
    const { value: sent, holds } = await awaitService()
    if (!holds) {
      const time = `also after ${shortDuration(file.background)} ("background")`
      throw new Inconclusive(`the probe does not work ${when}: ${describeResponse(sent)}, ${time}`, { sent })
    }
    // An app that always responds the same has not shown that it serves anything.
    mustCall((await requestsSince(0)).api)
    return sent
  }

  /**
   * Expires the access token and makes the app refresh it.
   * @throws Consequence when the app sends no refresh, Inconclusive when the probe does not work after one.
   */
  async function mustRefresh(): Promise<void> {
    const mark = await markJournal(admin)
    await admin.expireTokens({ organization: slug })
    const { value: sent, holds } = await awaitService()
    const { rejected, refreshes } = await requestsSince(mark)
    const seen = `${describeResponse(sent)}; ${summaryOf({ api: rejected, refreshes })}`
    const evidence = { sent, seen, entries: idsOf([...rejected, ...refreshes]) }
    mustHaveRefreshed({ rejected, refreshes }, evidence)
    if (!holds) throw new Inconclusive(`the probe does not work after a refresh: ${seen}`, evidence)
  }

  /** Probes and returns the response when it works; undefined when it does not, and where no `probe` is declared. */
  async function findService(): Promise<WireExchange | undefined> {
    if (!file.probe) return undefined
    const exchange = await probe()
    return isOk(exchange) ? exchange : undefined
  }

  /** Returns what the app requested for the organization since a mark. */
  const requestsSince = (mark: number) => readAppRequests(admin, slug, mark)

  /** Adds a fault for this organization and the app; other organizations are not touched. */
  async function fault({ match, ...body }: FaultBody) {
    const { id } = await admin.addFault({ ...body, match: { ...match, app: app.id, organization: slug } })
    return {
      id,
      hits: async () => (await admin.listFaults()).find((each) => each.id === id)?.hits ?? 0,
      /** Removes the fault and releases the requests that it holds. */
      lift: () => admin.deleteFault(id),
    }
  }

  /** Probes once and returns what the app requested meanwhile, as evidence too. */
  async function observeProbe() {
    const mark = await markJournal(admin)
    const sent = await probe()
    const requests = await requestsSince(mark)
    return { sent, isOk: isOk(sent), seen: `${describeResponse(sent)}; ${summaryOf(requests)}`, ...requests }
  }

  return {
    number,
    slug,
    name,
    /** Name of its course: a page that shows it has read this organization. */
    marker: `course of ${slug}.`,
    user,
    urlOf,
    /** The page that the platform opens after an install. */
    landingPage(): string {
      const url = new URL(app.manifest.post_install_action?.url ?? '')
      url.searchParams.set('organization', slug)
      return url.href
    },
    install,
    probe,
    visit,
    isOk,
    awaitService,
    mustServe,
    mustRefresh,
    findService,
    requestsSince,

    /** @throws Inconclusive when the app does not acknowledge the webhook. */
    async uninstall(): Promise<void> {
      const { delivery } = await admin.uninstall(installation().id)
      mustBeAcknowledged(delivery, 'app.uninstalled')
    },

    /** Uninstalls the app, which does not hear of it. @returns the delivery that never reached it. */
    async uninstallUnheard(): Promise<Delivery> {
      const match = { surface: 'webhook', event: 'app.uninstalled' } as const
      await fault({ match, effect: 'drop', times: 1 })
      const { delivery } = await admin.uninstall(installation().id)
      if (!delivery) throw new Inconclusive('no app.uninstalled was sent')
      return delivery
    },

    /** Signs the owner in again before the next probe, where probes are those of a signed-in person. */
    endSession(): void {
      owners = undefined
    },

    /** Upgrades the app to a version that is the same but for its number. */
    async upgrade(): Promise<void> {
      const { credentials } = await admin.upgrade(installation().id, await nextVersion())
      learn(credentials ?? {})
    },

    /** The webhook of the installation as the platform would write it. wire: §7 "envelope" */
    envelope(changes: { type?: string; data?: Record<string, unknown>; credentials?: Credentials } = {}) {
      const { id, version, installed_at } = installation()
      const { type = 'app.installed', data, credentials = installed?.credentials } = changes
      return {
        id: `evt_${randomBytes(12).toString('hex')}`,
        type,
        created_at: installed_at,
        installation_id: id,
        data: data ?? {
          organization: { id: slug, name },
          app: { id: app.id, name: app.manifest.name, version },
          installer: user,
          ...(credentials && { credentials }),
        },
      }
    },

    expireTokens: () => admin.expireTokens({ organization: slug }),

    /** Mints a token pair as the token endpoint does. @param ttl of the access token. */
    async mint(ttl: Duration) {
      const minted = await admin.mintTokens({ app: app.id, organization: slug, ttl })
      learn(minted)
      return minted
    },

    fault,
    observeProbe,

    /** Expires the access token and probes once. */
    async observeRefresh() {
      await admin.expireTokens({ organization: slug })
      return observeProbe()
    },

    /** Probes once under a fault of `/v0` or the token endpoint and lifts it. */
    async observeProbeUnder(body: FaultBody) {
      const { hits, lift } = await fault(body)
      const probe = await observeProbe()
      const calls = await hits()
      await lift()
      return { ...probe, calls }
    },
  }
}

/** The newest attempt of a delivery. */
export const attemptOf = (delivery: Delivery | null): Delivery['attempts'][number] | undefined =>
  delivery?.attempts.at(-1)

/** @throws Inconclusive when the app did not acknowledge a webhook that was sent. */
export function mustBeAcknowledged(delivery: Delivery | null, event: string): void {
  if (!delivery || delivery.state === 'acknowledged') return
  throw new Inconclusive(`the app did not acknowledge ${event}: ${attemptOf(delivery)?.error}`)
}
