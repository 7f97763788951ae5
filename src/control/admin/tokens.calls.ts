import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import { duration } from '../../foundation/schema/schema-words.js'
import type { InstallationRecord } from '../../platform/apps/installation-record.js'
import { currentInstallation } from '../../platform/apps/installations.js'
import { installedManifest, manifestScopes } from '../../platform/apps/manifest.js'
import type { TokenRecord } from '../../platform/authentication/token-record.js'
import { endTokens, expireTokens, mintPair, presentPair, tokenState } from '../../platform/authentication/tokens.js'
import type { UserRecord } from '../../platform/organizations/user-record.js'
import { chapter, name, project, shape } from './call.js'
import { appOf, matches, organizationOf, resolveNames, userOf } from './named-records.js'

const call = chapter('Tokens')

const states = ['active', 'expired', 'revoked', 'rotated'] as const
const kind = z.enum(['access', 'refresh'])
const grant = z.enum(['install', 'authorize'])

const token = shape('Token', 'An access or refresh token, without its secret', {
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

const presentToken = ({ clock }: Pick<World, 'clock'>, record: TokenRecord) =>
  project(token, {
    ...record,
    state: tokenState(record, clock.now(record.organization)),
    issued_at: record.created_at,
    last_four: record.secret.slice(-4),
  })

const filters = z.strictObject({
  kind: kind.optional().describe('Access or refresh token'),
  grant: grant.optional().describe("An installation's token, or a user's"),
  installation: name.optional().describe('Installation id'),
  organization: name.optional().describe('Slug'),
  user: name.optional().describe('User id or email'),
  app: name.optional().describe('Manifest id or client id'),
  state: z.enum(states).optional().describe('State of the token'),
})

/** Finds tokens by filters, oldest first. @throws Refusal 404 for a name that does not exist. */
function findTokens(world: Pick<World, 'clock' | 'store'>, given: z.output<typeof filters>): TokenRecord[] {
  const { tokens } = world.store
  const { state, ...wanted } = resolveNames(world, given)
  const among = wanted.installation === undefined ? tokens.all : tokens.in('installation', wanted.installation)
  return [...among].filter(
    (each) =>
      matches(each, wanted) && (state === undefined || tokenState(each, world.clock.now(each.organization)) === state),
  )
}

/** Tokens by filters, one by its secret, or all of them on purpose. */
const selection = filters
  .extend({
    kind: z
      .enum([...kind.options, 'all'])
      .optional()
      .describe('Kind of token; when left out, `access` to expire and `all` to revoke'),
    token: name.optional().describe('The secret of one token, of either kind'),
    all: z.literal(true).optional().describe('Tokens of every app and organization; with no filter but kind'),
  })
  .superRefine(({ token, all, kind, ...given }, context) => {
    const isFiltered = Object.values(given).some((value) => value !== undefined)
    const isNamed = isFiltered || kind !== undefined
    const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (token === undefined && all === undefined && !isNamed) {
      issue([], 'must select tokens: filters, { "token": "<the secret>" } or { "all": true }')
    }
    if (token !== undefined && (isNamed || all)) issue(['token'], 'cannot be combined with filters or all')
    if (all && isFiltered) issue(['all'], 'cannot be combined with filters other than kind')
  })
  .meta({ id: 'TokenSelection', description: 'Tokens by filters, one by its secret, or all of them' })

/** @param defaultKind the kind when neither `kind` nor a token says so. @throws Refusal 404 */
function selectTokens(
  world: Pick<World, 'clock' | 'store'>,
  defaultKind: 'access' | 'all',
  { token: secret, all: _, kind = defaultKind, ...rest }: z.output<typeof selection>,
): TokenRecord[] {
  if (secret === undefined) return findTokens(world, { ...rest, kind: kind === 'all' ? undefined : kind })
  const found = world.store.tokens.by('secret', secret)
  if (found) return [found]
  throw new Refusal('not_found', { message: 'There is no such token; it was never issued here, or is no longer kept' })
}

const ended = shape('EndedTokens', 'The number of tokens that have ended, in all and of each kind', {
  affected: z.int(),
  access: z.int().describe('Access tokens among them'),
  refresh: z.int(),
})

function presentEnded(tokens: TokenRecord[]): z.input<typeof ended> {
  const access = tokens.filter(({ kind }) => kind === 'access').length
  return { affected: tokens.length, access, refresh: tokens.length - access }
}

const tokenPair = shape('TokenPair', 'A new pair of tokens, with their secrets', {
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
})

/** Returns the scope to mint. @throws Refusal 400 for one that cannot be granted there. */
function scopeToMint(
  world: Pick<World, 'clock' | 'store'>,
  installation: InstallationRecord,
  user: UserRecord | undefined,
  given: string | undefined,
): string {
  const manifest = installedManifest(world, installation)
  const capability = user ? 'authorize' : 'install'
  if (!manifest?.oauth?.[capability]) {
    const message = `the version ${installation.version} of ${installation.app} does not declare oauth.${capability}`
    throw invalid([{ path: 'app', message }])
  }
  const declared: string[] = user ? manifestScopes(manifest, 'authorize') : installation.scope.split(' ')
  const scopes = given === undefined ? declared : [...new Set(given.split(' ').filter(Boolean))]
  const undeclared = scopes.filter((scope) => !declared.includes(scope))
  if (scopes.length > 0 && undeclared.length === 0) return scopes.join(' ')
  const message = undeclared.length > 0 ? `${undeclared.join(', ')} cannot be granted` : 'must name at least one scope'
  throw invalid([{ path: 'scope', message: `${message}; the app may have: ${declared.join(', ')}` }])
}

export const tokenCalls = {
  listTokens: call('GET', '/_admin/tokens', {
    summary: 'List tokens, each with the last four characters of its secret',
    command: {
      line: 'tokens list',
      example: '--app notes --state active',
      shows: ['last_four', 'kind', 'grant', 'app', 'organization', 'user', 'state', 'expires_at', 'scope'],
    },
    list: true,
    query: filters,
    response: token,
    handler: (world, { query }) => findTokens(world, query).map((each) => presentToken(world, each)),
  }),
  mintTokens: call('POST', '/_admin/tokens', {
    summary: 'Mint a token pair',
    note: 'Use the tokens to send requests as the app. The app must be installed in the organization.',
    command: { line: 'tokens mint <app> <organization>', example: 'notes acme --ttl 10m' },
    status: 201,
    body: z.strictObject({
      app: name.describe('Manifest id or client id'),
      organization: name.describe('Slug'),
      scope: z.string().optional().describe('Separated by spaces; all that can be granted when left out'),
      user: name.optional().describe("User id or email: mints a user's tokens, else the installation's"),
      ttl: duration.optional().describe('Lifetime of the access token: "10m"'),
    }),
    response: tokenPair,
    handler(world, { body }) {
      const app = appOf(world, body.app)
      const organization = organizationOf(world, body.organization)
      const user = body.user === undefined ? undefined : userOf(world, body.user)
      const installation = currentInstallation(world, app.id, organization.id)
      if (!installation) {
        throw new Refusal('conflict', { message: `The app ${app.id} is not installed in ${organization.id}` })
      }
      if (user && !world.store.memberships.get(`${organization.id}/${user.id}`)) {
        throw invalid([{ path: 'user', message: `${user.email} is not a member of ${organization.id}` }])
      }
      const grant = user ? 'authorize' : 'install'
      const scope = scopeToMint(world, installation, user, body.scope)
      const request = { installation, grant, scope, user: user?.id ?? null, ttl: body.ttl } as const
      const pair = world.store.change((tx) => mintPair(world, tx, request))
      return presentPair(world, pair)
    },
  }),
  expireTokens: call('POST', '/_admin/tokens/expire', {
    summary: 'Expire tokens now: access tokens, unless `kind` or `token` selects others',
    loses: true,
    note: 'By filters, by one secret, or { "all": true }. Refresh tokens stay valid unless kind is "refresh" or "all", so an app should refresh once and continue.',
    body: selection,
    response: ended,
    handler(world, { body }) {
      const tokens = selectTokens(world, 'access', body)
      return presentEnded(world.store.change((tx) => expireTokens(world, tx, tokens, 'by the control API')))
    },
  }),
  revokeTokens: call('POST', '/_admin/tokens/revoke', {
    summary: 'Revoke tokens now',
    loses: true,
    note: 'By filters, by one secret, or { "all": true }. An app should then ask for a new installation or sign-in.',
    body: selection,
    response: ended,
    handler(world, { body }) {
      const tokens = selectTokens(world, 'all', body)
      return presentEnded(world.store.change((tx) => endTokens(world, tx, tokens, 'revoked', 'by the control API')))
    },
  }),
}
