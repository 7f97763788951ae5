import { isObject } from '../../foundation/schema/is-object.js'
import type { Response } from '../serving/response.js'
import type { Chance } from './chance.js'
import type { Liberty, TextForm, Turn } from './liberty.js'

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Forms of RFC 6750's b64token: `=` may be at its end alone. */
const tokenForms = [
  { alphabet: `${alphanumeric}-._~+/`, end: '==' },
  { alphabet: `${alphanumeric}+/`, end: '=' },
  { alphabet: `${alphanumeric}-_` },
  { alphabet: '0123456789abcdef' },
]

/** A key that signs nothing, of a curve that id_tokens do not use. RFC 8037, appendix A */
const otherKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  use: 'sig',
  alg: 'EdDSA',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

/** Forms of `kid` with room for at least 2^40 of them. */
const kidForms: TextForm[] = [
  { alphabet: '0123456789', size: 13 },
  { alphabet: `${alphanumeric}-_=/+. :`, size: 64 },
  { alphabet: '0123456789abcdef', size: 40 },
]

/** Returns a name for a key, which follows from its own: verifiers keep keys by name, over resets and restarts. */
function kidOf(key: string, turn: Turn): string {
  const { alphabet, size } = turn.stableChance('form').of(kidForms)
  return turn.stableChance('kid', key).characters(alphabet, size)
}

/** Returns one to four keys beside the real one: of another type, and itself for another use or algorithm, under other names. */
function keysBeside(real: object, turn: Turn): object[] {
  const chance = turn.stableChance('beside')
  const others = [
    otherKey,
    { ...real, use: 'enc', alg: 'RSA-OAEP-256' },
    { ...real, alg: 'RS512' },
    { ...real, alg: 'PS256' },
  ]
  const some = chance.shuffled<object>(others).slice(0, chance.integer(1, 4))
  return some.map((key, index) => ({ ...key, kid: kidOf(`beside ${index}`, turn) }))
}

/** The usual paths of endpoints that discovery may name elsewhere. */
const endpoints = Object.entries({
  authorization_endpoint: '/oauth/authorize',
  token_endpoint: '/oauth/token',
  jwks_uri: '/.well-known/jwks.json',
})
const ends = ['v2', 'default', 'eu-1', 'tenant.a']

/** Another path of an endpoint, below the usual one. */
const pathBeside = ([endpoint, usual]: [string, string], turn: Turn) =>
  `${usual}/${turn.stableChance(endpoint).of(ends)}`

/** Returns the usual path for one that any seed's discovery names. Apps cache it for longer than a seed is in force. spec: §4.8 */
export const usualPathOf = (path: string): string | undefined =>
  endpoints.map(([, usual]) => usual).find((usual) => ends.some((end) => path === `${usual}/${end}`))

/** Returns one to four of the members. */
const someOf = (members: object, chance: Chance): object =>
  Object.fromEntries(chance.shuffled(Object.entries(members)).slice(0, chance.integer(1, 4)))

const moreMetadata = (issuer: string) => ({
  service_documentation: `${issuer}/docs`,
  ui_locales_supported: ['en', 'de'],
  backchannel_logout_supported: false,
  op_policy_uri: `${issuer}/policy`,
  acr_values_supported: ['1'],
  display_values_supported: ['page'],
})

/** Returns a response's body when it has this member. */
const bodyWith = ({ status, body }: Response, member: string): Record<string, unknown> | undefined =>
  status === 200 && isObject(body) && Object.hasOwn(body, member) ? body : undefined

/** Adds a parameter to a URL's query, before or after the others, and leaves these byte for byte. */
function withParameter(url: string, chance: Chance): string {
  const [, address = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(url) ?? []
  const more = `${chance.of(['locale', 'trace', 'ref', 'session_hint'])}=${chance.characters(alphanumeric, 6)}`
  const pairs = chance.happens(0.5) ? [more, query] : [query, more]
  return `${address}?${pairs.filter(Boolean).join('&')}${hash}`
}

export const oauthLiberties = {
  tokens: {
    varies: 'length (20 to 1,000) and alphabet (RFC 6750) of new tokens, codes, app secrets and API keys',
    open: ['wire: §6 "tokens"'],
    secret: (turn) => ({
      ...turn.stableChance(turn.operation).of(tokenForms),
      size: turn.ownChance.of([20, 43, 64, 300, 1000]),
    }),
  },
  aud: {
    varies: 'a string, or an array of one: OpenID Connect Core §2 treats them alike',
    open: ['OpenID Connect Core §2: `aud` is one text or an array'],
    idToken: (draft, turn) =>
      turn.stableChance().happens(0.5) ? draft : { ...draft, claims: { ...draft.claims, aud: [draft.claims.aud] } },
  },
  claims: {
    varies: 'more claims: unknown ones, `auth_time`, `azp`, `amr`',
    open: ['wire: §6 "`id_token`"'],
    idToken({ header, claims }, turn) {
      const chance = turn.stableChance(turn.app)
      const all = {
        auth_time: claims.iat,
        azp: [claims.aud].flat()[0],
        amr: ['pwd'],
        sid: chance.characters(alphanumeric, 24),
        'https://platform.example/tenant': { plan: 'x' },
        ver: 2,
      }
      return { header, claims: { ...claims, ...someOf(all, chance) } }
    },
  },
  keys: {
    varies:
      'two to five keys in the JWKS, in any order, some of another use, algorithm or type; `kid` of any form; as apps may cache keys, each keeps the `kid` that it had first under other seeds and without liberties, until the emulator is restarted',
    open: ['wire: §6 "discovery, JWKS"'],
    kid: kidOf,
    response(response, turn) {
      const body = bodyWith(response, 'keys')
      if (!body || turn.operation !== 'oauth jwks') return response
      const real = body.keys as object[]
      const keys = [...real, ...keysBeside(real[0] as object, turn)].slice(0, Math.max(5, real.length))
      return { ...response, body: { ...body, keys: turn.ownChance.shuffled(keys) } }
    },
  },
  metadata: {
    varies:
      'additional members; authorization endpoint, token endpoint and JWKS at other paths, while the documented ones ([spec §4.8](platform.md#s4.8)) keep working; as apps may cache discovery, these paths keep working under other seeds and without liberties, until the emulator is restarted',
    open: ['wire: §6 "discovery, JWKS"'],
    response(response, turn) {
      const body = bodyWith(response, 'issuer')
      if (!body || turn.operation !== 'oauth discovery') return response
      const elsewhere = endpoints.filter(([name]) => turn.stableChance('elsewhere', name).happens(0.6))
      const moved = elsewhere.map((each) => [each[0], new URL(pathBeside(each, turn), String(body[each[0]])).href])
      const more = someOf(moreMetadata(String(body.issuer)), turn.stableChance('more'))
      return { ...response, body: { ...body, ...Object.fromEntries(moved), ...more } }
    },
  },
  redirects: {
    varies: 'further query parameters on the callback and the post-install address, which clients ignore',
    open: ['wire: §6 "other authorize errors"', 'wire: §7 "post-install redirect"', 'RFC 6749 §4.1.2'],
    response(response, turn) {
      const { headers, body } = response
      const chance = turn.stableChance(turn.operation)
      const location = headers?.location
      // A redirect within the platform is a path.
      if (typeof location === 'string' && URL.canParse(location))
        return { ...response, headers: { ...headers, location: withParameter(location, chance) } }
      if (isObject(body) && typeof body.redirect_url === 'string')
        return { ...response, body: { ...body, redirect_url: withParameter(body.redirect_url, chance) } }
      return response
    },
  },
} satisfies Record<string, Liberty>
