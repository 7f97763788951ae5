import { createRedactor, HIDDEN, type Redactor } from '../../emulator/journal/known-secrets.js'
import { redactSearch } from '../../emulator/journal/redact.js'
import { pageOfCheck } from '../../emulator/world/documentation.js'
import { FROM_SCRIPT, type JournalEntry } from '../../emulator/world/exchange.js'
import type { Finding, FindingSinceStart, Findings } from '../../emulator/world/parts.js'
import { matchesRun } from '../../emulator/world/run.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'
import type { CreateJudge, Judge, JudgedWorld, ObservedExchange, Report } from './judge.js'
import { judgeCredentials, watchUninstalls } from './judge-credentials.js'
import { judgeKeys } from './judge-keys.js'
import { judgeLists } from './judge-lists.js'
import { judgeRefreshes } from './judge-refreshes.js'
import { judgeRequests } from './judge-requests.js'
import { judgeScopes } from './judge-scopes.js'
import { judgeSignIn } from './judge-sign-in.js'
import { judgeWebhooks } from './judge-webhooks.js'
import { findingKey } from './merge-findings.js'
import { Recent } from './recent.js'
import { type RuleName, ruleNames, rules } from './rules.js'

const judges: CreateJudge[] = [
  judgeCredentials,
  judgeRefreshes,
  judgeRequests,
  judgeSignIn,
  judgeKeys,
  judgeWebhooks,
  judgeLists,
  judgeScopes,
]

/** Rules that are recomputed for each listing. */
const recomputedRules: RuleName[] = ['unread_pages', 'unused_scope']

const KEPT_ENTRIES = 50

/**
 * Creates the findings of an emulator, which judge every exchange when it is over. control-api: "Findings"
 * @param realNow returns real milliseconds: how fast an app reacts is not measured by the emulator's clock.
 */
export function createFindings(getWorld: () => JudgedWorld, realNow: () => number): Findings {
  const listeners: ((finding: Finding) => void)[] = []
  const byApp = new Recent<string, Finding>()
  const byOrganization = new Recent<string, Finding>()
  /** Findings since the start, which no reset clears. */
  const sinceStart = new Recent<string, FindingSinceStart>()
  /** The installations of refreshes that are under way, by their refresh tokens. */
  const refreshing = new Recent<string, string>()
  const isRefreshing = (installation: string) => [...refreshing.values()].includes(installation)
  let judging: { judges: Judge[]; usedAfterUninstall: ReturnType<typeof watchUninstalls> } | undefined

  const publish = (finding: Finding) => {
    for (const listener of listeners) listener(finding)
  }
  /** Redacts now: after a reset, the secrets are no longer known. */
  const redactedTexts = (rule: RuleName, entry: JournalEntry, observation: string) => {
    const redact = createRedactor(getWorld())
    return { message: findingOf(rule, entry, redact(observation), undefined).message, exchange: lineOf(entry, redact) }
  }
  const report: Report = (rule, entry, observation) => {
    const key = keyOf(rule, entry)
    const finding = findingOf(rule, entry, observation, byApp.get(key))
    byApp.set(key, finding)
    const { organization } = entry.identity
    if (organization !== undefined) {
      const keyIn = `${key} ${organization}`
      byOrganization.set(keyIn, findingOf(rule, entry, observation, byOrganization.get(keyIn)))
    }
    const before = sinceStart.get(key)
    const { message, exchange } = before ?? redactedTexts(rule, entry, observation)
    sinceStart.set(key, { ...findingOf(rule, entry, observation, before), message, exchange })
    if (!recomputedRules.includes(rule)) publish(finding)
  }
  const currentJudges = () => {
    judging ??= {
      judges: judges.map((create) => create(getWorld(), report, realNow)),
      usedAfterUninstall: watchUninstalls(getWorld()),
    }
    return judging
  }

  const conclude = () => {
    const isRecomputed = ([, { rule }]: [string, Finding]) => recomputedRules.includes(rule as RuleName)
    const before = new Map([...byApp].filter(isRecomputed))
    for (const list of [byApp, byOrganization, sinceStart])
      for (const [key] of [...list].filter(isRecomputed)) list.delete(key)
    for (const judge of currentJudges().judges) judge.conclude?.()
    // Publishes only what has changed: a listener may call `list`, which would recompute again.
    for (const [key, finding] of [...byApp].filter(isRecomputed))
      if (finding.message !== before.get(key)?.message) publish(finding)
  }

  return {
    begin({ body }) {
      const secret = new URLSearchParams(body.toString()).get('refresh_token')
      const token = secret ? getWorld().store.tokens.by('secret', secret) : undefined
      if (token) refreshing.set(token.secret, token.installation)
    },
    judge(entry) {
      // The app sends no control calls and no steps of scenarios.
      if (entry.surface === 'admin') return
      const exchange = observe(entry, realNow(), isRefreshing)
      refreshing.delete(exchange.form?.get('refresh_token') ?? '')
      if (entry.sender === 'scenario') return
      const current = currentJudges()
      const owner = current.usedAfterUninstall(exchange)
      if (owner !== undefined) {
        const sent = `${entry.method} ${entry.path} was sent with a token of ${owner}`
        return report('call_after_uninstall', entry, `${sent}, which has uninstalled the app.`)
      }
      for (const judge of current.judges) judge.judge(exchange)
    },
    list(run, organization) {
      conclude()
      const among = organization === undefined ? byApp : byOrganization
      const wanted = [...among.values()].filter(
        (finding) =>
          matchesRun(finding.run, run) && (organization === undefined || finding.organization === organization),
      )
      return wanted.sort(byAge)
    },
    sinceStart() {
      conclude()
      return [...sinceStart.values()].filter(({ run }) => run === undefined).sort(byAge)
    },
    citing: (id) => [
      ...new Set([...byApp.values()].filter(({ entries }) => entries.includes(id)).map(({ rule }) => rule)),
    ],
    clear(alsoSinceStart) {
      byApp.clear()
      byOrganization.clear()
      if (alsoSinceStart) sinceStart.clear()
      // Their exchanges leave the journal.
      for (const finding of sinceStart.values()) finding.entries = []
      for (const judge of judging?.judges ?? []) judge.forget?.()
    },
    renew() {
      judging = undefined
    },
    onFinding: (listener) => void listeners.push(listener),
  }
}

/** The client's address stands for an app that is not known. */
const keyOf = (rule: RuleName, { identity, client, run }: JournalEntry): string =>
  findingKey({ rule, app: identity.app ?? client, organization: identity.organization, run })

/** Oldest first. While the clock stands still, journal ids tell the age, and at last the order of the rules. */
const byAge = (a: Finding, b: Finding): number =>
  Date.parse(a.first_at) - Date.parse(b.first_at) ||
  (a.entries[0] ?? 0) - (b.entries[0] ?? 0) ||
  ruleNames.indexOf(a.rule as RuleName) - ruleNames.indexOf(b.rule as RuleName)

/** Returns an exchange in one line, with the reason of its failure. */
function lineOf({ method, path, search, status, notes }: JournalEntry, redact: Redactor): string {
  const query = redactSearch(search, redact).replaceAll(encodeURIComponent(HIDDEN), HIDDEN)
  return `${method} ${redact(path)}${query && `?${query}`} ${status ?? 'no response'}${notes.reason ? `: ${redact(notes.reason)}` : ''}`
}

/** @param before the finding of the same rule and app so far. */
function findingOf(rule: RuleName, entry: JournalEntry, observation: string, before: Finding | undefined): Finding {
  const { level, section, explanation, fromScript = explanation } = rules[rule]
  const isFromScript = entry.notes.warnings?.some(({ code }) => code === FROM_SCRIPT)
  const { app = null, organization = null } = entry.identity
  return {
    rule,
    level,
    section,
    docs: pageOfCheck(rule),
    app,
    organization: before && before.organization !== organization ? null : organization,
    count: (before?.count ?? 0) + 1,
    first_at: before?.first_at ?? entry.at,
    last_at: entry.at,
    message: `${observation} ${isFromScript ? fromScript : explanation}`,
    entries: [...(before?.entries ?? []), entry.id].slice(-KEPT_ENTRIES),
    ...(entry.run !== undefined && { run: entry.run }),
  }
}

function observe(entry: JournalEntry, endedAt: number, isRefreshing: ObservedExchange['isRefreshing']) {
  const isToken = entry.path === '/oauth/token' && entry.method === 'POST'
  let body: Record<string, unknown> | undefined
  return {
    entry,
    endedAt,
    startedAt: endedAt - entry.duration,
    bearer: entry.surface === 'api' ? bearerOf(entry.request.headers) : undefined,
    form: isToken ? new URLSearchParams(entry.request.body?.toString() ?? '') : undefined,
    isRefreshing,
    responseBody: () => (body ??= jsonObjectIn(entry.response.body?.toString())),
  }
}
