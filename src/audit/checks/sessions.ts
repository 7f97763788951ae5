import type { WireExchange } from '../../client/wire.js'
import { idsOf } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { saidBy } from './probes.js'
import { brokenHop, callbackFor, landed, type Person, person, session, signedInPerson } from './signing-in.js'

/** Who the app says a person is after a whole sign-in. @throws Inconclusive when it does not work. */
async function accountOf(scene: Scene, who: Person): Promise<{ user: string; sent: WireExchange | undefined }> {
  const { landing } = await signedInPerson(scene, who)
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
  const back = await who.browser.follow(authorize, { stopAt: who.browser.isAuthorize })
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
  await signedInPerson(scene)
  return pass('An answer within 10 s, nobody signed in, and the code was not tried again')
}

async function duringExchange(scene: Scene, what: string, effect: object): Promise<Verdict> {
  const who = await person(scene)
  const fault = await scene.platform.fault(who.tenant.slug, {
    match: { surface: 'oauth', grant_type: 'authorization_code' },
    effect,
  })
  const visit = await who.browser.follow((await callbackFor(who)).href, { stopAt: who.browser.isAuthorize })
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
  await signedInPerson(scene)
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
    visits.push(await who.browser.follow(callback, { stopAt: who.browser.isAuthorize }))
  }
  const foreign = visits.find((visit) => visit.foreign && new URL(visit.foreign).hostname === ELSEWHERE)
  return foreign && { foreign: foreign.foreign, sent: foreign.last }
}

export async function userToken(scene: Scene): Promise<Verdict> {
  const mark = await scene.platform.mark()
  const who = await signedInPerson(scene)
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
