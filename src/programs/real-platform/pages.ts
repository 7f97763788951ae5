import { isObject } from '../../foundation/schema/is-object.js'
import { PlatformFailure, type PlatformResponse } from './platform-client.js'

/** A resource as the platform shows it. */
export type Shown = Record<string, unknown>

/** Returns the payload in the envelope of a success; undefined when there is none. wire: §2 */
export const payloadOf = ({ body }: PlatformResponse): unknown => (isObject(body) ? body.payload : undefined)

/** Returns the payload of a response that must be a success. @throws PlatformFailure 1 */
export function payloadOrThrow(path: string, response: PlatformResponse): unknown {
  const { status, body } = response
  const { location, 'content-encoding': encoding } = response.headers
  const payload = payloadOf(response)
  if (status === 200 && payload !== undefined) return payload
  if (status !== 200) {
    const redirect =
      location && `, a redirect to ${location.replace(/[?#].*/s, '')}: --from must be the API's own address`
    throw unexpected(path, `status ${status}${redirect ?? hints[status] ?? ''}`)
  }
  if (body !== undefined) throw unexpected(path, 'a body without payload')
  throw unexpected(path, `a body that is not JSON${encoding ? `: its content-encoding is ${encoding}` : ''}`)
}

const hints: Record<number, string> = {
  401: ': the credential was rejected',
  403: ': the credential has no access to this; use the API key of the organization',
  404: ': there is no such record, or --from is not the address of the API',
  429: ': the rate limit is still in force; run the command again later',
}

export const unexpected = (path: string, what: string) => new PlatformFailure(1, `GET ${path} returned ${what}`)
