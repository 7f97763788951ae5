import type { CallName, CallQuery, CallResult } from '../admin/calls.js'

// The model of a run's report: what the console shows when it is opened from the file. coverage: "The run report"

export type Entry = CallResult<'listRequests'>[number]
export type Delivery = CallResult<'listDeliveries'>[number]
export type Finding = CallResult<'listFindings'>[number]
export type Fault = CallResult<'listFaults'>[number]

/** Makes a control call that only reads. */
export type ReadCall = <N extends CallName>(name: N, parts?: { query?: CallQuery<N> }) => Promise<CallResult<N>>

/** Options of a report. */
export interface ReportOptions {
  /** The run, in a few words: a command, or the name of a test. */
  title?: string | undefined
  /** The command that repeats the run. */
  command?: string | undefined
  /** The run's end, as in `failed with 1`. */
  result?: string | undefined
  /** Slug: leaves out what belongs to other organizations. */
  organization?: string | undefined
}

/** The data of a report. */
export interface RunReport extends Pick<ReportOptions, 'title' | 'command' | 'result'> {
  /** The address that the emulator had. */
  url: string
  /** Characters of each body that are kept; null when none was cut for the report's size. */
  body_limit: number | null
  /** The oldest exchanges that were left out for the report's size. */
  left_out: number
  /** Results of control calls, by the path of the call. */
  results: Record<string, unknown>
}

/** The parts of a run that a reset of the emulator, or the bounds of its journal, would lose. */
export interface RecordedRun {
  entries: Entry[]
  deliveries: Delivery[]
  findings: Finding[]
  faults: Fault[]
  coverage: CallResult<'getCoverage'>[]
  moves: NonNullable<CallResult<'clock'>['moves']>
  /** Characters of each body that are kept; null when none was cut. */
  bodyLimit: number | null
  /** The oldest entries that were dropped. */
  leftOut: number
}
