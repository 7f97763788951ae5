import { isObject } from '../../foundation/schema/is-object.js'
import { PlatformFailure, type PlatformResponse } from './platform-client.js'

/** A resource as the platform shows it. */
export type Shown = Record<string, unknown>

/** The payload in the envelope of a success; undefined when there is none. wire: §2 */
export const payloadOf = ({ body }: PlatformResponse): unknown => (isObject(body) ? body.payload : undefined)

/** The payload of a response that must be a success. @throws PlatformFailure 1 */
export function read(path: string, response: PlatformResponse): unknown {
  const { status } = response
  const payload = payloadOf(response)
  if (status === 200 && payload !== undefined) return payload
  if (status !== 200) throw unexpected(path, `status ${status}${hintOf(status, path)}`)
  throw unexpected(path, `a body ${response.body === undefined ? 'that is not JSON' : 'without payload'}`)
}

/** Returns the likely cause of a status. A single course is read only where `--course` names it. */
const hintOf = (status: number, path: string): string =>
  status === 404 && /^\/v0\/courses\/[^/]+$/.test(path)
    ? ': does the organization have a course of this id, and is this the base URL, without /v0?'
    : (hints[status] ?? '')

const hints: Record<number, string> = {
  401: ': the credential was rejected',
  403: ': the credential has no access to this; use the API key of the organization',
  404: ': is this the base URL, without /v0?',
  429: ': the rate limit is still in force; run the command again later',
}

export const unexpected = (path: string, what: string) => new PlatformFailure(1, `GET ${path} returned ${what}`)
