import type { Cookie } from 'tough-cookie'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { units } from '../../../foundation/schema/duration.js'
import { pluralize } from '../../reports/pluralize.js'
import { idsOf } from '../app/app-requests.js'
import { addressesIn, describeResponse, isBroken, isClientError, isSuccess } from '../app/app-response.js'
import type { Visit } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import { addressOf, elementsIn, hasSamePath, type PageElement, pageText } from '../app/page.js'
import type { AuditContext } from '../context/context.js'
import { decodingsOf } from '../context/decodings.js'
import { createPerson, createVisitor } from '../context/person.js'
import { failSignIn } from './callbacks.js'
import { defineChecks, fail, pass, signInNeeds, skip } from './check.js'
import { isAmong, namesOf, necessaryCookies } from './session-secrets.js'

/** The longest default of frameworks: Auth.js keeps sessions for 30 days, Flask for 31. */
const MAX_DAYS = 31

export const sessions = defineChecks({ needs: signInNeeds })({
  'signin.subject': {
    title: 'identifies accounts by sub, not by email',
    severity: 'critical',
    needs: [...signInNeeds, 'whoami'],
    source: 'spec: §4.9, §5.4.4',
    expected: 'The same sub with a new email is the same account. Another sub with that email is another account.',
    fix: 'Key accounts by sub. An email address can change, and can pass to another person.',
    Node: 'Passport: findOrCreate({ sub: profile.id }), not by email',
    Python: 'python-social-auth: leave social_core.pipeline.social_auth.associate_by_email out',
    Ruby: 'OmniAuth: find_or_create_by(provider:, uid: auth.uid)',
    PHP: "Laravel Socialite: User::firstOrCreate(['sub' => $user->getId()])",
    async run(context) {
      const { admin } = context.platform
      const person = await createPerson(context)
      const { id, email } = person.tenant.user
      const before = (await person.signIn()).session
      if (before?.user === email) {
        const advice = 'point it to the ID of the account, or, if the email is the ID, key accounts by sub'
        throw new Inconclusive(`the key whoami.signed_in.user points to the email: ${advice}`, before)
      }
      await admin.updateUser(id, { email: `renamed-${email}` })
      const heir = await createPerson(context)
      await admin.updateUser(heir.tenant.user.id, { email })
      // The heir comes first: a sign-in of the first user would replace the email that the app has stored.
      const inherited = (await heir.followCallback()).session
      const after = (await person.atAnotherBrowser().signIn()).session
      // An app whose emails are unique may refuse the heir until it has seen the first user's new email.
      const later = (await heir.atAnotherBrowser().signIn()).session
      const taken = [inherited, later].find((session) => String(session?.user) === String(before?.user))
      if (taken) return fail("Another sub with the former email of a user got that user's account", taken)
      if (String(after?.user) !== String(before?.user)) {
        const seen = `${before?.user}, then ${after?.user}`
        return fail('The same sub with a new email got another account', { sent: after?.sent, seen })
      }
      return pass('Accounts are keyed by sub: a new email keeps the account, and a reused email does not take one over')
    },
  },
  'signin.cookie': {
    title: 'keeps its session in a safe cookie',
    severity: 'high',
    source: 'spec: §5.4.4; ASVS 5.0 3.3, 7.2.4',
    expected:
      'The session cookie is HttpOnly, has SameSite=Lax or Strict, and holds no token of the platform, plain, encoded or compressed. It ends within a month.',
    fix: 'Set both attributes, make a session of your own once the id_token is verified, and discard all tokens. Strict is for cookies that neither the callback nor the page it redirects to needs: the platform leads there, and browsers withhold it. With None, other sites can send requests as the user; the platform opens apps as pages, for which Lax is enough. If another site embeds the app, list this check under "accept".',
    Node: "express: response.cookie(name, id, { httpOnly: true, sameSite: 'lax', secure: true })",
    Python:
      "Flask: SESSION_COOKIE_SAMESITE='Lax', and nothing but the user's sub in `session`, which is readable to its owner",
    Go: 'http.Cookie{HttpOnly: true, SameSite: http.SameSiteLaxMode}',
    Ruby: 'Rails: cookies[:name] = { value:, httponly: true, same_site: :lax }',
    PHP: "session_set_cookie_params(['httponly' => true, 'samesite' => 'Lax'])",
    async run(context) {
      const { whoami } = context.file
      const person = await createPerson(context)
      const callback = await person.getCallback()
      const url = whoami?.url ?? callback.href
      const before = await person.browser.appCookies(url)
      const { sent } = await person.signIn(callback)
      const after = await person.browser.appCookies(url)
      await context.platform.learnSecrets()
      for (const cookies of sequencesOf(after)) {
        const value = cookies.map((cookie) => cookie.value).join('')
        const kinds = new Set(decodingsOf(value).flatMap(context.secrets.foundIn))
        if (kinds.size === 0) continue
        const holders =
          cookies.length > 1 ? `cookies ${namesOf(cookies)} together hold` : `cookie ${namesOf(cookies)} holds`
        return fail(`The ${holders} the ${[...kinds].join(' and the ')} of the sign-in`, { sent })
      }

      const isOld = isAmong(before)
      const held = whoami ? await necessaryCookies(context, after) : after.filter((cookie) => !isOld(cookie))
      if (held.length === 0) return fail('The app has no session cookie, or does not change it at sign-in', { sent })
      const issues = held.flatMap((cookie) => attributeIssues(cookie).map((issue) => `${cookie.key} ${issue}`))
      if (issues.length === 0) {
        // Without whoami, they may be cookies of other uses.
        const days = whoami ? Math.max(...held.map(lifetimeInDays)) : 0
        if (days > MAX_DAYS) {
          const message = `The session cookie lasts ${days} days; a session of a sign-in at the platform is short-lived`
          return { outcome: 'warn', message, sent }
        }
        const count = pluralize(after.length, 'cookie')
        return pass(`${namesOf(held)}: HttpOnly and SameSite; no token in ${count}, decoded too`)
      }
      if (whoami || held.every((cookie) => attributeIssues(cookie).length > 0)) {
        return fail(`The session cookie ${issues.join('; ')}`, { sent })
      }
      return skip('Declare "whoami", so that the audit can tell which cookie holds the session')
    },
  },
  'signin.silent': {
    explainedBy: ['signin.request', 'signin.works'],
    title: 'signs in silently after the install',
    severity: 'medium',
    needs: [...signInNeeds, 'post_install_action'],
    source: 'spec: §5.4.5',
    expected:
      'The landing page sends prompt=none and the organization. On login_required, the app starts its normal sign-in.',
    fix: 'Forward the `organization` parameter to /oauth/authorize with prompt=none. On login_required, fall back to the normal sign-in once. Return from the callback to the setup page, outside of a try block where redirects are exceptions (Next.js).',
    async run(context) {
      const { tenant, browser, atAnotherBrowser } = await createPerson(context)
      const page = tenant.landingPage()
      const start = tenant.urlOf(context.file.start ?? '')
      const notStarted = async ({ last }: Visit) => {
        mustHaveNoScript(last)
        const { stopped } = await atAnotherBrowser().browser.visitStart()
        const followsFrom = stopped ? undefined : 'signin.request'
        return fail('The post-install landing page does not start a sign-in', { sent: last, seen: page, followsFrom })
      }
      const landing = await browser.openPage(page)
      const { stopped: request } = landing
      if (!request) return notStarted(landing)
      const query = new URL(request).searchParams
      if (query.get('prompt') !== 'none') {
        return fail('The landing page starts a sign-in without prompt=none', { seen: request })
      }
      if (query.get('organization') !== tenant.slug) {
        return fail('The silent sign-in does not forward the organization', { seen: request })
      }

      // The browser has no session at the platform, which redirects it back with login_required.
      const back = await browser.followApp(request)
      const when = 'After login_required, the app'
      if (back.broken) return fail(`${when} failed (${describeResponse(back.broken)})`, back)
      if (back.isEndless) return fail(`${when} redirects in a loop`, back)
      if (back.stopped && new URL(back.stopped).searchParams.get('prompt') === 'none') {
        return fail(`${when} sends prompt=none again, which never ends`, back)
      }
      // A frame leaves the normal sign-in to its page.
      const pages = [back.last, landing.last]
      if (!back.stopped && !pages.some((each) => offersSignIn(start, each))) {
        pages.forEach(mustHaveNoScript)
        return fail(`${when} starts no normal sign-in and shows a page instead`, { sent: back.last })
      }

      // With a session there, the silent sign-in must succeed. Another browser starts the sign-in that leads to the
      // session, since some apps cannot end a sign-in beside one that they have begun before.
      const signedIn = atAnotherBrowser()
      await signedIn.authorize(await atAnotherBrowser().browser.startSignIn())
      const again = await signedIn.browser.openPage(page)
      if (!again.stopped) return notStarted(again)
      const since = await context.platform.newestEntry()
      const { sent, last: end } = await signedIn.browser.follow(again.stopped)
      const { exchanges } = await tenant.requestsSince(since)
      const session = await context.sessions.read(signedIn.browser)
      const evidence = { sent, entries: idsOf(exchanges) }
      if (!exchanges.some(({ status }) => status === 200)) {
        return fail('The app did not redeem the code of the silent sign-in', evidence)
      }
      if (session && !session.isSignedIn) {
        return fail('After the silent sign-in, the browser is not signed in', evidence)
      }
      const wrongEnd = 'The silent sign-in succeeds, but the browser ends'
      const endedAt = { ...evidence, sent: end }
      // A server of pages beside the app, as in development, may have what the app does not find.
      if (isBroken(end) || (isClientError(end) && end.status !== 404)) return fail(`${wrongEnd} at an error`, endedAt)
      const url = new URL(end.url)
      if (!hasSamePath(url, page) && offersSignIn(start, end) && (await isPageOfFailure(context, end))) {
        return fail(`${wrongEnd} on the page of failed sign-ins (${url.pathname})`, endedAt)
      }

      const { stopped, last } = await signedIn.browser.followApp(page)
      if (stopped || !isSuccess(last)) {
        const seen = stopped && 'another sign-in'
        return fail('The landing page does not open for a person who is signed in', { sent: last, seen })
      }
      const where = isSuccess(landing.last) ? ' in an iframe' : ''
      const then = back.stopped ? 'the normal sign-in' : 'a page that offers one'
      return pass(`A silent sign-in${where} with the organization; after login_required, ${then}`)
    },
  },
})

/**
 * Returns true if a failed sign-in ends on this page with the same text. Not judged: the home page, the page of a callback,
 * and a page whose query tells it of the failure, which a script may show.
 */
async function isPageOfFailure(context: AuditContext, page: GuardedExchange): Promise<boolean> {
  const url = new URL(page.url)
  if ([url.origin, ...context.app.callbacks].some((each) => hasSamePath(url, each))) return false
  const { last } = await failSignIn(context, await createVisitor(context), 'access_denied')
  const end = new URL(last.url)
  const isTold = [...end.searchParams.keys()].some((key) => !url.searchParams.has(key))
  return hasSamePath(end, url.href) && !isTold && pageText(last.response.body) === pageText(page.response.body)
}

/** Returns true for a page that is no error and leads to the normal sign-in, or asks by a form of the app's own who the person is. */
function offersSignIn(start: string, page: GuardedExchange): boolean {
  const { origin, pathname } = new URL(start)
  const links = addressesIn(page, ['href', 'action'], ({ name }) => ['a', 'form'].includes(name))
  const isOwn = ({ attribs: { action = '' } }: PageElement) => addressOf(action, page.url)?.origin === origin
  const forms = elementsIn(page.response.body, (element) => element.name === 'form' && isOwn(element))
  const isIdentity = ({ name, attribs: { type, name: key, autocomplete } }: PageElement) =>
    name === 'input' &&
    type !== 'hidden' &&
    /mail|user|login|account|phone|password/i.test(`${type} ${key} ${autocomplete}`)
  const asks = forms.some((form) => /post/i.test(form.attribs.method ?? '') && elementsIn(form, isIdentity).length > 0)
  return isSuccess(page) && (asks || links.some((link) => link.pathname === pathname))
}

/** @throws Inconclusive for a page whose script may start the sign-in that the page itself does not start. */
function mustHaveNoScript(page: GuardedExchange): void {
  if (!isSuccess(page) || elementsIn(page.response.body, ({ name }) => name === 'script').length === 0) return
  const message = 'starts no sign-in without JavaScript, and the audit runs no scripts'
  throw new Inconclusive(`${new URL(page.url).pathname} ${message}`, { sent: page })
}

/** Returns every sequence of consecutive cookies, since frameworks split values above 4 KB. */
const sequencesOf = (cookies: Cookie[]): Cookie[][] =>
  cookies.flatMap((_, more) => cookies.slice(more).map((_, start) => cookies.slice(start, start + more + 1)))

/** Returns 0 for a cookie that ends with the browser. */
function lifetimeInDays(cookie: Cookie): number {
  const time = cookie.TTL()
  return Number.isFinite(time) ? Math.round(time / units.d) : 0
}

const attributeIssues = ({ httpOnly, sameSite = '' }: Cookie): string[] => [
  ...(httpOnly ? [] : ['is not HttpOnly']),
  ...(/^(lax|strict)$/i.test(sameSite)
    ? []
    : [`has ${sameSite ? `SameSite=${sameSite.toLowerCase()}` : 'no SameSite'}`]),
]
