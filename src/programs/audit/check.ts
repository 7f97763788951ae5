import type { FileKey, ManifestPart } from './needs.js'
import type { Scene } from './scene.js'
import type { Verdict } from './verdict.js'

/** From the worst down. audit: "Catalogue" */
export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** When a check runs. Those that run together share the app, each with an organization of its own. */
export type RunOrder = 'together' | 'alone' | 'last'

/** One row of the catalogue. */
export interface Check {
  id: string
  /** A sentence: what a good app does, as a test's name would say it. */
  title: string
  severity: Severity
  needs: readonly (FileKey | ManifestPart)[]
  /** The rule: a section of the platform (`spec: §5.2.3`), an RFC, ASVS. */
  source: string
  /** What a good app does, in full. */
  expected: string
  /** How to fix it. */
  remedy: string
  /** `together` when left out. */
  place?: RunOrder
  /** Checks with the same one never overlap: what they count would be mixed up. */
  lock?: 'keys'
  run(scene: Scene): Promise<Verdict>
}
