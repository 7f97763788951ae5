import { matchesPath } from '../../foundation/http/path-pattern.js'
import type { AppUnderTest } from './app-under-test.js'
import { AuditFailure } from './audit-failure.js'
import type { Check } from './check.js'
import type { AuditFile } from './file.js'

/**
 * The checks to run.
 * @param only globs; every check when empty.
 * @throws AuditFailure for a glob that means none, and when none is left: a typo must not pass for a passed audit.
 */
export function select(catalogue: readonly Check[], only: string[], skip: string[]): Check[] {
  for (const glob of [...only, ...skip]) {
    if (!catalogue.some(({ id }) => matchesPath(glob, id))) {
      throw new AuditFailure(`no check is called ${JSON.stringify(glob)}; \`mockademy audit --list\` lists them`)
    }
  }
  const selected = catalogue.filter(
    ({ id }) =>
      (only.length === 0 || only.some((glob) => matchesPath(glob, id))) && !skip.some((glob) => matchesPath(glob, id)),
  )
  if (selected.length === 0) throw new AuditFailure('there is no check to run: skip names all that only leaves')
  return selected
}

/** Why a check cannot run: the keys that nobody has declared. Undefined when it can. audit: "Rules" 3 */
export function missing({ needs }: Check, { parts }: AppUnderTest, file: AuditFile): string | undefined {
  const declared = new Set<string>([...parts, ...Object.keys(file)])
  const absent = needs.filter((need) => !declared.has(need))
  const inFile = absent.filter((need) => !need.includes('.') && need !== 'webhook' && need !== 'post_install_action')
  const inManifest = absent.filter((need) => !inFile.includes(need))
  const list = (names: string[]) => names.map((name) => `"${name}"`).join(' and ')
  const reasons = [
    ...(inManifest.length > 0 ? [`the manifest does not declare ${list(inManifest)}`] : []),
    ...(inFile.length > 0 ? [`the audit file does not declare ${list(inFile)}`] : []),
  ]
  return reasons.length > 0 ? reasons.join(', and ') : undefined
}
