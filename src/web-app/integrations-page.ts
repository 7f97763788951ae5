import { Refusal } from '../http/refusal.js'
import type { Response } from '../http/response.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { mayManage } from '../organizations/organizations.js'
import type { World } from '../world/world.js'
import { csrfField } from './forms.js'
import { html } from './html.js'
import { managedBy } from './not-installed.js'
import { page } from './page.js'
import type { SignedIn } from './sessions.js'

/**
 * The API keys of the organizations that the person manages. spec: §5.1
 * @param shown a key that was made just now: this is the only time that it can be read.
 * @throws Refusal 403 for who manages none.
 */
export function integrationsPage(
  world: World,
  session: SignedIn,
  shown?: { organization: OrganizationRecord; api_key: string },
): Response {
  const organizations = managedBy(world, session.user)
  if (organizations.length === 0) {
    throw new Refusal('forbidden', { message: 'Only owners and admins of an organization see its integrations.' })
  }
  const body = html`<h1>Integrations</h1>
<p class="soft">An API key reads and writes everything in its organization. Keep it out of source code.</p>
${organizations.map((organization) => keyCard(world, session, organization, shown))}`
  return page({ title: 'Integrations', body, user: session.user })
}

function keyCard(
  world: World,
  session: SignedIn,
  { id, name, api_key }: OrganizationRecord,
  shown: { organization: OrganizationRecord; api_key: string } | undefined,
) {
  const isNew = shown?.organization.id === id
  return html`<section class="card">
<h2>${name} <span class="soft small">${id}</span></h2>
${
  isNew
    ? html`<p class="note good" role="status">The API key was generated. Copy it now: it is not shown again.</p>
<p><code class="code" id="api-key">${shown.api_key}</code></p>`
    : html`<p class="soft">${api_key === null ? 'There is no API key yet.' : html`The API key ends in <code>${api_key.slice(-4)}</code>.`}</p>`
}
<form method="post" action="/settings/integrations">
${csrfField(world, session)}
<input type="hidden" name="organization" value="${id}">
<button${isNew && html` class="quiet"`}>${api_key === null ? 'Generate API Key' : 'Regenerate API Key'}</button>
</form>
${api_key !== null && html`<p class="soft small">Regenerating stops the present key at once.</p>`}
</section>`
}

/** @throws Refusal 404 and 403 for an organization whose key is not this person's to make. */
export function managedOrganization(world: World, { user }: SignedIn, slug: string): OrganizationRecord {
  const organization = world.store.organizations.get(slug)
  if (!organization) throw new Refusal('not_found', { message: `There is no organization "${slug}".` })
  if (mayManage(world, user.id, slug)) return organization
  throw new Refusal('forbidden', { message: `Only owners and admins of ${organization.name} see to its API key.` })
}
