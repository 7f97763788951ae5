import { type Refusal, refusals } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Response } from '../serving/response.js'
import type { World } from '../world/world.js'
import { createRedactor } from './known-secrets.js'
import { redactValue } from './redact.js'

/** Returns a refusal as a problem document without secrets, since it may quote the request and end up in logs. control-api: "Journal" */
export function redactedProblem(refusal: Refusal, _request: Request, world: Pick<World, 'store' | 'settings'>) {
  const response = problemResponse(refusal)
  return { ...response, body: redactValue(response.body, createRedactor(world)) as object }
}

/** An RFC 9457 problem. `type` is `about:blank`: the status says it all. control-api: rule 3 */
const problemResponse = ({ refusal, status, details, described, reason }: Refusal): Response => {
  const malformed = reason === undefined ? 'is not valid JSON' : `is not valid JSON: ${reason}`
  const errors = refusal === 'malformed' ? [{ path: '', message: malformed }] : details
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: 'about:blank',
      title: refusals[refusal].message,
      status,
      detail: described,
      ...(errors && { errors }),
    },
  }
}
