import { type Check, type Severity, severities } from './check.js'
import { curlOf } from './curl.js'
import type { Secrets } from './secrets.js'
import type { Verdict } from './verdict.js'

export const outcomes = ['pass', 'fail', 'warn', 'skip', 'inconclusive', 'accepted'] as const
/** `accepted`: it failed, and the file says why that is known. audit: "Outcomes" */
export type Outcome = (typeof outcomes)[number]

/** What a check came to. audit: "Rules of a fair audit" 5 */
export interface CheckResult {
  id: string
  title: string
  severity: Severity
  outcome: Outcome
  /** What it comes to, in a sentence. */
  message: string
  /** The request that shows it, as a curl line with secrets redacted. */
  sent: string | null
  /** What a good app does. */
  expected: string
  /** What this app did. */
  seen: string | null
  /** The rule. */
  source: string
  /** How to fix it. */
  remedy: string
  /** Ids of the journal entries that belong to it. */
  entries: number[]
}

/** What an audit came to. */
export interface AuditReport {
  /** The app's manifest id. */
  app: string
  /** Nothing failed at or above `failOn`, and nothing was inconclusive. */
  passed: boolean
  summary: Record<Outcome, number>
  checks: CheckResult[]
}

/** What a verdict is worth once the file has been asked which failures are known. */
export function resultOf(
  { id, title, severity, source, expected, remedy }: Check,
  verdict: Verdict,
  accepted: string | undefined,
  secrets: Secrets,
): CheckResult {
  const { sent, seen, entries = [] } = verdict
  const { outcome, message } = judged(severity, verdict, accepted)
  const answer = sent && (sent.error ?? `status ${sent.status}${bodyOf(sent.answer.body)}`)
  return {
    id,
    title,
    severity,
    outcome,
    message: secrets.redact(message),
    sent: sent ? secrets.redact(curlOf(sent)) : null,
    expected,
    seen: seen || answer ? secrets.redact([seen, answer].filter(Boolean).join('; response: ')) : null,
    source,
    remedy: otherRemedy(id, outcome, verdict) ?? remedy,
    entries: [...new Set(entries)],
  }
}

/** What to fix when it is not what the check is about; undefined when it is. */
function otherRemedy(id: string, outcome: Outcome, verdict: Verdict): string | undefined {
  if (outcome === 'inconclusive') return 'Fix what the message describes, then run this check again.'
  return outcome === 'fail' && verdict.outcome === 'pass' ? `Remove ${id} from "accept".` : undefined
}

const bodyOf = (body: string) => {
  const text = body.replace(/\s+/g, ' ').trim()
  return text === '' ? '' : `: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

function judged(
  severity: Severity,
  { outcome, message }: Verdict,
  accepted: string | undefined,
): { outcome: Outcome; message: string } {
  const failed = severity === 'low' ? 'warn' : 'fail'
  if (accepted === undefined) return { outcome: outcome === 'fail' ? failed : outcome, message }
  if (outcome === 'fail') return { outcome: 'accepted', message: `${message} (accepted: ${accepted})` }
  if (outcome !== 'pass') return { outcome, message }
  return { outcome: 'fail', message: `Listed in "accept" as a known failure ("${accepted}"), but the check passes now` }
}

/** Whether a result makes the run fail. audit: "Exit status" */
export function counts({ outcome, severity }: Pick<CheckResult, 'outcome' | 'severity'>, failOn: Severity): boolean {
  if (outcome === 'inconclusive') return true
  // An accepted failure that is gone must be taken out, whatever its severity is.
  if (outcome === 'fail' && severity === 'low') return true
  return (outcome === 'fail' || outcome === 'warn') && severities.indexOf(severity) <= severities.indexOf(failOn)
}

export const reportOf = (app: string, checks: CheckResult[], failOn: Severity): AuditReport => ({
  app,
  passed: !checks.some((check) => counts(check, failOn)),
  summary: Object.fromEntries(
    outcomes.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]),
  ) as Record<Outcome, number>,
  checks,
})
