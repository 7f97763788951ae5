import type { Refusal } from '../refusal.js'
import type { Reply } from '../request.js'

/** A refusal of a request to the OAuth endpoints in the shape of RFC 6749 §5.2. wire: §6 */
export const refuse = ({ status, message }: Refusal): Reply => ({
  status,
  headers: { 'cache-control': 'no-store' },
  body: { error: status === 500 ? 'server_error' : 'invalid_request', error_description: message },
})
