import type { Admin } from '../../../control/client/admin.js'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { shortDuration } from '../../../foundation/schema/duration.js'
import {
  idsOf,
  mustCall,
  mustHaveRefreshed,
  newestEntry,
  readAppRequests,
  silenceAt,
  summaryOf,
} from '../app/app-requests.js'
import { atPointer, describeResponse, isBroken, isSuccess, matches } from '../app/app-response.js'
import type { AppUnderTest } from '../app/app-under-test.js'
import type { Browser } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import { type AuditFile, inOrganization } from '../app/file.js'
import type { createSessionReader, Once } from '../app/session.js'
import type { Patience } from '../timing/patience.js'
import { poll } from '../timing/polling.js'

/** Longer than the 30 s that an app has to respond in, whatever the platform does. audit: `api.outage` */
const PROBE_TIMEOUT_MS = 35_000

export interface ServiceParts {
  admin: Admin
  app: AppUnderTest
  baseUrl: string
  file: AuditFile
  browser: (slug?: string) => Browser
  sessions: ReturnType<typeof createSessionReader>
  once: Once
  wait: (ms: number) => Promise<void>
  patience: Patience
}

/** Observes an organization through the app: its pages and its requests to the platform. */
export function observeService(
  { admin, app, baseUrl, file, browser, sessions, wait, patience }: ServiceParts,
  { slug, user }: { slug: string; user: { id: string } },
) {
  /** @param spelling replaces the slug in the URL. */
  const urlOf = (template: string, spelling?: string) => inOrganization(template, slug, spelling)

  let owners: Promise<Browser> | undefined

  /** Returns the browser of the owner, signed in where a sign-in works: the app need not be installed. */
  async function ownersBrowser(): Promise<Browser> {
    owners ??= signedIn(browser(slug))
    const current = owners
    const at = await current
    const { whoami } = file
    if (!whoami || (await sessions.findUser(await at.get(whoami.url))) !== undefined) return at
    if (owners === current) owners = signedIn(at)
    return owners
  }

  let signInFailure: Inconclusive | undefined
  async function signedIn(at: Browser): Promise<Browser> {
    signInFailure = await at.signIn(user)
    return at
  }

  /** @throws Inconclusive when pages are requested as the owner, who could not be signed in. */
  function mustHaveOwner(): void {
    if (signInFailure === undefined) return
    const { message, evidence } = signInFailure
    throw new Inconclusive(`the owner could not be signed in: ${message}`, evidence)
  }

  /** Makes the app call `/v0` for the organization. Only for checks that need `probe`. @param spelling as for `urlOf`. */
  const probe = (spelling?: string): Promise<GuardedExchange> =>
    visit(file.probe?.url ?? '', file.probe?.headers, spelling)

  /** Requests a page of the app about the organization, as who the audit's file says. @param template of its URL. */
  async function visit(
    template: string,
    headers?: Record<string, string>,
    spelling?: string,
  ): Promise<GuardedExchange> {
    const from = file.probe?.as === 'signed_in' ? await ownersBrowser() : browser()
    return from.get(urlOf(template, spelling), { headers, timeout: PROBE_TIMEOUT_MS })
  }

  const isOk = (exchange: GuardedExchange) => matches(exchange, file.probe?.ok)

  /**
   * Compares a response about an organization without the app. The platform signs no person in to an app that their
   * organization does not have: to the app, which may have ended their session, they are signed out.
   */
  const isNotInstalled = (exchange: GuardedExchange): boolean => {
    const { as, not_installed } = file.probe ?? {}
    return !not_installed || (as === 'signed_in' && !isBroken(exchange)) || matches(exchange, not_installed)
  }

  const awaitService = (isDecided = isOk) => poll(() => probe(), isDecided, { within: patience.background(), wait })

  /**
   * The positive twin of most checks of the API: the app serves the organization, at the latest when `background` is over.
   * @throws Inconclusive when it does not, and when it does so without a call to `/v0`.
   */
  async function mustServe(when: string): Promise<GuardedExchange> {
    const { value: sent } = await awaitService((exchange) => isOk(exchange) || signInFailure !== undefined)
    if (!isOk(sent)) {
      mustHaveOwner()
      const time = `also after ${shortDuration(file.background)} ("background")`
      const whose = file.probe?.as === 'signed_in' ? ' for the owner, who has signed in' : ''
      const lists = [{ surface: 'api' }, { path: '/oauth/token' }] as const
      const heard = await Promise.all(lists.map((list) => admin.listRequests({ ...list, app: app.id, limit: 1 })))
      const silence = heard.flat().length > 0 ? '' : `; ${silenceAt(baseUrl)}`
      const response = `${describeResponse(sent)}, ${time}${silence}${pinHint(sent)}`
      throw new Inconclusive(`the probe does not work ${when}${whose}: ${response}`, { sent })
    }
    // An app that always responds the same has not shown that it serves anything.
    mustCall((await requestsSince(0)).api, { sent })
    return sent
  }

  /** Completes a message about a signed-in owner who is refused; empty where the file says for whom to sign in. */
  const pinHint = ({ status }: GuardedExchange): string =>
    file.probe?.as === 'signed_in' && [302, 401, 403].includes(status ?? 0) && !file.start?.includes('{organization}')
      ? '; if your app signs people in for one organization, put {organization} into start'
      : ''

  const requestsSince = (since: number) => readAppRequests(admin, slug, since)

  const expireTokens = () => admin.expireTokens({ organization: slug })

  /** Probes once and returns what the app requested meanwhile, as evidence too. */
  async function observeProbe() {
    const since = await newestEntry(admin)
    const sent = await probe()
    const requests = await requestsSince(since)
    return { sent, isOk: isOk(sent), seen: `${describeResponse(sent)}; ${summaryOf(requests)}`, ...requests }
  }

  return {
    urlOf,
    probe,
    isOk,
    isNotInstalled,
    awaitService,
    mustHaveOwner,
    mustServe,
    requestsSince,
    expireTokens,
    observeProbe,

    /** Probes and returns the response when it works; undefined when it does not, and where no `probe` is declared. */
    async findService(): Promise<GuardedExchange | undefined> {
      if (!file.probe) return undefined
      const exchange = await probe()
      return isOk(exchange) ? exchange : undefined
    },

    /** Requests the list of the organization's records. @returns no count when the response is no list. */
    async requestList(): Promise<{ sent: GuardedExchange; count: number | undefined }> {
      const sent = await visit(file.list?.url ?? '', file.list?.headers)
      const value = isSuccess(sent) ? atPointer(sent.response.body, file.list?.count ?? '') : undefined
      const count = Array.isArray(value) ? value.length : value
      return { sent, count: typeof count === 'number' ? count : undefined }
    },

    /**
     * Expires the access token, and makes the app refresh it.
     * @throws Consequence when no refresh comes, Inconclusive when the probe fails after one.
     */
    async mustRefresh(): Promise<void> {
      const since = await newestEntry(admin)
      await expireTokens()
      const { value: sent, holds } = await awaitService()
      const requests = await requestsSince(since)
      const { rejected, refreshes } = requests
      const seen = `${describeResponse(sent)}; ${summaryOf({ api: rejected, refreshes })}`
      const evidence = { sent, seen, entries: idsOf([...rejected, ...refreshes]) }
      mustHaveRefreshed(requests, evidence)
      if (!holds) throw new Inconclusive(`the probe does not work after a refresh: ${seen}`, evidence)
    },

    async observeRefresh() {
      await expireTokens()
      return observeProbe()
    },

    /** Signs the owner in again before the next probe, where probes are those of a signed-in person. */
    endSession(): void {
      owners = undefined
    },
  }
}
