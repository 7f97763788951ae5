import type { CallResult } from '../../control/admin/calls.js'
import { type RuleName, rules } from '../../control/findings/rules.js'
import { ANY_RUN } from '../../emulator/world/run.js'
import type { BoundCaller } from './composed-tool.js'

export type Entry = CallResult<'listRequests'>[number]
export type Finding = CallResult<'listFindings'>[number]
export type Delivery = CallResult<'listDeliveries'>[number]

/** Returns an entry in one line: `#12 webhook POST /webhook 401, notes in acme: the app responded with …`. */
export function summaryOfEntry({ id, surface, method, path, status, reason, ...entry }: Entry): string {
  const sender = [entry.app, entry.organization].filter((each) => each !== null).join(' in ')
  const head = [`#${id}`, surface, method, path, status ?? 'no response'].join(' ')
  const notes = [
    reason,
    entry.fault && `fault ${entry.fault}`,
    entry.findings && `findings ${entry.findings.join(', ')}`,
    entry.liberties && `liberties ${entry.liberties.join(', ')}`,
  ].filter(Boolean)
  return `${head}${sender && `, ${sender}`}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`
}

/** The reason of a webhook whose signature an injected fault kept from matching its body: a sound app rejects it. */
const forgery = /^Injected fault: ([^;]*signature|altered_body|reserialised|truncate)\b/

/** Returns true for an exchange of the app in which something went wrong; a hint alone is no failure. */
export const isFailure = ({ surface, status, reason, findings }: Entry): boolean =>
  surface !== 'admin' &&
  surface !== 'inbox' &&
  !(surface === 'webhook' && /^4/.test(String(status)) && forgery.test(reason ?? '')) &&
  (status === null ||
    status >= 400 ||
    reason !== null ||
    (findings ?? []).some((rule) => rules[rule as RuleName].level === 'error'))

export async function newestEntry(call: BoundCaller): Promise<number> {
  const [newest] = await call('listRequests', { query: { limit: 1, run: ANY_RUN } })
  return newest?.id ?? 0
}

export async function entriesSince(call: BoundCaller, id: number): Promise<Entry[]> {
  const entries = await call('listRequests', { query: { since: id } })
  return entries.filter(({ surface }) => surface !== 'admin')
}

/** Returns the parts of a finding that an agent acts on. */
export const presentFinding = ({ rule, level, section, count, message, entries, docs }: Finding) => ({
  rule,
  level,
  section,
  count,
  message,
  entries: entries.slice(-5),
  docs,
})

/** Returns the deliveries, each once, that those entries of one run are attempts of which are webhooks. */
export async function deliveriesOf(call: BoundCaller, entries: Entry[]): Promise<Delivery[]> {
  const webhooks = entries.filter(({ surface }) => surface === 'webhook')
  if (webhooks.length === 0) return []
  const events = webhooks.map(({ request }) => (request.body as { id?: unknown } | null)?.id)
  const deliveries = await call('listDeliveries', { query: { run: webhooks[0]?.run } })
  return deliveries.filter(({ event }) => events.includes(event.id))
}

export const presentDelivery = ({ id, event, organization, state, due_at, attempts }: Delivery) => ({
  id,
  event: event.type,
  organization,
  state,
  due_at,
  attempts: attempts.map(({ at, status, error }) => `${at} ${status ?? 'no response'}${error ? `: ${error}` : ''}`),
})
