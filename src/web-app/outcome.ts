import type { Request } from '../http/request.js'
import type { Response } from '../http/response.js'
import type { Outcome } from '../oauth/authorize.js'
import type { World } from '../world/world.js'
import { consentPage } from './consent.js'
import { misdirectedPage } from './error-page.js'
import { loginPath } from './login.js'
import { notInstalledPage } from './not-installed.js'
import type { SignedIn } from './sessions.js'

/** A redirect, or the page that the person sees instead. */
export function presentOutcome(
  world: World,
  { method, search }: Pick<Request, 'method' | 'search'>,
  session: SignedIn | undefined,
  outcome: Outcome,
): Response {
  const redirect = (location: string, reason?: string): Response => ({
    status: method === 'POST' ? 303 : 302,
    headers: { location, 'cache-control': 'no-store' },
    ...(reason !== undefined && { notes: { reason } }),
  })
  if (outcome.kind === 'redirect') return redirect(outcome.to, outcome.reason)
  if (outcome.kind === 'misdirected') return misdirectedPage(outcome.misdirection, outcome.reason, session?.user)
  if (outcome.kind === 'sign_in' || !session) return redirect(loginPath(`/oauth/authorize?${search}`))
  if (outcome.kind === 'not_installed')
    return notInstalledPage(world, session, { ...outcome, back: `/oauth/authorize?${search}` })
  return consentPage(world, session, outcome.request, outcome.installations, search)
}
