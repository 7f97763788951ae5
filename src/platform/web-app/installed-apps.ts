import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { AppRecord } from '../apps/app-record.js'
import type { InstallationRecord } from '../apps/installation-record.js'
import { currentInstallation, uninstall, upgrade } from '../apps/installations.js'
import { findApp, newestManifest } from '../apps/manifest.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { managedBy, mayManage } from '../organizations/organizations.js'
import type { UserRecord } from '../organizations/user-record.js'
import { confirmationPage, csrfField, type FormWorld, organizationField, sureField } from './forms.js'
import { type Html, html, seeOther } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns the apps of an organization, each with what can be done about it. spec: §3 */
export function installedApps(world: FormWorld, session: SignedIn, organization: OrganizationRecord): Html {
  const rows = [...world.store.apps.all].flatMap((app) => {
    const installation = currentInstallation(world, app.id, organization.id)
    if (!installation) return []
    const { name, version } = newestManifest(app)
    const isLeaving = installation.state === 'uninstalling'
    const action = (
      what: 'upgrade' | 'uninstall',
      label: Html | string,
    ) => html`<form class="inline" method="post" action="/apps/${app.id}/${what}">
${csrfField(world, session)}
${organizationField(organization.id)}
<button class="quiet" aria-label="${label}: ${name} in ${organization.name}">${label}</button>
</form>`
    return [
      html`<li><span><strong>${name}</strong> <span class="tag">${installation.version}</span>
${isLeaving && html`<span class="soft small">is being uninstalled</span>`}
${unacknowledged(world, installation)}</span>
${!isLeaving && html`<div class="actions">${version !== installation.version && action('upgrade', html`Upgrade to ${version}`)}${action('uninstall', 'Uninstall')}</div>`}</li>`,
    ]
  })
  return rows.length > 0
    ? html`<h3>Apps</h3><ul class="plain">${rows}</ul>`
    : html`<p class="soft small">No apps are installed.</p>`
}

/** Returns the notice on the page when the app has not acknowledged its installation; undefined when it has. spec: §6.3 */
export function unacknowledged(world: Pick<World, 'store'>, installation: InstallationRecord): Html | undefined {
  const delivery = [...world.store.deliveries.in('installation', installation.id)].find(
    ({ event }) => event.type === 'app.installed',
  )
  if (!delivery || delivery.state === 'acknowledged') return undefined
  const error = delivery.attempts.at(-1)?.error
  let next = ''
  if (delivery.due_at) next = ` The next attempt is due at ${delivery.due_at}.`
  else if (delivery.state === 'failed') next = ' No attempts are left.'
  return html`<p class="note warn">The app has not acknowledged the installation${error ? `: ${error}` : ''}.${next}</p>`
}

/** Upgrades to the newest version, and goes back to the integrations. spec: §3 */
export async function upgradeInstalled(
  world: World,
  session: SignedIn,
  id: string,
  form: URLSearchParams,
): Promise<Response> {
  await upgrade(world, findInstalled(world, session, id, form).installation)
  return seeOther('/settings/integrations')
}

/** Asks first, then uninstalls. spec: §3 */
export async function uninstallInstalled(
  world: World,
  session: SignedIn,
  id: string,
  form: URLSearchParams,
): Promise<Response> {
  const { app, organization, installation } = findInstalled(world, session, id, form)
  if (form.get('sure') === 'yes') {
    await uninstall(world, installation)
    return seeOther('/settings/integrations')
  }
  const { name } = newestManifest(app)
  return confirmationPage(world, session, {
    title: `Uninstall ${name}?`,
    text: html`Every token that ${name} has for <strong>${organization.name}</strong> is revoked. To restore access, install the app again.`,
    action: `/apps/${app.id}/uninstall`,
    fields: html`${organizationField(organization.id)}${sureField}`,
    button: 'Uninstall',
    cancel: '/settings/integrations',
  })
}

/** @throws Refusal 404 and 403 for what the person does not manage, 409 for an app that is not installed there. */
function findInstalled(world: Pick<World, 'store'>, session: SignedIn, id: string, form: URLSearchParams) {
  const app = appAt(world, id)
  const organization = findManaged(world, session, form.get('organization') ?? '')
  const installation = currentInstallation(world, app.id, organization.id)
  if (installation) return { app, organization, installation }
  throw new Refusal('conflict', { message: `${newestManifest(app).name} is not installed in ${organization.name}.` })
}

/** Returns the app that an address names. @throws Refusal 404 */
export function appAt(world: Pick<World, 'store'>, idOrClientId: string): AppRecord {
  const app = findApp(world, idOrClientId)
  if (app) return app
  throw new Refusal('not_found', { message: `There is no app "${idOrClientId}".` })
}

/** Returns an organization that the person manages. @throws Refusal 404 and 403 */
export function findManaged(world: Pick<World, 'store'>, { user }: SignedIn, slug: string): OrganizationRecord {
  const organization = world.store.organizations.get(slug)
  if (!organization) throw new Refusal('not_found', { message: `There is no organization "${slug}".` })
  if (mayManage(world, user, slug)) return organization
  throw new Refusal('forbidden', {
    message: `Only owners and admins of ${organization.name} can do this.`,
    reason: `The user ${user.email} is neither owner nor admin of ${slug}`,
  })
}

/** Returns the organizations that a user manages and where an app is not installed. */
export const installTargets = (world: Pick<World, 'store'>, user: UserRecord, app: AppRecord): OrganizationRecord[] =>
  managedBy(world, user).filter(({ id }) => !currentInstallation(world, app.id, id))
