import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { type Refusal, refusals } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { newestManifest } from '../apps/manifest.js'
import type { RedirectIssue } from '../oauth/authorization-request.js'
import type { UserRecord } from '../organizations/user-record.js'
import { loginPath } from './login.js'
import { addressOf, html, htmlPage } from './page.js'
import { sessionOf } from './sessions.js'

/** The heading of the error page, by status. */
const titles: Record<number, string> = {
  400: 'The request is not valid',
  403: 'You do not have permission',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Not possible at the moment',
  413: 'Too large',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

/** Returns any refusal of the web app as a page, with the visitor's session. */
export function errorPage(
  { status, message }: Refusal,
  request: Pick<Request, 'headers' | 'method' | 'path' | 'search'>,
  world: Pick<World, 'addresses' | 'store'>,
): Response {
  const user = sessionOf(world, request)?.user
  const title = titles[status] ?? 'Something went wrong'
  const said = message === refusals.not_found.message ? 'There is no page at this address.' : message
  const body = html`<section class="card">
<h1>${title}</h1>
<p>${said}</p>
<p class="soft small">Status ${status}</p>
<div class="actions">${status === 403 && user && request.method === 'GET' && html`<a class="button" href="${loginPath(addressOf(request))}">Continue as another user</a>`}<a class="button quiet" href="/">Go to the start page</a></div>
</section>`
  return htmlPage({ status, title, body, user })
}

/** Returns the error page of a request that must not redirect, with the registered redirect URI that was probably meant. wire: §6 */
export function redirectIssuePage({ app, problem, sent, nearest }: RedirectIssue, reason: string, user?: UserRecord) {
  const name = app && newestManifest(app).name
  const start = (nearest?.position ?? 1) - 1
  const marked = (uri: string) => html`${uri.slice(0, start)}<mark>${uri.slice(start) || ' (ends here)'}</mark>`
  const body = html`<section class="card">
<h1>${name ? html`You cannot sign in to ${name} with this link` : 'This link cannot be followed'}</h1>
<p>${problem}</p>
${
  sent !== undefined &&
  html`<p class="soft small">The request has</p><p class="code">${nearest ? marked(sent) : sent}</p>`
}
${
  nearest &&
  html`<p class="soft small">The closest that is registered is</p><p class="code">${nearest.registered}</p>
<p>${nearest.explanation}.</p>`
}
<p class="soft small">You were not redirected, because the app may not own that address.</p>
<div class="actions"><a class="button quiet" href="/">Go to the start page</a></div>
</section>`
  return htmlPage({ status: 400, title: 'The request cannot be processed', body, user, reason })
}
