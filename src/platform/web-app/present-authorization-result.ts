import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import { newestManifest } from '../apps/manifest.js'
import type { AuthorizationResult } from '../oauth/authorize.js'
import { consentPage } from './consent.js'
import { redirectIssuePage } from './error-page.js'
import { type FormWorld, organizationField } from './forms.js'
import { installTargets } from './installed-apps.js'
import { loginPath } from './login.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns a redirect, or the page that the person sees instead. */
export function presentAuthorizationResult(
  world: FormWorld,
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
