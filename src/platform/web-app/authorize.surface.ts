import { withFaults } from '../../emulator/faults/apply-fault.js'
import { type Route, route, type Surface } from '../../emulator/serving/surface.js'
import { rejectUntrustedHost } from '../../emulator/serving/trusted-host.js'
import { FROM_SCRIPT, type Identity } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import type { Request } from '../../foundation/http/request.js'
import type { Warning } from '../../foundation/schema/issue.js'
import { ignoredIn } from '../oauth/authorization-request.js'
import { authorize, qualifying } from '../oauth/authorize.js'
import { oauthRefusalFor } from '../oauth/injected-refusals.js'
import { silentOutcomes } from '../oauth/silent-auth.js'
import { errorPage } from './error-page.js'
import { presentAuthorizationResult } from './present-authorization-result.js'
import { cookieOf, sessionOf } from './sessions.js'

const routes: Route[] = [
  /** spec: §4.8 */
  route(
    'GET',
    '/oauth/authorize',
    { id: 'authorize', summary: 'Sign in to an app, silently or asked', source: 'spec: §4.8', open: true },
    (world, request) => {
      const session = sessionOf(world, request)
      const response = presentAuthorizationResult(world, request, session, authorize(world, request, session?.user))
      const { reason } = response.notes ?? {}
      const warnings = [...ignoredIn(request.query), ...fromWithinPage(request)]
      const isUnseen = !session && reason === `login_required: ${silentOutcomes.login_required}`
      const explained = isUnseen ? reason + whyNoSession(world, request) : reason
      return { ...response, notes: { ...response.notes, warnings, ...(explained && { reason: explained }) } }
    },
  ),
]

const isFramed = ({ headers }: Request) => /^i?frame$/.test(String(headers['sec-fetch-dest']))

/** Warns of sign-ins from scripts and frames. */
function fromWithinPage(request: Request): Warning[] {
  const { headers, query } = request
  const path = 'Sec-Fetch-Dest'
  if (headers['sec-fetch-dest'] === 'empty') {
    const message =
      'The request came from a script of a page, as with fetch. The browser does not let it show the sign-in page or read the redirect: navigate the page instead, with location.href or a link'
    return [{ code: FROM_SCRIPT, path, message }]
  }
  const isSilent = query.get('prompt') === 'none'
  if (!isFramed(request) || (isSilent && headers['sec-fetch-site'] === 'cross-site')) return []
  const message = isSilent
    ? 'Browsers send the session cookie to this frame because the emulator has the host of the page, whatever its port. In a frame of another site they send none: redirect the whole page instead'
    : 'Browsers do not show the sign-in and consent pages in a frame: redirect the whole page instead'
  return [{ code: 'authorize_request_from_frame', path, message }]
}

/** Says what keeps the session of a person who has signed in from being seen, to end the reason. */
function whyNoSession(world: Pick<World, 'addresses' | 'store'>, request: Request): string {
  const { 'sec-fetch-site': site, host = '' } = request.headers
  if (site === 'cross-site' && isFramed(request)) {
    const { origin } = Object.assign(new URL(world.addresses.browser_url), { hostname: 'localhost' })
    return `. The request came from a frame of another site, and browsers send no SameSite=Lax cookie there: redirect the whole page instead, or for an app on localhost start the emulator with --app-url ${origin}, which makes both one site`
  }
  if (cookieOf(world, request) !== undefined) {
    const isAmbient = world.store.sessions.by('ambient', 'ambient') !== undefined
    const hidden = isAmbient ? '. Its cookie also hides the ambient user: delete the cookie' : ''
    return `. The browser was signed in, but its session has ended, as with a reset of the world${hidden}`
  }
  // Cookies know no ports.
  const { hostname } = new URL(world.addresses.browser_url)
  const sentTo = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if (sentTo === '' || sentTo === hostname) return ''
  return `. The request was sent to ${sentTo}, and browsers keep the cookies of ${hostname} apart: use one host name throughout`
}

/** The authorization endpoint, which people reach in a browser, so it refuses with a page. spec: §4.8, wire: §6 */
export const authorizeSurface: Surface = {
  name: 'oauth',
  routes,
  bodyLimit: () => 0,
  beforeRequest: rejectUntrustedHost,
  refuse: errorPage,
  identify: identifyVisitor,
  aroundHandler: withFaults,
  refusalFor: oauthRefusalFor,
}

function identifyVisitor(world: Pick<World, 'addresses' | 'store'>, request: Request): Identity {
  const { query } = request
  const app = world.store.apps.by('client_id', query.get('client_id') ?? '')
  const user = sessionOf(world, request)?.user
  const pinned = query.get('organization')
  if (pinned || !app || !user) return { app: app?.id, organization: pinned || undefined, user: user?.id }
  const [oldest, ...others] = qualifying(world, app, user, null)
  // Of several, the person has still to pick one.
  const isDecided = query.get('prompt') === 'none' || others.length === 0
  return { app: app.id, organization: isDecided ? oldest?.organization : undefined, user: user.id }
}
