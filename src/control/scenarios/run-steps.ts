import type * as z from 'zod'
import { createRedactor, type Redactor } from '../../emulator/journal/known-secrets.js'
import { redactBody, redactHeaders, redactValue } from '../../emulator/journal/redact.js'
import { reportedDuration } from '../../emulator/world/reported-duration.js'
import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import { lowerCaseNames } from '../../foundation/http/header-fields.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { readBySchema } from '../../foundation/schema/issue.js'
import { pause, performance } from '../../foundation/time/real-timers.js'
import { callTable } from '../admin/call-table.js'
import { type StepKind, stepBodies, stepFields } from '../admin/scenario-schemas.js'
import { AdminError } from '../client/errors.js'
import { expectationIssues } from './check.js'
import { baselineNow, isOwnCall, newestEntry, type Progress } from './expectations.js'
import { mismatches } from './matchers.js'
import { resolveReferences } from './references.js'
import type { StepResponse } from './request-steps.js'
import { type Expectation, pathText, type Scenario, type ScenarioContext, type Step } from './scenario.js'
import { mustMatch, StepFailure } from './step-failure.js'
import { type CallStep, definitionOf, partsOf } from './steps.js'

/** Real milliseconds between the visits of a step with `within`. */
const BETWEEN_VISITS = 1_000

type StepResult = ScenarioResult['steps'][number]

/** Runs the steps of a scenario in order, up to the first that fails. control-api: "Scenarios" */
export async function runSteps({ steps, redact }: Scenario, context: ScenarioContext): Promise<ScenarioResult> {
  const progress: Progress = { baseline: await baselineNow(context), results: new Map() }
  const ran: StepResult[] = []
  const entriesBefore = [progress.baseline.since]
  for (const [index, step] of steps.entries()) {
    context.signal.throwIfAborted()
    const { kind, name = null } = step
    const began = performance.now()
    const end = (result: Pick<StepResult, 'ok' | 'result' | 'error'>) => {
      const ms = Math.round(reportedDuration(context.world, performance.now() - began))
      ran.push({ index, name, step: kind, ms, ...result })
    }
    try {
      if (kind === 'visit') progress.baseline.hasVisit = true
      const result = await runStep(step, progress, context)
      if (name !== null) progress.results.set(name, result)
      progress.results.set(kind, result)
      end({ ok: true, result: redact ? redactResult(kind, result, createRedactor(context.world)) : result })
    } catch (error) {
      context.signal.throwIfAborted()
      const { message, mismatches } = failureOf(error, createRedactor(context.world))
      const since = entriesBefore[Math.max(0, index - 1)] as number
      const requests = await context.call('listRequests', { query: { since } })
      const entries = requests.filter((entry) => !isOwnCall(entry)).map(({ id }) => id)
      end({ ok: false, error: { message, mismatches, entries } })
      return { passed: false, steps: ran }
    }
    entriesBefore.push(Math.max(entriesBefore.at(-1) as number, await newestEntry(context)))
  }
  return { passed: true, steps: ran }
}

function failureOf(error: unknown, redact: Redactor): Pick<StepFailure, 'message' | 'mismatches'> {
  if (error instanceof StepFailure) return { message: redact(error.message), mismatches: error.mismatches }
  if (!(error instanceof AdminError)) throw error
  return { message: `the control call failed with status ${error.status}: ${error.message}`, mismatches: [] }
}

/** Returns the result of a step without secrets, as the journal shows it. */
function redactResult(kind: StepKind, result: unknown, redact: Redactor): unknown {
  if (!('send' in definitionOf(kind))) return redactValue(result, redact)
  const { headers, body, ...rest } = result as StepResponse
  const type = headers['content-type'] ?? ''
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { ...rest, headers: redactHeaders(headers, redact), body: redactBody(text, type, redact) }
}

async function runStep(step: Step, progress: Progress, context: ScenarioContext): Promise<unknown> {
  const { kind } = step
  const body = resolveReferences(step.body, progress.results)
  const expect = read(stepFields.expect, resolveReferences(step.expect, progress.results), 'expect')
  const [issue] = expectationIssues(kind, expect, ['expect'])
  if (issue) throw new StepFailure(`${pathText(issue.path)} ${issue.message}`)
  const definition = definitionOf(kind)
  if ('call' in definition) {
    if (!isObject(body)) throw new StepFailure(`${kind} must be an object; its reference is ${JSON.stringify(body)}`)
    return makeCall(definition, body, expect, context)
  }
  if ('send' in definition) {
    const sending = read(stepBodies[kind], body, kind) as never
    return sendUntilExpected(() => definition.send(sending, context), sending, expect, context)
  }
  return definition.check(read(stepBodies[kind], body, kind) as never, progress, context)
}

/** Returns a field of a step as its schema reads it, once references have become values. @throws StepFailure */
function read<S extends z.ZodType>(schema: S, value: unknown, field: string): z.output<S> {
  const { data, issues } = readBySchema(schema, value)
  if (!issues) return data
  const sentences = issues.map(({ path, message }) => `${pathText([field, ...path])} ${message}`)
  throw new StepFailure(sentences.join('; '))
}

/** Sends until every response is as expected, again and again for `within` ms. @returns the first response. @throws StepFailure */
async function sendUntilExpected(
  send: () => Promise<StepResponse[]>,
  { within = 0 }: { within?: number },
  expect: Expectation | undefined,
  context: ScenarioContext,
): Promise<StepResponse | undefined> {
  const last = performance.now() + within - BETWEEN_VISITS
  for (;;) {
    const responses = await send()
    try {
      for (const response of responses) mustBeExpected(response, expect, context)
      return responses[0]
    } catch (error) {
      if (performance.now() > last) throw error
    }
    await pause(BETWEEN_VISITS, undefined, { signal: context.signal })
  }
}

async function makeCall(
  step: CallStep<never>,
  body: Record<string, unknown>,
  expect: Expectation | undefined,
  context: ScenarioContext,
): Promise<unknown> {
  const { call, abortRequests } = context
  const usual = callTable[step.call].status ?? 200
  let status = usual
  let result: unknown
  try {
    result = await call(step.call, await partsOf(step, body, call), abortRequests)
    step.verify?.(result as never)
  } catch (error) {
    if (!(error instanceof AdminError) || expect?.status === undefined || expect.status === usual) throw error
    status = error.status
    result = error.problem
  }
  mustBeExpected({ status, headers: {}, body: result }, expect, context)
  return result
}

/** @throws StepFailure for another response, and for none. */
function mustBeExpected(
  result: StepResponse,
  { status, body, headers }: Expectation = {},
  { world }: ScenarioContext,
): void {
  if (result.error !== undefined && status !== null) throw new StepFailure(`no response: ${result.error}`)
  const expected = {
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    headers: lowerCaseNames(headers),
  }
  mustMatch(mismatches(expected, result), world)
}
