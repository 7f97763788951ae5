import type { Response } from '../../emulator/serving/response.js'
import {
  type Handler,
  type Method,
  type Operation,
  type ParamsOf,
  type Route,
  route,
  type Surface,
} from '../../emulator/serving/surface.js'
import { rejectForeignOrigin, rejectUntrustedHost } from '../../emulator/serving/trusted-host.js'
import type { World } from '../../emulator/world/world.js'
import { KILOBYTE, Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { findApp } from '../apps/manifest.js'
import { authorize } from '../oauth/authorize.js'
import { errorPage } from './error-page.js'
import { csrfIssue, readPageForm } from './forms.js'
import { installAndContinue, installPage, organizationFor } from './install-page.js'
import { appAt, uninstallInstalled, upgradeInstalled } from './installed-apps.js'
import { COPY_SCRIPT_PATH, copyScript, integrationsPage, makeApiKey } from './integrations-page.js'
import { localPath, loginPage, loginPath, signOutPage } from './login.js'
import { addressOf, seeOther } from './page.js'
import { presentAuthorizationResult } from './present-authorization-result.js'
import { cookieHeader, endSessions, type SignedIn, sessionOf, startSession } from './sessions.js'
import { startPage } from './start-page.js'
import { STYLESHEET_PATH, stylesheet } from './stylesheet.js'

/** A route for people who have signed in; others are asked to first, and come back. */
const signedInRoute = <const P extends string>(
  method: Method,
  path: P,
  operation: Operation,
  handler: (world: World, request: Request<ParamsOf<P>>, session: SignedIn) => ReturnType<Handler>,
): Route =>
  route(method, path, operation, (world, request) => {
    const session = sessionOf(world, request)
    return session ? handler(world, request, session) : seeOther(loginPath(pageOf(request)))
  })

const formRoute = <const P extends string>(
  path: P,
  operation: Operation,
  handler: (
    world: World,
    request: Request<ParamsOf<P>>,
    session: SignedIn,
    form: URLSearchParams,
  ) => ReturnType<Handler>,
): Route =>
  signedInRoute('POST', path, operation, (world, request, session) => {
    const form = readPageForm(request)
    const reason = csrfIssue(world, form, session)
    if (reason === undefined) return handler(world, request, session, form)
    const message = 'This form has expired. Go back, reload the page and try again.'
    throw new Refusal('forbidden', { message, reason })
  })

/** Shows the sign-in page anew to a visitor who had it open before another sign-in, a restart or a reset. */
const retryLogin = (returnTo: string, issue: string): Response => ({
  ...seeOther(loginPath(returnTo)),
  notes: { reason: `${issue}: the sign-in page was loaded again` },
})

function pageOf({ path, search }: Pick<Request, 'path' | 'search'>): string {
  if (/^\/apps\/[^/]+\/(upgrade|uninstall)$/.test(path)) return '/settings/integrations'
  return path === '/consent' ? `/oauth/authorize?${search}` : addressOf({ path, search })
}

const source = 'wire: §6'
const openPage = { source, open: true }

/** Returns a file that the pages name, which browsers keep for an hour. */
const asset = (path: string, id: string, summary: string, type: string, body: string): Route =>
  route('GET', path, { id, summary, ...openPage }, () => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
    body,
  }))

const operations = {
  consent: { id: 'consent', summary: 'Allow or deny a sign-in to an app', source },
  askToInstall: { id: 'installPage', summary: 'Ask before an app is installed', source: 'spec: §3' },
  install: { id: 'installApp', summary: 'Install an app and go on to its page', source: 'spec: §6' },
  upgrade: { id: 'upgradeApp', summary: 'Upgrade an app to its newest version', source: 'spec: §3' },
  uninstall: { id: 'uninstallApp', summary: 'Ask, then uninstall an app', source: 'spec: §3' },
  integrations: { id: 'integrationsPage', summary: 'API keys', source: 'spec: §5.1' },
  makeApiKey: { id: 'makeApiKey', summary: 'Generate or regenerate an API key', source: 'spec: §5.1' },
}

const webRoutes: Route[] = [
  route('GET', '/', { id: 'startPage', summary: 'The start page', ...openPage }, (world, request) =>
    startPage(world, sessionOf(world, request)),
  ),
  // Browsers ask for it where a document names no icon: JSON, and a page that they show again.
  route('GET', '/favicon.ico', { id: 'favicon', summary: 'No icon', ...openPage }, () => ({
    status: 204,
    headers: { 'cache-control': 'public, max-age=3600' },
    body: '',
  })),
  asset(STYLESHEET_PATH, 'stylesheet', 'The stylesheet of the pages', 'text/css', stylesheet),
  asset(COPY_SCRIPT_PATH, 'copyScript', 'The script of the Copy buttons', 'text/javascript', copyScript),

  route('GET', '/login', { id: 'loginPage', summary: 'Pick a user', ...openPage }, (world, request) =>
    loginPage(world, sessionOf(world, request), localPath(request.query.get('return_to')), request.query.get('search')),
  ),
  route('POST', '/login', { id: 'signIn', summary: 'Sign in as a user', ...openPage }, (world, request) => {
    const before = sessionOf(world, request)
    const form = readPageForm(request)
    const returnTo = localPath(form.get('return_to'))
    const issue = csrfIssue(world, form, before)
    if (issue !== undefined) return retryLogin(returnTo, issue)
    const user = world.store.users.get(form.get('user') ?? '')
    if (!user) return retryLogin(returnTo, 'The user of the form is not in this world')
    if (before && !before.session.ambient) endSessions(world, [before.session])
    return seeOther(returnTo, cookieHeader(world, startSession(world, user)))
  }),
  route(
    'GET',
    '/logout',
    { id: 'signOutPage', summary: 'Ask before ending the session', ...openPage },
    (world, request) => signOutPage(world, sessionOf(world, request)),
  ),
  route('POST', '/logout', { id: 'signOut', summary: 'End the session', ...openPage }, (world, request) => {
    const before = sessionOf(world, request)
    if (before && !before.session.ambient) endSessions(world, [before.session])
    return seeOther('/login', cookieHeader(world, undefined))
  }),

  formRoute('/consent', operations.consent, (world, request, session, form) => {
    const choice = form.get('decision')
    if (choice !== 'allow' && choice !== 'deny') {
      throw new Refusal('invalid', { message: 'The decision must be allow or deny.' })
    }
    const decision = { allow: choice === 'allow', organization: form.get('organization') }
    return presentAuthorizationResult(world, request, session, authorize(world, request, session.user, decision))
  }),

  signedInRoute('GET', '/apps/:app/install', operations.askToInstall, (world, request, session) => {
    const app = appAt(world, request.params.app)
    return installPage(world, session, app, organizationFor(world, session, app, request.query.get('organization')))
  }),
  formRoute('/apps/:app/install', operations.install, (world, request, session, form) => {
    const app = appAt(world, request.params.app)
    const slug = form.get('organization') ?? request.query.get('organization')
    const organization = organizationFor(world, session, app, slug)
    if (!organization) throw new Refusal('invalid', { message: 'Choose the organization to install it in.' })
    return installAndContinue(world, session, app, organization)
  }),

  formRoute('/apps/:app/upgrade', operations.upgrade, (world, { params }, session, form) =>
    upgradeInstalled(world, session, params.app, form),
  ),
  formRoute('/apps/:app/uninstall', operations.uninstall, (world, { params }, session, form) =>
    uninstallInstalled(world, session, params.app, form),
  ),

  signedInRoute('GET', '/settings/integrations', operations.integrations, (world, _, session) =>
    integrationsPage(world, session),
  ),
  formRoute('/settings/integrations', operations.makeApiKey, (world, _, session, form) =>
    makeApiKey(world, session, form),
  ),
]

/** The pages of the platform. */
export const webSurface: Surface = {
  name: 'web',
  routes: webRoutes,
  bodyLimit: () => 64 * KILOBYTE,
  beforeRequest(world, request) {
    rejectUntrustedHost(world, request)
    if (request.method === 'POST') rejectForeignOrigin(world, request, 'This form was sent by a page of')
  },
  refuse: errorPage,
  identify(world, { method, headers, params, query, body }) {
    const app = findApp(world, params.app ?? query.get('client_id') ?? '')?.id
    const picked = method === 'POST' ? new URLSearchParams(body.toString('utf8')).get('organization') : null
    const organization = picked || query.get('organization') || undefined
    return { app, organization, user: sessionOf(world, { headers })?.user.id }
  },
}
