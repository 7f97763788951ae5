import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { isBroken } from '../app/app-response.js'
import type { Browser } from '../app/browser.js'
import { Inconclusive } from '../app/failures.js'
import { elementsIn } from '../app/page.js'
import type { AuditContext } from '../context/context.js'
import { canSignIn, createPerson, createVisitor, mustSignIn } from '../context/person.js'
import { withQuery } from './callbacks.js'
import { defineChecks, fail, pass, skip, type Verdict } from './check.js'

const INJECTED = 'x-audit-injected'
const ATTRIBUTE = 'onaudit'
const hostileTexts = [
  '<script>audit(1)</script><img src=x onerror=audit(2)>',
  `audit\r\n${INJECTED}: 1\r\n\r\n<script>audit(3)</script>`,
  `"'><svg onload=audit(4)>`,
  // Breaks out of an attribute without quotes, with single and with double quotes.
  `audit ${ATTRIBUTE}=1 ' ${ATTRIBUTE}='2 " ${ATTRIBUTE}="3`,
]
/** Parameters of the callback, with what comes beside each: an app that sees an error may not look at the state. */
const callbackParameters: [name: string, beside: Record<string, string>][] = [
  ['error_description', { error: 'access_denied' }],
  ['state', { error: 'access_denied' }],
  ['state', { code: 'audit' }],
  ['error', {}],
]
/** Markup of the hostile texts, with what no page of an app has by itself. */
const MARKUP = /<(?:script>)?[^<>]*audit\(\d/g
/** Parameters that a post-install page may read, beside those of its own address. */
const landingNames = ['organization', 'error', 'error_description', 'name', 'message']

export const reflection = defineChecks({ needs: [] })({
  'signin.reflected': {
    title: 'escapes what it shows from an address',
    severity: 'high',
    source: 'ASVS 5.0 1.2.1; RFC 6749 §10.14',
    expected:
      'Markup and line breaks in the parameters of the callback and of the post-install page never appear unescaped in a page or header.',
    fix: 'Show your own message for each known error, and escape everything that you take from the URL.',
    Node: 'templates that escape by themselves (EJS: <%= %>, React); not texts that are joined with markup',
    Python: 'Jinja2 with autoescape, in files that end in .html; markupsafe.escape(text)',
    Go: 'html/template, not text/template or fmt.Fprintf',
    Ruby: 'ERB escapes by itself; leave raw and html_safe out',
    PHP: 'htmlspecialchars($text, ENT_QUOTES); Blade: {{ $text }}, not {!! $text !!}',
    async run(context) {
      const { callbacks, manifest } = context.app
      const landingPage = manifest.post_install_action?.url
      const verdicts = await Promise.all([
        ...(callbacks[0] ? [callbackOf(context, callbacks[0])] : []),
        ...(landingPage ? [landing(context, landingPage, context.browser(), 'without a person')] : []),
        ...(landingPage && canSignIn(context) ? [landingOfPerson(context, landingPage)] : []),
      ])
      if (verdicts.length === 0) return skip('The manifest declares neither a callback nor a post_install_action')
      const names = verdicts.map(({ message }) => message).join(', ')
      const failed = verdicts.find(({ outcome }) => outcome === 'fail')
      return failed ?? pass(`${hostileTexts.length} hostile texts are never returned unescaped: ${names}`)
    },
    control: mustHandle,
  },
})

async function callbackOf(context: AuditContext, callback: string): Promise<Verdict> {
  for (const text of hostileTexts) {
    for (const [name, beside] of callbackParameters) {
      const browser = context.file.start ? await createVisitor(context) : context.browser()
      const state = context.file.start ? (await browser.startSignIn()).searchParams.get('state') : 'audit'
      const query = { ...beside, state: state ?? '', [name]: text }
      const verdict = await visit(context, browser, withQuery(callback, query), name, text)
      if (verdict) return verdict
    }
  }
  return pass(`${[...new Set(callbackParameters.map(([name]) => name))].join(', ')} of the callback`)
}

async function landingOfPerson(context: AuditContext, url: string): Promise<Verdict> {
  const person = await createPerson(context)
  await person.signIn()
  return landing(context, url, person.browser, 'with one')
}

async function landing(context: AuditContext, url: string, browser: Browser, who: string): Promise<Verdict> {
  const names = [...new Set([...new URL(url).searchParams.keys(), ...landingNames])]
  for (const text of hostileTexts) {
    for (const name of names) {
      const verdict = await visit(context, browser, withQuery(url, { [name]: text }), name, text)
      if (verdict) return verdict
    }
  }
  return pass(`${names.join(', ')} of the post-install page ${who}`)
}

/** Visits an address, through the platform too, and fails when a response of the app repeats the text as it is. */
async function visit({ addresses }: AuditContext, browser: Browser, url: URL, name: string, text: string) {
  const { hops, sent } = await browser.follow(url.href)
  const own = hops.filter((hop) => addresses.app.includes(new URL(hop.url).origin))
  const issue = own.map((hop) => reflectionIn(hop, text)).find(Boolean)
  return issue ? fail(`The value of ${name} at ${url.pathname} ${issue}`, { sent }) : undefined
}

function reflectionIn({ response: { headers, body } }: GuardedExchange, text: string): string | undefined {
  if (headers[INJECTED] !== undefined) return 'became a response header'
  const type = headers['content-type'] ?? ''
  const isMarkup = type === '' || /html|xml|svg/i.test(type)
  if (!isMarkup) return undefined
  if (text.match(MARKUP)?.some((markup) => body.includes(markup))) return 'appears in the page unescaped'
  const [element] = elementsIn(body, ({ attribs }) => ATTRIBUTE in attribs)
  return element && `adds an attribute to <${element.name}>, because its quotes are not escaped`
}

/** The positive twin: a page that works. @throws Inconclusive when the app has none. */
async function mustHandle(context: AuditContext): Promise<unknown> {
  const { app, attacker } = context
  if (canSignIn(context)) return mustSignIn(context)
  const [callback] = app.callbacks
  const url = callback ? `${callback}?error=access_denied&state=audit` : (app.manifest.post_install_action?.url ?? '')
  const [response, missing] = await Promise.all([
    attacker.send({ method: 'GET', url }),
    attacker.send({ method: 'GET', url: new URL('/audit-no-such-page', url).href }),
  ])
  if (response.status !== missing.status && response.status !== 404 && !isBroken(response)) return undefined
  const what = callback ? 'the callback' : 'the post-install page'
  const advice = 'declare "start", so that the audit can try a sign-in'
  throw new Inconclusive(`${what} responds like a page that does not exist; ${advice}`)
}
