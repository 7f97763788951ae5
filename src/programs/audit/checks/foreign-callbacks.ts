import { randomBytes } from 'node:crypto'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { describeResponse, isBroken } from '../app/app-response.js'
import type { Browser } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, createVisitor, describeAcceptance, mustSignIn, type Person } from '../context/person.js'
import { bindState, type CallbackChanges, withoutState, withQuery } from './callbacks.js'
import { defineChecks, fail, pass, probeNeeds, signInNeeds, skip, tryEach, type Verdict } from './check.js'

type Victim = { browser: Browser; user?: unknown }

/** States of a victim's browser before it opens the attacker's callback. @param last the victim of the callback before. */
const victims: Record<string, (context: AuditContext, last?: Victim) => Promise<Victim>> = {
  'without cookies': async (context) => ({ browser: context.browser() }),
  'during a sign-in': async (context) => {
    const browser = await createVisitor(context)
    await browser.startSignIn()
    return { browser }
  },
  'with a session': async (context, last) => {
    if (last) return last
    const person = await createPerson(context)
    const { session } = await person.signIn()
    return { browser: person.browser, user: session?.user }
  },
}

/** Authorization requests for the attacker's code: the app's own, or one that the attacker has built. RFC 9700 §4.7 */
const requests: Record<string, (request: URL) => URL> = {
  "of the app's own request": (request) => request,
  'of a request that the attacker made, without nonce and challenge,': (request) => {
    const made = new URL(request)
    for (const name of ['nonce', 'code_challenge', 'code_challenge_method', 'prompt']) made.searchParams.delete(name)
    made.searchParams.set('state', `audit-${randomBytes(16).toString('hex')}`)
    return made
  },
}

const states: CallbackChanges = { 'its state': () => undefined, ...withoutState }

export const foreignCallbacks = defineChecks({ needs: signInNeeds })({
  'signin.login-csrf': {
    title: "rejects another browser's callback",
    severity: 'critical',
    source: 'spec: §5.4.1; RFC 6749 §10.12; RFC 9700 §4.7, §4.8',
    expected: "The app rejects a valid code of the attacker's own, with any state.",
    fix: 'Bind the state to the browser that began the sign-in, and refuse a callback without one: absent on both sides is not equal.',
    ...bindState,
    run: tryEach(victims, attack, ({ length }) => {
      const count = length * Object.keys(requests).length * Object.keys(states).length
      return `${count} callbacks with a code of another browser were rejected; the genuine one signs in`
    }),
    control: mustSignIn,
  },
  'signin.token-injection': {
    title: 'accepts only codes and id_tokens that were issued to it',
    severity: 'high',
    source: 'spec: §5.4.2, §5.4.3; RFC 9700 §4.5; OpenID Connect Core §3.1.3.7 rule 3',
    expected: 'A code and an id_token that the platform issued to another app bring no sign-in at the callback.',
    fix: 'Take nothing but code and state from the callback, and compare the audience of the id_token with your client_id.',
    Node: 'openid-client: authorizationCodeGrant(config, currentUrl, { expectedState, expectedNonce })',
    Python: 'Authlib: oauth.platform.authorize_access_token()',
    Go: 'go-oidc: provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, rawIDToken)',
    Ruby: 'openid_connect: id_token.verify!(issuer:, client_id:, nonce:)',
    async run(context) {
      if (!context.file.whoami) {
        return skip('Declare "whoami", so that the audit can tell whether the app accepted a foreign id_token')
      }
      return injectTokens(context)
    },
    control: mustSignIn,
  },
  'signin.other-organization': {
    title: 'shows people only their own organization',
    severity: 'critical',
    needs: [...signInNeeds, ...probeNeeds],
    source: 'spec: §5.2.2; OWASP API1:2023',
    expected:
      'A person of one organization who asks for another one is refused with a 4xx, also once they have opened its post-install page, and when a person of it was signed in at that browser before.',
    fix: 'Decide by the session which organizations a person may see: the sender of a request chooses the slug in its address, also in that of the post-install page. At each sign-in, start a session that has nothing of the former one.',
    Node: 'in one middleware: if (installation.installer !== session.sub) return response.sendStatus(404)',
    Python: 'in one before_request or dependency: abort(404) unless the row belongs to session["sub"]',
    Ruby: 'current_user.organizations.find_by!(slug: params[:organization])',
    PHP: "$user->organizations()->where('slug', $slug)->firstOrFail()",
    async run(context) {
      const { probe } = context.file
      if (probe?.as !== 'signed_in') {
        return skip('The audit file does not declare "probe.as": "signed_in", so probes show no person\'s view')
      }
      const [own, other] = [await createPerson(context), await createPerson(context)]
      await Promise.all([own.signIn(), other.tenant.mustServe('for its own owner')])
      const ask = ({ tenant }: Person, { browser } = own) =>
        browser.get(tenant.urlOf(probe.url), { headers: probe.headers })
      const [allowed, first] = [await ask(own), await ask(other)]
      if (!own.tenant.isOk(allowed)) {
        const response = describeResponse(allowed)
        throw new Inconclusive(`the probe does not work for the person's own organization: ${response}`)
      }
      const judge = (sent: GuardedExchange, when: string, { tenant } = other) => {
        const seen = `${describeResponse(sent)} for a person of another organization${when}`
        if (tenant.isOk(sent) || sent.response.body.includes(tenant.marker)) {
          return fail(`A person of one organization was shown another one${when}`, { sent, seen })
        }
        return isBroken(sent)
          ? fail(`Asked for another organization${when}, the app failed`, { sent, seen })
          : undefined
      }
      let passed = `A person was shown their own organization, and refused another one (${describeResponse(first)})`
      const failure = judge(first, '')
      if (failure) return failure
      if (context.app.manifest.post_install_action) {
        // The slug in the address of that page proves nothing.
        await own.browser.follow(other.tenant.landingPage())
        const when = ' after a visit of its post-install page'
        const later = judge(await ask(other), when)
        if (later) return later
        // A person whom that visit has signed out is refused everything.
        if (own.tenant.isOk(await ask(own))) passed += `, also${when}`
      }
      const successor = await signInAfter(own, other, own.tenant.urlOf(probe.url))
      if (!successor) return pass(`${passed}; a browser that is signed in starts no other sign-in`)
      const when = ' after a sign-in over the session of a person of it'
      return judge(await ask(own, successor), when, own) ?? pass(`${passed}, also${when}`)
    },
  },
})

/**
 * Signs a person in at a browser with the app's cookies that another one's sends to `url`.
 * @returns undefined where no sign-in starts, as in some apps. @throws Inconclusive where it does not end.
 */
async function signInAfter({ browser }: Person, next: Person, url: string): Promise<Person | undefined> {
  const person = next.atAnotherBrowser()
  await person.browser.plant(await browser.appCookies(url), url)
  const { stopped } = await person.browser.visitStart()
  if (stopped === undefined) return undefined
  const { isSignIn, visit, entries } = await person.followCallback(await person.authorize(new URL(stopped)))
  if (isSignIn) return person
  const response = describeResponse(visit.last)
  throw new Inconclusive(`a sign-in over the session of another person does not work: ${response}`, {
    sent: visit.last,
    entries,
  })
}

async function attack(context: AuditContext, when: string, nextVictim: (typeof victims)[string]): Promise<Verdict> {
  const attacker = await createPerson(context)
  let victim: Victim | undefined
  for (const [whose, change] of Object.entries(requests)) {
    for (const [which, changeState] of Object.entries(states)) {
      const callback = await attacker.authorize(change(await attacker.browser.startSignIn()))
      changeState(callback.searchParams)
      victim = await nextVictim(context, victim)
      const landing = await attacker.followCallback(callback, victim.browser)
      const issue = describeAcceptance(landing, victim.user)
      if (issue) return fail(`A code ${whose} with ${which}, visited ${when}, ${issue}`, landing)
    }
  }
  return pass(when)
}

/** Signs the victim in at another app, as its operator, and takes what it gets to the callback of the app. */
async function injectTokens(context: AuditContext): Promise<Verdict> {
  const { app, attacker, issuer, platform, secrets } = context
  const victim = await createPerson(context)
  const { slug } = victim.tenant
  const other = { client_id: `${slug}-client`, client_secret: randomBytes(16).toString('hex') }
  const id = `${slug}-app`
  await platform.admin.createApp({
    ...other,
    manifest: {
      id,
      name: 'Another app of the audit',
      version: '1.0.0',
      permissions: ['openid', 'profile', 'email'],
      oauth: { authorize: { redirect_uris: app.callbacks } },
    },
  } as Parameters<typeof platform.admin.createApp>[0])
  await platform.admin.install({ app: id, organization: slug, announce: false })

  /** Returns a code of the other app for a sign-in of the app under test. */
  const aCode = async (request: URL) => {
    const foreign = new URL(request)
    foreign.searchParams.set('client_id', other.client_id)
    for (const name of ['code_challenge', 'code_challenge_method', 'prompt']) foreign.searchParams.delete(name)
    return { code: (await victim.atAnotherBrowser().authorize(foreign)).searchParams.get('code') ?? '' }
  }
  const aToken = async (request: URL) => {
    const form = new URLSearchParams({
      ...other,
      ...(await aCode(request)),
      grant_type: 'authorization_code',
      redirect_uri: request.searchParams.get('redirect_uri') ?? '',
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `${issuer}/oauth/token`
    const { response, ...sent } = await attacker.send({ method: 'POST', url, headers, body: form.toString() })
    const { id_token } = JSON.parse(response.body) as { id_token?: string }
    if (!id_token) throw new Inconclusive(`the platform issued no id_token to another app: ${describeResponse(sent)}`)
    secrets.addInjected(id_token)
    return { id_token }
  }

  const injections: Record<string, (request: URL) => Promise<Record<string, string>>> = {
    'a code': aCode,
    'an id_token': aToken,
    'a code and an id_token': async (request) => ({ ...(await aCode(request)), ...(await aToken(request)) }),
  }
  for (const [what, inject] of Object.entries(injections)) {
    const { browser, followCallback } = victim.atAnotherBrowser()
    const request = await browser.startSignIn()
    const query = { ...(await inject(request)), state: request.searchParams.get('state') ?? '' }
    const landing = await followCallback(withQuery(request.searchParams.get('redirect_uri') ?? '', query))
    // An app that fails at a callback without a code does so for errors too: `signin.errors` says it.
    if (landing.session?.isSignedIn) {
      return fail(`A callback with ${what} of another app signed the browser in`, landing)
    }
  }
  return pass('A code, an id_token and both of another app brought no sign-in; the genuine code does')
}
