import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { MAX_ISSUES, type Warning } from '../../foundation/schema/issue.js'
import type { AppRecord } from '../apps/app-record.js'
import { manifestScopes } from '../apps/manifest.js'
import type { Manifest } from '../apps/manifest-schema.js'
import { describeMistaken } from '../authentication/mistaken-credential.js'
import { isScope, type ScopeName, scopesFor, scopesOf } from '../authentication/scopes.js'
import { lowerVersionAdvice } from '../authentication/upgrade-advice.js'
import { rawParameter } from './callback.js'
import { type ChallengeMethod, challengeMethods, isChallenge, isChallengeMethod } from './pkce.js'
import { countingManifests, type NearMiss, nearMiss, redirectUrisOf } from './redirect-uris.js'

/** A known app and the redirect URI of its that a response may be sent to. */
export interface Callback {
  app: AppRecord
  redirect_uri: string
  /** Raw, as it was sent; undefined when the request has none. */
  state: string | undefined
}

/** A valid authorization request, as far as it can be checked alone. */
export interface AuthorizationRequest extends Callback {
  scope: ScopeName[]
  silent: boolean
  /** The slug that the flow is pinned to. */
  organization: string | null
  nonce: string | null
  code_challenge: string | null
  code_challenge_method: ChallengeMethod | null
}

/** The reason not to redirect the user to the requested URI, for the error page. */
export interface RedirectIssue {
  app?: AppRecord
  /** One sentence. */
  problem: string
  sent?: string
  nearest?: NearMiss | undefined
  /** A further sentence for the journal, which tells more than `nearest`. */
  hint?: string | undefined
}

export type AuthorizeError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'request_not_supported'
  | 'request_uri_not_supported'

export interface RequestError {
  error: AuthorizeError
  description: string
  /** The same for the journal, in more words. */
  reason?: string
}

/** A parameter without a value counts as absent. RFC 6749 §3.1 */
const given = (query: URLSearchParams, name: string) => query.getAll(name).filter(Boolean)

/** Finds the redirect URI to respond to. Checked first, since a failure here must never redirect. wire: §6 */
export function readCallback(
  world: Pick<World, 'addresses' | 'store'>,
  { query, search }: Pick<Request, 'query' | 'search'>,
): Callback | RedirectIssue {
  const clientIds = given(query, 'client_id')
  const [client_id] = clientIds
  if (client_id === undefined) return { problem: 'The request has no client_id.' }
  if (clientIds.length > 1) return { problem: 'The request has more than one client_id.' }
  const app = world.store.apps.by('client_id', client_id)
  if (!app) {
    const hint = describeMistaken(world, client_id, 'client_id')
    return { problem: `There is no app with the client_id "${client_id}".`, hint }
  }

  const registered = redirectUrisOf(countingManifests(world, app))
  if (registered.length === 0) {
    return { app, problem: 'The app does not declare oauth.authorize in its manifest, so users cannot sign in to it.' }
  }
  const uris = given(query, 'redirect_uri')
  const [redirect_uri] = uris
  if (redirect_uri === undefined) return { app, problem: 'The request has no redirect_uri.' }
  if (uris.length > 1) return { app, problem: 'The request has more than one redirect_uri.' }
  if (!registered.includes(redirect_uri)) return unregisteredRedirect(app, redirect_uri, registered)
  // A repeated or empty state counts as absent.
  const hasState = query.getAll('state').length === 1 && query.get('state') !== ''
  return { app, redirect_uri, state: hasState ? rawParameter(search, 'state') : undefined }
}

export const unregisteredRedirect = (app: AppRecord, sent: string, registered: string[]): RedirectIssue => ({
  app,
  problem: 'The redirect_uri is not one that the app has registered; it must match exactly.',
  sent,
  nearest: nearMiss(sent, registered),
})

/** Parameters that a request must not repeat. RFC 6749 §3.1 */
const single = [
  'response_type',
  'scope',
  'state',
  'prompt',
  'organization',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
]

/** Every parameter that is read; those of OpenID Connect that the platform does not document are not. */
const known = [...single, 'client_id', 'redirect_uri', 'request', 'request_uri']

/** Lists the parameters that are ignored, as warnings for the journal. wire: §6 "OIDC parameters outside the spec" */
export const ignoredIn = (query: URLSearchParams): Warning[] =>
  [...new Set(query.keys())]
    .filter((name) => query.get(name) && !known.includes(name))
    .slice(0, MAX_ISSUES)
    .map((path) => ({
      code: 'ignored_parameter',
      path,
      message: `The platform does not document ${path}; it was ignored`,
    }))

/** Reads the rest of the request. spec: §4.8, wire: §6 "other authorize errors" */
export function readAuthorizationRequest(
  world: Pick<World, 'store'>,
  callback: Callback,
  query: URLSearchParams,
): AuthorizationRequest | RequestError {
  const bad = (description: string, error: AuthorizeError = 'invalid_request') => ({ error, description })
  const repeated = single.find((name) => query.getAll(name).length > 1)
  if (repeated) return bad(`The parameter ${repeated} is given more than once`)
  const one = (name: string) => query.get(name) || null

  const response_type = one('response_type')
  if (response_type === null) return bad('The parameter response_type is missing')
  if (response_type !== 'code') return bad('The response_type must be code', 'unsupported_response_type')
  if (callback.state === undefined) return bad('The parameter state is missing')
  const asked = [...new Set(one('scope')?.split(' ').filter(Boolean))]
  if (asked.length === 0) return bad('The parameter scope is missing')
  const prompt = one('prompt')
  if (prompt !== null && prompt !== 'none') return bad('The prompt, when there is one, must be none')
  if ((one('response_mode') ?? 'query') !== 'query') return bad('The response_mode, when there is one, must be query')

  if (one('request')) return bad('The parameter request is not supported', 'request_not_supported')
  if (one('request_uri')) return bad('The parameter request_uri is not supported', 'request_uri_not_supported')

  // An empty one is invalid, not absent. wire: §6 "PKCE"
  const code_challenge = query.get('code_challenge')
  const method = one('code_challenge_method')
  if (code_challenge !== null && !isChallenge(code_challenge)) {
    const issue = bad('The code_challenge must have 43 to 128 characters of A-Z, a-z, 0-9, "-", ".", "_" and "~"')
    const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(code_challenge)
    return { ...issue, ...(isBase64 && { reason: `${issue.description}: encode it as base64url without padding` }) }
  }
  if (method !== null && code_challenge === null) return bad('A code_challenge_method without a code_challenge')
  if (method !== null && !isChallengeMethod(method)) {
    return bad(`The code_challenge_method must be one of: ${Object.keys(challengeMethods).join(', ')}`)
  }

  const undeclared = undeclaredIn(countingManifests(world, callback.app), asked)
  if (undeclared.length > 0) {
    const declares = (manifest: Manifest) => undeclaredIn([manifest], undeclared).length === 0
    return undeclaredScopes(undeclared, lowerVersionAdvice(callback.app, declares))
  }
  return {
    ...callback,
    scope: asked as ScopeName[],
    silent: prompt === 'none',
    organization: one('organization'),
    nonce: one('nonce'),
    code_challenge,
    code_challenge_method: code_challenge === null ? null : (method ?? 'plain'),
  }
}

/** Returns those of the scopes that none of the manifests declares as identity permissions. */
export function undeclaredIn(manifests: Manifest[], scopes: string[]): string[] {
  const declared: string[] = manifests.flatMap((manifest) => manifestScopes(manifest, 'authorize'))
  return scopes.filter((scope) => !declared.includes(scope))
}

/** Several scopes with another separator than a space. */
const isSeveral = (scope: string) => /[,+;]|%20/.test(scope)

/** @param advice how to declare them, when it is known. */
export function undeclaredScopes(scopes: string[], advice?: string): RequestError {
  const description = `Not declared as identity permissions in the app's manifest: ${scopes.join(' ')}`
  const identity = scopesFor('authorize', scopes).join(', ')
  const install = scopesFor('install', scopes).join(', ')
  if (advice) return { error: 'invalid_scope', description, reason: `${description}. ${advice}` }
  let reason = description
  if (identity) reason += `. Add ${identity} to its permissions, and push it`
  if (install) reason += `. User tokens never have the install scopes: ${install}`
  if (scopes.includes('offline_access')) {
    reason += '. The platform has no scope offline_access: every code brings a refresh token'
  } else {
    const unknown = scopes.find((scope) => !isScope(scope) && !isSeveral(scope))
    if (unknown) reason += `. The platform has no scope ${unknown}${didYouMean(unknown, scopesOf('authorize'))}`
  }
  if (scopes.some(isSeveral)) reason += '. Separate scopes by a space, encoded once'
  return { error: 'invalid_scope', description, reason }
}
