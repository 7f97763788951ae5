import { type RuleName, ruleNames, rules } from '../../control/findings/rules.js'
import { pageOf, pageOfCheck } from '../../emulator/world/documentation.js'
import { ANY_RUN } from '../../emulator/world/run.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { grantOf } from '../audit/app/app-requests.js'
import { type BoundCaller, ToolFailure } from './composed-tool.js'
import { lessonOf, passagesAbout } from './documentation.js'
import { deliveriesOf, type Entry, isFailure, presentDelivery, presentFinding, summaryOfEntry } from './exchanges.js'

const errorOf = ({ response }: Entry) => (response.body as { error?: string } | null)?.error

/** Advice by a check of the audit, or, if none is about the failure, in words and by a section of the documentation. */
type Advice = { check: string } | { source: string; expected: string }

/** Returns true when another request at another time may succeed, as it is. */
const isTransient = ({ status }: Entry) => (status ?? 500) >= 500 || status === 429

const isUnauthorized = ({ surface, status }: Entry) => surface === 'api' && status === 401
const says = ({ reason }: Entry, pattern: RegExp) => pattern.test(reason ?? '')

const CORRECTED = 'Corrects the request, by its reason, and does not repeat it as it was.'

/** Situations of a failed exchange. From the particular to the general; the first that fits counts. */
const situations: ({ fits(entry: Entry): boolean } & Advice)[] = [
  { fits: ({ surface, fault }) => surface === 'webhook' && fault === null, check: 'webhook.accepts' },
  {
    fits: (entry) => says(entry, /^There is no route/),
    source: 'spec: §4',
    expected: 'Corrects the path. The response says nothing of any resource.',
  },
  { fits: (entry) => isUnauthorized(entry) && says(entry, /: uninstalled$/), check: 'api.after-uninstall' },
  { fits: (entry) => isUnauthorized(entry) && says(entry, /: upgraded$/), check: 'api.after-upgrade' },
  // An API key, which belongs to no app, cannot be refreshed.
  { fits: (entry) => isUnauthorized(entry) && entry.app !== null, check: 'api.refreshes-once' },
  {
    fits: (entry) => entry.status === 403 && says(entry, /^Install tokens cannot/),
    source: 'wire: §3',
    expected: "Sends this request with the organization's API key, since no scope allows it to an install token.",
  },
  { fits: ({ surface, status }) => surface === 'api' && status === 403, check: 'api.insufficient-scope' },
  { fits: ({ surface, status }) => surface === 'api' && status === 429, check: 'api.rate-limited' },
  { fits: (entry) => entry.surface === 'api' && isTransient(entry), check: 'api.outage' },
  { fits: (entry) => grantOf(entry) === 'refresh_token' && isTransient(entry), check: 'api.refresh-fails' },
  {
    fits: (entry) => grantOf(entry) === 'authorization_code' && isTransient(entry),
    check: 'signin.token-endpoint-down',
  },
  {
    fits: (entry) => entry.surface === 'oauth' && isTransient(entry),
    source: 'spec: §4.8',
    expected:
      'Reports within seconds that the sign-in failed, keeps its sessions and tokens, and offers to sign in again.',
  },
  {
    fits: (entry) => errorOf(entry) === 'invalid_client',
    source: 'spec: §4.8',
    expected: 'Keeps its tokens, since no grant has ended, and is configured with its own client_id and client_secret.',
  },
  { fits: (entry) => entry.surface === 'oauth' && says(entry, /^PKCE: /), check: 'signin.pkce' },
  {
    fits: (entry) => grantOf(entry) === 'authorization_code' && errorOf(entry) === 'invalid_grant',
    source: 'spec: §4.8',
    expected:
      'Redeems each code once, within its lifetime, with the redirect_uri of its authorization request. If that fails, it offers to sign in again.',
  },
  // A token of another app, or one that was sent wrongly, may be alive.
  {
    fits: (entry) =>
      entry.surface === 'oauth' &&
      says(entry, /^The refresh.token (.*(used|revoked|expired) at|was never issued|has the form of a refresh token)/),
    check: 'api.dead-grant',
  },
  { fits: (entry) => says(entry, /^[a-z]+_required:/), check: 'signin.silent' },
  { fits: (entry) => entry.path === '/oauth/authorize' && says(entry, /redirect_uri/), check: 'signin.request' },
  {
    fits: ({ surface, status }) => surface === 'api' && status === 404,
    source: 'spec: §7',
    expected: 'Takes the resource for deleted or of another organization, and does not repeat the request.',
  },
  { fits: ({ surface, status }) => surface === 'api' && (status ?? 0) >= 400, source: 'spec: §7', expected: CORRECTED },
  { fits: ({ surface }) => surface === 'oauth', source: 'wire: §6', expected: CORRECTED },
]

/**
 * Returns the advice about an entry: by the rules of findings that cite it, else, for a failure, by its situation. A
 * hint says nothing of why a request failed.
 */
function adviceOn(entry: Entry, names: RuleName[]): Advice | undefined {
  const failed = isFailure(entry)
  const rule = names
    .map((name) => rules[name])
    .find(({ level, check }) => (failed ? level === 'error' : check !== undefined))
  if (rule) return rule.check ? { check: rule.check } : { source: rule.section, expected: rule.explanation }
  return failed ? situations.find(({ fits }) => fits(entry)) : undefined
}

/** Returns the catalog of the audit, which is loaded with the first tool that needs it. */
const loadCatalog = async () => (await import('../audit/checks/catalog.js')).catalog

/** Returns a check as its page and `explain` show it; undefined for an id that is none. */
async function checkOf(id: string) {
  const check = (await loadCatalog()).find((each) => each.id === id)
  if (!check) return undefined
  const { run: _, order: __, explainedBy: ___, acceptsLimit: ____, ...facts } = check
  return { ...facts, section: pageOf(check.source), docs: pageOfCheck(check.id) }
}

/** Returns all that is known of an entry: exchange, fault, findings, delivery, and what a sound app does. */
export async function presentExchange(call: BoundCaller, entry: Entry) {
  const [findings, faults, [delivery]] = await Promise.all([
    call('listFindings', { query: { run: ANY_RUN } }),
    entry.fault === null ? [] : call('listFaults'),
    deliveriesOf(call, [entry]),
  ])
  const isCiting = ({ entries }: (typeof findings)[number]) => entries.includes(entry.id)
  // Errors before hints.
  const cited = findings.filter(isCiting).sort((a, b) => a.level.localeCompare(b.level))
  const rules = cited.map(({ rule }) => rule)
  const advice = adviceOn(entry, rules)
  const check = advice && 'check' in advice ? await checkOf(advice.check) : undefined
  // The message is about the newest entry that a finding cites.
  const observed = ({ entries, message }: (typeof cited)[number]) =>
    entries.at(-1) === entry.id ? message : `At entry ${entries.at(-1)}: ${message}`
  const { request, response, ...facts } = entry
  return {
    [isFailure(entry) ? 'failure' : 'exchange']: summaryOfEntry(entry),
    reason: entry.reason,
    fault: faults.find(({ id }) => id === entry.fault) ?? entry.fault,
    findings: cited.map((finding) => ({ ...presentFinding(finding), message: observed(finding) })),
    ...(delivery && { delivery: presentDelivery(delivery) }),
    [entry.surface === 'webhook' ? 'app_response' : 'emulator_response']: response,
    request,
    ...(check && {
      expected: check.expected,
      remedy: check.remedy,
      section: check.section ?? check.source,
      check: check.id,
      docs: check.docs,
    }),
    ...(advice && 'source' in advice && { expected: advice.expected, section: pageOf(advice.source) }),
    entry: facts,
  }
}

async function findEntry(call: BoundCaller, id: number): Promise<Entry | undefined> {
  const [entry] = id > 0 ? await call('listRequests', { query: { since: id - 1, run: ANY_RUN } }) : []
  return entry?.id === id ? entry : undefined
}

/** Returns an entry. @throws ToolFailure for a number that the journal does not have. */
export async function entryOf(call: BoundCaller, id: number): Promise<Entry> {
  const entry = await findEntry(call, id)
  if (entry) return entry
  throw new ToolFailure(`The journal has no entry ${id}; it may be too old, or was cleared`)
}

/** Explains an entry, a delivery, a check, a rule or a term. @throws ToolFailure for anything else. */
export async function explain(what: string, call: BoundCaller): Promise<object> {
  if (/^#?-?\d+$/.test(what)) {
    const id = Number(what.replace('#', ''))
    // A status is a term, unless an entry has its number.
    const entry = await (/^[45]\d\d$/.test(what) ? findEntry(call, id) : entryOf(call, id))
    if (entry) return presentExchange(call, entry)
  }
  const check = await checkOf(what)
  if (check) return { check, lesson: (await lessonOf(what)) ?? null }
  if ((ruleNames as string[]).includes(what)) return explainRule(what as RuleName, call)
  const deliveries = await call('listDeliveries', { query: { run: ANY_RUN } })
  const delivery = deliveries.find(({ id }) => id === what)
  if (delivery) return { delivery: presentDelivery(delivery), last_attempt: delivery.attempts.at(-1) ?? null }
  const passages = await passagesAbout(what)
  if (passages.length > 0) return { term: what, passages: passages.slice(0, 12) }
  const ids = (await loadCatalog()).map(({ id }) => id)
  throw new ToolFailure(
    `${JSON.stringify(what)} is neither the number of an entry nor the id of a delivery or a check, a rule of findings or a term of the documentation${didYouMean(what, [...ids, ...ruleNames])}`,
  )
}

async function explainRule(rule: RuleName, call: BoundCaller): Promise<object> {
  const { level, section, explanation, check } = rules[rule]
  const findings = await call('listFindings', { query: { rule, run: ANY_RUN } })
  return {
    rule: { name: rule, level, section: pageOf(section) ?? section, explanation, docs: pageOfCheck(rule) },
    findings: findings.map(presentFinding),
    lesson: (await lessonOf(rule)) ?? null,
    ...(check && { check: await checkOf(check), lesson_of_check: (await lessonOf(check)) ?? null }),
  }
}
