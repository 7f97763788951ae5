import type { Path } from '../../foundation/schema/issue.js'
import type { StepKind } from '../admin/scenario-schemas.js'

export interface Expectation {
  status?: number | null
  body?: unknown
  headers?: Record<string, unknown>
}

/** A step as it was written, its references unresolved. */
export interface Step {
  kind: StepKind
  name: string | undefined
  title: string | undefined
  body: unknown
  expect: Expectation | undefined
}

/** One that has been checked. */
export interface Scenario {
  title: string | undefined
  from: 'start' | 'current'
  steps: Step[]
}

/** What is wrong with a scenario, and where. */
export interface ScenarioIssue {
  path: Path
  message: string
}

/** `steps[3].install.app` */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
