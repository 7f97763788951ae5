import { pageOfCheck } from '../../emulator/world/documentation.js'
import { shellQuoted } from '../../emulator/world/shell-quoted.js'
import type { GuardedExchange } from '../../foundation/http-client/guarded-client.js'
import type { Status } from '../reports/report.js'
import { describePage } from './app/app-response.js'
import type { Secrets } from './app/secrets.js'
import { type Check, type Severity, severities, type Verdict } from './checks/check.js'

const INCONCLUSIVE_REMEDY = 'Fix what the message describes, then run this check again.'
const MAX_BODY_CHARACTERS = 2_000

/** Every status of a check in a report. */
export const outcomes = ['pass', 'fail', 'warn', 'skip', 'inconclusive', 'accepted'] as const satisfies Status[]
/** Result of a check. `accepted`: it failed and is listed under `accept`. */
export type Outcome = (typeof outcomes)[number]

/** Result of a check, with what it takes to understand it. */
export interface CheckResult {
  id: string
  title: string
  severity: Severity
  outcome: Outcome
  /** One sentence. */
  message: string
  /** True when it is listed under `accept`, but passes now; such an entry always fails the run. */
  stale?: true
  /** Id of the check whose failure explains this one; absent when it has a cause of its own. */
  follows_from?: string
  /** The request that shows it, as a curl line with secrets redacted. */
  sent: string | null
  /** The behavior of a good app. */
  expected: string
  /** The behavior of this app. */
  seen: string | null
  /** The rule. */
  source: string
  /** The fix. */
  remedy: string
  /** The page that teaches the check: `docs/checks.md#<id>`. */
  docs: string
  /** Ids of the journal entries that belong to it. */
  entries: number[]
}

/** Results of an audit. */
export interface AuditReport {
  /** The app's manifest id. */
  app: string
  /** Nothing failed at or above `failOn`, and nothing was inconclusive. */
  passed: boolean
  summary: Record<Outcome, number>
  checks: CheckResult[]
}

/** Makes a result of a verdict, with the failures that the file accepts marked and secrets redacted. */
export function resultOf(check: Check, verdict: Verdict, accepted: string | undefined, secrets: Secrets): CheckResult {
  const { id, title, severity, source, expected, remedy } = check
  const { sent, seen, entries = [] } = verdict
  // A cause that explains several checks is one of them.
  const followsFrom = verdict.followsFrom === id ? undefined : verdict.followsFrom
  const { outcome, message } = withAccepted(severity, verdict, accepted)
  const isStale = outcome === 'fail' && verdict.outcome === 'pass'
  const response = sent && describePage(sent, secrets.redact)
  return {
    id,
    title,
    severity,
    outcome,
    message: secrets.redact(message),
    ...(isStale && { stale: true }),
    ...(followsFrom && { follows_from: followsFrom }),
    sent: sent ? secrets.redact(curlOf(sent, secrets)) : null,
    expected,
    seen: seen || response ? secrets.redact([seen, response].filter(Boolean).join('; response: ')) : null,
    source,
    remedy: isStale ? `Remove ${id} from "accept".` : outcome === 'inconclusive' ? INCONCLUSIVE_REMEDY : remedy,
    docs: pageOfCheck(id),
    entries: [...new Set(entries)],
  }
}

type Judged = Pick<CheckResult, 'outcome' | 'message'>

function withAccepted(severity: Severity, { outcome, message }: Verdict, accepted: string | undefined): Judged {
  const failed = severity === 'low' ? 'warn' : 'fail'
  if (accepted === undefined) return { outcome: outcome === 'fail' ? failed : outcome, message }
  if (outcome === 'fail' || outcome === 'warn')
    return { outcome: 'accepted', message: `${message} (accepted: ${accepted})` }
  if (outcome !== 'pass') return { outcome, message }
  return { outcome: 'fail', message: `Listed in "accept" as a known failure ("${accepted}"), but the check passes now` }
}

/** An inconclusive check without a request ran out of time. */
const couldNotTell = ({ outcome, sent }: CheckResult): boolean => outcome === 'inconclusive' && sent !== null

/** Checks whose failure may leave an inconclusive check without its installation. */
const installCauses = ['webhook.accepts', 'webhook.burst']

/** Settles the causes of failures once all results are known: a check that did not fail explains none. audit: rule 4b */
export function withCauses(results: CheckResult[], checks: readonly Check[]): CheckResult[] {
  const refuted = new Set(results.flatMap((each) => (each.outcome === 'pass' || couldNotTell(each) ? each.id : [])))
  const isRoot = (id: string) =>
    results.some((each) => each.id === id && each.outcome === 'fail' && each.follows_from === undefined)
  return results.map((result) => {
    const { follows_from, ...own } = result
    const isSkipped =
      couldNotTell(result) && results.some((each) => each.id === follows_from && each.outcome === 'skip')
    const isRefuted = follows_from !== undefined && (refuted.has(follows_from) || isSkipped)
    const isOpen = (result.outcome === 'fail' || couldNotTell(result)) && !result.stale
    if (!isOpen || (follows_from !== undefined && !isRefuted)) return isRefuted ? own : result
    const check = checks.find(({ id }) => id === result.id)
    const ofInstalls = couldNotTell(result) && check?.needs.includes('webhook') ? installCauses : []
    const cause = [...(check?.explainedBy ?? []), ...ofInstalls].find(isRoot)
    if (cause) return { ...own, follows_from: cause }
    return isRefuted ? { ...own, outcome: 'inconclusive', remedy: INCONCLUSIVE_REMEDY } : result
  })
}

/** Adds the cause of a failure to its message. audit: rule 4b */
export const namingCause = (result: CheckResult): CheckResult =>
  result.follows_from === undefined
    ? result
    : { ...result, message: `${result.message} (follows from ${result.follows_from})` }

/** Returns true for a result that makes the run fail. audit: "Exit status" */
export function failsRun({ outcome, severity, stale }: CheckResult, failOn: Severity): boolean {
  if (outcome === 'inconclusive' || stale) return true
  // A warning of a check that can fail too fails no run.
  if (outcome === 'warn' && severity !== 'low') return false
  return (outcome === 'fail' || outcome === 'warn') && severities.indexOf(severity) <= severities.indexOf(failOn)
}

export const reportOf = (app: string, checks: CheckResult[], failOn: Severity): AuditReport => ({
  app,
  passed: !checks.some((check) => failsRun(check, failOn)),
  summary: Object.fromEntries(
    outcomes.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]),
  ) as Record<Outcome, number>,
  checks,
})

/** Writes the request of an exchange as a command to paste, in which the shell makes the signatures that are genuine. */
function curlOf({ method, url, headers, body }: GuardedExchange, secrets: Secrets): string {
  const curl = [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerOf(name, value, secrets)}`),
  ].join(' ')
  if (body === undefined) return curl
  const shown = shortened(body, secrets)
  // A shell drops newlines from the end of `$(…)`.
  return isPrintable(shown)
    ? `${curl} --data-raw ${shellQuoted(shown)}`
    : `${printed(shown)} | ${curl} --data-binary @-`
}

/** Returns a character for each byte. Redacts before it truncates, since a part of a secret cannot be recognized. */
function shortened(body: string | Buffer, secrets: Secrets): string {
  const text = (typeof body === 'string' ? Buffer.from(body) : body).toString('latin1')
  const shown = secrets.redact(text)
  return shown.length > MAX_BODY_CHARACTERS ? `${shown.slice(0, MAX_BODY_CHARACTERS)}… (${text.length} bytes)` : shown
}

/** Ends a header without a value in a semicolon, which curl would leave out otherwise, and redacts cookies. */
function headerOf(name: string, value: string, secrets: Secrets): string {
  if (value === '') return quoted(`${name};`)
  const origin = secrets.originOf(value)
  if (origin === undefined)
    return quoted(`${name}: ${name === 'cookie' ? value.replace(/=[^;]*/g, '=[cookie]') : value}`)
  const { body, key, form = '-r | cut -c 1-64' } = origin
  const secret = key === undefined ? '"$PLATFORM_SIGNING_SECRET"' : quoted(key)
  return `"${name}: $(${printed(shortened(body, secrets))} | openssl dgst -sha256 -hmac ${secret} ${form})"`
}

const isPrintable = (text: string) => /^[\x20-\x7e]*$/.test(text)

const quoted = (text: string) => (isPrintable(text) ? shellQuoted(text) : `"$(${printed(text)})"`)

/** Returns the command that prints a text. What no quotes show is written for `%b`, since only some shells have `$'…'`. */
const printed = (text: string) =>
  isPrintable(text)
    ? `printf %s ${shellQuoted(text)}`
    : `printf %b ${shellQuoted(text.replace(/[^\x20-\x5b\x5d-\x7e]/g, escapeOf))}`

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const code = character.charCodeAt(0)
  return escapes[character] ?? (code < 256 ? `\\0${code.toString(8).padStart(3, '0')}` : character)
}
