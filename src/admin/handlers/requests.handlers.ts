import { matchesPath } from '../../http/path-pattern.js'
import { hidingSecretsOf } from '../../journal/known-secrets.js'
import { presentEntry } from '../../journal/present-entry.js'
import type { JournalEntry } from '../../world/exchange.js'
import type { World } from '../../world/world.js'
import type { Handlers } from '../call-types.js'
import type { RequestFilters, requestSchemas } from '../schemas/requests.schemas.js'

/** The newest `limit` of the entries that all filters let through, oldest first. */
function filtered(world: World, { since, limit, path, ...exact }: RequestFilters): JournalEntry[] {
  const isLater = laterThan(since)
  const found = world.journal
    .entries()
    .filter(
      ({ id, at, surface, method, status, identity, ...entry }) =>
        isLater(id, at) &&
        (path === undefined || matchesPath(path, entry.path)) &&
        (exact.surface === undefined || exact.surface === surface) &&
        (exact.method === undefined || exact.method === method) &&
        (exact.status === undefined || exact.status === status) &&
        (exact.app === undefined || exact.app === identity.app || clientIdOf(world, identity.app) === exact.app) &&
        (exact.organization === undefined || exact.organization === identity.organization),
    )
  return limit === undefined ? found : found.slice(-limit)
}

/** An entry's id leaves it out itself; a moment is counted in. */
function laterThan(since: number | string | undefined): (id: number, at: string) => boolean {
  if (since === undefined) return () => true
  if (/^\d+$/.test(String(since))) return (id) => id > Number(since)
  const from = new Date(since).toISOString()
  return (_, at) => at >= from
}

const clientIdOf = (world: World, app: string | undefined) => app && world.store.apps.get(app)?.client_id

/** control-api: "Journal" */
export const requestHandlers: Handlers<keyof typeof requestSchemas> = {
  listRequests(world, { query }) {
    const hide = hidingSecretsOf(world)
    return filtered(world, query).map((entry) => presentEntry(entry, hide))
  },
  countRequests: (world, { query }) => ({ count: filtered(world, query).length }),
  clearRequests(world) {
    const affected = world.journal.entries().length
    world.journal.clear()
    return { affected }
  },
}
