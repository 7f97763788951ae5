import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import { MIN_SECRET_LENGTH, ordinaryWord, WITHOUT_WORD } from '../../foundation/store/non-word-secret.js'
import type { World } from '../world/world.js'

/** Returns a text with `[redacted]` in place of its secrets. */
export type Redactor = (text: string) => string

/** A secret in a text; its end is exclusive. */
interface Hit {
  start: number
  end: number
  secret: string
}

type Known = Pick<World, 'store' | 'settings'>

export const HIDDEN = '[redacted]'

/** The texts whose results a redactor remembers: longer ones rarely repeat. */
const REMEMBERED = { characters: 200, texts: 10_000 }
/** Characters of an id or email address on either side of a word in it. */
const MAX_ID_LENGTH = 254
/** A URL may have a URL in its query, which may have one too. */
const MAX_DECODINGS = 3

const SPACE = 32
/** Not `{6,}`, for which Node's stack is too small when a word has millions of characters. */
const word = new RegExp(`[\\w-]{${MIN_SECRET_LENGTH}}[\\w-]*`, 'g')
/** Secrets as the emulator generates them, those of earlier worlds too. wire: §6 */
const generated = /(?:at|rt|ac|ses|cs|ss|key)_[\w-]{43}/g
/** Characters around a value in JSON, URLs and sentences. */
const delimiter = /["'/=&?#:]/
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/
/** An escaped character in a URL or in JSON. */
const escaped = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f])+|\\u[\da-f]{4}|\\[bfnrt"\\/]/gi

/**
 * Creates a redactor of the secrets that the emulator knows now: tokens, codes, sessions, client and signing secrets,
 * API keys and the admin token, also percent-encoded. An id or email address that equals a secret stays. Create one for
 * each response, since it remembers texts. Its time is proportional to the length of texts, whatever the number of
 * tokens. control-api: "Journal"
 */
export function createRedactor(world: Known): Redactor {
  const given = patternOfSecrets(world)
  const remembered = new Map<string, string>()
  return (text) => {
    if (text.length < MIN_SECRET_LENGTH) return text
    if (text.length > REMEMBERED.characters) return withoutSecrets(world, given, text)
    const before = remembered.get(text)
    if (before !== undefined) return before
    const shown = withoutSecrets(world, given, text)
    if (remembered.size < REMEMBERED.texts) remembered.set(text, shown)
    return shown
  }
}

/** Redacts the name of a field, unless it is a plain word such as `password`, which may also be some app's secret. */
export const redactName = (name: string, redact: Redactor): string => (ordinaryWord.test(name) ? name : redact(name))

function withoutSecrets(world: Known, given: RegExp | undefined, text: string): string {
  const hits = secretsIn(world, given, text)
  if (hits.length === 0) return text
  hits.sort((a, b) => a.start - b.start)
  let shown = ''
  let at = 0
  for (const { start, end } of hits) {
    if (start >= at) shown += text.slice(at, start) + HIDDEN
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

/** Returns the secrets in a text, unescaped. */
export const knownSecretsIn = (world: Known, text: string): string[] =>
  secretsIn(world, patternOfSecrets(world), text).map(({ secret }) => secret)

/** Finds the secrets in a text, also where it is escaped. */
function secretsIn(world: Known, given: RegExp | undefined, text: string, decodings = 0): Hit[] {
  const found: Hit[] = []
  const isSearchedByParts = holdersOf(world).some((records) => records.isIndexed('non_word_secret'))
  word.lastIndex = 0
  // Most words are those of a sentence. They are skipped without a look-up, and without an iterator.
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const { index, 0: candidate } = match
    if (text.charCodeAt(index - 1) === SPACE && ordinaryWord.test(candidate)) continue
    if (isInStore(world, candidate)) found.push(hit(index, candidate))
    else if (candidate.length > 43) {
      for (const { index: start, 0: secret } of candidate.matchAll(generated)) found.push(hit(index + start, secret))
    }
    if (isSearchedByParts) found.push(...secretsAround(world, candidate, text, index))
  }
  if (given && text.search(given) >= 0)
    for (const { index, 0: secret } of text.matchAll(given)) found.push(hit(index, secret))
  const own = found.filter((each) => !isNoSecretHere(world, text, each))
  if (decodings === MAX_DECODINGS || !/[%\\]/.test(text)) return own
  const decoded = decode(text)
  if (!decoded) return own
  const { positions } = decoded
  const inner = secretsIn(world, given, decoded.text, decodings + 1)
  return [
    ...own,
    ...inner.map((each) => ({ ...each, start: positions[each.start] ?? 0, end: positions[each.end] ?? 0 })),
  ]
}

const hit = (start: number, secret: string): Hit => ({ start, end: start + secret.length, secret })

const isInStore = ({ store: { organizations, tokens, codes, sessions } }: Known, secret: string): boolean =>
  (organizations.by('api_key', secret) ??
    tokens.by('secret', secret) ??
    codes.by('secret', secret) ??
    sessions.by('secret', secret)) !== undefined

/** The records whose secrets may have characters that no word has. */
const holdersOf = ({ store: { tokens, codes, organizations } }: Known) => [tokens, codes, organizations]

/** Returns the secrets that are not one word, by the key of their index: the longest word in them, or `WITHOUT_WORD`. */
const nonWordSecrets = (world: Known, key: string): string[] =>
  holdersOf(world)
    // Most keys have none, and no list is made for those.
    .filter((records) => records.by('non_word_secret', key))
    .flatMap((records) => [...records.in('non_word_secret', key)])
    .map((it) => ('secret' in it ? it.secret : (it.api_key ?? '')))

/** Returns the secrets in a text of which a word at `index` is part. */
const secretsAround = (world: Known, part: string, text: string, index: number): Hit[] =>
  nonWordSecrets(world, part).flatMap((secret) => {
    const start = index - secret.indexOf(part)
    return start >= 0 && text.startsWith(secret, start) ? [hit(start, secret)] : []
  })

/** Returns true when a text that equals a secret is a word of a sentence, or part of an id, email address or time. */
function isNoSecretHere({ store }: Known, text: string, { start, end, secret }: Hit): boolean {
  const around = (part: RegExp): string => {
    let [from, to] = [start, end]
    while (from > 0 && start - from < MAX_ID_LENGTH && part.test(text.charAt(from - 1))) from--
    while (to < text.length && to - end < MAX_ID_LENGTH && part.test(text.charAt(to))) to++
    return text.slice(from, to)
  }
  if (ordinaryWord.test(secret)) {
    const neighbors = [text.charAt(start - 1), text.charAt(end)]
    if (!neighbors.every((neighbor) => neighbor === '' || delimiter.test(neighbor))) return true
  }
  const id = around(/[\w-]/)
  const { organizations, apps, installations, users, courses, modules, elements } = store
  const isId = [organizations, apps, installations, users, courses, modules, elements].some((records) =>
    records.get(id),
  )
  if (isId || apps.by('client_id', id)) return true
  return (
    users.by('email', around(/[^\s"'<>(),;:/?&=]/).toLowerCase()) !== undefined || timestamp.test(around(/[\w:.+-]/))
  )
}

/** Returns the text without its escapes, and the original position of each character; undefined without escapes. */
function decode(text: string): { text: string; positions: number[] } | undefined {
  let decoded = ''
  const positions: number[] = []
  const take = (from: number, part: string, step: 0 | 1) => {
    for (let at = 0; at < part.length; at++) positions.push(from + at * step)
    decoded += part
  }
  let at = 0
  for (const { index, 0: code } of text.matchAll(escaped)) {
    take(at, text.slice(at, index), 1)
    take(index, character(code), 0)
    at = index + code.length
  }
  if (at === 0) return undefined
  take(at, text.slice(at), 1)
  positions.push(text.length)
  return { text: decoded, positions }
}

const character = (code: string): string =>
  unlessThrows(() => (code.startsWith('%') ? decodeURIComponent(code) : JSON.parse(`"${code}"`))) ??
  code.replace(/./gs, '\0')

/** The latest result of `patternOfSecrets` for each world, since these secrets seldom change. */
const latest = new WeakMap<World['store'], { secrets: string[]; pattern: RegExp | undefined }>()

/** Returns a pattern of the secrets that must be searched for one by one: those of apps, and those without a word. */
function patternOfSecrets(world: Known): RegExp | undefined {
  const { store, settings } = world
  const secrets = settings.admin_token === undefined ? [] : [settings.admin_token]
  for (const { client_secret, signing_secret } of store.apps.all) secrets.push(client_secret, signing_secret)
  secrets.push(...nonWordSecrets(world, WITHOUT_WORD))
  const before = latest.get(store)
  if (before && before.secrets.length === secrets.length && before.secrets.every((it, at) => it === secrets[at]))
    return before.pattern
  const longestFirst = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
  const pattern = longestFirst.length > 0 ? new RegExp(longestFirst.map(literally).join('|'), 'g') : undefined
  latest.set(store, { secrets, pattern })
  return pattern
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
