import type { Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'

type Readable = Pick<World, 'addresses' | 'store'>

/** A secret of the emulator's own, whether or not it still works: what it is, and whose. */
interface KnownCredential {
  /** Name with an article: `An access token`. */
  name: string
  identity: Identity
}

/** Identifies a bearer credential of another kind; undefined for an API key and for a secret that was never issued. */
export function knownCredential(world: Readable, secret: string): KnownCredential | undefined {
  const { store } = world
  const token = store.tokens.by('secret', secret)
  if (token) {
    const access = token.grant === 'authorize' ? "A user's access token" : 'An access token'
    return { name: token.kind === 'refresh' ? 'A refresh token' : access, identity: identityOf(token) }
  }
  const code = store.codes.by('secret', secret)
  if (code) return { name: 'An authorization code', identity: identityOf(code) }
  for (const { id, client_secret, signing_secret } of store.apps.all) {
    if (secret === client_secret) return { name: 'A client secret', identity: { app: id } }
    if (secret === signing_secret) return { name: 'A signing secret', identity: { app: id } }
  }
  return idToken(world, secret)
}

const identityOf = ({ app, organization, user }: { app: string; organization: string; user: string | null }) => ({
  app,
  organization,
  user: user ?? undefined,
})

/** Identifies an id_token of this issuer. Its signature is not checked: it is refused either way. */
function idToken({ addresses, store }: Readable, secret: string): KnownCredential | undefined {
  if (!secret.startsWith('eyJ')) return undefined
  const { iss, aud, sub } = jwtPart(secret, 1)
  if (iss !== new URL(addresses.app_url).origin) return undefined
  const app = store.apps.by('client_id', String(aud))?.id
  const user = store.users.get(String(sub))?.id
  return { name: 'An id_token', identity: { app, user } }
}

/** Returns the header (0) or the claims (1) of a JWT, unverified; nothing of anything else. */
export const jwtPart = (token: string, part: 0 | 1): Record<string, unknown> =>
  jsonObjectIn(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) ?? {}
