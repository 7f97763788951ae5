import type { Scenario } from '../../control/scenarios/scenario.js'
import type { FileIssue, ScenarioFile } from '../../control/scenarios/scenario-file.js'
import { inWords } from '../../control/scenarios/step-failure.js'
import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import type { JunitCase, JunitSuite } from './junit.js'
import { visible } from './visible.js'

type StepResult = ScenarioResult['steps'][number]

/** What a file came to: it could not be read, or it ran. */
export type FileResult = { file: string; issues: FileIssue[] } | (Ran & { file: string })

/** A scenario that ran. */
export interface Ran {
  read: ScenarioFile
  result: ScenarioResult
  /** Lines of the journal since the step before the one that failed. */
  journal: string[]
}

interface Style {
  colour: boolean
}

export const issueLines = (file: string, issues: FileIssue[]): string[] =>
  issues.map(({ line, path, message }) => `${file}:${line}: ${path}${path === '' ? '' : ': '}${message}`)

const labelOf = ({ steps }: Scenario, index: number): string => {
  const { kind, name, title } = steps[index] as Scenario['steps'][number]
  return [kind, title ?? name].filter(Boolean).join(': ')
}

/** A line a step, and what there is to say of the one that failed. */
export function scenarioLines(file: string, { read, result, journal }: Ran, { colour }: Style): string[] {
  const { scenario } = read
  const paint = (text: string, code: number) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  const steps = result.steps.flatMap((step) => {
    const mark = step.ok ? paint('✓', 32) : paint('✗', 31)
    const line = `  ${mark} ${visible(labelOf(scenario, step.index))} (${step.ms} ms)`
    return step.ok ? [line] : [line, ...failureLines(file, step, read, journal).map((each) => visible(`    ${each}`))]
  })
  const left = scenario.steps.length - result.steps.length
  const more = left > 0 ? [paint(`  - ${left} more ${left === 1 ? 'step was' : 'steps were'} not run`, 90)] : []
  return [visible(`${file}${scenario.title === undefined ? '' : `: ${scenario.title}`}`), ...steps, ...more]
}

function failureLines(
  file: string,
  { index, step, error }: StepResult,
  { lineOf }: ScenarioFile,
  journal: string[],
): string[] {
  const { message, mismatches } = error as NonNullable<StepResult['error']>
  const compared = mismatches.flatMap(({ path, expected, got }) => {
    const before = mismatches.length > 1 && path !== '' ? `${path} ` : ''
    return [`${before}expected  ${inWords(expected)}`, `${before}got       ${inWords(got)}`]
  })
  return [
    `${file}:${lineOf(`steps[${index}].${step}`)}: ${message}`,
    ...compared,
    journal.length > 0 ? 'The journal since the previous step:' : 'The journal has no entries since the previous step',
    ...journal.map((line) => `  ${line}`),
  ]
}

/** What it all comes to. */
export function summaryOf(files: FileResult[]): string {
  const ran = files.filter((each) => 'result' in each)
  const passed = ran.filter(({ result }) => result.passed).length
  const counts: [number, string][] = [
    [passed, 'passed'],
    [ran.length - passed, 'failed'],
    [files.length - ran.length, 'could not be read'],
  ]
  return counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}

/** A suite for each file, a case for each step. */
export const junitSuites = (files: FileResult[]): JunitSuite[] =>
  files.map((each) => ({ name: each.file, cases: 'result' in each ? casesOf(each) : [unread(each)] }))

function unread({ file, issues }: { file: string; issues: FileIssue[] }): JunitCase {
  const details = issueLines(file, issues).join('\n')
  const result = { element: 'error' as const, type: 'invalid', message: 'The scenario is not valid', details }
  return { group: groupOf(file), name: 'is read', result }
}

function casesOf({ file, read, result, journal }: Ran & { file: string }): JunitCase[] {
  return read.scenario.steps.map((_, index): JunitCase => {
    const ran = result.steps[index]
    const its: JunitCase = { group: groupOf(file), name: `${index}: ${labelOf(read.scenario, index)}` }
    if (!ran) return { ...its, skipped: 'Not run: an earlier step failed' }
    const timed = { ...its, seconds: ran.ms / 1000 }
    if (ran.ok) return timed
    const [message = '', ...details] = failureLines(file, ran, read, journal)
    return {
      ...timed,
      result: { element: 'failure', type: ran.step, message, details: [message, ...details].join('\n') },
    }
  })
}

/** `fixtures/scenarios/refresh-race.jsonc` as `scenarios.refresh-race` */
const groupOf = (file: string) => `scenarios.${(file.split(/[\\/]/).at(-1) as string).replace(/\.[^.]*$/, '')}`
