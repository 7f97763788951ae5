import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import type { Transaction } from '../../foundation/store/store.js'
import type { DeliveryRecord } from '../webhooks/delivery-record.js'
import type { AppRecord } from './app-record.js'
import { findApp, installedManifest } from './manifest.js'
import type { Manifest } from './manifest-schema.js'

type AppRequest = { manifest: Manifest } & Partial<Pick<AppRecord, 'client_id' | 'client_secret' | 'signing_secret'>>

/**
 * Registers an app. One client id and one secret identify it across all organizations. spec: §1
 * @throws Refusal 409 when its manifest id or client id is taken.
 */
export function createApp(world: Pick<World, 'clock' | 'random' | 'store'>, request: AppRequest): AppRecord {
  const { random, clock, store } = world
  return store.change((tx) => {
    // Drawn in the change: a refusal takes back what the generator has drawn.
    const { manifest, client_id = random.id('app_') } = request
    for (const name of [manifest.id, client_id]) {
      if (findApp(world, name)) throw new Refusal('conflict', { message: `The app "${name}" already exists` })
    }
    return tx.add('apps', {
      id: manifest.id,
      created_at: clock.timestamp(null),
      client_id,
      client_secret: request.client_secret ?? random.secret('cs_'),
      signing_secret: request.signing_secret ?? random.secret('ss_'),
      versions: [{ version: manifest.version, manifest, pushed_at: clock.timestamp(null) }],
    })
  })
}

/**
 * Pushes a manifest: one of a version that exists replaces it, leaves tokens alone and takes open deliveries to the
 * endpoint that it declares; one with a higher version becomes the newest, for organizations to upgrade to. spec: §3, §6, §9
 * @throws Refusal 400 when the manifest is another app's.
 */
export function pushManifest(world: Pick<World, 'clock' | 'store'>, app: AppRecord, manifest: Manifest): AppRecord {
  if (manifest.id !== app.id) {
    throw invalid([{ path: 'id', message: `must be "${app.id}", the id of the app it is pushed to` }])
  }
  const pushed = { version: manifest.version, manifest, pushed_at: world.clock.timestamp(null) }
  const exists = app.versions.some(({ version }) => version === manifest.version)
  const versions = exists
    ? app.versions.map((each) => (each.version === manifest.version ? pushed : each))
    : [...app.versions, pushed]
  return world.store.change((tx) => {
    const after = tx.put('apps', { ...app, versions })
    for (const delivery of [...world.store.deliveries.in('open', 'all')]) {
      if (delivery.app === app.id) redirectDelivery(world, tx, delivery)
    }
    return after
  })
}

/** Takes the next attempt of a delivery to the endpoint that the manifest of its version declares now. */
export function redirectDelivery({ store }: Pick<World, 'store'>, tx: Transaction, delivery: DeliveryRecord): void {
  const installation = store.installations.get(delivery.installation)
  const url = installation && installedManifest({ store }, installation)?.webhook?.url
  if (url !== undefined && url !== delivery.url) tx.put('deliveries', { ...delivery, url })
}

/** Removes an app with its installations, their tokens and deliveries, and the faults that match it. No webhook is sent. */
export function deleteApp({ store }: Pick<World, 'store'>, app: AppRecord): void {
  store.change((tx) => {
    // A fault keeps the name that it was given, so that no index finds it.
    for (const { id, match } of [...store.faults.all]) {
      if (match.app === app.id || match.app === app.client_id) tx.remove('faults', id)
    }
    tx.removeWithOwned('apps', app.id)
  })
}
