import { type Cookie, CookieJar } from 'tough-cookie'
import type { GuardedClient, GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { addressesIn, describeResponse, fieldsOf, isBroken, isSuccess } from './app-response.js'
import { Inconclusive } from './failures.js'
import { addressOf, elementsIn, elementText, hasSamePath, type PageElement, textOfFirst } from './page.js'

/** Longer than a sign-in takes an app that waits for a token endpoint that hangs. */
const TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 20
/** Paragraphs of the platform's error page, up to the address that was sent and the registered one. */
const REASON_PARAGRAPHS = 5
/** A common browser's: some apps reject unknown ones or bind sessions to it. */
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
/** A slower meta refresh is not a redirect but, e.g., a sign-out of idle users. */
const MAX_REDIRECT_DELAY_SECONDS = 5

export interface BrowserAddresses {
  /** Start of the sign-in of a person of some organization; empty when the file declares none. */
  start: string
  /** Origins of the emulator, as apps and browsers know it. */
  platform: string[]
  app: string[]
  callbacks: string[]
}

/** A chain of redirects, up to where it ended or the browser stopped. */
export interface Visit {
  hops: GuardedExchange[]
  /** The first hop, as evidence. */
  sent: GuardedExchange
  last: GuardedExchange
  /** The first hop at which the app itself failed. */
  broken: GuardedExchange | undefined
  /** Address of an unknown host that the last hop redirected to; it was not requested. */
  foreign?: string
  /** The address at which the browser stopped; it was not requested. */
  stopped?: string
  /** Ended by too many redirects. */
  isEndless?: boolean
}

export type Browser = ReturnType<typeof createBrowser>

/** Creates a browser without an engine: it keeps cookies, follows redirects, fills in the emulator's forms and runs no script. */
export function createBrowser(
  client: GuardedClient,
  { start: startOfSignIn, platform, app, callbacks }: BrowserAddresses,
) {
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true })
  const known = new Set([...platform, ...app])
  /** Names of the platform's cookies, which an app on its host gets too: cookies know no ports. */
  const platformCookies = new Set<string>()

  interface Extras {
    form?: URLSearchParams
    headers?: Record<string, string> | undefined
    timeout?: number
    /** `lax` for a navigation that another site began, `none` for a form of another site; its own when left out. */
    sameSiteContext?: 'strict' | 'lax' | 'none'
  }

  async function request(method: string, url: string, extras: Extras = {}) {
    const { form, headers, timeout = TIMEOUT_MS, sameSiteContext = 'strict' } = extras
    const sent = await jar.getCookies(url, { sameSiteContext })
    const cookieHeader = sent.map((each) => each.cookieString()).join('; ')
    const exchange = await client({
      method,
      url,
      headers: {
        'user-agent': USER_AGENT,
        accept: 'text/html,application/json;q=0.9,*/*;q=0.8',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }),
        ...headers,
        ...(cookieHeader && { cookie: cookieHeader }),
      },
      body: form?.toString(),
      timeout,
    })
    for (const set of exchange.response.cookies) {
      const cookie = await jar.setCookie(set, url, { ignoreError: true })
      if (cookie && platform.includes(new URL(url).origin)) platformCookies.add(cookie.key)
    }
    return exchange
  }

  const isCallback = (address: string) => callbacks.some((callback) => hasSamePath(new URL(address), callback))

  async function follow(first: string, mustStop: (address: string) => boolean = () => false): Promise<Visit> {
    // The platform leads to a callback: its redirects belong to that navigation, until a page of the app leads on.
    let isCrossSite = isCallback(first)
    const open = (url: string) => request('GET', url, { sameSiteContext: isCrossSite ? 'lax' : 'strict' })
    const sent = await open(first)
    const hops = [sent]
    for (;;) {
      const last = hops.at(-1) as GuardedExchange
      const visit = { hops, sent, last, broken: hops.find(isBroken) }
      const next = redirectOf(last)
      if (next === undefined) return visit
      if (mustStop(next)) return { ...visit, stopped: next }
      if (!known.has(new URL(next).origin)) return { ...visit, foreign: next }
      if (hops.length > MAX_REDIRECTS) return { ...visit, isEndless: true }
      isCrossSite = isCallback(next) || (isCrossSite && !isSuccess(last))
      hops.push(await open(next))
    }
  }

  /** Discovery may name an address below the documented one. */
  const isAuthorize = (address: string) =>
    /^\/oauth\/authorize(\/|$)/.test(new URL(address).pathname) && platform.includes(new URL(address).origin)

  /** Follows redirects up to the next authorization request, which is not sent. */
  const followApp = (url: string) => follow(url, isAuthorize)

  /** Opens a page with its frames. @returns stopped also when a frame leads to an authorization request. */
  async function openPage(url: string): Promise<Visit> {
    const visit = await followApp(url)
    if (visit.stopped !== undefined) return visit
    for (const { href, origin } of addressesIn(visit.last, ['src'], ({ name }) => name === 'iframe')) {
      const followed = app.includes(origin) ? await followApp(href) : undefined
      const stopped = isAuthorize(href) ? href : followed?.stopped
      if (stopped !== undefined) return { ...visit, stopped }
    }
    return visit
  }

  /** Visits the start of the sign-in. @returns where it ended; stopped when it leads to an authorization request. */
  const visitStart = () => followApp(startOfSignIn)

  /** Starts a sign-in. @throws Inconclusive when it does not lead to an authorization request. */
  async function startSignIn(): Promise<URL> {
    const visit = await visitStart()
    if (visit.stopped !== undefined) return new URL(visit.stopped)
    throw new Inconclusive(whyNotStarted(visit), { sent: visit.last, followsFrom: 'signin.request' })
  }

  /** @param found describes what the browser came to. */
  function whyNotStarted({ foreign, last }: Visit, found = describeResponse(last)): string {
    if (foreign !== undefined) {
      const { origin, pathname } = new URL(foreign)
      const advice = pathname.startsWith('/oauth/authorize') ? ': set PLATFORM_APP_URL' : ''
      return `the URL of start leads to ${origin}${pathname}, not to ${[...new Set(platform)].join(' or ')}${advice}`
    }
    const form = 'a page with a form; start must begin the sign-in with a GET'
    return `the URL of start does not lead to the platform's /oauth/authorize: ${formOf(last) ? form : found}`
  }

  function submitForm(page: GuardedExchange, user: { id: string }): Promise<GuardedExchange> | undefined {
    const form = formOf(page)
    if (!form) return undefined
    const isLogin = new URL(form.action).pathname === '/login'
    form.fields.set(isLogin ? 'user' : 'decision', isLogin ? user.id : 'allow')
    return request('POST', form.action, { form: form.fields })
  }

  /** Signs a user in on the emulator's pages and consents. @returns the callback that the platform redirects to. */
  async function passPlatform(authorize: string, user: { id: string }): Promise<string> {
    let hop = await request('GET', authorize)
    for (let step = 0; step < 8; step++) {
      const next = redirectOf(hop)
      if (next !== undefined && isCallback(next)) return next
      const following = next === undefined ? submitForm(hop, user) : request('GET', next)
      if (!following) break
      hop = await following
    }
    const heading = textOfFirst(hop.response.body, 'h1')?.trim()
    const response = hop.error ?? `${hop.status}${heading ? ` "${heading}"` : ''}`
    const message = `the platform did not sign the user in: ${response}`
    if (hop.status !== 400) throw new Inconclusive(message, { sent: hop })
    const reason = elementsIn(hop.response.body, ({ name }) => name === 'p')
      .slice(0, REASON_PARAGRAPHS)
      .map((each) => elementText(each) + (each.attribs.class === 'code' ? '.' : ''))
    const evidence = { sent: hop, followsFrom: 'signin.request', late: false }
    throw new Inconclusive(`${message}: ${reason.join(' ').replace(/\.$/, '')}`, evidence)
  }

  /** Signs a user in, up to where the app starts another sign-in. @returns why it did not end; undefined when it did. */
  async function signIn(user: { id: string }): Promise<Inconclusive | undefined> {
    try {
      const request = await startSignIn()
      await followApp(await passPlatform(request.href, user))
      return undefined
    } catch (error) {
      if (error instanceof Inconclusive) return error
      throw error
    }
  }

  return {
    /** Returns the cookies of the app that the browser sends to an address. */
    appCookies: async (url: string) => (await jar.getCookies(url)).filter(({ key }) => !platformCookies.has(key)),
    /** Sets cookies of an address with the attributes that the app gave them. */
    async plant(cookies: readonly Cookie[], url: string) {
      for (const cookie of cookies) await jar.setCookie(cookie.toString(), url)
    },
    get: (url: string, extras?: Omit<Extras, 'form'>) => request('GET', url, extras),
    /** Sends a form; redirects are not followed. */
    submit: (url: string, { method = 'POST', ...extras }: Extras & { method?: string }) => request(method, url, extras),
    follow,
    followApp,
    openPage,
    visitStart,
    startSignIn,
    whyNotStarted,
    passPlatform,
    signIn,
  }
}

/** Returns the target of a redirect as a browser reads it: `//host` and `/\host` are other hosts. */
function redirectOf({ status, url, response }: GuardedExchange): string | undefined {
  const { location } = response.headers
  const isRedirect = status !== null && status >= 300 && status <= 399
  const target = isRedirect ? location : status === 200 ? refreshOf(response) : undefined
  return addressOf(target, url)?.href
}

/** Returns the address that a page leads on to by itself, in its header `Refresh` or a `<meta>` of that name. */
function refreshOf({ headers, body }: GuardedExchange['response']): string | undefined {
  const isPage = /html/i.test(headers['content-type'] ?? '')
  const [meta] = isPage ? elementsIn(body, (element) => element.attribs['http-equiv']?.toLowerCase() === 'refresh') : []
  const refresh = headers.refresh ?? meta?.attribs.content ?? ''
  const [, seconds, , address] = /^\s*(\d+)[\d.]*[\s;,]+(?:url\s*=\s*)?(["']?)(.+?)\2\s*$/is.exec(refresh) ?? []
  return Number(seconds) <= MAX_REDIRECT_DELAY_SECONDS ? address : undefined
}

function formOf({ url, status, response }: GuardedExchange): { action: string; fields: URLSearchParams } | undefined {
  const isForm = ({ name, attribs }: PageElement) => name === 'form' && attribs.method?.toLowerCase() === 'post'
  const [form] = elementsIn(response.body, isForm)
  return status === 200 && form
    ? { action: new URL(form.attribs.action ?? '', url).href, fields: fieldsOf(form) }
    : undefined
}
