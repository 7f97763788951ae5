import express from 'express'
import openid from 'express-openid-connect'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const keys = createRemoteJWKSet(new URL(`${PLATFORM_APP_URL}/.well-known/jwks.json`))
const expected = {
  issuer: PLATFORM_APP_URL,
  audience: PLATFORM_CLIENT_ID,
  algorithms: ['RS256'],
  requiredClaims: ['exp', 'iat'],
}

const app = express()

app.use(
  openid.auth({
    issuerBaseURL: PLATFORM_APP_URL,
    baseURL: `http://localhost:${PORT}`,
    clientID: PLATFORM_CLIENT_ID,
    clientSecret: PLATFORM_CLIENT_SECRET,
    secret: 'at least 32 characters that nobody else knows', // of its session
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    authRequired: false,
    routes: { login: false },
    afterCallback: async (_request, _response, session) => {
      await jwtVerify(session.id_token, keys, expected) // verifies the signature
      return session
    },
  }),
)

app.get('/login', (_request, response) => response.oidc.login({ returnTo: '/me' }))

app.get('/me', openid.requiresAuth(), (request, response) => response.json(request.oidc.user))

app.listen(Number(PORT), 'localhost')
