import type { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { problemResponse } from '../serving/problem.js'
import type { Response } from '../serving/response.js'
import type { World } from '../world/world.js'
import { createRedactor } from './known-secrets.js'
import { redactValue } from './redact.js'

/** Returns a refusal as a problem document without secrets, since it may quote the request and end up in logs. control-api: "Journal" */
export function redactedProblem(
  refusal: Refusal,
  _request: Request,
  world: Pick<World, 'store' | 'settings'>,
): Response {
  const response = problemResponse(refusal)
  return { ...response, body: redactValue(response.body, createRedactor(world)) as object }
}
