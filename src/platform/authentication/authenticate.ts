import type { Response } from '../../emulator/serving/response.js'
import { type Method, type Operation, type ParamsOf, type Route, route } from '../../emulator/serving/surface.js'
import type { Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { jsonBody } from '../../foundation/http/json-body.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { MAX_ISSUES, type Warning } from '../../foundation/schema/issue.js'
import { knownCredential } from './known-credential.js'
import { describeHeader, describeMistaken } from './mistaken-credential.js'
import { type Scope, scopeIssue } from './scopes.js'
import type { TokenRecord } from './token-record.js'
import { describeExpiry, tokenState } from './tokens.js'
import { type Resource, whyMissing } from './why-missing.js'

/** The caller of a `/v0` request, limited to its `organization`. spec: §5.1, §5.2 */
export type Caller =
  | { kind: 'api_key'; organization: string }
  | { kind: 'token'; organization: string; token: TokenRecord }

/**
 * The caller that the request's credential names.
 * @param scope what an install token needs; null when no install token suffices. An API key may do everything. wire: §3
 * @throws Refusal 401 without a credential that works, 403 when its scope does not reach. wire: §2 "bearer errors"
 */
export function authenticate(
  world: Pick<World, 'addresses' | 'clock' | 'store'>,
  request: Request,
  scope: Scope | null,
): Caller {
  const secret = bearerOf(request.headers)
  if (secret === undefined) {
    const reason = describeHeader(request.headers.authorization)
    throw new Refusal('unauthorized', { headers: bearerChallenge(), reason })
  }
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { kind: 'api_key', organization: organization.id }

  const token = world.store.tokens.by('secret', secret)
  if (token?.kind !== 'access') {
    const reason = describeMistaken(world, secret, 'credential')
    throw invalidToken(
      'unknown',
      reason ?? 'The credential was never issued here, or is an API key that has been regenerated',
    )
  }
  const state = tokenState(token, world.clock.now(token.organization))
  if (state === 'expired') throw invalidToken('expired', `The access token ${describeExpiry(token)}`)
  if (state !== 'active')
    throw invalidToken('revoked', `The access token was revoked at ${token.ended_at}: ${token.ended_by}`)

  const refusal = scopeIssue(world, token, scope)
  if (refusal) {
    throw new Refusal('insufficient_scope', { headers: insufficientScopeChallenge(scope), reason: refusal })
  }
  return { kind: 'token', organization: token.organization, token }
}

const invalidToken = (state: CredentialState, reason: string) =>
  new Refusal('unauthorized', { headers: invalidTokenChallenge(state), reason })

/** Identifies the owner of the request's credential, valid or not: for the journal and for faults. */
export function identifyBearer(world: Pick<World, 'addresses' | 'store'>, request: Request): Identity {
  const secret = bearerOf(request.headers)
  if (secret === undefined) return {}
  const organization = world.store.organizations.by('api_key', secret)
  if (organization) return { organization: organization.id }
  return knownCredential(world, secret)?.identity ?? {}
}

/** @param fields names of the top-level fields of the body that the operation reads, if it reads any. */
type ApiOperation = Operation & { scope: Scope | null; fields?: readonly string[] }

/**
 * A route of `/v0` for callers: its handler gets the one whose credential has the operation's scope, and the JSON body.
 * The journal entry has a warning for each field and query parameter that is ignored, also when the request is refused.
 */
export const apiRoute = <const P extends string>(
  methods: Method | Method[],
  path: P,
  operation: ApiOperation,
  handler: (world: World, request: Request<ParamsOf<P>>, caller: Caller, body: unknown) => Response,
): Route =>
  route(methods, path, operation, (world, request) => {
    const caller = authenticate(world, request, operation.scope)
    const body = operation.fields && jsonBody(request)
    const warnings = ignoredBy(operation, request, body)
    try {
      const response = handler(world, request, caller, body)
      return warnings.length === 0 ? response : { ...response, notes: { ...response.notes, warnings } }
    } catch (error) {
      if (error instanceof Refusal) error.warnings = warnings
      throw error
    }
  })

/** Warnings about what a request carries without effect, of each sort as many as a refusal lists. wire: §2 "unknown top-level body fields" */
function ignoredBy({ query, fields = [] }: ApiOperation, request: Request, body: unknown): Warning[] {
  if (body === undefined && request.search === '') return []
  const unless = (known: readonly string[], names: Iterable<string>, code: string, what: string) =>
    [...names]
      .filter((name) => !known.includes(name))
      .slice(0, MAX_ISSUES)
      .map((path) => ({ code, path, message: `This ${what} has no effect here; it was ignored` }))
  return [
    ...unless(fields, Object.keys(isObject(body) ? body : {}), 'ignored_field', 'field'),
    ...unless(Object.keys(query?.shape ?? {}), new Set(request.query.keys()), 'ignored_parameter', 'query parameter'),
  ]
}

/**
 * Returns the record with this id in the caller's organization.
 * @param resource for the journal.
 * @throws Refusal 404, also for a record of another organization. wire: §2
 */
export function findOwn<R extends { organization: string }>(
  world: Pick<World, 'store'>,
  records: { get(id: string): R | undefined },
  resource: Resource,
  { organization }: Caller,
  id: string,
): R {
  const record = records.get(id)
  if (record?.organization === organization) return record
  throw new Refusal('not_found', { reason: whyMissing(world, resource, id) })
}

/** The problems of a credential. wire: §2 "bearer errors" */
export type CredentialState = 'expired' | 'revoked' | 'unknown'

/** Returns the challenge of a 401 without a credential. RFC 6750 §3 */
export const bearerChallenge = () => ({ 'www-authenticate': 'Bearer' })

/** Returns the challenge of a 401 with a credential that does not work; an unknown one may have been an API key. wire: §2 "bearer errors" */
export const invalidTokenChallenge = (state: CredentialState) => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="The ${state === 'unknown' ? 'credential' : 'access token'} is ${state}"`,
})

/** Returns the challenge of a 403; no scope would do where `scope` is null. wire: §2 "bearer errors" */
export const insufficientScopeChallenge = (scope: string | null | undefined) => ({
  'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
})
