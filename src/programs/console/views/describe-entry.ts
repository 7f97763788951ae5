import { base, curl, type Delivery, type Entry, type Installation, redacted, shellWord } from '../api/call.js'
import { bodyText } from '../components/message.js'
import { deliveries } from './delivery-list.js'

export const isOutgoing = ({ surface }: Entry): boolean => surface === 'webhook'

const header = (entry: Entry, name: RegExp): string =>
  Object.entries(entry.request.headers).find(([key]) => name.test(key))?.[1] ?? ''

function bodyField({ request: { body } }: Entry, name: string): string | undefined {
  const value = (body as Record<string, unknown> | null)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the delivery that a webhook was an attempt of. */
export function deliveryOfEntry(entry: Entry): Delivery | undefined {
  const ids = [header(entry, /-idempotency-key$/i), bodyField(entry, 'id')]
  return deliveries.value.find(({ event }) => ids.includes(event.id))
}

/** Returns the event of a webhook; a body that is cut, or is no JSON, has no field for it. */
const eventOf = (entry: Entry): string | undefined => bodyField(entry, 'type') ?? deliveryOfEntry(entry)?.event.type

/** Returns the event of a webhook, the method of a request: a row begins with it. */
export const titleOf = (entry: Entry): string => (isOutgoing(entry) ? (eventOf(entry) ?? 'webhook') : entry.method)

/** `notes in acme` */
export const ownersOf = ({ app, organization }: Pick<Entry, 'app' | 'organization'>) =>
  [app, organization].filter(Boolean).join(' in ')

/** Returns the path with its query, decoded; of a webhook, with the host. */
export const pathOfEntry = (entry: Entry): string => {
  const search = Object.entries(entry.query).map(([name, value]) => `${name}=${value}`)
  const host = isOutgoing(entry) ? header(entry, /^host$/i) : ''
  return `${host}${entry.path}${search.length > 0 ? `?${search.join('&')}` : ''}`
}

/** Returns the installation of the entry's app in its organization at that time. */
export const installationOfEntry = (entry: Entry, installations: Installation[]): Installation | undefined =>
  installations.findLast(
    ({ app, organization, installed_at, ended_at }) =>
      app === entry.app &&
      organization === entry.organization &&
      installed_at <= entry.at &&
      (ended_at === null || ended_at >= entry.at),
  )

/** Headers that every client sets by itself. */
const automaticHeaders = /^(host|connection|content-length|transfer-encoding|user-agent|accept(-.*)?|sec-.*)$/i

/** Headers as words of a shell. @param value of those that `secret` matches: the journal does not have it. */
const headerWords = (headers: Record<string, string>, secret: RegExp, value: string): string[] =>
  Object.entries(headers)
    .filter(([name]) => !automaticHeaders.test(name))
    .map(([name, sent]) => (secret.test(name) ? `"${name}: ${value}"` : shellWord(`${name}: ${sent}`)))

const pathAsSent = ({ path, query, search = new URLSearchParams(query).toString() }: Entry): string =>
  path + (search && `?${search}`)

/**
 * The request as a command. The journal has no secrets: they are variables. It also lacks the scheme of a credential,
 * which follows from the endpoint unless that was the reason for a refusal.
 */
function curlOfRequest(entry: Entry): string {
  const isOtherScheme = /Authorization header is not|only supported scheme is Basic/.test(entry.reason ?? '')
  const usual = entry.path === '/oauth/token' ? 'Basic $CREDENTIALS' : 'Bearer $TOKEN'
  const credential = isOtherScheme ? '$AUTHORIZATION' : usual
  const headers = headerWords(entry.request.headers, /^authorization$/i, credential)
  const url = base.href + pathAsSent(entry).slice(1)
  const body = sentText(entry)
  // curl would add a type of its own.
  if (body !== undefined && !typeOf(entry)) headers.push('Content-Type:')
  return curl(entry.method, url, headers, body === undefined ? body : shellWord(body))
}

/** The header of a webhook's signature: the command signs the body that it sends, which lacks the secrets of the one that was sent. */
const signature = '$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$PLATFORM_SIGNING_SECRET" -r | cut -d\' \' -f1)'

/** Returns the webhook as a command, with a signature if it had one. */
export function curlOfWebhook(url: string, request: Pick<Entry['request'], 'headers' | 'body'>): string {
  const words = headerWords(request.headers, /-signature$/i, signature)
  return `BODY=${shellWord(bodyText(request, 0))}; ${curl('POST', new URL(url).href, words, '"$BODY"')}`
}

const typeOf = (entry: Entry) => header(entry, /^content-type$/i)
const isForm = (entry: Entry) => /urlencoded/.test(typeOf(entry))

const bytesOf = (text: string) => new Blob([text]).size

/** Returns the first line of a command whose body is not the one that was sent: that is too long for the journal, or is not text. */
function cutNote(entry: Entry): string {
  const { body, length } = entry.request
  const isWhole = typeof body !== 'string' || redacted.test(body) || bytesOf(sentText(entry) ?? '') === length
  return isWhole ? '' : '# The journal does not have the whole body.\n'
}

/** Returns the entry as a command for a terminal. An older webhook, whose delivery is gone, goes out without TLS. */
export function curlOfEntry(entry: Entry): string {
  if (!isOutgoing(entry)) return cutNote(entry) + curlOfRequest(entry)
  const url = deliveryOfEntry(entry)?.url ?? `http://${header(entry, /^host$/i)}${pathAsSent(entry)}`
  return cutNote(entry) + curlOfWebhook(url, entry.request)
}

/** Returns the body as text. Its length tells a string of JSON from other text. */
function sentText(entry: Entry): string | undefined {
  const { body, length } = entry.request
  if (length === 0) return undefined
  if (isForm(entry) && typeof body !== 'string') return new URLSearchParams(body as Record<string, string>).toString()
  const json = JSON.stringify(body)
  return typeof body === 'string' && bytesOf(json) !== length ? body : json
}

/** Returns the entry as a step of a scenario. control-api: Scenarios */
export function scenarioStepOf(entry: Entry): string {
  const { method, status } = entry
  const { body, length } = entry.request
  // A token has an app, an API key has none.
  const as = entry.surface === 'api' && !entry.app && entry.organization
  const type = typeOf(entry)
  // A step whose body is text sends no type by itself.
  const text = typeof body === 'string' || !type ? sentText(entry) : undefined
  const request = {
    method,
    path: pathAsSent(entry),
    ...(type && (text || type !== 'application/json') && { headers: { 'Content-Type': type } }),
    ...(length > 0 && { body: text ?? body }),
    ...(as && { as }),
  }
  const credential = header(entry, as ? /^cookie$/i : /^(authorization|cookie)$/i)
  // Without the fault the response is another.
  const isWhole =
    !entry.fault &&
    !credential &&
    !redacted.test(JSON.stringify(request)) &&
    (text === undefined || bytesOf(text) === length)
  const event = eventOf(entry)
  const title = 'Add what the journal lacks, and what to expect'
  const step = isOutgoing(entry)
    ? { ...(!event && { title }), expect_delivery: { event, count: { min: 1 } } }
    : {
        ...(!isWhole && { title }),
        request,
        ...(isWhole && status !== null && { expect: { status } }),
      }
  return JSON.stringify(step, null, 2)
}

/** Returns true for a request of a surface whose requests a fault can match. */
export const canFail = ({ surface }: Entry): boolean => ['api', 'oauth', 'webhook'].includes(surface)

/** Returns the address's query for the form of a fault that makes the next request like this one fail. */
export function faultQueryOf(entry: Entry): Record<string, string> {
  const { surface, method, path } = entry
  const common = { add: '1', times: '1', surface, app: entry.app ?? '', organization: entry.organization ?? '' }
  if (isOutgoing(entry)) return { ...common, effect: 'unreachable', event: eventOf(entry) ?? '' }
  const grant = surface === 'oauth' ? bodyField(entry, 'grant_type') : undefined
  return { ...common, effect: 'unavailable', method, path, grant_type: grant ?? '' }
}
