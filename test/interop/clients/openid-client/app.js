import express from 'express'
import * as client from 'openid-client'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const origin = `http://localhost:${PORT}`

const config = await client.discovery(
  new URL(PLATFORM_APP_URL),
  PLATFORM_CLIENT_ID,
  PLATFORM_CLIENT_SECRET,
  undefined,
  {
    execute: [
      client.allowInsecureRequests, // for the emulator only
      client.enableNonRepudiationChecks, // verifies the signature
    ],
  },
)
config.timeout = 5 // seconds; 30 when left out

const app = express()

app.get('/login', async (_request, response) => {
  const checks = {
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
  }
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/callback`,
    scope: 'openid profile email',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  response.cookie('checks', JSON.stringify(checks), { httpOnly: true, sameSite: 'lax' }).redirect(url.href)
})

app.get('/callback', async (request, response) => {
  const cookie = new URLSearchParams(request.headers.cookie?.replaceAll('; ', '&'))
  const checks = JSON.parse(cookie.get('checks') ?? '{}')
  if (!checks.expectedState) throw new Error('No sign-in was begun in this browser') // undefined would expect none
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, origin), checks)
  response.clearCookie('checks').json(tokens.claims())
})

app.listen(Number(PORT), 'localhost')
