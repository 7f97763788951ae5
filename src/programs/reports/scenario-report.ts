import type { FileIssue, ScenarioFile } from '../../control/scenarios/scenario-file.js'
import { inShort } from '../../control/scenarios/step-failure.js'
import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import type { Annotation, JobSummary } from './github.js'
import { pluralize } from './pluralize.js'
import { countStatuses, type Report, type Result, statuses } from './report.js'
import { painted, type TerminalStyle } from './terminal.js'
import { visible } from './visible.js'

export type FileResult = { file: string; issues: FileIssue[] } | FileRun

export interface FileRun {
  file: string
  read: ScenarioFile
  result: ScenarioResult
  /** Lines of the journal since the step before the one that failed. */
  journal: string[]
}

export const issueLines = (file: string, issues: FileIssue[]): string[] =>
  issues.map(({ line, path, message }) => `${file}:${line}: ${path}${path === '' ? '' : ': '}${message}`)

export const scenarioReport = (files: FileResult[]): Report => ({
  name: 'mockademy scenarios',
  suites: files.map((each) => ({ name: each.file, results: 'result' in each ? stepResults(each) : [invalid(each)] })),
})

/** `1 passed, 1 failed`: files, not steps. */
export const summaryOf = (files: FileResult[]): string =>
  countStatuses(files.map((each) => ('result' in each ? (each.result.passed ? 'pass' : 'fail') : 'invalid')))

export const scenarioSummary = (files: FileResult[]): JobSummary => {
  const annotations = scenarioAnnotations(files)
  return {
    title: 'mockademy scenario run',
    passed: annotations.length === 0,
    counts: summaryOf(files),
    table: {
      heads: ['file', 'line', 'step', ''],
      rows: annotations.map(({ file, line, title, message }) => [file ?? '', String(line), title, message]),
    },
  }
}

/** Returns the step at which each file failed, or what is wrong with the file, at its line. */
export const scenarioAnnotations = (files: FileResult[]): Annotation[] =>
  files.flatMap((each): Annotation[] => {
    const { file } = each
    const found = { level: 'error', file } as const
    if (!('result' in each)) {
      return each.issues.map(({ line, path, message }) => ({ ...found, line, title: path || 'scenario', message }))
    }
    const { read, result } = each
    return result.steps.flatMap(({ step, error }, index) => {
      if (!error) return []
      const line = read.lineOf(`steps[${index}].${step}`)
      const facts = mismatchLines(error)
      return [{ ...found, line, title: `scenario step ${step}`, message: [error.message, ...facts].join('\n') }]
    })
  })

export function scenarioLines(run: FileRun, style: TerminalStyle): string[] {
  const { file, read, result } = run
  const { title } = read.scenario
  const steps = stepResults(run)
  const left = steps.length - result.steps.length
  const more = `- ${pluralize(left, 'more step was', 'more steps were')} not run`
  return [
    visible(`${file}${title === undefined ? '' : `: ${title}`}`),
    ...steps
      .slice(0, result.steps.length)
      .flatMap((step) => stepLines(step, style))
      .map((line) => `  ${line}`),
    ...(left > 0 ? [painted(`  ${more}`, 'skip', style)] : []),
  ]
}

function stepLines({ status, title, duration, message, facts }: Result, style: TerminalStyle): string[] {
  const head = `${painted(statuses[status].mark, status, style)} ${visible(`${title} (${duration} ms)`)}`
  const details = status === 'pass' ? [] : [message, ...facts.map(({ text }) => text)]
  return [head, ...details.map((text) => `  ${visible(text)}`)]
}

function invalid({ file, issues }: { file: string; issues: FileIssue[] }): Result {
  const facts = issueLines(file, issues).map((text) => ({ text }))
  const message = 'The scenario is not valid'
  return { group: groupOf(file), id: 'is read', status: 'invalid', type: 'invalid', message, facts }
}

function stepResults({ file, read, result, journal }: FileRun): Result[] {
  return read.scenario.steps.map(({ kind, name, title }, index): Result => {
    const label = [kind, title ?? name].filter(Boolean).join(': ')
    const step = { group: groupOf(file), id: String(index), title: label, type: kind, facts: [] }
    const ran = result.steps[index]
    if (!ran) return { ...step, status: 'skip', message: 'Not run: an earlier step failed' }
    const timed = { ...step, duration: ran.ms }
    if (!ran.error) return { ...timed, status: 'pass', message: '' }
    const message = `${file}:${read.lineOf(`steps[${index}].${ran.step}`)}: ${ran.error.message}`
    const facts = failureLines(ran.error, journal).map((text) => ({ text }))
    return { ...timed, status: 'fail', type: ran.step, message, facts }
  })
}

type StepError = NonNullable<ScenarioResult['steps'][number]['error']>

/** Characters of a value, so that a list of elements fills neither the terminal nor a report. */
const MAX_VALUE_CHARACTERS = 1000

const mismatchLines = ({ mismatches }: StepError): string[] =>
  mismatches.flatMap(({ path, expected, got }) => {
    const before = mismatches.length > 1 && path !== '' ? `${path} ` : ''
    const [wanted, found] = [expected, got].map((value) => inShort(value, MAX_VALUE_CHARACTERS))
    return [`${before}expected  ${wanted}`, `${before}got       ${found}`]
  })

const failureLines = (error: StepError, journal: string[]): string[] => [
  ...mismatchLines(error),
  journal.length > 0 ? 'The journal since the previous step:' : 'The journal has no entries since the previous step',
  ...journal.map((line) => `  ${line}`),
]

/** `fixtures/scenarios/refresh-race.jsonc` as `scenarios.refresh-race` */
const groupOf = (file: string) => `scenarios.${(file.split(/[\\/]/).at(-1) as string).replace(/\.[^.]*$/, '')}`
