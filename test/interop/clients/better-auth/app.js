import { betterAuth } from 'better-auth'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins'
import express from 'express'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env

const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  secret: 'at least 32 characters that nobody else knows',
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'platform',
          discoveryUrl: `${PLATFORM_APP_URL}/.well-known/openid-configuration`,
          clientId: PLATFORM_CLIENT_ID,
          clientSecret: PLATFORM_CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email'],
          requireIdTokenVerification: true,
        },
      ],
    }),
  ],
})

const app = express()

app.all('/api/auth/*path', toNodeHandler(auth))

app.get('/login', async (_request, response) => {
  const body = { provider: 'platform', callbackURL: '/me' }
  const { headers, response: begun } = await auth.api.signInSocial({ body, returnHeaders: true })
  response.setHeader('set-cookie', headers.getSetCookie())
  response.redirect(begun.url)
})

app.get('/me', async (request, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  response.status(session ? 200 : 401).json(session?.user)
})

app.listen(Number(PORT), 'localhost')
