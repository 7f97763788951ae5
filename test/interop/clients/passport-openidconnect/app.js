import express from 'express'
import session from 'express-session'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const keys = createRemoteJWKSet(new URL(`${PLATFORM_APP_URL}/.well-known/jwks.json`))
const expected = {
  issuer: PLATFORM_APP_URL,
  audience: PLATFORM_CLIENT_ID,
  algorithms: ['RS256'],
  requiredClaims: ['exp', 'iat'],
}

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: PLATFORM_APP_URL,
      authorizationURL: `${PLATFORM_APP_URL}/oauth/authorize`,
      tokenURL: `${PLATFORM_APP_URL}/oauth/token`,
      clientID: PLATFORM_CLIENT_ID,
      clientSecret: PLATFORM_CLIENT_SECRET,
      callbackURL: `http://localhost:${PORT}/callback`,
      scope: ['profile', 'email'],
      nonce: true, // not checked unless asked for
      skipUserProfile: true, // there is no userinfo endpoint
    },
    async (_issuer, profile, _context, idToken, done) => {
      try {
        await jwtVerify(idToken, keys, expected) // verifies the signature
        done(null, profile)
      } catch (error) {
        done(error)
      }
    },
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()

app.use(session({ secret: 'nobody else knows', resave: false, saveUninitialized: false }), passport.session())

app.get('/login', passport.authenticate('openidconnect'))

app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/me', failWithError: true }))

app.get('/me', (request, response) => response.status(request.user ? 200 : 401).json(request.user))

app.listen(Number(PORT), 'localhost')
