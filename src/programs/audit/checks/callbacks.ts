import type { WireExchange } from '../../../control/client/wire.js'
import type { Scene } from '../scene.js'
import { fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { saidBy } from './probes.js'
import {
  accepted,
  begun,
  brokenHop,
  callbackFor,
  isSignIn,
  landed,
  person,
  session,
  signedInPerson,
} from './signing-in.js'

/** Callbacks with a valid code whose `state` is not the one that this browser was given. */
const refusesState =
  (variants: [what: string, change: (query: URLSearchParams) => void][]) =>
  async (scene: Scene): Promise<Verdict> => {
    for (const [what, change] of variants) {
      const who = await person(scene)
      const callback = await callbackFor(who)
      change(callback.searchParams)
      const landing = await landed(scene, who, callback)
      const wrong = accepted(landing)
      if (wrong) {
        const evidence = { sent: landing.visit.hops[0], entries: landing.entries }
        return fail(`A callback with a valid code and ${what} ${wrong}`, evidence)
      }
    }
    await signedInPerson(scene)
    return pass('Rejected without redeeming the code; the unmodified flow signs in')
  }

export const stateWrong = refusesState([
  [
    'a state with one changed character',
    (query) => {
      const state = query.get('state') ?? ''
      query.set('state', state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A'))
    },
  ],
  ['a completely different state', (query) => query.set('state', 'audit-state-of-nobody-0123456789abcdef')],
])

export const stateMissing = refusesState([
  ['no state', (query) => query.delete('state')],
  ['an empty state', (query) => query.set('state', '')],
])

export async function stateOnce(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const callback = await callbackFor(who)
  const first = await landed(scene, who, callback)
  if (!isSignIn(first)) throw new Inconclusive('a normal sign-in does not work', { sent: first.visit.last })
  const second = await landed(scene, who, callback)
  const evidence = { sent: second.visit.hops[0], entries: [...first.entries, ...second.entries] }
  const broken = brokenHop(second.visit)
  if (second.exchanges > 0) {
    return fail('On the second visit of the same callback, the app sent the code to the token endpoint again', evidence)
  }
  if (broken) return fail(`On the second visit of the same callback, the app failed (${saidBy(broken)})`, evidence)
  return pass('The second visit of the same callback sent no token request')
}

export async function loginCsrf(scene: Scene): Promise<Verdict> {
  const attacker = await person(scene)
  for (const [how, hasBegun] of [
    ['without cookies', false],
    ['during another sign-in', true],
  ] as const) {
    const callback = await callbackFor({ ...attacker, browser: scene.browser() })
    const victim = { tenant: attacker.tenant, browser: scene.browser() }
    if (hasBegun) await begun(victim.browser)
    const landing = await landed(scene, victim, callback)
    const wrong = accepted(landing)
    if (wrong) {
      const evidence = { sent: landing.visit.hops[0], entries: landing.entries }
      return fail(`Another browser's callback, visited ${how}, ${wrong}`, evidence)
    }
  }
  await signedInPerson(scene)
  return pass('A code and state that were issued to another browser are rejected')
}

const errors = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'invalid_scope',
  'invalid_request',
  'unsupported_response_type',
  'server_error',
  'temporarily_unavailable',
  'audit_unknown_error',
]
const MOST_REDIRECTS = 5
/** What asking silently again would only bring again. */
const neverSilent = new Set(['login_required', 'interaction_required', 'consent_required'])

export async function errorCallbacks(scene: Scene): Promise<Verdict> {
  const verdicts = await Promise.all(errors.map((error) => afterError(scene, error)))
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [first] = failed
  if (first) return { ...first, message: failed.map(({ message }) => message).join('; ') }
  await signedInPerson(scene)
  return pass(`${errors.length} errors, each handled with a page or a normal sign-in`)
}

async function afterError(scene: Scene, error: string): Promise<Verdict> {
  const browser = scene.browser()
  const authorize = await begun(browser)
  const callback = new URL(authorize.searchParams.get('redirect_uri') ?? scene.app.callbacks[0] ?? '')
  callback.searchParams.set('error', error)
  callback.searchParams.set('state', authorize.searchParams.get('state') ?? '')
  const visit = await browser.follow(callback.href, { stopAt: browser.isAuthorize })
  const evidence = { sent: visit.hops[0] }
  const broken = brokenHop(visit)
  if (broken) return fail(`${error}: the app failed (${saidBy(broken)})`, evidence)
  if (visit.endless || visit.hops.length > MOST_REDIRECTS + 1) {
    return fail(`${error}: ${visit.hops.length - 1} redirects; the limit is ${MOST_REDIRECTS}`, evidence)
  }
  if (visit.stopped && neverSilent.has(error) && new URL(visit.stopped).searchParams.get('prompt') === 'none') {
    return fail(`${error}: the app sends prompt=none again, which never ends`, evidence)
  }
  if ((await session(scene, browser))?.isIn) return fail(`${error}: the browser is signed in`, evidence)
  return pass(error)
}

const MARKUP = '<script>audit(1)</script><img src=x onerror=audit(2)>'
const INJECTED = 'x-audit-injected'
const LINES = `audit\r\n${INJECTED}: 1\r\n\r\n<script>audit(3)</script>`

export async function reflected(scene: Scene): Promise<Verdict> {
  for (const hostile of [MARKUP, LINES, `"'><svg onload=audit(4)>`]) {
    for (const name of ['error_description', 'state', 'error']) {
      const browser = scene.browser()
      const state = scene.file.start ? (await begun(browser)).searchParams.get('state') : 'audit'
      const callback = new URL(scene.app.callbacks[0] ?? '')
      const query = { error: 'access_denied', state: state ?? '', [name]: hostile }
      for (const [key, value] of Object.entries(query)) callback.searchParams.set(key, value)
      const visit = await browser.follow(callback.href, { stopAt: browser.isAuthorize })
      const wrong = visit.hops.map((hop) => reflection(hop, hostile)).find(Boolean)
      if (wrong) return fail(`The value of ${name} ${wrong}`, { sent: visit.hops[0] })
    }
  }
  await handlesCallbacks(scene)
  return pass('Markup and line breaks are never returned unescaped')
}

/** How a hostile text comes back in an answer, if it does. */
function reflection({ answer: { headers, body } }: WireExchange, hostile: string): string | undefined {
  if (headers[INJECTED] !== undefined) return 'became a response header'
  const type = headers['content-type'] ?? ''
  const isMarkup = type === '' || /html|xml|svg/i.test(type)
  const tags = hostile.match(/<[^>]+>/g) ?? []
  return isMarkup && tags.some((tag) => body.includes(tag)) ? 'appears in the page unescaped' : undefined
}

/** The positive twin: a callback that is one. @throws Inconclusive */
async function handlesCallbacks(scene: Scene): Promise<void> {
  if (scene.file.start) {
    await signedInPerson(scene)
    return
  }
  const [callback = ''] = scene.app.callbacks
  const [there, elsewhere] = await Promise.all([
    scene.attacker.send({ method: 'GET', url: `${callback}?error=access_denied&state=audit` }),
    scene.attacker.send({ method: 'GET', url: new URL('/audit-no-such-page', callback).href }),
  ])
  if (there.status !== elsewhere.status && there.status !== 404 && (there.status ?? 500) < 500) return
  throw new Inconclusive(
    'the callback responds like a page that does not exist; declare "start", so that the audit can try a sign-in',
  )
}
