import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import { presentEntry } from '../../../emulator/journal/present-entry.js'
import type { JournalEntry } from '../../../emulator/world/exchange.js'
import type { World } from '../../../emulator/world/world.js'
import { matchesPath } from '../../../foundation/http/path-pattern.js'
import type { Handlers } from '../call-types.js'
import type { RequestFilters, requestSchemas } from '../schemas/requests.schemas.js'
import { appOf, organizationOf } from './named-records.js'

/**
 * The newest `limit` of the entries that all filters let through, oldest first.
 * @throws Refusal 404 for an app or organization that neither the world nor the journal knows.
 */
function filtered(world: World, { since, limit, path, ...exact }: RequestFilters): JournalEntry[] {
  const isLater = laterThan(since)
  const app = exact.app === undefined ? undefined : named(world, 'app', exact.app)
  const organization = exact.organization === undefined ? undefined : named(world, 'organization', exact.organization)
  const found = world.journal
    .entries()
    .filter(
      ({ id, at, surface, method, status, identity, ...entry }) =>
        isLater(id, at) &&
        (path === undefined || matchesPath(path, entry.path)) &&
        (exact.surface === undefined || exact.surface === surface) &&
        (exact.method === undefined || exact.method === method) &&
        (exact.status === undefined || exact.status === status) &&
        (app === undefined || app === identity.app) &&
        (organization === undefined || organization === identity.organization),
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

const recordOf = { app: appOf, organization: organizationOf }

/** The id by which entries have what a filter names. What has been deleted since is found by its entries. */
function named(world: World, what: keyof typeof recordOf, name: string): string {
  const isInJournal = world.journal.entries().some(({ identity }) => identity[what] === name)
  return isInJournal ? name : recordOf[what](world, name).id
}

/** control-api: "Journal" */
export const requestHandlers: Handlers<keyof typeof requestSchemas> = {
  listRequests(world, { query }) {
    const hide = createRedactor(world)
    return filtered(world, query).map((entry) => presentEntry(entry, hide))
  },
  countRequests: (world, { query }) => ({ count: filtered(world, query).length }),
  clearRequests(world) {
    const affected = world.journal.entries().length
    world.journal.clear()
    return { affected }
  },
}
