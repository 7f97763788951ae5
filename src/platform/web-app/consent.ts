import type { Response } from '../../emulator/serving/response.js'
import type { InstallationRecord } from '../apps/installation-record.js'
import { newestManifest } from '../apps/manifest.js'
import { scopes } from '../authentication/scopes.js'
import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import { csrfField, type FormWorld, organizationField, organizationPicker } from './forms.js'
import { loginPath } from './login.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns the consent page. wire: §6 "consent", "several organizations qualify" */
export function consentPage(
  world: FormWorld,
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
