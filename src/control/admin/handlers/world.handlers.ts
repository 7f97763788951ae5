import { reset, restoreTo } from '../../../emulator/world/reset.js'
import { version } from '../../../emulator/world/version.js'
import type { World } from '../../../emulator/world/world.js'
import { exportWorld } from '../../fixtures/export-world.js'
import { loadFixtures } from '../../fixtures/load-fixtures.js'
import { replaceWorld } from '../../fixtures/replace-world.js'
import { refuseOtherToken } from '../access.js'
import type { CallResult, Handlers } from '../call-types.js'
import { health } from '../health.surface.js'
import type { worldSchemas } from '../schemas/world.schemas.js'
import { noSuch } from './no-such.js'

/** Baselines of snapshots are marked under names that `START` cannot have. */
const markOf = (name: string) => `snapshot:${name}`

function snapshots(world: World) {
  return world.store
    .marks()
    .filter(({ name }) => name.startsWith(markOf('')))
    .map((mark) => ({ ...mark, name: mark.name.slice(markOf('').length) }))
}

function findSnapshot(world: World, name: string) {
  const found = world.store.markNamed(markOf(name))
  if (found) return { ...found, name }
  const names = snapshots(world).map((snapshot) => snapshot.name)
  throw noSuch('snapshot', name, names)
}

function presentWorld(world: World): CallResult<'world'> {
  const { settings } = world
  return {
    name: 'mockademy',
    version,
    ...world.addresses,
    console_url: `${world.addresses.browser_url}/_console`,
    world: world.origin.world,
    store: world.origin.store,
    settings: settings.admin_token === undefined ? settings : { ...settings, admin_token: '[redacted]' },
    setting_sources: settingSources(world),
    counts: world.store.counts(),
    worlds: world.origin.worlds.toSorted((a, b) => a.index - b.index),
  }
}

/** A flag, option or variable counts more than a fixture, and that more than what holds by itself. wire: §8 */
function settingSources({ settings, origin, store }: World): CallResult<'world'>['setting_sources'] {
  const fixture = store.fixture_settings.get('settings')?.values ?? {}
  const sources: CallResult<'world'>['setting_sources'] = {}
  for (const name in settings)
    sources[name] = name in origin.explicitSettings ? 'given' : name in fixture ? 'fixture' : 'default'
  return sources
}

/** control-api: "World" */
export const worldHandlers: Handlers<keyof typeof worldSchemas> = {
  health,
  world: presentWorld,
  async getState(world) {
    // A key whose pair is still being made would be another one wherever the document goes.
    await world.keys.published()
    return exportWorld(world)
  },
  putState(world, { body }) {
    refuseOtherToken(world, body)
    replaceWorld(world, body)
    return presentWorld(world)
  },
  addFixtures(world, { body }) {
    refuseOtherToken(world, body)
    const { created } = world.stream.renew('loaded', () =>
      world.store.change((tx) => loadFixtures(world, tx, [{ document: body }])),
    )
    world.outbox.resume()
    return { created }
  },
  reset(world) {
    reset(world)
    return presentWorld(world)
  },
  listSnapshots: snapshots,
  snapshot(world, { body: { name } }) {
    world.store.mark(markOf(name), world.clock.timestamp())
    return findSnapshot(world, name)
  },
  restoreSnapshot(world, { params }) {
    const { name } = findSnapshot(world, params.name)
    restoreTo(world, markOf(name))
    return findSnapshot(world, name)
  },
  deleteSnapshot(world, { params }) {
    const snapshot = findSnapshot(world, params.name)
    world.store.forget(markOf(snapshot.name))
    return snapshot
  },
  async adminDocument(world) {
    const { adminDocument } = await import('../admin-document.js')
    return adminDocument(world.addresses.base_url)
  },
}
