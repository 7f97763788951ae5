import { injected } from '../../emulator/faults/faults.js'
import { type Route, route } from '../../emulator/serving/route.js'
import type { Warning } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { presentPair } from '../authentication/tokens.js'
import { authenticateClient } from './client-authentication.js'
import { discoveryDocument, JWKS_PATH, jwks } from './discovery.js'
import { idTokenFor } from './id-token.js'
import { noStore } from './oauth-error.js'
import { readForm } from './token-form.js'
import { grantTokens } from './token-grants.js'

/** Kept for an hour, by anybody, from any origin. spec: §8, wire: §6 "discovery, JWKS" */
const cacheable = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' }

export const oauthRoutes: Route[] = [
  /** spec: §4.8, wire: §6 "token endpoint" */
  route(
    'POST',
    '/oauth/token',
    { id: 'token', summary: 'Exchange a code or a refresh token', source: 'spec: §4.8' },
    async (world, request) => {
      const form = readForm(request)
      const app = authenticateClient(world, request, form)
      const { pair, code } = grantTokens(world, app, form)
      const response = presentPair(world, pair)
      const issued = code && (await idTokenFor(world, app, code))
      return {
        status: 200,
        headers: noStore,
        body: { ...response, ...(issued && { id_token: issued.token }) },
        notes: {
          ...(issued?.fault && injected(issued.fault)),
          warnings: [...fromBrowser(request), ...(issued?.warnings ?? [])],
        },
      }
    },
  ),

  /** wire: §6 "discovery, JWKS" */
  route(
    'GET',
    '/.well-known/openid-configuration',
    { id: 'discovery', summary: 'The OIDC discovery document', source: 'spec: §4.8' },
    (world, request) => ({
      status: 200,
      headers: cacheable,
      body: discoveryDocument(world),
      notes: { warnings: underOtherName(world, request) },
    }),
  ),
  route(
    'GET',
    JWKS_PATH,
    { id: 'jwks', summary: 'The keys that id_tokens are verified with', source: 'spec: §4.8' },
    async (world) => ({ status: 200, headers: cacheable, body: jwks(await world.keys.published()) }),
  ),
]

/** A strict client refuses the document when its issuer is not the address at which it was asked for. RFC 8414 §3.3 */
function underOtherName({ addresses: { app_url } }: Pick<World, 'addresses'>, { headers }: Request): Warning[] {
  const { protocol, host } = new URL(app_url)
  if (headers.host === undefined || headers.host === host) return []
  const asked = `${protocol}//${headers.host}`
  const message = `The document was requested from ${asked}, but its issuer is ${app_url}. Clients compare the two: configure ${app_url}, or start with --app-url ${asked}`
  return [{ code: 'other_issuer', path: 'Host', message }]
}

/** A page may send the request, but not read its response; and its visitors know every secret that it has. spec: §5.2.7 */
export function fromBrowser({ path, headers: { origin } }: Request): Warning[] {
  if (origin === undefined || path !== '/oauth/token') return []
  const message = `The request came from a page of ${origin}. A page cannot read the response, and the client secret does not belong there: redeem codes in the app's backend`
  return [{ code: 'token_request_from_page', path: 'Origin', message }]
}
