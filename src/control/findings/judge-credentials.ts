import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { knownCredential } from '../../platform/authentication/known-credential.js'
import type { CreateJudge } from './judge.js'

/** How long after it has heard of an uninstall an app may still call. Milliseconds on the emulator's clock. */
const GRACE = 5_000

/** wrong_kind_of_token, token_in_url, call_after_uninstall. control-api: "Findings" */
export const judgeCredentials: CreateJudge = (world, report) => ({
  judge({ entry, bearer, form }) {
    if (entry.surface === 'api' && bearer !== undefined) {
      const name = knownCredential(world, bearer)?.name
      if (name && name !== 'An access token') {
        report('wrong_kind_of_token', entry, `${name} was sent to ${entry.method} ${entry.path}.`)
      }
    }
    const sent = form?.get('refresh_token') ?? form?.get('code')
    if (sent && world.store.tokens.by('secret', sent)?.kind === 'access') {
      report('wrong_kind_of_token', entry, 'An access token was sent to the token endpoint.')
    }
    // Pages are a person's, and the URL of a webhook is what the manifest says.
    const isCall = entry.surface === 'api' || entry.surface === 'oauth'
    const leaked = isCall && entry.search !== '' ? leakedIn(world, entry.search) : undefined
    if (leaked) report('token_in_url', entry, `${leaked} was sent in the URL of ${entry.method} ${entry.path}.`)
  },
})

/** What a query gives away. A code and its state belong in the query of a callback alone, which is not ours. */
function leakedIn({ store }: World, search: string): string | undefined {
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

/**
 * When the app must have stopped using a token; undefined when it need not have. Only what the app was told of, or could
 * not be told of for lack of a webhook, counts.
 */
export function goneSince({ store }: World, token: RecordOf<'tokens'>): number | undefined {
  const installation = store.installations.get(token.installation)
  if (installation?.state !== 'uninstalled' || installation.ended_at === null) return undefined
  const told = [...store.deliveries.in('installation', installation.id)].filter(
    ({ event }) => event.type === 'app.uninstalled',
  )
  if (told.length === 0) return Date.parse(installation.ended_at) + GRACE
  const acknowledged = told.find(({ state }) => state === 'acknowledged')?.ended_at
  return acknowledged ? Date.parse(acknowledged) + GRACE : undefined
}
