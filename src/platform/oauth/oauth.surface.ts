import { withFaults } from '../../emulator/faults/apply-fault.js'
import { faultNotes } from '../../emulator/faults/faults.js'
import { type Route, route, type Surface } from '../../emulator/serving/surface.js'
import type { Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { KILOBYTE } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import type { Warning } from '../../foundation/schema/issue.js'
import { presentPair } from '../authentication/tokens.js'
import { authenticateClient, claimedApp } from './client-authentication.js'
import { discoveryDocument, jwks } from './discovery.js'
import { idTokenFor } from './id-token.js'
import { oauthRefusalFor } from './injected-refusals.js'
import { noStore, refuseOAuth } from './oauth-error.js'
import { ignoredInToken, readForm } from './token-form.js'
import { grantTokens } from './token-grants.js'

/** Kept for an hour, by anybody, from any origin. spec: §8, wire: §6 "discovery, JWKS" */
const cacheable = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' }

const routes: Route[] = [
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
          ...(issued?.fault && faultNotes(issued.fault)),
          warnings: [
            ...warningsAbout(request),
            ...(issued ? [...issued.warnings, ...underOtherName(world, request, 'id_token')] : []),
          ],
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
      notes: { warnings: underOtherName(world, request, 'document') },
    }),
  ),
  route(
    'GET',
    '/.well-known/jwks.json',
    { id: 'jwks', summary: 'The keys that id_tokens are verified with', source: 'spec: §4.8' },
    async (world) => ({ status: 200, headers: cacheable, body: await jwks(world) }),
  ),
]

/** A strict client refuses what has another issuer than the address at which it was requested. RFC 8414 §3.3, spec: §4.9 */
function underOtherName(
  { addresses: { app_url } }: Pick<World, 'addresses'>,
  { headers }: Request,
  what: 'document' | 'id_token',
): Warning[] {
  const { protocol, host } = new URL(app_url)
  if (headers.host === undefined || headers.host === host) return []
  const asked = `${protocol}//${headers.host}`
  const message = `The ${what} was requested from ${asked}, but its issuer is ${app_url}. Clients compare the two: configure ${app_url}, or start with --app-url ${asked}`
  return [{ code: 'other_issuer', path: 'Host', message }]
}

/** Warnings about a token request, whatever becomes of it. */
const warningsAbout = (request: Request): Warning[] =>
  request.path === '/oauth/token' ? [...fromBrowser(request), ...ignoredInToken(request)] : []

/** A page may send the request, but not read its response; and its visitors know every secret that it has. spec: §5.2.7 */
function fromBrowser({ headers: { origin } }: Request): Warning[] {
  if (origin === undefined) return []
  const message = `The request came from a page of ${origin}. A page cannot read the response, and the client secret does not belong there: redeem codes in the app's backend`
  return [{ code: 'token_request_from_page', path: 'Origin', message }]
}

/** The OAuth and OpenID Connect endpoints that programs call. spec: §4.8, wire: §6 */
export const oauthSurface: Surface = {
  name: 'oauth',
  routes,
  bodyLimit: () => 64 * KILOBYTE,
  refuse: (refusal, request) => ({ ...refuseOAuth(refusal), notes: { warnings: warningsAbout(request) } }),
  identify: identifyClient,
  aroundHandler(context, handler) {
    // Before the faults, which may hold the request.
    context.world.findings.begin(context.request)
    return withFaults(context, handler)
  },
  refusalFor: oauthRefusalFor,
}

/** Returns the app by what it claims to be, and what its code or refresh token is for. */
function identifyClient(world: Pick<World, 'store'>, request: Request): Identity {
  const form = new URLSearchParams(request.body.toString('utf8'))
  const app = claimedApp(world, request, form)?.id
  const grant =
    world.store.tokens.by('secret', form.get('refresh_token') ?? '') ??
    world.store.codes.by('secret', form.get('code') ?? '')
  return { app, organization: grant?.organization, user: grant?.user ?? undefined }
}
