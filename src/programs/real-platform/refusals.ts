import { isObject } from '../../foundation/schema/is-object.js'
import { type Found, memberDifferences, shapeOf, shownName } from './difference.js'
import type { Answer, PlatformCall } from './platform-client.js'

/** A request that must be refused, and how. It changes nothing, even where it is not refused. */
export interface ExpectedRefusal {
  path: string
  /** The path without ids, for people. */
  route?: string
  call: PlatformCall
  /** The decision for the refusal as a whole. */
  section: string
  status: number
  /** `error` of the body, where a decision says what it is. */
  message?: { text: string; section: string }
  /** `WWW-Authenticate`, by parameter; true for any text. RFC 6750 */
  challenge?: Record<string, string | true>
  /** The path that `details` names. */
  detail?: string
  /** It carries `Allow`. */
  allow?: boolean
  /** A success is right as well: an access token may have the scope. */
  mayPass?: boolean
}

const STATUSES = 'wire: §2 "statuses"'
const LISTS = ['courses', 'modules', 'elements', 'members', 'activities']
const unauthorized = { text: 'Unauthorized', section: STATUSES }
const notFound = { text: 'Resource not found', section: STATUSES }
const UNKNOWN = 'mockademy-unknown'

/**
 * Every refusal that is asked for. None needs a body, and those whose method could change something carry no credential.
 * @param token an access token: what it may not read is refused for its scope.
 */
export const refusalsFor = (token: string | undefined): ExpectedRefusal[] => [
  {
    path: '/v0/courses',
    call: { credential: null },
    section: 'spec: §5.1',
    status: 401,
    message: unauthorized,
    challenge: {},
  },
  {
    path: '/v0/courses',
    call: { credential: 'mockademy-unknown-credential' },
    section: 'wire: §2 "bearer errors"',
    status: 401,
    message: unauthorized,
    challenge: { error: 'invalid_token', error_description: true },
  },
  {
    path: `/v0/courses/${UNKNOWN}`,
    route: '/v0/courses/{unknown}',
    call: { credential: null },
    section: 'wire: §2 "order of checks"',
    status: 401,
  },
  ...LISTS.map((list) => ({
    path: `/v0/${list}/${UNKNOWN}`,
    route: `/v0/${list}/{unknown}`,
    call: {},
    section: 'wire: §2 "404 or 400"',
    status: 404,
    message: notFound,
  })),
  { path: `/v0/${UNKNOWN}`, call: {}, section: STATUSES, status: 404, message: notFound },
  {
    path: '/v0/courses',
    route: '/v0/courses?page={unreadable}',
    call: { query: { page: 'mockademy unreadable cursor' } },
    section: 'wire: §2 "list payload"',
    status: 400,
    detail: 'page',
  },
  {
    path: '/v0/elements/search',
    route: '/v0/elements/search?type={unknown}',
    call: { query: { type: 'mockademy-unknown-type' } },
    section: 'spec: §4.7',
    status: 400,
    detail: 'type',
  },
  { path: '/v0/courses', call: { method: 'PUT', credential: null }, section: STATUSES, status: 405, allow: true },
  ...(token === undefined ? [] : LISTS).map((list) => ({
    path: `/v0/${list}`,
    route: `/v0/${list} (access token)`,
    call: { credential: token as string },
    section: 'spec: §5.2 rule 4',
    status: 403,
    message: { text: 'Insufficient scope', section: 'spec: §7' },
    challenge: { error: 'insufficient_scope', scope: `${list}:read` },
    mayPass: true,
  })),
]

/** How an answer differs from the refusal that it should be. Of another status nothing more is reported. */
export function* refusalDifferences(refusal: ExpectedRefusal, { status, headers, body }: Answer): Generator<Found> {
  const { section } = refusal
  if (status !== refusal.status) {
    return yield { section, field: '', documented: `status ${refusal.status}`, found: `status ${status}` }
  }
  for (const found of bodyDifferences(refusal, body)) yield { section: 'wire: §2 "error"', ...found }
  if (refusal.challenge) {
    const section = 'wire: §2 "bearer errors"'
    const header = headers['www-authenticate']
    for (const found of challengeDifferences(refusal.challenge, header)) yield { section, ...found }
  }
  if (refusal.allow && headers.allow === undefined) {
    yield { section, field: 'Allow', documented: 'the allowed methods', found: 'none' }
  }
}

function* bodyDifferences({ detail, message }: ExpectedRefusal, body: unknown): Generator<Found> {
  if (!isObject(body)) return yield { field: '', documented: 'an object with error, payload', found: shapeOf(body) }
  const documented = { error: 'a message', payload: 'null', ...(detail && { details: 'what is not valid' }) }
  yield* memberDifferences(body, documented)
  const { error, payload = null, details } = body
  if (payload !== null) yield { field: 'payload', documented: 'null', found: shapeOf(payload) }
  if (error !== undefined && typeof error !== 'string') {
    yield { field: 'error', documented: 'a message', found: shapeOf(error) }
  } else if (error !== undefined && message && error !== message.text) {
    const { text, section } = message
    yield { section, field: 'error', documented: JSON.stringify(text), found: 'another message' }
  }
  if (!detail || details === undefined) return
  const isNamed = Array.isArray(details) && details.some((one) => isObject(one) && one.path === detail)
  if (!isNamed) yield { field: 'details', documented: `path "${detail}"`, found: shapeOf(details) }
}

function* challengeDifferences(expected: Record<string, string | true>, header: string | undefined): Generator<Found> {
  const [, parameters] = /^bearer\b\s*(.*)$/is.exec(header?.trim() ?? '') ?? []
  if (parameters === undefined) {
    const found = header === undefined ? 'none' : 'another scheme'
    return yield { field: 'WWW-Authenticate', documented: 'Bearer', found }
  }
  const read = new Map([...parameters.matchAll(/(\w+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name ?? '', value]))
  for (const name of new Set([...Object.keys(expected), ...read.keys()])) {
    const wanted = Object.hasOwn(expected, name) ? expected[name] : undefined
    const given = read.get(name)
    if (wanted === given || (wanted === true && given !== undefined)) continue
    const documented = wanted === undefined ? 'no such parameter' : wanted === true ? 'a string' : `"${wanted}"`
    const found = given === undefined ? 'none' : wanted === undefined ? 'one' : 'another value'
    yield { field: `WWW-Authenticate ${shownName(name)}`, documented, found }
  }
}
