import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { byCreation } from '../../foundation/store/collection.js'
import type { AppRecord } from '../apps/app-record.js'
import type { InstallationRecord } from '../apps/installation-record.js'
import { currentInstallation } from '../apps/installations.js'
import { installedManifest } from '../apps/manifest.js'
import type { Manifest } from '../apps/manifest-schema.js'
import type { IssuingWorld } from '../authentication/tokens.js'
import { upgradeAdvice } from '../authentication/upgrade-advice.js'
import type { UserRecord } from '../organizations/user-record.js'
import {
  type AuthorizationRequest,
  type AuthorizeError,
  type Callback,
  type RedirectIssue,
  readAuthorizationRequest,
  readCallback,
  undeclaredIn,
  undeclaredScopes,
  unregisteredRedirect,
} from './authorization-request.js'
import { callbackUrl } from './callback.js'
import { issueCode } from './codes.js'
import { toErrorDescription } from './oauth-error.js'
import { redirectUrisOf } from './redirect-uris.js'
import { forcedOutcome, type SilentOutcome, silentOutcomes } from './silent-auth.js'

type SignInWorld = IssuingWorld & Pick<World, 'addresses'>

export type AuthorizationResult =
  /** The response goes to the app. `reason` explains an error; undefined when it is a code. */
  | { kind: 'redirect'; to: string; reason?: string }
  /** A page asks the person first. */
  | { kind: 'sign_in' }
  | { kind: 'consent'; request: AuthorizationRequest; installations: InstallationRecord[] }
  /** A page explains why. */
  | { kind: 'not_installed'; app: AppRecord; organization: string | null; isMember: boolean; reason: string }
  | { kind: 'invalid_redirect'; issue: RedirectIssue; reason: string }

export interface Decision {
  allow: boolean
  organization: string | null
}

/**
 * Decides an authorization request. Order of checks: the redirect URI, the request's shape, its scope,
 * sign-in, installation. spec: §3, §4.8, wire: §6
 * @param user the signed-in user.
 * @param decision from the consent page; without one a request that is not silent asks for it.
 */
export function authorize(
  world: SignInWorld,
  { query, search }: Pick<Request, 'query' | 'search'>,
  user: UserRecord | undefined,
  decision?: Decision,
): AuthorizationResult {
  const callback = readCallback(world, { query, search })
  if ('problem' in callback) return invalidRedirect(callback)

  const request = readAuthorizationRequest(world, callback, query)
  const forced = forcedAuthorization(world, callback, query, user, request)
  if (forced) return forced
  if ('error' in request) return fail(callback, request.error, request.description, request.reason)

  if (!user) {
    if (request.silent) return fail(request, 'login_required', silentOutcomes.login_required)
    return { kind: 'sign_in' }
  }
  const installations = qualifying(world, request.app, user, request.organization)
  const [oldest] = installations
  if (!oldest) return rejectUser(world, request, user)

  if (request.silent) return redirectWithCode(world, request, user, oldest)
  if (decision?.allow === false) return fail(request, 'access_denied', 'The user denied the request')
  const picked = decision && installations.find(({ organization }) => organization === decision.organization)
  if (picked) return redirectWithCode(world, request, user, picked)
  if (installations.length > 1) return { kind: 'consent', request, installations }
  return issueOfInstallation(world, request, oldest) ?? { kind: 'consent', request, installations }
}

/** Returns the result that a test has forced on silent requests, for a request of a valid shape. control-api */
function forcedAuthorization(
  world: Pick<World, 'store'>,
  callback: Callback,
  query: URLSearchParams,
  user: UserRecord | undefined,
  request: AuthorizationRequest | { error: AuthorizeError },
): AuthorizationResult | undefined {
  const hasValidShape = !('error' in request) || request.error === 'invalid_scope'
  if (!hasValidShape || query.get('prompt') !== 'none' || world.store.silent_auth.all.size === 0) return undefined
  const { app } = callback
  const pinned = query.get('organization') || null
  const organization = pinned ?? (user ? (qualifying(world, app, user, null)[0]?.organization ?? null) : null)
  const outcome = forcedOutcome(world, { app: app.id, organization, user: user?.id ?? null })
  return outcome && fail(callback, outcome, silentOutcomes[outcome], 'forced by the control API')
}

function rejectUser(world: Pick<World, 'store'>, request: AuthorizationRequest, user: UserRecord): AuthorizationResult {
  const { app, organization } = request
  const isMember = organization === null || world.store.memberships.get(`${organization}/${user.id}`) !== undefined
  const reason = isMember
    ? `The app ${app.id} is not installed in ${organization === null ? `any organization of the user ${user.email}` : `the organization ${organization}`}`
    : describeNonMember(world, organization, user)
  if (!request.silent) return { kind: 'not_installed', app, organization, isMember, reason }
  return fail(request, 'interaction_required', silentOutcomes.interaction_required, reason)
}

function describeNonMember({ store }: Pick<World, 'store'>, organization: string, user: UserRecord): string {
  if (store.organizations.get(organization)) {
    return `The user ${user.email} is not a member of the organization ${organization}`
  }
  const slugs = [...store.memberships.in('user', user.id)].map((each) => each.organization)
  return `There is no organization with the slug "${organization}"; ${user.email} is a member of ${slugs.join(', ') || 'none'}`
}

/** Issues the code, unless the installed version does not allow it. wire: §6 "which manifest counts" */
function redirectWithCode(
  world: SignInWorld,
  request: AuthorizationRequest,
  user: UserRecord,
  installation: InstallationRecord,
): AuthorizationResult {
  const issue = issueOfInstallation(world, request, installation)
  if (issue) return issue
  const { secret } = issueCode(world, request, user, installation)
  return { kind: 'redirect', to: callbackUrl(request.redirect_uri, { code: secret }, request.state) }
}

function issueOfInstallation(
  world: Pick<World, 'addresses' | 'store'>,
  request: AuthorizationRequest,
  installation: InstallationRecord,
): AuthorizationResult | undefined {
  const allows = (version: Manifest) =>
    redirectUrisOf([version]).includes(request.redirect_uri) && undeclaredIn([version], request.scope).length === 0
  const manifest = installedManifest(world, installation)
  if (manifest && allows(manifest)) return undefined
  const where = `in version ${installation.version}, which is installed in ${installation.organization}`
  const hint = upgradeAdvice(world, installation, allows)
  const manifests = manifest ? [manifest] : []
  const registered = redirectUrisOf(manifests)
  if (!registered.includes(request.redirect_uri)) {
    const missed = unregisteredRedirect(request.app, request.redirect_uri, registered)
    return invalidRedirect({ ...missed, problem: `The redirect_uri is not registered ${where}.`, hint })
  }
  const { error, description } = undeclaredScopes(undeclaredIn(manifests, request.scope))
  const issue = `${description} (${where})`
  return fail(request, error, issue, hint ? `${issue}. ${hint}` : issue)
}

function invalidRedirect(issue: RedirectIssue): AuthorizationResult {
  const { problem, sent, nearest, hint } = issue
  const closest = nearest && `Sent: ${sent}. Closest registered: ${nearest.registered}. ${nearest.explanation}.`
  const more = hint ?? closest
  return { kind: 'invalid_redirect', issue, reason: more ? `${problem} ${more}` : problem }
}

/** Returns the error on the callback, with `error`, `error_description`, `state` and nothing else. wire: §6 */
function fail(
  { redirect_uri, state }: Callback,
  error: AuthorizeError | SilentOutcome | 'access_denied',
  description: string,
  reason = description,
): AuthorizationResult {
  const parameters = { error, error_description: toErrorDescription(description) }
  return { kind: 'redirect', to: callbackUrl(redirect_uri, parameters, state), reason: `${error}: ${reason}` }
}

/**
 * The installations of an app in a user's organizations, oldest first. spec: §3
 * @param pinned the slug that the request pins the flow to; null when it does not.
 */
export function qualifying(world: Pick<World, 'store'>, app: AppRecord, user: UserRecord, pinned: string | null) {
  const { memberships } = world.store
  const joined = pinned === null ? memberships.in('user', user.id) : [memberships.get(`${pinned}/${user.id}`)]
  return [...joined]
    .flatMap((membership) => membership ?? [])
    .flatMap(({ organization }) => currentInstallation(world, app.id, organization) ?? [])
    .sort(byCreation)
}
