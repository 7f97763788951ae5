import type { EndingWorld } from '../../emulator/world/retention.js'
import type { DeliveryListener } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import type { Transaction } from '../../foundation/store/store.js'
import { endTokens, mintPair } from '../authentication/tokens.js'
import { firstOwner, mayManage } from '../organizations/organizations.js'
import { putDelivery } from '../webhooks/envelope.js'
import type { AppRecord } from './app-record.js'
import { installedData, presentCredentials, uninstalledData } from './event-data.js'
import type { InstallationRecord } from './installation-record.js'
import { installedManifest, installScope, manifestOf, newestManifest } from './manifest.js'
import type { Manifest } from './manifest-schema.js'

export interface InstallRequest {
  app: AppRecord
  /** The slug of an organization that exists. */
  organization: string
  /** A user's id; the organization's first owner when null. */
  installer: string | null
  /** The newest pushed one when left out. */
  version?: string | undefined
  /** False: no webhook is sent. */
  announce?: boolean | undefined
}

/** The result of an install or an upgrade. control-api: "Installations" */
export type InstallResult = Awaited<ReturnType<typeof makeInstallation>>

/** Returns the installation of an app that is installed, or being uninstalled, in an organization. */
export const currentInstallation = (world: Pick<World, 'store'>, app: string, organization: string) =>
  world.store.installations.by('current', `${app}/${organization}`)

/**
 * Installs an app in an organization. The installation, its tokens and the delivery are one change, made before the app
 * is called: it calls back from inside its handler. Resolves when the app has acknowledged, or its window is over.
 * spec: §3, §6 rules 1 to 3
 * @throws Refusal 409 when it is installed there; 404 for a version that was never pushed; 400 without an installer,
 *   or with one who is neither owner nor admin.
 */
export async function install(world: World, request: InstallRequest): Promise<InstallResult> {
  const { app, organization, version, announce = true } = request
  const manifest = versionOf(app, version)
  const existing = currentInstallation(world, app.id, organization)
  if (existing) {
    const how = existing.state === 'uninstalling' ? 'is being uninstalled from' : 'is already installed in'
    throw new Refusal('conflict', { message: `${app.id} ${how} ${organization} (installation ${existing.id})` })
  }
  const installer = request.installer ?? firstOwner(world, organization)?.id
  if (installer === undefined) {
    throw invalid([{ path: 'installer', message: `is required: ${organization} has no owner to default to` }])
  }
  if (!mayManage(world, { id: installer }, organization)) {
    throw invalid([{ path: 'installer', message: `must be an owner or an admin of ${organization}` }])
  }
  return makeInstallation(world, { app, organization, installer, manifest, announce })
}

/**
 * Upgrades to another version: the old installation and everything that was issued for it end, and a new one with the
 * new version's scopes takes its place. spec: §3, wire: §7 "upgrade"
 * @param version the newest pushed one when left out.
 * @throws Refusal 409 unless it is installed, with another version, and by an owner or admin or in an organization with an owner;
 *   404 for a version that was never pushed.
 */
export async function upgrade(world: World, installation: InstallationRecord, version?: string) {
  const { app: id, organization } = installation
  const app = world.store.apps.get(id)
  if (!app) throw new Refusal('not_found', { message: `The app ${id} no longer exists` })
  const manifest = versionOf(app, version)
  refuseUnlessInstalled(installation)
  if (installation.version === manifest.version) {
    throw new Refusal('conflict', { message: `Version ${manifest.version} is already installed` })
  }
  const { installer: before } = installation
  const stays = before !== null && mayManage(world, { id: before }, organization)
  const installer = stays ? before : firstOwner(world, organization)?.id
  if (installer === undefined) {
    const message = `The installation ${installation.id} has no installer who is an owner or admin, and ${organization} has no owner to default to`
    throw new Refusal('conflict', { message })
  }
  return makeInstallation(world, { app, organization, installer, manifest, announce: true }, (tx) => {
    tx.put('installations', { ...installation, state: 'upgraded', ended_at: world.clock.timestamp(organization) })
    endTokens(world, tx, world.store.tokens.in('installation', installation.id), 'revoked', 'upgraded')
  })
}

/**
 * Uninstalls. The app gets the webhook first, with its tokens still valid; they are revoked when its first attempt has ended
 * (`completeUninstall`). spec: §3, wire: §7 "uninstall"
 * @returns the installation afterwards, which is still `uninstalling` when a fault postpones the attempt.
 * @throws Refusal 409 unless it is installed.
 */
export async function uninstall(world: World, installation: InstallationRecord) {
  refuseUnlessInstalled(installation)
  const url = installedManifest(world, installation)?.webhook?.url
  const leaving: InstallationRecord = { ...installation, state: 'uninstalling' }
  const delivery = world.store.change((tx) => {
    tx.put('installations', leaving)
    if (url === undefined) {
      completeUninstall(world, tx, leaving.id)
      return null
    }
    const data = uninstalledData(world, installation)
    return putDelivery(world, tx, { type: 'app.uninstalled', data, installation, url })
  })
  const attempted = delivery && (await world.outbox.deliver(delivery))
  return { installation: world.store.installations.get(installation.id) ?? leaving, delivery: attempted }
}

/** Ends an installation that is being uninstalled, and its tokens, those issued meanwhile too. spec: §3 */
function completeUninstall(world: EndingWorld, tx: Transaction, id: string): void {
  const installation = world.store.installations.get(id)
  if (installation?.state !== 'uninstalling') return
  const ended_at = world.clock.timestamp(installation.organization)
  tx.put('installations', { ...installation, state: 'uninstalled', ended_at })
  endTokens(world, tx, world.store.tokens.in('installation', id), 'revoked', 'uninstalled')
}

/**
 * Makes an installation with its tokens, sends its webhook, and waits for the first attempt.
 * @param before what the same change does first.
 */
async function makeInstallation(
  world: World,
  given: Pick<InstallRequest, 'app' | 'organization'> & { installer: string; manifest: Manifest; announce: boolean },
  before: (tx: Transaction) => void = () => {},
) {
  const { app, organization, installer, manifest, announce } = given
  const { installation, pair, delivery } = world.store.change((tx) => {
    before(tx)
    const now = world.clock.timestamp(organization)
    const mints = manifest.oauth?.install === true
    const installation = tx.add('installations', {
      id: world.random.id(),
      created_at: now,
      app: app.id,
      organization,
      version: manifest.version,
      installer,
      state: 'installed',
      scope: installScope(manifest),
      installed_at: now,
      ended_at: null,
    })
    const pair = mints ? mintPair(world, tx, { installation, grant: 'install', scope: installation.scope }) : null
    const url = announce ? manifest.webhook?.url : undefined
    if (url === undefined) return { installation, pair, delivery: null }
    const data = installedData(world, installation, pair)
    return { installation, pair, delivery: putDelivery(world, tx, { type: 'app.installed', data, installation, url }) }
  })
  const credentials = pair && presentCredentials(world, pair)
  const attempted = delivery && (await world.outbox.deliver(delivery))
  return {
    installation: world.store.installations.get(installation.id) ?? installation,
    /** The delivery after its first attempt; null without a webhook. */
    delivery: attempted,
    /** The post-install redirect; null without a `post_install_action`. */
    redirect_url: postInstallRedirect(manifest, organization),
    /** The credentials that the webhook has; null without `oauth.install`. */
    credentials,
  }
}

/** spec: §4.8 "Post-install redirect", wire: §7. Null when the manifest names none. */
export function postInstallRedirect({ post_install_action }: Manifest, organization: string): string | null {
  if (!post_install_action) return null
  const url = new URL(post_install_action.url)
  const given = url.search.slice(1)
  url.search = `${given}${given && !given.endsWith('&') ? '&' : ''}organization=${encodeURIComponent(organization)}`
  return url.href
}

function versionOf(app: AppRecord, version?: string): Manifest {
  if (version === undefined) return newestManifest(app)
  const manifest = manifestOf(app, version)
  if (manifest) return manifest
  const existing = app.versions.map((each) => each.version).join(', ')
  throw new Refusal('not_found', { message: `There is no version "${version}" of ${app.id}; there are: ${existing}` })
}

function refuseUnlessInstalled({ id, state }: InstallationRecord): void {
  if (state === 'installed') return
  const how = state === 'uninstalling' ? 'is being uninstalled' : `was ${state}`
  throw new Refusal('conflict', { message: `The installation ${id} ${how}` })
}

/**
 * Records `app.installed` for installations that came with a fixture document and asked for it, with the tokens that
 * were minted for them, in the change that loads them. fixtures: "Installations"
 */
export function putAnnouncements(
  world: Pick<World, 'clock' | 'forms' | 'random' | 'store'>,
  tx: Transaction,
  ids: string[],
): void {
  for (const id of ids) {
    const installation = world.store.installations.get(id)
    const url = installation && installedManifest(world, installation)?.webhook?.url
    if (!installation || url === undefined) continue
    const tokens = [...world.store.tokens.in('installation', id)].filter(({ grant }) => grant === 'install')
    const access = tokens.find(({ kind }) => kind === 'access')
    const refresh = tokens.find(({ kind }) => kind === 'refresh')
    const data = installedData(world, installation, access && refresh ? { access, refresh } : null)
    putDelivery(world, tx, { type: 'app.installed', data, installation, url })
  }
}

/**
 * Completes an uninstall when its `app.uninstalled` was attempted or cannot be: its tokens end then, and not before.
 * One that is postponed until after the next delivery counts as attempted, since the next delivery can only belong to a
 * new installation. wire: §7 "uninstall"
 */
export const createInstallationListener = (getWorld: () => World): DeliveryListener => ({
  onDeliveryChange(tx, { event, installation }) {
    if (event.type === 'app.uninstalled') completeUninstall(getWorld(), tx, installation)
  },

  onResume(open) {
    const world = getWorld()
    const { store } = world
    const leaving = new Set(
      open.filter(({ event }) => event.type === 'app.uninstalled').map(({ installation }) => installation),
    )
    const orphaned = [...store.installations.in('uninstalling', 'all')].filter(({ id }) => !leaving.has(id))
    if (orphaned.length === 0) return
    store.change((tx) => {
      for (const { id } of orphaned) completeUninstall(world, tx, id)
    })
  },
})
