import type { WireExchange } from '../../../control/client/wire.js'
import { idsOf } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
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
  if (landing.redeemed === 0) return fail('The app did not redeem the code', evidence)
  if (!landing.session?.isIn) return fail('After the callback, whoami shows that nobody is signed in', evidence)
  const { user } = await accountOf(scene, second)
  if (String(landing.session.user) !== user) return pass(`Two users signed in, as ${landing.session.user} and ${user}`)
  return fail(`Two different users signed in, but whoami shows both as ${user}`, { sent: landing.session.sent })
}

export async function subject(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const before = await accountOf(scene, who)
  const { email } = who.tenant.user
  if (before.user === email) {
    throw new Inconclusive('whoami.signed_in.user points to the email; point it to the ID of the account', before)
  }
  const renamed = `renamed-${email}`
  await scene.platform.admin.updateUser(who.tenant.user.id, { email: renamed })
  const after = await accountOf(scene, { ...who, browser: scene.browser() })
  if (after.user !== before.user) {
    return fail('The same sub with a new email got another account', {
      sent: after.sent,
      seen: `${before.user}, then ${after.user}`,
    })
  }
  const other = await person(scene)
  await scene.platform.admin.updateUser(other.tenant.user.id, { email })
  const heir = await accountOf(scene, other)
  if (heir.user === before.user) {
    return fail("Another sub with the former email of a user got that user's account", { sent: heir.sent })
  }
  return pass('Accounts are keyed by sub: a new email keeps the account, and a reused email does not take one over')
}

export async function silent(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const landingPage = new URL(scene.app.manifest.post_install_action?.url ?? '')
  landingPage.searchParams.set('organization', who.tenant.slug)
  const authorize = await begunAt(who, landingPage.href)
  if (!authorize) return fail('The post-install landing page does not start a sign-in', { seen: landingPage.href })
  const query = new URL(authorize).searchParams
  if (query.get('prompt') !== 'none')
    return fail('The landing page starts a sign-in without prompt=none', { seen: authorize })
  if (query.get('organization') !== who.tenant.slug) {
    return fail('The silent sign-in does not forward the organization', { seen: authorize })
  }
  // Nobody is signed in at the platform yet: it sends the browser back with login_required.
  const back = await who.browser.follow(authorize, { stopAt: who.browser.isAuthorize })
  const broken = brokenHop(back)
  if (broken) return fail(`After login_required, the app failed (${saidBy(broken)})`, { sent: back.hops[0] })
  if (back.endless) return fail('After login_required, the app redirects in a loop', { sent: back.hops[0] })
  if (back.stopped && new URL(back.stopped).searchParams.get('prompt') === 'none') {
    return fail('After login_required, the app sends prompt=none again, which never ends', { sent: back.hops[0] })
  }
  // Signed in there by an ordinary sign-in of the same browser, a silent one must succeed without a question.
  const atPlatform = { tenant: who.tenant, browser: scene.browser() }
  await callbackFor(atPlatform)
  const again = await begunAt(atPlatform, landingPage.href)
  if (!again) return fail('The post-install landing page does not start a sign-in', { seen: landingPage.href })
  const mark = await scene.platform.mark()
  const done = await atPlatform.browser.follow(again)
  const { exchanges } = await scene.platform.requests(who.tenant, mark)
  const found = await session(scene, atPlatform.browser)
  const evidence = { sent: done.hops[0], entries: idsOf(exchanges) }
  if (!exchanges.some(({ status }) => status === 200))
    return fail('The app did not redeem the code of the silent sign-in', evidence)
  if (found && !found.isIn) return fail('After the silent sign-in, nobody is signed in', evidence)
  return pass('Silent sign-in with the organization; on login_required, the normal sign-in or a page')
}

const begunAt = async ({ browser }: Person, address: string) => (await browser.begin(address)).stopped

const failures: [what: string, effect: object][] = [
  ['returns 500', { status: 500 }],
  ['resets the connection', { connection: 'reset' }],
  ['does not respond', { connection: 'hang' }],
  ['returns HTML', { status: 200, body: 'html' }],
]
const LONGEST_ANSWER = 10_000

export async function tokenEndpointDown(scene: Scene): Promise<Verdict> {
  const verdicts = await Promise.all(failures.map(([what, effect]) => duringExchange(scene, what, effect)))
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [first] = failed
  if (first) return { ...first, message: failed.map(({ message }) => message).join('; ') }
  await signedInPerson(scene)
  return pass('A response within 10 s, nobody signed in, and the code was not sent again')
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
  const evidence = {
    sent: visit.hops[0],
    seen: `${saidBy(visit.last)} after ${slowest} ms and ${counted(tries, 'token request')}`,
  }
  if (tries === 0) throw new Inconclusive('the app did not redeem the code', evidence)
  if (visit.last.status === null || slowest > LONGEST_ANSWER) {
    return fail(`When the token endpoint ${what}, the app does not respond within 10 s`, evidence)
  }
  if (tries > 1) return fail(`When the token endpoint ${what}, the app sends the code ${tries} times`, evidence)
  if ((await session(scene, who.browser))?.isIn)
    return fail(`When the token endpoint ${what}, the app signs the browser in`, evidence)
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
    return fail(`The app redirects to another host that the URL names (${names})`, {
      sent: led.sent,
      seen: `a redirect to ${led.foreign}`,
    })
  }
  await signedInPerson(scene)
  return pass(
    `${returnNames.length} parameters, ${elsewhere.length} spellings of another host: no redirect leaves the app`,
  )
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
  if (personal.length === 0) return pass("The user's access token was never sent to /v0")
  return fail(
    `The app sent the user's access token to /v0, which rejects it (${counted(personal.length, 'request')})`,
    {
      entries: idsOf(personal),
      seen: personal.map(({ method, path, status }) => `${method} ${path}: ${status}`).join('; '),
    },
  )
}
