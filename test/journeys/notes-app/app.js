import express from 'express'
import { createCookies } from './cookies.js'
import { createInstallations } from './installations.js'
import { createOrganizations } from './organizations.js'
import { html, sendPage } from './page.js'
import { createPlatform } from './platform.js'
import { createProvider } from './provider.js'
import { createRenewal } from './renewal.js'
import { returnAddress } from './return-address.js'
import { createSealedFile } from './sealed-file.js'
import { createSessions } from './sessions.js'
import { createSignIn } from './sign-in.js'
import { textOf } from './text.js'
import { createTokenEndpoint } from './token-endpoint.js'
import { createWebhook } from './webhook.js'

/**
 * The routes, and what they are made of.
 *
 * @param {object} options
 * @param {string} options.origin of this app, as browsers see it
 * @param {string} options.baseUrl
 * @param {string} options.appUrl
 * @param {string} options.clientId
 * @param {string} options.clientSecret
 * @param {string} options.signingSecret
 * @param {string | undefined} options.dataFile
 */
export function createApp({ origin, baseUrl, appUrl, clientId, clientSecret, signingSecret, dataFile }) {
  const installations = createInstallations(createSealedFile(dataFile, clientSecret))
  const tokenEndpoint = createTokenEndpoint({ appUrl, clientId, clientSecret })
  const renew = createRenewal({ tokenEndpoint, installations })
  const platform = createPlatform({ baseUrl, installations, renew })
  const cookies = createCookies(origin)
  const sessions = createSessions()
  const provider = createProvider(appUrl)
  const signIn = createSignIn({ origin, clientId, provider, tokenEndpoint, cookies, sessions })

  /** @param {express.Request} request */
  const userOf = (request) => sessions.of(cookies.read(request, 'session'))

  const app = express()
  app.disable('x-powered-by')
  app.use((_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    next()
  })

  app.post('/webhook', createWebhook({ signingSecret, installations }))

  app.get('/', (request, response) => {
    const user = userOf(request)
    const body = user
      ? html`<p>You are signed in as ${user.name ?? user.sub}.</p><form method="post" action="/logout"><button>Sign out</button></form>`
      : html`<p><a href="/login">Sign in</a></p>`
    sendPage(response, { title: 'Course Notes', body })
  })

  app.get('/login', (request, response) =>
    signIn.begin(request, response, { returnTo: returnAddress(request.query.returnTo, origin) }),
  )

  app.get('/callback', signIn.finish)

  app.get('/me', (request, response) => {
    const user = userOf(request)
    if (user) response.json(user)
    else response.status(401).json({ error: 'Nobody is signed in' })
  })

  app.post('/logout', (request, response) => {
    const session = cookies.read(request, 'session')
    // Another site's form comes without the cookie, and its answer must not take it away either.
    if (session) {
      sessions.end(session)
      cookies.clear(response, 'session')
    }
    response.redirect(303, '/')
  })

  /**
   * The page to which the platform sends the browser after an install. The slug comes from the browser, so it proves
   * nothing: only the installer of an organization, as the webhook named them, is told about it.
   */
  app.get('/setup', (request, response) => {
    const organization = textOf(request.query.organization)
    const user = userOf(request)
    if (!user) {
      const returnTo = `${origin}/setup?${new URLSearchParams(organization && { organization })}`
      return signIn.begin(request, response, { returnTo, organization, silent: true })
    }
    const installation = organization ? installations.of(organization) : null
    const body =
      installation?.installer === user.sub
        ? html`<p>Course Notes is ready for ${installation.name}.</p>`
        : html`<p>You are signed in. Have you just installed Course Notes? Then reload this page in a moment.</p>`
    sendPage(response, { title: `Welcome, ${user.name ?? user.sub}!`, body: html`${body}<p><a href="/">Go on</a></p>` })
  })

  app.use('/organizations', createOrganizations(platform, installations, userOf))

  app.use((_request, response) => {
    response.status(404).json({ error: 'There is nothing here' })
  })
  app.use(answerFailure)
  return app
}

/**
 * The kind of an error and no more, as its message may quote what was sent. A request that cannot be read (an odd path, a
 * body that is too large) has a status of its own. @type {express.ErrorRequestHandler}
 */
function answerFailure(error, request, response, _next) {
  if (error.status >= 400 && error.status < 500) {
    response.status(error.status).json({ error: 'The request cannot be read' })
    return
  }
  console.error(`${request.method} ${request.path} failed: ${error.name} ${error.code ?? ''}`)
  response.status(500).json({ error: 'Something went wrong here' })
}
