import { HIDDEN, type Redactor } from '../../emulator/journal/known-secrets.js'
import { isSecret } from '../../emulator/journal/redact.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { isDeep } from '../../foundation/schema/json-depth.js'
import { literal } from './references.js'

/** Shorter texts are words, not secrets. */
const SHORTEST = 6
/** Ids and secrets as the emulator makes them: what another run generates again. wire: §1, §6 */
const generated = /^(?:[A-Za-z0-9]{16}|[a-z]+_[A-Za-z0-9_-]{16,})$/

/** What steps of a recording came to that later ones use: written as references, as another run has other values. */
export class RecordedValues {
  /** Where a value is found; undefined when its step is not in the recording. */
  readonly #known = new Map<string, string | undefined>()
  readonly #secrets: Set<string>

  /**
   * @param secrets those that are known to begin with.
   * @param hide takes out of a text the secrets that the world knows.
   */
  constructor(
    secrets: string[],
    private readonly hide: Redactor,
  ) {
    this.#secrets = new Set(secrets.filter(({ length }) => length >= SHORTEST))
  }

  /** Takes note of the secrets in a request and its response. */
  notice({ search, request, response }: Exchange): void {
    const query = Object.fromEntries(new URLSearchParams(search))
    const address = queryOf(String(response.headers.location ?? ''))
    for (const value of [query, address, request.headers, bodyOf(request), response.headers, bodyOf(response)]) {
      for (const { name, text } of textsIn(value)) {
        if (!name.some(isSecret)) continue
        // `Bearer …`, `name=value; …`: the secret is what follows.
        for (const part of text.split(/^(?:Bearer|Basic) |[\s=;]+/i))
          if (part.length >= SHORTEST) this.#secrets.add(part)
      }
    }
  }

  /** Remembers what a step has brought about. @param step its name; undefined when it was left out. @param way to the body */
  learn({ request, response }: Exchange, step: string | undefined, way: string[]): void {
    const sent = `${request.body ?? ''}`
    const value = bodyOf(response)
    const result = way.length === 0 && isObject(value) && Array.isArray(value.data) ? value.data : value
    for (const { name, text } of textsIn(result)) {
      const isNew = !this.#known.has(text) && !sent.includes(text)
      if (!isNew || !(generated.test(text) || this.#secrets.has(text))) continue
      const isReadable = step !== undefined && name.every((key) => !key.includes('.'))
      this.#known.set(text, isReadable ? [step, ...way, ...name].join('.') : undefined)
    }
  }

  /** The text with references in place of what earlier steps came to; undefined when one of those is not there. */
  written(text: string): string | undefined {
    let result = literal(text)
    for (const [value, reference] of this.#known) {
      if (!result.includes(value)) continue
      if (reference === undefined) return undefined
      result = result.replaceAll(value, `\${${reference}}`)
    }
    return this.holdsSecret(result) ? undefined : result
  }

  holdsSecret(text: string): boolean {
    for (const secret of this.#secrets) if (text.includes(secret)) return true
    return this.hide(text) !== text
  }

  /** The text for a comment. */
  shown(text: string): string {
    let shown = this.hide(text)
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, HIDDEN)
    return shown
  }
}

const queryOf = (address: string) => {
  const question = address.indexOf('?')
  return question < 0 ? {} : Object.fromEntries(new URLSearchParams(address.slice(question + 1)))
}

/** The JSON value of a message, or the fields of a form. */
export function bodyOf({ headers, body }: Exchange['request']): unknown {
  const text = body?.toString() ?? ''
  if (/x-www-form-urlencoded/i.test(String(headers['content-type'])))
    return Object.fromEntries(new URLSearchParams(text))
  // What no surface reads is not walked here either. wire: §2 "shape of a body"
  if (isDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textsIn(value: unknown, name: string[] = []): { name: string[]; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...name, key]))
}
