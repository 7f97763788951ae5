import type { AppRecord } from '../apps/app-record.js'
import { currentInstallation } from '../apps/installations.js'
import { newestManifest } from '../apps/manifest.js'
import type { Response } from '../http/response.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { mayManage } from '../organizations/organizations.js'
import type { UserRecord } from '../organizations/user-record.js'
import type { World } from '../world/world.js'
import { html } from './html.js'
import { page } from './page.js'
import type { SignedIn } from './sessions.js'

/** The organizations that a user manages, in the order in which they joined them. */
export const managedBy = (world: World, user: UserRecord): OrganizationRecord[] =>
  [...world.store.memberships.in('user', user.id)]
    .filter(({ organization }) => mayManage(world, user.id, organization))
    .flatMap(({ organization }) => world.store.organizations.get(organization) ?? [])

/** Those of them where an app is not installed. */
export const managedWithout = (world: World, user: UserRecord, app: AppRecord): OrganizationRecord[] =>
  managedBy(world, user).filter(({ id }) => !currentInstallation(world, app.id, id))

interface Missing {
  app: AppRecord
  /** The slug that the request was pinned to. */
  organization: string | null
  isMember: boolean
  reason: string
}

/** Says that the app cannot be signed in to, and lets those who may install it do so. wire: §6 */
export function notInstalledPage(world: World, { user }: SignedIn, missing: Missing): Response {
  const { app, organization, isMember, reason } = missing
  const { name } = newestManifest(app)
  const installable = managedWithout(world, user, app).filter(({ id }) => organization === null || organization === id)
  const where = organization !== null && (world.store.organizations.get(organization)?.name ?? organization)
  const said = !isMember
    ? html`You are not a member of the organization <strong>${organization}</strong>, so you cannot sign in to ${name} there.`
    : where
      ? html`${name} is not installed in <strong>${where}</strong>.`
      : html`${name} is not installed in any of your organizations.`
  const body = html`<section class="card">
<h1>${isMember ? html`${name} is not installed` : html`You cannot sign in to ${name}`}</h1>
<p>${said}</p>
${
  installable.length > 0
    ? installable.map(
        ({ id, name: organizationName }) => html`<form method="get" action="/apps/${app.id}/install?organization=${id}">
<input type="hidden" name="organization" value="${id}">
<div class="actions"><button>Install in ${organizationName}</button></div>
</form>`,
      )
    : isMember && html`<p class="soft">Ask an owner or an admin of your organization to install it.</p>`
}
</section>`
  return page({ status: 403, title: `${name}: not installed`, body, user, reason })
}
