import type { Exchange } from './actors/exchange.js'
import type { Scene } from './scene.js'

/** From the worst down. audit: "Catalogue" */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** Keys of the audit's file that a check cannot do without. audit: "Running it" */
export type FileKey = 'start' | 'whoami' | 'probe' | 'list' | 'restart' | 'logs'
/** Parts of the manifest that a check is about. */
export type ManifestPart = 'webhook' | 'oauth.install' | 'oauth.authorize' | 'post_install_action'

/** When a check runs. Those that run together share the app, each with an organization of its own. */
export type Place = 'together' | 'alone' | 'last'

/** One row of the catalogue. */
export interface Check {
  id: string
  /** A sentence: what a good app does, as a test's name would say it. */
  title: string
  severity: Severity
  needs: readonly (FileKey | ManifestPart)[]
  /** The rule: a section of spec.md, an RFC, ASVS. */
  source: string
  /** What a good app does, in full. */
  expected: string
  /** How to mend it. */
  remedy: string
  /** `together` when left out. */
  place?: Place
  /** Checks with the same one never overlap: what they count would be mixed up. */
  lock?: 'keys'
  run(scene: Scene): Promise<Verdict>
}

/** What was found out, before the audit's file has a say in it. */
export interface Verdict {
  outcome: 'pass' | 'fail' | 'skip' | 'inconclusive'
  /** What it comes to, in a sentence. */
  message: string
  /** The request that shows it. */
  sent?: Exchange | undefined
  /** What the app did, when `sent` does not say it all. */
  seen?: string | undefined
  /** Journal entries that belong to it. */
  entries?: number[] | undefined
}

type Evidence = Pick<Verdict, 'sent' | 'seen' | 'entries'>

export const pass = (message: string, evidence: Evidence = {}): Verdict => ({ outcome: 'pass', message, ...evidence })
export const fail = (message: string, evidence: Evidence = {}): Verdict => ({ outcome: 'fail', message, ...evidence })
export const skip = (message: string): Verdict => ({ outcome: 'skip', message })

/**
 * Thrown where the positive twin of a check did not come off, so that what the app refuses says nothing about it.
 * audit: "Rules of a fair audit" 1
 */
export class Inconclusive extends Error {
  constructor(
    message: string,
    readonly evidence: Evidence = {},
  ) {
    super(message)
    this.name = 'Inconclusive'
  }
}
