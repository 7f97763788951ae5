/**
 * An app on a stack that nobody here wrote: Auth.js with the platform as an OpenID provider, configured as its
 * documentation says and no further. Only `/login` (the form of Auth.js's own page, submitted) and `/me` are added.
 *
 * Variables: PLATFORM_APP_URL, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT.
 */
import { createServer } from 'node:http'
import { Auth } from '@auth/core'

const { PLATFORM_APP_URL: issuer, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PORT = '3000' } = process.env

/** @type {import('@auth/core').AuthConfig} */
const config = {
  basePath: '/auth',
  secret: 'a secret of the app under test, at least 32 characters',
  trustHost: true,
  providers: [
    {
      id: 'platform',
      name: 'Platform',
      type: 'oidc',
      issuer,
      clientId: PLATFORM_CLIENT_ID,
      clientSecret: PLATFORM_CLIENT_SECRET,
      // Auth.js insists on a userinfo endpoint unless the token endpoint is given.
      token: `${issuer}/oauth/token`,
      checks: ['state', 'pkce', 'nonce'],
    },
  ],
  callbacks: {
    jwt: ({ token, account }) => (account ? { ...token, account: account.providerAccountId } : token),
    session: ({ session, token }) => ({ ...session, account: token.account }),
  },
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const answer = await answerTo(request, url).catch(() => new Response('Something went wrong here', { status: 500 }))
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'))
  response.writeHead(answer.status, { ...headers, 'set-cookie': answer.headers.getSetCookie() })
  response.end(Buffer.from(await answer.arrayBuffer()))
})

/** @param {import('node:http').IncomingMessage} request @param {URL} url */
async function answerTo(request, url) {
  const headers = new Headers(request.headers.cookie ? { cookie: request.headers.cookie } : {})
  if (url.pathname === '/login') return signIn(url, headers)
  if (url.pathname === '/me') {
    const session = await Auth(new Request(new URL('/auth/session', url), { headers }), config)
    const signedIn = await session.json()
    return Response.json(signedIn, { status: signedIn ? 200 : 401 })
  }
  if (url.pathname === '/') return new Response('Welcome')
  return Auth(new Request(url, { method: request.method, headers }), config)
}

/** Submits the form behind "Sign in with Platform", with its CSRF token. */
async function signIn(url, headers) {
  const form = await Auth(new Request(new URL('/auth/csrf', url), { headers }), config)
  const { csrfToken } = await form.json()
  const jar = [headers.get('cookie'), ...form.headers.getSetCookie().map((cookie) => cookie.split(';')[0])]
  const begun = await Auth(
    new Request(new URL('/auth/signin/platform', url), {
      method: 'POST',
      headers: { cookie: jar.filter(Boolean).join('; ') },
      body: new URLSearchParams({ csrfToken, callbackUrl: url.searchParams.get('callbackUrl') ?? '/' }),
    }),
    config,
  )
  const answer = new Response(null, { status: begun.status, headers: begun.headers })
  for (const cookie of form.headers.getSetCookie()) answer.headers.append('set-cookie', cookie)
  return answer
}

server.listen(Number(PORT), 'localhost', () => {
  console.log(`An app with Auth.js listens at http://localhost:${/** @type {any} */ (server.address()).port}`)
})
