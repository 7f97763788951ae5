import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { newestManifest } from '../apps/manifest.js'
import type { AuthorizationResult } from '../oauth/authorize.js'
import { organizationField } from './forms.js'
import { html } from './html.js'
import { loginPath } from './login.js'
import { installTargets } from './manageable.js'
import { htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/**
 * Says that the app cannot be signed in to, and lets those who may install it do so. wire: §6
 * @param back the address to return to after signing in as another user.
 */
export function notInstalledPage(
  world: Pick<World, 'store'>,
  { user }: SignedIn,
  { app, organization, isMember, reason }: Extract<AuthorizationResult, { kind: 'not_installed' }>,
  back: string,
): Response {
  const { name } = newestManifest(app)
  const installable = installTargets(world, user, app).filter(({ id }) => organization === null || organization === id)
  const where = world.store.organizations.get(organization ?? '')?.name
  let said = html`${name} is not installed in ${where ? html`<strong>${where}</strong>` : 'any of your organizations'}.`
  if (!isMember) {
    said = where
      ? html`You are not a member of the organization <strong>${organization}</strong>, so you cannot sign in to ${name} there.`
      : html`There is no organization with the slug <strong>${organization}</strong>.`
  }
  const body = html`<section class="card">
<h1>${isMember ? html`${name} is not installed` : html`You cannot sign in to ${name}`}</h1>
<p>${said}</p>
${
  installable.length > 0
    ? installable.map(
        ({ id, name: organizationName }) => html`<form method="get" action="/apps/${app.id}/install">
${organizationField(id)}
<div class="actions"><button>Install in ${organizationName}</button></div>
</form>`,
      )
    : isMember && html`<p class="soft">Ask an owner or an admin of your organization to install it.</p>`
}
</section>
<p class="soft small"><a href="${loginPath(back)}">Continue as another user</a> or <a href="/">go to the start page</a>.</p>`
  const title = isMember ? `${name}: not installed` : `${name}: no access`
  return htmlPage({ status: 403, title, body, user, reason })
}
