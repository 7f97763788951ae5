import { createHmac } from 'node:crypto'
import type { IdTokenEffectName } from '../../emulator/faults/effect-names.js'
import type { IdTokenEffect } from '../../emulator/faults/effects.js'
import type { IdTokenParts } from '../../emulator/world/forms.js'
import type { KeyRecord } from './key-record.js'
import { signIdToken } from './sign-id-token.js'

export const HOUR_IN_SECONDS = 3600

interface Tampering {
  draft: IdTokenParts
  key: KeyRecord
  /** Seconds since 1970, on the emulator's clock. */
  unixTime: number
  /** Seconds, in whole hours: a time that long ago is past by the machine's clock too. */
  away: number
  clientSecret: string
}

type Tamper = (tampering: Tampering) => string | Promise<string>

/** Signs with claims that are not the real ones. */
const withClaims =
  (claims: (tampering: IdTokenParts & Tampering) => Record<string, unknown>): Tamper =>
  (tampering) => {
    const { draft, key } = tampering
    return signIdToken({ ...draft, claims: { ...draft.claims, ...claims({ ...tampering, ...draft }) } }, key)
  }

const withoutClaim = (name: string): Tamper => withClaims(() => ({ [name]: undefined }))

const withoutKid = ({ alg, typ }: IdTokenParts['header']) => ({ alg, typ })

/** The effects on an id_token, each with exactly one thing wrong. control-api: "Faults", `effect` on `id_token` */
const tampers: Record<IdTokenEffectName, Tamper> = {
  bad_signature: async ({ draft, key }) => withFlippedSignature(await signIdToken(draft, key)),
  unknown_kid: ({ draft, key }) => signIdToken({ ...draft, header: { ...draft.header, kid: `not-${key.id}` } }, key),
  wrong_iss: withClaims(() => ({ iss: 'https://issuer.invalid' })),
  no_iss: withoutClaim('iss'),
  wrong_aud: withClaims(({ claims }) => ({ aud: `not_${claims.aud}` })),
  second_aud: withClaims(({ claims }) => ({ aud: [claims.aud, `not_${claims.aud}`] })),
  wrong_azp: withClaims(({ claims }) => ({ azp: `not_${claims.aud}` })),
  expired: withClaims(({ unixTime, away }) => ({ iat: unixTime - away - HOUR_IN_SECONDS, exp: unixTime - away })),
  no_exp: withoutClaim('exp'),
  not_yet_valid: withClaims(({ unixTime }) => ({ nbf: unixTime + HOUR_IN_SECONDS })),
  future_iat: withClaims(({ unixTime }) => ({ iat: unixTime + HOUR_IN_SECONDS, exp: unixTime + 2 * HOUR_IN_SECONDS })),
  no_iat: withoutClaim('iat'),
  missing_sub: withoutClaim('sub'),
  alg_none: ({ draft: { header, claims } }) => `${encode({ alg: 'none', typ: header.typ })}.${encode(claims)}.`,
  hs256: (tampering) => withClientSecret(tampering, {}),
  hs256_kid: (tampering) => withClientSecret(tampering, { kid: 'client-secret' }),
  no_kid: ({ draft: { claims, header }, key }) => signIdToken({ claims, header: withoutKid(header) }, key),
  wrong_nonce: withClaims(({ claims }) => ({ nonce: `not-${claims.nonce ?? 'asked-for'}` })),
  no_nonce: withoutClaim('nonce'),
}

/** Returns true for an effect that leaves an id_token without a nonce as it is. */
export const onlyOmitsNonce = (effect: IdTokenEffect): boolean =>
  effect === 'no_nonce' ||
  (typeof effect === 'object' && !effect.claims && effect.omit?.every((name) => name === 'nonce') === true)

export async function tamperWith(effect: IdTokenEffect, tampering: Tampering): Promise<string> {
  if (typeof effect === 'string') return tampers[effect](tampering)
  const { claims = {}, omit = [], ...others } = effect
  others satisfies Record<string, never>
  const left = Object.entries({ ...tampering.draft.claims, ...claims }).filter(([name]) => !omit.includes(name))
  return signIdToken({ ...tampering.draft, claims: Object.fromEntries(left) }, tampering.key)
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs with the client secret. With the `kid` of an RSA key no program would sign so by mistake. */
function withClientSecret({ draft, clientSecret }: Tampering, kid: { kid?: string }): string {
  const { typ } = draft.header
  const signed = `${encode({ alg: 'HS256', ...kid, typ })}.${encode(draft.claims)}`
  return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`
}

function withFlippedSignature(token: string): string {
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url').map((byte, index) => (index === 0 ? byte ^ 0xff : byte))
  return [header, claims, Buffer.from(bytes).toString('base64url')].join('.')
}
