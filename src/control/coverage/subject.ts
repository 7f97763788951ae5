import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { currentInstallation } from '../../platform/apps/installations.js'
import { newestManifest } from '../../platform/apps/manifest.js'
import { firstOwner } from '../../platform/organizations/organizations.js'
import type { LifecycleEvent } from '../../platform/webhooks/lifecycle-events.js'
import type { ClosingStep } from './closing.js'
import type { LifeRow } from './meet-webhooks.js'
import { sampleDocument, sampleId } from './path-records.js'

/** An app, and the steps that bring it into each state. */
export type Subject = ReturnType<typeof subjectOf>

/**
 * Returns an app with the steps that install, upgrade and uninstall it.
 * @param isAnywhere true: they use only what they have created, so that they work in any world, not just the present one.
 */
export function subjectOf(world: Pick<World, 'store'>, app: AppRecord, isAnywhere = false) {
  const { store } = world
  const own = [...store.organizations.all].filter(
    ({ id, run }) => !isAnywhere && run === undefined && firstOwner(world, id),
  )
  const hasApp = ({ id }: { id: string }) => currentInstallation(world, app.id, id)?.state === 'installed'
  const hadApp = ({ id }: { id: string }) =>
    [...store.installations.in('organization', id)].some((each) => each.app === app.id)

  const installed = own.find(hasApp)?.id
  const unused = own.find((each) => !hadApp(each))?.id
  const created = slugFor(world)
  const organization = installed ?? unused ?? created
  const known = isAnywhere ? undefined : (firstOwner(world, organization) ?? store.users.all.at(0))?.id
  const user = known ?? sampleId(created, 'members')
  const at = (slug: string) => ({ app: app.id, organization: slug })
  const populating: ClosingStep[] = [{ fixtures: sampleDocument(created) }, { install: at(created) }]
  const member = (slug: string): ClosingStep => ({ member: { organization: slug, user, role: 'owner' } })
  const createAndInstall = (slug: string): ClosingStep[] => [
    { organization: { slug, name: slug } },
    member(slug),
    { install: at(slug) },
  ]
  const createNew = known === undefined ? populating : createAndInstall(created)
  const installNew = unused === undefined ? createNew : [{ install: at(unused) }]
  const other = own.find((each) => each.id !== organization && !hadApp(each))?.id
  const installInOther =
    other === undefined ? createAndInstall(slugFor(world, organization)) : [member(other), { install: at(other) }]
  const ensureInstalled = installed === undefined ? installNew : []
  const uninstall = { uninstall: at(organization) }
  const install = { install: at(organization) }
  const reinstall = [...ensureInstalled, uninstall, install]

  return {
    app,
    manifest: newestManifest(app),
    /** The organization where it is installed; one that `ensureInstalled` installs it in when there is none. */
    organization,
    user,
    /** Steps that install it in `organization`; none if it is installed. */
    ensureInstalled,
    /** An organization with two records of each kind, and the steps that create it and install the app. */
    populated: { organization: created, ensureInstalled: populating },
    /** Steps that install it in another organization, of which the user is a member too. */
    installInAnother: [...ensureInstalled, ...installInOther],
    life: {
      install: installNew,
      upgrade: [...ensureInstalled, ...upgrade(world, app, at(organization))],
      uninstall: [...ensureInstalled, uninstall],
      reinstall,
    } satisfies Record<LifeRow, ClosingStep[]>,
    events: {
      'app.installed': installed === undefined ? ensureInstalled : reinstall,
      'app.uninstalled': [...ensureInstalled, uninstall],
    } satisfies Record<LifecycleEvent, ClosingStep[]>,
  }
}

/** @param taken another organization that is to be created. */
function slugFor({ store }: Pick<World, 'store'>, taken?: string): string {
  let number = 1
  while (store.organizations.get(`coverage-${number}`) || taken === `coverage-${number}`) number++
  return `coverage-${number}`
}

/** Steps that upgrade an app where it is installed, after pushing a version where there is no newer one. */
function upgrade(
  world: Pick<World, 'store'>,
  app: AppRecord,
  place: { app: string; organization: string },
): ClosingStep[] {
  const manifest = newestManifest(app)
  const current = currentInstallation(world, place.app, place.organization)
  if (current && current.version !== manifest.version) return [{ upgrade: place }]
  const [major = 0] = manifest.version.split('.').map(Number)
  return [{ push: { ...manifest, version: `${major + 1}.0.0` } }, { upgrade: place }]
}
