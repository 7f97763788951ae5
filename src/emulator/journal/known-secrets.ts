import type { World } from '../world/world.js'

/** A text without the secrets in it. */
export type Hide = (text: string) => string

/** A part of a text: where it begins, and where what follows begins. */
type Range = [start: number, end: number]

type Known = Pick<World, 'store' | 'settings'>

export const HIDDEN = '[redacted]'

/** A shorter secret is found in words that have nothing to do with it. */
const SHORTEST = 6
/** Longer texts are not met twice. */
const REMEMBERED = { characters: 200, texts: 10_000 }
/** No id or e-mail address is longer on either side of a word in it; what is looked at must be bounded. */
const LONGEST_AROUND = 254
/** An address may hold an address that holds an address. */
const MOST_DECODINGS = 3

const SPACE = 32
/** Not `{6,}`, for which Node's stack is too small when a word has millions of characters. */
const word = new RegExp(`[\\w-]{${SHORTEST}}[\\w-]*`, 'g')
/** As the emulator makes them; nothing else has this form, and a world of an earlier moment had some too. wire: §6 */
const generated = /(?:at|rt|ac|ses|cs|ss|key)_[\w-]{43}/g
/** Also an ordinary word: "The client secret is wrong" is not about the app whose secret is "secret". */
const plain = /^(?:[a-z]+|\d+)$/i
/** What stands around a value in JSON, addresses and sentences. */
const delimiter = /["'/=&?#:]/
const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/
/** A character that is written in another way in addresses and in JSON. */
const escaped = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f])+|\\u[\da-f]{4}|\\[bfnrt"\\/]/gi

/**
 * Replaces in a text whatever is a secret that the emulator knows now: tokens, codes, sessions, client and signing
 * secrets, API keys, the admin token; percent-encoded ones too. Ids and e-mail addresses stay when a secret is the same.
 * Make one for each answer: it remembers texts. Its cost goes by the length of texts, not by the number of tokens.
 * control-api: "Journal"
 */
export function hidingSecretsOf(world: Known): Hide {
  const given = givenSecrets(world)
  const remembered = new Map<string, string>()
  return (text) => {
    if (text.length < SHORTEST) return text
    if (text.length > REMEMBERED.characters) return withoutSecrets(world, given, text)
    const before = remembered.get(text)
    if (before !== undefined) return before
    const shown = withoutSecrets(world, given, text)
    if (remembered.size < REMEMBERED.texts) remembered.set(text, shown)
    return shown
  }
}

/** The same for the name of a field, which may be the same word as a secret: `password`. */
export const hideInName = (name: string, hide: Hide): string => (plain.test(name) ? name : hide(name))

function withoutSecrets(world: Known, given: RegExp | undefined, text: string): string {
  const ranges = secretsIn(world, given, text)
  if (ranges.length === 0) return text
  ranges.sort(([a], [b]) => a - b)
  let shown = ''
  let at = 0
  for (const [start, end] of ranges) {
    if (start >= at) shown += text.slice(at, start) + HIDDEN
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

/** Where secrets are in a text, as it stands and decoded. */
function secretsIn(world: Known, given: RegExp | undefined, text: string, decodings = 0): Range[] {
  const found: Range[] = []
  word.lastIndex = 0
  // Most words are ordinary ones of a sentence: they are told without being looked up, and without an iterator.
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const { index, 0: candidate } = match
    if (text.charCodeAt(index - 1) === SPACE && plain.test(candidate)) continue
    if (isInStore(world, candidate)) found.push([index, index + candidate.length])
    else if (candidate.length > 43) {
      for (const { index: start, 0: secret } of candidate.matchAll(generated))
        found.push([index + start, index + start + secret.length])
    }
  }
  if (given && text.search(given) >= 0)
    for (const { index, 0: secret } of text.matchAll(given)) found.push([index, index + secret.length])
  const own = found.length === 0 ? found : found.filter((range) => !isSomethingElse(world, text, range))
  if (decodings === MOST_DECODINGS || !/[%\\]/.test(text)) return own
  const decoded = decode(text)
  if (!decoded) return own
  const inner = secretsIn(world, given, decoded.text, decodings + 1)
  return [...own, ...inner.map(([start, end]): Range => [decoded.positions[start] ?? 0, decoded.positions[end] ?? 0])]
}

const isInStore = ({ store: { organizations, tokens, codes, sessions } }: Known, secret: string): boolean =>
  (organizations.by('api_key', secret) ??
    tokens.by('secret', secret) ??
    codes.by('secret', secret) ??
    sessions.by('secret', secret)) !== undefined

/** Whether what reads like a secret is an ordinary word here, or an id, an e-mail address or a moment or part of one. */
function isSomethingElse({ store }: Known, text: string, [start, end]: Range): boolean {
  const around = (part: RegExp): string => {
    let [from, to] = [start, end]
    while (from > 0 && start - from < LONGEST_AROUND && part.test(text.charAt(from - 1))) from--
    while (to < text.length && to - end < LONGEST_AROUND && part.test(text.charAt(to))) to++
    return text.slice(from, to)
  }
  if (plain.test(text.slice(start, end))) {
    const neighbours = [text.charAt(start - 1), text.charAt(end)]
    if (!neighbours.every((neighbour) => neighbour === '' || delimiter.test(neighbour))) return true
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

/** The text without its escapes, and where each of its characters was; undefined when it has none. */
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

function character(code: string): string {
  try {
    return code.startsWith('%') ? decodeURIComponent(code) : JSON.parse(`"${code}"`)
  } catch {
    return code.replace(/./gs, '\0')
  }
}

/** Of every world, what `givenSecrets` last made and of what: they change seldom. */
const made = new WeakMap<World['store'], { secrets: string[]; pattern: RegExp | undefined }>()

/** What finds the secrets that belong to few, or that are not words: they may stand within a word. */
function givenSecrets({ store, settings }: Known): RegExp | undefined {
  const secrets: string[] = settings.admin_token === undefined ? [] : [settings.admin_token]
  for (const { client_secret, signing_secret } of store.apps.all) secrets.push(client_secret, signing_secret)
  for (const { secret } of store.tokens.in('non_word_secret', 'all')) secrets.push(secret)
  for (const { api_key } of store.organizations.in('non_word_secret', 'all')) secrets.push(api_key ?? '')
  const before = made.get(store)
  if (before && before.secrets.length === secrets.length && before.secrets.every((it, at) => it === secrets[at]))
    return before.pattern
  const longestFirst = secrets.filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
  const pattern = longestFirst.length > 0 ? new RegExp(longestFirst.map(literally).join('|'), 'g') : undefined
  made.set(store, { secrets, pattern })
  return pattern
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
