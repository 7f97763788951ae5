import { fileURLToPath } from 'node:url'
import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const authorization = `Basic ${btoa(`${PLATFORM_CLIENT_ID}:${PLATFORM_CLIENT_SECRET}`)}`
const keys = createRemoteJWKSet(new URL(`${PLATFORM_APP_URL}/.well-known/jwks.json`))
const expected = {
  issuer: PLATFORM_APP_URL,
  audience: PLATFORM_CLIENT_ID,
  algorithms: ['RS256'],
  requiredClaims: ['exp', 'iat'],
}

const app = express()

app.get('/settings.json', (_request, response) =>
  response.json({ authority: PLATFORM_APP_URL, client_id: PLATFORM_CLIENT_ID }),
)

// The token endpoint for the page. Secret, access token and refresh token stay here.
app.post('/token', express.urlencoded(), async (request, response) => {
  const { grant_type, code, redirect_uri, code_verifier } = request.body
  const body = new URLSearchParams({ grant_type, code, redirect_uri, code_verifier })
  const answer = await fetch(`${PLATFORM_APP_URL}/oauth/token`, { method: 'POST', headers: { authorization }, body })
  const { id_token } = await answer.json()
  await jwtVerify(id_token, keys, expected)
  response.json({ token_type: 'Bearer', id_token })
})

app.use(
  '/oidc-client-ts',
  express.static(fileURLToPath(new URL('./node_modules/oidc-client-ts/dist/browser', import.meta.url))),
)

app.get(['/login', '/callback'], (_request, response) => response.sendFile('page.html', { root: import.meta.dirname }))

app.listen(Number(PORT), 'localhost')
