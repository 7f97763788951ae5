import type { Response } from '../../emulator/serving/response.js'
import { shownSecret } from '../../emulator/world/shown-secret.js'
import type { World } from '../../emulator/world/world.js'
import { currentInstallation } from '../apps/installations.js'
import { newestManifest } from '../apps/manifest.js'
import { managedBy } from '../organizations/organizations.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns the start page: a description and links. */
export const startPage = (world: Pick<World, 'addresses' | 'origin' | 'store'>, session: SignedIn | undefined) =>
  session ? homePage(world, session) : welcomePage(world)

/** Returns the page that says the same as the banner of the command line, with links. control-api: "CLI" */
function welcomePage(world: Pick<World, 'addresses' | 'origin' | 'store'>): Response {
  const { store, addresses } = world
  const shown = (secret: string | null) => shownSecret(world, secret)
  const organizations = [...store.organizations.all].map(
    ({ id, name, api_key }) =>
      html`<tr><th scope="row">${name}<br><code class="soft">${id}</code></th><td><code>${shown(api_key)}</code></td></tr>`,
  )
  const apps = [...store.apps.all].map(
    (app) => html`<tr><th scope="row">${newestManifest(app).name}<br><code class="soft">${app.id}</code></th>
<td><code>${app.client_id}</code></td><td><code>${shown(app.client_secret)}</code></td><td><code>${shown(app.signing_secret)}</code></td></tr>`,
  )
  const body = html`<section class="card">
<h1>An emulated learning platform</h1>
<p>This is the web application of a platform that runs on this machine, so that extension apps can be built and tested
against it. Sign in as one of its users to see what they would see.</p>
<div class="actions"><a class="button" href="/login">Sign in</a><a class="button quiet" href="/_console">Console</a></div>
</section>
<section class="card">
<h2>Addresses</h2>
<ul class="plain">
<li><span>Public API <code>${addresses.base_url}/v0</code> <a href="/v0/openapi.json">OpenAPI</a></span></li>
<li><span>OAuth <code>${addresses.app_url}</code> <a href="/.well-known/openid-configuration">Discovery</a></span></li>
<li><span>Control API <code>${addresses.base_url}/_admin</code> <a href="/_admin/openapi.json">OpenAPI</a></span></li>
<li><span>Console <a href="/_console"><code>${addresses.base_url}/_console</code></a></span></li>
</ul>
</section>
${organizations.length > 0 && html`<section class="card"><h2>Organizations</h2><div class="wide"><table><thead><tr><th scope="col">Organization</th><th scope="col">API key</th></tr></thead><tbody>${organizations}</tbody></table></div></section>`}
${apps.length > 0 && html`<section class="card"><h2>Apps</h2><div class="wide"><table><thead><tr><th scope="col">App</th><th scope="col">Client id</th><th scope="col">Client secret</th><th scope="col">Signing secret</th></tr></thead><tbody>${apps}</tbody></table></div></section>`}`
  return htmlPage({ title: 'Mockademy', body })
}

function homePage(world: Pick<World, 'store'>, { user }: SignedIn): Response {
  const memberships = [...world.store.memberships.in('user', user.id)]
  const managed = managedBy(world, user)
  const organizations = memberships.map(({ organization, role }) => {
    const installed = [...world.store.apps.all].filter(({ id }) => currentInstallation(world, id, organization))
    const names = installed.map((app) => newestManifest(app).name).join(', ')
    return html`<li><strong>${world.store.organizations.get(organization)?.name}</strong> <span class="tag">${role}</span>
<br><span class="soft small">${names ? `Installed: ${names}` : 'No apps are installed'}</span></li>`
  })
  const apps = [...world.store.apps.all].map(
    (app) => html`<li><a href="/apps/${app.id}/install">Install ${newestManifest(app).name}</a></li>`,
  )
  const body = html`<section class="card">
<h1>Hello, ${user.first_name || user.full_name || user.email}</h1>
${organizations.length > 0 ? html`<ul class="plain">${organizations}</ul>` : html`<p class="soft">You do not belong to any organization.</p>`}
<div class="actions">${managed.length > 0 && html`<a class="button quiet" href="/settings/integrations">Integrations</a>`}<a class="button quiet" href="/_console">Console</a></div>
</section>
${managed.length > 0 && apps.length > 0 && html`<section class="card"><h2>Apps</h2><ul class="plain">${apps}</ul></section>`}`
  return htmlPage({ title: 'Start', body, user })
}
