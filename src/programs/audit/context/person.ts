import { idsOf } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import type { Browser } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import type { Tenant } from './tenant.js'

/** A visited callback, everything that it led to, and both as evidence. */
export type Landing = Awaited<ReturnType<Person['followCallback']>>

/** The owner of an organization that has the app, at a browser without cookies. */
export type Person = ReturnType<typeof personAt>

export async function createPerson(context: AuditContext): Promise<Person> {
  const tenant = await context.platform.tenant()
  await tenant.install()
  return personAt(context, tenant)
}

/** Creates a browser without cookies that nobody has signed in at; start leads to an organization that has the app. */
export const createVisitor = async (context: AuditContext): Promise<Browser> =>
  (await context.once('organization of visitors', () => createPerson(context))).atAnotherBrowser().browser

function personAt(context: AuditContext, tenant: Tenant) {
  const browser = context.browser(tenant.slug)

  /** Sends an authorization request and signs in at the platform. @returns a callback with a fresh code, not visited yet. */
  async function authorize(request: URL): Promise<URL> {
    const callback = new URL(await browser.passPlatform(request.href, tenant.user))
    const error = callback.searchParams.get('error')
    if (error === null) return callback
    throw new Inconclusive(`the platform rejected the authorization request: ${error}`)
  }

  /** Starts a sign-in and signs in at the platform. @returns a callback with a fresh code, not visited yet. */
  const getCallback = async (): Promise<URL> => authorize(await browser.startSignIn())

  /** Visits a callback, a fresh one when none is given, up to where the app starts another sign-in. */
  async function followCallback(given?: URL, at = browser) {
    const callback = given ?? (await getCallback())
    const since = await context.platform.newestEntry()
    const strict = (await at.appCookies(callback.href)).filter(({ sameSite }) => sameSite === 'strict')
    const visit = await at.followApp(callback.href)
    const session = await context.sessions.read(at)
    const { exchanges } = await tenant.requestsSince(since)
    const redeemed = exchanges.filter(({ status }) => status === 200).length
    const withheld = strict.map(({ key }) => key).join(', ')
    const isSpoilt = callback.searchParams.get('state')?.includes(' ')
    return {
      visit,
      /** Completes a message about a code that was not redeemed; empty if neither a cookie nor the state explains it. */
      hint: withheld
        ? `; browsers send no SameSite=Strict cookie (${withheld}) to it, since another site leads there`
        : isSpoilt
          ? '; the state has come back with a space: if the app sent a "+" there, the URL must have %2B'
          : '',
      sent: visit.sent,
      /** Undefined where `whoami` is not declared. */
      session,
      /** Requests that tried to redeem a code, and those that did. */
      exchanges: exchanges.length,
      redeemed,
      entries: idsOf(exchanges),
      /** The code was redeemed, and a user is signed in as far as `whoami` shows it. */
      isSignIn: redeemed > 0 && (session ? session.user !== undefined : !visit.broken),
    }
  }

  return {
    tenant,
    browser,
    authorize,
    getCallback,
    followCallback,
    atAnotherBrowser: () => personAt(context, tenant),

    /** The positive twin of every negative check of sign-in. @throws Inconclusive when the whole flow fails. */
    async signIn(callback?: URL) {
      const landing = await followCallback(callback)
      if (landing.isSignIn) {
        context.state.hasSignedIn = true
        return landing
      }
      const { hint, redeemed, session, visit } = landing
      const { last } = visit
      const why =
        redeemed === 0
          ? `the code of the callback was not redeemed${hint}`
          : session?.isSignedIn
            ? 'whoami shows no user where its signed_in.user points'
            : `no user is signed in (${describeResponse(last)})`
      throw new Inconclusive(`a normal sign-in does not work: ${why}`, { sent: last, entries: landing.entries })
    },
  }
}

export const canSignIn = ({ file, app }: AuditContext): boolean =>
  file.start !== undefined && app.parts['oauth.authorize'] !== undefined

/** Creates a person and signs in. @throws Inconclusive when a normal sign-in fails. */
export const mustSignIn = async (context: AuditContext): Promise<Landing> => (await createPerson(context)).signIn()

/** Describes how the app accepted a callback that it should reject. @param before the user who was signed in before it. */
export function describeAcceptance({ visit, session, redeemed }: Landing, before?: unknown): string | undefined {
  const isSame = before !== undefined && String(session?.user) === String(before)
  if (session?.isSignedIn && !isSame) return 'signed the browser in'
  if (redeemed > 0) return 'was accepted: the app redeemed its code'
  if (visit.broken) return `was rejected, but the app failed (${describeResponse(visit.broken)})`
  return visit.isEndless ? 'ended in a redirect loop' : undefined
}
