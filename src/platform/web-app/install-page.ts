import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { AppRecord } from '../apps/app-record.js'
import { currentInstallation, install } from '../apps/installations.js'
import { installedManifest, newestManifest } from '../apps/manifest.js'
import { isScope, scopes } from '../authentication/scopes.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { managedBy } from '../organizations/organizations.js'
import { csrfField, type FormWorld, organizationField, organizationPicker } from './forms.js'
import { findManaged, installTargets, unacknowledged } from './installed-apps.js'
import { html, htmlPage, seeOther } from './page.js'
import type { SignedIn } from './sessions.js'

/**
 * The organization to install in, which the person must manage.
 * @param slug from the address; null when it names none.
 * @returns undefined when none is named and the person must choose.
 * @throws Refusal 404 for one that does not exist, 403 for one that the person does not manage.
 */
export function organizationFor(world: Pick<World, 'store'>, session: SignedIn, app: AppRecord, slug: string | null) {
  if (slug !== null) return findManaged(world, session, slug)
  const missing = installTargets(world, session.user, app)
  if (missing.length > 1) return undefined
  const organization = missing[0] ?? managedBy(world, session.user)[0]
  if (organization) return organization
  throw new Refusal('forbidden', { message: 'Only owners and admins of an organization can install apps.' })
}

/** Asks before an app is installed: what it is, and what it will be allowed. spec: §3 */
export function installPage(
  world: FormWorld,
  session: SignedIn,
  app: AppRecord,
  organization: OrganizationRecord | undefined,
): Response {
  const existing = organization && currentInstallation(world, app.id, organization.id)
  const manifest = (existing && installedManifest(world, existing)) ?? newestManifest(app)
  const { name, version, description, permissions, oauth } = manifest
  const where = organization ? ` in ${organization.name}` : ''
  const title = existing ? `${name} is installed${where}` : `Install ${name}${where}`
  const permitted = permissions.map((entry) => (typeof entry === 'string' ? { permission: entry } : entry))
  const asks = permitted.map(({ permission, purpose }) => {
    const allows = isScope(permission) ? scopes[permission].allows : 'Use the dashboard'
    return html`<li><span>${allows} <code class="soft">${permission}</code>${purpose && html`<br><span class="soft small">${purpose}</span>`}</span></li>`
  })
  const form = html`<form method="post" action="/apps/${app.id}/install${organization && html`?organization=${organization.id}`}">
${csrfField(world, session)}
${organization ? organizationField(organization.id) : organizationPicker(installTargets(world, session.user, app))}
<div class="actions"><button>Install</button><a class="button quiet" href="/">Cancel</a></div>
</form>`
  const body = html`<section class="card">
<h1>${title}</h1>
${description && html`<p class="soft">${description}</p>`}
${!existing && html`<p class="soft small">Version ${version}</p>`}
${permitted.length > 0 ? html`<p><strong>${name}</strong> ${existing ? 'is' : 'will be'} allowed to:</p><ul class="plain grants">${asks}</ul>` : html`<p>It asks for no permissions.</p>`}
${oauth?.install && html`<p class="soft small">It also works in the background, with access to the organization’s data.</p>`}
${existing ? html`<p class="note good">Version ${existing.version}, since ${existing.installed_at.slice(0, 10)}.</p>${unacknowledged(world, existing)}` : form}
</section>`
  return htmlPage({ title, body, user: session.user })
}

/** Installs, and when the app has acknowledged or its time is over goes on to the app's own page. spec: §6 rules 1 to 3 */
export async function installAndContinue(
  world: World,
  { user }: SignedIn,
  app: AppRecord,
  organization: OrganizationRecord,
): Promise<Response> {
  const request = { app, organization: organization.id, installer: user.id }
  const { installation, redirect_url } = await install(world, request)
  if (redirect_url !== null) return seeOther(redirect_url)
  const { name } = newestManifest(app)
  const body = html`<section class="card">
<h1>${name} is installed</h1>
<p class="note good">Version ${installation.version} is installed in ${organization.name}.</p>
${unacknowledged(world, installation)}
<div class="actions"><a class="button quiet" href="/">Go to the start page</a></div>
</section>`
  return htmlPage({ title: `${name} is installed`, body, user })
}
