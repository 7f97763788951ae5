import { createHash } from 'node:crypto'
import { errors } from 'jose'
import { createFlows } from './flows.js'
import { userOf } from './id-token.js'
import { html, sendPage } from './page.js'
import { textOf } from './text.js'

const MINUTES = 60_000

const again = html`<p><a href="/login">Sign in</a></p>`

/** Pages for a sign-in that did not succeed. They repeat nothing of the request. */
const pages = {
  unknown_flow: {
    status: 400,
    title: 'This sign-in cannot go on',
    body: html`<p>It is finished, took too long, or was begun in another browser.</p>${again}`,
  },
  access_denied: {
    status: 403,
    title: 'You have not signed in',
    body: html`<p>You did not allow Course Notes to know who you are.</p>${again}`,
  },
  interaction_required: {
    status: 403,
    title: 'Course Notes is not available to you yet',
    body: html`<p>It has to be installed in an organization that you belong to. Ask its owner.</p>${again}`,
  },
  failed: {
    status: 400,
    title: 'You could not be signed in',
    body: html`<p>The platform did not say who you are in a way that can be trusted.</p>${again}`,
  },
  unavailable: {
    status: 503,
    title: 'You cannot sign in at the moment',
    body: html`<p>The platform does not answer. Try again in a minute.</p>${again}`,
  },
}

/**
 * Sign-in with the platform: the authorization-code flow with state, nonce and PKCE.
 *
 * @param {object} options
 * @param {string} options.origin of this app
 * @param {string} options.clientId
 * @param {ReturnType<typeof import('./provider.js').createProvider>} options.provider
 * @param {ReturnType<typeof import('./token-endpoint.js').createTokenEndpoint>} options.tokenEndpoint
 * @param {ReturnType<typeof import('./cookies.js').createCookies>} options.cookies
 * @param {ReturnType<typeof import('./sessions.js').createSessions>} options.sessions
 */
export function createSignIn({ origin, clientId, provider, tokenEndpoint, cookies, sessions }) {
  const flows = createFlows()
  const redirectUri = `${origin}/callback`

  /**
   * Sends the browser to the platform. @param {import('express').Request} request @param {import('express').Response} response
   * @param {{ returnTo: string, organization?: string, silent?: boolean }} options
   */
  async function begin(request, response, { returnTo, organization, silent = false }) {
    const known = await provider().catch(report)
    if (!known) return sendPage(response, pages.unavailable)
    const flow = flows.begin(cookies.read(request, 'sign_in'), { returnTo, organization, silent })
    cookies.set(response, 'sign_in', flow.browser, 10 * MINUTES)
    const url = new URL(known.authorizationEndpoint)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: createHash('sha256').update(flow.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(organization && { organization }),
      ...(silent && { prompt: 'none' }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    response.redirect(url.href)
  }

  /** `/callback`. @param {import('express').Request} request @param {import('express').Response} response */
  async function finish(request, response) {
    const { query } = request
    const browser = cookies.read(request, 'sign_in')
    const flow = flows.take(browser, textOf(query.state))
    if (!flow) return sendPage(response, pages.unknown_flow)
    if (browser && !flows.has(browser)) cookies.clear(response, 'sign_in')

    // Once: a sign-in that is not silent ends on a page, whatever comes back.
    if (query.error === 'login_required' && flow.silent) return begin(request, response, { ...flow, silent: false })
    if (query.error === 'access_denied' || query.error === 'interaction_required') {
      return sendPage(response, pages[query.error])
    }
    const code = query.error === undefined ? textOf(query.code) : undefined
    if (!code) return sendPage(response, pages.failed)

    try {
      const user = await redeem(code, flow)
      sessions.end(cookies.read(request, 'session'))
      cookies.set(response, 'session', sessions.start(user), 60 * MINUTES)
      response.redirect(flow.returnTo)
    } catch (error) {
      report(error)
      const isRefused = error instanceof errors.JOSEError || error.code === 'invalid_grant'
      sendPage(response, isRefused ? pages.failed : pages.unavailable)
    }
  }

  /**
   * The id_token is all that is wanted of the answer: the user's tokens reach nothing here, and go no further.
   * @param {string} code @param {import('./flows.js').Flow} flow
   */
  async function redeem(code, { nonce, verifier }) {
    const { id_token } = await tokenEndpoint.request({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    return userOf(id_token, { provider: await provider(), clientId, nonce })
  }

  return { begin, finish }
}

/** The kind of an error and no more: its message may quote what was sent. @param {any} error @returns {undefined} */
function report(error) {
  console.error(`Sign-in failed: ${error.name} ${error.code ?? ''}`)
}
