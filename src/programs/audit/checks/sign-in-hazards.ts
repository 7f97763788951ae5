import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { pluralize } from '../../reports/pluralize.js'
import { idsOf } from '../app/app-requests.js'
import { addressesIn, describeResponse } from '../app/app-response.js'
import type { Visit } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import { elementsIn, type PageElement } from '../app/page.js'
import type { AuditContext } from '../context/context.js'
import { observeAttempts } from '../context/fresh-connections.js'
import { createPerson, mustSignIn } from '../context/person.js'
import { defineChecks, fail, pass, signInNeeds, tryEach, type Verdict } from './check.js'

const MAX_RESPONSE_MS = 10_000

const tokenEndpointFailures = {
  'returns 500': { status: 500 },
  'resets the connection': { connection: 'reset' },
  'does not respond': { connection: 'hang' },
  'returns HTML': { status: 200, body: 'html' },
}

export const signInHazards = defineChecks({ needs: signInNeeds })({
  'signin.token-endpoint-down': {
    explainedBy: ['signin.works'],
    title: 'reports that a code cannot be redeemed',
    severity: 'medium',
    source: 'RFC 6749 §4.1.2, §5.2',
    expected: 'A response within 10 s, no sign-in, and the code is not sent again.',
    fix: 'Set a timeout of a few seconds on the token request and do not repeat it, because a code works once. Offer to sign in again.',
    Node: 'fetch(url, { signal: AbortSignal.timeout(5_000) }); openid-client: config.timeout = 5',
    Python: "Authlib: client_kwargs={'default_timeout': 5}; requests: timeout=5",
    Go: 'http.Client{Timeout: 5 * time.Second} in the context; oauth2.Endpoint.AuthStyle, as without it oauth2 tries both styles',
    Ruby: 'openid_connect 2: OpenIDConnect.http_config { |faraday| faraday.options.timeout = 5 }; 1: OpenIDConnect.http_config { |http| http.connect_timeout = http.send_timeout = http.receive_timeout = 5 }',
    PHP: "Guzzle: ['timeout' => 5]",
    order: 'alone',
    async run(context) {
      // Some clients find out with their first code how the platform wants to be asked.
      await mustSignIn(context)
      const passed = 'failures: a response within 10 s, no sign-in, and the code was not sent again'
      return tryEach(tokenEndpointFailures, whileTokenEndpoint, ({ length }) => `${length} ${passed}`)(context)
    },
  },
  'signin.user-token': {
    title: "never sends a user's access token to /v0",
    severity: 'medium',
    source: 'spec: §5.3',
    expected: 'Calls /v0 with install tokens only. User tokens cannot reach it.',
    fix: 'Discard the access token of the sign-in: the id_token is all that you need of it.',
    async run(context) {
      const { app, file } = context
      const { tenant, browser, signIn } = await createPerson(context)
      await signIn()
      if (app.manifest.post_install_action) await browser.follow(tenant.landingPage())
      if (file.probe) await browser.get(tenant.urlOf(file.probe.url), { headers: file.probe.headers })
      await context.waitForBackground()
      const { api } = await tenant.requestsSince(0)
      const personal = api.filter(({ user }) => user === tenant.user.id)
      const visited = ['a sign-in']
      if (app.manifest.post_install_action) visited.push('the landing page')
      if (file.probe) visited.push('a probe')
      if (personal.length === 0) {
        return pass(
          `After ${visited.join(', ')}: ${pluralize(api.length, 'request')} to /v0, none with the user's token`,
        )
      }
      const count = pluralize(personal.length, 'request')
      return fail(`The app sent the user's access token to /v0, which rejects it (${count})`, {
        entries: idsOf(personal),
        seen: personal.map(({ method, path, status }) => `${method} ${path}: ${status}`).join('; '),
      })
    },
  },
  'signin.code-page': {
    title: 'keeps codes and personal pages to itself',
    severity: 'low',
    source: 'RFC 9700 §4.2.4; ASVS 5.0 14.3.2',
    expected:
      'A callback that ends on a page has a Referrer-Policy or loads nothing from other hosts; a page for a signed-in person has Cache-Control: no-store.',
    fix: 'Redirect away from the callback, and set both headers for every response of the app.',
    Node: "express: response.set({ 'Referrer-Policy': 'same-origin', 'Cache-Control': 'no-store' }) in a middleware",
    Python: 'Flask: in @app.after_request; Django: SECURE_REFERRER_POLICY and @never_cache with no-store',
    Go: 'w.Header().Set("Cache-Control", "no-store") in a middleware',
    Ruby: "Rails: config.action_dispatch.default_headers; response.headers['Cache-Control'] = 'no-store'",
    PHP: "header('Cache-Control: no-store'); Laravel: middleware cache.headers:no_store",
    async run(context) {
      const person = await createPerson(context)
      const { visit } = await person.signIn()
      const refused = await refusedCallback(context)
      const atCallback = [...visit.hops, ...refused.hops].filter(({ url }) => new URL(url).searchParams.has('code'))
      const pages = atCallback.filter(({ status, response }) => status !== null && !response.headers.location)
      for (const sent of pages) {
        const foreign = foreignResourceOf(sent)
        if (foreign === undefined || hidesCode(sent)) continue
        return fail(`A callback stays on a page that loads from ${foreign} and sets no Referrer-Policy`, { sent })
      }
      const shown = [visit.last, (await context.sessions.read(person.browser))?.sent]
      const personal: GuardedExchange[] = []
      for (const sent of shown) if (sent?.status === 200 && (await isPersonal(context, sent))) personal.push(sent)
      const policyOf = ({ response }: GuardedExchange) => response.headers['cache-control'] ?? 'not set'
      const sent = personal.find((each) => !/\bno-store\b/i.test(policyOf(each)))
      if (sent) {
        const seen = `cache-control: ${policyOf(sent)} at ${new URL(sent.url).pathname}`
        return fail('Caches may keep a page for a signed-in person (no Cache-Control: no-store)', { sent, seen })
      }
      const stays = pluralize(pages.length, 'callback stays on a page', 'callbacks stay on a page')
      const responses = pluralize(personal.length, 'response')
      return pass(`${stays}, none with its code in a Referer; ${responses} with no-store`)
    },
  },
})

/** Returns a callback with a code that the app does not redeem, because the state is another one. */
async function refusedCallback(context: AuditContext): Promise<Visit> {
  const { browser, getCallback } = await createPerson(context)
  const callback = await getCallback()
  callback.searchParams.set('state', 'audit-another-state')
  return browser.followApp(callback.href)
}

/** Returns false for a page that everyone is shown, such as that of an app whose script asks for the rest. */
async function isPersonal({ browser }: AuditContext, { url, response }: GuardedExchange): Promise<boolean> {
  const everyones = await browser().get(url)
  return everyones.status !== 200 || everyones.response.body !== response.body
}

/** Returns the first host that a page loads something from, or links to, that is not its own. */
const foreignResourceOf = (page: GuardedExchange): string | undefined =>
  addressesIn(page, ['src', 'href'])
    .filter(({ protocol }) => protocol.startsWith('http'))
    .find(({ host }) => host !== new URL(page.url).host)?.host

/** Returns true if a page sends no query to other hosts. Without a policy that depends on the browser. */
function hidesCode({ response }: GuardedExchange): boolean {
  const isPolicy = ({ name, attribs }: PageElement) => name === 'meta' && attribs.name?.toLowerCase() === 'referrer'
  const [meta] = elementsIn(response.body, isPolicy)
  const policy = response.headers['referrer-policy'] ?? meta?.attribs.content ?? ''
  return policy !== '' && !/unsafe-url|no-referrer-when-downgrade/i.test(policy)
}

async function whileTokenEndpoint(context: AuditContext, what: string, effect: object): Promise<Verdict> {
  const { tenant, atAnotherBrowser } = await createPerson(context)
  const match = { surface: 'oauth', grant_type: 'authorization_code' } as const
  const visitCallback = async () => {
    const { browser, getCallback } = atAnotherBrowser()
    return { browser, ...(await browser.followApp((await getCallback()).href)) }
  }
  const observe = async () => {
    const fault = await tenant.fault({ match, effect })
    const visit = await visitCallback()
    return { ...visit, attempts: await fault.lift() }
  }
  // httpclient (Ruby) repeats a request that is reset by itself, and cannot be set otherwise. audit: rule 4c
  const max = what === 'resets the connection' ? 2 : 1
  const { browser, sent, last, hops, attempts } = await observeAttempts({ max, observe }, tenant, match, visitCallback)
  const slowest = Math.max(...hops.map(({ duration }) => duration))
  const seen = `${describeResponse(last)} after ${slowest} ms and ${pluralize(attempts, 'token request')}`
  const evidence = { sent, seen }
  const when = `When the token endpoint ${what}, the app`
  if (attempts === 0) throw new Inconclusive('the app did not redeem the code', evidence)
  if (last.status === null || slowest > MAX_RESPONSE_MS) return fail(`${when} does not respond within 10 s`, evidence)
  if (attempts > max) return fail(`${when} sends the code ${attempts} times`, evidence)
  const session = await context.sessions.read(browser)
  return session?.isSignedIn ? fail(`${when} signs the browser in`, evidence) : pass(what)
}
