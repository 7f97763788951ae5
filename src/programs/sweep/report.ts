import { shellQuoted } from '../../emulator/world/shell-quoted.js'
import type { Again } from '../audit/present-report.js'
import type { Status } from '../reports/report.js'
import type { FlowName } from './flows.js'

/** Every verdict: its sign in the matrix, the status of its result, and words. sweep: "One case", "Report" */
export const verdicts = {
  unharmed: { sign: '·', status: 'pass', words: 'unharmed' },
  healed: { sign: '~', status: 'pass', words: 'healed' },
  reinstalled: { sign: '+', status: 'pass', words: 'healed by a new installation' },
  stranded: { sign: '✗', status: 'fail', words: 'stranded' },
  harmful: { sign: '!', status: 'fail', words: 'harmful' },
  unbroken: { sign: '?', status: 'skip', words: 'not reached by the fault' },
} as const

/** Name of a verdict on a case. */
export type VerdictName = keyof typeof verdicts
export const verdictNames = Object.keys(verdicts) as VerdictName[]

/** A step as it went. */
export interface StepRecord {
  step: string
  /** The app's response. */
  seen: string
  holds: boolean
  /** Lines of the organization's journal. */
  journal: string[]
}

/** Result of a case. */
export interface CaseResult {
  /** `flow/point/trouble` */
  id: string
  verdict: VerdictName
  /** One sentence. */
  message: string
  /** The trouble in words. */
  trouble: string
  /** Steps in order; of a failure, the fewest that show it. */
  steps: StepRecord[]
  /** Ids of the journal entries of its organization. */
  entries: number[]
  /** The behavior of a good app; of failures alone. */
  expected?: string
  /** The rule that the harm breaks, where there is one. */
  rule?: string
  /** File of the scenario that shows it. */
  scenario?: string
  /** Ids of other cases that fail for the same reason: their least steps are the same. */
  origins?: string[]
  /** Present when four runs did not all fail alike: the number of those that did, and their message. */
  flaky?: string
  /** The reason under `accept` in the audit's file. */
  accepted?: string
}

/** Results of one flow. */
export interface FlowResult {
  flow: FlowName
  /** Names of the points that were tried. */
  points: string[]
  /** Points that were not in both undisturbed runs, so they were not tried. */
  unstable: string[]
  cases: CaseResult[]
}

/** The early ends of a sweep, in words. */
export const ends: Record<NonNullable<SweepReport['ended']>, string> = {
  interrupted: 'interrupted',
  bail: 'a case failed',
  budget: 'out of time',
  'app-ended': 'the app failed',
  'restart-failed': 'a restart failed',
}

/** Results of a sweep. */
export interface SweepReport {
  /** The app's manifest id. */
  app: string
  /** No case is stranded or harmful unless it is accepted, each flow had a case that fired, and nothing interrupted it. */
  passed: boolean
  /** Seed of the emulator; absent when it has none. */
  seed?: string
  /** The sweep ended early: by its signal, by `bail`, because its budget was over, or because the app ended or could not be restarted. */
  ended?: 'interrupted' | 'bail' | 'budget' | 'app-ended' | 'restart-failed'
  /** The case that ended the app, with `app-ended`; the fault of the restart, with `restart-failed`. */
  endedBy?: string
  /** Number of failing cases that the budget left no time to repeat and reduce. */
  unreduced?: number
  flows: FlowResult[]
  /** Flows that were left out, each with what they need. */
  skipped: { flow: FlowName; reason: string }[]
  /** Counts. `cases` is the number of cases that were run: fewer than `planned` when it ended early. */
  summary: Record<VerdictName, number> & { planned: number; cases: number; runs: number; seconds: number }
}

export const hasFailed = ({ verdict }: Pick<CaseResult, 'verdict'>): boolean => verdicts[verdict].status === 'fail'

/** Returns true for a case that makes the sweep fail: an accepted one does when it passes. sweep: "One case" */
export const fails = ({ verdict, accepted }: Pick<CaseResult, 'verdict' | 'accepted'>): boolean =>
  verdict === 'unbroken' ? false : (verdicts[verdict].status === 'fail') === (accepted === undefined)

/** Status of a case; `accepted`: it failed and is listed under `accept`. */
export function statusOf(result: Pick<CaseResult, 'verdict' | 'accepted'>): Status {
  if (fails(result)) return 'fail'
  return hasFailed(result) ? 'accepted' : verdicts[result.verdict].status
}

/** Returns the cases of all flows. */
export const casesOf = ({ flows }: Pick<SweepReport, 'flows'>): CaseResult[] => flows.flatMap(({ cases }) => cases)

/** Returns the case that a report shows for this one: another, of any flow, that fails for the same reason, or itself. sweep: Reduction */
export const shownFor = (result: CaseResult, cases: CaseResult[]): CaseResult =>
  cases.find(({ origins }) => origins?.includes(result.id)) ?? result

/** Returns the command that repeats a case. */
export const repeatCommand = ({ id, scenario }: CaseResult, { run, reach }: Again): string =>
  scenario ? `mockademy scenario run ${shellQuoted(scenario)}${reach}` : `${run} --only ${shellQuoted(id)}`

/** Returns true for a flow of which nothing is known: no fault of its cases fired. */
export const isBarren = ({ cases }: FlowResult): boolean => cases.every(({ verdict }) => verdict === 'unbroken')
