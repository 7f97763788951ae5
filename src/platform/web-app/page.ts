import type { Response } from '../../emulator/serving/response.js'
import type { Request } from '../../foundation/http/request.js'
import type { UserRecord } from '../organizations/user-record.js'
import { STYLESHEET_PATH } from './stylesheet.js'

interface HtmlPage {
  /** 200 when left out. */
  status?: number
  title: string
  body: Html
  user?: UserRecord | undefined
  /** Paths of scripts that it needs; most pages have none. */
  scripts?: string[]
  /** The reason of a refusal, for the journal. */
  reason?: string
}

/** Returns a page of the web app: not to be framed, kept by no cache. */
export function htmlPage({ status = 200, title, body, user, scripts = [], reason }: HtmlPage) {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<link rel="icon" href="data:,">
${scripts.map((path) => html`<script src="${path}" defer></script>\n`)}</head>
<body>
<header class="top">
<a class="brand" href="/"><span class="mark" aria-hidden="true"></span>Mockademy</a>
${
  user
    ? html`<nav aria-label="Account"><span class="who">${user.full_name || user.email}</span><a href="/logout">Sign out</a></nav>`
    : html`<nav aria-label="Account"><a href="/login">Sign in</a></nav>`
}
</header>
<main>
${body}
</main>
<footer>An emulated platform. Nothing here is real.</footer>
</body>
</html>
`
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(scripts.length > 0),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    },
    body: document.text,
    ...(reason !== undefined && { notes: { reason } }),
  }
}

/**
 * It has no `form-action`: Chromium holds every redirect after a form to that, and those of an app's callback may lead
 * anywhere, to a front end on another port for instance.
 */
const contentSecurityPolicy = (hasScripts: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScripts ? ["script-src 'self'"] : []),
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Returns a redirect to a page, after a form or in place of one. */
export const seeOther = (location: string, headers: Record<string, string> = {}): Response => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
})

/** Returns the path of a request, with its query. */
export const addressOf = ({ path, search }: Pick<Request, 'path' | 'search'>): string =>
  search === '' ? path : `${path}?${search}`

/** Markup that is safe to send: made by `html` alone. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | Part[]

/** Makes markup from a template. Values are escaped, except markup made by `html`; false, null and undefined are left out. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(render)))
}

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  return String(part).replace(/[&<>"'`]/g, (character) => entities[character] as string)
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}
