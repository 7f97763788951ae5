import type { WireExchange } from '../../../control/client/wire.js'
import { describeResponse, isBroken } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { type CheckEntry, defineChecks, fail, joinFailures, pass, type Verdict } from './check.js'
import { createPerson, describeAcceptance, mustSignIn, readSession } from './person.js'

const MOST_REDIRECTS = 5

const bindState =
  'Generate a random state for each sign-in and bind it to the browser (in a cookie, or in the session behind one). In the callback, compare it before anything else, and delete it.'

const rejected = {
  severity: 'critical',
  source: 'spec: §5.4.1; RFC 6749 §10.12',
  expected: 'The app rejects the callback without redeeming the code. Nobody signed in, no 5xx.',
} as const satisfies Partial<CheckEntry>

/** Errors of a callback. After those of silent sign-ins, asking silently again would bring them again. */
const errors = [
  { error: 'access_denied' },
  { error: 'login_required', isSilent: true },
  { error: 'interaction_required', isSilent: true },
  { error: 'consent_required', isSilent: true },
  { error: 'invalid_scope' },
  { error: 'invalid_request' },
  { error: 'unsupported_response_type' },
  { error: 'server_error' },
  { error: 'temporarily_unavailable' },
  { error: 'audit_unknown_error' },
]

const INJECTED = 'x-audit-injected'
const hostileTexts = [
  '<script>audit(1)</script><img src=x onerror=audit(2)>',
  `audit\r\n${INJECTED}: 1\r\n\r\n<script>audit(3)</script>`,
  `"'><svg onload=audit(4)>`,
]

/** audit: "Sign-in" */
export const callbacks = defineChecks(['oauth.authorize', 'start'], {
  'signin.state-wrong': {
    ...rejected,
    title: 'rejects a callback with a wrong state',
    remedy: bindState,
    run: rejectsState({
      'a state with one changed character': (query) => {
        const state = query.get('state') ?? ''
        query.set('state', state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A'))
      },
      'a completely different state': (query) => query.set('state', 'audit-state-of-nobody-0123456789abcdef'),
    }),
  },
  'signin.state-missing': {
    ...rejected,
    title: 'rejects a callback without a state',
    remedy: `${bindState} Treat a missing or empty state as a wrong one.`,
    run: rejectsState({
      'no state': (query) => query.delete('state'),
      'an empty state': (query) => query.set('state', ''),
    }),
  },
  'signin.state-once': {
    title: 'accepts a callback only once',
    severity: 'critical',
    source: 'spec: §5.4.1; RFC 6749 §4.1.2',
    expected: 'The second visit is rejected and the code is not sent again, because that would revoke the tokens.',
    remedy: bindState,
    async run(context) {
      const person = await createPerson(context)
      const callback = await person.getCallback()
      const first = await person.followCallback(callback)
      if (!first.isSignIn) throw new Inconclusive('a normal sign-in does not work', { sent: first.visit.last })
      const second = await person.followCallback(callback)
      const { broken } = second.visit
      const evidence = { sent: second.sent, entries: [...first.entries, ...second.entries] }
      const when = 'On the second visit of the same callback, the app'
      if (second.exchanges > 0) return fail(`${when} sent the code to the token endpoint again`, evidence)
      if (broken) return fail(`${when} failed (${describeResponse(broken)})`, evidence)
      return pass('The second visit of the same callback sent no token request')
    },
  },
  'signin.login-csrf': {
    title: "rejects another browser's callback",
    severity: 'critical',
    source: 'spec: §5.4.1; RFC 6749 §10.12; RFC 9700 §2.1',
    expected: 'A code and state that were issued to another browser sign nobody in.',
    remedy: `${bindState} A server-side list of valid states is not enough if it is not bound to a browser.`,
    async run(context) {
      const person = await createPerson(context)
      for (const when of ['without cookies', 'during another sign-in']) {
        const callback = await person.atAnotherBrowser().getCallback()
        const victim = person.atAnotherBrowser()
        if (when === 'during another sign-in') await victim.browser.startSignIn()
        const landing = await victim.followCallback(callback)
        const issue = describeAcceptance(landing)
        if (issue) return fail(`Another browser's callback, visited ${when}, ${issue}`, landing)
      }
      await mustSignIn(context)
      return pass('A code and state that were issued to another browser are rejected')
    },
  },
  'signin.errors': {
    title: 'handles every error in the callback',
    severity: 'high',
    source: 'spec: §4.8, §7',
    expected: 'Shows a page or starts a normal sign-in, after at most 5 redirects. Nobody signed in, no 5xx, no loop.',
    remedy:
      'Check `error` before `code`. On login_required, start the sign-in without prompt=none. On any other error, show a page with a link to try again.',
    async run(context) {
      const verdicts = await Promise.all(errors.map((each) => afterError(context, each)))
      const failure = joinFailures(verdicts)
      if (failure) return failure
      await mustSignIn(context)
      return pass(`${errors.length} errors, each handled with a page or a normal sign-in`)
    },
  },
  'signin.reflected': {
    title: 'escapes what it shows from a callback',
    severity: 'high',
    needs: ['oauth.authorize'],
    source: 'ASVS 5.0 1.2.1; RFC 6749 §10.14',
    expected:
      'Markup and line breaks in error, error_description and state never appear unescaped in a page or header.',
    remedy: 'Show your own message for each known error, and escape everything that you take from the URL.',
    async run(context) {
      const { file, app } = context
      for (const text of hostileTexts) {
        for (const name of ['error_description', 'state', 'error']) {
          const browser = context.browser()
          const state = file.start ? (await browser.startSignIn()).searchParams.get('state') : 'audit'
          const query = { error: 'access_denied', state: state ?? '', [name]: text }
          const visit = await browser.followApp(withQuery(app.callbacks[0] ?? '', query))
          const issue = visit.hops.map((hop) => reflectionIn(hop, text)).find(Boolean)
          if (issue) return fail(`The value of ${name} ${issue}`, visit)
        }
      }
      await mustHandleCallbacks(context)
      return pass('Markup and line breaks are never returned unescaped')
    },
  },
})

/** Visits callbacks with a valid code and a state that is not the browser's. */
function rejectsState(changes: Record<string, (query: URLSearchParams) => void>): CheckEntry['run'] {
  return async (context) => {
    for (const [what, change] of Object.entries(changes)) {
      const person = await createPerson(context)
      const callback = await person.getCallback()
      change(callback.searchParams)
      const landing = await person.followCallback(callback)
      const issue = describeAcceptance(landing)
      if (issue) return fail(`A callback with a valid code and ${what} ${issue}`, landing)
    }
    await mustSignIn(context)
    return pass('Rejected without redeeming the code; the unmodified flow signs in')
  }
}

async function afterError(
  context: AuditContext,
  { error, isSilent }: { error: string; isSilent?: boolean },
): Promise<Verdict> {
  const browser = context.browser()
  const { searchParams: request } = await browser.startSignIn()
  const callback = request.get('redirect_uri') ?? context.app.callbacks[0] ?? ''
  const visit = await browser.followApp(withQuery(callback, { error, state: request.get('state') ?? '' }))
  const { broken, hops, stopped } = visit
  if (broken) return fail(`${error}: the app failed (${describeResponse(broken)})`, visit)
  if (visit.isEndless || hops.length > MOST_REDIRECTS + 1) {
    return fail(`${error}: ${hops.length - 1} redirects; the limit is ${MOST_REDIRECTS}`, visit)
  }
  if (stopped && isSilent && new URL(stopped).searchParams.get('prompt') === 'none') {
    return fail(`${error}: the app sends prompt=none again, which never ends`, visit)
  }
  const session = await readSession(context, browser)
  return session?.isSignedIn ? fail(`${error}: the browser is signed in`, visit) : pass(error)
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Describes how a response contains a hostile text unescaped; undefined when it does not. */
function reflectionIn({ response: { headers, body } }: WireExchange, text: string): string | undefined {
  if (headers[INJECTED] !== undefined) return 'became a response header'
  const type = headers['content-type'] ?? ''
  const isMarkup = type === '' || /html|xml|svg/i.test(type)
  const tags = text.match(/<[^>]+>/g) ?? []
  return isMarkup && tags.some((tag) => body.includes(tag)) ? 'appears in the page unescaped' : undefined
}

/** The positive twin: a callback that works. @throws Inconclusive when the app has none. */
async function mustHandleCallbacks(context: AuditContext): Promise<void> {
  const { app, attacker, file } = context
  if (file.start) {
    await mustSignIn(context)
    return
  }
  const [callback = ''] = app.callbacks
  const [response, missing] = await Promise.all([
    attacker.send({ method: 'GET', url: `${callback}?error=access_denied&state=audit` }),
    attacker.send({ method: 'GET', url: new URL('/audit-no-such-page', callback).href }),
  ])
  if (response.status !== missing.status && response.status !== 404 && !isBroken(response)) return
  throw new Inconclusive(
    'the callback responds like a page that does not exist; declare "start", so that the audit can try a sign-in',
  )
}
