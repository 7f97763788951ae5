import { describeEffect } from '../../emulator/faults/faults.js'
import { callTable } from '../admin/call-table.js'
import type { CallName } from '../admin/calls.js'
import { mapLines } from '../coverage/map-lines.js'
import type { ReadCall, RecordedRun } from './run-report.js'

/** Reads what `recorded` has of a run from the emulator itself. */
async function readRecorded(read: ReadCall, query: { organization?: string }): Promise<RecordedRun> {
  const [entries, deliveries, findings, faults, { moves = [] }, apps] = await Promise.all([
    read('listRequests', { query }),
    read('listDeliveries', { query }),
    read('listFindings', { query }),
    read('listFaults'),
    read('clock', { query: { with: 'moves' } }),
    read('listApps'),
  ])
  const coverage = await Promise.all(apps.map(({ id }) => read('getCoverage', { query: { app: id } })))
  return { entries, deliveries, findings, faults, moves, coverage, bodyLimit: null, leftOut: 0 }
}

/**
 * Leaves out the manifests and worlds in the lines that close gaps, because they may hold secrets, and the address of
 * this emulator, because a reader runs the lines against another one.
 */
const withoutDocuments = (report: RecordedRun['coverage'][number], address: string) =>
  mapLines(report, (line) => line.replaceAll(` --url ${address}`, '').replace(/printf %s '(?:[^']|'\\'')*'/g, 'cat …'))

/**
 * Reads a run, or what is not `recorded` of it. The rest has no manifests, members and contents of organizations, and no
 * inboxes: these may hold secrets, and much that the run did not touch.
 */
export async function collect(read: ReadCall, organization: string | undefined, recorded?: RecordedRun) {
  const query = organization === undefined ? {} : { organization }
  const run = recorded ?? (await readRecorded(read, query))
  const { entries, moves, coverage, findings, faults } = run
  const [world, clock, installations, tokens, apps, liberties] = await Promise.all([
    read('world'),
    read('clock'),
    read('listInstallations', { query }),
    read('listTokens', { query }),
    read('listApps'),
    read('getLiberties'),
  ])
  const covered = coverage.map((each) => withoutDocuments(each, world.base_url))
  const organizations = [...new Set(entries.flatMap(({ organization }) => organization ?? []))].sort()
  const rest = {
    ...byCallPath({
      world,
      // The time at which the report was written stays the page's present.
      clock: { ...clock, frozen: true, moves },
      listInstallations: installations,
      listTokens: tokens,
      listApps: apps.map(({ id, client_id, name, versions }) => ({
        id,
        client_id,
        name,
        versions: versions.map(({ version, pushed_at }) => ({ version, pushed_at })),
      })),
      listOrganizations: organizations.map((slug) => ({ slug, name: slug })),
      getLiberties: liberties,
      listFindings: findings,
      // Texts and claims in an effect may be secret.
      listFaults: faults.map((fault) => ({ ...fault, effect: describeEffect(fault.effect) })),
      ...(covered[0] && { getCoverage: covered[0] }),
    }),
    ...Object.fromEntries(
      covered.map((each) => [`${callTable.getCoverage.path}?app=${encodeURIComponent(each.app)}`, each]),
    ),
  }
  return { run, url: world.base_url, rest }
}

/** Returns the results by the paths of their calls. */
export const byCallPath = (byName: Partial<Record<CallName, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(byName).map(([name, result]) => [callTable[name as CallName].path, result]))
