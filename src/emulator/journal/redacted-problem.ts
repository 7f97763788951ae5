import type { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { problemResponse } from '../serving/problem.js'
import type { Response } from '../serving/response.js'
import type { World } from '../world/world.js'
import { hidingSecretsOf } from './known-secrets.js'
import { redactValue } from './redact.js'

/** A refusal as a problem that repeats no secret of what was asked: it ends up in logs. control-api: "Journal" */
export function redactedProblem(refusal: Refusal, _request: Request, world: World): Response {
  const response = problemResponse(refusal)
  return { ...response, body: redactValue(response.body, hidingSecretsOf(world)) as object }
}
