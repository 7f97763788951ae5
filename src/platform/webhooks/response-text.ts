import type { Redactor } from '../../emulator/journal/known-secrets.js'
import { redactNamed } from '../../emulator/journal/redact.js'
import { jsonOrText } from '../../foundation/http/json-or-text.js'
import { isObject } from '../../foundation/schema/is-object.js'

const MAX_LINE_LENGTH = 160

/** Members of a JSON body that may hold the message of an error. */
const messageNames = ['message', 'error', 'detail', 'error_description', 'reason', 'description', 'title', 'msg']
const htmlParts = [
  /<title\b[^>]*>([^<]*)/i,
  /<h[1-3]\b[^>]*>([^<]*)/i,
  // The error page of express, whose title is "Error".
  /<pre\b[^>]*>([^<]*)/i,
]
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }
/** Titles that only repeat that there was an error: of express and Rails. */
const EMPTY_TITLE = /^error$|^Action Controller: Exception caught$/i

/**
 * Returns the first line of what a response says: of HTML the title or first heading, of JSON its message. Undefined
 * when there is no text. Values under secret names are redacted. dev: "Why, for webhooks as for requests"
 * @param redact applied before a long line is truncated, since a part of a secret cannot be recognized.
 */
export function firstLineOf(body: string, contentType: string | undefined, redact: Redactor): string | undefined {
  const isHtml = /html/i.test(contentType ?? '') || isPage(body)
  const text = isHtml ? htmlMessage(body) : (messageIn(jsonOrText(body)) ?? body)
  const line = redact(redactNamed(text.trimStart().split(/[\r\n]/, 1)[0] ?? '')).trim()
  if (line === '') return undefined
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
}

const isPage = (body: string) => /^\s*<(!doctype|html)\b/i.test(body)

/** Returns the text of a body: of an HTML page that of its elements, a line for each block. No parser is loaded for it. */
export function shownText(body: string): string {
  if (!isPage(body)) return body
  const content = body
    .replace(/<(head|script|style)\b.*?<\/\1>/gis, '')
    .replace(/<(br|\/?(p|div|h\d|li|tr|pre))\b[^>]*>/gi, '\n')
  return withoutEntities(content.replace(/<[^>]*>/g, ''))
}

function htmlMessage(body: string): string {
  const texts = htmlParts.map((part) => withoutEntities(part.exec(body)?.[1] ?? ''))
  const found = texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
  // Frameworks also send plain text as text/html.
  return found.find((text) => !EMPTY_TITLE.test(text)) ?? found[0] ?? withoutEntities(body.replace(/<[^>]*>/g, ''))
}

const withoutEntities = (text: string) =>
  text
    .replace(/&#(\d{1,5});/g, (_, code) => String.fromCharCode(code))
    .replace(/&#x([\da-f]{1,4});/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&(\w{2,4});/g, (whole, name) => entities[name] ?? whole)

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  return messageNames.map((name) => messageIn(value[name])).find(Boolean)
}
