import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import type { AuthorizationResult } from '../oauth/authorize.js'
import { consentPage } from './consent.js'
import { redirectIssuePage } from './error-page.js'
import { loginPath } from './login.js'
import { notInstalledPage } from './not-installed.js'
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
