import type { World } from '../../../emulator/world/world.js'
import { invalid, Refusal } from '../../../foundation/http/refusal.js'
import type { InstallationRecord } from '../../../platform/apps/installation-record.js'
import { installedManifest, manifestScopes } from '../../../platform/apps/manifest.js'
import type { TokenRecord } from '../../../platform/authentication/token-record.js'
import { endTokens, expireTokens, mintPair, presentPair, tokenState } from '../../../platform/authentication/tokens.js'
import type { UserRecord } from '../../../platform/organizations/user-record.js'
import type { CallInput, CallResult, Handlers } from '../call-types.js'
import type { tokenSchemas } from '../schemas/tokens.schemas.js'
import { appOf, installationOf, organizationOf, userOf } from './named-records.js'

const presentToken = (world: World, token: TokenRecord): CallResult<'listTokens'>[number] => ({
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
function matching(world: World, { kind, grant, state, ...names }: CallInput<'listTokens'>['query']): TokenRecord[] {
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

/** @param kind which kind is meant when neither `kind` nor a token says so. */
function selected(
  world: World,
  selection: CallInput<'expireTokens'>['body'],
  defaultKind: 'access' | 'all',
): TokenRecord[] {
  const { token: secret, all: _, kind = defaultKind, ...filters } = selection
  if (secret === undefined) return matching(world, { ...filters, kind: kind === 'all' ? undefined : kind })
  const token = world.store.tokens.by('secret', secret)
  if (token) return [token]
  throw new Refusal('not_found', { message: 'There is no such token; it was never issued here, or is no longer kept' })
}

function presentEnded(tokens: TokenRecord[]): CallResult<'expireTokens'> {
  const access = tokens.filter(({ kind }) => kind === 'access').length
  return { affected: tokens.length, access, refresh: tokens.length - access }
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
export const tokenHandlers: Handlers<keyof typeof tokenSchemas> = {
  listTokens: (world, { query }) => matching(world, query).map((token) => presentToken(world, token)),
  mintTokens(world, { body }) {
    const app = appOf(world, body.app)
    const organization = organizationOf(world, body.organization)
    const user = body.user === undefined ? undefined : userOf(world, body.user)
    const installation = world.store.installations.by('current', `${app.id}/${organization.id}`)
    if (!installation) {
      throw new Refusal('conflict', { message: `The app ${app.id} is not installed in ${organization.id}` })
    }
    if (user && !world.store.memberships.get(`${organization.id}/${user.id}`)) {
      throw invalid([{ path: 'user', message: `${user.email} is not a member of ${organization.id}` }])
    }
    const pair = {
      installation,
      grant: user ? ('authorize' as const) : ('install' as const),
      scope: scopeToMint(world, installation, user, body.scope),
      user: user?.id ?? null,
      ...(body.ttl !== undefined && { ttl: body.ttl }),
    }
    return presentPair(
      world,
      world.store.change((tx) => mintPair(world, tx, pair)),
    )
  },
  expireTokens(world, { body }) {
    const tokens = selected(world, body, 'access')
    return presentEnded(world.store.change((tx) => expireTokens(world, tx, tokens)))
  },
  revokeTokens(world, { body }) {
    const tokens = selected(world, body, 'all')
    return presentEnded(world.store.change((tx) => endTokens(world, tx, tokens, 'revoked', 'by the control API')))
  },
}
