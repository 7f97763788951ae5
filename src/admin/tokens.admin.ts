import * as z from 'zod'
import type { InstallationRecord } from '../apps/installation-record.js'
import { installedManifest, manifestScopes } from '../apps/manifest.js'
import type { TokenRecord } from '../authentication/token-record.js'
import { endTokens, expireTokens, mintPair, presentPair, tokenState } from '../authentication/tokens.js'
import { invalid, Refusal } from '../http/refusal.js'
import { type Route, route } from '../http/route.js'
import type { UserRecord } from '../organizations/user-record.js'
import { duration } from '../schema/duration.js'
import type { World } from '../world/world.js'
import { bodyOf, created, list, ok, queryOf, strict } from './answer.js'
import { appOf, installationOf, organizationOf, userOf } from './named-records.js'

const source = 'control-api: Tokens'

const states = ['active', 'expired', 'revoked', 'rotated'] as const
const kind = z.enum(['access', 'refresh'])
const grant = z.enum(['install', 'authorize'])

export const tokenShape = z.object({
  id: z.string(),
  kind,
  grant,
  app: z.string(),
  organization: z.string(),
  installation: z.string(),
  user: z.string().nullable(),
  scope: z.string(),
  state: z.enum(states),
  issued_at: z.string(),
  expires_at: z.string(),
  last_four: z.string(),
})

const name = z.string().min(1)
const filters = {
  kind: kind.optional(),
  grant: grant.optional(),
  installation: name.optional(),
  organization: name.optional(),
  user: name.optional(),
  app: name.optional(),
  state: z.enum(states).optional(),
}

export const tokenQuery = strict(filters)
type Filters = z.output<typeof tokenQuery>

/** Which tokens: by filters, by its secret, or all of them on purpose. */
export const tokenSelection = strict({
  ...filters,
  token: name.optional(),
  all: z.literal(true).optional(),
}).superRefine(({ token, all, ...given }, context) => {
  const named = Object.values(given).filter((value) => value !== undefined).length
  const fault = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (token === undefined && all === undefined && named === 0) {
    fault([], 'must say which tokens: filters, { "token": "<the secret>" } or { "all": true }')
  }
  if (token !== undefined && (named > 0 || all)) fault(['token'], 'goes without filters and without all')
  if (all && named > 0) fault(['all'], 'goes without filters')
})

export const mintRequest = strict({
  app: name,
  organization: name,
  scope: z.string().optional(),
  user: name.optional(),
  ttl: duration.optional(),
})

export const tokenResponse = z.object({
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
})

const affectedShape = z.object({ affected: z.int() })

const presentToken = (world: World, token: TokenRecord): z.input<typeof tokenShape> => ({
  id: token.id,
  kind: token.kind,
  grant: token.grant,
  app: token.app,
  organization: token.organization,
  installation: token.installation,
  user: token.user,
  scope: token.scope,
  state: tokenState(token, world.clock.now()),
  issued_at: token.created_at,
  expires_at: token.expires_at,
  last_four: token.secret.slice(-4),
})

/** Oldest first. @throws Refusal 404 for a name that does not exist. */
function matching(world: World, { kind, grant, state, ...names }: Filters): TokenRecord[] {
  const { store } = world
  const wanted: Partial<TokenRecord> = {
    ...(kind && { kind }),
    ...(grant && { grant }),
    ...(names.installation !== undefined && { installation: installationOf(world, names.installation).id }),
    ...(names.organization !== undefined && { organization: organizationOf(world, names.organization).id }),
    ...(names.user !== undefined && { user: userOf(world, names.user).id }),
    ...(names.app !== undefined && { app: appOf(world, names.app).id }),
  }
  const now = world.clock.now()
  const keys = Object.keys(wanted) as (keyof TokenRecord)[]
  const tokens = wanted.installation ? store.tokens.in('installation', wanted.installation) : store.tokens.all
  return [...tokens].filter(
    (token) =>
      keys.every((key) => token[key] === wanted[key]) && (state === undefined || tokenState(token, now) === state),
  )
}

function selected(world: World, { token: secret, all: _, ...filters }: z.output<typeof tokenSelection>): TokenRecord[] {
  if (secret === undefined) return matching(world, filters)
  const token = world.store.tokens.by('secret', secret)
  if (token) return [token]
  throw new Refusal('not_found', { message: 'There is no such token; it was never issued here, or is no longer kept' })
}

/** The scope to mint. @throws Refusal 400 for one that the grant cannot have there. */
function scopeToMint(
  world: World,
  installation: InstallationRecord,
  user: UserRecord | undefined,
  asked: string | undefined,
): string {
  const manifest = installedManifest(world, installation)
  const capability = user ? 'authorize' : 'install'
  if (!manifest?.oauth?.[capability]) {
    const message = `the version ${installation.version} of ${installation.app} does not declare oauth.${capability}`
    throw invalid([{ path: 'app', message }])
  }
  const declared: string[] = user ? manifestScopes(manifest, 'authorize') : installation.scope.split(' ')
  const scopes = asked === undefined ? declared : [...new Set(asked.split(' ').filter(Boolean))]
  const undeclared = scopes.filter((scope) => !declared.includes(scope))
  if (scopes.length > 0 && undeclared.length === 0) return scopes.join(' ')
  const message = undeclared.length > 0 ? `${undeclared.join(', ')} cannot be granted` : 'must name at least one scope'
  throw invalid([{ path: 'scope', message: `${message}; there are: ${declared.join(', ')}` }])
}

/** control-api: "Tokens" */
export const tokenRoutes: Route[] = [
  route(
    'GET',
    '/_admin/tokens',
    {
      id: 'listTokens',
      summary: 'Tokens, without their secrets',
      source,
      query: tokenQuery,
      answer: z.object({ data: z.array(tokenShape) }),
    },
    (world, request) => list(matching(world, queryOf(request, tokenQuery)).map((token) => presentToken(world, token))),
  ),
  route(
    'POST',
    '/_admin/tokens',
    {
      id: 'mintTokens',
      summary: 'Mint a token pair directly',
      source,
      body: mintRequest,
      answer: tokenResponse,
      status: 201,
    },
    (world, request) => {
      const given = bodyOf(request, mintRequest)
      const app = appOf(world, given.app)
      const organization = organizationOf(world, given.organization)
      const user = given.user === undefined ? undefined : userOf(world, given.user)
      const installation = world.store.installations.by('current', `${app.id}/${organization.id}`)
      if (!installation) {
        throw new Refusal('conflict', { message: `The app ${app.id} is not installed in ${organization.id}` })
      }
      if (user && !world.store.memberships.get(`${organization.id}/${user.id}`)) {
        throw invalid([{ path: 'user', message: `${user.email} is not a member of ${organization.id}` }])
      }
      const scope = scopeToMint(world, installation, user, given.scope)
      const grant = user ? 'authorize' : 'install'
      const pair = world.store.change((tx) =>
        mintPair(world, tx, {
          installation,
          grant,
          scope,
          user: user?.id ?? null,
          ...(given.ttl !== undefined && { ttl: given.ttl }),
        }),
      )
      return created(presentPair(world, pair))
    },
  ),
  route(
    'POST',
    '/_admin/tokens/expire',
    { id: 'expireTokens', summary: 'Let tokens expire now', source, body: tokenSelection, answer: affectedShape },
    (world, request) => {
      const tokens = selected(world, bodyOf(request, tokenSelection))
      return ok({ affected: world.store.change((tx) => expireTokens(world, tx, tokens)) })
    },
  ),
  route(
    'POST',
    '/_admin/tokens/revoke',
    { id: 'revokeTokens', summary: 'Revoke tokens now', source, body: tokenSelection, answer: affectedShape },
    (world, request) => {
      const tokens = selected(world, bodyOf(request, tokenSelection))
      const affected = world.store.change((tx) => endTokens(world, tx, tokens, 'revoked', 'by the control API'))
      return ok({ affected })
    },
  ),
]
