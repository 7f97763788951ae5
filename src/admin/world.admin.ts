import * as z from 'zod'
import { fixtureDocument } from '../fixtures/document.js'
import { exportWorld } from '../fixtures/export-world.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { replaceWorld } from '../fixtures/replace-world.js'
import { jsonBody } from '../http/json-body.js'
import { invalid } from '../http/refusal.js'
import { type Route, route } from '../http/route.js'
import { reset, restoreTo } from '../world/reset.js'
import { version } from '../world/version.js'
import type { World } from '../world/world.js'
import { bodyOf, created, list, noSuch, ok, strict } from './answer.js'

const source = 'control-api: World'
const counts = z.record(z.string(), z.int())

export const worldShape = z.object({
  name: z.string(),
  version: z.string(),
  base_url: z.string(),
  app_url: z.string(),
  browser_url: z.string(),
  world: z.enum(['seeded', 'resumed']),
  store: z.string(),
  settings: z.record(z.string(), z.unknown()),
  counts,
  worlds: z.array(z.object({ index: z.int(), url: z.string() })),
})

export const snapshotShape = z.object({ name: z.string(), created_at: z.string(), changes: z.int() })
export const snapshotRequest = strict({ name: z.string().min(1).max(200) })

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

function presentWorld(world: World): z.input<typeof worldShape> {
  const { admin_token, ...settings } = world.settings
  return {
    name: 'mockademy',
    version,
    ...world.addresses,
    world: world.origin.world,
    store: world.origin.store,
    settings: { ...settings, ...(admin_token !== undefined && { admin_token: '[redacted]' }) },
    counts: world.store.counts(),
    worlds: world.origin.worlds.toSorted((a, b) => a.index - b.index),
  }
}

/** A fixture document's body; `path`s of its faults need no file. */
function documentOf(request: Parameters<typeof jsonBody>[0]): unknown {
  const document = jsonBody(request)
  if (document === undefined) throw invalid([{ path: '', message: 'a fixture document is needed' }])
  return document
}

/** control-api: "World" */
export const worldRoutes: Route[] = [
  route(
    'GET',
    '/healthz',
    {
      id: 'health',
      summary: 'Whether it serves',
      source,
      answer: z.object({ status: z.literal('ok') }),
      open: true,
    },
    () => ok({ status: 'ok' }),
  ),
  route(
    'GET',
    '/_admin',
    { id: 'world', summary: 'Addresses, settings and counts of this world', source, answer: worldShape },
    (world) => ok(presentWorld(world)),
  ),
  route(
    'GET',
    '/_admin/state',
    { id: 'getState', summary: 'The whole world as a fixture document', source, answer: fixtureDocument },
    async (world) => {
      // A key whose pair is still being made would be another one wherever the document goes.
      await world.keys.published()
      return ok(exportWorld(world))
    },
  ),
  route(
    'PUT',
    '/_admin/state',
    {
      id: 'putState',
      summary: 'Replace the world by a fixture document',
      source,
      body: fixtureDocument,
      answer: worldShape,
    },
    (world, request) => {
      replaceWorld(world, documentOf(request))
      return ok(presentWorld(world))
    },
  ),
  route(
    'POST',
    '/_admin/fixtures',
    {
      id: 'addFixtures',
      summary: 'Add a fixture document to the world',
      source,
      body: fixtureDocument,
      answer: z.object({ created: z.record(z.string(), z.array(z.string())) }),
      status: 201,
    },
    (world, request) => {
      const document = documentOf(request)
      const loaded = world.store.change((tx) => loadFixtures(world, tx, [{ document }]))
      world.outbox.resume()
      return created({ created: loaded.created })
    },
  ),
  route(
    'POST',
    '/_admin/reset',
    { id: 'reset', summary: 'Back to the world that was loaded at start', source, answer: worldShape },
    (world) => {
      reset(world)
      return ok(presentWorld(world))
    },
  ),
  route(
    'GET',
    '/_admin/snapshots',
    { id: 'listSnapshots', summary: 'Snapshots', source, answer: z.object({ data: z.array(snapshotShape) }) },
    (world) => list(snapshots(world)),
  ),
  route(
    'POST',
    '/_admin/snapshots',
    {
      id: 'snapshot',
      summary: 'Name the present state',
      source,
      body: snapshotRequest,
      answer: snapshotShape,
      status: 201,
    },
    (world, request) => {
      const { name } = bodyOf(request, snapshotRequest)
      world.store.mark(markOf(name), world.clock.timestamp())
      return created(findSnapshot(world, name))
    },
  ),
  route(
    'POST',
    '/_admin/snapshots/:name/restore',
    { id: 'restoreSnapshot', summary: 'Go to a snapshot, back or forward', source, answer: snapshotShape },
    (world, request) => {
      const { name } = findSnapshot(world, request.params.name)
      restoreTo(world, markOf(name))
      return ok(findSnapshot(world, name))
    },
  ),
  route(
    'DELETE',
    '/_admin/snapshots/:name',
    { id: 'deleteSnapshot', summary: 'Forget a snapshot', source, answer: snapshotShape },
    (world, request) => {
      const snapshot = findSnapshot(world, request.params.name)
      world.store.forget(markOf(snapshot.name))
      return ok(snapshot)
    },
  ),
]
