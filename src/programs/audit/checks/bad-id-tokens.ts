import type { AuditContext } from '../context/context.js'
import { type Forge, oddKids, ownKeys, publicKeyAsSecret, unpublishedKey } from './forged-id-tokens.js'

/** The effect of a fault on `id_token`, or a token of the attacker's own making. */
export type IdToken = string | { claims?: object; omit?: string[] } | Forge

export interface BadToken {
  /** Completes `rejects an id_token …`. */
  what: string
  source: string
  /** The fix; `VERIFY_ADVICE` when left out. */
  advice?: string
  /** The tokens, by how they differ, where no fault makes one. @param keysUrl address of the attacker's key set. */
  forged?: (context: AuditContext, keysUrl: string) => Promise<Record<string, Forge>>
  /** More tokens than the one that the fault makes, by how they differ. */
  more?: (context: AuditContext) => Record<string, IdToken>
  /** The app has nothing to compare unless it sends a nonce. */
  needsNonce?: boolean
  /** Kinds that explain this one when the app accepts them too. audit: "Rules of a fair audit" 4b */
  causes?: string[]
}

const COMPARE_TIMES =
  'Compare exp and nbf with your clock, and set the tolerance (clockTolerance, leeway) to a minute at most.'

/** Every id_token that an app must reject, by the end of its check's id: its fault has that name too, with `_` for `-`. audit: "Sign-in" */
export const badTokens: Record<string, BadToken> = {
  'bad-signature': { what: 'with an invalid signature', source: 'spec: §4.9.1, §5.4.2' },
  'alg-none': { what: 'that is not signed (alg none)', source: 'spec: §4.9; RFC 8725 §3.1, §3.2' },
  hs256: {
    what: 'signed with the client secret (HS256)',
    source: 'spec: §4.9 (RS256); RFC 8725 §2.1, §3.1',
    advice: 'Choose the algorithm yourself; never read it from the token.',
    more: () => ({ hs256_kid: 'hs256_kid' }),
  },
  'unknown-kid': {
    what: 'signed with an unpublished key',
    source: 'spec: §4.9.1; RFC 8725 §3.10',
    forged: unpublishedKey,
    causes: ['bad-signature'],
  },
  'wrong-iss': {
    what: 'from another issuer',
    source: 'spec: §4.9.2',
    more: ({ issuer }) => ({ 'which begins with the right one': { claims: { iss: `${issuer}.invalid` } } }),
  },
  'wrong-aud': {
    what: 'for another app or none',
    source: 'spec: §4.9.3',
    more: () => ({ 'no aud': { omit: ['aud'] } }),
  },
  expired: { what: 'that has expired', source: 'spec: §4.9.4', advice: COMPARE_TIMES },
  'not-yet-valid': { what: 'that is not valid yet', source: 'RFC 7519 §4.1.5', advice: COMPARE_TIMES },
  'missing-sub': {
    what: 'without a subject',
    source: 'spec: §4.9; OpenID Connect Core §2',
    advice: 'Require the claim sub, and refuse an empty one.',
  },
  'wrong-nonce': {
    what: 'with the nonce of another sign-in',
    source: 'OpenID Connect Core §3.1.3.7 rule 11',
    advice: 'Compare the claim nonce with the nonce that you stored for this sign-in.',
    needsNonce: true,
  },
  'no-nonce': {
    what: 'without the nonce that was asked for',
    source: 'OpenID Connect Core §3.1.3.7 rule 11',
    advice: 'Require the claim nonce: one that is compared only where there is one can be left out.',
    needsNonce: true,
    causes: ['wrong-nonce'],
  },
  'no-exp': {
    what: 'that never expires',
    source: 'spec: §4.9.4; OpenID Connect Core §2',
    advice: 'Require the claim exp.',
    causes: ['expired'],
  },
  'no-iss': {
    what: 'without an issuer',
    source: 'spec: §4.9.2; OpenID Connect Core §2',
    advice: 'Require the claim iss.',
    causes: ['wrong-iss'],
  },
  'second-aud': {
    what: 'with another audience beside the app',
    source: 'OpenID Connect Core §3.1.3.7 rules 3 and 4',
    advice: 'Refuse an audience that holds more than your client_id.',
    causes: ['wrong-aud'],
  },
  'public-key-as-secret': {
    what: 'signed with the published key as an HS256 secret',
    source: 'RFC 8725 §2.1, §3.1; CVE-2022-29217',
    advice: 'Choose the algorithm yourself: a public key is no secret.',
    forged: publicKeyAsSecret,
    causes: ['bad-signature', 'hs256'],
  },
  'own-key': {
    what: 'that brings or names its own key',
    source: 'RFC 8725 §3.10; RFC 7515 §4.1.2, §4.1.3; CVE-2018-0114',
    advice: 'Take keys from the JWKS of the discovery document alone; ignore jwk, jku, x5c and x5u.',
    forged: ownKeys,
    causes: ['bad-signature', 'unknown-kid'],
  },
  'odd-kid': {
    what: 'whose kid is a path or holds a quote',
    source: 'RFC 8725 §3.10',
    advice: 'Look the kid up in the key set alone, never as a file, in a query or in a command.',
    forged: oddKids,
    causes: ['bad-signature', 'unknown-kid', 'hs256'],
  },
}
