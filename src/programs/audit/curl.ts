import type { WireExchange } from '../../control/client/wire.js'

/** Characters of a body that a command line shows. */
const LONGEST = 2_000

/** An exchange's request as a command that can be pasted. */
export function curlOf({ method, url, headers, body }: WireExchange): string {
  const text = typeof body === 'string' ? body : (body?.toString('latin1') ?? '')
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} bytes)` : text
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(headerOf(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(shown)}`]),
  ].join(' ')
}

/** curl leaves a header without a value out unless it ends in a semicolon. A cookie is as good as its session. */
function headerOf(name: string, value: string): string {
  if (value === '') return `${name};`
  return `${name}: ${name === 'cookie' ? value.replace(/=[^;]*/g, '=[cookie]') : value}`
}

/** As a POSIX shell reads it; what is not printable as bash does. */
function quoted(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  if (isPlain) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/[^\x20-\x7e]/g, (character) => escapeOf(character))
  return `$'${escaped}'`
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const code = character.charCodeAt(0)
  return escapes[character] ?? (code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : character)
}
