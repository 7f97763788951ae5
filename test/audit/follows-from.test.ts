import { audit } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { Inconclusive } from '../../src/programs/audit/app/failures.js'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { causeOfLostToken } from '../../src/programs/audit/context/causes.js'
import { type CheckResult, namingCause, withCauses } from '../../src/programs/audit/report.js'
import { startExampleApp, twoProcesses } from './example-app.js'
import { seededFaults } from './seeded-faults.js'

const rows = [
  {
    cause: 'webhook.accepts',
    what: 'expects the signature in base64',
    file: 'webhook.js',
    find: 'if (!signature || !/^[0-9a-f]{64}$/.test(signature)) return false',
    replace: 'if (!signature || signature.length !== 44) return false',
    also: { file: 'webhook.js', find: "Buffer.from(signature, 'hex')", replace: "Buffer.from(signature, 'base64')" },
    others: ['webhook.acknowledges-first', 'webhook.odd-signature', 'webhook.raw-body', 'webhook.burst'],
    messages: {
      'webhook.accepts':
        /^The app rejects a genuine app\.installed, and accepts one whose signature is in base64: expect it in lower-case hex$/,
    },
  },
  {
    cause: 'webhook.accepts',
    what: 'returns a 500 for every webhook',
    file: 'webhook.js',
    find: '    (request, response) => {\n      const body',
    replace: "    (request, response) => {\n      throw new Error('no body')\n      const body",
    others: [
      ...['webhook.acknowledges-first', 'webhook.unsigned', 'webhook.other-secret', 'webhook.altered'],
      ...['webhook.reserialised', 'webhook.short-signature', 'webhook.odd-signature', 'webhook.raw-body'],
      'webhook.burst',
    ],
  },
  {
    cause: 'webhook.never-installed',
    what: 'serves organizations that never installed it',
    find: 'const notInstalled = { status: 404,',
    replace: 'const notInstalled = { status: 200,',
    others: ['webhook.unsigned', 'webhook.short-signature', 'webhook.order', 'webhook.stale-install'],
  },
  {
    cause: 'api.refreshes-once',
    what: 'never refreshes',
    find: 'if (answer?.status === 401) {',
    replace: 'if (answer?.status === 0) {',
    others: ['api.stampede', 'api.rotation-kept', 'api.dead-grant', 'api.tolerant', 'webhook.replayed'],
  },
  {
    cause: 'api.rotation-kept',
    what: 'keeps its first refresh token',
    file: 'renewal.js',
    find: 'const next = textOf(fresh.refresh_token) ?? refresh_token',
    replace: 'const next = refresh_token',
    others: ['webhook.isolation', 'api.stampede', 'api.restart'],
  },
  {
    cause: 'api.rotation-kept',
    what: 'uses the tokens of a refresh once, and stores neither',
    file: 'renewal.js',
    find: '{ access_token, refresh_token: next }',
    replace: '{ access_token, refresh_token: next, stored: used }',
    also: {
      file: 'platform.js',
      find: 'const answer = await call(path, installation.credentials.access_token, deadline)',
      replace: `const { credentials } = installation
      const answer = await call(path, credentials.access_token, deadline)
      if (credentials.stored) installations.replaceCredentials(organization, credentials, credentials.stored)`,
    },
    others: ['api.tolerant', 'api.restart', 'api.stampede', 'webhook.duplicate'],
  },
  {
    cause: 'api.rotation-kept',
    what: 'has two processes, each of which keeps the tokens that the other one replaces',
    ...twoProcesses,
    others: ['webhook.duplicate', 'webhook.replayed'],
    messages: {
      'api.rotation-kept': /^A process of the app still uses a token that another process has replaced$/,
      'webhook.duplicate': /^A process of the app uses tokens that have been replaced /,
    },
  },
  {
    cause: 'api.not-early',
    what: 'refreshes before each request',
    find: 'const answer = await call(path, installation.credentials.access_token, deadline)',
    replace: `await renew(organization, installation, begun)
      const answer = await call(path, installations.of(organization)?.credentials?.access_token, deadline)`,
    others: [
      'webhook.duplicate',
      'webhook.stale-install',
      'api.stampede',
      'api.insufficient-scope',
      'api.after-upgrade',
    ],
    messages: { 'api.stampede': /^One expired token led to \d+ refresh(es)? before any 401 / },
  },
  {
    cause: 'api.stampede',
    what: 'responds with a 503 while it refreshes',
    file: 'renewal.js',
    find: 'if ((failedAt.get(id) ?? 0) > begun) return false',
    replace: 'if (underWay.has(id)) return false',
    others: ['webhook.isolation'],
  },
  {
    cause: 'api.after-uninstall',
    what: 'keeps its tokens, whatever the platform says of them',
    file: 'renewal.js',
    find: "const isOver = error.code === 'invalid_grant'",
    replace: 'const isOver = false',
    also: {
      file: 'webhook.js',
      find: '(lifecycle) => installations.uninstalled(lifecycle)',
      replace: '() => undefined',
    },
    others: ['webhook.stale-install'],
  },
  {
    cause: 'api.insufficient-scope',
    what: 'throws its tokens away after a 403',
    find: 'if (answer?.status === 401) {',
    replace: `if (answer?.status === 403) installations.replaceCredentials(organization, installation.credentials, null)
      if (answer?.status === 401) {`,
    others: ['api.tenants'],
  },
  {
    cause: 'signin.request',
    what: 'writes the session into the address of the platform, as servlets can',
    file: 'sign-in.js',
    find: 'new URL(known.authorizationEndpoint)',
    replace: "new URL(known.authorizationEndpoint + ';jsessionid=node0')",
    others: ['signin.silent'],
    messages: {
      'signin.request':
        /^The URL of start does not lead to the platform's \/oauth\/authorize: GET http:\S+\/oauth\/authorize;jsessionid=node0: status 404: \{"error":"invalid_request",/,
    },
  },
  {
    cause: 'signin.works',
    what: 'loses its state, since browsers do not send the cookie back',
    file: 'cookies.js',
    find: "sameSite: 'lax'",
    replace: "sameSite: 'strict'",
    others: ['signin.silent'],
  },
  {
    cause: 'signin.request',
    what: 'makes its redirect_uri of the name that a proxy has for it',
    file: 'sign-in.js',
    find: 'redirect_uri: redirectUri,\n      scope',
    replace: "redirect_uri: 'http://notes.invalid/callback',\n      scope",
    others: ['signin.errors', 'signin.silent'],
  },
  {
    cause: 'signin.works',
    what: 'responds to everyone with what it has shown someone, from its fourth request on',
    file: 'app.js',
    find: "app.get('/me', (request, response) => {",
    replace: `let last
  let requests = 0
  app.get('/me', (request, response) => {
    if (++requests > 3 && last) return response.json(last)
    last = userOf(request)`,
    also: { file: 'token-endpoint.js', find: 'const TIMEOUT = 7_000', replace: 'const TIMEOUT = 1_000' },
    others: ['signin.token-endpoint-down'],
  },
  {
    cause: 'signin.works',
    what: 'has a second instance that knows no session',
    file: 'sessions.js',
    find: '      const session = id === undefined ?',
    replace: `      requests.set(id, (requests.get(id) ?? 0) + 1)
      if (requests.get(id) % 4 === 0) return undefined
      const session = id === undefined ?`,
    also: { file: 'sessions.js', find: 'const MOST =', replace: 'const requests = new Map()\nconst MOST =' },
    others: ['signin.logout'],
    messages: {
      'signin.works': /^After the callback, 4 of 5 requests to whoami show a session$/,
      'signin.logout': /^The app responds to some requests with a valid session cookie /,
    },
  },
]

describe('a failure with one cause is found once, and the others say that they follow from it', () => {
  test.for(rows)(
    'an app that $what',
    async ({ cause, file = 'platform.js', find, replace, also, others, messages }) => {
      await using app = await startExampleApp([{ file, find, replace }, ...(also ? [also] : [])])
      const { checks } = await audit({ url: app.emulator.url, file: app.file, only: [cause, ...others] })
      const found = Object.fromEntries(checks.map(({ id, ...check }) => [id, check]))
      expect(found[cause]).toMatchObject({ outcome: 'fail' })
      expect(found[cause]).not.toHaveProperty('follows_from')
      for (const id of others) {
        expect({ id, ...found[id] }).toMatchObject({
          id,
          outcome: 'fail',
          follows_from: cause,
          message: expect.stringContaining(`(follows from ${cause})`),
        })
      }
      for (const [id, message] of Object.entries(messages ?? {})) expect(found[id]?.message).toMatch(message)
    },
  )
})

test('an old token in the memory of a process is not said to have replaced those of an upgrade', async () => {
  const { also, ...copies } = twoProcesses
  await using app = await startExampleApp([copies, also])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['api.after-upgrade'] })
  const message = 'A process of the app still uses a token of the old version'
  expect(checks).toMatchObject([{ outcome: 'fail', message }])
})

test.for([
  ['webhook.accepts', 401, 'fail', 'check that all instances of the app have the same signing secret'],
  [
    'webhook.raw-body',
    401,
    'fail',
    'check that all instances of the app have the same signing secret (follows from webhook.accepts)',
  ],
  [
    'webhook.raw-body',
    503,
    'inconclusive',
    "if a proxy limits the rate, as nginx's limit_req does with a 503, lift the limit for the audit",
  ],
] as const)(
  '%s, of an app that answers every second genuine webhook with %d: %s',
  async ([id, status, outcome, why]) => {
    const find = 'const event = parse(body)'
    const replace = `${find}\n      if (/[02468]$/.test(event?.data?.organization?.id)) return void response.status(${status}).end()`
    await using app = await startExampleApp([{ file: 'webhook.js', find, replace }])
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: [id] })
    const message = `7 of 10 genuine webhooks were not accepted: status ${status}; ${why}`
    expect(checks).toMatchObject([{ outcome, message }])
  },
)

test('a genuine webhook that is refused once is no matter of instances', async () => {
  const find = 'const event = parse(body)'
  const replace = `${find}\n      globalThis.count = (globalThis.count ?? 0) + 1\n      if (globalThis.count === 4) return void response.status(500).end()`
  await using app = await startExampleApp([{ file: 'webhook.js', find, replace }])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.accepts'] })
  const message = /^The app does not accept every genuine webhook with a 2xx and reject forged ones/
  expect(checks).toMatchObject([{ outcome: 'inconclusive', message: expect.stringMatching(message) }])
})

test('a 503 for forged webhooks that come too fast is one of a proxy', async () => {
  const replace =
    'const { last = 0 } = globalThis\n        globalThis.last = Date.now()\n        response.status(last > Date.now() - 300 ? 503 : 401)'
  await using app = await startExampleApp([{ file: 'webhook.js', find: 'response.status(401)', replace }])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.odd-signature'] })
  const message =
    "A webhook with its signature in base64 got a 503, and a rejection when it was sent alone; if a proxy limits the rate, as nginx's limit_req does with a 503, lift the limit for the audit"
  expect(checks).toMatchObject([{ outcome: 'inconclusive', message }])
})

test('what an app read before an install may be what it shows after it', async () => {
  const find = '      const installation = installations.of(organization)\n'
  const replace = `${find}      globalThis.absent ??= new Set()
      if (!installation) absent.add(organization)
      if (absent.has(organization)) return notInstalled\n`
  await using app = await startExampleApp([{ file: 'platform.js', find, replace }])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.unsigned'] })
  const message =
    'The probe does not work after the genuine webhook; it was requested before the install as well, so a cache may have kept that response: status 404, '
  expect(checks).toMatchObject([{ outcome: 'inconclusive', message: expect.stringContaining(message) }])
})

test('new fields in an app.installed are not blamed when one without them is not served either', async () => {
  const find = 'if (handler) handler(lifecycle, event.data)'
  // The first organization has the new fields, the sixth does not, and the eighth comes when the check is repeated.
  const replace = 'if (handler && !/-000[168]$/.test(event.data.organization.id)) handler(lifecycle, event.data)'
  await using app = await startExampleApp([{ file: 'webhook.js', find, replace }])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.unknown-fields'] })
  expect(checks).toMatchObject([
    { outcome: 'inconclusive', message: expect.stringMatching(/^The probe does not work after an install: /) },
  ])
})

test('a rejected app.uninstalled is found once, and named where others need one', async () => {
  const find = 'if (handler) handler(lifecycle, event.data)'
  const replace = `if (event.type === 'app.uninstalled') return void response.status(500).end()\n      ${find}`
  await using app = await startExampleApp([{ file: 'webhook.js', find, replace }])
  const only = ['webhook.unsigned', 'webhook.order', 'api.after-uninstall']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  expect(checks.map(({ outcome, follows_from }) => [outcome, follows_from])).toEqual([
    ['inconclusive', 'api.after-uninstall'],
    ['inconclusive', 'api.after-uninstall'],
    ['fail', undefined],
  ])
  expect(checks[2]?.message).toMatch(/^The app did not acknowledge app\.uninstalled: the app responded with 500/)
})

test('a 500 for forged webhooks alone has a cause of its own', async () => {
  const patch = { file: 'webhook.js', find: 'response.status(401)', replace: 'response.status(500)' }
  await using app = await startExampleApp([patch])
  const only = ['webhook.accepts', 'webhook.unsigned']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  const message = 'A webhook without a signature header made the app fail (status 500)'
  expect(checks).toMatchObject([{ outcome: 'pass' }, { outcome: 'fail', message }])
})

test('where each sign-in has the same nonce, no check says that the one of another sign-in is rejected', async () => {
  const { patches = [] } = seededFaults.find(({ what }) => what === 'has one nonce for all sign-ins') ?? {}
  await using app = await startExampleApp(patches)
  const only = ['signin.nonce', 'signin.id-token-wrong-nonce', 'signin.id-token-no-nonce']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  expect(checks.map(({ outcome }) => outcome)).toEqual(['warn', 'skip', 'skip'])
  expect(checks[1]?.message).toMatch(/^Each sign-in has the same nonce, .*\(see signin\.nonce\)$/)
})

test('a second refresh that could not be observed explains no failure', async () => {
  const once = () => Promise.reject(new Inconclusive('the app got no 401'))
  expect(await causeOfLostToken({ once } as never)).toBeUndefined()
})

test.for([
  [10, { outcome: 'pass' }],
  [11, { outcome: 'fail', message: '11 requests to /v0 within 2 s, although the app got no requests' }],
] as const)('an idle app that sends %d requests: %j', async ([count, verdict]) => {
  const tenant = { mustServe: async () => {} }
  const idle = { tenant, time: 2_000, api: Array(count).fill({}), refreshes: [], entries: [] }
  const check = catalog.find(({ id }) => id === 'api.background')
  expect(await check?.run({ once: async () => idle } as never)).toMatchObject(verdict)
})

test('a check that did not fail explains no failure, and one that mixes up organizations explains those of tokens', () => {
  const result = (id: string, outcome: string, follows_from?: string) =>
    ({ id, outcome, message: 'Seen', follows_from }) as CheckResult
  const settled = (...results: CheckResult[]) =>
    withCauses(results, catalog)
      .map(namingCause)
      .map(({ outcome, message }) => `${outcome}: ${message}`)
  const refreshes = result('api.refreshes-once', 'pass')
  const lost = result('api.refresh-lost', 'fail', 'api.refreshes-once')
  expect(settled(refreshes, lost)).toEqual(['pass: Seen', 'inconclusive: Seen'])
  const unclear = result('api.refreshes-once', 'inconclusive')
  expect(settled(unclear, lost)).toEqual(['inconclusive: Seen', 'inconclusive: Seen'])
  const failed = [result('api.stampede', 'fail'), result('api.tenants', 'fail')]
  const fromTenants = 'fail: Seen (follows from api.tenants)'
  expect(settled(refreshes, lost, ...failed)).toEqual(['pass: Seen', fromTenants, fromTenants, 'fail: Seen'])
  expect(settled(result('signin.subject', 'fail'), ...failed)[0]).toBe('fail: Seen')
  const ended = result('webhook.late-uninstall', 'fail')
  expect(settled(ended, result('api.tenants', 'fail'))[0]).toBe('fail: Seen')
  const unknown = result('api.stampede', 'inconclusive')
  const fails = result('api.tenants', 'fail')
  expect(settled(unknown, fails)[0]).toBe('inconclusive: Seen (follows from api.tenants)')
  const losing = [result('webhook.burst', 'fail'), result('webhook.altered', 'inconclusive')]
  expect(settled(...losing)[1]).toBe('inconclusive: Seen (follows from webhook.burst)')
  expect(settled(...losing, result('webhook.accepts', 'fail'))[1]).toBe(
    'inconclusive: Seen (follows from webhook.accepts)',
  )
  expect(settled(result('webhook.burst', 'fail'), result('webhook.altered', 'fail'))[1]).toBe('fail: Seen')
  // One without a request ran out of time.
  expect(settled({ ...unknown, sent: null }, fails)[0]).toBe('inconclusive: Seen')
  const unanswered = { ...result('signin.works', 'inconclusive', 'signin.request'), sent: null }
  expect(settled(result('signin.request', 'pass'), unanswered)[1]).toBe('inconclusive: Seen')
  expect(settled(result('signin.request', 'fail'), unanswered)[1]).toBe(
    'inconclusive: Seen (follows from signin.request)',
  )
  const purged = [result('api.insufficient-scope', 'fail'), result('api.tenants', 'fail', 'api.insufficient-scope')]
  expect(settled(...purged)).toEqual(['fail: Seen', 'fail: Seen (follows from api.insufficient-scope)'])
})
