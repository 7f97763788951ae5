import * as z from 'zod'
import { reset, restoreTo } from '../../emulator/world/reset.js'
import type { Settings } from '../../emulator/world/setting-table.js'
import { version } from '../../emulator/world/version.js'
import type { World } from '../../emulator/world/world.js'
import { invalid } from '../../foundation/http/refusal.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { fixtureDocument } from '../fixtures/document.js'
import { exportWorld } from '../fixtures/export-world.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { rejectEmptyDocument, replaceWorld } from '../fixtures/replace-world.js'
import { chapter, shape } from './call.js'
import { SNAPSHOT_PREFIX as PREFIX, renewIdsForRun } from './live-runs.js'
import { rejectName } from './named-records.js'
import { publishChange } from './publish-events.js'

const call = chapter('World')

const world = shape('World', 'The emulator: its addresses, settings and counts', {
  name: z.string(),
  version: z.string(),
  base_url: z.string(),
  app_url: z.string(),
  browser_url: z.string(),
  console_url: z.string().describe('URL of the console'),
  world: z.enum(['seeded', 'resumed']),
  store: z.string().describe('The file, or `memory`'),
  settings: z.record(z.string(), z.unknown()) as unknown as z.ZodType<Settings, Settings>,
  setting_sources: z
    .record(z.string(), z.enum(['given', 'fixture', 'default']))
    .describe('Source of each setting: given by a flag, option or variable; a fixture; or its default'),
  counts: z.record(z.string(), z.int()),
  start_counts: z.record(z.string(), z.int()).describe('Those of the world that a reset restores'),
  worlds: z.array(z.object({ index: z.int(), url: z.string() })),
  recording_since: z
    .string()
    .nullable()
    .describe("The time on the emulator's clock at which the recording that is under way began"),
  runs: z.array(z.string()).describe('Ids of the audits and sweeps that are running, in the order in which they began'),
})

function presentWorld(from: World): z.input<typeof world> {
  const { settings, addresses, origin, store } = from
  return {
    name: 'mockademy',
    version,
    ...addresses,
    console_url: `${addresses.browser_url}/_console`,
    world: origin.world,
    store: origin.store,
    settings: settings.admin_token === undefined ? settings : { ...settings, admin_token: '[redacted]' },
    setting_sources: settingSources(from),
    counts: store.counts(),
    start_counts: origin.counts,
    worlds: origin.worlds.toSorted((a, b) => a.index - b.index),
    recording_since: from.scenarios.recordingSince(),
    runs: [...from.runs],
  }
}

/** A flag, option or variable takes precedence over a fixture, and that over the default. wire: §8 */
function settingSources({ settings, origin, store }: Pick<World, 'settings' | 'origin' | 'store'>) {
  const fixture = store.fixture_settings.get('settings')?.values ?? {}
  const sources: z.input<typeof world>['setting_sources'] = {}
  for (const name in settings)
    sources[name] = name in origin.explicitSettings ? 'given' : name in fixture ? 'fixture' : 'default'
  return sources
}

/** Rejects a document that sets another admin token. control-api: "Who may call". @throws Refusal 400 */
function rejectOtherToken({ settings }: Pick<World, 'settings'>, document: unknown): void {
  const given = isObject(document) && isObject(document.settings) ? document.settings.admin_token : undefined
  if (given === undefined || given === settings.admin_token) return
  const message = 'cannot be set by a call; start the emulator with --admin-token or MOCKADEMY_ADMIN_TOKEN'
  throw invalid([{ path: 'settings.admin_token', message }])
}

const document = {
  body: fixtureDocument.meta({ id: 'FixtureDocument', description: 'A world as a document' }),
  uncheckedBody: 'a fixture document',
} as const

const snapshot = shape('Snapshot', 'A saved state of the world', {
  name: z.string(),
  created_at: z.string(),
  changes: z.int().describe('Records that differ from the present'),
})

export const listSnapshots = ({ store }: Pick<World, 'store'>): z.input<typeof snapshot>[] =>
  store
    .namedStates()
    .filter(({ name }) => name.startsWith(PREFIX))
    .map((state) => ({ ...state, name: state.name.slice(PREFIX.length) }))

/** @throws Refusal 404 */
function findSnapshot({ store }: Pick<World, 'store'>, name: string): z.input<typeof snapshot> {
  const names = () => listSnapshots({ store }).map((each) => each.name)
  return { ...(store.namedState(PREFIX + name) ?? rejectName('snapshot', name, names())), name }
}

/** @throws Refusal 404, or 400 for a snapshot that is not the later one. */
function mustBeLater(world: World, name: string, until: string): void {
  findSnapshot(world, until)
  const names = listSnapshots(world).map((each) => each.name)
  if (names.indexOf(until) <= names.indexOf(name)) {
    throw invalid([{ path: 'until', message: `must be a snapshot that was taken after "${name}"` }])
  }
}

export const worldCalls = {
  health: call('GET', '/healthz', {
    summary: 'Check that the emulator is ready',
    open: true,
    response: z.object({ status: z.literal('ok') }),
    handler: () => ({ status: 'ok' as const }),
  }),
  world: call('GET', '/_admin', {
    summary: 'Show the addresses, settings and counts of the world',
    note: 'Start here: addresses, counts of all records, and the settings in force.',
    response: world,
    handler: presentWorld,
  }),
  getState: call('GET', '/_admin/state', {
    summary: 'Export the whole world as a fixture document',
    note: 'Large, and contains every secret in clear text. To read a part, use the list calls.',
    response: fixtureDocument.meta({ id: 'State', description: 'The world as a fixture document' }),
    async handler(world) {
      // Waits for key pairs: without its pair, a key would get another one where the document is loaded.
      await world.keys.published()
      return exportWorld(world)
    },
  }),
  putState: call('PUT', '/_admin/state', {
    summary: 'Replace the world with a fixture document',
    note: 'Replaces everything in the world. To add to it, use addFixtures.',
    ...document,
    response: world,
    handler(world, { body }) {
      rejectOtherToken(world, body)
      replaceWorld(world, body)
      return presentWorld(world)
    },
  }),
  addFixtures: call('POST', '/_admin/fixtures', {
    summary: 'Add a fixture document to the world',
    note: 'Users, organizations with courses, modules and elements, apps, installations. If any part is invalid, nothing is added.',
    status: 201,
    ...document,
    response: z.object({ created: z.record(z.string(), z.array(z.string())).describe('Names and ids, by kind') }),
    handler(world, { body }) {
      rejectOtherToken(world, body)
      rejectEmptyDocument(body, 'to which it is added')
      const { created } = world.stream.renew('loaded', () =>
        world.store.change((tx) => loadFixtures(world, tx, [{ document: body }], { isRunning: true })),
      )
      world.outbox.resume()
      return { created }
    },
  }),
  reset: call('POST', '/_admin/reset', {
    summary: 'Restore the world that was loaded at start',
    loses: true,
    note: 'Also resets the clock, faults, sessions, journal and inboxes. To keep the current state, take a snapshot first.',
    command: { line: 'reset', shows: ['world', 'store', 'counts'] },
    response: world,
    handler(world) {
      reset(world)
      return presentWorld(world)
    },
  }),
  listSnapshots: call('GET', '/_admin/snapshots', {
    summary: 'List the snapshots',
    list: true,
    response: snapshot,
    handler: listSnapshots,
  }),
  snapshot: call('POST', '/_admin/snapshots', {
    summary: 'Take a snapshot of the present state',
    loses: true,
    status: 201,
    argument: 'name',
    body: z.strictObject({
      name: z
        .string()
        .min(1)
        .max(200)
        .refine((name) => name !== '.' && name !== '..', 'must not be "." or "..", which no path can name')
        .refine((name) => !/\p{Surrogate}/u.test(name), 'must be well-formed Unicode, since a path names it'),
    }),
    response: snapshot,
    handler(world, { body: { name } }) {
      world.store.nameState(PREFIX + name, world.clock.timestamp(null))
      renewIdsForRun(world, name)
      publishChange(world, 'snapshots', name, 'put')
      return findSnapshot(world, name)
    },
  }),
  restoreSnapshot: call('POST', '/_admin/snapshots/:name/restore', {
    summary: 'Restore a snapshot, older or newer than the present state',
    loses: true,
    note: 'With until, only what was changed between the two snapshots is undone; what has changed since stays, unless it is part of what goes.',
    bodyOptional: true,
    body: z.strictObject({
      until: z.string().min(1).optional().describe('Name of a later snapshot: what has changed since that one stays'),
    }),
    response: snapshot,
    find: (world, { name }) => findSnapshot(world, name),
    handler(world, { params: { name }, body: { until } }) {
      if (until !== undefined) mustBeLater(world, name, until)
      restoreTo(world, PREFIX + name, until === undefined ? undefined : PREFIX + until)
      return findSnapshot(world, name)
    },
  }),
  deleteSnapshot: call('DELETE', '/_admin/snapshots/:name', {
    summary: 'Delete a snapshot',
    response: snapshot,
    find: (world, { name }) => findSnapshot(world, name),
    handler(world, { found }) {
      world.store.forgetState(PREFIX + found.name)
      publishChange(world, 'snapshots', found.name)
      return found
    },
  }),
}
