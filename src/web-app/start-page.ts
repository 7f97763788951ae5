import { newestManifest } from '../apps/manifest.js'
import type { Response } from '../http/response.js'
import type { World } from '../world/world.js'
import { html } from './html.js'
import { managedBy } from './not-installed.js'
import { page } from './page.js'
import type { SignedIn } from './sessions.js'

/** What this is, and where one can go. */
export const startPage = (world: World, session: SignedIn | undefined): Response =>
  session ? homePage(world, session) : welcomePage()

function welcomePage(): Response {
  const body = html`<section class="card">
<h1>An emulated learning platform</h1>
<p>This is the web application of a platform that runs on this machine, so that extension apps can be built and tested
against it. Sign in as one of its users to see what they would see.</p>
<div class="actions"><a class="button" href="/login">Sign in</a></div>
</section>`
  return page({ title: 'Mockademy', body })
}

function homePage(world: World, { user }: SignedIn): Response {
  const memberships = [...world.store.memberships.in('user', user.id)]
  const managed = managedBy(world, user)
  const organizations = memberships.map(({ organization, role }) => {
    const installed = [...world.store.apps.all].filter(({ id }) =>
      world.store.installations.by('current', `${id}/${organization}`),
    )
    const names = installed.map((app) => newestManifest(app).name).join(', ')
    return html`<li><strong>${world.store.organizations.get(organization)?.name}</strong> <span class="tag">${role}</span>
<br><span class="soft small">${names ? `Installed: ${names}` : 'No apps are installed'}</span></li>`
  })
  const apps = [...world.store.apps.all].map(
    (app) => html`<li><a href="/apps/${app.id}/install">Install ${newestManifest(app).name}</a></li>`,
  )
  const body = html`<section class="card">
<h1>Hello, ${user.first_name || user.full_name || user.email}</h1>
${organizations.length > 0 ? html`<ul class="plain">${organizations}</ul>` : html`<p class="soft">You are in no organization.</p>`}
${managed.length > 0 && html`<div class="actions"><a class="button quiet" href="/settings/integrations">Integrations</a></div>`}
</section>
${managed.length > 0 && apps.length > 0 && html`<section class="card"><h2>Apps</h2><ul class="plain">${apps}</ul></section>`}`
  return page({ title: 'Start', body, user })
}
