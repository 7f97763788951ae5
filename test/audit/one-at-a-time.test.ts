import { createHash, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type AuditFileInput, audit, type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { signatureOf } from '../harness/receiver.js'
import { listen } from '../harness/serve.js'

const SECRET = 'signing_secret_of_the_board'
/** Of the app's requests, in ms: longer than a check lets another organization wait, shorter than a test takes. */
let timeout = 2_000

let emulator: Emulator
let file: AuditFileInput
const server = createServer()
const { url, close } = await listen(server)

/** Sessions by their cookie; each request without one begins one, as `session_start` does in PHP. */
const sessions = new Map<string, { user?: string; state?: string; organization?: string | null }>()
/** The user who signed in last. */
let newest: string | undefined
const tokens = new Map<string, { access_token: string; refresh_token: string; installer: string }>()

const requestToken = (parameters: Record<string, string>) =>
  fetch(`${emulator.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...parameters, client_id: 'app_board', client_secret: 'board_secret' }),
    signal: AbortSignal.timeout(timeout),
  }).then((response) => response.json())

const requestCourses = (token: string) =>
  fetch(`${emulator.url}/v0/courses`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeout),
  })

async function coursesOf(slug: string, user: string, response: ServerResponse) {
  const held = tokens.get(slug)
  if (held?.installer !== user) return response.writeHead(404).end()
  let courses = await requestCourses(held.access_token)
  if (courses.status === 401) {
    const refreshed = await requestToken({ grant_type: 'refresh_token', refresh_token: held.refresh_token })
    tokens.set(slug, { ...held, ...refreshed })
    courses = await requestCourses(refreshed.access_token)
  }
  return response.writeHead(courses.status).end(await courses.text())
}

function receive(body: string, signature: unknown): number {
  if (signatureOf(body, SECRET) !== signature) return 401
  const { type, data } = JSON.parse(body)
  const slug = data.organization.id
  if (type === 'app.installed') tokens.set(slug, { ...data.credentials, installer: data.installer.id })
  else tokens.delete(slug)
  return 200
}

async function respond(request: IncomingMessage, response: ServerResponse, body: string) {
  const { pathname, searchParams } = new URL(request.url ?? '', url)
  if (pathname === '/webhook') return response.writeHead(receive(body, request.headers['platform-signature'])).end()
  const known = /board=([^;]*)/.exec(request.headers.cookie ?? '')?.[1]
  const id = known ?? randomUUID()
  const session = sessions.get(id) ?? {}
  sessions.set(id, session)
  const lifetime = searchParams.has('lifetime') ? `; Max-Age=${searchParams.get('lifetime')}` : ''
  if (known === undefined) response.setHeader('set-cookie', `board=${id}; Path=/; HttpOnly; SameSite=Lax${lifetime}`)
  if (pathname === '/login') {
    session.organization = searchParams.get('organization')
    session.state = createHash('sha256').update(id).digest('hex')
    const query = new URLSearchParams({
      client_id: 'app_board',
      response_type: 'code',
      scope: 'openid',
      state: session.state,
      redirect_uri: `${url}/${searchParams.get('back') ?? 'callback'}`,
      ...Object.fromEntries([...searchParams].filter(([name]) => name.startsWith('code_challenge'))),
    })
    return response.writeHead(302, { location: `${emulator.url}/oauth/authorize?${query}` }).end()
  }
  if (pathname === '/localhost') {
    const location = `${emulator.url.replace('127.0.0.1', 'localhost')}/oauth/authorize`
    return response.writeHead(302, { location }).end()
  }
  if (pathname === '/form') {
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<form method="POST"><button>Sign in</button>')
  }
  if (pathname === '/callback') {
    const code = searchParams.get('code') ?? ''
    const redeemed = { grant_type: 'authorization_code', code, redirect_uri: `${url}/callback` }
    const { id_token } = await requestToken(redeemed)
    session.user = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString()).sub
    newest = session.user
    return response.end('signed in')
  }
  if (pathname === '/logout' && request.headers.origin !== url) return response.writeHead(403).end()
  if (pathname === '/newest') return response.end(JSON.stringify({ sub: newest }))
  if (session.user === undefined) return response.writeHead(401).end()
  if (pathname === '/me') return response.end(JSON.stringify({ sub: session.user }))
  if (pathname === '/logout') return response.end(String(sessions.delete(id)))
  const [, pinned, slug = ''] = /^\/(pinned\/)?(.*)/.exec(pathname) ?? []
  if (pinned && session.organization !== slug) return response.writeHead(403).end()
  return coursesOf(slug, session.user, response)
}

beforeAll(async () => {
  let last = Promise.resolve()
  server.on('request', (request, response) => {
    last = last.then(async () => {
      await respond(request, response, await text(request)).catch(() => response.writeHead(503).end())
    })
  })
  emulator = await startEmulator({ now: new Date().toISOString() })
  const manifest = {
    id: 'board',
    name: 'Board',
    version: '1.0.0',
    permissions: ['courses:read', 'openid'],
    oauth: { install: true as const, authorize: { redirect_uris: [`${url}/callback`] } },
    webhook: { url: `${url}/webhook` },
  }
  const secrets = { client_id: 'app_board', client_secret: 'board_secret', signing_secret: SECRET }
  await emulator.admin.createApp({ manifest, ...secrets })
  file = {
    app: 'board',
    start: `${url}/login`,
    whoami: { url: `${url}/me`, signed_in: { status: 200, user: '/sub' }, signed_out: { status: 401 } },
    probe: { url: `${url}/{organization}`, not_installed: { status: 404 }, as: 'signed_in' },
    logout: { url: `${url}/logout` },
    background: 0,
  }
})

afterAll(async () => {
  await close()
  await emulator.close()
})

/** An app that handles one request at a time and has a session for every visitor, as a script on PHP's own server does. */
const verdictOf = async (check: string) => (await audit({ url: emulator.url, file, only: [check] })).checks[0]

test('what an app that handles one request at a time makes others wait is counted from the first of their requests', async () => {
  expect(await verdictOf('webhook.isolation')).toMatchObject({
    outcome: 'fail',
    message: 'Requests that hang for one organization hold up another one',
  })
})

test('also where it has no timeout: the requests hang for no longer than it takes to see that', async () => {
  timeout = 600_000
  const verdict = await verdictOf('webhook.isolation').finally(() => (timeout = 2_000))
  expect(verdict).toMatchObject({
    outcome: 'fail',
    message: 'Requests that hang for one organization hold up another one',
    seen: expect.stringMatching(/^\d{4} ms while 1 \/v0 request and /),
  })
})

test('an owner who cannot sign in, since the app is not installed, may be answered as one who is signed out', async () => {
  expect(await verdictOf('webhook.never-installed')).toMatchObject({ outcome: 'pass' })
})

test('also where that is another response than whoami has, such as one of a page that asks for a sign-in', async () => {
  const whoami = { ...file.whoami, signed_out: { status: 302 } } as NonNullable<AuditFileInput['whoami']>
  const only = ['webhook.never-installed']
  const { checks } = await audit({ url: emulator.url, file: { ...file, whoami }, only })
  expect(checks).toMatchObject([{ outcome: 'pass' }])
})

test('an app that signs people in for one organization is audited where start names it, and a hint says so elsewhere', async () => {
  const pinned = {
    ...file,
    start: `${url}/login?organization={organization}`,
    probe: { url: `${url}/pinned/{organization}`, not_installed: { status: 404 }, as: 'signed_in' as const },
  }
  const only = ['api.bearer', 'signin.request', 'signin.works', 'signin.other-organization']
  const { checks } = await audit({ url: emulator.url, file: pinned, only })
  expect(checks.map(({ id, outcome }) => `${id} ${outcome}`).sort()).toEqual(only.map((id) => `${id} pass`).sort())
  const plain = await audit({ url: emulator.url, file: { ...pinned, start: `${url}/login` }, only: ['api.bearer'] })
  expect(plain.checks).toMatchObject([
    { outcome: 'inconclusive', message: expect.stringMatching(/put \{organization\} into start$/) },
  ])
})

test.for([
  ['', 'The authorization request has no code_challenge'],
  ['code_challenge=short', 'code_challenge_method is missing, which means plain'],
  [
    'code_challenge=short&code_challenge_method=S256',
    'The code_challenge has 5 characters; a SHA-256 in base64url has 43',
  ],
] as const)('without a challenge of PKCE by SHA-256 (%s), the verdict says what there is', async ([query, message]) => {
  const start = `${url}/login?${query}`
  const { checks } = await audit({ url: emulator.url, file: { ...file, start }, only: ['signin.pkce'] })
  expect(checks).toMatchObject([{ outcome: 'warn', message }])
})

test('a warning fails no build: in JUnit it is the output of its test', async ({ run, folder }) => {
  const [audited, junit] = [join(folder, 'audit.json'), join(folder, 'audit.xml')]
  await writeFile(audited, JSON.stringify(file))
  await run(['audit', audited, '--url', emulator.url, '--only', 'signin.pkce', '--junit', junit])
  expect(await readFile(junit, 'utf8')).toMatch(
    /^<testsuite .* failures="0" errors="0" skipped="0">\n<testcase [^>]*><system-out>The authorization request has no code_challenge\n/m,
  )
})

test('a session cookie that outlives a month is a warning', async () => {
  const start = `${url}/login?lifetime=${32 * 86_400}`
  const { checks } = await audit({ url: emulator.url, file: { ...file, start }, only: ['signin.cookie'] })
  const message = 'The session cookie lasts 32 days; a session of a sign-in at the platform is short-lived'
  expect(checks).toMatchObject([{ outcome: 'warn', message }])
  expect(await verdictOf('signin.cookie')).toMatchObject({ outcome: 'pass' })
})

test('a whoami that shows the same person without cookies judges no session', async () => {
  const whoami = { ...file.whoami, url: `${url}/newest` } as NonNullable<AuditFileInput['whoami']>
  const { checks } = await audit({ url: emulator.url, file: { ...file, whoami }, only: ['signin.logout'] })
  const message = 'No cookie holds the session, as far as whoami shows'
  expect(checks).toMatchObject([{ outcome: 'inconclusive', message }])
})

test('a sign-in after which whoami shows no session does not work', async () => {
  const whoami = { ...file.whoami, url: `${url}/webhook` } as NonNullable<AuditFileInput['whoami']>
  const { checks } = await audit({ url: emulator.url, file: { ...file, whoami }, only: ['signin.works'] })
  const message = 'After the callback, whoami shows no session'
  expect(checks).toMatchObject([{ outcome: 'fail', message }])
})

test('requests that cannot meet at a 401 show no stampede', async () => {
  expect(await verdictOf('api.stampede')).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringMatching(
      /^Only 1 of 10 probes at once got a 401, while another organization waited; let the app handle several requests at once, as in production, or leave this check out: --skip api\.stampede$/,
    ),
    seen: expect.stringMatching(
      /^10 of 10 probes worked; \/v0 returned 401, 10 × 200; the token endpoint returned 200;/,
    ),
  })
})

test.for([
  [{ start: undefined }, 'probe.as: needs "start", where the owner signs in'],
  [
    { probe: { url: 'http://127.0.0.1:1/{organization}', ok: { status: '200' as never } } },
    'probe.ok.status: must be a status from 100 to 599, or an array of them',
  ],
] as const)('a file that cannot be right is refused: %o', async ([changes, line]) => {
  await expect(audit({ url: emulator.url, file: { ...file, ...changes } })).rejects.toMatchObject({
    message: expect.stringContaining(`\n  ${line}`),
  })
})

test('globs that are no list are refused', async () => {
  const only = 'signin.request' as unknown as string[]
  await expect(audit({ url: emulator.url, file, only })).rejects.toMatchObject({
    message: 'Invalid options: only must be an array of strings',
  })
})

test('a form of another site that is refused, with a new session in place of the one that it came without, is explained', async () => {
  expect(await verdictOf('signin.logout')).toMatchObject({
    outcome: 'fail',
    message:
      'A form of another site signed the person out: it came without board, and the response replaces or deletes it',
    seen: 'status 403',
  })
})

test.for([
  [
    'localhost',
    /^[Tt]he URL of start leads to http:\/\/localhost:(\d+)\/oauth\/authorize, not to http:\/\/127\.0\.0\.1:\1: set PLATFORM_APP_URL$/,
  ],
  ['form', /^[Tt]he URL of start does not .*: a page with a form; start must begin the sign-in with a GET$/],
  [
    'login?back=elsewhere',
    /redirect_uri \S+elsewhere is not registered|: 400 "You cannot sign in to Board with this link": .* The request has \S+\/elsewhere\. The closest that is registered is \S+\/callback$/,
  ],
] as const)(
  'a start that leads elsewhere (%s) is named, also where a probe needs the sign-in',
  async ([path, reason]) => {
    const list = { url: `${url}/{organization}`, count: '/payload/data' }
    const only = ['signin.request', 'api.bearer', 'api.pages']
    const { checks } = await audit({ url: emulator.url, file: { ...file, start: `${url}/${path}`, list }, only })
    const found = Object.fromEntries(checks.map(({ id, outcome, message }) => [id, { outcome, message }]))
    expect(found['signin.request']).toEqual({ outcome: 'fail', message: expect.stringMatching(reason) })
    for (const id of ['api.bearer', 'api.pages']) {
      const [before, why = ''] = found[id]?.message.split('signed in: ') ?? []
      expect(before).toBe('The owner could not be ')
      const [cause, follows] = why.split(' (')
      expect(cause).toMatch(reason)
      expect(follows).toBe('follows from signin.request)')
    }
  },
)
