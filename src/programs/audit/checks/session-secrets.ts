import type { Cookie } from 'tough-cookie'
import type { WireExchange } from '../../../control/client/wire.js'
import { capitalised } from '../../reports/capitalised.js'
import { describeResponse, fieldsOf } from '../context/app-response.js'
import type { Browser } from '../context/browser.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { inParallel } from '../context/in-parallel.js'
import { elementsIn } from '../context/page.js'
import { createPerson, type Landing, type Person } from '../context/person.js'
import { defineChecks, fail, pass } from './check.js'
import { randomTexts } from './library-words.js'
import { randomBitsOf } from './randomness.js'
import { hasSameSite, necessaryCookies } from './sessions.js'

const SESSIONS = 20
const ENOUGH_BITS = 64
/** Sign-ins at once: more would wait for each other. */
const AT_ONCE = 5
/** Real milliseconds: sessions that say when they began do so in seconds. */
const NEXT_SECOND = 1_100
const PLANTED = 'audit-planted-0123456789abcdef0123456789abcdef'
const ELSEWHERE = 'https://audit-elsewhere.invalid'

/** audit: "Sign-in" */
export const sessionSecrets = defineChecks({ needs: ['oauth.authorize', 'start', 'whoami'] })({
  'signin.fixation': {
    title: 'starts a new session at each sign-in',
    severity: 'high',
    source: 'ASVS 5.0 7.2.4; RFC 9700 §4.7',
    expected:
      'A session cookie that a browser brings to a sign-in is replaced, and the attacker who planted it is not signed in.',
    remedy: {
      fix: 'Make a new session id at each sign-in and end the session that the browser had.',
      Node: 'express-session: request.session.regenerate(…) before the user is put into it; cookie-session: put a randomUUID() into it too',
      Python:
        'Django: login(request, user) does it; Flask-Session: session.clear() and a new id; Starlette: request.session.clear()',
      Go: 'scs: sessionManager.RenewToken(ctx); gorilla/sessions: session.Options.MaxAge = -1, then a new session',
      Ruby: 'Rails: reset_session',
      PHP: 'session_regenerate_id(true); Laravel: $request->session()->regenerate()',
    },
    async run(context) {
      const planter = await createPerson(context)
      const [known, theirs] = await signInWithCookies(context, planter)
      const names = known.map(({ key }) => key)
      const anonymous = context.browser()
      await anonymous.startSignIn()
      const begun = (await cookiesOf(context, anonymous)).filter(({ key }) => names.includes(key))
      const plants = {
        'a made-up value': names.map((key) => ({ key, value: PLANTED })),
        'the value of a session without a sign-in': begun,
        "the value of another person's session": known,
      }
      await context.wait(NEXT_SECOND)
      const again = planter.atAnotherBrowser()
      const second = await again.signIn()
      const same = (await cookiesOf(context, again.browser)).filter(isAmong(known))
      if (same.length === names.length) {
        return fail(`Two sign-ins of a person have the same session cookie (${namesOf(same)})`, second)
      }
      const tried: string[] = []
      for (const [what, planted] of Object.entries(plants)) {
        if (planted.length === 0) continue
        await context.wait(NEXT_SECOND)
        const victim = await createPerson(context)
        await plant(context, victim, planted)
        // Some apps start no sign-in for a browser that is signed in.
        if ((await victim.browser.followApp(context.file.start ?? '')).stopped === undefined) continue
        const landing = await victim.signIn()
        const all = await cookiesOf(context, victim.browser)
        const kept = planted.filter(isAmong(all))
        const attacker = victim.atAnotherBrowser()
        await plant(context, attacker, planted)
        const session = await context.sessions.read(attacker.browser)
        if (session?.isSignedIn && String(session.user) !== String(theirs.session?.user)) {
          const message = `${capitalised(what)}, planted as session cookie before a sign-in, is a session of the person afterwards`
          const seen = `whoami with the planted ${namesOf(planted)}: ${session.user}`
          return fail(message, { sent: landing.sent, seen })
        }
        if (kept.length === names.length) {
          return fail(`The sign-in keeps ${what} as session cookie (${namesOf(kept)})`, landing)
        }
        tried.push(what)
      }
      if (tried.length > 0) {
        return pass(`${names.join(', ')} got a new value at each sign-in, also over ${tried.join(', over ')}`)
      }
      throw new Inconclusive('with a planted session cookie, start does not lead to a sign-in')
    },
  },
  'signin.session-guess': {
    title: 'has session cookies that cannot be guessed',
    severity: 'high',
    source: 'ASVS 5.0 7.2.3; OWASP Session Management',
    expected: `In ${SESSIONS} sessions no counter, clock or short value: at least ${ENOUGH_BITS} bits differ at random.`,
    remedy: {
      fix: 'Take session ids from a cryptographic random source, 128 bits of it, or sign the content of the cookie.',
      ...randomTexts,
    },
    async run(context) {
      const [cookies, { sent }] = await signInWithCookies(context, await createPerson(context))
      const names = cookies.map(({ key }) => key)
      const sessions = [cookies.map(({ value }) => value).join('; ')]
      await inParallel([...Array(SESSIONS - 1).keys()], AT_ONCE, async () => {
        const person = await createPerson(context)
        await person.signIn()
        const all = await cookiesOf(context, person.browser)
        sessions.push(names.map((name) => all.find(({ key }) => key === name)?.value ?? '').join('; '))
      })
      const distinct = new Set(sessions).size
      if (distinct < SESSIONS) {
        return fail(`${SESSIONS} people had only ${distinct} different session cookies`, { sent })
      }
      const bits = Math.floor(randomBitsOf(sessions))
      if (bits >= ENOUGH_BITS) {
        return pass(`${SESSIONS} different values of ${names.join(', ')}, each with at least ${ENOUGH_BITS} bits`)
      }
      const lengths = sessions.map(({ length }) => length)
      return fail(`Between ${SESSIONS} session cookies at most ${bits} bits differ; ${ENOUGH_BITS} are needed`, {
        sent,
        seen: `${names.join(', ')}: values of ${Math.min(...lengths)} to ${Math.max(...lengths)} characters, most of them the same in all`,
      })
    },
  },
  'signin.logout': {
    title: 'signs out on the server, and only when its own page asks',
    severity: 'medium',
    needs: ['oauth.authorize', 'start', 'whoami', 'logout'],
    source: 'spec: §5.4.4; ASVS 5.0 7.4.1; OWASP CSRF',
    expected: 'After a logout the old cookie is worthless. A link or form of another site ends no session.',
    remedy: {
      fix: 'Delete the session on the server, and sign out by POST alone, for requests of your own origin.',
      Node: "express-session: request.session.destroy(…); compare request.get('Origin') with your own",
      Python: 'Django: logout(request) behind @require_POST and CsrfViewMiddleware; Flask: delete the stored session',
      Go: 'scs: sessionManager.Destroy(ctx); http.CrossOriginProtection (Go 1.25) or gorilla/csrf',
      Ruby: 'Rails: reset_session in a route of DELETE, with protect_from_forgery; keep sessions in a store, not in the cookie',
      PHP: "Laravel: Auth::logout() and $request->session()->invalidate() in a route with @csrf; else compare $_SERVER['HTTP_ORIGIN'] before session_start()",
    },
    async run(context) {
      const person = await createPerson(context)
      const [cookies, landing] = await signInWithCookies(context, person)
      const { session, visit } = landing
      for (const [what, attempt] of Object.entries(crossSite)) {
        const sent = await attempt(context, person)
        const after = await context.sessions.read(person.browser)
        if (after?.isSignedIn) continue
        const set = cookies.filter(({ key }) => isSetWithoutIt(sent, key))
        const how = set.length > 0 ? `: it came without ${namesOf(set)}, and the response sets a new one` : ''
        return fail(`${what} of another site signed the person out${how}`, { sent })
      }
      const sent = await logOut(context, person, visit.last)
      if ((await context.sessions.read(person.browser))?.isSignedIn) {
        return fail(`After logout the same browser is still signed in (${describeResponse(sent)})`, { sent })
      }
      const thief = person.atAnotherBrowser()
      await plant(context, thief, cookies)
      const kept = await context.sessions.read(thief.browser)
      if (kept?.isSignedIn && String(kept.user) === String(session?.user)) {
        return fail('After logout the old cookie still signs in: the session ended in the browser alone', kept)
      }
      return pass("Signed out on the server; another site's link and form ended nothing")
    },
  },
})

/** Signs in. @returns the cookies of the session too. @throws Inconclusive when no cookie is needed for it. */
async function signInWithCookies(context: AuditContext, person: Person): Promise<[Cookie[], Landing]> {
  const landing = await person.signIn()
  const cookies = await necessaryCookies(context, await cookiesOf(context, person.browser))
  if (cookies.length > 0) return [cookies, landing]
  throw new Inconclusive('no cookie holds the session, as far as whoami shows', { sent: landing.visit.last })
}

const cookiesOf = ({ file }: AuditContext, { jar }: Browser) => jar.getCookies(file.whoami?.url ?? '')

const namesOf = (cookies: readonly Pick<Cookie, 'key'>[]) => cookies.map(({ key }) => key).join(', ')

const isAmong =
  (cookies: readonly Pick<Cookie, 'key' | 'value'>[]) =>
  ({ key, value }: Pick<Cookie, 'key' | 'value'>): boolean =>
    cookies.some((each) => each.key === key && each.value === value)

/** Puts cookies into a browser, as a neighbouring host or a moment at the keyboard could. */
async function plant({ file }: AuditContext, { browser }: Person, cookies: readonly Pick<Cookie, 'key' | 'value'>[]) {
  for (const { key, value } of cookies) await browser.jar.setCookie(`${key}=${value}; Path=/`, file.whoami?.url ?? '')
}

/** Returns true when the response sets a cookie that the request did not bring, as a new session does. */
function isSetWithoutIt({ headers, response }: WireExchange, key: string): boolean {
  const isIn = (texts: readonly string[]) => texts.some((text) => text.trim().startsWith(`${key}=`))
  return isIn(response.cookies) && !isIn((headers.cookie ?? '').split(';'))
}

/** Requests that another site can make a browser send, with the cookies that the browser would send along. */
const crossSite: Record<string, (context: AuditContext, person: Person) => Promise<WireExchange>> = {
  // A link is followed with cookies that are SameSite=Lax.
  'A link': ({ file }, { browser }) =>
    browser.get(file.logout?.url ?? '', {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', referer: `${ELSEWHERE}/` },
    }),
  // A form is sent without them; not every browser takes a cookie without SameSite for Lax.
  'A form': async ({ file }, { browser }) => {
    const url = file.logout?.url ?? ''
    const withheld = (await browser.jar.getCookies(url)).filter(hasSameSite).map(({ key }) => key)
    const headers = { origin: ELSEWHERE, 'sec-fetch-site': 'cross-site', referer: `${ELSEWHERE}/` }
    return browser.submit(url, { form: new URLSearchParams(), headers, without: withheld })
  },
}

/** Signs out as the app's own page does: with the hidden fields of its form, when the page before has one. */
async function logOut({ file }: AuditContext, { browser }: Person, page: WireExchange): Promise<WireExchange> {
  const { url = '', method = 'POST' } = file.logout ?? {}
  const origin = new URL(url).origin
  const headers = { 'sec-fetch-site': 'same-origin', referer: `${origin}/` }
  if (method === 'GET') return browser.get(url, { headers })
  const form = fieldsFor(page, url) ?? fieldsFor(await browser.get(`${origin}/`), url) ?? new URLSearchParams()
  return browser.submit(url, { method, form, headers: { ...headers, origin } })
}

/** The fields of the form on a page that is sent to an address; undefined when there is none. */
function fieldsFor({ url, response }: WireExchange, action: string): URLSearchParams | undefined {
  const leadsThere = (text: string | undefined) => {
    const target = text !== undefined && URL.canParse(text, url) ? new URL(text, url) : undefined
    return target?.origin === new URL(action).origin && target.pathname === new URL(action).pathname
  }
  const [form] = elementsIn(response.body, ({ name, attribs }) => name === 'form' && leadsThere(attribs.action))
  return form && fieldsOf(form)
}
