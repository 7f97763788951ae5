import { isObject } from '../../../foundation/schema/is-object.js'
import { valueAt } from '../../../foundation/schema/issue.js'
import type { JournalEntry } from '../app/app-requests.js'
import { describeResponse, isBroken, isSuccess } from '../app/app-response.js'
import { Consequence, Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { installAndProbe } from '../context/installing.js'
import type { FaultBody, Tenant } from '../context/tenant.js'

/** Records of a list of one page. */
export const FEW = 3

/** An addition to a response, and how the app gets to see it. */
export interface Addition extends Pick<FaultBody, 'match' | 'effect'> {
  what: string
  refreshes?: boolean
  isListed?: boolean
  /** Advice appended to the message if the app never saw it. */
  advice?: string
}

const AT = '2026-01-01T00:00:00.000Z'
/** wire: §4 "element" */
const hologram = {
  id: 'auditelement0001',
  object: 'element',
  name: 'From the future',
  content: '',
  type: 'HOLOGRAM',
  position: 0,
  module: 'auditmodule00001',
  course: 'auditcourse00001',
  cover: null,
  metadata: {},
  properties: { hologram_url: 'https://holograms.test/1' },
  created_at: AT,
  updated_at: AT,
}

/** Changes of responses that a client must tolerate, because a later version of the platform may make them. */
export const additions: Addition[] = [
  {
    what: 'unknown fields of /v0',
    match: { surface: 'api' },
    advice: '; point the probe to a page that calls /v0',
    effect: { merge: { audit_extra: { a: [1] }, payload: { audit_extra: null } } },
  },
  {
    what: 'a token response that has "token_type": "bearer" and an unknown field, and no "expires_in"',
    match: { surface: 'oauth', grant_type: 'refresh_token' },
    refreshes: true,
    effect: { merge: { token_type: 'bearer', audit_extra: true }, omit: ['expires_in'] },
  },
  {
    what: 'an element of an unknown type',
    match: { surface: 'api', path: '/v0/elements' },
    isListed: true,
    advice: '; declare "list" for a page that shows elements',
    effect: { body: { error: null, payload: { data: [hologram], next: null } } },
  },
]

/**
 * Returns the addition that repeats a list to the app with unknown fields in its records, where a merge adds none;
 * undefined without a list of one page that is read with one query, since it would be repeated for the others too.
 */
export function recordsWithUnknownFields(requests: JournalEntry[]): Addition | undefined {
  const searchesOf = (path: string) =>
    new Set(requests.filter((each) => each.path === path).map(({ search }) => search))
  const list = requests.find(
    ({ status, path, response }) => status === 200 && isWholeList(response.body) && searchesOf(path).size === 1,
  )
  if (!list) return undefined
  const match = { surface: 'api', method: 'GET', path: list.path } as const
  return {
    what: `unknown fields in the records of ${list.path}`,
    match,
    effect: { body: withNewFields(list.response.body) },
  }
}

const isWholeList = (body: unknown): boolean =>
  Array.isArray(valueAt(body, ['payload', 'data'])) && valueAt(body, ['payload', 'next']) === null

/** Adds a field to each object of a JSON value but metadata, whose keys are the organization's own. */
export function withNewFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNewFields)
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([key, inner]) => [key, key === 'metadata' ? inner : withNewFields(inner)])
  return { ...Object.fromEntries(fields), audit_extra: { a: [1] } }
}

/** Shows an addition to the app by a probe, and by the list where the probe does not meet it. */
export async function meet(context: AuditContext, { what, match, effect, refreshes, isListed }: Addition) {
  const tenant = await installAndProbe(context)
  const fault = await tenant.fault({ match, effect })
  if (refreshes) await tenant.expireTokens()
  let sent = await tenant.probe()
  // The token that it got must work too.
  if (tenant.isOk(sent)) sent = await tenant.probe()
  const hits = await fault.lift()
  if (hits > 0 || !isListed || !context.file.list) return { what, sent, isFine: tenant.isOk(sent), hits }
  await readList(context, tenant, FEW)
  const listed = await tenant.fault({ match, effect })
  const request = async () => ({ ...(await tenant.requestList()), hits: await listed.hits() })
  // An app may show what it has read before, for some time.
  const isMet = (list: { hits: number }) => list.hits > 0
  const { count, ...list } = await context.until(request, isMet)
  return { what, ...list, isFine: count !== undefined }
}

/**
 * Requests the list until it has the right length or `background` is over.
 * @throws Inconclusive when there is no list, Consequence when the app fails at a full or a further page.
 */
export async function readList(context: AuditContext, tenant: Tenant, length: number) {
  const isWhole = ({ count }: { count: number | undefined }) => count === length
  const { count, sent } = await context.until(tenant.requestList, isWhole)
  if (count !== undefined) return { count, sent }
  tenant.mustHaveOwner()
  if (!isSuccess(sent)) {
    const { api, entries } = await tenant.requestsSince(0)
    // Other statuses, such as a 429, may be a reason to fail.
    const isServed = api.every(({ status }) => status === 200 || status === 400)
    const isPaging = api.some(({ query }) => query.page !== undefined)
    const { of = 'elements' } = context.file.list ?? {}
    // A short list has been read before a long one.
    const isLong = length > FEW && api.some(({ path, status }) => status === 200 && path.includes(of))
    if (sent.status !== null && isBroken(sent) && isServed && (isPaging || isLong)) {
      const met = isPaging
        ? 'has requested a page by "next"'
        : `has received a page of ${Math.min(length, context.pageSize)}`
      const message = `the app fails after it ${met}: ${describeResponse(sent)}`
      throw new Consequence('api.pages', message, { sent, entries })
    }
    throw new Inconclusive(`the list cannot be read: ${describeResponse(sent)}`, { sent })
  }
  const pointer = JSON.stringify(context.file.list?.count)
  throw new Inconclusive(`the pointer ${pointer} of list.count leads to no number or array in the response`, { sent })
}
