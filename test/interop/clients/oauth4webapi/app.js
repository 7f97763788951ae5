import express from 'express'
import * as oauth from 'oauth4webapi'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const redirectUri = `http://localhost:${PORT}/callback`
const insecure = {
  [oauth.allowInsecureRequests]: true, // for the emulator only
  signal: () => AbortSignal.timeout(5_000),
}

const issuer = new URL(PLATFORM_APP_URL)
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
const client = { client_id: PLATFORM_CLIENT_ID }
const authentication = oauth.ClientSecretBasic(PLATFORM_CLIENT_SECRET)

const app = express()

app.get('/login', async (_request, response) => {
  const checks = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  }
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  })
  response.cookie('checks', JSON.stringify(checks), { httpOnly: true, sameSite: 'lax' }).redirect(url.href)
})

app.get('/callback', async (request, response) => {
  const cookie = new URLSearchParams(request.headers.cookie?.replaceAll('; ', '&'))
  const { state, nonce, verifier } = JSON.parse(cookie.get('checks') ?? '{}')
  const parameters = oauth.validateAuthResponse(server, client, new URL(request.url, redirectUri), state)
  const grant = [server, client, authentication, parameters, redirectUri, verifier, insecure]
  const answer = await oauth.authorizationCodeGrantRequest(...grant)
  const options = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, options)
  await oauth.validateApplicationLevelSignature(server, answer, insecure) // verifies the signature
  response.clearCookie('checks').json(oauth.getValidatedIdTokenClaims(tokens))
})

app.listen(Number(PORT), 'localhost')
