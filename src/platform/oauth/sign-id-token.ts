import type { IdTokenParts } from '../../emulator/world/forms.js'
import type { KeyRecord } from './key-record.js'

/** Returns the compact JWT. jose is imported lazily: only who signs in pays for it. */
export async function signIdToken({ header, claims }: IdTokenParts, key: KeyRecord): Promise<string> {
  const { CompactSign, importJWK } = await import('./jws.js')
  const privateKey = await importJWK(key.private_jwk, 'RS256')
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader(header).sign(privateKey)
}
