import { parseCookie, stringifySetCookie } from 'cookie'
import { trimEnded } from '../../emulator/world/retention.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import type { IssuingWorld } from '../authentication/tokens.js'
import { soleOrganization } from '../organizations/organizations.js'
import type { UserRecord } from '../organizations/user-record.js'
import type { SessionRecord } from './session-record.js'

/** Number of sessions that live on at least: no session ends by itself, so a small `retention` must not sign browsers out. */
const MIN_SESSIONS = 10_000

export type SignedIn = NonNullable<ReturnType<typeof sessionOf>>

/** Cookies do not know ports, so the name holds those that the emulator is reached at. wire: §6 "sign-in" */
export function cookieName({ addresses: { base_url, browser_url } }: Pick<World, 'addresses'>): string {
  const ports = [base_url, browser_url].map((url) => new URL(url).port).filter(Boolean)
  return ['mockademy_session', ...new Set(ports)].join('_')
}

/** Returns the secret that the browser's cookie holds, of a session that may have ended. */
export const cookieOf = (world: Pick<World, 'addresses'>, { headers }: Pick<Request, 'headers'>): string | undefined =>
  parseCookie(headers.cookie ?? '')[cookieName(world)] || undefined

/**
 * Returns the session named by the request's cookie; without a cookie, the ambient session. A browser whose session has
 * ended is signed out. control-api: "Sign-in and silent authentication"
 */
export function sessionOf(world: Pick<World, 'addresses' | 'store'>, request: Pick<Request, 'headers'>) {
  const { sessions, users } = world.store
  const secret = cookieOf(world, request)
  const session = secret === undefined ? sessions.by('ambient', 'ambient') : sessions.by('secret', secret)
  const user = session && users.get(session.user)
  return user && { session, user }
}

/** Signs a browser in, or makes a user the ambient one. */
export function startSession(world: IssuingWorld, user: Pick<UserRecord, 'id'>, { ambient = false } = {}) {
  const { clock, random, store } = world
  return store.change((tx) => {
    if (ambient) endSessions(world, [...store.sessions.in('ambient', 'ambient')])
    const session = tx.add('sessions', {
      id: random.id(),
      created_at: clock.timestamp(soleOrganization(world, user)),
      secret: random.secret('ses_'),
      csrf: random.secret(''),
      user: user.id,
      ambient,
    })
    trimEnded(world, tx, 'sessions', Math.max(world.settings.retention, MIN_SESSIONS))
    return session
  })
}

export function endSessions(world: Pick<World, 'store'>, sessions: SessionRecord[]): void {
  world.store.change((tx) => {
    for (const { id } of sessions) tx.remove('sessions', id)
  })
}

/** Returns the `Set-Cookie` header that signs a browser in, or without a session makes it forget its own. */
export const cookieHeader = (world: Pick<World, 'addresses'>, session: SessionRecord | undefined) => ({
  'set-cookie': stringifySetCookie({
    name: cookieName(world),
    value: session?.secret ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    // Browsers may reach the emulator over http.
    secure: world.addresses.browser_url.startsWith('https:'),
    ...(!session && { maxAge: 0 }),
  }),
})
