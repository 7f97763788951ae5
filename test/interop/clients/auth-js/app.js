import { createServer } from 'node:http'
import { Auth } from '@auth/core'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env
const origin = `http://localhost:${PORT}`
const keys = createRemoteJWKSet(new URL(`${PLATFORM_APP_URL}/.well-known/jwks.json`))
const expected = {
  issuer: PLATFORM_APP_URL,
  audience: PLATFORM_CLIENT_ID,
  algorithms: ['RS256'],
  requiredClaims: ['exp', 'iat'],
}

/** @type {import('@auth/core').AuthConfig} */
const config = {
  basePath: '/auth',
  secret: 'at least 32 characters that nobody else knows',
  trustHost: true,
  providers: [
    {
      id: 'platform',
      name: 'Platform',
      type: 'oidc',
      issuer: PLATFORM_APP_URL,
      clientId: PLATFORM_CLIENT_ID,
      clientSecret: PLATFORM_CLIENT_SECRET,
      token: `${PLATFORM_APP_URL}/oauth/token`, // or else it insists on a userinfo endpoint
      checks: ['state', 'pkce', 'nonce'], // without being asked it sends no state
    },
  ],
  callbacks: {
    async signIn({ account }) {
      await jwtVerify(account.id_token, keys, expected) // verifies the signature
      return true
    },
    redirect: () => `${origin}/auth/session`,
  },
}

createServer(async (incoming, outgoing) => {
  if (incoming.url === '/login') return outgoing.writeHead(302, { location: '/auth/signin' }).end()
  const init = { method: incoming.method, headers: incoming.headers, duplex: 'half' }
  if (incoming.method === 'POST') init.body = incoming
  const response = await Auth(new Request(new URL(incoming.url, origin), init), config)
  outgoing.writeHead(response.status, [...response.headers].flat())
  outgoing.end(await response.text())
}).listen(Number(PORT), 'localhost')
