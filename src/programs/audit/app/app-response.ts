import { isSuccessStatus } from '../../../foundation/http/statuses.js'
import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { valueAt } from '../../../foundation/schema/issue.js'
import { unlessThrows } from '../../../foundation/schema/unless-throws.js'
import { addressOf, elementsIn, firstTextOf, type PageElement, textOfFirst } from './page.js'

const MAX_SHOWN = 200

type Response = Pick<GuardedExchange, 'status' | 'error'>

/** `status 401`, or why there is no response. */
export const describeResponse = ({ status, error }: Response): string => error ?? `status ${status}`

/**
 * `status 403 "You have not signed in"`: a page by its title or first heading. `status 401: bad signature`: JSON by its
 * beginning, another body by its first line, also when its type is HTML: frameworks send text as HTML.
 * @param redact applied before a long text is truncated, since a part of a secret cannot be recognized.
 */
export function describePage({ status, error, response }: GuardedExchange, redact: (text: string) => string): string {
  if (error !== null) return error
  const { headers, body } = response
  const isPage = /html/i.test(headers['content-type'] ?? '') || beginsAPage(body)
  const heading = shorten(redact((isPage && textOfFirst(body, 'h1', 'title')) || ''))
  if (heading !== '') return `status ${status} "${heading}"`
  const isJson = atPointer(body, '') !== undefined
  const [firstLine = ''] = (isPage ? firstTextOf(body) : body.trim()).split('\n')
  const text = shorten(redact(isJson ? body : firstLine))
  return text === '' ? `status ${status}` : `status ${status}: ${text}`
}

const beginsAPage = (body: string) => /^\s*<(!doctype|html)/i.test(body)

/** Names the likely cause of an accepted webhook: many frameworks return a page with status 200 for every path without a route. */
export const pageHint = (sent: GuardedExchange): string =>
  isSuccess(sent) && beginsAPage(sent.response.body)
    ? 'the app responds with an HTML page, so the path of webhook.url may be wrong: '
    : ''

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}

export const isSuccess = ({ status }: Response): boolean => isSuccessStatus(status)

export const isClientError = ({ status }: Response): boolean => status !== null && status >= 400 && status < 500

/** Returns true for a failure of the app's own: a 5xx, or no response. */
export const isBroken = ({ status }: Response): boolean => status === null || status >= 500

/** Compares a response with what the audit file declares. */
export const matches = ({ status }: Response, declared: { status: number | number[] } | undefined): boolean =>
  declared !== undefined && status !== null && [declared.status].flat().includes(status)

/** Returns the value at a JSON pointer (RFC 6901); undefined without JSON or value. An array has a `length`, too. */
export function atPointer(body: string, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return unlessThrows(() => valueAt(JSON.parse(body), path))
}

/** Returns what a browser sends of a form that is not filled in. */
export const fieldsOf = (form: PageElement): URLSearchParams =>
  new URLSearchParams(
    elementsIn(
      form,
      ({ name, attribs: { type, checked } }) =>
        name === 'input' && (type === 'hidden' || (type === 'radio' && checked !== undefined)),
    ).map(({ attribs: { name = '', value = '' } }) => [name, value]),
  )

/** Returns the addresses that elements of a page name in an attribute. */
export const addressesIn = (
  { url, response }: GuardedExchange,
  attributes: string[],
  isMeant: (element: PageElement) => boolean = () => true,
): URL[] =>
  elementsIn(response.body, isMeant)
    .flatMap(({ attribs }) => attributes.flatMap((name) => attribs[name] ?? []).slice(0, 1))
    .flatMap((text) => addressOf(text, url) ?? [])
