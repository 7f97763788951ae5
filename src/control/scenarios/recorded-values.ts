import { HIDDEN, type Redactor } from '../../emulator/journal/known-secrets.js'
import { isSecretName } from '../../emulator/journal/redact.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { isDeep } from '../../foundation/schema/json-depth.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import { MIN_SECRET_LENGTH } from '../../foundation/store/non-word-secret.js'
import { SANDBOX_PREFIX } from '../sandboxes/create-sandbox.js'
import { literal } from './references.js'

/** An id as the emulator generates it when no liberty changes its form. wire: §1 */
const plainId = /^(?:[a-z]+_)?[A-Za-z0-9]{16}$/

/** Texts to find in other texts, each with a reference. They are indexed by their last characters: many begin alike. */
class KnownTexts extends Map<string, string | undefined> {
  readonly #byEnd = new Map<string, string[]>()

  override set(text: string, reference?: string): this {
    const end = text.slice(-MIN_SECRET_LENGTH)
    const alike = this.#byEnd.get(end) ?? []
    if (!this.has(text)) alike.push(text)
    this.#byEnd.set(end, alike)
    return super.set(text, reference)
  }

  /** Returns those that are in a text, the longest first: one may be a part of another. */
  within(text: string): string[] {
    const found = new Set<string>()
    for (let end = MIN_SECRET_LENGTH; end <= text.length; end++) {
      for (const known of this.#byEnd.get(text.slice(end - MIN_SECRET_LENGTH, end)) ?? []) {
        if (text.endsWith(known, end)) found.add(known)
      }
    }
    return [...found].sort((a, b) => b.length - a.length)
  }
}

/** Values in the results of recorded steps. Later steps refer to them, since another run has other values. */
export class RecordedValues {
  /** The reference to each value; undefined when its step is not in the recording. */
  readonly #known = new KnownTexts()
  /** Secrets that the redactor does not know. A word that it knows is none in a sentence. */
  readonly #secrets = new KnownTexts()
  readonly #redact: Redactor
  readonly #made: ReadonlySet<string>

  /** @param made ids and secrets made while it was recorded. */
  constructor(redact: Redactor, made: ReadonlySet<string>) {
    this.#redact = redact
    this.#made = made
  }

  /** True for an id or a secret that the emulator generated, which differs in another run. */
  isGenerated = (text: string): boolean =>
    plainId.test(text) || this.#made.has(text) || this.#made.has(SANDBOX_PREFIX + text)

  addSecrets({ search, request, response }: Exchange): void {
    const query = Object.fromEntries(new URLSearchParams(search))
    const address = queryOf(String(response.headers.location ?? ''))
    for (const value of [query, address, request.headers, bodyOf(request), response.headers, bodyOf(response)]) {
      for (const { name, text } of textsIn(value)) {
        if (!name.some(isSecretName)) continue
        // `Bearer …`, `name=value; …`: the secret is what follows.
        for (const part of text.split(/^(?:Bearer|Basic) |[\s=;]+/i))
          if (part.length >= MIN_SECRET_LENGTH && this.#redact(part) !== HIDDEN) this.#secrets.set(part)
      }
    }
  }

  /** Adds the values in the response of a step, whose name is undefined when it is left out. */
  addResult({ request, response }: Exchange, step: string | undefined, path: string[]): void {
    const sent = `${request.body ?? ''}`
    const value = bodyOf(response)
    const result = path.length === 0 && isObject(value) && Array.isArray(value.data) ? value.data : value
    for (const { name, text } of textsIn(result)) {
      const isNew = !this.#known.has(text) && !sent.includes(text)
      const isSecret = this.#secrets.has(text) || this.#redact(text) === HIDDEN
      if (!isNew || !(isSecret || this.isGenerated(text))) continue
      const isReadable = step !== undefined && name.every((key) => !key.includes('.'))
      this.#known.set(text, isReadable ? [step, ...path, ...name].join('.') : undefined)
    }
  }

  /** Returns a text with references to earlier results; undefined when it holds a secret, or a value without one. */
  written(text: string): string | undefined {
    let result = literal(text)
    for (const value of this.#known.within(result)) {
      const reference = this.#known.get(value)
      if (!result.includes(value)) continue
      if (reference === undefined) return undefined
      result = result.replaceAll(value, `\${${reference}}`)
    }
    return this.#holdsSecret(result) ? undefined : result
  }

  #holdsSecret(text: string): boolean {
    return this.#secrets.within(text).length > 0 || this.#redact(text) !== text
  }

  redacted(text: string): string {
    let shown = this.#redact(text)
    for (const secret of this.#secrets.within(shown)) shown = shown.replaceAll(secret, HIDDEN)
    return shown
  }
}

const queryOf = (address: string) => Object.fromEntries(new URLSearchParams(/\?.*/s.exec(address)?.[0]))

/** Returns the JSON value of a message, or the fields of a form. */
export function bodyOf({ headers, body }: Exchange['request']): unknown {
  const text = body?.toString() ?? ''
  if (/x-www-form-urlencoded/i.test(String(headers['content-type'])))
    return Object.fromEntries(new URLSearchParams(text))
  // No surface reads such a body either. wire: §2 "shape of a body"
  if (isDeep(text)) return undefined
  return unlessThrows(() => JSON.parse(text))
}

function textsIn(value: unknown, name: string[] = []): { name: string[]; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...name, key]))
}
