import { type IncomingMessage, get as rawGet } from 'node:http'
import { type Emulator, startEmulator } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { libertyNames } from '../../src/emulator/world/liberty-names.js'
import { smallestFailing } from '../../src/programs/cli/commands/seeded-runs.js'

// Apps of a few lines, each of which relies on one thing that nobody promised, and on nothing else.

const CALLBACK = 'http://localhost:3000/callback'
const KEY = { authorization: 'Bearer key_acme' }

/** Throws unless it holds: the app is broken. */
function must(holds: boolean, what: unknown): void {
  if (!holds) throw new Error(`broken by ${JSON.stringify(what)}`)
}

/** A request as a sound app makes it: after a hiccup, once more. */
async function ask(url: string, init: RequestInit = { headers: KEY }): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  return response.status === 503 || response.status === 429 ? fetch(url, { redirect: 'manual', ...init }) : response
}

// biome-ignore lint/suspicious/noExplicitAny: an app reads whatever comes, and breaks where it is not there
const json = async (url: string, init?: RequestInit): Promise<any> => (await ask(url, init)).json()

/** A list as a sound app reads it. */
async function listed(url: string, path: string) {
  const all: { id: string; type: string }[] = []
  for (let page: string | null = ''; page !== null; ) {
    const { payload } = await json(`${url}${path}${page && `?page=${encodeURIComponent(page)}`}`)
    all.push(...payload.data)
    page = payload.next
  }
  return all
}

/** Installs the app, in two organizations: the first install of an app meets no weather. */
async function installed({ admin }: Emulator) {
  await admin.install({ app: 'fragile', organization: 'globex' })
  return admin.install({ app: 'fragile', organization: 'acme' })
}

/** Signs Ada in silently. @returns the callback's address, and the token response. */
async function signedIn({ url, admin }: Emulator) {
  const { cookie } = await admin.signIn('ada')
  const query = new URLSearchParams({
    client_id: 'app_fragile',
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: CALLBACK,
    state: 'xyz',
    prompt: 'none',
    organization: 'acme',
  })
  const headers = { cookie: `${cookie.name}=${cookie.value}` }
  const callback = (await ask(`${url}/oauth/authorize?${query}`, { headers })).headers.get('location') ?? ''
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(callback).searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    client_id: 'app_fragile',
    client_secret: 'fragile_secret',
  })
  return { callback, tokens: await json(`${url}/oauth/token`, { method: 'POST', body }) }
}

const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[part] as string, 'base64url').toString())

/** Sends a GET and returns the raw response. */
const raw = (url: string, headers: Record<string, string> = {}) =>
  new Promise<{ message: IncomingMessage; body: string }>((resolve, reject) => {
    rawGet(url, { headers: { ...KEY, ...headers }, agent: false }, (message) => {
      let body = ''
      message.on('data', (chunk) => {
        body += chunk
      })
      message.on('end', () => resolve({ message, body }))
    }).on('error', reject)
  })

const received = async ({ admin }: Emulator) => {
  await admin.deliveriesSettled({ timeout: '10s' })
  return (await admin.readInbox('fragile')).map(({ event }) => event)
}

/** Each liberty, and the app that it breaks. */
const apps: Record<(typeof libertyNames)[number], (emulator: Emulator) => Promise<void>> = {
  'key-order': async ({ url }) => {
    const text = await (await ask(`${url}/v0/courses`)).text()
    must(text.startsWith('{"error":null,'), text)
  },
  'more-fields': async ({ url }) => {
    const { payload } = await json(`${url}/v0/members/ada`)
    must(Object.keys(payload).length === 10, Object.keys(payload))
  },
  timestamps: async ({ url }) => {
    const { payload } = await json(`${url}/v0/members/ada`)
    must(/T[\d:]{8}\.\d{3}Z$/.test(payload.created_at), payload.created_at)
  },
  ids: async ({ url }) => {
    const [course] = await listed(url, '/v0/modules')
    const body = JSON.stringify({ module: course?.id, name: 'New', type: 'CONTENT' })
    const headers = { ...KEY, 'content-type': 'application/json' }
    const { payload } = await json(`${url}/v0/elements`, { method: 'POST', headers, body })
    must(/^[A-Za-z0-9]{16}$/.test(payload.id), payload.id)
  },
  'page-size': async ({ url }) => {
    const { payload } = await json(`${url}/v0/members`)
    must(payload.data.length >= 5, payload.data.length)
  },
  ties: async ({ url }) => {
    const ids = (await listed(url, '/v0/courses')).map(({ id }) => id)
    must(ids.join() === 'drafts,teamwork,writing', ids)
  },
  cursors: async ({ url }) => {
    for (let page: string | null = ''; page !== null; ) {
      const { payload }: { payload: { next: string | null } } = await json(
        `${url}/v0/elements${page && `?page=${page}`}`,
      )
      page = payload.next
    }
  },
  'error-words': async ({ url }) => {
    const { error } = await json(`${url}/v0/courses/nowhere`)
    must(error === 'Resource not found', error)
  },
  'retry-after': async (emulator) => {
    for (let n = 0; n < 30; n++) {
      const { status, headers } = await fetch(`${emulator.url}/v0/members/ada`, {
        headers: { authorization: 'Bearer key_globex' },
      })
      if (status === 429) must(Number(headers.get('retry-after')) > 0, headers.get('retry-after'))
    }
  },
  tokens: async (emulator) => {
    await installed(emulator)
    const { tokens } = await signedIn(emulator)
    must(/^at_[\w-]{43}$/.test(tokens.access_token), tokens.access_token)
  },
  'token-type': async (emulator) => {
    await installed(emulator)
    const { tokens } = await signedIn(emulator)
    must(tokens.token_type === 'Bearer', tokens.token_type)
  },
  'scope-order': async (emulator) => {
    await installed(emulator)
    const { tokens } = await signedIn(emulator)
    must(tokens.scope === 'openid profile email', tokens.scope)
  },
  aud: async (emulator) => {
    await installed(emulator)
    const { aud } = partOf((await signedIn(emulator)).tokens.id_token, 1)
    must(aud === 'app_fragile', aud)
  },
  claims: async (emulator) => {
    await installed(emulator)
    const claims = partOf((await signedIn(emulator)).tokens.id_token, 1)
    must(Object.keys(claims).length === 8, claims)
  },
  keys: async (emulator) => {
    await installed(emulator)
    const { keys } = await json(`${emulator.url}/.well-known/jwks.json`)
    const { kid } = partOf((await signedIn(emulator)).tokens.id_token, 0)
    must(keys[0].kid === kid && keys.at(-1).alg === 'RS256', keys)
  },
  metadata: async ({ url }) => {
    const { jwks_uri } = await json(`${url}/.well-known/openid-configuration`)
    must(jwks_uri === `${url}/.well-known/jwks.json`, jwks_uri)
  },
  redirects: async (emulator) => {
    await installed(emulator)
    const { callback } = await signedIn(emulator)
    must(callback.split('state=')[1] === 'xyz', callback)
  },
  'header-case': async ({ url }) => {
    const { message } = await raw(`${url}/v0/courses`)
    must(message.rawHeaders.includes('content-type'), message.rawHeaders)
  },
  gzip: async ({ url }) => {
    for (let n = 0; n < 5; n++) JSON.parse((await raw(`${url}/v0/courses`, { 'accept-encoding': 'gzip' })).body)
  },
  chunked: async ({ url }) => {
    for (let n = 0; n < 5; n++) {
      const { message } = await raw(`${url}/v0/courses`)
      must(message.headers['content-length'] !== undefined, message.headers)
    }
  },
  hiccup: async ({ url }) => {
    for (let n = 0; n < 10; n++) {
      const { status } = await fetch(`${url}/v0/courses`, { headers: KEY })
      must(status === 200, status)
    }
  },
  slow: async ({ url }) => {
    await ask(`${url}/v0/courses`, { headers: KEY, signal: AbortSignal.timeout(1_500) })
  },
  'early-end': async (emulator) => {
    const { credentials } = await installed(emulator)
    await emulator.admin.advanceClock('59m')
    const headers = { authorization: `Bearer ${credentials?.access_token}` }
    const { status } = await ask(`${emulator.url}/v0/courses`, { headers })
    must(status === 200, status)
  },
  'key-rotation': async (emulator) => {
    await installed(emulator)
    const { keys } = await json(`${emulator.url}/.well-known/jwks.json`)
    for (let n = 0; n < 3; n++) {
      const { kid } = partOf((await signedIn(emulator)).tokens.id_token, 0)
      must(
        keys.some((key: { kid: string }) => key.kid === kid),
        kid,
      )
      await emulator.admin.advanceClock('61m')
    }
  },
  'duplicate-events': async (emulator) => {
    await installed(emulator)
    await emulator.admin.advanceClock('2h')
    const events = (await received(emulator)).filter((event) => event === 'app.installed')
    must(events.length === 2, events)
  },
  'reordered-events': async (emulator) => {
    const { installation } = await installed(emulator)
    for (const type of ['a', 'b']) await emulator.admin.sendEvent({ type, installation: installation.id, data: {} })
    const events = await received(emulator)
    must(events.indexOf('a') < events.indexOf('b'), events)
  },
  'unknown-type': async ({ url }) => {
    const types = (await listed(url, '/v0/elements')).map(({ type }) => type)
    must(!types.some((type) => type === 'HOLOGRAM'), types)
  },
  'unknown-event': async (emulator) => {
    await installed(emulator)
    const known = ['app.installed', 'app.uninstalled']
    const events = await received(emulator)
    must(
      events.every((event) => known.includes(event ?? '')),
      events,
    )
  },
}

/** Runs an app beside an emulator of its own. @returns false when it breaks. */
async function works(name: keyof typeof apps, liberties: string, libertyKinds: string[]): Promise<boolean> {
  const now = '2026-01-01T00:00:00Z'
  const limited = name === 'retry-after' ? { rateLimit: 10 } : {}
  await using emulator = await startEmulator({ seed: 'app', now, pageSize: 5, liberties, libertyKinds, ...limited })
  await emulator.admin.createApp({
    client_id: 'app_fragile',
    client_secret: 'fragile_secret',
    manifest: {
      id: 'fragile',
      name: 'Fragile',
      version: '1.0.0',
      permissions: ['courses:read', 'openid', 'profile', 'email'],
      oauth: { install: true, authorize: { redirect_uris: [CALLBACK] } },
      webhook: { url: `${emulator.url}/_inbox/fragile` },
    },
  })
  return await apps[name](emulator).then(
    () => true,
    () => false,
  )
}

/** Every liberty but the one that takes seconds, which is searched for among a few. */
const quick = libertyNames.filter((name) => name !== 'slow')
const few: (typeof libertyNames)[number][] = ['slow', 'key-order', 'ids']
/** With this one the first response takes 1.8 s. */
const SLOW_SEED = '30'

function breaksAlone(name: keyof typeof apps): void {
  const all: (typeof libertyNames)[number][] = name === 'slow' ? few : quick

  test('breaks with it and with no other, and --why names it', async () => {
    expect(await works(name, '', [])).toBe(true)
    const seeds = name === 'slow' ? [SLOW_SEED] : Array.from({ length: 12 }, (_, index) => String(index + 1))
    let seed: string | undefined
    for (const one of seeds) if (!seed && !(await works(name, one, [name]))) seed = one
    expect(seed).toBeDefined()
    const others = all.filter((other) => other !== name)
    expect(await works(name, seed as string, others)).toBe(true)
    expect(await smallestFailing(all, async (some) => !(await works(name, seed as string, some)))).toEqual([name])
  })
}

const TITLE = 'an app that does not know of %s'
// They wait for most of their time.
describe.concurrent.each(quick)(TITLE, breaksAlone)
// It measures time, so it runs by itself.
describe.each(['slow'] as const)(TITLE, breaksAlone)
