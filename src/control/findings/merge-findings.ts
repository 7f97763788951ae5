import type { Finding } from '../../emulator/world/parts.js'

type Keyed = Pick<Finding, 'rule' | 'app' | 'run'> & { organization?: string | null | undefined }
type Mergeable = Keyed & Pick<Finding, 'count' | 'entries' | 'first_at' | 'organization'>

/** Returns what tells findings of a world apart: the rule and the app; in a run of an audit or sweep, the organization too. */
export const findingKey = ({ rule, app, run, organization }: Keyed): string =>
  [rule, app, ...(run === undefined ? [] : [run, organization])].join(' ')

/** Returns one finding for each key, the newest with the exchanges of all of them: of several worlds, or from before a reset. */
export function mergeFindings<F extends Mergeable>(findings: Iterable<F>): F[] {
  const found = new Map<string, F>()
  for (const finding of findings) {
    const key = findingKey(finding)
    const { count, entries, first_at, organization } = found.get(key) ?? { ...finding, count: 0, entries: [] }
    found.set(key, {
      ...finding,
      first_at,
      organization: organization === finding.organization ? organization : null,
      count: count + finding.count,
      entries: [...entries, ...finding.entries],
    })
  }
  return [...found.values()]
}
