import type { WireExchange } from '../../../control/client/wire.js'
import type { Browser, Visit } from '../actors/browser.js'
import { idsOf, type Tenant } from '../actors/platform.js'
import { valueAt } from '../pointer.js'
import type { Scene } from '../scene.js'
import { Inconclusive } from '../verdict.js'
import { answersAs, saidBy } from './probes.js'

/** A person of their own, in an organization that has the app, at a browser that knows neither. */
export interface Person {
  tenant: Tenant
  browser: Browser
}

export async function person(scene: Scene): Promise<Person> {
  const tenant = await scene.platform.tenant()
  await scene.platform.install(tenant)
  return { tenant, browser: scene.browser() }
}

/** The request to authorize that a sign-in begins with. @throws Inconclusive when `start` leads elsewhere. */
export async function begun(browser: Browser, start?: string): Promise<URL> {
  const { stopped, last } = await browser.begin(start)
  if (stopped !== undefined) return new URL(stopped)
  throw new Inconclusive(`start does not lead to the platform's /oauth/authorize: ${saidBy(last)}`, { sent: last })
}

/** A callback with a code that the platform has just issued, not visited yet. */
export async function callbackFor({ browser, tenant }: Person, start?: string): Promise<URL> {
  const authorize = await begun(browser, start)
  const callback = new URL(await browser.throughPlatform(authorize.href, tenant.user))
  const error = callback.searchParams.get('error')
  if (error === null) return callback
  throw new Inconclusive(`the platform rejected the authorization request: ${error}`)
}

/** Visits a callback and follows the app from there, up to where it would begin another sign-in. */
export const land = (browser: Browser, callback: URL): Promise<Visit> =>
  browser.follow(callback.href, { stopAt: browser.isAuthorize })

export interface BrowserSession {
  isIn: boolean
  /** What `whoami.signed_in.user` points at. */
  user: unknown
  sent: WireExchange
}

/** Whose session a browser has; undefined where `whoami` is not declared. @throws Inconclusive for any other answer. */
export async function session({ file: { whoami } }: Scene, browser: Browser): Promise<BrowserSession | undefined> {
  if (!whoami) return undefined
  const sent = await browser.get(whoami.url)
  const user = valueAt(sent.answer.body, whoami.signed_in.user)
  if (answersAs(sent, whoami.signed_in) && user !== undefined && user !== null) return { isIn: true, user, sent }
  if (answersAs(sent, whoami.signed_out)) return { isIn: false, user: undefined, sent }
  throw new Inconclusive(`the response of whoami matches neither signed_in nor signed_out: ${saidBy(sent)}`, { sent })
}

/** What came of a callback. */
export interface Landing {
  visit: Visit
  /** Undefined where `whoami` is not declared. */
  session: BrowserSession | undefined
  /** Codes that the token endpoint took. */
  redeemed: number
  /** Whatever the app sent there, taken or not. */
  exchanges: number
  entries: number[]
}

/** Visits a callback and looks at everything that it led to. */
export async function landed(scene: Scene, { browser, tenant }: Person, callback: URL): Promise<Landing> {
  const mark = await scene.platform.mark()
  const visit = await land(browser, callback)
  const found = await session(scene, browser)
  const { exchanges } = await scene.platform.requests(tenant, mark)
  const redeemed = exchanges.filter(({ status }) => status === 200).length
  return { visit, session: found, redeemed, exchanges: exchanges.length, entries: idsOf(exchanges) }
}

/** Whether a landing is a sign-in: the code was redeemed, and `whoami` says so where it is declared. */
export const isSignIn = ({ redeemed, session, visit }: Landing): boolean =>
  redeemed > 0 && (session?.isIn ?? !isBroken(visit))

/** The answer of the app that is a failure of its own: 5xx, or none. */
export const brokenHop = ({ hops }: Visit): WireExchange | undefined =>
  hops.find(({ status }) => status === null || status >= 500)

const isBroken = (visit: Visit) => brokenHop(visit) !== undefined

/** The positive twin of every negative check of sign-in: the whole flow, untouched. @throws Inconclusive */
export async function signedInPerson(scene: Scene, whom?: Person): Promise<Person & { landing: Landing }> {
  const who = whom ?? (await person(scene))
  const landing = await landed(scene, who, await callbackFor(who))
  if (isSignIn(landing)) return { ...who, landing }
  const why =
    landing.redeemed === 0 ? 'the code was not redeemed' : `nobody is signed in (${saidBy(landing.visit.last)})`
  throw new Inconclusive(`a normal sign-in does not work: ${why}`, {
    sent: landing.visit.last,
    entries: landing.entries,
  })
}

/** What is wrong with what a callback led to that the app should have refused. */
export function accepted({ visit, session, redeemed }: Landing): string | undefined {
  const broken = brokenHop(visit)
  if (session?.isIn) return 'signed the browser in'
  if (redeemed > 0) return 'was accepted: the app redeemed its code'
  if (broken) return `was rejected, but the app failed (${saidBy(broken)})`
  return visit.endless ? 'ended in a redirect loop' : undefined
}
