import { createHmac } from 'node:crypto'
import type { IdTokenEffect } from '../faults/effects.js'
import type { FaultRecord } from '../faults/fault-record.js'
import type { KeyRecord } from './key-record.js'
import { type IdTokenDraft, signIdToken } from './sign-id-token.js'

const HOUR = 3600

/** What a token is signed with, beside the algorithm. */
interface Signing {
  key: KeyRecord
  clientSecret: string
}

type Tamper = (draft: IdTokenDraft, signing: Signing, seconds: number) => string | Promise<string>

/** Signs with claims that are not the real ones. */
const withClaims =
  (claims: (draft: IdTokenDraft, seconds: number) => Record<string, unknown>): Tamper =>
  (draft, { key }, seconds) =>
    signIdToken({ ...draft, claims: { ...draft.claims, ...claims(draft, seconds) } }, key)

/** What is wrong with an id_token, and nothing else is. control-api: "Faults", `effect` on `id_token` */
const tampers: Record<Extract<IdTokenEffect, string>, Tamper> = {
  bad_signature: async (draft, { key }) => withFlippedSignature(await signIdToken(draft, key)),
  unknown_kid: (draft, { key }) => signIdToken({ ...draft, header: { ...draft.header, kid: `not-${key.id}` } }, key),
  wrong_iss: withClaims(() => ({ iss: 'https://issuer.invalid' })),
  wrong_aud: withClaims(({ claims }) => ({ aud: `not_${claims.aud}` })),
  expired: withClaims((_, seconds) => ({ iat: seconds - 2 * HOUR, exp: seconds - HOUR })),
  not_yet_valid: withClaims((_, seconds) => ({ nbf: seconds + HOUR })),
  missing_sub: withClaims(() => ({ sub: undefined })),
  alg_none: ({ claims, header: { typ } }) => `${encode({ alg: 'none', typ })}.${encode(claims)}.`,
  hs256: ({ claims, header: { typ } }, { clientSecret }) => {
    const signed = `${encode({ alg: 'HS256', typ })}.${encode(claims)}`
    return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`
  },
  no_kid: ({ claims, header: { kid: _, ...header } }, { key }) => signIdToken({ header, claims }, key),
  wrong_nonce: withClaims(({ claims }) => ({ nonce: `not-${claims.nonce ?? 'asked-for'}` })),
}

/** @param now ms since 1970 on the emulator's clock. */
export async function tamperWith(
  draft: IdTokenDraft,
  signing: Signing,
  { effect }: FaultRecord,
  now: number,
): Promise<string> {
  const wrong = effect as IdTokenEffect
  const tamper = typeof wrong === 'string' ? tampers[wrong] : withClaims(() => changed(wrong))
  return tamper(draft, signing, Math.floor(now / 1000))
}

/** Claims that are added or replaced, and undefined for those that are left out. */
const changed = ({ claims = {}, omit = [] }: Exclude<IdTokenEffect, string>): Record<string, unknown> => ({
  ...claims,
  ...Object.fromEntries(omit.map((name) => [name, undefined])),
})

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

function withFlippedSignature(token: string): string {
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url').map((byte, index) => (index === 0 ? byte ^ 0xff : byte))
  return [header, claims, Buffer.from(bytes).toString('base64url')].join('.')
}
