import { type Refusal, refusals } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Response } from '../serving/response.js'
import type { World } from '../world/world.js'
import { createRedactor } from './known-secrets.js'
import { redactValue } from './redact.js'

/** Returns a refusal as an RFC 9457 problem without secrets, since it may quote the request and end up in logs. control-api: rule 3, "Journal" */
export function redactedProblem(
  { refusal, status, details, described, reason }: Refusal,
  _request: Request,
  world: Pick<World, 'store' | 'settings'>,
): Response {
  // A reason may begin with the message.
  const why = reason?.replace(`${described}: `, '')
  const malformed = why === undefined ? 'is not valid JSON' : `is not valid JSON: ${why}`
  const errors = refusal === 'malformed' ? [{ path: '', message: malformed }] : details
  const problem = {
    // The status says it all.
    type: 'about:blank',
    title: refusals[refusal].message,
    status,
    detail: why === undefined ? described : `${described}: ${why}`,
    ...(errors && { errors }),
  }
  const body = redactValue(problem, createRedactor(world)) as object
  return { status, headers: { 'content-type': 'application/problem+json' }, body }
}
