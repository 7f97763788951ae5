import { reachFlag } from '../../emulator/world/reach-flag.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import type { AppRecord } from '../apps/app-record.js'
import { isSameSecret } from '../authentication/same-secret.js'
import { OAuthRefusal, clientRefusal as refused } from './oauth-error.js'
import type { Form } from './token-form.js'

/** The client credentials of a token request. `secret` is undefined when only an id was sent. */
interface Credentials {
  client_id: string | undefined
  secret: string | undefined
}

/**
 * The app that a token request authenticates as, by `client_secret_basic` or `client_secret_post`. wire: §6
 * @throws OAuthRefusal `invalid_request` for both at once, `invalid_client` for credentials that do not hold.
 */
export function authenticateClient(
  world: Pick<World, 'store' | 'addresses'>,
  request: Pick<Request, 'headers'>,
  form: Form,
): AppRecord {
  const { client_id, secret } = credentialsOf(request, form)
  if (client_id === undefined)
    throw refused('No client_id was sent, neither in the Authorization header nor in the body')
  const app = world.store.apps.by('client_id', client_id)
  if (!app) throw refused(`There is no app with the client_id ${client_id}`)
  if (secret === undefined) throw refused('No client_secret was sent')
  if (!isSameSecret(secret, app.client_secret))
    throw refused(
      `The client_secret is not the one of ${client_id}: mockademy env --app ${app.id}${reachFlag(world)} prints it`,
    )
  return app
}

function credentialsOf({ headers: { authorization } }: Pick<Request, 'headers'>, form: Form): Credentials {
  const posted = { client_id: form.get('client_id'), secret: form.get('client_secret') }
  if (authorization === undefined) return posted
  if (posted.secret !== undefined) {
    const isBasic = /^basic\b/i.test(authorization)
    throw new OAuthRefusal(
      'invalid_request',
      isBasic
        ? 'Send the client credentials in the Authorization header or in the body, not in both'
        : 'The client credentials are in the body, so send no Authorization header: only Basic has a meaning here',
    )
  }
  const basic = readBasic(authorization)
  if (!basic) throw refused('The Authorization header is not "Basic <base64 of client_id:client_secret>"')
  if (posted.client_id !== undefined && posted.client_id !== basic.client_id) {
    throw new OAuthRefusal('invalid_request', 'The client_id in the body is not the one in the Authorization header')
  }
  return basic
}

/** Both halves are form-encoded before they are put together. RFC 6749 §2.3.1 */
function readBasic(authorization: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    const [client_id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((half) =>
      decodeURIComponent(half.replaceAll('+', ' ')),
    )
    return { client_id: client_id || undefined, secret: secret || undefined }
  } catch {
    return undefined
  }
}

/** The app that a token request claims to be, authenticated or not: for the journal and for faults. */
export function claimedApp(world: Pick<World, 'store'>, request: Pick<Request, 'headers'>, form: URLSearchParams) {
  const { authorization } = request.headers
  const client_id = (authorization && readBasic(authorization)?.client_id) || form.get('client_id')
  return client_id ? world.store.apps.by('client_id', client_id) : undefined
}
