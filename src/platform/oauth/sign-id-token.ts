import type { KeyRecord } from './key-record.js'

/** An id_token before it is signed. */
export interface IdTokenDraft {
  header: { alg: string; kid?: string; typ: string }
  claims: Record<string, unknown>
}

/** The compact JWT. jose is imported late: only who signs in pays for it. */
export async function signIdToken({ header, claims }: IdTokenDraft, key: KeyRecord): Promise<string> {
  const { CompactSign, importJWK } = await import('jose')
  const privateKey = await importJWK(key.private_jwk, 'RS256')
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader(header).sign(privateKey)
}
