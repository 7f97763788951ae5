import type { Duration } from '../../foundation/schema/duration.js'
import type { OptionKinds } from '../../foundation/schema/options.js'
import type { AuditFileInput } from '../audit/app/file.js'

/**
 * Options of `sweep`.
 * @example
 * const options: SweepOptions = { url: 'http://127.0.0.1:4600', file: 'mockademy.audit.json', flow: ['refresh'] }
 */
export interface SweepOptions {
  /** Address of a running emulator. */
  url: string
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
  /** The audit's file: its path or its content. */
  file: AuditFileInput | string
  /** Folder for the paths in a file given by its content, and for its `restart`; the working folder when left out. */
  folder?: string | undefined
  /** Names of flows to sweep; every flow when left out. */
  flow?: string[]
  /** Globs of case ids to run, in which `*` does not cross a `/`; every case when left out. */
  only?: string[]
  /** Globs of case ids not to run. */
  skip?: string[]
  /** Seed of the liberties that the emulator takes meanwhile; none, or those that it takes anyway, when left out. */
  liberties?: string | undefined
  /** Also two troubles in one case, in the flows `install` and `refresh`; on where a glob of `only` has a `+`. */
  pairs?: boolean
  /** Begins no case after this real time. Milliseconds, or text such as `5m`. */
  budget?: Duration | undefined
  /** Folder for the scenarios of failing cases; none are written when left out. */
  out?: string | undefined
  /** Begins no case after the first that fails. */
  bail?: boolean
  /** Ends the run early; the world is restored, and the report holds what was found. */
  signal?: AbortSignal
  /** Called as cases end. */
  onProgress?: (progress: { done: number; of: number; failing: number }) => void
  /** Called with what was done beside the cases, such as the removal of what a killed sweep has left. */
  onNote?: (note: string) => void
}

export const optionKinds: OptionKinds<SweepOptions> = {
  ...{ url: undefined, adminToken: 'string', file: undefined, folder: 'string', flow: 'strings', only: 'strings' },
  ...{ skip: 'strings', liberties: 'string', pairs: 'boolean', budget: undefined, out: 'string', bail: 'boolean' },
  ...{ signal: 'signal', onProgress: 'function', onNote: 'function' },
}
