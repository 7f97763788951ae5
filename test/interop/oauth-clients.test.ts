import { Auth, type AuthConfig } from '@auth/core'
import type { StartOptions } from 'mockademy'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { describe, expect } from 'vitest'
import { callback, silent, test } from '../harness/sign-in-test.js'

/** Clients judge tokens by the machine's time, so the emulator's stands where that is. */
const live = test.extend<{ settings: StartOptions; signInAs: (user: string) => Promise<(url: URL) => Promise<URL>> }>({
  settings: { now: new Date().toISOString() },
  signInAs: async ({ cookie }, use) => {
    await use(async (user) => {
      const headers = { cookie: await cookie(user) }
      return async (url) => {
        const response = await fetch(url, { headers, redirect: 'manual' })
        return new URL(response.headers.get('location') ?? '')
      }
    })
  },
})

const faultOf = (effect: unknown) => ({ body: { match: { surface: 'id_token' }, effect, times: 1 } })

/** Every tampered id_token, and what a client says of it. */
const tampered: [effect: unknown, reason: RegExp][] = [
  ['bad_signature', /signature verification failed/],
  ['unknown_kid', /no applicable keys|key selection|error when selecting/i],
  ['wrong_iss', /"iss"/],
  ['wrong_aud', /"aud"/],
  ['expired', /"exp"/],
  ['not_yet_valid', /"nbf"/],
  ['missing_sub', /"sub"/],
  ['alg_none', /"alg"|alg/],
  ['wrong_nonce', /"nonce"/],
  [{ claims: { iat: 'yesterday' } }, /"iat"/],
]

describe('openid-client', () => {
  const configured = live.extend<{ config: client.Configuration }>({
    config: async ({ emulator }, use) => {
      const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] }
      await use(await client.discovery(new URL(emulator.url), 'app_notes', 'notes_secret', undefined, options))
    },
  })

  async function signIn(config: client.Configuration, follow: (url: URL) => Promise<URL>) {
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      client.randomPKCECodeVerifier(),
      client.randomState(),
      client.randomNonce(),
    ]
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid profile email',
      prompt: 'none',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    return client.authorizationCodeGrant(config, await follow(url), { pkceCodeVerifier, expectedState, expectedNonce })
  }

  for (const [name, authentication] of [
    ['client_secret_post', client.ClientSecretPost('notes_secret')],
    ['client_secret_basic', client.ClientSecretBasic('notes_secret')],
  ] as const) {
    live(`signs in with PKCE, state and nonce, and refreshes, by ${name}`, async ({ emulator, signInAs }) => {
      const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] }
      const config = await client.discovery(new URL(emulator.url), 'app_notes', {}, authentication, options)
      const tokens = await signIn(config, await signInAs('ada'))
      expect(tokens.claims()).toMatchObject({
        sub: 'ada',
        name: 'Ada Owner',
        email: 'ada@acme.test',
        email_verified: true,
        iss: emulator.url,
        aud: 'app_notes',
      })
      expect(tokens.expiresIn()).toBeGreaterThan(3500)
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
      expect(refreshed.id_token).toBeUndefined()
      await expect(client.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
    })
  }

  configured('learns of a failed silent sign-in by its error', async ({ config, signInAs }) => {
    await expect(signIn(config, await signInAs('zoe'))).rejects.toMatchObject({ error: 'interaction_required' })
  })

  configured('learns of a wrong secret by its error', async ({ emulator }) => {
    const options = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(emulator.url), 'app_notes', 'wrong', undefined, options)
    await expect(client.refreshTokenGrant(config, 'rt_acme')).rejects.toMatchObject({ status: 401 })
  })

  for (const [effect, reason] of tampered) {
    configured(`rejects an id_token with ${JSON.stringify(effect)} for that`, async ({ config, call, signInAs }) => {
      const follow = await signInAs('ada')
      await call('/_admin/faults', faultOf(effect))
      const error = await signIn(config, follow).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(messagesOf(error)).toMatch(reason)
      expect((await signIn(config, follow)).claims()?.sub).toBe('ada')
    })
  }
})

/** Messages of an error and of its causes. */
const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} | ${messagesOf(error.cause)}` : JSON.stringify(error ?? '')

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const app: oauth.Client = { client_id: 'app_notes' }
  const authentication = oauth.ClientSecretBasic('notes_secret')

  async function signIn(server: oauth.AuthorizationServer, follow: (url: URL) => Promise<URL>) {
    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const url = new URL(silent({ state, nonce, code_challenge, code_challenge_method: 'S256' }), server.issuer)
    const parameters = oauth.validateAuthResponse(server, app, await follow(url), state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      app,
      authentication,
      parameters,
      callback,
      verifier,
      insecure,
    )
    const checks = { expectedNonce: nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(server, app, response, checks)
    await oauth.validateApplicationLevelSignature(server, response, insecure)
    return tokens
  }

  const discovered = live.extend<{ server: oauth.AuthorizationServer }>({
    server: async ({ emulator }, use) => {
      const issuer = new URL(emulator.url)
      await use(await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure)))
    },
  })

  discovered(
    'signs in with PKCE, state and nonce, verifies the signature, and refreshes',
    async ({ server, signInAs }) => {
      const tokens = await signIn(server, await signInAs('bob'))
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: 'bob', email_verified: false })
      const refresh_token = tokens.refresh_token as string
      const refresh = await oauth.refreshTokenGrantRequest(server, app, authentication, refresh_token, insecure)
      expect((await oauth.processRefreshTokenResponse(server, app, refresh)).access_token).toEqual(expect.any(String))
    },
  )

  for (const [effect, reason] of tampered) {
    discovered(`rejects an id_token with ${JSON.stringify(effect)} for that`, async ({ server, call, signInAs }) => {
      const follow = await signInAs('bob')
      await call('/_admin/faults', faultOf(effect))
      const error = await signIn(server, follow).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(messagesOf(error)).toMatch(reason)
    })
  }
})

describe('@auth/core', () => {
  live('signs a person in', async ({ emulator, call, signInAs }) => {
    const base = 'http://localhost:3000/auth'
    const redirect_uri = `${base}/callback/platform`
    const app = {
      client_id: 'app_auth',
      client_secret: 'auth_secret',
      manifest: {
        id: 'authjs',
        name: 'Auth.js app',
        version: '1.0.0',
        permissions: ['openid', 'profile', 'email'],
        oauth: { authorize: { redirect_uris: [redirect_uri] } },
      },
    }
    expect((await call('/_admin/apps', { body: app })).status).toBe(201)
    expect((await call('/_admin/installations', { body: { app: 'authjs', organization: 'acme' } })).status).toBe(201)

    const config: AuthConfig = {
      basePath: '/auth',
      secret: 'a secret of the app under test, at least 32 characters',
      trustHost: true,
      providers: [
        {
          id: 'platform',
          name: 'Platform',
          type: 'oidc',
          issuer: emulator.url,
          clientId: app.client_id,
          clientSecret: app.client_secret,
          // Auth.js insists on a userinfo endpoint unless the token endpoint is given, and sends no state by itself.
          token: `${emulator.url}/oauth/token`,
          checks: ['state', 'pkce', 'nonce'],
          authorization: { params: { scope: 'openid profile email', prompt: 'none' } },
        },
      ],
    }
    const jar = new Map<string, string>()
    const visit = async (path: string, form?: Record<string, string>) => {
      const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
      const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
      const response = await Auth(new Request(new URL(path, base), { ...init, headers }), config)
      for (const cookie of response.headers.getSetCookie()) {
        const [name, value] = (cookie.split(';')[0] as string).split(/=(.*)/s) as [string, string]
        jar.set(name, value)
      }
      return response
    }
    const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string }
    const start = await visit('/auth/signin/platform', { csrfToken, callbackUrl: 'http://localhost:3000/notes' })
    const back = await (await signInAs('ada'))(new URL(start.headers.get('location') ?? ''))
    const done = await visit(back.pathname + back.search)
    expect(done.headers.get('location')).toBe('http://localhost:3000/notes')
    const session = (await (await visit('/auth/session')).json()) as { user: object }
    expect(session.user).toMatchObject({ name: 'Ada Owner', email: 'ada@acme.test' })
  })
})
