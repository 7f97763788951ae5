import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { Finding } from '../../emulator/world/parts.js'
import { type RuleName, ruleNames, rules } from './rules.js'

/** One time that a rule was broken. */
export interface Violation {
  rule: RuleName
  /** The exchange that shows it. */
  entry: Pick<JournalEntry, 'id' | 'at' | 'client' | 'identity'>
  /** What was seen, as a sentence. */
  seen: string
}

/** Ids of entries that a finding keeps. */
const KEPT_ENTRIES = 50

/** Counts violations by rule and app, or client address where no app is known. */
export class FindingList {
  readonly #findings = new Map<string, Finding>()

  /** @returns the finding as it is now. */
  add({ rule, entry, seen }: Violation): Finding {
    const { app = null, organization = null } = entry.identity
    const key = `${rule} ${app ?? entry.client}`
    const { level, section, explanation } = rules[rule]
    const before = this.#findings.get(key)
    const finding: Finding = {
      rule,
      level,
      section,
      app,
      organization: before && before.organization !== organization ? null : organization,
      count: (before?.count ?? 0) + 1,
      first_at: before?.first_at ?? entry.at,
      last_at: entry.at,
      message: `${seen} ${explanation}`,
      entries: [...(before?.entries ?? []), entry.id].slice(-KEPT_ENTRIES),
    }
    this.#findings.set(key, finding)
    return finding
  }

  /** In the order of the rules, oldest first in each. */
  all(): Finding[] {
    return [...this.#findings.values()].sort((a, b) => orderOf(a) - orderOf(b))
  }

  clear(): void {
    this.#findings.clear()
  }
}

const orderOf = ({ rule }: Finding) => ruleNames.indexOf(rule as RuleName)
