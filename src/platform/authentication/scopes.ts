import type { World } from '../../emulator/world/world.js'
import type { TokenRecord } from './token-record.js'
import { lowerVersionAdvice, upgradeAdvice } from './upgrade-advice.js'

/** Manifest permissions that map to a scope of the same name, and what the scope is for. spec: §5.3 */
export const scopes = {
  'courses:read': { grant: 'install', allows: 'Read courses' },
  'modules:read': { grant: 'install', allows: 'Read modules' },
  'elements:read': { grant: 'install', allows: 'Read elements' },
  'members:read': { grant: 'install', allows: 'Read members' },
  'activities:read': { grant: 'install', allows: 'Read activities' },
  openid: { grant: 'authorize', allows: 'Know who you are' },
  profile: { grant: 'authorize', allows: 'See your name' },
  email: { grant: 'authorize', allows: 'See your email address' },
} as const

export type ScopeName = keyof typeof scopes
/** A scope of install tokens: one that reaches the public API. */
export type Scope = { [S in ScopeName]: (typeof scopes)[S]['grant'] extends 'install' ? S : never }[ScopeName]

/** Returns every scope of one grant, in the platform's order. */
export const scopesOf = (grant: 'install' | 'authorize'): ScopeName[] =>
  (Object.keys(scopes) as ScopeName[]).filter((name) => scopes[name].grant === grant)

export const isScope = (permission: string): permission is ScopeName => Object.hasOwn(scopes, permission)

/** Returns the scopes of one grant that these permissions map to, in the order of the permissions. Others map to none. */
export const scopesFor = (grant: 'install' | 'authorize', permissions: string[]): ScopeName[] => [
  ...new Set(permissions.filter(isScope).filter((permission) => scopes[permission].grant === grant)),
]

/** Describes why a token lacks the scope of a route, for the journal; undefined when it has it. spec: §5.2.4, §5.3 */
export function scopeIssue(
  world: Pick<World, 'addresses' | 'store'>,
  token: TokenRecord,
  scope: Scope | null,
): string | undefined {
  if (token.grant === 'authorize') return 'A user token was sent; user tokens cannot reach the public API'
  if (scope === null) return 'Install tokens cannot do this; use an API key'
  if (token.scope.split(' ').includes(scope)) return undefined
  return `The token lacks the scope ${scope}; it has: ${token.scope || 'none'}. ${scopeAdvice(world, token, scope)}`
}

function scopeAdvice(world: Pick<World, 'addresses' | 'store'>, { installation: id }: TokenRecord, scope: Scope) {
  const installation = world.store.installations.get(id)
  if (installation?.scope.split(' ').includes(scope)) return 'The installation has it: use a token with its whole scope'
  const hasIt = (manifest: { permissions: Permission[] }) => permissionNames(manifest).includes(scope)
  const upgrade = installation && upgradeAdvice(world, installation, hasIt)
  if (upgrade) return upgrade
  const app = world.store.apps.get(installation?.app ?? '')
  if (app?.versions.some(({ version, manifest }) => version === installation?.version && hasIt(manifest))) {
    return 'The manifest has it now, but the installation is older: raise the version, push it and upgrade'
  }
  const lower = app && lowerVersionAdvice(app, hasIt)
  return lower ?? `Add ${scope} to the manifest's permissions in a new version, push it and upgrade`
}

/** A permission of a manifest, with or without what it is for. */
type Permission = string | { permission: string }

/** Returns the names of the permissions that a manifest asks for. */
export const permissionNames = ({ permissions }: { permissions: Permission[] }): string[] =>
  permissions.map((entry) => (typeof entry === 'string' ? entry : entry.permission))
