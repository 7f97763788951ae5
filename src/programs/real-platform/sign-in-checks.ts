import { isObject } from '../../foundation/schema/is-object.js'
import { check, type Found, memberDifferences, type PlatformCheck, shapeOf } from './difference.js'
import type { PlatformExchange } from './evidence.js'
import type { PlatformClient } from './platform-client.js'
import type { EmulatorReference } from './reference.js'

const SECTION = 'wire: §6 "discovery, JWKS"'
const CACHE = 'spec: §8 "Discovery and JWKS cache"'

/** Decisions that have a section of their own, by member of the discovery document. */
const sections: Record<string, string> = {
  issuer: 'spec: §4.9',
  authorization_endpoint: 'spec: §4.8',
  token_endpoint: 'spec: §4.8',
  id_token_signing_alg_values_supported: 'spec: §4.9',
  scopes_supported: 'spec: §5.3',
  claims_supported: 'spec: §5.3',
}

/** The endpoints whose path is documented. spec: §4.8 */
const documentedPaths = { authorization_endpoint: '/oauth/authorize', token_endpoint: '/oauth/token' }

/** `--issuer`, the exchanges with it, and what they are compared with. */
type SignIn = Awaited<ReturnType<typeof askSignIn>>

/** No credential goes where people sign in, and no address is called only because the platform names it. */
export async function askSignIn(client: PlatformClient, issuer: string, reference: EmulatorReference) {
  const ask = async (path: string): Promise<PlatformExchange> => {
    return { where: `GET ${path}`, response: await client.request(path, { credential: null }) }
  }
  const discovery = await ask('/.well-known/openid-configuration')
  const document = isObject(discovery.response.body) ? discovery.response.body : {}
  /** The members of discovery whose endpoint is at its documented path too, wherever they lead. */
  const served: string[] = []
  for (const [name, path] of Object.entries(documentedPaths)) {
    const url = urlIn(String(document[name]))
    if (url && url.pathname !== path && (await ask(path)).response.status !== 404) served.push(name)
  }
  const uri = urlIn(String(document.jwks_uri))
  const path = uri?.origin === new URL(issuer).origin ? uri.pathname : '/.well-known/jwks.json'
  return { issuer, reference, discovery, served, jwks: await ask(path) }
}

const urlIn = (value: unknown) => (typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined)

/** The checks of discovery and JWKS. real-platform: "discovery and JWKS, when `--issuer` is given" */
export const signInChecks: PlatformCheck<SignIn>[] = [
  check('discovery document', SECTION, ({ discovery }) => [discovery], discoveryDifferences),

  check('signing keys', SECTION, ({ jwks }) => [jwks], keyDifferences),

  check('caching of discovery and keys', CACHE, ({ discovery, jwks }) => [discovery, jwks], cachingDifferences),
]

function* discoveryDifferences({ response }: PlatformExchange, signIn: SignIn): Generator<Found> {
  const { issuer, reference, served } = signIn
  const { status, body } = response
  if (status !== 200 || !isObject(body)) {
    const found = status === 200 ? shapeOf(body) : `status ${status}`
    return yield { field: '', documented: 'the discovery document', found }
  }
  const members = Object.entries(reference.discovery)
  yield* memberDifferences(body, Object.fromEntries(members.map(([name, value]) => [name, describeValue(value)])))

  // If the platform uses another origin, its endpoints are compared under that origin.
  const own = urlIn(body.issuer) ? String(body.issuer).replace(/\/$/, '') : issuer
  for (const [name, expected] of members) {
    if (!Object.hasOwn(body, name)) continue
    const given = body[name]
    const origin = name === 'issuer' ? issuer : own
    const wanted = typeof expected === 'string' ? expected.replace(reference.issuer, origin) : expected
    if (setOf(given) === setOf(wanted)) continue
    const section = served.includes(name) ? SECTION : (sections[name] ?? SECTION)
    const setting = settingFor(name, given, wanted)
    yield { section, field: name, documented: describeValue(wanted), found: describeValue(given), ...setting }
  }
}

/** Returns the setting that makes the emulator say the same of itself. wire: §1 "issuer", "two networks" */
function settingFor(name: string, value: unknown, wanted: unknown): Pick<Found, 'setting'> {
  const url = urlIn(value)
  if (name === 'issuer' && url?.pathname === '/') return { setting: { name: 'app_url', value: url.origin } }
  const isSamePath = url && name === 'authorization_endpoint' && url.pathname === urlIn(wanted)?.pathname
  return isSamePath ? { setting: { name: 'browser_url', value: url.origin } } : {}
}

/** Arrays of a discovery document have no order. */
const setOf = (value: unknown): string => JSON.stringify(Array.isArray(value) ? [...value].sort() : value)

/** Returns a value of a discovery document, which is public. */
const describeValue = (value: unknown): string => [value].flat().map(String).join(', ').slice(0, 200)

/** Members of a key that say what it is for; the others are the key. */
const PURPOSE = ['kty', 'use', 'alg']

function* keyDifferences({ response }: PlatformExchange, { reference: { key } }: SignIn): Generator<Found> {
  const { status, body } = response
  const keys = isObject(body) ? body.keys : body
  if (status !== 200 || !Array.isArray(keys) || keys.length === 0) {
    const found = status === 200 ? shapeOf(keys) : `status ${status}`
    return yield { field: 'keys', documented: 'an array of keys', found }
  }
  // One key of the documented kind is enough to verify an id_token; others beside it are a decision.
  const isVerifiable = keys.some((one) => isObject(one) && PURPOSE.every((name) => one[name] === key[name]))
  const members = Object.keys(key).map((name) => [name, PURPOSE.includes(name) ? String(key[name]) : 'a string'])
  for (const one of keys) {
    if (!isObject(one)) {
      yield { field: 'keys', documented: 'objects', found: shapeOf(one) }
      continue
    }
    yield* memberDifferences(one, Object.fromEntries(members))
    for (const name of PURPOSE) {
      if (!Object.hasOwn(one, name) || one[name] === key[name]) continue
      const section = isVerifiable ? SECTION : 'spec: §4.9'
      yield { section, field: name, documented: String(key[name]), found: shapeOf(one[name]) }
    }
  }
}

function* cachingDifferences({ response }: PlatformExchange, { reference }: SignIn): Generator<Found> {
  for (const name of response.status === 200 ? ['cache-control', 'access-control-allow-origin'] : []) {
    const [given, documented] = [response.headers[name], String(reference.headers[name])]
    if (typeof given === 'string' && directivesOf(given) === directivesOf(documented)) continue
    const section = name === 'cache-control' ? CACHE : SECTION
    const field = name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
    yield { section, field, documented, found: given === undefined ? 'none' : 'another value' }
  }
}

/** The directives of a header have no order. */
const directivesOf = (header: string) => setOf(header.toLowerCase().split(/\s*,\s*/))
