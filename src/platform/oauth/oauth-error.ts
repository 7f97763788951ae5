import type { Response } from '../../emulator/serving/response.js'
import { Refusal, type RefusalName } from '../../foundation/http/refusal.js'

/** The errors of the token endpoint, with the refusal that gives each its status. RFC 6749 §5.2 */
const errors = {
  invalid_request: 'invalid',
  invalid_client: 'unauthorized',
  invalid_grant: 'invalid',
  invalid_scope: 'invalid',
  unsupported_grant_type: 'invalid',
} as const satisfies Record<string, RefusalName>

/** A token request that is refused. */
export class OAuthRefusal extends Refusal {
  /** @param description for the client's developer: no secret. @param reason for the journal, in more words. */
  constructor(
    readonly error: keyof typeof errors,
    description: string,
    reason?: string,
  ) {
    // Both ways of authentication were open to the client, so the challenge names the one that is a header's.
    const headers = error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="oauth"' } : undefined
    super(errors[error], { message: description, headers, reason })
  }
}

/** Invalid client credentials. @param reason for the journal. wire: §6 "token endpoint" */
export const clientRefusal = (reason?: string) =>
  new OAuthRefusal('invalid_client', 'Client authentication failed', reason)

/** Returns the error code of a status without one of its own: for faults and refusals of the HTTP layer. */
const errorOfStatus = (status: number): string => {
  if (status === 401) return 'invalid_client'
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** Returns a refusal of a request to the OAuth endpoints in the shape of RFC 6749 §5.2. wire: §6 */
export const refuseOAuth = (refusal: Refusal): Response => ({
  status: refusal.status,
  headers: noStore,
  body: {
    error: refusal instanceof OAuthRefusal ? refusal.error : errorOfStatus(refusal.status),
    error_description: toErrorDescription(refusal.message),
  },
})

/** RFC 6749 §5.1: what holds tokens is not kept by caches. */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Text as `error_description` may hold it: printable ASCII without quotes and backslashes. RFC 6749 §4.1.2.1 */
export const toErrorDescription = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')
