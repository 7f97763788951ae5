import { unescape as percentDecoded } from 'node:querystring'
import { Cookie } from 'tough-cookie'
import { capitalized } from '../../reports/capitalized.js'
import type { Browser } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, createVisitor, type Landing, type Person } from '../context/person.js'
import { inParallel } from '../timing/in-parallel.js'
import { defineChecks, fail, pass, signInNeeds } from './check.js'
import { randomTexts } from './library-words.js'
import { randomBitsOf } from './randomness.js'

const SESSIONS = 20
const MIN_BITS = 64
/** More would wait for each other. */
const CONCURRENT_SIGN_INS = 5
/** Sessions that say when they began do so in seconds. */
const NEXT_SECOND_MS = 1_100
const PLANTED = 'audit-planted-0123456789abcdef0123456789abcdef'

export const sessionSecrets = defineChecks({ needs: [...signInNeeds, 'whoami'] })({
  'signin.fixation': {
    title: 'starts a new session at each sign-in',
    severity: 'high',
    source: 'ASVS 5.0 7.2.4; RFC 9700 §4.7',
    expected:
      'A session cookie that a browser brings to a sign-in is replaced, and the attacker who planted it is not signed in.',
    fix: 'Make a new session id at each sign-in and end the session that the browser had.',
    Node: 'express-session: request.session.regenerate(…) before the user is put into it; cookie-session: put a randomUUID() into it too',
    Python:
      'Django: login(request, user) does it; Flask-Session: session.clear() and a new id; Starlette: request.session.clear()',
    Go: 'scs: sessionManager.RenewToken(ctx); gorilla/sessions: session.Options.MaxAge = -1, then a new session',
    Ruby: 'Rails: reset_session',
    PHP: 'session_regenerate_id(true); Laravel: $request->session()->regenerate()',
    async run(context) {
      const planter = await createPerson(context)
      const [known, theirs] = await signInWithCookies(context, planter)
      const names = known.map(({ key }) => key)
      const anonymous = await createVisitor(context)
      await anonymous.startSignIn()
      const begun = (await cookiesOf(context, anonymous)).filter(({ key }) => names.includes(key))
      const plants = {
        'a made-up value': known.map((cookie) => new Cookie({ ...cookie, value: PLANTED })),
        'the value of a session without a sign-in': begun,
        "the value of another person's session": known,
      }
      await context.wait(NEXT_SECOND_MS)
      const again = planter.atAnotherBrowser()
      const second = await again.signIn()
      const same = (await cookiesOf(context, again.browser)).filter(isAmong(known))
      if (same.length === names.length) {
        return fail(`Two sign-ins of a person have the same session cookie (${namesOf(same)})`, second)
      }
      const tried: string[] = []
      const unfinished: string[] = []
      for (const [what, planted] of Object.entries(plants)) {
        if (planted.length === 0) continue
        await context.wait(NEXT_SECOND_MS)
        const victim = await createPerson(context)
        await plant(context, victim, planted)
        // Some apps start no sign-in for a browser that is signed in.
        const { stopped } = await victim.browser.visitStart()
        if (stopped === undefined) continue
        const landing = await victim.followCallback(await victim.authorize(new URL(stopped)))
        const all = await cookiesOf(context, victim.browser)
        const kept = planted.filter(isAmong(all))
        const attacker = victim.atAnotherBrowser()
        await plant(context, attacker, planted)
        const session = await context.sessions.read(attacker.browser)
        if (session?.isSignedIn && String(session.user) !== String(theirs.session?.user)) {
          const message = `${capitalized(what)}, planted as session cookie before a sign-in, is a session of the person afterwards`
          const seen = `whoami with the planted ${namesOf(planted)}: ${session.user}`
          return fail(message, { sent: landing.sent, seen })
        }
        if (landing.isSignIn && kept.length === names.length) {
          return fail(`The sign-in keeps ${what} as session cookie (${namesOf(kept)})`, landing)
        }
        const ended = landing.isSignIn ? tried : unfinished
        ended.push(what)
      }
      if (tried.length > 0) {
        // Some libraries cannot end a sign-in in a session that has begun another one.
        const others = unfinished.length > 0 ? `; sign-ins over ${unfinished.join(', over ')} did not end` : ''
        return pass(`${names.join(', ')} got a new value at each sign-in, also over ${tried.join(', over ')}${others}`)
      }
      throw new Inconclusive('in a browser with a planted session cookie, no sign-in starts and ends')
    },
  },
  'signin.session-guess': {
    title: 'has session cookies that cannot be guessed',
    severity: 'high',
    source: 'ASVS 5.0 7.2.3; OWASP Session Management',
    expected: `In ${SESSIONS} sessions no counter, clock or short value: at least ${MIN_BITS} bits differ at random. A cookie whose content names another person signs nobody in.`,
    fix: 'Take session ids from a cryptographic random source, 128 bits of it, or sign the content of the cookie, and verify the signature before you read it.',
    ...randomTexts,
    async run(context) {
      const person = await createPerson(context)
      const [cookies, landing] = await signInWithCookies(context, person)
      const { sent } = landing
      const names = cookies.map(({ key }) => key)
      const sessions = [cookies.map(({ value }) => value).join('; ')]
      let other: Identity = []
      await inParallel([...Array(SESSIONS - 1).keys()], CONCURRENT_SIGN_INS, async () => {
        const each = await createPerson(context)
        other = identityOf(each, await each.signIn())
        const all = await cookiesOf(context, each.browser)
        sessions.push(names.map((name) => all.find(({ key }) => key === name)?.value ?? '').join('; '))
      })
      const distinct = new Set(sessions).size
      if (distinct < SESSIONS) {
        return fail(`${SESSIONS} people had only ${distinct} different session cookies`, { sent })
      }
      const bits = Math.floor(randomBitsOf(sessions))
      if (bits < MIN_BITS) {
        const lengths = sessions.map(({ length }) => length)
        const values = `values of ${Math.min(...lengths)} to ${Math.max(...lengths)} characters`
        const seen = `${names.join(', ')}: ${values}, most of them the same in all`
        const message = `Between ${SESSIONS} session cookies at most ${bits} bits differ; ${MIN_BITS} are needed`
        return fail(message, { sent, seen })
      }
      const all = await cookiesOf(context, person.browser)
      const forged = all.flatMap((cookie) => forge(cookie, identityOf(person, landing), other))
      for (const cookie of forged) {
        const pairs = all.map((each) => (each.key === cookie.key ? cookie : each).cookieString())
        const headers = { cookie: pairs.join('; ') }
        const read = await context.browser().get(context.file.whoami?.url ?? '', { headers })
        if (String(await context.sessions.findUser(read)) !== other[0]) continue
        const message = `${cookie.key} with another person's ID in place of its own signs in as that person`
        return fail(message, { sent: read })
      }
      const tried = forged.length > 0 ? `; another person's ID in ${namesOf(forged)} did not sign in as them` : ''
      return pass(`${SESSIONS} different values of ${names.join(', ')}, each with at least ${MIN_BITS} bits${tried}`)
    },
  },
})

/** The texts that name a person: what `whoami` shows, `sub` and email. */
type Identity = string[]

const identityOf = ({ tenant: { user } }: Person, { session }: Landing): Identity => [
  String(session?.user),
  user.id,
  user.email,
]

/** Returns the cookie with another person's identity and its old signature; none if it contains no identity. */
function forge(cookie: Cookie, own: Identity, other: Identity): Cookie[] {
  const rename = (text: string) =>
    own.reduce((changed, each, index) => {
      const word = new RegExp(`(?<!\\w)${each.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
      return changed.replace(word, () => other[index] ?? '')
    }, text)
  const content = percentDecoded(cookie.value)
  const renamed = rename(
    // Also the payload of a JWT.
    content.replace(/[\w+/-]{16,}=*/g, (encoded) => {
      const text = Buffer.from(encoded, 'base64').toString()
      const encoding = /[+/=]/.test(encoded) ? 'base64' : 'base64url'
      return rename(text) === text ? encoded : Buffer.from(rename(text)).toString(encoding)
    }),
  )
  if (renamed === content) return []
  return [new Cookie({ ...cookie, value: content === cookie.value ? renamed : encodeURIComponent(renamed) })]
}

/** Signs in. @returns the cookies of the session too. @throws Inconclusive when no cookie is needed for it. */
export async function signInWithCookies(context: AuditContext, person: Person): Promise<[Cookie[], Landing]> {
  const landing = await person.signIn()
  const cookies = await necessaryCookies(context, await cookiesOf(context, person.browser))
  if (cookies.length > 0) return [cookies, landing]
  throw new Inconclusive('no cookie holds the session, as far as whoami shows', { sent: landing.visit.last })
}

const cookiesOf = ({ file }: AuditContext, browser: Browser) => browser.appCookies(file.whoami?.url ?? '')

export const namesOf = (cookies: readonly Cookie[]) => cookies.map(({ key }) => key).join(', ')

/** Returns the cookies that a session needs, by leaving out each in turn. */
export async function necessaryCookies({ browser, file, sessions }: AuditContext, cookies: Cookie[]) {
  const isNeeded = async (omitted: Cookie) => {
    const kept = cookies.filter((each) => each !== omitted).map((each) => each.cookieString())
    const headers: Record<string, string> = kept.length > 0 ? { cookie: kept.join('; ') } : {}
    return (await sessions.findUser(await browser().get(file.whoami?.url ?? '', { headers }))) === undefined
  }
  const needed = await Promise.all(cookies.map(isNeeded))
  return cookies.filter((_, index) => needed[index])
}

export const isAmong =
  (cookies: readonly Cookie[]) =>
  ({ key, value }: Cookie): boolean =>
    cookies.some((each) => each.key === key && each.value === value)

/**
 * Sets cookies with the attributes that the app gave them: otherwise the jar would reject `__Host-` cookies and keep those
 * of another path beside them. @throws Inconclusive when it rejects them all the same.
 */
export async function plant(context: AuditContext, { browser }: Person, cookies: readonly Cookie[]): Promise<void> {
  await browser.plant(cookies, context.file.whoami?.url ?? '')
  if (cookies.every(isAmong(await cookiesOf(context, browser)))) return
  throw new Inconclusive(`a browser does not keep ${namesOf(cookies)} when it is planted`)
}
