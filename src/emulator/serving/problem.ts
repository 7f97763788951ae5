import { type Refusal, refusals } from '../../foundation/http/refusal.js'
import type { Response } from './response.js'

/** An RFC 9457 problem. `type` is `about:blank`: the status says it all. control-api: rule 3 */
export const problemResponse = ({ refusal, status, message, details }: Refusal): Response => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: 'about:blank',
    title: refusals[refusal].message,
    status,
    detail: details?.length
      ? `${message}: ${details.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`
      : message,
    ...(details && { errors: details }),
  },
})
