import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import type { InstallationRecord } from '../apps/installation-record.js'
import { newestManifest } from '../apps/manifest.js'
import { scopes } from '../authentication/scopes.js'
import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import type { AuthorizationResult } from '../oauth/authorize.js'
import { redirectIssuePage } from './error-page.js'
import { csrfField, organizationField, organizationPicker } from './forms.js'
import { installTargets } from './installed-apps.js'
import { loginPath } from './login.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns a redirect, or the page that the person sees instead. */
export function presentAuthorizationResult(
  world: Pick<World, 'formKey' | 'store'>,
  { method, search }: Pick<Request, 'method' | 'search'>,
  session: SignedIn | undefined,
  result: AuthorizationResult,
): Response {
  const redirect = (location: string, reason?: string): Response => ({
    status: method === 'POST' ? 303 : 302,
    headers: { location, 'cache-control': 'no-store' },
    ...(reason !== undefined && { notes: { reason } }),
  })
  const back = `/oauth/authorize?${search}`
  if (result.kind === 'redirect') return redirect(result.to, result.reason)
  if (result.kind === 'invalid_redirect') return redirectIssuePage(result.issue, result.reason, session?.user)
  if (result.kind === 'sign_in' || !session) return redirect(loginPath(back))
  if (result.kind === 'not_installed') return notInstalledPage(world, session, result, back)
  return consentPage(world, session, result.request, result.installations, search)
}

/** Returns the consent page. wire: §6 "consent", "several organizations qualify" */
function consentPage(
  world: Pick<World, 'formKey' | 'store'>,
  session: SignedIn,
  request: AuthorizationRequest,
  installations: InstallationRecord[],
  search: string,
): Response {
  const { name, description } = newestManifest(request.app)
  const { user } = session
  const organizations = installations.flatMap(({ organization }) => world.store.organizations.get(organization) ?? [])
  const [only, ...more] = organizations
  const single =
    only &&
    html`${organizationField(only.id)}
<p class="soft">Through its installation in <strong>${only.name}</strong>.</p>`
  const body = html`<section class="card">
<h1>Sign in to ${name}</h1>
${description && html`<p class="soft">${description}</p>`}
<p><strong>${name}</strong> asks to:</p>
<ul class="plain grants">${request.scope.map((scope) => html`<li><span>${scopes[scope].allows} <code class="soft">${scope}</code></span></li>`)}</ul>
<form method="post" action="/consent?${search}">
${csrfField(world, session)}
${more.length > 0 ? organizationPicker(organizations) : single}
<div class="actions">
<button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</div>
</form>
</section>
<p class="soft small">Signed in as ${user.full_name || user.email} (${user.email}).
<a href="${loginPath(`/oauth/authorize?${search}`)}">Continue as another user</a>.
After your decision you will be redirected to <code>${new URL(request.redirect_uri).host}</code>.</p>`
  return htmlPage({ title: `Sign in to ${name}`, body, user })
}

/**
 * Says that the app cannot be signed in to, and lets those who may install it do so. wire: §6
 * @param back the address to return to after signing in as another user.
 */
function notInstalledPage(
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
