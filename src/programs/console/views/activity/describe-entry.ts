import { base } from '../../api/call.js'
import { curl, shellQuoted } from '../../api/curl.js'
import type { Delivery, Entry, Installation } from '../../api/shapes.js'

export const isOutgoing = ({ surface }: Entry): boolean => surface === 'webhook'

const header = (entry: Entry, name: RegExp): string | undefined =>
  Object.entries(entry.request.headers).find(([key]) => name.test(key))?.[1]

/** The event that a webhook carried. */
export const eventOf = (entry: Entry): string => {
  const type = (entry.request.body as { type?: unknown } | null)?.type
  return typeof type === 'string' ? type : 'webhook'
}

/** The path with its query, as a person reads it; of what goes out, with the host it goes to. */
export const pathOfEntry = (entry: Entry): string => {
  const search = Object.entries(entry.query).map(([name, value]) => `${name}=${value}`)
  const host = isOutgoing(entry) ? (header(entry, /^host$/i) ?? '') : ''
  return `${host}${entry.path}${search.length > 0 ? `?${search.join('&')}` : ''}`
}

/** The delivery that a webhook's entry was an attempt of. */
export function deliveryOfEntry(entry: Entry, deliveries: Delivery[]): Delivery | undefined {
  const key = header(entry, /-idempotency-key$/i)
  const id = (entry.request.body as { id?: unknown } | null)?.id
  return deliveries.find(({ event }) => event.id === key || event.id === id)
}

/** The installation that was current for the entry's app and organization when it was made. */
export const installationOfEntry = (entry: Entry, installations: Installation[]): Installation | undefined =>
  entry.app && entry.organization
    ? installations.findLast(
        ({ app, organization, installed_at, ended_at }) =>
          app === entry.app &&
          organization === entry.organization &&
          installed_at <= entry.at &&
          (ended_at === null || ended_at >= entry.at),
      )
    : undefined

/** What a client sets by itself. */
const own =
  /^(host|connection|content-length|accept-encoding|user-agent|accept|accept-language|sec-.*|transfer-encoding)$/i

/** The request as a command; secrets, which the journal does not have, are variables. */
export function curlOfEntry(entry: Entry): string {
  const { method, path, request } = entry
  const query = new URLSearchParams(entry.query).toString()
  const headers = Object.entries(request.headers)
    .filter(([name]) => !own.test(name))
    .map(([name, value]) =>
      /^authorization$/i.test(name) ? '"Authorization: Bearer $TOKEN"' : shellQuoted(`${name}: ${value}`),
    )
  return curl({
    method,
    url: new URL(path.replace(/^\//, '') + (query && `?${query}`), base),
    headers,
    body: sentText(entry),
  })
}

function sentText(entry: Entry): string | undefined {
  const { body } = entry.request
  if (body === null || body === undefined) return undefined
  const isForm = /urlencoded/.test(header(entry, /^content-type$/i) ?? '')
  if (isForm) return new URLSearchParams(body as Record<string, string>).toString()
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The entry as a step of a scenario. control-api: Scenarios */
export function scenarioStepOf(entry: Entry): string {
  if (isOutgoing(entry))
    return JSON.stringify({ expect_delivery: { event: eventOf(entry), count: { min: 1 } } }, null, 2)
  const query = new URLSearchParams(entry.query).toString()
  const { body } = entry.request
  const isApi = entry.surface === 'api' && entry.organization
  const type = header(entry, /^content-type$/i) ?? ''
  return JSON.stringify(
    {
      request: {
        method: entry.method,
        path: entry.path + (query && `?${query}`),
        ...(/urlencoded/.test(type) && { headers: { 'Content-Type': type } }),
        ...(body !== null && body !== undefined && { body }),
        ...(isApi && { as: entry.organization }),
      },
      expect: { status: entry.status },
    },
    null,
    2,
  )
}

/** What the fault form is filled with, so that the next such request fails. */
export function faultQueryOf(entry: Entry): Record<string, string> {
  const common = { app: entry.app ?? '', organization: entry.organization ?? '' }
  if (isOutgoing(entry)) return { add: '1', surface: 'webhook', event: eventOf(entry), ...common }
  const grant =
    entry.surface === 'oauth' ? (entry.request.body as { grant_type?: unknown } | null)?.grant_type : undefined
  const surface = entry.surface === 'oauth' || entry.surface === 'api' ? entry.surface : ''
  return {
    add: '1',
    surface,
    method: entry.method,
    path: entry.path,
    ...(typeof grant === 'string' && { grant_type: grant }),
    ...common,
  }
}
