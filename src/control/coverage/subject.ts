import type { World } from '../../emulator/world/world.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { currentInstallation } from '../../platform/apps/installations.js'
import { newestManifest } from '../../platform/apps/manifest.js'
import { firstOwner } from '../../platform/organizations/organizations.js'
import type { LifecycleEvent } from '../../platform/webhooks/lifecycle-events.js'
import type { ClosingStep } from './closing.js'
import type { LifeRow } from './meet-webhooks.js'
import { sampleDocument, sampleId } from './path-records.js'

/** An app, and the places where lines can do something with it. */
export type Subject = ReturnType<typeof subjectOf>

/**
 * Returns an app with the steps that install, upgrade and uninstall it in the present world.
 * @param isApart the steps are for a world that may be another one: they name only what they have made.
 */
export function subjectOf(world: Pick<World, 'store'>, app: AppRecord, isApart = false) {
  const { store } = world
  const manifest = newestManifest(app)
  const isOwn = ({ id, run }: { id: string; run?: string | undefined }) => run === undefined && firstOwner(world, id)
  const own = isApart ? [] : [...store.organizations.all].filter(isOwn)
  const hasApp = ({ id }: { id: string }) => currentInstallation(world, app.id, id)?.state === 'installed'
  const hadApp = ({ id }: { id: string }) =>
    [...store.installations.in('organization', id)].some((each) => each.app === app.id)

  const installed = own.find(hasApp)?.id
  const unused = own.find((each) => !hadApp(each))?.id
  const created = slugFor(world)
  const organization = installed ?? unused ?? created
  const known = isApart ? undefined : (firstOwner(world, organization) ?? store.users.all.at(0))?.id
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
  const arriving = installed === undefined ? installNew : []
  const uninstall = { uninstall: at(organization) }
  const install = { install: at(organization) }
  const again = [...arriving, uninstall, install]

  return {
    app,
    manifest,
    /** The organization where it is installed; one that `arriving` installs it in when there is none. */
    organization,
    /** Someone who can sign in there. */
    user,
    /** Steps after which it is installed in `organization`. */
    arriving,
    /** An organization that has two records of each kind once `arriving` has made it. */
    populated: { organization: created, arriving: populating },
    /** Steps that install it in another organization, of which the user is a member too. */
    elsewhere: [...arriving, ...installInOther],
    life: {
      install: installNew,
      upgrade: [...arriving, ...upgrade(world, app, at(organization))],
      uninstall: [...arriving, uninstall],
      reinstall: again,
    } satisfies Record<LifeRow, ClosingStep[]>,
    /** Steps that cause each event. */
    events: {
      'app.installed': installed === undefined ? arriving : again,
      'app.uninstalled': [...arriving, uninstall],
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
