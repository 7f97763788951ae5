import { isObject } from '../../foundation/schema/is-object.js'
import type { PlatformCheck } from './checks.js'
import type { SeenDifference } from './difference.js'
import type { PlatformExchange } from './evidence.js'
import { membersOf } from './members-of.js'
import type { EmulatorReference } from './reference.js'
import { shapeOf } from './shape.js'

const SECTION = 'wire: §6 "discovery, JWKS"'
const CACHE = 'spec: §8 "Discovery and JWKS cache"'

/** Decisions that have a section of their own, by member. */
const sections: Record<string, string> = {
  issuer: 'spec: §4.9',
  authorization_endpoint: 'spec: §4.8',
  token_endpoint: 'spec: §4.8',
  id_token_signing_alg_values_supported: 'spec: §4.9',
  scopes_supported: 'spec: §5.3',
  claims_supported: 'spec: §5.3',
}

/** What `--issuer` says, and what was answered there. */
export interface SignIn {
  issuer: string
  reference: EmulatorReference
  discovery: PlatformExchange
  jwks: PlatformExchange
}

/** The checks of discovery and JWKS. real-platform: "discovery and JWKS, when `--issuer` is given" */
export const signInChecks = ({ issuer, reference, discovery, jwks }: SignIn): PlatformCheck[] => [
  { name: 'discovery document', section: SECTION, run: () => discoveryDifferences(issuer, reference, discovery) },
  { name: 'signing keys', section: SECTION, run: () => keyDifferences(reference, jwks) },
  {
    name: 'caching of discovery and keys',
    section: CACHE,
    *run() {
      for (const { where, answer } of [discovery, jwks]) {
        if (answer.status !== 200) continue
        for (const [name, documented] of Object.entries(reference.cached)) {
          const found = answer.headers[name]
          if (typeof found === 'string' && directivesOf(found) === directivesOf(documented)) continue
          const section = name === 'cache-control' ? CACHE : SECTION
          yield {
            section,
            where,
            field: headerName(name),
            documented,
            found: found === undefined ? 'none' : 'another value',
          }
        }
      }
    },
  },
]

const directivesOf = (header: string) =>
  header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .sort()
    .join()

const headerName = (name: string) => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

function* discoveryDifferences(
  issuer: string,
  reference: EmulatorReference,
  { where, answer }: PlatformExchange,
): Generator<SeenDifference> {
  const { status, body } = answer
  if (status !== 200 || !isObject(body)) {
    const found = status === 200 ? shapeOf(body) : `status ${status}`
    yield { section: SECTION, where, field: '', documented: 'the discovery document', found }
    return
  }
  const documented = Object.fromEntries(
    Object.entries(reference.discovery).map(([name, value]) => [name, toldValue(value)]),
  )
  yield* membersOf(body, documented, { section: SECTION, where })

  // Where the platform calls itself otherwise, its endpoints are judged by the name that it gives itself.
  const own = typeof body.issuer === 'string' && URL.canParse(body.issuer) ? body.issuer.replace(/\/$/, '') : issuer
  for (const [name, expected] of Object.entries(reference.discovery)) {
    if (!Object.hasOwn(body, name)) continue
    const value = body[name]
    const wanted =
      typeof expected === 'string' ? expected.replace(reference.issuer, name === 'issuer' ? issuer : own) : expected
    if (setOf(value) === setOf(wanted)) continue
    const base = { section: sections[name] ?? SECTION, where, field: name, documented: toldValue(wanted) }
    yield { ...base, found: toldValue(value), ...adapting(name, value, wanted) }
  }
}

/** The setting that makes the emulator say the same of itself. wire: §1 "issuer", "two networks" */
function adapting(name: string, value: unknown, wanted: unknown): Pick<SeenDifference, 'setting'> {
  if (typeof value !== 'string' || !URL.canParse(value)) return {}
  const { origin, pathname } = new URL(value)
  if (name === 'issuer' && pathname === '/') return { setting: { name: 'app_url', value: origin } }
  if (name !== 'authorization_endpoint' || pathname !== new URL(String(wanted)).pathname) return {}
  return { setting: { name: 'browser_url', value: origin } }
}

/** Arrays of a discovery document have no order. */
const setOf = (value: unknown): string => JSON.stringify(Array.isArray(value) ? [...value].sort() : value)

/** What a discovery document says is public. */
const toldValue = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ').slice(0, 200) : String(value).slice(0, 200)

function* keyDifferences({ key }: EmulatorReference, { where, answer }: PlatformExchange): Generator<SeenDifference> {
  const { status, body } = answer
  const keys = isObject(body) && Array.isArray(body.keys) ? body.keys : undefined
  if (status !== 200 || !keys || keys.length === 0) {
    const found = status === 200 ? shapeOf(isObject(body) ? body.keys : body) : `status ${status}`
    yield { section: SECTION, where, field: 'keys', documented: 'an array of keys', found }
    return
  }
  const documented = Object.fromEntries(
    Object.keys(key).map((name) => [name, fixed.includes(name) ? String(key[name]) : 'a string']),
  )
  for (const one of keys) {
    if (!isObject(one)) {
      yield { section: SECTION, where, field: 'keys', documented: 'objects', found: shapeOf(one) }
      continue
    }
    yield* membersOf(one, documented, { section: SECTION, where })
    for (const name of fixed) {
      if (!Object.hasOwn(one, name) || one[name] === key[name]) continue
      const section = name === 'use' ? SECTION : 'spec: §4.9'
      yield { section, where, field: name, documented: String(key[name]), found: shapeOf(one[name]) }
    }
  }
}

/** Members of a key that say what it is for; the others are the key. */
const fixed = ['kty', 'use', 'alg']
