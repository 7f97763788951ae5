import { parse } from 'node-html-parser'
import { CookieJar } from 'tough-cookie'
import type { Wire, WireExchange } from '../../../control/client/wire.js'
import { Inconclusive } from '../verdict.js'
import type { Tenant } from './platform.js'

/** As long as a sign-in may take an app that waits for a token endpoint that hangs, and more. */
const PATIENCE = 20_000
const MOST_REDIRECTS = 20

/** The hosts that a run knows. */
export interface Places {
  /** Where the sign-in begins; empty when the file does not say. */
  start: string
  /** Origins of the emulator, as apps and browsers know it. */
  platform: string[]
  /** Origins of the app. */
  app: string[]
  callbacks: string[]
}

/** A walk along redirects, to where they ended or the browser would not follow. */
export interface Visit {
  hops: WireExchange[]
  last: WireExchange
  /** The address of another host that the last hop pointed at; it was not asked. */
  foreign: string | undefined
  /** The address that `until` wanted, not asked yet. */
  stopped: string | undefined
  /** Too many redirects. */
  endless: boolean
}

export interface FollowOptions {
  /** Stops before it goes to an address like that. */
  stopAt?: (address: string) => boolean
  timeout?: number
}

export type Browser = ReturnType<typeof createBrowser>

/** A browser without an engine: it keeps cookies, follows redirects, fills in the emulator's forms and runs no script. */
export function createBrowser(wire: Wire, places: Places) {
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true })
  const origins = new Set([...places.platform, ...places.app])

  async function go(
    method: string,
    url: string,
    {
      form,
      headers = {},
      timeout = PATIENCE,
    }: { form?: URLSearchParams; headers?: Record<string, string>; timeout?: number } = {},
  ): Promise<WireExchange> {
    const cookie = await jar.getCookieString(url)
    const exchange = await wire({
      method,
      url,
      headers: {
        accept: 'text/html,application/json;q=0.9,*/*;q=0.8',
        ...headers,
        ...(cookie && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }),
      },
      body: form?.toString(),
      timeout,
    })
    for (const set of exchange.answer.cookies) await jar.setCookie(set, url, { ignoreError: true })
    return exchange
  }

  async function follow(first: string, { stopAt, timeout }: FollowOptions = {}): Promise<Visit> {
    const hops: WireExchange[] = []
    let address = first
    for (;;) {
      if (hops.length > 0 && stopAt?.(address)) return visit(hops, { stopped: address })
      if (hops.length > 0 && !origins.has(new URL(address).origin)) return visit(hops, { foreign: address })
      if (hops.length > MOST_REDIRECTS) return visit(hops, { endless: true })
      const hop = await go('GET', address, timeout === undefined ? {} : { timeout })
      hops.push(hop)
      const next = redirectOf(hop)
      if (next === undefined) return visit(hops, {})
      address = next
    }
  }

  const isAuthorize = (address: string) =>
    new URL(address).pathname === '/oauth/authorize' && places.platform.includes(new URL(address).origin)
  const isCallback = (address: string) => places.callbacks.some((callback) => isAt(address, callback))

  /** The person at the emulator's pages: signs in there, allows the app, and comes out where the platform sends them. */
  async function throughPlatform(authorize: string, user: Tenant['user']): Promise<string> {
    let hop = await go('GET', authorize)
    for (let step = 0; step < 8; step++) {
      const next = redirectOf(hop)
      if (next !== undefined && isCallback(next)) return next
      if (next !== undefined) hop = await go('GET', next)
      else {
        const form = formOf(hop)
        if (!form) break
        const isLogin = new URL(form.action).pathname === '/login'
        form.fields.set(isLogin ? 'user' : 'decision', isLogin ? user.id : 'allow')
        hop = await go('POST', form.action, { form: form.fields })
      }
    }
    const heading = parse(hop.answer.body).querySelector('h1')?.text.trim()
    const said = hop.error ?? `${hop.status}${heading ? ` "${heading}"` : ''}`
    throw new Inconclusive(`the platform did not sign the user in: ${said}`, { sent: hop })
  }

  return {
    jar,
    get: (url: string, headers?: Record<string, string>, timeout?: number) =>
      go('GET', url, { ...(headers && { headers }), ...(timeout !== undefined && { timeout }) }),
    follow,
    isAuthorize,
    isCallback,
    throughPlatform,

    /** From where a sign-in begins to the request to authorize, which is not sent. `stopped` is undefined without one. */
    begin: (start = places.start) => follow(start, { stopAt: isAuthorize }),

    /** The same jar as it is now, in another browser. */
    async cookiesFor(url: string) {
      return jar.getCookies(url)
    },
  }
}

const visit = (hops: WireExchange[], how: Partial<Visit>): Visit => ({
  hops,
  last: hops.at(-1) as WireExchange,
  foreign: undefined,
  stopped: undefined,
  endless: false,
  ...how,
})

/** Where an answer sends the browser, as a browser reads it: `//host` and `/\host` are other hosts. */
export function redirectOf({ status, url, answer }: WireExchange): string | undefined {
  const { location } = answer.headers
  if (status === null || status < 300 || status > 399 || location === undefined) return undefined
  return URL.canParse(location, url) ? new URL(location, url).href : undefined
}

/** Whether an address is a registered callback with parameters added. */
function isAt(address: string, callback: string): boolean {
  const [at, wanted] = [new URL(address), new URL(callback)]
  return at.origin === wanted.origin && at.pathname === wanted.pathname
}

/** The form of one of the emulator's pages that posts, with what a browser would send of it. */
function formOf({ url, status, answer }: WireExchange): { action: string; fields: URLSearchParams } | undefined {
  const form = status === 200 ? parse(answer.body).querySelector('form[method="post"]') : null
  if (!form) return undefined
  const sent = form.querySelectorAll('input').filter((input) => {
    const type = input.getAttribute('type')
    return type === 'hidden' || (type === 'radio' && input.hasAttribute('checked'))
  })
  const fields = new URLSearchParams(
    sent.map((input): [string, string] => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )
  return { action: new URL(form.getAttribute('action') ?? '', url).href, fields }
}
