import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { isSuccessStatus } from '../../foundation/http/statuses.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Change } from '../../foundation/store/store.js'
import { postInstallRedirect } from '../../platform/apps/installations.js'
import { installedManifest } from '../../platform/apps/manifest.js'
import { isLifecycleEvent } from '../../platform/webhooks/lifecycle-events.js'
import { Recent } from '../findings/recent.js'
import type { Meet, MeteredWorld } from './meter.js'

type Installation = RecordOf<'installations'>
type Delivery = RecordOf<'deliveries'>
type Attempts = { acknowledged: boolean; failed: boolean }
type MeetColumn = (column: string) => void

/** Milliseconds of the emulator's clock after which an event is late. */
const LATE = 60_000

/** The row of the events that an app cannot know. */
export const UNKNOWN_TYPE = 'unknown type'

/** Counts what webhooks an app receives, and how. coverage: group `webhooks` */
export function meetWebhooks(world: MeteredWorld): (entry: JournalEntry, meet: Meet) => void {
  /** Earlier attempts, keyed by delivery. */
  const attempts = new Recent<string, Attempts>()
  /** The newest event that was acknowledged, keyed by app and organization. */
  const newest = new Recent<string, number>()

  function meetGenuine(entry: JournalEntry, record: Delivery | undefined, before: Attempts, meets: MeetColumn): void {
    const { at, status, identity } = entry
    const isAcknowledged = isSuccessStatus(status)
    const place = `${identity.app}/${identity.organization}`
    const sequence = record?.sequence ?? 0
    if (isAcknowledged) meets('acknowledged')
    if (before.acknowledged) meets('twice')
    else if (sequence < (newest.get(place) ?? 0)) meets('out-of-order')
    if (before.failed) meets('failed-first')
    if (record && Date.parse(at) - Date.parse(record.created_at) >= LATE) meets('late')
    if (isAcknowledged) newest.set(place, Math.max(sequence, newest.get(place) ?? 0))
  }

  return (entry, meet) => {
    const { delivery, status, request } = entry
    if (!delivery) return
    const { id, event, sent } = delivery
    const isAcknowledged = isSuccessStatus(status)
    const before = attempts.get(id) ?? { acknowledged: false, failed: false }
    attempts.set(id, { acknowledged: before.acknowledged || isAcknowledged, failed: before.failed || !isAcknowledged })
    if (status === null) return
    const record = world.store.deliveries.get(id)
    if (!isLifecycleEvent(event)) {
      const isUnknown = sent === 'genuine' && !isSubscribed(world, record, event)
      if (isUnknown && isAcknowledged) meet('webhooks', UNKNOWN_TYPE, 'acknowledged')
      return
    }
    const meets = (column: string) => meet('webhooks', event, column)
    if (sent === 'forged') meets(!record || record.body === request.body ? 'forged' : 'altered')
    // Any other is signed, but not the event: of another body, or with another event's id.
    if (sent === 'genuine') meetGenuine(entry, record, before, meets)
  }
}

function isSubscribed(world: MeteredWorld, delivery: Delivery | undefined, event: string): boolean {
  const installation = delivery && world.store.installations.get(delivery.installation)
  return (installation && installedManifest(world, installation)?.webhook?.events?.includes(event)) === true
}

/** A change of an installation, as a row of the group `life`. */
export type LifeRow = 'install' | 'upgrade' | 'uninstall' | 'reinstall'

/** An installation, upgrade or uninstall, until an exchange shows it. */
export interface LifeEvent {
  row: LifeRow
  app: string
  organization: string
  installation: string
}

/** Returns the installations, upgrades and uninstalls that a change of the store holds. */
export function lifeEventsIn(world: Pick<World, 'store'>, changes: Change[]): LifeEvent[] {
  const changed = changes.filter(({ collection }) => collection === 'installations') as {
    before: Installation | null
    after: Installation | null
  }[]
  return changed.flatMap(({ before, after }) => {
    const row = after && rowOf(world, before, after, changed)
    return row ? [{ row, app: after.app, organization: after.organization, installation: after.id }] : []
  })
}

function rowOf(
  { store }: Pick<World, 'store'>,
  before: Installation | null,
  after: Installation,
  changed: { after: Installation | null }[],
): LifeRow | undefined {
  const isLeaving = after.state === 'uninstalling' || after.state === 'uninstalled'
  if (before) return before.state === 'installed' && isLeaving ? 'uninstall' : undefined
  const isSamePlace = (other: Installation | null) =>
    other !== null && other.id !== after.id && other.app === after.app && other.organization === after.organization
  if (changed.some((other) => isSamePlace(other.after) && other.after?.state === 'upgraded')) return 'upgrade'
  const earlier = [...store.installations.in('organization', after.organization)].some(isSamePlace)
  return earlier ? 'reinstall' : 'install'
}

/**
 * Counts installs, upgrades and uninstalls, and whether the redirect after an install was followed: the web app sends the
 * browser to the address, or the app's page there asks the platform who the person is. coverage: group `life`
 */
export function meetLife(world: MeteredWorld) {
  /** The row of each installation, by its id. */
  const rows = new Recent<string, LifeRow>()
  /** Post-install addresses that no browser has opened yet, by app and organization. */
  const landings = new Recent<string, { row: LifeRow; url: string }>()

  return {
    happened({ row, app, organization, installation }: LifeEvent, meet: Meet): void {
      rows.set(installation, row)
      meet('life', row, 'done', app)
      const place = `${app} ${organization}`
      if (row === 'uninstall') landings.delete(place)
      const record = world.store.installations.get(installation)
      const manifest = record && installedManifest(world, record)
      const url = manifest && postInstallRedirect(manifest, organization)
      if (url && (row === 'install' || row === 'reinstall')) landings.set(place, { row, url })
    },

    /** An attempt of a lifecycle event. */
    attempted({ delivery, status }: JournalEntry, meet: Meet): void {
      if (!delivery || !isLifecycleEvent(delivery.event) || isSuccessStatus(status)) return
      const installation = world.store.deliveries.get(delivery.id)?.installation ?? ''
      const arrived = rows.get(installation) ?? 'install'
      meet('life', delivery.event === 'app.uninstalled' ? 'uninstall' : arrived, 'webhook-failed')
    },

    /** A redirect of the web app, or an authorization request for an organization. */
    browsed({ surface, search, identity: { app = '', organization }, response }: JournalEntry, meet: Meet): void {
      if (landings.size === 0) return
      const isAsking = surface === 'oauth'
      const place = `${app} ${(isAsking ? new URLSearchParams(search).get('organization') : organization) ?? ''}`
      const landing = landings.get(place)
      if (!landing || !(isAsking || response.headers.location === landing.url)) return
      landings.delete(place)
      meet('life', landing.row, 'redirected', app)
    },
  }
}
