import { isObject } from '../../foundation/schema/is-object.js'
import { type Found, memberDifferences, shapeOf, shownName } from './difference.js'
import type { PlatformCall, PlatformResponse } from './platform-client.js'
import { unknownType } from './type-names.js'

/** A request that must be refused, and how. It changes nothing, even where it is not refused. */
export type ExpectedRefusal = ReturnType<typeof refusal>

interface Expected {
  /** `error` of the body, where a decision says what it is. */
  message?: { text: string; section: string }
  /** `WWW-Authenticate`, by parameter; true for any text. RFC 6750 */
  challenge?: Record<string, string | true>
  detail?: string
  allow?: boolean
  /** A success is right as well: an access token may have the scope. */
  mayPass?: boolean
}

/** @param route the path, with placeholders for people. @param section the decision for the refusal as a whole. */
const refusal = (route: string, call: PlatformCall, status: number, section: string, expected: Expected = {}) => ({
  ...{ route, call, status, section },
  ...expected,
})

const LIST = 'wire: §2 "list payload"'
const STATUSES = 'wire: §2 "statuses"'
const BEARER = 'wire: §2 "bearer errors"'
const LISTS = ['courses', 'modules', 'elements', 'members', 'activities']
const unauthorized = { text: 'Unauthorized', section: STATUSES }
const notFound = { text: 'Resource not found', section: STATUSES }
const nobody = { credential: null }
const somebody = { credential: 'mockademy-unknown-credential' }
const invalidToken = { error: 'invalid_token', error_description: true } as const

/**
 * Every refusal that is asked for. None needs a body, and those whose method could change something carry no credential.
 * @param token an access token: what it may not read is refused for its scope.
 */
export const refusalsFor = (token: string | undefined): ExpectedRefusal[] => [
  refusal('/v0/courses', nobody, 401, 'spec: §5.1', { message: unauthorized, challenge: {} }),
  refusal('/v0/courses', somebody, 401, BEARER, { message: unauthorized, challenge: invalidToken }),
  refusal('/v0/courses/{unknown}', nobody, 401, 'wire: §2 "order of checks"'),
  ...LISTS.map((list) => refusal(`/v0/${list}/{unknown}`, {}, 404, 'wire: §2 "404 or 400"', { message: notFound })),
  refusal('/v0/mockademy-unknown', {}, 404, STATUSES, { message: notFound }),
  refusal('/v0/courses?page={unreadable}', { query: { page: 'mockademy unreadable cursor' } }, 400, LIST, {
    detail: 'page',
  }),
  refusal('/v0/elements/search?type={unknown}', unknownType, 400, 'spec: §4.7', {
    detail: 'type',
  }),
  refusal('/v0/courses', { ...nobody, method: 'PUT' }, 405, STATUSES, { allow: true }),
  ...(token === undefined ? [] : LISTS).map((list) =>
    refusal(`/v0/${list} (access token)`, { credential: token as string }, 403, 'spec: §5.2 rule 4', {
      message: { text: 'Insufficient scope', section: 'spec: §7' },
      challenge: { error: 'insufficient_scope', scope: `${list}:read` },
      mayPass: true,
    }),
  ),
]

/** Returns how a response differs from the expected refusal. Of another status nothing more is reported. */
export function* refusalDifferences(
  refusal: ExpectedRefusal,
  { status, headers, body }: PlatformResponse,
): Generator<Found> {
  const { section } = refusal
  if (status !== refusal.status) {
    return yield { section, field: '', documented: `status ${refusal.status}`, found: `status ${status}` }
  }
  for (const found of bodyDifferences(refusal, body)) yield { section: 'wire: §2 "error"', ...found }
  if (refusal.challenge) {
    const header = headers['www-authenticate']
    for (const found of challengeDifferences(refusal.challenge, header)) yield { section: BEARER, ...found }
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
  for (const [name, wanted] of Object.entries(expected)) {
    const given = read.get(name)
    if (wanted === given || (wanted === true && given !== undefined)) continue
    const documented = wanted === true ? 'a string' : `"${wanted}"`
    yield { field: `WWW-Authenticate ${name}`, documented, found: given === undefined ? 'none' : 'another value' }
  }
  for (const name of read.keys()) {
    const field = `WWW-Authenticate ${shownName(name)}`
    if (!Object.hasOwn(expected, name)) yield { field, documented: 'no such parameter', found: 'one' }
  }
}
