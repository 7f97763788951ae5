import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from 'mockademy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { type ExampleApp, type Patch, startExampleApp, twoProcesses } from './example-app.js'
import { ofThisHost, seededFaults } from './seeded-faults.js'

/** Waits for half a minute of real time: `npm run test:matrix` has it. */
const slow = process.env.MATRIX === 'whole' ? [] : ['signin.rotation']
/** Skipped unless probes are of a person. */
const ofPeople = 'signin.other-organization'

describe('the example app', () => {
  let app: ExampleApp
  beforeAll(async () => {
    app = await startExampleApp()
  })
  afterAll(() => app.close())

  test('passes every check, and the world is as it was found', async () => {
    const { admin, url } = app.emulator
    await admin.addFault({ match: { surface: 'api' }, effect: 'rate_limited', expires_in: '1h' })
    await admin.setAmbientUser('ada')
    await admin.freezeClock('2026-02-01T00:00:00.000Z')
    const before = await admin.getState()
    const log = join(app.folder, 'app.log')
    await writeFile(log, 'GET /callback?code=ac_of_another_day\n')

    const report = await audit({ url, file: { ...app.file, logs: [log] }, skip: slow })
    const others = report.checks.filter(({ id, outcome }) => outcome !== 'pass' && id !== ofPeople)
    expect(others).toEqual([])
    expect(report.checks.map(({ id }) => id)).toEqual(catalog.map(({ id }) => id).filter((id) => !slow.includes(id)))
    expect(report).toMatchObject({
      app: 'notes',
      passed: true,
      summary: { pass: catalog.length - slow.length - 1, skip: 1 },
    })
    const accepts = report.checks.find(({ id }) => id === 'webhook.accepts')
    expect(accepts?.message).toMatch(/^Acknowledged 1 app\.installed with 200 after \d+ ms$/)
    expect(await admin.getState()).toEqual(before)
    expect(await admin.listSnapshots()).toEqual([])
    expect(await admin.listFindings({ level: 'error' })).toEqual([])
  })

  test('passes with probes of people, who see their own organization alone', async () => {
    const only = [ofPeople, 'webhook.unsigned', 'api.refreshes-once', 'api.stampede']
    const report = await audit({ url: app.emulator.url, file: app.fileOfPeople, only })
    expect(report.checks.map(({ id, outcome, message }) => ({ id, outcome, message }))).toEqual(
      expect.arrayContaining(only.map((id) => ({ id, outcome: 'pass', message: expect.any(String) }))),
    )
  })
})

test.for<[pointer: string, check: string, message: RegExp]>([
  [
    '/email',
    'signin.subject',
    /^The key whoami\.signed_in\.user points to the email: point it to the ID .*, or, if the email is the ID, key accounts/,
  ],
  ['/id', 'signin.works', /^A normal sign-in does not work: whoami shows no user where its signed_in\.user points$/],
])('an app is not judged by a file whose signed_in.user is %s', async ([user, check, message]) => {
  await using app = await startExampleApp()
  const whoami = { url: `${app.url}/me`, signed_in: { status: 200, user }, signed_out: { status: 401 } }
  const { checks } = await audit({ url: app.emulator.url, file: { ...app.file, whoami }, only: [check] })
  expect(checks).toMatchObject([{ outcome: 'inconclusive', message: expect.stringMatching(message) }])
})

test('only of an app that has called nothing at all, the audit says that it may call another address', async () => {
  const elsewhere = { file: 'platform.js', find: 'fetch(baseUrl + path', replace: "fetch('http://127.0.0.1:1' + path" }
  await using app = await startExampleApp([elsewhere])
  const messageWith = async (file: ExampleApp['file']) =>
    (await audit({ url: app.emulator.url, file, only: ['api.bearer'] })).checks[0]?.message
  const response = 'status 503, also after 500ms ("background")'
  expect(await messageWith(app.file)).toBe(
    `The probe does not work after an install: ${response}; the app sent no request to ${app.emulator.url}; if it calls another address, set its PLATFORM_BASE_URL`,
  )
  // It has redeemed the code of its owner.
  const whose = 'for the owner, who has signed in'
  expect(await messageWith(app.fileOfPeople)).toBe(`The probe does not work after an install ${whose}: ${response}`)
})

test('an app that refuses an event whose idempotency key is not its id passes every check of webhooks', async () => {
  const find = 'const handler = handlers.get('
  const replace = `if (event?.id !== request.get('Platform-Idempotency-Key')) return void response.status(400).end()
      ${find}`
  await using app = await startExampleApp([{ file: 'webhook.js', find, replace }])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.*'] })
  expect(checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
})

test('two processes that keep tokens until a 401 replace none at an event that is sent again', async () => {
  const { also, ...copies } = twoProcesses
  const reload = { ...also, replace: also.replace.replace('if (installation === stored) ', '') }
  await using app = await startExampleApp([copies, reload])
  const only = ['webhook.duplicate', 'webhook.replayed', 'webhook.stale-install', 'api.rotation-kept']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  expect(checks.map(({ id, outcome }) => [id, outcome])).toEqual(only.map((id) => [id, 'pass']))
})

test.for([
  [
    'api.pages',
    'reads the first page',
    /^The list shows 1 of 3 elements with 1 a page \(page_size\), and the app left "next"/,
  ],
  [
    'api.after-uninstall',
    'stores the tokens of a refresh that ends after the uninstall',
    /^After an uninstall that came during a refresh, the app sent \d+ requests with revoked tokens$/,
  ],
] as const)(
  'the message of %s, where a page has one element, says what an app did that %s',
  async ([id, fault, message]) => {
    await using app = await startExampleApp(seededFaults.find(({ what }) => what === fault)?.patches)
    await app.emulator.admin.addFixtures({ settings: { page_size: 1 } })
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: [id] })
    expect(checks).toMatchObject([{ outcome: 'fail', message: expect.stringMatching(message) }])
    expect(checks[0]?.entries).not.toEqual([])
  },
)

describe('an app whose page takes four requests at once, that copies courses after an install, keeps lists for a while and whose HTTP client repeats what is reset', () => {
  const list = "await platform.list(organization, '/v0/elements')"
  const fresh = `lists.set(organization, { until: Date.now() + 300, answer: ${list} })`
  const ofCache = `(lists.get(organization)?.until > Date.now() ? lists : ${fresh}).get(organization).answer`
  const page = "await platform.get(organization, '/v0/courses')"
  const requests = ['courses', 'courses', 'members', 'modules'].map((name) => page.slice(6).replace('courses', name))
  const webhook = 'createWebhook({ signingSecret, installations })'
  const copying = `createWebhook({ signingSecret, installations: { ...installations, installed(lifecycle, data) {
    installations.installed(lifecycle, data)
    if (!events.has(lifecycle.event)) copy(lifecycle.organization)
    events.add(lifecycle.event)
  } } })`
  const copy = `const events = new Set()
  const copy = async (organization) => {
    for (let page = 0; page < 15; page++) {
      await platform.get(organization, '/v0/courses').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const cookies =`
  // Like a transport that tries a request on each idle connection of an organization, until a response has closed those.
  const repeating = `const idle = new Map()
  const repeating = async (url, options) => {
    const { authorization } = options.headers
    for (let repeats = idle.get(authorization) ?? 3; ; repeats--) {
      try {
        const response = await fetch(url, options)
        if (response.headers.get('connection') === 'close') idle.set(authorization, 1)
        return response
      } catch (error) {
        if (repeats === 0 || !/RESET|SOCKET/.test(error.cause?.code)) throw error
      }
    }
  }`
  let app: ExampleApp
  beforeAll(async () => {
    app = await startExampleApp([
      { file: 'organizations.js', find: page, replace: `(await Promise.all([${requests}]))[0]` },
      { file: 'app.js', find: webhook, replace: copying },
      { file: 'app.js', find: 'const cookies =', replace: copy },
      { file: 'organizations.js', find: list, replace: ofCache },
      { file: 'platform.js', find: 'await fetch(', replace: 'await repeating(' },
      { file: 'platform.js', find: 'const TRIES = 3', replace: `const TRIES = 4\n${repeating}` },
      { file: 'organizations.js', find: 'export function', replace: 'const lists = new Map()\nexport function' },
    ])
  })
  afterAll(() => app.close())

  test('passes the checks that count its requests', async () => {
    const only = ['api.refreshes-once', 'api.stampede', 'api.insufficient-scope', 'api.rate-limited', 'api.outage']
    only.push('api.background', 'webhook.never-installed', 'api.tolerant')
    const { checks } = await audit({ url: app.emulator.url, file: { ...app.file, background: '1s' }, only })
    expect(checks.map(({ id, outcome, message }) => ({ id, outcome, message }))).toEqual(
      expect.arrayContaining(only.map((id) => ({ id, outcome: 'pass', message: expect.any(String) }))),
    )
  })

  test('has no list where list.count leads to a text', async () => {
    const file = { ...app.file, list: { url: app.file.list?.url ?? '', count: '/0/name' } }
    expect((await audit({ url: app.emulator.url, file, only: ['api.pages'] })).checks).toMatchObject([
      {
        outcome: 'inconclusive',
        message: 'The pointer "/0/name" of list.count leads to no number or array in the response',
      },
    ])
  })
})

test('an app that returns a 503 while the platform limits its requests respects Retry-After', async () => {
  const find = "  status,\n  body: { error: 'The platform has asked for a pause"
  await using app = await startExampleApp([
    { file: 'platform.js', find, replace: find.replace('status', 'status: 503') },
  ])
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['api.rate-limited'] })
  expect(checks).toMatchObject([{ outcome: 'pass', message: expect.stringContaining('status 503') }])
})

test('an app that locks each organization around its requests, which meet no 401 together, shows no stampede', async () => {
  await using app = await startExampleApp([
    {
      file: 'app.js',
      find: "  app.post('/webhook', ",
      replace: `  const turns = new Map()
  app.use('/organizations/:organization', (request, response, next) => {
    const { organization } = request.params
    const turn = (turns.get(organization) ?? Promise.resolve()).then(() => next())
    turns.set(organization, turn.then(() => new Promise((done) => response.on('close', done))))
  })
  app.post('/webhook', `,
    },
  ])
  for (const file of [app.file, app.fileOfPeople]) {
    const { checks } = await audit({ url: app.emulator.url, file, only: ['api.stampede'] })
    expect(checks).toMatchObject([
      { outcome: 'pass', message: '10 probes at once, of which 1 got a 401, shared 1 refresh' },
    ])
  }
})

describe('an app that works off its webhooks one after another, 250 ms each', () => {
  const find = 'createWebhook({ signingSecret, installations })'
  const replace = `createWebhook({ signingSecret, installations: { ...installations, installed(...event) {
    queue = queue.then(() => new Promise((done) => setTimeout(done, 250))).then(() => installations.installed(...event))
  } } })`
  let app: ExampleApp
  beforeAll(async () => {
    app = await startExampleApp([
      { file: 'app.js', find, replace },
      { file: 'app.js', find: 'const cookies =', replace: 'let queue = Promise.resolve()\n  const cookies =' },
    ])
  })
  afterAll(() => app.close())

  test('has the time that it needs', async () => {
    const only = ['unsigned', 'other-secret', 'altered', 'short-signature', 'raw-body', 'unknown-fields']
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: only.map((id) => `webhook.${id}`) })
    expect(checks.map(({ id, outcome, message }) => ({ id, outcome, message }))).toEqual(
      only.map((id) => ({ id: `webhook.${id}`, outcome: 'pass', message: expect.any(String) })),
    )
  })
})

describe('an app that shows what it has read before', () => {
  const find = "await platform.get(organization, '/v0/courses')"
  const replace = `pages.get(organization) ?? pages.set(organization, ${find}).get(organization)`
  let app: ExampleApp
  beforeAll(async () => {
    app = await startExampleApp([
      { file: 'organizations.js', find, replace },
      { file: 'organizations.js', find: 'export function', replace: 'const pages = new Map()\nexport function' },
    ])
  })
  afterAll(() => app.close())

  test('uses no token of another organization for that', async () => {
    const only = ['api.insufficient-scope', 'api.outage', 'api.tenants']
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
    expect(checks.map(({ id, outcome }) => [id, outcome])).toEqual(only.map((id) => [id, 'inconclusive']))
    for (const { message } of checks) {
      expect(message).toMatch(/call(ed)? \/v0; point "probe" to a page that does so each time, past any cache$/)
    }
  })
})

describe.for([
  ['nobody', 'null'],
  ['a guest', "'guest'"],
] as const)(
  'an app that shows everyone a page with a script, which asks who is signed in and is told of %s',
  ([, sub]) => {
    let app: ExampleApp
    beforeAll(async () => {
      app = await startExampleApp([
        { file: 'page.js', find: '</style></head>', replace: '</style><script src="/app.js" defer></script></head>' },
        {
          file: 'app.js',
          find: "app.get('/', (request, response) => {\n    const user = userOf(request)",
          replace: `app.get('/', (_request, response) => {
    response.removeHeader('Cache-Control')
    const user = undefined`,
        },
        {
          file: 'app.js',
          find: "response.status(401).json({ error: 'Nobody is signed in' })",
          replace: `response.json({ sub: ${sub} })`,
        },
        {
          file: 'app.js',
          find: "  app.post('/webhook'",
          replace: `  app.use((request, response, next) => {
    if (request.method === 'GET' && !/^Mozilla/.test(request.get('user-agent')) ) response.status(403).end()
    else next()
  })
  app.post('/webhook'`,
        },
      ])
    })
    afterAll(() => app.close())

    test('passes the checks of what it shows to whom, with a browser alone', async () => {
      const only = [
        'works',
        'reflected',
        'login-csrf',
        'errors',
        'cookie',
        'fixation',
        'session-guess',
        'logout',
        'code-page',
      ]
      const whoami = { url: `${app.url}/me`, signed_in: { status: 200, user: '/sub' }, signed_out: { status: 200 } }
      const { checks } = await audit({
        url: app.emulator.url,
        file: { ...app.file, whoami },
        only: only.map((id) => `signin.${id}`),
      })
      expect(checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
      expect(checks.length).toBe(only.length)
    })
  },
)

/** Checks of an app, with the outcome and the message of each. */
type Expected = Record<string, [outcome: string, message?: RegExp]>

test.for<[what: string, Expected, Patch[]]>([
  [
    'an app that mixes a second sign-in up with the one that its session has begun, and has one cookie for both',
    {
      'signin.works': ['pass'],
      'signin.silent': ['pass'],
      'signin.fixation': [
        'pass',
        /, also over a made-up value, over the value of another person's session; sign-ins over the value of a session without a sign-in did not end$/,
      ],
    },
    [
      { file: 'flows.js', find: 'flows.set(state, {', replace: 'flows.set(flows.keys().next().value ?? state, {' },
      { file: 'cookies.js', find: 'const nameOf = (name) =>', replace: "const nameOf = (_, name = 'session') =>" },
    ],
  ],
  [
    'an app with a Strict __Host- cookie that names its person, a logout by a script, magic links and sessions that end at an uninstall',
    {
      'signin.works': ['pass'],
      'signin.fixation': ['pass'],
      'signin.cookie': ['pass'],
      'signin.session-guess': ['pass', /bits; another person's ID in __Host-notes_session did not sign in as them$/],
      'signin.logout': ['pass'],
      'signin.silent': ['pass'],
      'signin.other-organization': [
        'pass',
        /, also after a visit of its post-install page, also after a sign-in over the session of a person of it$/,
      ],
      'api.after-uninstall': ['pass'],
    },
    [
      ofThisHost,
      {
        file: 'cookies.js',
        find: '{ ...options, maxAge }',
        replace: "{ ...options, maxAge, ...(name === 'session' && { sameSite: 'strict' }) }",
      },
      {
        file: 'sign-in.js',
        find: 'response.redirect(flow.returnTo)',
        replace: `response.type('html').send(\`<meta http-equiv="refresh" content="0;url=\${flow.returnTo}">\`)`,
      },
      {
        file: 'sign-in.js',
        find: 'return begin(request, response, { ...flow, silent: false })',
        replace: `return response.type('html').send('<form method="post" action="/magic"><input name="email"></form>')`,
      },
      {
        file: 'app.js',
        find: "app.get('/', (request, response) => {",
        replace:
          "app.get('/', (request, response) => {\n    response.cookie('XSRF-TOKEN', 'of/this/app').cookie('csrftoken', 'django')",
      },
      {
        file: 'app.js',
        find: "app.post('/logout', (request, response) => {",
        replace: `app.post('/logout', (request, response) => {
    const tokens = [request.get('X-XSRF-TOKEN'), request.get('X-CSRFToken')]
    if (String(tokens) !== 'of/this/app,django') return response.status(403).end()`,
      },
      {
        file: 'app.js',
        find: 'createWebhook({ signingSecret, installations })',
        replace: `createWebhook({ signingSecret, installations: { ...installations, uninstalled(lifecycle) {
    sessions.endOf(installations.of(lifecycle.organization)?.installer)
    installations.uninstalled(lifecycle)
  } } })`,
      },
      {
        file: 'sessions.js',
        find: "const id = randomBytes(32).toString('base64url')",
        replace: "const id = Buffer.from(user.sub).toString('base64url') + '.' + randomBytes(32).toString('base64url')",
      },
      {
        file: 'sessions.js',
        find: '    end(id) {',
        replace: `    endOf(sub) {
      for (const [id, { user }] of sessions) if (user.sub === sub) sessions.delete(id)
    },
    end(id) {`,
      },
      {
        file: 'organizations.js',
        find: 'const isOwn = !user || ',
        replace: 'if (!user) return response.status(401).end()\n    const isOwn = ',
      },
    ],
  ],
  [
    'an app whose session cookie has a path, whose landing page is a script, whose logout takes nothing but JSON, and that fetches the keys that an id_token names',
    {
      'signin.id-token-own-key': ['fail', /^The app fetched keys from an address in the header of an id_token/],
      'signin.fixation': ['pass'],
      'signin.silent': ['inconclusive', /^\/setup starts no sign-in .* the audit runs no scripts$/],
      'signin.logout': ['inconclusive', /^The app refused a logout .*: status 415$/],
    },
    [
      {
        file: 'cookies.js',
        find: '{ ...options, maxAge }',
        replace: "{ ...options, maxAge, ...(name === 'session' && { path: '/me' }) }",
      },
      {
        file: 'id-token.js',
        find: "jwtVerify(textOf(token) ?? '', keys, {",
        replace:
          "jwtVerify(textOf(token) ?? '', async (header, of) => (header.jku && (await fetch(header.jku)), keys(header, of)), {",
      },
      {
        file: 'app.js',
        find: "app.post('/logout', (request, response) => {",
        replace:
          "app.post('/logout', (request, response) => {\n    if (!request.is('json')) return response.status(415).end()",
      },
      {
        file: 'app.js',
        find: "app.get('/setup', (request, response) => {",
        replace: `app.get('/setup', (request, response) => {
    return response.type('html').send('<div id="root"></div><script src="/app.js"></script>')`,
      },
    ],
  ],
  [
    'an app whose landing page signs in silently in an iframe, and has a script',
    { 'signin.silent': ['pass', /^A silent sign-in in an iframe with the organization; after login_required, a pag/] },
    [
      {
        file: 'app.js',
        find: 'if (!user) {',
        replace: `if (!user && !request.query.frame) {
      const frame = \`/setup?\${new URLSearchParams({ organization, frame: 1 })}\`
      return sendPage(response, {
        title: 'Welcome',
        body: html\`<iframe src="\${frame}"></iframe><script src="/app.js"></script><a href="/login">Sign in</a>\`,
      })
    }
    if (!user) {`,
      },
      {
        file: 'sign-in.js',
        find: 'return begin(request, response, { ...flow, silent: false })',
        replace: "return response.type('html').send('<script src=\"/frame.js\"></script>')",
      },
    ],
  ],
  [
    'an app that ends each sign-in on a page that shows once what has happened',
    { 'signin.silent': ['pass', /; after login_required, the normal sign-in$/] },
    [
      {
        file: 'sign-in.js',
        find: 'response.redirect(flow.returnTo)',
        replace: "globalThis.flash = 'Welcome'\n    response.redirect('/home')",
      },
      {
        file: 'sign-in.js',
        find: 'return sendPage(response, pages[query.error])',
        replace: "globalThis.flash = 'You could not be signed in'\n      return response.redirect('/home')",
      },
      {
        file: 'app.js',
        find: "app.get('/callback',",
        replace: `app.get('/home', (_request, response) => {
    response.type('html').send('<p>' + globalThis.flash + '</p><a href="/login">Sign in</a>')
  })
  app.get('/callback',`,
      },
    ],
  ],
  [
    'an app that ends each sign-in on a page whose script shows what has happened',
    { 'signin.silent': ['pass', /; after login_required, the normal sign-in$/] },
    [
      { file: 'sign-in.js', find: 'response.redirect(flow.returnTo)', replace: "response.redirect('/home')" },
      {
        file: 'sign-in.js',
        find: 'return sendPage(response, pages[query.error])',
        replace: "return response.redirect('/home?error=denied')",
      },
      {
        file: 'app.js',
        find: "app.get('/callback',",
        replace: `app.get('/home', (_request, response) => {
    response.type('html').send('<a href="/login">Sign in</a><script src="/app.js"></script>')
  })
  app.get('/callback',`,
      },
    ],
  ],
  [
    'an app whose landing page has the authorization request in an iframe, and no other sign-in',
    { 'signin.silent': ['fail', /^After login_required, the app starts no normal sign-in and shows a page instead$/] },
    [
      {
        file: 'app.js',
        find: 'if (!user) {',
        replace: `if (!user && !request.query.frame) {
      const begun = { cookie: (...cookie) => response.cookie(...cookie), redirect: (url) => sendPage(response, {
        title: 'Welcome',
        body: html\`<iframe src="\${url}"></iframe>\`,
      }) }
      return signIn.begin(request, begun, { returnTo: origin, organization, silent: true })
    }
    if (!user) {`,
      },
      {
        file: 'sign-in.js',
        find: 'return begin(request, response, { ...flow, silent: false })',
        replace: "return response.type('html').send('Not signed in')",
      },
    ],
  ],
  [
    'an app that starts the session before it verifies the id_token',
    {
      'signin.id-token-wrong-aud': [
        'fail',
        /^The app refused an id_token .* \(status 400\), but signed the browser in: its session begins before the id_token is verified$/,
      ],
    },
    [
      {
        file: 'sign-in.js',
        find: '      report(error)',
        replace: `      report(error)
      cookies.set(response, 'session', sessions.start({ sub: 'somebody', name: 'Somebody' }), 60 * MINUTES)`,
      },
    ],
  ],
  [
    'an app that verifies id_tokens with the published key, whatever their kid, and fetches it each time',
    {
      'signin.id-token-bad-signature': ['pass'],
      'signin.id-token-unknown-kid': ['pass'],
      'signin.id-token-own-key': ['pass'],
      'signin.unknown-keys': [
        'warn',
        /^The app fetched the JWKS \d+ times while it got 20 id_tokens with unknown keys$/,
      ],
    },
    [
      {
        file: 'id-token.js',
        find: "import { errors, jwtVerify } from 'jose'",
        replace: "import { errors, importJWK, jwtVerify } from 'jose'",
      },
      {
        file: 'id-token.js',
        find: "jwtVerify(textOf(token) ?? '', keys, {",
        replace: `jwtVerify(textOf(token) ?? '', async () => {
    const { keys: [key] } = await (await fetch(issuer + '/.well-known/jwks.json')).json()
    return importJWK(key)
  }, {`,
      },
    ],
  ],
])('%s is judged by what it does', async ([, expected, patches]) => {
  await using app = await startExampleApp(patches)
  const only = Object.keys(expected)
  const { checks } = await audit({ url: app.emulator.url, file: app.fileOfPeople, only })
  expect(checks.length).toBe(only.length)
  for (const { id, outcome, message } of checks) {
    expect({ id, outcome, message }).toEqual({
      id,
      outcome: expected[id]?.[0],
      message: expect.stringMatching(expected[id]?.[1] ?? /./),
    })
  }
})
