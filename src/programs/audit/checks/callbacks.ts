import { describeResponse } from '../app/app-response.js'
import type { Browser } from '../app/browser.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, createVisitor, describeAcceptance, mustSignIn } from '../context/person.js'
import { type CheckEntry, defineChecks, fail, pass, signInNeeds, tryEach } from './check.js'

const MAX_REDIRECTS = 5

/** Words of libraries that keep and compare the state. */
export const bindState = {
  Node: 'openid-client: keep the state in the session and pass it as checks.expectedState, and refuse a callback without one there: undefined accepts a callback that has no state; Passport: store: true',
  Python: 'Authlib: authorize_redirect() and authorize_access_token() of the same session do it by themselves',
  Go: 'x/oauth2 checks nothing: keep the state in a cookie and compare it, and that it is not empty, before Exchange',
  Ruby: 'OmniAuth does it by itself; openid_connect: session.delete(:state) == params[:state], and not nil',
  PHP: 'league/oauth2-client: compare $provider->getState(), kept in the session, before getAccessToken()',
}

const stateRemedy = {
  fix: 'Generate a random state for each sign-in and bind it to the browser, in a cookie or the session behind one. In the callback, compare it before anything else, and delete it.',
  ...bindState,
}

const rejected = {
  severity: 'critical',
  source: 'spec: §5.4.1; RFC 6749 §10.12',
  expected: 'The app rejects the callback without redeeming the code. No sign-in, no 5xx.',
  control: mustSignIn,
} as const satisfies Partial<CheckEntry>

/** Changes of the query of a callback, by what they are called in messages. */
export type CallbackChanges = Record<string, (query: URLSearchParams) => void>

/** Changes of a callback after which it has no state. */
export const withoutState: CallbackChanges = {
  'no state': (query) => query.delete('state'),
  'an empty state': (query) => query.set('state', ''),
}

/** Errors of a callback. After those of silent sign-ins, asking silently again would bring them again. */
const errors: Record<string, { isSilent?: true; stateless?: string }> = {
  access_denied: {},
  login_required: { isSilent: true },
  interaction_required: { isSilent: true },
  consent_required: { isSilent: true },
  invalid_scope: {},
  invalid_request: {},
  unsupported_response_type: {},
  server_error: {},
  temporarily_unavailable: {},
  audit_unknown_error: {},
  // spec: §4.8 shows the callback of a failure without a state.
  'access_denied without a state': { stateless: 'access_denied' },
}

export const callbacks = defineChecks({ needs: signInNeeds })({
  'signin.state-wrong': {
    ...rejected,
    title: 'rejects a callback with a wrong state',
    ...stateRemedy,
    run: rejectsState({
      'a state with one changed character': (query) => {
        const state = query.get('state') ?? ''
        query.set('state', state.slice(0, -1) + (state.endsWith('A') ? 'B' : 'A'))
      },
      'a completely different state': (query) => query.set('state', 'audit-state-of-no-flow-0123456789abcdef'),
    }),
  },
  'signin.state-missing': {
    ...rejected,
    title: 'rejects a callback without a state',
    fix: 'Treat a missing or empty state as a wrong one.',
    ...bindState,
    run: rejectsState(withoutState),
  },
  'signin.state-once': {
    title: 'accepts a callback only once',
    severity: 'critical',
    source: 'spec: §5.4.1; RFC 6749 §4.1.2',
    expected: 'The second visit is rejected and the code is not sent again, because that would revoke the tokens.',
    ...stateRemedy,
    async run(context) {
      const person = await createPerson(context)
      const callback = await person.getCallback()
      const first = await person.signIn(callback)
      const second = await person.followCallback(callback)
      const { broken } = second.visit
      const evidence = { sent: second.sent, entries: [...first.entries, ...second.entries] }
      const when = 'On the second visit of the same callback, the app'
      if (second.exchanges > 0) return fail(`${when} sent the code to the token endpoint again`, evidence)
      if (broken) return fail(`${when} failed (${describeResponse(broken)})`, evidence)
      return pass('The second visit of the same callback sent no token request')
    },
  },
  'signin.errors': {
    explainedBy: ['signin.request'],
    title: 'handles every error in the callback',
    severity: 'high',
    source: 'spec: §4.8, §7',
    expected: 'Shows a page or starts a normal sign-in, after at most 5 redirects. No sign-in, no 5xx, no loop.',
    fix: 'Check `error` before `code`. On login_required, start the sign-in without prompt=none. On any other error, show a page with a link to try again.',
    Node: 'openid-client throws AuthorizationResponseError: catch it where the callback is handled',
    Python: 'Authlib raises OAuthError: catch it around authorize_access_token()',
    Go: 'x/oauth2 does not look at `error`: r.URL.Query().Get("error") before Exchange',
    Ruby: 'OmniAuth: a route for /auth/failure',
    PHP: "league/oauth2-client does not look at `error`: $_GET['error'] before getAccessToken()",
    run: tryEach(errors, afterError, ({ length }) => `${length} errors, each handled with a page or a normal sign-in`),
    control: mustSignIn,
  },
})

/** Visits callbacks with a valid code and a state that is not the browser's. */
function rejectsState(changes: CallbackChanges): CheckEntry['run'] {
  return async (context) => {
    for (const [what, change] of Object.entries(changes)) {
      const person = await createPerson(context)
      const callback = await person.getCallback()
      change(callback.searchParams)
      const landing = await person.followCallback(callback)
      const issue = describeAcceptance(landing)
      if (issue) return fail(`A callback with a valid code and ${what} ${issue}`, landing)
    }
    return pass('Rejected without redeeming the code; the unmodified flow signs in')
  }
}

async function afterError(context: AuditContext, which: string, { isSilent, stateless }: (typeof errors)[string]) {
  const browser = await createVisitor(context)
  const visit = await failSignIn(context, browser, stateless ?? which, stateless === undefined)
  const { broken, hops, stopped } = visit
  if (broken) return fail(`${which}: the app failed (${describeResponse(broken)})`, visit)
  if (visit.isEndless || hops.length > MAX_REDIRECTS + 1) {
    return fail(`${which}: ${hops.length - 1} redirects; the limit is ${MAX_REDIRECTS}`, visit)
  }
  if (stopped && isSilent && new URL(stopped).searchParams.get('prompt') === 'none') {
    return fail(`${which}: the app sends prompt=none again, which never ends`, visit)
  }
  const session = await context.sessions.read(browser)
  return session?.isSignedIn ? fail(`${which}: the browser is signed in`, visit) : pass(which)
}

/** Starts a sign-in, and follows the callback with an error in place of a code. */
export async function failSignIn({ app }: AuditContext, browser: Browser, error: string, hasState = true) {
  const { searchParams: request } = await browser.startSignIn()
  const callback = request.get('redirect_uri') ?? app.callbacks[0] ?? ''
  const query = { error, ...(hasState && { state: request.get('state') ?? '' }) }
  return browser.followApp(withQuery(callback, query).href)
}

export function withQuery(address: string, query: Record<string, string>): URL {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
