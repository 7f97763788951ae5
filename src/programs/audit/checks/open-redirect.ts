import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { Inconclusive } from '../app/failures.js'
import { elementsIn, elementText } from '../app/page.js'
import type { AuditContext } from '../context/context.js'
import { createPerson, mustSignIn } from '../context/person.js'
import { defineChecks, fail, pass, signInNeeds } from './check.js'

/** Names of the parameter that says where a sign-in returns to. */
const returnNames = [
  ...['returnTo', 'return_to', 'returnUrl', 'return_url', 'next', 'redirect', 'redirectTo', 'redirect_to'],
  ...['redirectUrl', 'callbackUrl', 'callback_url', 'continue', 'url', 'to', 'from', 'dest', 'destination', 'target'],
  ...['goto', 'r', 'back'],
]
const ELSEWHERE = 'audit-elsewhere.invalid'
const CONCURRENT_VISITS = 4

/** Spellings of a foreign address that naive checks take for a local one. @param app its origin and host. */
const spellings = ({ origin, protocol, hostname, host }: URL): string[] => [
  `https://${ELSEWHERE}/`,
  `//${ELSEWHERE}/`,
  `///${ELSEWHERE}/`,
  `////${ELSEWHERE}/`,
  `/\\${ELSEWHERE}/`,
  `\\\\${ELSEWHERE}/`,
  `\\/${ELSEWHERE}/`,
  `/\t/${ELSEWHERE}/`,
  `/\n/${ELSEWHERE}/`,
  `\t//${ELSEWHERE}/`,
  ` //${ELSEWHERE}/`,
  `${origin}@${ELSEWHERE}/`,
  `${protocol}//${hostname}.${ELSEWHERE}/`,
  `//${host}@${ELSEWHERE}/`,
  `/%5c${ELSEWHERE}/`,
  `/%2f${ELSEWHERE}/`,
  `/.//${ELSEWHERE}/`,
  `https:${ELSEWHERE}/`,
  `https:///${ELSEWHERE}/`,
  `HtTpS://${ELSEWHERE}/`,
  `https://${ELSEWHERE}\\@${host}/`,
  `javascript:location='//${ELSEWHERE}/'`,
]

export const openRedirect = defineChecks({ needs: signInNeeds, control: mustSignIn })({
  'signin.open-redirect': {
    title: 'stays on its own origin after the sign-in',
    severity: 'high',
    source: 'RFC 9700 §4.11; ASVS 5.0 3.7.2',
    expected: 'Parameters such as returnTo never lead to another host, in any spelling.',
    fix: 'Resolve the address against your own origin as a browser does, compare the origin of the result, and redirect to the result. To look at how the text begins is not enough.',
    Node: 'append what matches /^\\/[!-~]*$/ to your origin; new URL(text, origin) throws for "//" and accepts blob:',
    Python:
      'Django: url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()}); Flask: append what re.fullmatch(r"/[!-~]*", text) matches to your origin',
    Go: 'append what matches ^/[!-~]*$ to your origin: http.Redirect(w, r, origin+text, http.StatusFound)',
    Ruby: 'Rails 7: redirect_to url_from(params[:return_to]) || root_path',
    PHP: 'Laravel: redirect()->intended() instead of an address from the query',
    async run(context) {
      const addresses = spellings(new URL(context.file.start ?? ''))
      for (let first = 0; first < addresses.length; first += CONCURRENT_VISITS) {
        const batch = addresses.slice(first, first + CONCURRENT_VISITS)
        const visits = await Promise.all(batch.map((address) => findForeignVisit(context, returnNames, address)))
        const address = batch.find((_, index) => visits[index]?.visit.foreign)
        if (address !== undefined) return describeFailure(context, address)
        const [page] = visits.filter((found) => found !== undefined)
        if (page) {
          const message = `after ${page.when}, a script names the other host of the URL, and the audit runs no scripts`
          throw new Inconclusive(message, { sent: page.visit.last, late: false })
        }
      }
      const tried = `${returnNames.length} parameters in ${addresses.length} spellings of another host`
      return pass(`${tried}: no redirect leaves the app, before or after the sign-in`)
    },
  },
})

async function describeFailure(context: AuditContext, address: string) {
  const each = await Promise.all(
    returnNames.map(async (name) => ({ name, ...(await findForeignVisit(context, [name], address)) })),
  )
  const found = each.filter(({ visit }) => visit?.foreign)
  const names = found.map(({ name }) => name).join(', ') || 'one of the parameters'
  const { first, when, visit } = found[0] ?? {}
  const message = `The app redirects to another host that the URL names: ${names} with the value ${JSON.stringify(address)}`
  return fail(message, { sent: first, seen: `after ${when}, a redirect to ${visit?.foreign}` })
}

/** Signs in with these parameters, then starts once more. Returns the first visit that left for the foreign host, or whose script mentions it. */
async function findForeignVisit(context: AuditContext, names: string[], address: string) {
  const { tenant, browser } = await createPerson(context)
  const start = new URL(tenant.urlOf(context.file.start ?? ''))
  for (const name of names) start.searchParams.set(name, address)
  const before = await browser.followApp(start.href)
  const visits = [{ when: 'the start', visit: before }]
  if (before.stopped) {
    const callback = await browser.passPlatform(before.stopped, tenant.user)
    visits.push({ when: 'the sign-in', visit: await browser.followApp(callback) })
    visits.push({ when: 'the start by a person who is signed in', visit: await browser.followApp(start.href) })
  }
  const found =
    visits.find(({ visit: { foreign } }) => foreign && leadsElsewhere(new URL(foreign))) ??
    visits.slice(1).find(({ visit: { last } }) => hasScriptAbout(last, ELSEWHERE))
  return found && { ...found, first: before.sent }
}

const hasScriptAbout = ({ response }: GuardedExchange, host: string): boolean =>
  elementsIn(response.body, ({ name }) => name === 'script').some((script) => elementText(script).includes(host))

const leadsElsewhere = ({ protocol, hostname }: URL) =>
  hostname === ELSEWHERE || hostname.endsWith(`.${ELSEWHERE}`) || protocol === 'javascript:'
