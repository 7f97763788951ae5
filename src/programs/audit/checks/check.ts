import type { ManifestPart } from '../context/app-under-test.js'
import type { AuditContext } from '../context/context.js'
import type { Evidence } from '../context/failures.js'
import type { FileKey } from '../context/file.js'

/** From the worst down. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
/** The severity of a failed check. */
export type Severity = (typeof severities)[number]

/** One row of the catalogue. */
export interface Check {
  id: string
  /** The behaviour of a good app, as a test's name. */
  title: string
  severity: Severity
  /** Keys of the audit's file and parts of the manifest. */
  needs: readonly (FileKey | ManifestPart)[]
  /** The rule: a section of the platform (`spec: §5.2.3`), an RFC, ASVS. */
  source: string
  /** The behaviour of a good app, in full. */
  expected: string
  /** The fix. */
  remedy: string
  /** `together` (side by side, each with organizations of its own) when left out. */
  order?: 'together' | 'alone' | 'last'
  /** Checks with the same lock never overlap, because they count the same requests. */
  lock?: 'keys'
  run(context: AuditContext): Promise<Verdict>
}

/** A fix, and a line for each language in which most apps are written, in the words of its libraries. audit: rule 5 */
type Remedy = string | ({ fix: string } & Partial<Record<'Node' | 'Python' | 'Go' | 'Ruby' | 'PHP', string>>)

/** An entry of a table of checks. Its key is its id; `needs` are those of the table when left out. */
export type CheckEntry = Omit<Check, 'id' | 'needs' | 'remedy'> & Partial<Pick<Check, 'needs'>> & { remedy: Remedy }

/** Makes checks of a table, in its order. @param needs of the entries that declare none. */
export const defineChecks = (needs: Check['needs'], table: Record<string, CheckEntry>): Check[] =>
  Object.entries(table).map(([id, entry]) => ({ id, needs, ...entry, remedy: linesOf(entry.remedy) }))

function linesOf(remedy: Remedy): string {
  if (typeof remedy === 'string') return remedy
  const { fix, ...byStack } = remedy
  return [fix, ...Object.entries(byStack).map(([stack, words]) => `${stack}: ${words}`)].join('\n')
}

/** Result of a check before the file's `accept` is applied. */
export interface Verdict extends Evidence {
  outcome: 'pass' | 'fail' | 'warn' | 'skip' | 'inconclusive'
  /** One sentence, without a full stop. */
  message: string
}

export const pass = (message: string): Verdict => ({ outcome: 'pass', message })

export const skip = (message: string): Verdict => ({ outcome: 'skip', message })

/** @param evidence may be anything that has evidence among its properties: an observed probe, a visit, a landing. */
export const fail = (message: string, { sent, seen, entries, late, followsFrom }: Evidence = {}): Verdict => ({
  outcome: 'fail',
  message,
  ...{ sent, seen, entries, late, followsFrom },
})

/** Joins the failures among verdicts; undefined when there is none. */
export function joinFailures(verdicts: Verdict[]): Verdict | undefined {
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const join = (texts: (string | undefined)[]) => texts.filter(Boolean).join('; ')
  const [first] = failed
  return (
    first && {
      ...first,
      message: join(failed.map(({ message }) => message)),
      seen: join(failed.map(({ seen }) => seen)),
    }
  )
}

/** `1 request`, `2 requests`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`
