import { reachFlag } from '../../emulator/world/reach-flag.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { unlessThrows } from '../../foundation/schema/unless-throws.js'
import type { AppRecord } from '../apps/app-record.js'
import { describeMistaken } from '../authentication/mistaken-credential.js'
import { isSameSecret } from '../authentication/same-secret.js'
import { OAuthRefusal, clientRefusal as refused } from './oauth-error.js'
import type { Form } from './token-form.js'

interface Credentials {
  client_id: string | undefined
  /** Undefined when none was sent, or its percent-encoding is invalid. */
  secret: string | undefined
  /** The secret as the Authorization header has it. */
  encoded?: string
}

/**
 * The app that a token request authenticates as, by `client_secret_basic` or `client_secret_post`. wire: §6
 * @throws OAuthRefusal `invalid_request` for both at once, `invalid_client` for invalid client credentials.
 */
export function authenticateClient(
  world: Pick<World, 'store' | 'addresses'>,
  request: Pick<Request, 'headers'>,
  form: Form,
): AppRecord {
  const { client_id, secret, encoded } = credentialsOf(request, form)
  if (client_id === undefined)
    throw refused('No client_id was sent, neither in the Authorization header nor in the body')
  const app = world.store.apps.by('client_id', client_id)
  if (!app) {
    const remark = describeMistaken(world, client_id, 'client_id')
    throw refused(`There is no app with the client_id ${client_id}${remark ? `. ${remark}` : ''}`)
  }
  if (secret === undefined && !encoded) throw refused('No client_secret was sent')
  if (secret !== undefined && isSameSecret(secret, app.client_secret)) return app

  if (encoded !== undefined && isSameSecret(encoded, app.client_secret)) {
    throw refused(
      'The Authorization header has the client_secret unencoded: percent-encode client_id and client_secret before base64 (RFC 6749 §2.3.1)',
    )
  }
  if (secret !== undefined && isSameSecret(secret.trim(), app.client_secret)) {
    throw refused('The client_secret was sent with surrounding white space')
  }
  if (secret !== undefined && secret === formDecoded(app.client_secret)) {
    throw refused('The client_secret was sent unencoded: percent-encode "+" and "%" in the values of a form')
  }
  if (secret !== undefined && formDecoded(secret) === app.client_secret) {
    throw refused('The client_secret was percent-encoded twice')
  }
  const remark = remarkOnSecret(world, app, secret)
  const cure = `mockademy env --app ${app.id}${reachFlag(world)} prints it`
  throw refused(`The client_secret is not the one of ${client_id}: ${cure}${remark ? `. ${remark}` : ''}`)
}

function remarkOnSecret(
  world: Pick<World, 'addresses' | 'store'>,
  app: AppRecord,
  secret: string | undefined,
): string | undefined {
  if (secret === undefined) return 'Its percent-encoding is invalid'
  if (isSameSecret(secret, app.signing_secret)) return 'The signing secret was sent'
  const owner = world.store.apps.by('client_secret', secret)
  return owner ? `It is the one of ${owner.client_id}` : describeMistaken(world, secret, 'client_secret')
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
        : 'The client credentials are in the body, so omit the Authorization header; its only supported scheme is Basic',
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
  const base64 = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1]
  if (base64 === undefined) return undefined
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const [id, encoded] = [text.slice(0, colon), text.slice(colon + 1)]
  return { client_id: (formDecoded(id) ?? id) || undefined, secret: formDecoded(encoded) || undefined, encoded }
}

const formDecoded = (text: string): string | undefined =>
  unlessThrows(() => decodeURIComponent(text.replaceAll('+', ' ')))

/** Returns the app that a token request claims to be, authenticated or not: for the journal and for faults. */
export function claimedApp(world: Pick<World, 'store'>, request: Pick<Request, 'headers'>, form: URLSearchParams) {
  const { authorization } = request.headers
  const client_id = (authorization && readBasic(authorization)?.client_id) || form.get('client_id')
  return client_id ? world.store.apps.by('client_id', client_id) : undefined
}
