import { describeResponse } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { idsOf } from '../context/tenant.js'
import { counted, defineChecks, fail, joinFailures, pass, type Verdict } from './check.js'
import { createPerson, mustSignIn, readSession } from './person.js'

/** Milliseconds. */
const LONGEST_RESPONSE = 10_000

const tokenEndpointFailures = {
  'returns 500': { status: 500 },
  'resets the connection': { connection: 'reset' },
  'does not respond': { connection: 'hang' },
  'returns HTML': { status: 200, body: 'html' },
}

/** Names of the parameter that says where a sign-in returns to. */
const returnNames = [
  ...['returnTo', 'return_to', 'returnUrl', 'return_url', 'next', 'redirect', 'redirectTo', 'redirect_to'],
  ...['redirectUrl', 'callbackUrl', 'callback_url', 'continue', 'url', 'to', 'from', 'dest', 'destination', 'target'],
  ...['goto', 'r', 'back'],
]
const ELSEWHERE = 'audit-elsewhere.invalid'
const spellings = [`https://${ELSEWHERE}/`, `//${ELSEWHERE}/`, `/\\${ELSEWHERE}/`, `https:${ELSEWHERE}`]

/** audit: "Sign-in" */
export const signInHazards = defineChecks(['oauth.authorize', 'start'], {
  'signin.token-endpoint-down': {
    title: 'reports that a code cannot be redeemed',
    severity: 'medium',
    source: 'RFC 6749 §4.1.2, §5.2',
    expected: 'A response within 10 s, nobody signed in, and the code is not sent again.',
    remedy:
      'Set a timeout of a few seconds on the token request and do not retry it, because a code works once. Offer to sign in again.',
    async run(context) {
      const all = Object.entries(tokenEndpointFailures)
      const verdicts = await Promise.all(all.map(([what, effect]) => whileTokenEndpoint(context, what, effect)))
      const failure = joinFailures(verdicts)
      if (failure) return failure
      await mustSignIn(context)
      return pass('A response within 10 s, nobody signed in, and the code was not sent again')
    },
  },
  'signin.open-redirect': {
    title: 'stays on its own origin after the sign-in',
    severity: 'high',
    source: 'RFC 9700 §4.11; ASVS 5.0 3.7.2',
    expected: 'Parameters such as returnTo never lead to another host, in any spelling.',
    remedy:
      'Resolve the URL with new URL(text, origin) and compare its origin. Checking for a leading slash is not enough.',
    async run(context) {
      for (const address of spellings) {
        const visit = await findForeignVisit(context, returnNames, address)
        if (!visit) continue
        const each = await Promise.all(returnNames.map((name) => findForeignVisit(context, [name], address)))
        const names = returnNames.filter((_, index) => each[index]).join(', ') || 'one of the parameters'
        return fail(`The app redirects to another host that the URL names (${names})`, {
          sent: visit.last,
          seen: `a redirect to ${visit.foreign}`,
        })
      }
      await mustSignIn(context)
      const tried = `${returnNames.length} parameters, ${spellings.length} spellings of another host`
      return pass(`${tried}: no redirect leaves the app`)
    },
  },
  'signin.user-token': {
    title: "never sends a user's access token to /v0",
    severity: 'medium',
    source: 'spec: §5.3',
    expected: 'Calls /v0 with install tokens only. User tokens cannot reach it.',
    remedy: 'Discard the access token of the sign-in. You need only the id_token.',
    async run(context) {
      const { platform, app, file } = context
      const mark = await platform.mark()
      const person = await createPerson(context)
      await person.signIn()
      const { tenant, browser } = person
      if (app.manifest.post_install_action) await browser.follow(tenant.landingPage())
      if (file.probe) await browser.get(tenant.urlOf(file.probe.url), { headers: file.probe.headers })
      const { api } = await tenant.requestsSince(mark)
      const personal = api.filter(({ user }) => user === tenant.user.id)
      if (personal.length === 0) return pass("The user's access token was never sent to /v0")
      const count = counted(personal.length, 'request')
      return fail(`The app sent the user's access token to /v0, which rejects it (${count})`, {
        entries: idsOf(personal),
        seen: personal.map(({ method, path, status }) => `${method} ${path}: ${status}`).join('; '),
      })
    },
  },
})

async function whileTokenEndpoint(context: AuditContext, what: string, effect: object): Promise<Verdict> {
  const { tenant, browser, getCallback } = await createPerson(context)
  const fault = await tenant.fault({ match: { surface: 'oauth', grant_type: 'authorization_code' }, effect })
  const { sent, last, hops } = await browser.followApp((await getCallback()).href)
  const tries = await fault.hits()
  await fault.lift()
  const slowest = Math.max(...hops.map(({ duration }) => duration))
  const seen = `${describeResponse(last)} after ${slowest} ms and ${counted(tries, 'token request')}`
  const evidence = { sent, seen }
  const when = `When the token endpoint ${what}, the app`
  if (tries === 0) throw new Inconclusive('the app did not redeem the code', evidence)
  if (last.status === null || slowest > LONGEST_RESPONSE) return fail(`${when} does not respond within 10 s`, evidence)
  if (tries > 1) return fail(`${when} sends the code ${tries} times`, evidence)
  const session = await readSession(context, browser)
  return session?.isSignedIn ? fail(`${when} signs the browser in`, evidence) : pass(what)
}

/** Signs in with these parameters and returns the visit that leads to the other host. */
async function findForeignVisit(context: AuditContext, names: string[], address: string) {
  const { tenant, browser } = await createPerson(context)
  const start = new URL(context.file.start ?? '')
  for (const name of names) start.searchParams.set(name, address)
  const visits = [await browser.followApp(start.href)]
  const request = visits[0]?.stopped
  if (request) visits.push(await browser.followApp(await browser.passPlatform(request, tenant.user)))
  return visits.find(({ foreign }) => foreign && new URL(foreign).hostname === ELSEWHERE)
}
