import type { Cookie } from 'tough-cookie'
import type { Exchange } from '../actors/exchange.js'
import { idsOf } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { JWT } from '../secrets.js'
import { fail, Inconclusive, pass, skip, type Verdict } from '../verdict.js'
import { answersAs, saidBy } from './probes.js'
import { brokenHop, callbackFor, isSignIn, landed, type Person, person, session, signedIn } from './signing-in.js'

/** Who the app says a person is after a whole sign-in. @throws Inconclusive when it does not work. */
async function accountOf(scene: Scene, who: Person): Promise<{ user: string; sent: Exchange | undefined }> {
  const { landing } = await signedIn(scene, who)
  return { user: String(landing.session?.user), sent: landing.session?.sent }
}

export async function works(scene: Scene): Promise<Verdict> {
  const [first, second] = [await person(scene), await person(scene)]
  const landing = await landed(scene, first, await callbackFor(first))
  const evidence = { sent: landing.visit.last, entries: landing.entries }
  if (landing.redeemed === 0) return fail('The code of the callback was not redeemed', evidence)
  if (!landing.session?.isIn) return fail('After the callback whoami says that nobody is signed in', evidence)
  const { user } = await accountOf(scene, second)
  if (String(landing.session.user) !== user) return pass(`Two people signed in, as ${landing.session.user} and ${user}`)
  return fail(`Two people signed in and whoami shows both as ${user}`, { sent: landing.session.sent })
}

export async function subject(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const before = await accountOf(scene, who)
  const { email } = who.tenant.user
  if (before.user === email) {
    throw new Inconclusive('whoami.signed_in.user shows the email; point it at what tells accounts apart', before)
  }
  const renamed = `renamed-${email}`
  await scene.platform.admin.updateUser(who.tenant.user.id, { email: renamed })
  const after = await accountOf(scene, { ...who, browser: scene.browser() })
  if (after.user !== before.user) {
    return fail('The same sub with a new email became another account', {
      sent: after.sent,
      seen: `${before.user}, then ${after.user}`,
    })
  }
  const other = await person(scene)
  await scene.platform.admin.updateUser(other.tenant.user.id, { email })
  const heir = await accountOf(scene, other)
  if (heir.user === before.user) {
    return fail("Another sub with an email that was somebody else's became their account", { sent: heir.sent })
  }
  return pass('Accounts are told apart by sub: a new email keeps one, an inherited email brings none')
}

interface Held {
  name: string
  value: string
  cookie: Cookie
}

const heldBy = async ({ browser }: Person, url: string): Promise<Held[]> =>
  (await browser.jar.getCookies(url)).map((cookie) => ({ name: cookie.key, value: cookie.value, cookie }))

export async function cookies(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const callback = await callbackFor(who)
  const where = scene.file.whoami?.url ?? callback.href
  const before = await heldBy(who, where)
  const landing = await landed(scene, who, callback)
  if (!isSignIn(landing)) throw new Inconclusive('an ordinary sign-in does not work', { sent: landing.visit.last })
  const after = await heldBy(who, where)
  const sent = landing.visit.hops[0]
  const holding = after.filter(({ value }) => isToken(scene, value)).map(({ name }) => name)
  if (holding.length > 0) return fail(`The cookie ${holding.join(', ')} holds a token of the platform`, { sent })

  const fresh = after.filter(({ name, value }) => !before.some((old) => old.name === name && old.value === value))
  const sessions = scene.file.whoami ? await necessary(scene, after) : fresh
  if (sessions.length === 0)
    return fail('The app keeps the session in no cookie, or in one that it had before', { sent })
  if (sessions.every(({ name, value }) => before.some((old) => old.name === name && old.value === value))) {
    const names = sessions.map(({ name }) => name).join(', ')
    return fail(`The cookie ${names} has the value that it had before the sign-in (session fixation)`, { sent })
  }
  const wrong = sessions.flatMap(({ name, cookie }) => faultsOf(cookie).map((fault) => `${name} ${fault}`))
  if (wrong.length === 0) {
    return pass(`${sessions.map(({ name }) => name).join(', ')}: HttpOnly, SameSite, new at sign-in, without a token`)
  }
  const isCertain = scene.file.whoami !== undefined || sessions.every(({ cookie }) => faultsOf(cookie).length > 0)
  if (!isCertain) return skip('Declare "whoami": without it nobody can tell which of the cookies is the session')
  return fail(`The session's cookie ${wrong.join('; ')}`, { sent, seen: wrong.join('; ') })
}

/** The cookies without which nobody is signed in: each is left out in turn. */
async function necessary(scene: Scene, held: Held[]): Promise<Held[]> {
  const { url = '', signed_in } = scene.file.whoami ?? {}
  const without = await Promise.all(
    held.map(async ({ name }) => {
      const header = held.filter((other) => other.name !== name).map((other) => `${other.name}=${other.value}`)
      const sent = await scene.attacker.send({
        method: 'GET',
        url,
        headers: header.length > 0 ? { cookie: header.join('; ') } : {},
      })
      return signed_in === undefined || !answersAs(sent, signed_in)
    }),
  )
  return held.filter((_, index) => without[index])
}

function faultsOf(cookie: Cookie): string[] {
  const sameSite = cookie.sameSite?.toLowerCase()
  return [
    ...(cookie.httpOnly ? [] : ['is not HttpOnly']),
    ...(sameSite === 'lax' || sameSite === 'strict'
      ? []
      : [`has ${sameSite ? `SameSite=${sameSite}` : 'no SameSite'}`]),
  ]
}

/** Whether a cookie's value holds a token, also when it was only encoded. */
function isToken(scene: Scene, value: string): boolean {
  const decoded = [value, safely(() => decodeURIComponent(value)), Buffer.from(value, 'base64url').toString()]
  return decoded.some((text) => scene.secrets.foundIn(text).length > 0 || tokensIn(text).length > 0)
}

/** JWTs with an issuer that is a platform: a session that the app signed itself has none. */
const tokensIn = (text: string) =>
  [...text.matchAll(JWT)].filter(([token]) => {
    const claims = safely(() => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return claims.includes('"iss"') && claims.includes('"aud"')
  })

function safely(decode: () => string): string {
  try {
    return decode()
  } catch {
    return ''
  }
}

export async function silent(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const landingPage = new URL(scene.app.manifest.post_install_action?.url ?? '')
  landingPage.searchParams.set('organization', who.tenant.slug)
  const authorize = await begunAt(who, landingPage.href)
  if (!authorize) return fail('The post-install landing does not begin a sign-in', { seen: landingPage.href })
  const query = new URL(authorize).searchParams
  if (query.get('prompt') !== 'none')
    return fail('The sign-in of the landing is not silent (prompt=none)', { seen: authorize })
  if (query.get('organization') !== who.tenant.slug) {
    return fail('The silent sign-in does not forward the organization', { seen: authorize })
  }
  // Nobody is signed in at the platform yet: it sends the browser back with login_required.
  const back = await who.browser.follow(authorize, { until: who.browser.isAuthorize })
  const broken = brokenHop(back)
  if (broken) return fail(`After login_required the app failed (${saidBy(broken)})`, { sent: back.hops[0] })
  if (back.endless) return fail('After login_required the redirects do not end', { sent: back.hops[0] })
  if (back.stopped && new URL(back.stopped).searchParams.get('prompt') === 'none') {
    return fail('After login_required the app asks silently again, which never ends', { sent: back.hops[0] })
  }
  // Signed in there by an ordinary sign-in of the same browser, a silent one must succeed without a question.
  const atPlatform = { tenant: who.tenant, browser: scene.browser() }
  await callbackFor(atPlatform)
  const again = await begunAt(atPlatform, landingPage.href)
  if (!again) return fail('The post-install landing does not begin a sign-in', { seen: landingPage.href })
  const mark = await scene.platform.mark()
  const done = await atPlatform.browser.follow(again)
  const { exchanges } = await scene.platform.requests(who.tenant, mark)
  const found = await session(scene, atPlatform.browser)
  const evidence = { sent: done.hops[0], entries: idsOf(exchanges) }
  if (!exchanges.some(({ status }) => status === 200)) return fail('The silent sign-in redeemed no code', evidence)
  if (found && !found.isIn) return fail('After the silent sign-in nobody is signed in', evidence)
  return pass('Silent with the organization; on login_required the normal sign-in or a page')
}

const begunAt = async ({ browser }: Person, address: string) => (await browser.begin(address)).stopped

const failures: [what: string, effect: object][] = [
  ['is answered 500', { status: 500 }],
  ['is reset', { connection: 'reset' }],
  ['gets no answer', { connection: 'hang' }],
  ['is answered with HTML', { status: 200, body: 'html' }],
]
const LONGEST_ANSWER = 10_000

export async function tokenEndpointDown(scene: Scene): Promise<Verdict> {
  const verdicts = await Promise.all(failures.map(([what, effect]) => duringExchange(scene, what, effect)))
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [first] = failed
  if (first) return { ...first, message: failed.map(({ message }) => message).join('; ') }
  await signedIn(scene)
  return pass('An answer within 10 s, nobody signed in, and the code was not tried again')
}

async function duringExchange(scene: Scene, what: string, effect: object): Promise<Verdict> {
  const who = await person(scene)
  const fault = await scene.platform.fault(who.tenant.slug, {
    match: { surface: 'oauth', grant_type: 'authorization_code' },
    effect,
  })
  const visit = await who.browser.follow((await callbackFor(who)).href, { until: who.browser.isAuthorize })
  const tries = await fault.hits()
  await fault.lift()
  const slowest = Math.max(...visit.hops.map(({ duration }) => duration))
  const evidence = { sent: visit.hops[0], seen: `${saidBy(visit.last)} after ${slowest} ms and ${tries} exchange(s)` }
  if (tries === 0) throw new Inconclusive('the app redeemed no code', evidence)
  if (visit.last.status === null || slowest > LONGEST_ANSWER) {
    return fail(`When the exchange ${what}, the app did not answer within 10 s`, evidence)
  }
  if (tries > 1) return fail(`When the exchange ${what}, the code was tried ${tries} times`, evidence)
  if ((await session(scene, who.browser))?.isIn)
    return fail(`When the exchange ${what}, the browser was signed in`, evidence)
  return pass(what)
}

const returnNames = [
  ...['returnTo', 'return_to', 'returnUrl', 'return_url', 'next', 'redirect', 'redirectTo', 'redirect_to'],
  ...['redirectUrl', 'callbackUrl', 'callback_url', 'continue', 'url', 'to', 'from', 'dest', 'destination', 'target'],
  ...['goto', 'r', 'back'],
]
const ELSEWHERE = 'audit-elsewhere.invalid'
const elsewhere = [`https://${ELSEWHERE}/`, `//${ELSEWHERE}/`, `/\\${ELSEWHERE}/`, `https:${ELSEWHERE}`]

export async function openRedirect(scene: Scene): Promise<Verdict> {
  for (const address of elsewhere) {
    const led = await leadsTo(scene, returnNames, address)
    if (!led) continue
    const each = await Promise.all(
      returnNames.map(async (name) => ((await leadsTo(scene, [name], address)) ? [name] : [])),
    )
    const names = each.flat().join(', ') || 'one of the parameters'
    return fail(`${names} leads the browser to another host`, { sent: led.sent, seen: `a redirect to ${led.foreign}` })
  }
  await signedIn(scene)
  return pass(`${returnNames.length} parameters, ${elsewhere.length} spellings of another host: it stays on its own`)
}

/** Where a sign-in ends that began with these parameters, when that is elsewhere. */
async function leadsTo(scene: Scene, names: string[], address: string) {
  const who = await person(scene)
  const start = new URL(scene.file.start ?? '')
  for (const name of names) start.searchParams.set(name, address)
  const beginning = await who.browser.begin(start.href)
  const visits = [beginning]
  if (beginning.stopped) {
    const callback = await who.browser.throughPlatform(beginning.stopped, who.tenant.user)
    visits.push(await who.browser.follow(callback, { until: who.browser.isAuthorize }))
  }
  const foreign = visits.find((visit) => visit.foreign && new URL(visit.foreign).hostname === ELSEWHERE)
  return foreign && { foreign: foreign.foreign, sent: foreign.last }
}

export async function userToken(scene: Scene): Promise<Verdict> {
  const mark = await scene.platform.mark()
  const who = await signedIn(scene)
  if (scene.app.manifest.post_install_action) {
    const landingPage = new URL(scene.app.manifest.post_install_action.url)
    landingPage.searchParams.set('organization', who.tenant.slug)
    await who.browser.follow(landingPage.href)
  }
  if (scene.file.probe) {
    const { url, headers } = scene.file.probe
    await who.browser.get(url.replaceAll('{organization}', encodeURIComponent(who.tenant.slug)), headers)
  }
  const { api } = await scene.platform.requests(who.tenant, mark)
  const personal = api.filter(({ user }) => user === who.tenant.user.id)
  if (personal.length === 0) return pass('The token of the sign-in was sent to /v0 not once')
  return fail(`The user's token was sent to /v0 ${personal.length} time(s), where it is refused`, {
    entries: idsOf(personal),
    seen: personal.map(({ method, path, status }) => `${method} ${path}: ${status}`).join('; '),
  })
}
