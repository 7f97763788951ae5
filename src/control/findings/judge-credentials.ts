import { knownSecretsIn } from '../../emulator/journal/known-secrets.js'
import type { Identity, JournalEntry } from '../../emulator/world/exchange.js'
import { runOf } from '../../emulator/world/run.js'
import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { knownCredential } from '../../platform/authentication/known-credential.js'
import { redirectUrisOf } from '../../platform/oauth/redirect-uris.js'
import type { CreateJudge, JudgedWorld, ObservedExchange } from './judge.js'
import { Recent } from './recent.js'
import { mayBeLost } from './response-visibility.js'

/** Milliseconds on the emulator's clock in which an app may still call after it was notified of an uninstall. */
const GRACE = 5_000

/** wrong_kind_of_token, token_in_url. control-api: "Findings" */
export const judgeCredentials: CreateJudge = (world, report) => ({
  judge({ entry, bearer, form }) {
    const call = `${entry.method} ${entry.path}`
    if (bearer !== undefined) {
      const name = knownCredential(world, bearer)?.name
      if (name && name !== 'An access token') report('wrong_kind_of_token', entry, `${name} was sent to ${call}.`)
    }
    const sent = form?.get('refresh_token') ?? form?.get('code')
    if (sent && world.store.tokens.by('secret', sent)?.kind === 'access') {
      report('wrong_kind_of_token', entry, 'An access token was sent to the token endpoint.')
    }
    // The URLs of webhooks are those of the manifest.
    if (entry.surface === 'webhook' || hasOnlyIds(entry)) return
    const leak = leakIn(world, entry)
    if (!leak) return
    // A request without an identity is attributed to the owner of the secret.
    const { app = leak.owner?.app, organization = leak.owner?.organization } = entry.identity
    const identity = { ...entry.identity, app, organization }
    report('token_in_url', { ...entry, identity, run: entry.run ?? runOf(world, identity) }, `${leak.what} ${call}.`)
  },
})

/** Returns true for a request that a route has served, and that has no query: its path is that of the route, with ids. */
const hasOnlyIds = ({ route, status, search, request }: JournalEntry): boolean =>
  route !== undefined && status !== null && status < 300 && search === '' && request.headers.referer === undefined

/** A credential in a URL: its name, or a sentence about it, and whose it is. */
interface Leak {
  what: string
  owner?: Identity
}

/** Says which credential the URL of a request holds, or the one that it was sent from; undefined for none. */
function leakIn(world: JudgedWorld, { path, search, request }: JournalEntry): Leak | undefined {
  const own = credentialIn(world, path, search)
  if (own) return { ...own, what: `${own.what} was sent in the URL of` }
  const { referer } = request.headers
  if (typeof referer !== 'string' || !URL.canParse(referer)) return undefined
  const { pathname, search: query } = new URL(referer)
  const before = credentialIn(world, pathname, query.slice(1))
  return before && { ...before, what: `${before.what} was in the URL of a page, which the Referer header shows in` }
}

/** Finds the first credential in a URL. A callback has its code and state there. */
function credentialIn(world: JudgedWorld, path: string, search: string): Leak | undefined {
  let text = `${path}?${search}`
  if (search !== '' && isCallback(world, path)) {
    const query = new URLSearchParams(search)
    query.delete('code')
    query.delete('state')
    text = `${path}?${query}`
  }
  for (const secret of knownSecretsIn(world, text)) {
    const credential = credentialOf(world, secret)
    if (credential) return credential
  }
  return undefined
}

const isCallback = ({ store }: Pick<World, 'store'>, path: string): boolean =>
  [...store.apps.all]
    .flatMap(({ versions }) => redirectUrisOf(versions.map(({ manifest }) => manifest)))
    .some((uri) => new URL(uri).pathname === path)

function credentialOf(world: JudgedWorld, secret: string): Leak | undefined {
  const { store, settings } = world
  const organization = store.organizations.by('api_key', secret)
  if (organization) return { what: 'An API key', owner: { organization: organization.id } }
  if (store.sessions.by('secret', secret)) return { what: 'A session cookie' }
  if (secret === settings.admin_token) return { what: 'The admin token' }
  const known = knownCredential(world, secret)
  // Access and refresh tokens are one kind of leak.
  return known && { what: store.tokens.by('secret', secret) ? 'A token' : known.name, owner: known.identity }
}

/**
 * Returns a function that finds the organization whose token was used although it has uninstalled the app; undefined for
 * other requests. Without an acknowledged `app.uninstalled`, the app knows of the end once a token of it was refused.
 */
export function watchUninstalls({ store }: Pick<World, 'store'>): (exchange: ObservedExchange) => string | undefined {
  /** Ended installations of which the platform refused a token. */
  const refused = new Recent<string, true>()
  return ({ entry, bearer, form }) => {
    const secret = bearer ?? form?.get('refresh_token')
    const token = secret ? store.tokens.by('secret', secret) : undefined
    const end = token && endOf(store, token)
    if (!token || !end) return undefined
    const isKnown = end.isAcknowledged || refused.has(token.installation)
    const isRefused = entry.status === 401 || entry.status === 400
    if (isRefused && !mayBeLost(entry)) refused.set(token.installation, true)
    return isKnown && Date.parse(entry.at) > end.at + GRACE ? token.organization : undefined
  }
}

/** Returns when the uninstall of a token's installation was acknowledged, or happened, in ms since 1970. */
function endOf(store: World['store'], token: RecordOf<'tokens'>): { at: number; isAcknowledged: boolean } | undefined {
  const installation = store.installations.get(token.installation)
  if (installation?.state !== 'uninstalled' || installation.ended_at === null) return undefined
  const acknowledged = [...store.deliveries.in('installation', installation.id)].find(
    ({ event, state }) => event.type === 'app.uninstalled' && state === 'acknowledged',
  )
  return { at: Date.parse(acknowledged?.ended_at ?? installation.ended_at), isAcknowledged: acknowledged !== undefined }
}
