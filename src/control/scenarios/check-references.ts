import * as z from 'zod'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import type { Path, PathIssue } from '../../foundation/schema/issue.js'
import type { Call } from '../admin/call.js'
import { calls } from '../admin/calls.js'
import { type StepKind, stepKinds } from '../admin/scenario-schemas.js'
import { type Reference, referencesIn } from './references.js'
import type { Step } from './scenario.js'
import { definitionOf } from './steps.js'

/** Returns the issues of the names of steps and of the references to them. An invalid step is undefined. */
export function referenceIssues(steps: (Step | undefined)[]): PathIssue[] {
  return steps.flatMap((step, index) => {
    if (!step) return []
    const earlier = steps.slice(0, index)
    const at: Path = ['steps', index]
    const parts = [...referencesIn(step.body, [...at, step.kind]), ...referencesIn(step.expect, [...at, 'expect'])]
    return [
      ...stepNameIssues(step, earlier, at),
      ...parts.flatMap((reference) => issuesOfReference(reference, steps, index)),
    ]
  })
}

function stepNameIssues({ name, kind }: Step, earlier: (Step | undefined)[], at: Path): PathIssue[] {
  if (typeof name !== 'string') return []
  const path = [...at, 'name']
  const taken = earlier.findIndex((step) => step?.name === name)
  if (taken >= 0) return [{ path, message: `is already the name of steps[${taken}]` }]
  if (name !== kind && stepKinds.includes(name as StepKind)) {
    return [{ path, message: 'is the name of a kind of step, which references use too; choose another name' }]
  }
  return []
}

function issuesOfReference(reference: Reference, steps: (Step | undefined)[], index: number) {
  const { at: path, text, name, problem } = reference
  const issue = (message: string) => [{ path, message }]
  if (problem) return issue(problem)
  const target = targetOf(name, steps.slice(0, index))
  if (target === 'several') {
    return issue(`\${${text}}: several ${name} steps come before this one; give the one that you mean a name`)
  }
  if (target) {
    const dead = deadEnd(target, reference.path)
    return dead === undefined ? [] : issue(`\${${text}}: ${dead}`)
  }
  const later = steps.findIndex((step, at) => at >= index && (step?.name === name || step?.kind === name))
  if (later === index) return issue(`\${${text}} refers to its own step`)
  if (later > index) return issue(`\${${text}} refers to steps[${later}], which comes later`)
  const known = steps.slice(0, index).flatMap((step) => step?.name ?? step?.kind ?? [])
  return issue(`\${${text}}: no step before this one is called "${name}"${didYouMean(name, [...new Set(known)])}`)
}

function targetOf(name: string, earlier: (Step | undefined)[]): Step | 'several' | undefined {
  const named = earlier.find((step) => step?.name === name)
  if (named) return named
  const ofKind = earlier.filter((step) => step?.kind === name)
  return ofKind.length > 1 ? 'several' : ofKind[0]
}

const wireResult = z.object({ status: z.unknown(), headers: z.unknown(), body: z.unknown() })

/** Returns why a path cannot lead to a value, as far as the schema of the step's result is known. */
function deadEnd({ kind, name, expect }: Step, path: string[]): string | undefined {
  // The result of a call that is expected to be refused is a problem document.
  if (expect?.status !== undefined && Number(expect.status) >= 400) return undefined
  let schema: unknown = resultOf(kind)
  for (const [index, key] of path.entries()) {
    schema = bare(schema)
    const before = [name ?? kind, ...path.slice(0, index)].join('.')
    if (schema instanceof z.ZodArray) {
      if (!/^\d+$/.test(key)) return `${before} is an array, whose items are numbered from 0`
      schema = schema.element
    } else if (schema instanceof z.ZodObject) {
      const known = Object.keys(schema.shape)
      if (!known.includes(key)) return `${before} has no "${key}"${didYouMean(key, known)}`
      schema = schema.shape[key]
    } else return undefined
  }
  return undefined
}

function resultOf(kind: StepKind): unknown {
  const definition = definitionOf(kind)
  if ('send' in definition) return wireResult
  if (!('call' in definition)) return undefined
  const { response, list }: Call = calls[definition.call]
  return list ? z.array(response) : response
}

function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return bare(schema.unwrap())
  // An object that may have more fields than its shape.
  if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown) return undefined
  return schema
}
