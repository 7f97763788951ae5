import { isObject } from '../../foundation/schema/is-object.js'
import type { SeenDifference } from './difference.js'
import { membersOf } from './members-of.js'
import type { Answer } from './platform-client.js'
import { type ExpectedRefusal, readChallenge } from './refusals.js'
import { shapeOf, toldName } from './shape.js'

const ERRORS = 'wire: §2 "error"'
const BEARER = 'wire: §2 "bearer errors"'

/** How an answer differs from the refusal that it should be. Of another status nothing more is said. */
export function* refusalDifferences(
  refusal: ExpectedRefusal,
  where: string,
  { status, headers, body }: Answer,
): Generator<SeenDifference> {
  const { section } = refusal
  if (status !== refusal.status) {
    yield { section, where, field: '', documented: `status ${refusal.status}`, found: `status ${status}` }
    return
  }
  yield* errorBody(refusal, where, body)
  if (refusal.challenge) yield* challenged(refusal.challenge, where, headers['www-authenticate'])
  if (!refusal.allow || headers.allow !== undefined) return
  yield { section, where, field: 'Allow', documented: 'the allowed methods', found: 'none' }
}

/** wire: §2 "error" */
function* errorBody(refusal: ExpectedRefusal, where: string, body: unknown): Generator<SeenDifference> {
  const base = { section: ERRORS, where }
  if (!isObject(body)) {
    yield { ...base, field: '', documented: 'an object with error, payload', found: shapeOf(body) }
    return
  }
  const documented = { error: 'a message', payload: 'null', ...(refusal.detail && { details: 'what is not valid' }) }
  yield* membersOf(body, documented, base)
  const { error, payload = null, details } = body
  if (payload !== null) yield { ...base, field: 'payload', documented: 'null', found: shapeOf(payload) }
  if (error !== undefined && typeof error !== 'string') {
    yield { ...base, field: 'error', documented: 'a message', found: shapeOf(error) }
  } else if (error !== undefined && refusal.message && error !== refusal.message.text) {
    const { text, section } = refusal.message
    yield { section, where, field: 'error', documented: JSON.stringify(text), found: 'another message' }
  }
  if (refusal.detail && details !== undefined) {
    const isNamed =
      Array.isArray(details) && details.some((detail) => isObject(detail) && detail.path === refusal.detail)
    if (!isNamed) yield { ...base, field: 'details', documented: `path "${refusal.detail}"`, found: shapeOf(details) }
  }
}

/** wire: §2 "bearer errors" */
function* challenged(
  expected: Record<string, string | true>,
  where: string,
  header: unknown,
): Generator<SeenDifference> {
  const base = { section: BEARER, where }
  const read = typeof header === 'string' ? readChallenge(header) : undefined
  if (!read) {
    const found = header === undefined ? 'none' : 'another scheme'
    yield { ...base, field: 'WWW-Authenticate', documented: 'Bearer', found }
    return
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(read)])) {
    const wanted = Object.hasOwn(expected, name) ? expected[name] : undefined
    const given = read[name]
    if (wanted === given || (wanted === true && given !== undefined)) continue
    const documented = wanted === undefined ? 'no such parameter' : wanted === true ? 'a string' : `"${wanted}"`
    const found = given === undefined ? 'none' : wanted === undefined ? 'one' : 'another value'
    yield { ...base, field: `WWW-Authenticate ${toldName(name)}`, documented, found }
  }
}
