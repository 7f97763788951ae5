import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import { describeIssue, pathIssuesOf } from '../../foundation/schema/schema-issues.js'
import { callTable } from '../admin/call-table.js'
import { otherStepBodies } from '../admin/scenario-schemas.js'
import { AdminError } from '../client/errors.js'
import { controlSteps, isControlStep, makeCall } from './control-steps.js'
import {
  expectDelivery,
  expectFindings,
  expectRequests,
  isOwnCall,
  type Mark,
  markHere,
  newestEntry,
} from './expectations.js'
import { matcherIssues, mismatches } from './matchers.js'
import { DeadReference, resolved } from './references.js'
import { type Expectation, pathText, type Scenario, type Step } from './scenario.js'
import type { Stage } from './stage.js'
import { mustMatch, StepFailure } from './step-failure.js'
import { sendRequest, sendVisit, type WireResult } from './wire-steps.js'

type StepResult = ScenarioResult['steps'][number]

/** What steps leave for those that come later. */
interface Memory {
  results: Map<string, unknown>
  mark: Mark
}

/**
 * Runs the steps of a scenario in order, up to the first that fails. control-api: "Scenarios"
 * @returns what each came to. Rejects when the emulator cannot be reached, or the signal aborts.
 */
export async function runSteps({ steps }: Scenario, stage: Stage): Promise<ScenarioResult> {
  const memory: Memory = { results: new Map(), mark: await markHere(stage) }
  const ran: StepResult[] = []
  // Where the journal stood when each step began.
  const places = [memory.mark.since]
  for (const [index, step] of steps.entries()) {
    stage.signal.throwIfAborted()
    const { kind, name = null } = step
    const began = performance.now()
    const end = (result: Pick<StepResult, 'ok' | 'result' | 'error'>) =>
      ran.push({ index, name, step: kind, ms: Math.round(stage.told(performance.now() - began)), ...result })
    try {
      const result = await runStep(step, memory, stage)
      if (name !== null) memory.results.set(name, result)
      memory.results.set(kind, result)
      end({ ok: true, result })
    } catch (error) {
      stage.signal.throwIfAborted()
      const { message, mismatches = [] } = failureOf(error)
      const since = places[Math.max(0, index - 1)] as number
      const entries = await stage.call('listRequests', { query: { since } })
      end({
        ok: false,
        error: { message, mismatches, entries: entries.filter((entry) => !isOwnCall(entry)).map(({ id }) => id) },
      })
      return { passed: false, steps: ran }
    }
    places.push(Math.max(places.at(-1) as number, await newestEntry(stage)))
  }
  return { passed: true, steps: ran }
}

function failureOf(error: unknown): Pick<StepFailure, 'message'> & Partial<StepFailure> {
  if (error instanceof StepFailure || error instanceof DeadReference) return error
  if (error instanceof AdminError)
    return { message: `the control call failed with status ${error.status}: ${error.message}` }
  throw error
}

async function runStep(step: Step, memory: Memory, stage: Stage): Promise<unknown> {
  const { kind, expect: expected } = step
  const body = resolved(step.body, memory.results)
  const expect = resolved(expected, memory.results) as Expectation | undefined
  const [issue] = matcherIssues(expect?.body, ['expect', 'body'])
  if (issue) throw new StepFailure(`${pathText(issue.path)} ${issue.message}`)
  if (isControlStep(kind)) return controlled(kind, body, expect, stage)
  switch (kind) {
    case 'request':
      return answered(await sendRequest(read(kind, body), stage), expect)
    case 'visit':
      return answered(await sendVisit(read(kind, body), stage), expect)
    case 'mark':
      memory.mark = await markHere(stage)
      return {}
    case 'expect_delivery':
      return expectDelivery(read(kind, body), memory.mark, stage)
    case 'expect_requests':
      return expectRequests(read(kind, body), memory.mark, stage)
    case 'expect_findings':
      return expectFindings(read(kind, body), memory.mark, stage)
  }
}

type Other = typeof otherStepBodies

/** The body as its schema reads it, once references have become values. @throws StepFailure */
function read<K extends keyof Other>(kind: K, body: unknown) {
  const { data, error } = otherStepBodies[kind].safeParse(body, { error: describeIssue })
  if (error) {
    throw new StepFailure(
      pathIssuesOf(error)
        .map(({ path, message }) => `${pathText([kind, ...path])} ${message}`)
        .join('; '),
    )
  }
  return data as ReturnType<Other[K]['parse']>
}

async function controlled(
  kind: keyof typeof controlSteps,
  body: unknown,
  expect: Expectation = {},
  stage: Stage,
): Promise<unknown> {
  const usual = callTable[controlSteps[kind].call].status ?? 200
  let status = usual
  let result: unknown
  try {
    result = await makeCall(kind, body, stage.call, stage.signal)
  } catch (error) {
    if (!(error instanceof AdminError) || expect.status === undefined || expect.status === usual) throw error
    status = error.status
    result = error.problem
  }
  mustMatch([
    ...(expect.status === undefined ? [] : await mismatches(expect.status, status, 'status')),
    ...(expect.body === undefined ? [] : await mismatches(expect.body, result, 'body')),
  ])
  return result
}

async function answered(result: WireResult, { status, body, headers = {} }: Expectation = {}): Promise<WireResult> {
  if (result.error !== undefined && status !== null) throw new StepFailure(`no response: ${result.error}`)
  const found = [
    ...(status === undefined ? [] : await mismatches(status, result.status, 'status')),
    ...(body === undefined ? [] : await mismatches(body, result.body, 'body')),
  ]
  for (const [name, value] of Object.entries(headers)) {
    const field = name.toLowerCase()
    found.push(...(await mismatches(value, result.headers[field], `headers.${field}`)))
  }
  mustMatch(found)
  return result
}
