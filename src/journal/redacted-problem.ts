import { problemResponse } from '../http/problem.js'
import type { Refusal } from '../http/refusal.js'
import type { Request } from '../http/request.js'
import type { Response } from '../http/response.js'
import type { World } from '../world/world.js'
import { hidingSecretsOf } from './known-secrets.js'
import { redactValue } from './redact.js'

/** A refusal as a problem that repeats no secret of what was asked: it ends up in logs. control-api: "Journal" */
export function redactedProblem(refusal: Refusal, _request: Request, world: World): Response {
  const response = problemResponse(refusal)
  return { ...response, body: redactValue(response.body, hidingSecretsOf(world)) as object }
}
