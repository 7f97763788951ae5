import { hash } from 'node:crypto'
import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { managedBy, regenerateApiKey } from '../organizations/organizations.js'
import { confirmationPage, csrfField, type FormWorld, organizationField, sureField } from './forms.js'
import { findManaged, installedApps } from './installed-apps.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

export const COPY_SCRIPT_PATH = '/assets/copy.js'

/** Shows the Copy buttons, where the browser lets a page write to the clipboard. */
export const copyScript = `for (const button of document.querySelectorAll('[data-copies]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent)
    button.textContent = 'Copied'
  })
}
`

type Shown = { organization: OrganizationRecord; api_key: string | null }

/**
 * The API keys and the apps of the organizations that the person manages. spec: §5.1
 * @param shown a key that was made just now: this is the only time that it can be read. Null: the form was sent before.
 * @throws Refusal 403 for who manages none.
 */
export function integrationsPage(world: FormWorld, session: SignedIn, shown?: Shown): Response {
  const organizations = managedBy(world, session.user)
  if (organizations.length === 0) {
    throw new Refusal('forbidden', { message: 'Only owners and admins of an organization can see its integrations.' })
  }
  const body = html`<h1>Integrations</h1>
<p class="soft">An API key reads and writes everything in its organization. Keep it out of source code.</p>
${organizations.map((organization) => organizationCard(world, session, organization, shown))}`
  const scripts = shown?.api_key ? [COPY_SCRIPT_PATH] : []
  return htmlPage({ title: 'Integrations', body, user: session.user, scripts })
}

function organizationCard(world: FormWorld, session: SignedIn, organization: OrganizationRecord, shown?: Shown) {
  const { id, name, api_key } = organization
  const isShown = shown?.organization.id === id
  const present =
    api_key === null ? 'There is no API key yet.' : html`The API key ends in <code>${api_key.slice(-4)}</code>.`
  const action = api_key === null ? 'Generate API Key' : 'Regenerate API Key'
  let news = html`<p class="soft">${present}</p>`
  if (isShown && shown.api_key === null) {
    news = html`<p class="note" role="status">This form was already submitted, so no new key was generated. A key is shown only once; regenerate it if you have lost it.</p>`
  } else if (isShown) {
    news = html`<p class="note good" role="status">The API key was generated. Copy it now: it is not shown again.</p>
<p><code class="code" id="api-key">${shown.api_key}</code></p>
<p><button type="button" class="quiet" data-copies="api-key" hidden>Copy</button></p>`
  }
  return html`<section class="card">
<h2>${name} <span class="soft small">${id}</span></h2>
${news}
<form method="post" action="/settings/integrations">
${csrfField(world, session)}
${keyFields(organization)}
<button${isShown && html` class="quiet"`} aria-label="${action} of ${name}">${action}</button>
</form>
${api_key !== null && html`<p class="soft small">Regenerating revokes the current key immediately.</p>`}
${installedApps(world, session, organization)}
</section>`
}

const keyFields = (organization: OrganizationRecord) =>
  html`${organizationField(organization.id)}
<input type="hidden" name="replaces" value="${keyFingerprint(organization)}">`

/** Identifies a key without showing it, so that a form that is sent twice, as by a reload, makes no second key. */
const keyFingerprint = ({ api_key }: OrganizationRecord): string =>
  api_key === null ? 'none' : hash('sha256', api_key).slice(0, 16)

/** Generates a key, or asks before one is replaced. @throws Refusal 404 and 403 for an organization of others. */
export function makeApiKey(
  world: Pick<World, 'formKey' | 'random' | 'store'>,
  session: SignedIn,
  form: URLSearchParams,
): Response {
  const organization = findManaged(world, session, form.get('organization') ?? '')
  if (form.get('replaces') !== keyFingerprint(organization)) {
    return integrationsPage(world, session, { organization, api_key: null })
  }
  if (organization.api_key !== null && form.get('sure') !== 'yes') {
    return confirmationPage(world, session, {
      title: 'Regenerate the API key?',
      text: html`The current key of <strong>${organization.name}</strong>, ending in <code>${organization.api_key.slice(-4)}</code>, is revoked immediately. Everything that uses it needs the new one.`,
      action: '/settings/integrations',
      fields: html`${keyFields(organization)}${sureField}`,
      button: 'Regenerate API Key',
      cancel: '/settings/integrations',
    })
  }
  const api_key = regenerateApiKey(world, organization)
  return integrationsPage(world, session, { organization: { ...organization, api_key }, api_key })
}
