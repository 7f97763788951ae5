import * as z from 'zod'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { MAX_ISSUES, type Path, type PathIssue, readBySchema, valueAt } from '../../foundation/schema/issue.js'
import { type StepKind, scenarioFields, stepBodies, stepFields, stepKinds } from '../admin/scenario-schemas.js'
import { referenceIssues } from './check-references.js'
import { matcherIssues } from './matchers.js'
import { hasReference } from './references.js'
import type { Scenario, Step } from './scenario.js'
import { definitionOf, steps as definitions } from './steps.js'

const documentFields = z.strictObject({ ...scenarioFields, steps: z.unknown().optional() })
const stepFieldsSchema = z.strictObject(stepFields)
const stepFieldNames = Object.keys(stepFields)

/**
 * Checks a scenario, except for the names that only a world knows.
 * @param trustHosts the setting `trust_hosts`, for the URLs of a manifest; undefined when it is not known.
 */
export function checkScenario(
  document: unknown,
  trustHosts: string[] | undefined,
): { scenario: Scenario; issues: [] } | { scenario?: undefined; issues: PathIssue[] } {
  if (!isObject(document)) return { issues: [{ path: [], message: 'must be an object with steps' }] }
  const issues = schemaIssues(documentFields, document, [])
  const { steps, title, from = 'start', redact = false } = document as Partial<Scenario>
  if (!Array.isArray(steps) || steps.length === 0) {
    issues.push({ path: ['steps'], message: 'is required: an array with at least one step' })
    return { issues }
  }
  const read: ReturnType<typeof readStep>[] = []
  for (const [index, step] of steps.entries()) {
    const one = readStep(step, ['steps', index], trustHosts, issues.length < MAX_ISSUES)
    read.push(one)
    for (const issue of one.issues) issues.push(issue)
  }
  for (const issue of referenceIssues(read.map(({ step }) => step))) issues.push(issue)
  if (issues.length > 0) return { issues }
  return { scenario: { title, from, redact, steps: read.map(({ step }) => step as Step) }, issues: [] }
}

function readStep(
  given: unknown,
  at: Path,
  trustHosts: string[] | undefined,
  isListed: boolean,
): { step?: Step; issues: PathIssue[] } {
  if (!isObject(given)) return { issues: [{ path: at, message: 'must be an object with one step' }] }
  const keys = Object.keys(given)
  const kinds = keys.filter((key): key is StepKind => stepKinds.includes(key as StepKind))
  const unknown = keys.filter((key) => !stepFieldNames.includes(key) && !kinds.includes(key as StepKind))
  const issues: PathIssue[] = unknown.map((key, index) => {
    const hint = isListed && index < MAX_ISSUES ? didYouMean(key, [...stepKinds, ...stepFieldNames]) : ''
    return { path: [...at, key], message: `is not a known step${hint}` }
  })
  const [kind] = kinds
  if (kind === undefined) {
    if (unknown.length === 0)
      issues.push({ path: at, message: `has no step; the known steps are ${stepKinds.join(', ')}` })
    return { issues }
  }
  if (kinds.length > 1) issues.push({ path: at, message: `must have exactly one step, but has ${kinds.join(' and ')}` })

  const fields = Object.fromEntries(Object.entries(given).filter(([key]) => stepFieldNames.includes(key)))
  const { name, title, expect } = fields as Partial<Step>
  const step: Step = { kind, name, title, expect, body: given[kind] }
  const definition = definitionOf(kind)
  const schema = definition.schemaFor?.(step.body, trustHosts) ?? stepBodies[kind]
  const ownIssues = definition.issues?.(step.body) ?? []
  return {
    step,
    issues: [
      ...issues,
      ...schemaIssues(stepFieldsSchema, fields, at),
      ...schemaIssues(schema, step.body, [...at, kind]),
      ...expectationIssues(kind, expect, [...at, 'expect']),
      ...ownIssues.map(({ field, message }) => ({ path: [...at, kind, field], message })),
    ],
  }
}

/** Returns the issues that a schema finds, except those of references, whose values are checked during the run. */
function schemaIssues(schema: z.ZodType, value: unknown, at: Path): PathIssue[] {
  const { issues = [] } = readBySchema(schema, value)
  if (typeof value === 'string' && hasReference(value)) return []
  return issues
    .filter(({ path }) => path.length === 0 || !hasReference(valueAt(value, path)))
    .map(({ path, message }) => ({ path: [...at, ...path], message }))
}

const withResponse = stepKinds.filter((kind) => 'send' in definitions[kind])

/** Returns the issues of an expectation that its schema does not find. */
export function expectationIssues(kind: StepKind, expect: Step['expect'], at: Path): PathIssue[] {
  if (!isObject(expect)) return []
  if ('check' in definitions[kind]) return [{ path: at, message: `cannot be used with ${kind}, which has no result` }]
  const issues = [...matcherIssues(expect.body, [...at, 'body']), ...matcherIssues(expect.headers, [...at, 'headers'])]
  if (withResponse.includes(kind)) return issues
  const only = `can be used only with ${withResponse.join(' and ')}`
  if (expect.headers !== undefined) issues.push({ path: [...at, 'headers'], message: only })
  if (expect.status === null) issues.push({ path: [...at, 'status'], message: `null (no response) ${only}` })
  return issues
}
