import { announceInstallations } from '../../apps/installations.js'
import { exportWorld } from '../../fixtures/export-world.js'
import { type LoadedFixtures, loadFixtures } from '../../fixtures/load-fixtures.js'
import type { CollectionName } from '../../store/kind.js'
import { interrupt, reset, restoreTo } from '../../world/reset.js'
import { version } from '../../world/version.js'
import type { World } from '../../world/world.js'
import type { CallResult, Handlers } from '../call-types.js'
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
  const all = snapshots(world)
  const found = all.find((snapshot) => snapshot.name === name)
  if (found) return found
  const names = all.map((snapshot) => snapshot.name)
  throw noSuch('snapshot', name, names)
}

const counted = [
  'organizations',
  'users',
  'courses',
  'modules',
  'elements',
  'activities',
  'apps',
  'installations',
  'tokens',
  'deliveries',
  'sessions',
  'faults',
] as const satisfies CollectionName[]

function presentWorld(world: World): CallResult<'world'> {
  const { admin_token, ...settings } = world.settings
  return {
    name: 'mockademy',
    version,
    ...world.addresses,
    world: world.origin.world,
    store: world.origin.store,
    settings: { ...settings, ...(admin_token !== undefined && { admin_token: '[redacted]' }) },
    counts: Object.fromEntries(counted.map((name) => [name, world.store[name].all.size])),
    worlds: world.origin.worlds.toSorted((a, b) => a.index - b.index),
  }
}

/** Replaces the world. Clock and signing keys stay where the document does not say. */
function replaceWorld(world: World, document: unknown): LoadedFixtures {
  const kept = new Set<CollectionName>(['clock', ...(hasKeys(document) ? [] : (['keys'] as const))])
  return world.store.change((tx) => {
    for (const [collection, { id }] of [...world.store.records()]) if (!kept.has(collection)) tx.remove(collection, id)
    return loadFixtures(world, tx, [{ document }], { keepSequences: true })
  })
}

const hasKeys = (document: unknown) => ((document as { keys?: unknown[] } | null)?.keys?.length ?? 0) > 0

/** control-api: "World" */
export const worldHandlers: Handlers<keyof typeof worldSchemas> = {
  health: () => ({ status: 'ok' }),
  world: presentWorld,
  async getState(world) {
    // A key whose pair is still being made would be another one wherever the document goes.
    await world.keys.published()
    return exportWorld(world)
  },
  putState(world, { body }) {
    const { announce } = replaceWorld(world, body)
    interrupt(world)
    world.outbox.resume()
    announceInstallations(world, announce)
    return presentWorld(world)
  },
  addFixtures(world, { body }) {
    const { announce, created } = world.store.change((tx) => loadFixtures(world, tx, [{ document: body }]))
    world.outbox.resume()
    announceInstallations(world, announce)
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
    return adminDocument(world)
  },
}
