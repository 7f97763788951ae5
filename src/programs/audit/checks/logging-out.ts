import { unescape as percentDecoded } from 'node:querystring'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { describeResponse, fieldsOf, isClientError } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import { addressOf, elementsIn, hasSamePath } from '../app/page.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, type Person } from '../context/person.js'
import { defineChecks, fail, pass, signInNeeds } from './check.js'
import { namesOf, plant, signInWithCookies } from './session-secrets.js'

const ELSEWHERE = 'https://audit-elsewhere.invalid'

export const loggingOut = defineChecks({ needs: [...signInNeeds, 'whoami', 'logout'] })({
  'signin.logout': {
    title: 'signs out on the server, and only when its own page asks',
    severity: 'medium',
    source: 'spec: §5.4.4; ASVS 5.0 7.4.1; OWASP CSRF',
    expected: 'After a logout the old cookie is worthless. A link or form of another site ends no session.',
    fix: 'Delete the session on the server, where all instances of the app read it, and sign out by POST alone, for requests of your own origin.',
    Node: "express-session: request.session.destroy(…); compare request.get('Origin') with your own",
    Python: 'Django: logout(request) behind @require_POST and CsrfViewMiddleware; Flask: delete the stored session',
    Go: 'scs: sessionManager.Destroy(ctx); http.CrossOriginProtection (Go 1.25) or gorilla/csrf',
    Ruby: 'Rails: reset_session in a route of DELETE, with protect_from_forgery; keep sessions in a store, not in the cookie',
    PHP: "Laravel: Auth::logout() and $request->session()->invalidate() in a route with @csrf; else compare $_SERVER['HTTP_ORIGIN'] before session_start()",
    async run(context) {
      const person = await createPerson(context)
      const [cookies, landing] = await signInWithCookies(context, person)
      const { session, visit } = landing
      // An instance without the session would look like a sign-out by another site. audit: rule 4b
      const unknown = (await context.sessions.readInTurn(() => person.browser)).find((each) => !each?.isSignedIn)
      if (unknown) {
        const message = 'the app responds to some requests with a valid session cookie as if the person were signed out'
        throw new Consequence('signin.works', message, unknown)
      }
      for (const [what, attempt] of Object.entries(crossSite)) {
        const sent = await attempt(context, person)
        const after = await context.sessions.read(person.browser)
        if (after?.isSignedIn) continue
        const set = cookies.filter(({ key }) => isSetWithoutIt(sent, key))
        const how = set.length > 0 ? `: it came without ${namesOf(set)}, and the response replaces or deletes it` : ''
        return fail(`${what} of another site signed the person out${how}`, { sent })
      }
      const sent = await logOut(context, person, visit.last)
      if ((await context.sessions.read(person.browser))?.isSignedIn) {
        if (isClientError(sent)) {
          const how = 'with the form for it on the page after the sign-in, else on /, and with the usual CSRF headers'
          throw new Inconclusive(`the app refused a logout ${how}: ${describeResponse(sent)}`, { sent })
        }
        return fail(`After logout the same browser is still signed in (${describeResponse(sent)})`, { sent })
      }
      // An instance that knows no session may delete the cookie.
      const reads = await context.sessions.readInTurn(async () => {
        const thief = person.atAnotherBrowser()
        await plant(context, thief, cookies)
        return thief.browser
      })
      const kept = reads.filter((each) => each?.isSignedIn && String(each.user) === String(session?.user))
      if (kept.length > 0) {
        const why =
          kept.length === reads.length
            ? 'the session ended in the browser alone'
            : `${kept.length} of ${reads.length} requests are signed in, as if another instance of the app kept the session`
        return fail(`After logout the old cookie still signs in: ${why}`, kept[0])
      }
      return pass("Signed out on the server; another site's link and form ended nothing")
    },
  },
})

/** Returns true when the response sets a cookie that the request did not bring, as a new session does. */
function isSetWithoutIt({ headers, response }: GuardedExchange, key: string): boolean {
  const isIn = (texts: readonly string[]) => texts.some((text) => text.trim().startsWith(`${key}=`))
  return isIn(response.cookies) && !isIn((headers.cookie ?? '').split(';'))
}

/** Requests that another site can make a browser send, with the cookies that the browser would send along. */
const crossSite: Record<string, (context: AuditContext, person: Person) => Promise<GuardedExchange>> = {
  'A link': ({ file }, { browser }) =>
    browser.get(file.logout?.url ?? '', {
      sameSiteContext: 'lax',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', referer: `${ELSEWHERE}/` },
    }),
  // Not every browser takes a cookie without SameSite for Lax.
  'A form': ({ file }, { browser }) =>
    browser.submit(file.logout?.url ?? '', {
      sameSiteContext: 'none',
      form: new URLSearchParams(),
      headers: { origin: ELSEWHERE, 'sec-fetch-site': 'cross-site', referer: `${ELSEWHERE}/` },
    }),
}

/** The header in which a script repeats a cookie (Angular and axios, Django) or a `<meta>` of its page (Rails, Laravel). */
const csrfHeaders = new Map([
  ['XSRF-TOKEN', 'x-xsrf-token'],
  ['csrftoken', 'x-csrftoken'],
  ['csrf-token', 'x-csrf-token'],
])

/** Signs out as the app's own page does: with the hidden fields of its form, or as its script does. */
async function logOut({ file }: AuditContext, { browser }: Person, before: GuardedExchange): Promise<GuardedExchange> {
  const { url = '', method = 'POST' } = file.logout ?? {}
  const origin = new URL(url).origin
  const headers = { 'sec-fetch-site': 'same-origin', referer: `${origin}/` }
  if (method === 'GET') return browser.get(url, { headers })
  const page = fieldsFor(before, url) ? before : await browser.get(`${origin}/`)
  const metas = elementsIn(page.response.body, ({ name }) => name === 'meta')
  const tokens = [
    ...(await browser.appCookies(url)).map(({ key, value }) => [csrfHeaders.get(key), percentDecoded(value)]),
    ...metas.map(({ attribs: { name = '', content } }) => [csrfHeaders.get(name), content]),
  ].filter(([header]) => header)
  const form = fieldsFor(page, url) ?? new URLSearchParams()
  return browser.submit(url, { method, form, headers: { ...headers, ...Object.fromEntries(tokens), origin } })
}

/** Returns the fields of the form on a page that is sent to an address; undefined when there is none. */
function fieldsFor({ url, response }: GuardedExchange, action: string): URLSearchParams | undefined {
  const leadsThere = (text: string | undefined) => {
    const target = addressOf(text, url)
    return target !== undefined && hasSamePath(target, action)
  }
  const [form] = elementsIn(response.body, ({ name, attribs }) => name === 'form' && leadsThere(attribs.action))
  return form && fieldsOf(form)
}
