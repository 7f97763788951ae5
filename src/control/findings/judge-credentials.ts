import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { knownCredential } from '../../platform/authentication/known-credential.js'
import type { CreateJudge, ObservedExchange } from './judge.js'

/** Milliseconds on the emulator's clock in which an app may still call after it was notified of an uninstall. */
const GRACE = 5_000

/** wrong_kind_of_token, token_in_url. control-api: "Findings" */
export const judgeCredentials: CreateJudge = (world, report) => ({
  judge({ entry, bearer, form }) {
    const call = `${entry.method} ${entry.path}`
    if (entry.surface === 'api' && bearer !== undefined) {
      const name = knownCredential(world, bearer)?.name
      if (name && name !== 'An access token') report('wrong_kind_of_token', entry, `${name} was sent to ${call}.`)
    }
    const sent = form?.get('refresh_token') ?? form?.get('code')
    if (sent && world.store.tokens.by('secret', sent)?.kind === 'access') {
      report('wrong_kind_of_token', entry, 'An access token was sent to the token endpoint.')
    }
    // Pages are requested by people, and the URLs of webhooks are those of the manifest.
    const isCall = entry.surface === 'api' || entry.surface === 'oauth'
    const leaked = isCall && entry.search !== '' ? leakedIn(world, entry.search) : undefined
    if (leaked) report('token_in_url', entry, `${leaked} was sent in the URL of ${call}.`)
  },
})

/** Names the first credential in a query. */
function leakedIn({ store }: Pick<World, 'store'>, search: string): string | undefined {
  for (const [name, value] of new URLSearchParams(search)) {
    if (value.length < 8 || name === 'client_id') continue
    if (store.tokens.by('secret', value)) return 'A token'
    if (store.codes.by('secret', value)) return 'An authorization code'
    if (store.organizations.by('api_key', value)) return 'An API key'
    for (const { client_secret, signing_secret } of store.apps.all) {
      if (value === client_secret) return 'A client secret'
      if (value === signing_secret) return 'A signing secret'
    }
  }
  return undefined
}

/** Returns the organization whose token was used although it has uninstalled the app; undefined for other requests. */
export function usedAfterUninstall(
  { store }: Pick<World, 'store'>,
  { entry, bearer, form }: ObservedExchange,
): string | undefined {
  const secret = bearer ?? form?.get('refresh_token')
  const token = secret ? store.tokens.by('secret', secret) : undefined
  const end = token && endOfUse(store, token)
  return end !== undefined && Date.parse(entry.at) > end ? token?.organization : undefined
}

/**
 * Returns when the app must have stopped using a token, in ms since 1970. Undefined while the installation lasts, and
 * when the app has a webhook and has not acknowledged the uninstall.
 */
function endOfUse(store: World['store'], token: RecordOf<'tokens'>): number | undefined {
  const installation = store.installations.get(token.installation)
  if (installation?.state !== 'uninstalled' || installation.ended_at === null) return undefined
  const deliveries = [...store.deliveries.in('installation', installation.id)]
  const notices = deliveries.filter(({ event }) => event.type === 'app.uninstalled')
  if (notices.length === 0) return Date.parse(installation.ended_at) + GRACE
  const acknowledged = notices.find(({ state }) => state === 'acknowledged')?.ended_at
  return acknowledged ? Date.parse(acknowledged) + GRACE : undefined
}
