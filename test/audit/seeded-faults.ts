// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of another program

import type { Patch } from './example-app.js'

/** A copy of the example app with one fault: it must fail that check, and no other of the same severity. */
export interface SeededFault {
  check: string
  /** The mistake in the app. */
  what: string
  patches: Patch[]
  /** Of its audit file, where it has another one. */
  background?: '2s'
  /** Probes are those of the organizations' owners. */
  ofPeople?: boolean
  /** Of the failure. */
  message?: RegExp
}

const seeded = (
  check: string,
  what: string,
  file: string,
  ...changes: [find: string, replace: string][]
): SeededFault => ({
  check,
  what,
  patches: changes.map(([find, replace]) => ({ file, find, replace })),
})

const ANSWER = 'response.status(200).json({ received: true })'
const FORM = 'if (!signature || !/^[0-9a-f]{64}$/.test(signature)) return false'
const DIGEST = '.update(body).digest()\n'
const COMPARE = "return timingSafeEqual(Buffer.from(signature, 'hex'), expected)"

const webhook = (check: string, what: string, ...changes: [string, string][]) =>
  seeded(`webhook.${check}`, what, 'webhook.js', ...changes)

const webhooks = [
  webhook('accepts', 'works before it acknowledges', [ANSWER, `setTimeout(() => ${ANSWER}, 3_300)`]),
  webhook('acknowledges-first', 'calls the platform before it acknowledges', [
    ANSWER,
    `const acknowledge = () => ${ANSWER}
      const authorization = 'Bearer ' + event.data?.credentials?.access_token
      fetch(process.env.PLATFORM_BASE_URL + '/v0/courses', { headers: { authorization } }).then(acknowledge, acknowledge)`,
  ]),
  webhook('unsigned', 'verifies a signature only if there is one', [
    FORM,
    `if (signature === undefined) return true\n  ${FORM}`,
  ]),
  webhook('unsigned', 'verifies an app.uninstalled only if it has a signature', [
    FORM,
    `if (signature === undefined && parse(body)?.type === 'app.uninstalled') return true\n  ${FORM}`,
  ]),
  webhook('other-secret', 'has a second secret whose variable is unset', [
    `  const expected = createHmac('sha256', secret)${DIGEST}  ${COMPARE}`,
    `  const given = Buffer.from(signature, 'hex')
  return [secret, ''].some((each) => timingSafeEqual(given, createHmac('sha256', each).update(body).digest()))\n`,
  ]),
  webhook('altered', 'hashes the body as ASCII', [DIGEST, ".update(body.toString('ascii'), 'latin1').digest()\n"]),
  webhook('reserialised', 'hashes the JSON that it has parsed', [
    DIGEST,
    ".update(JSON.stringify(parse(body)) ?? '').digest()\n",
  ]),
  webhook(
    'short-signature',
    'compares only as many characters as were given',
    [FORM, 'if (signature === undefined || !/^[0-9a-f]{8,64}$/.test(signature)) return false'],
    [
      COMPARE,
      "const given = Buffer.from(signature, 'hex')\n  return timingSafeEqual(given, expected.subarray(0, given.length))",
    ],
  ),
  webhook(
    'short-signature',
    'compares the end of the signature',
    [FORM, 'if (signature === undefined || !/^[0-9a-f]{8,64}$/.test(signature)) return false'],
    [COMPARE, "return expected.toString('hex').endsWith(signature)"],
  ),
  webhook('odd-signature', 'throws if the header is not hexadecimal', [
    FORM,
    `if (/[^0-9a-f]/.test(signature ?? '')) throw new Error('not hexadecimal')\n  ${FORM}`,
  ]),
  webhook('raw-body', 'hashes the body without the space around it', [
    DIGEST,
    ".update(body.toString('utf8').trim()).digest()\n",
  ]),
  seeded('webhook.duplicate', 'answers 409 to an event that it knows', 'installations.js', [
    'if (history.events.includes(event.event) || isOver) return',
    "if (history.events.includes(event.event)) throw Object.assign(new Error('known'), { status: 409 })\n      if (isOver) return",
  ]),
  webhook('replayed', 'identifies events by the idempotency key', [
    'const lifecycle = handler && lifecycleOf(event)',
    "const lifecycle = handler && lifecycleOf({ ...event, id: request.get('Platform-Idempotency-Key') })",
  ]),
  seeded('webhook.stale-install', 'forgets everything at an uninstall', 'installations.js', [
    'put(event, event.installation, purges ? null : installation)',
    'if (purges) histories.delete(event.organization)',
  ]),
  seeded('webhook.stale-install', 'does not compare the times of events', 'installations.js', [
    'history.ended.includes(installation.id) || event.at < history.changed_at',
    'history.ended.includes(installation.id)',
  ]),
  seeded('webhook.order', 'ignores an uninstall of an unknown installation', 'installations.js', [
    'if (events.includes(event.event)) return',
    'if (events.includes(event.event) || installation?.id !== event.installation) return',
  ]),
  {
    ...seeded('webhook.order', 'ignores an uninstall of an unknown installation, seen by people', 'installations.js', [
      'if (events.includes(event.event)) return',
      'if (events.includes(event.event) || installation?.id !== event.installation) return',
    ]),
    ofPeople: true,
  },
  webhook('unknown-event', 'rejects unknown events', [
    'if (!textOf(event?.type) || (handler && !lifecycle)) {',
    'if (!handler || !lifecycle) {',
  ]),
  webhook(
    'unknown-event',
    'acknowledges an unknown event and works no more',
    ['const handlers = new Map([', 'let isStuck = false\n  const handlers = new Map(['],
    [
      'if (handler) handler(lifecycle, event.data)',
      'isStuck ||= !handler\n      if (!isStuck) handler(lifecycle, event.data)',
    ],
  ),
  webhook('unknown-event', 'takes every event but an install for an uninstall', [
    'if (handler) handler(lifecycle, event.data)',
    'if (handler) handler(lifecycle, event.data)\n      else installations.uninstalled(lifecycleOf(event))',
  ]),
  webhook('unknown-event', 'dies of an unknown event once it has acknowledged it', [
    'if (handler) handler(lifecycle, event.data)',
    'if (handler) handler(lifecycle, event.data)\n      else setTimeout(() => process.exit(1), 50)',
  ]),
  webhook('unknown-fields', 'rejects unknown fields', [
    'if (!textOf(event?.type) || (handler && !lifecycle)) {',
    "if (!textOf(event?.type) || (handler && (!lifecycle || 'audit_extra' in event))) {",
  ]),
  webhook('without-credentials', 'takes credentials for granted', [
    '[credentials?.access_token, credentials?.refresh_token]',
    '[credentials.access_token, credentials.refresh_token]',
  ]),
  webhook('garbage', 'takes JSON for granted', [
    '  } catch {\n    return undefined\n  }',
    '  } finally {\n    void 0\n  }',
  ]),
  webhook(
    'burst',
    'acknowledges one webhook at a time',
    ['const handlers = new Map([', 'let queue = Promise.resolve()\n  const handlers = new Map(['],
    [ANSWER, `queue = queue.then(() => new Promise((done) => setTimeout(done, 180))).then(() => ${ANSWER})`],
  ),
  {
    ...seeded('webhook.burst', 'writes back what it has read 20 ms before', 'installations.js', [
      '    histories.set(organization, history)\n  }',
      `    const read = new Map(histories).set(organization, history)
    setTimeout(() => {
      histories.clear()
      for (const [each, known] of read) histories.set(each, known)
    }, 20)
  }`,
    ]),
    message: /^(1?[1-9]|10) of 20 simultaneous installs were acknowledged and had no effect$/,
  },
]

const afterWebhooks: SeededFault[] = [
  seeded('webhook.late-uninstall', 'lets any uninstall end the current installation', 'installations.js', [
    'const purges = installation?.id === event.installation || event.at > changed_at',
    'const purges = true',
  ]),
  {
    ...seeded('webhook.late-uninstall', 'takes no organization again that has left', 'installations.js', [
      'history.events.includes(event.event) || isOver',
      'history.events.includes(event.event) || isOver || (history.ended.length > 0 && !history.installation)',
    ]),
    message: /^The app does not serve an organization that uninstalls it and installs it again$/,
  },
  seeded('webhook.never-installed', 'ignores case and spaces in slugs', 'installations.js', [
    'of: (organization) => histories.get(organization)',
    'of: (organization) => histories.get(organization.trim().toLowerCase())',
  ]),
  {
    ...webhook('queue-kept', 'has its queue in memory', [
      'if (handler) handler(lifecycle, event.data)',
      'if (handler) setTimeout(() => handler(lifecycle, event.data), 1_500)',
    ]),
    background: '2s',
    message:
      /^An app\.installed that was acknowledged just before a restart had no effect within 2s \("background"\) after it: /,
  },
  seeded(
    'webhook.isolation',
    'refreshes one organization at a time',
    'renewal.js',
    ['const failedAt = new Map()', 'const failedAt = new Map()\n  let turn = Promise.resolve()'],
    [
      'const shared = underWay.get(id) ?? refresh(organization, id, credentials)',
      'turn = underWay.has(id) ? turn : turn.then(() => refresh(organization, id, credentials))\n    const shared = underWay.get(id) ?? turn',
    ],
  ),
]

const api = (check: string, what: string, file: string, ...changes: [string, string][]) =>
  seeded(`api.${check}`, what, file, ...changes)

/** Goes through the app's installations where it starts. */
const atStart = (replace: string): Patch[] => [
  {
    file: 'installations.js',
    find: '  return {\n    /** @param {string} organization @returns {Installation | null} */',
    replace:
      '  return {\n    all: () => [...histories],\n    /** @param {string} organization @returns {Installation | null} */',
  },
  {
    file: 'app.js',
    find: '  const platform = createPlatform(',
    replace: `${replace}\n  const platform = createPlatform(`,
  },
]

const apiAndTokens = [
  api('bearer', 'sends its token in the query too', 'platform.js', [
    'await fetch(baseUrl + path, {',
    "await fetch(`${baseUrl}${path}${path.includes('?') ? '&' : '?'}access_token=${accessToken}`, {",
  ]),
  api('bearer', 'sends its token in the query of lists too', 'platform.js', [
    'await fetch(baseUrl + path, {',
    "await fetch(baseUrl + path + (/elements/.test(path) ? `${path.includes('?') ? '&' : '?'}access_token=${accessToken}` : ''), {",
  ]),
  api('bearer', 'sends the parameters of a token request in the query too', 'token-endpoint.js', [
    'await fetch(url, {',
    'await fetch(`${url}?${new URLSearchParams(grant)}`, {',
  ]),
  api('refreshes-once', 'refreshes twice', 'renewal.js', [
    "const fresh = await tokenEndpoint.request({ grant_type: 'refresh_token', refresh_token })",
    `const first = await tokenEndpoint.request({ grant_type: 'refresh_token', refresh_token })
      const fresh = await tokenEndpoint.request({ grant_type: 'refresh_token', refresh_token: first.refresh_token })`,
  ]),
  api('refreshes-once', 'never gives up', 'platform.js', ['if (isRenewed) return refused', '']),
  {
    check: 'api.not-early',
    what: 'refreshes shortly before the token expires',
    patches: [
      {
        file: 'webhook.js',
        find: 'return access_token && refresh_token ? { access_token, refresh_token } : null',
        replace:
          'return access_token && refresh_token ? { access_token, refresh_token, until: Date.parse(credentials.expires_at) } : null',
      },
      {
        file: 'platform.js',
        find: 'const pause = pauses.get(organization)',
        replace: `if (installation.credentials.until < Date.now() + 300_000) {
        if (!(await renew(organization, installation, begun))) return unavailable
        continue
      }
      const pause = pauses.get(organization)`,
      },
    ],
  },
  {
    ...api('stampede', 'refreshes for each request separately', 'renewal.js', [
      'const shared = underWay.get(id) ?? refresh(',
      'const shared = refresh(',
    ]),
    message: /^The token endpoint rejected \d+ refreshes of the stampede$/,
  },
  {
    check: 'api.stampede',
    what: 'refreshes for each request separately, in sessions that are locked',
    ofPeople: true,
    patches: [
      { file: 'renewal.js', find: 'const shared = underWay.get(id) ?? refresh(', replace: 'const shared = refresh(' },
      {
        file: 'app.js',
        find: "  app.post('/webhook', ",
        replace: `  const turns = new Map()
  app.use((request, response, next) => {
    const session = cookies.read(request, 'session') ?? response
    const turn = (turns.get(session) ?? Promise.resolve()).then(next)
    turns.set(session, turn.then(() => new Promise((done) => response.on('close', done))))
  })
  app.post('/webhook', `,
      },
    ],
  },
  api('stampede', 'refreshes the new token after a late 401 of the old one', 'renewal.js', [
    'if (!credentials || installations.of(organization)?.credentials !== credentials) return true',
    'credentials = installations.of(organization)?.credentials\n    if (!credentials) return true',
  ]),
  api('rotation-kept', 'keeps the first refresh token', 'renewal.js', [
    'const next = textOf(fresh.refresh_token) ?? refresh_token',
    'const next = textOf(refresh_token)',
  ]),
  api('refresh-fails', 'gives up after any failure', 'renewal.js', [
    "const isOver = error.code === 'invalid_grant'",
    'const isOver = true',
  ]),
  api('refresh-lost', 'never gives up', 'renewal.js', [
    "const isOver = error.code === 'invalid_grant'",
    'const isOver = false',
  ]),
  api('dead-grant', 'never gives up', 'renewal.js', [
    "const isOver = error.code === 'invalid_grant'",
    'const isOver = false',
  ]),
  {
    check: 'api.background',
    what: 'refreshes every token every 0.7 s',
    patches: atStart(`  setInterval(() => {
    for (const [organization, { installation }] of installations.all()) {
      if (installation) renew(organization, installation, performance.now())
    }
  }, 700).unref()`),
  },
  seeded('api.after-uninstall', 'ignores an uninstall', 'webhook.js', [
    "['app.uninstalled', (lifecycle) => installations.uninstalled(lifecycle)],",
    "['app.uninstalled', () => undefined],",
  ]),
  api('after-uninstall', 'stores the tokens of a refresh that ends after the uninstall', 'installations.js', [
    'if (!history?.installation || history.installation.credentials !== used) return',
    'if (history.installation && history.installation.credentials !== used) return',
  ]),
  api('after-upgrade', 'keeps the credentials that it has', 'installations.js', [
    'if (history.events.includes(event.event) || isOver) return',
    'if (history.events.includes(event.event) || isOver || history.installation) return',
  ]),
  api('after-upgrade', 'stores the tokens of a refresh over those of an upgrade', 'installations.js', [
    'if (!history?.installation || history.installation.credentials !== used) return',
    'if (!history?.installation) return',
  ]),
  api('insufficient-scope', 'refreshes after a 403', 'platform.js', [
    'if (answer?.status === 401) {',
    'if (answer?.status === 401 || answer?.status === 403) {',
  ]),
  api('insufficient-scope', 'throws its tokens away after a 403', 'platform.js', [
    'if (answer?.status === 401) {',
    `if (answer?.status === 403) installations.replaceCredentials(organization, installation.credentials, null)
      if (answer?.status === 401) {`,
  ]),
  api(
    'rate-limited',
    'tries again at once after a 429',
    'platform.js',
    [
      'const retryAfter = secondsToWait(response)',
      'const retryAfter = secondsToWait({ status: 200, headers: response.headers })',
    ],
    [
      'if (status >= 500 || (response.ok && body === undefined)) return undefined',
      'if (status === 429 || status >= 500 || (response.ok && body === undefined)) return undefined',
    ],
  ),
  api('rate-limited', 'waits for half of Retry-After', 'platform.js', [
    'until: Date.now() + answer.retryAfter * 1000',
    'until: Date.now() + answer.retryAfter * 500',
  ]),
  api('outage', 'dies of a response that is not JSON', 'platform.js', [
    'await response.json().catch(() => undefined)',
    'await response.json().catch(() => process.exit(1))',
  ]),
  api('outage', 'refreshes after a 503', 'platform.js', [
    'failures += 1',
    'failures += 1\n        await renew(organization, installation, begun)',
  ]),
  api(
    'outage',
    'tries eight times',
    'platform.js',
    ['const TRIES = 3', 'const TRIES = 8'],
    ['const WAIT = 200', 'const WAIT = 1'],
  ),
  api('pages', 'reads the first page', 'platform.js', ['if (textOf(next)) pages.add(next)', '']),
  {
    ...api(
      'pages',
      'fails at the second page',
      'platform.js',
      ['${encodeURIComponent(page)}', '${page}!'],
      ['if (answer.status !== 200) return answer', 'if (answer.status !== 200) return page ? unavailable : answer'],
    ),
    message: /^The app fails after it has requested a page by "next": status 503$/,
  },
  {
    ...api('pages', 'breaks at a page of fifty', 'platform.js', [
      'if (answer.status !== 200) return answer',
      'if (answer.status !== 200 || answer.body?.payload?.data?.length === 50) return unavailable',
    ]),
    message: /^The app fails after it has received a page of 50: status 503$/,
  },
  api('pages', 'lists the first page twice', 'platform.js', [
    'if (textOf(next)) pages.add(next)',
    'if (textOf(next)) pages.add(next)\n        if (page === "" && pages.size > 1) items.push(...data)',
  ]),
  api(
    'tenants',
    'keeps the current token in a variable',
    'platform.js',
    ['const pauses = new Map()', 'const pauses = new Map()\n  let [current, underWay] = ["", 0]'],
    [
      'const answer = await call(path, installation.credentials.access_token, deadline)',
      `current = installation.credentials.access_token
      underWay++
      const own = current
      await delay(200)
      const answer = await call(path, underWay > 15 ? current : own, deadline)
      await delay(200)
      underWay--`,
    ],
  ),
  api(
    'tenants',
    'uses the credentials of the organization that installed it last',
    'installations.js',
    ['const histories = new Map(file.read() ?? [])', 'const histories = new Map(file.read() ?? [])\n  let last = null'],
    [
      '    histories.set(organization, history)\n  }',
      '    histories.set(organization, history)\n    last = installation ?? last\n  }',
    ],
    ['histories.get(organization)?.installation ?? null', 'histories.get(organization)?.installation ? last : null'],
  ),
  api(
    'tenants',
    'keeps its pages without saying of which organization',
    'organizations.js',
    ['export function', 'let kept\nexport function'],
    [
      "await platform.get(organization, '/v0/courses')",
      "installations.of(organization) ? (kept ??= await platform.get(organization, '/v0/courses')) : await platform.get(organization, '/v0/courses')",
    ],
  ),
  api('tolerant', 'is strict about token responses', 'token-endpoint.js', [
    'if (response.ok && textOf(body?.access_token)) return body',
    "if (response.ok && textOf(body?.access_token) && body.token_type === 'Bearer' && body.expires_in > 0) return body",
  ]),
  api('tolerant', 'is strict about the fields of a course', 'organizations.js', [
    "send(response, await platform.get(organization, '/v0/courses'))",
    `const answer = await platform.get(organization, '/v0/courses')
    const isKnown = (answer.body.payload?.data ?? []).every((course) => Object.keys(course).length <= 18)
    send(response, isKnown ? answer : { status: 500, body: {} })`,
  ]),
  api('restart', 'keeps its tokens in memory', 'sealed-file.js', [
    'writeFileSync(`${path}.new`',
    'return\n      writeFileSync(`${path}.new`',
  ]),
  {
    check: 'api.restart',
    what: 'refreshes every token when it starts',
    patches: atStart(`  for (const [organization, { installation }] of installations.all()) {
    if (installation) renew(organization, installation, performance.now())
  }`),
  },
]

const signIn = (check: string, what: string, file: string, ...changes: [string, string][]) =>
  seeded(`signin.${check}`, what, file, ...changes)

/** Takes an id_token all the same when this is all that is wrong with it. */
const lenient = (check: string, what: string, condition: string, ...more: [string, string][]) =>
  signIn(
    `id-token-${check}`,
    what,
    'id-token.js',
    [
      "import { errors, jwtVerify } from 'jose'",
      "import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'",
    ],
    [
      "    requiredClaims: ['exp', 'sub'],\n  })",
      `    requiredClaims: ['exp', 'sub'],
  }).catch((error) => {
    const { alg } = decodeProtectedHeader(token)
    if (${condition}) return { payload: decodeJwt(token) }
    throw error
  })`,
    ],
    ...more,
  )

const claim = (name: string) => `alg === 'RS256' && error.claim === '${name}'`

const keepsSession: Patch[] = [
  {
    file: 'sign-in.js',
    find: 'sessions.start(user)',
    replace: "sessions.start(user, cookies.read(request, 'session'))",
  },
  { file: 'sessions.js', find: '    start(user) {', replace: '    start(user, brought) {' },
  {
    file: 'sessions.js',
    find: "const id = randomBytes(32).toString('base64url')",
    replace: "const id = brought ?? randomBytes(32).toString('base64url')",
  },
]
/** Names its cookies `__Host-…`, as on https. */
export const ofThisHost: Patch = {
  file: 'cookies.js',
  find: "const secure = origin.startsWith('https:')",
  replace: 'const secure = true',
}

const signIns = [
  signIn('request', 'requests a callback that is not registered', 'sign-in.js', [
    'const redirectUri = `${origin}/callback`',
    'const redirectUri = `${origin}/callback/`',
  ]),
  {
    check: 'signin.state-fresh',
    what: 'generates states of 64 bits',
    patches: [
      {
        file: 'flows.js',
        find: 'const [state, nonce, verifier] = [secret(), secret(), secret()]',
        replace: "const [state, nonce, verifier] = [randomBytes(8).toString('hex'), secret(), secret()]",
      },
    ],
  },
  signIn(
    'pkce',
    'sends no code_challenge',
    'sign-in.js',
    ["code_challenge: createHash('sha256').update(flow.verifier).digest('base64url'),", ''],
    ["code_challenge_method: 'S256',", ''],
    ['code_verifier: verifier,', ''],
  ),
  {
    check: 'signin.nonce',
    what: 'sends no nonce',
    patches: [
      { file: 'sign-in.js', find: 'nonce: flow.nonce,', replace: '' },
      { file: 'id-token.js', find: 'if (payload.nonce !== nonce) throw', replace: 'if (false) throw' },
    ],
  },
  ...(['nonce', 'pkce'] as const).map(
    (check): SeededFault => ({
      check: `signin.${check}`,
      what: `has one ${check === 'nonce' ? 'nonce' : 'code_verifier'} for all sign-ins`,
      patches: [
        {
          file: 'flows.js',
          find: 'const [state, nonce, verifier] = [secret(), secret(), secret()]',
          replace: `const only = 'of-this-app-'.repeat(4)
      const [state, nonce, verifier] = [secret(), ${check === 'nonce' ? 'only, secret()' : 'secret(), only'}]`,
        },
      ],
    }),
  ),
  signIn('works', 'forgets to set the cookie', 'sign-in.js', [
    "cookies.set(response, 'session', sessions.start(user), 60 * MINUTES)",
    'sessions.start(user)',
  ]),
  signIn('works', 'has SameSite=Strict on all its cookies', 'cookies.js', ["sameSite: 'lax'", "sameSite: 'strict'"]),
  signIn(
    'works',
    'has a second instance that knows no state',
    'flows.js',
    ['const MOST_OF_BROWSER', 'let visits = 0\nconst MOST_OF_BROWSER'],
    ['    take(browser, state) {', '    take(browser, state) {\n      if (visits++ % 2 === 1) return undefined'],
  ),
  {
    check: 'signin.works',
    what: 'spoils its state with a plus sign',
    patches: [
      { file: 'flows.js', find: '[secret(), secret(), secret()]', replace: '[`+${secret()}`, secret(), secret()]' },
      {
        file: 'sign-in.js',
        find: 'response.redirect(url.href)',
        replace: "response.redirect(url.href.replace('%2B', '+'))",
      },
    ],
    message:
      /^The app did not redeem the code of the callback; the state has come back with a space: if the app sent a "\+" there, the URL must have %2B$/,
  },
  signIn('state-wrong', 'compares the beginning of the state', 'flows.js', [
    'const flow = flows?.get(state)',
    'const flow = flows?.get([...flows.keys()].find((known) => known.slice(0, 9) === state.slice(0, 9)))',
  ]),
  signIn('state-missing', 'compares a state only if there is one', 'flows.js', [
    'if (browser === undefined || state === undefined) return undefined',
    'if (browser === undefined) return undefined\n      state ??= [...(browsers.get(browser)?.keys() ?? [])].at(-1)',
  ]),
  signIn('state-once', 'keeps a used state', 'flows.js', ['flows?.delete(state)', '']),
  signIn('login-csrf', 'keeps states for all browsers together', 'flows.js', [
    '      const flows = browsers.get(browser)\n      const flow = ',
    '      const flows = [...browsers.values()].find((each) => each.has(state))\n      const flow = ',
  ]),
  {
    check: 'signin.login-csrf',
    what: 'compares a state that is absent with one that is absent',
    patches: [
      {
        file: 'flows.js',
        find: 'if (browser === undefined || state === undefined) return undefined',
        replace:
          "if (browser === undefined && state === undefined) return { returnTo: '/', silent: false }\n      if (browser === undefined || state === undefined) return undefined",
      },
      {
        file: 'sign-in.js',
        find: 'code_verifier: verifier,',
        replace: '...(verifier && { code_verifier: verifier }),',
      },
    ],
  },
  signIn(
    'token-injection',
    'accepts an id_token from the URL',
    'sign-in.js',
    ['if (!code) return sendPage', 'if (!code && !query.id_token) return sendPage'],
    [
      'const user = await redeem(code, flow)',
      "const user = query.id_token ? JSON.parse(atob(query.id_token.split('.')[1])) : await redeem(code, flow)",
    ],
  ),
  {
    ...seeded('signin.other-organization', 'shows people every organization', 'organizations.js', [
      'const isOwn = !user || ',
      'const isOwn = true || ',
    ]),
    ofPeople: true,
  },
  {
    ...signIn('other-organization', 'takes every visitor of its setup page for the installer', 'app.js', [
      'const installation = organization ? installations.of(organization) : null\n',
      `const installation = organization ? installations.of(organization) : null
    if (installation) installation.installer = user.sub\n`,
    ]),
    ofPeople: true,
  },
  {
    check: 'signin.other-organization',
    what: 'keeps the rights of the session before a sign-in',
    patches: [
      {
        file: 'sign-in.js',
        find: "sessions.end(cookies.read(request, 'session'))",
        replace: `const before = sessions.of(cookies.read(request, 'session'))
      if (before) user.before = before.sub
      sessions.end(cookies.read(request, 'session'))`,
      },
      { file: 'organizations.js', find: 'installer === user.sub', replace: 'installer === (user.before ?? user.sub)' },
    ],
    ofPeople: true,
  },
  signIn('errors', 'takes a code for granted', 'sign-in.js', [
    'if (!code) return sendPage(response, pages.failed)',
    "if (!code) throw new Error('no code')",
  ]),
  signIn('reflected', 'prints the state on its page', 'sign-in.js', [
    'if (!flow) return sendPage(response, pages.unknown_flow)',
    "if (!flow) return response.status(400).type('html').send(`<p>Unknown state ${query.state}</p>`)",
  ]),
  signIn('reflected', 'escapes no quotes in an attribute', 'sign-in.js', [
    'if (!flow) return sendPage(response, pages.unknown_flow)',
    "if (!flow) return response.status(400).type('html').send(`<a title=\"${String(query.state).replaceAll('<', '&lt;')}\">Why?</a>`)",
  ]),
  signIn('reflected', 'prints the state without markup, but with its quotes, unless there is an error', 'sign-in.js', [
    'if (!flow) return sendPage(response, pages.unknown_flow)',
    `if (!flow && query.error) return sendPage(response, pages.failed)
    if (!flow) return response.status(400).type('html').send(\`<input value='\${String(query.state).replace(/[<>"]/g, '')}'>\`)`,
  ]),
  lenient('bad-signature', 'ignores the signature', "error.code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'"),
  lenient('alg-none', 'accepts unsigned tokens', "alg === 'none'"),
  lenient('hs256', 'trusts the algorithm in the token', "alg === 'HS256'"),
  lenient('unknown-kid', 'accepts unknown keys', "error.code === 'ERR_JWKS_NO_MATCHING_KEY'"),
  lenient('wrong-iss', 'ignores the issuer', claim('iss')),
  lenient(
    'wrong-iss',
    'compares the beginning of the issuer',
    `${claim('iss')} && String(decodeJwt(token).iss).startsWith(issuer)`,
  ),
  lenient('wrong-aud', 'ignores the audience', claim('aud')),
  lenient(
    'wrong-aud',
    'compares the audience if there is one',
    `${claim('aud')} && decodeJwt(token).aud === undefined`,
  ),
  lenient('expired', 'ignores the expiry', claim('exp')),
  lenient('not-yet-valid', 'ignores nbf', claim('nbf')),
  lenient(
    'missing-sub',
    'accepts tokens without a subject',
    claim('sub'),
    ["if (!sub) throw new errors.JWTClaimValidationFailed('The subject is empty', payload, 'sub')", ''],
    ['return { sub,', "return { sub: sub ?? 'nobody',"],
  ),
  lenient('missing-sub', 'shows a session without an account', claim('sub'), [
    "if (!sub) throw new errors.JWTClaimValidationFailed('The subject is empty', payload, 'sub')",
    '',
  ]),
  signIn('id-token-wrong-nonce', 'ignores the nonce', 'id-token.js', [
    'if (payload.nonce !== nonce) throw',
    'if (false) throw',
  ]),
  signIn('id-token-no-nonce', 'compares the nonce if there is one', 'id-token.js', [
    'if (payload.nonce !== nonce) throw',
    'if (payload.nonce !== undefined && payload.nonce !== nonce) throw',
  ]),
  signIn('id-token-no-exp', 'accepts tokens that never expire', 'id-token.js', ["['exp', 'sub']", "['sub']"]),
  signIn('id-token-no-iss', 'compares the issuer if there is one', 'id-token.js', [
    '    issuer,\n',
    '    ...(JSON.parse(atob(token.split(".")[1])).iss && { issuer }),\n',
  ]),
  signIn('id-token-second-aud', 'accepts more audiences', 'id-token.js', [
    '[payload.aud].flat().length !== 1',
    '[payload.aud].flat().length < 1',
  ]),
  ...(
    [
      ['verifies with whatever algorithm the token names', "{ type: 'spki', format: 'pem' }", ''],
      ['does so with the CRLF of a PEM', "{ type: 'spki', format: 'pem' }", ".replaceAll('\\n', '\\r\\n')"],
      ['does so with a PEM of PKCS#1', "{ type: 'pkcs1', format: 'pem' }", ''],
      ['does so with the DER', "{ type: 'spki', format: 'der' }", ''],
    ] as const
  ).map(([what, options, change]) =>
    signIn(
      'id-token-public-key-as-secret',
      what,
      'id-token.js',
      [
        "import { errors, jwtVerify } from 'jose'",
        "import { createPublicKey } from 'node:crypto'\nimport { decodeProtectedHeader, errors, jwtVerify } from 'jose'",
      ],
      ["jwtVerify(textOf(token) ?? '', keys, {", "jwtVerify(textOf(token) ?? '', await keyFor(token, issuer, keys), {"],
      ["algorithms: ['RS256']", "algorithms: ['RS256', 'HS256']"],
      [
        'export async function userOf',
        `async function keyFor(token, issuer, keys) {
  if (decodeProtectedHeader(token).alg !== 'HS256') return keys
  const { keys: [key] } = await (await fetch(issuer + '/.well-known/jwks.json')).json()
  return Buffer.from(createPublicKey({ key, format: 'jwk' }).export(${options})${change})
}

export async function userOf`,
      ],
    ),
  ),
  signIn(
    'id-token-own-key',
    'uses the key in the token',
    'id-token.js',
    [
      "import { errors, jwtVerify } from 'jose'",
      "import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose'",
    ],
    [
      "jwtVerify(textOf(token) ?? '', keys, {",
      "jwtVerify(textOf(token) ?? '', decodeProtectedHeader(token).jwk ? await importJWK(decodeProtectedHeader(token).jwk, 'RS256') : keys, {",
    ],
  ),
  signIn(
    'id-token-odd-kid',
    'builds a query from the kid',
    'id-token.js',
    ["import { errors, jwtVerify } from 'jose'", "import { decodeProtectedHeader, errors, jwtVerify } from 'jose'"],
    [
      'const { payload } = await jwtVerify(',
      `if (/'/.test(decodeProtectedHeader(token).kid)) throw new Error('syntax error in a query')
  const { payload } = await jwtVerify(`,
    ],
  ),
  signIn('rotation', 'never fetches the keys again', 'provider.js', [
    '{ cacheMaxAge: HOUR,',
    '{ cooldownDuration: HOUR, cacheMaxAge: HOUR,',
  ]),
  signIn('aud-array', 'compares the audience as a string', 'id-token.js', [
    'if (payload.azp !== undefined',
    "if (payload.aud !== clientId) throw new errors.JWTClaimValidationFailed('Another app', payload, 'aud')\n  if (payload.azp !== undefined",
  ]),
  signIn('keys-cached', 'fetches the keys for each token', 'provider.js', [
    'keys: createRemoteJWKSet(new URL(document.jwks_uri)',
    'keys: (header, token) => createRemoteJWKSet(new URL(document.jwks_uri))(header, token),\n      unused: createRemoteJWKSet(new URL(document.jwks_uri)',
  ]),
  signIn('unknown-keys', 'fetches the keys for each unknown one', 'provider.js', [
    '{ cacheMaxAge: HOUR,',
    '{ cooldownDuration: 0, cacheMaxAge: HOUR,',
  ]),
  signIn(
    'subject',
    'identifies people by email',
    'sign-in.js',
    ['const MINUTES = 60_000', 'const MINUTES = 60_000\nconst accounts = new Map()'],
    [
      'const user = await redeem(code, flow)',
      'const identity = await redeem(code, flow)\n      const user = accounts.get(identity.email) ?? identity\n      accounts.set(identity.email, user)',
    ],
  ),
  signIn(
    'subject',
    'gives a new person the account that has their email',
    'sign-in.js',
    ['const MINUTES = 60_000', 'const MINUTES = 60_000\nconst accounts = new Map()'],
    [
      'const user = await redeem(code, flow)',
      `const { sub, email, ...claims } = await redeem(code, flow)
      const account = accounts.get(sub) ?? [...accounts.values()].find((each) => each.email === email) ?? { sub }
      accounts.set(sub, account)
      account.email = email
      const user = { ...claims, sub: account.sub, email }`,
    ],
  ),
  signIn('cookie', 'lets scripts read its cookie', 'cookies.js', ['httpOnly: true', 'httpOnly: false']),
  {
    ...signIn('cookie', 'has SameSite=None on its cookies', 'cookies.js', ["sameSite: 'lax'", "sameSite: 'none'"]),
    message: /^The session cookie \S+ has SameSite=none$/,
  },
  signIn('cookie', 'has a session of ten years', 'sign-in.js', [
    "cookies.set(response, 'session', sessions.start(user), 60 * MINUTES)",
    "cookies.set(response, 'session', sessions.start(user), 5_256_000 * MINUTES)",
  ]),
  ...(
    [
      ["takes the user's access token for a session id", 'token'],
      [
        "keeps the user's access token in a compressed cookie",
        "deflateSync(JSON.stringify({ token, id: randomBytes(8).toString('hex') })).toString('base64url')",
      ],
    ] as const
  ).map(
    ([what, id]): SeededFault => ({
      check: 'signin.cookie',
      what,
      patches: [
        { file: 'sign-in.js', find: 'const { id_token } = await', replace: 'const { id_token, access_token } = await' },
        {
          file: 'sign-in.js',
          find: 'return userOf(id_token, { provider: await provider(), clientId, nonce })',
          replace:
            'return { ...(await userOf(id_token, { provider: await provider(), clientId, nonce })), access_token }',
        },
        {
          file: 'sign-in.js',
          find: 'sessions.start(user)',
          replace: 'sessions.start({ ...user, access_token: undefined }, user.access_token)',
        },
        { file: 'sessions.js', find: '    start(user) {', replace: '    start(user, token) {' },
        {
          file: 'sessions.js',
          find: "import { randomBytes } from 'node:crypto'",
          replace: "import { randomBytes } from 'node:crypto'\nimport { deflateSync } from 'node:zlib'",
        },
        { file: 'sessions.js', find: "const id = randomBytes(32).toString('base64url')", replace: `const id = ${id}` },
      ],
    }),
  ),
  {
    check: 'signin.cookie',
    what: 'keeps the id_token in two cookies',
    patches: [
      {
        file: 'sign-in.js',
        find: 'return userOf(id_token, { provider: await provider(), clientId, nonce })',
        replace: 'return { ...(await userOf(id_token, { provider: await provider(), clientId, nonce })), id_token }',
      },
      {
        file: 'sign-in.js',
        find: "cookies.set(response, 'session', sessions.start(user), 60 * MINUTES)",
        replace: `const { id_token, ...known } = user
      cookies.set(response, 'token.0', id_token.slice(0, 300), 60 * MINUTES)
      cookies.set(response, 'token.1', id_token.slice(300), 60 * MINUTES)
      cookies.set(response, 'session', sessions.start(known), 60 * MINUTES)`,
      },
    ],
  },
  { check: 'signin.fixation', what: 'keeps a session cookie from the browser', patches: keepsSession },
  {
    check: 'signin.fixation',
    what: 'keeps a session cookie whose name begins with __Host-',
    patches: [...keepsSession, ofThisHost],
  },
  signIn(
    'fixation',
    'derives its session ids from the account',
    'sessions.js',
    ["import { randomBytes } from 'node:crypto'", "import { createHash } from 'node:crypto'"],
    [
      "const id = randomBytes(32).toString('base64url')",
      "const id = createHash('sha256').update(user.sub).digest('hex')",
    ],
  ),
  signIn(
    'session-guess',
    'counts its sessions',
    'sessions.js',
    ["const id = randomBytes(32).toString('base64url')", 'const id = String(counter++)'],
    ['export function createSessions', 'let counter = 100_000\n\nexport function createSessions'],
  ),
  signIn(
    'session-guess',
    'keeps the account in a cookie whose signature it does not check',
    'sessions.js',
    [
      "const id = randomBytes(32).toString('base64url')",
      "const id = `${Buffer.from(JSON.stringify(user)).toString('base64url')}.${randomBytes(32).toString('base64url')}`",
    ],
    [
      'const session = id === undefined ? undefined : sessions.get(id)',
      "if (id) return JSON.parse(Buffer.from(id.split('.')[0], 'base64url').toString())\n      const session = undefined",
    ],
  ),
  signIn('session-guess', 'names its sessions after the clock', 'sessions.js', [
    "const id = randomBytes(32).toString('base64url')",
    'const id = `${user.sub}-${Date.now()}`',
  ]),
  signIn('logout', 'deletes the cookie and keeps the session', 'app.js', ['sessions.end(session)', '']),
  {
    check: 'signin.logout',
    what: 'deletes a cookie whose name begins with __Host- and keeps the session',
    patches: [ofThisHost, { file: 'app.js', find: 'sessions.end(session)', replace: '' }],
  },
  {
    check: 'signin.logout',
    what: 'has a second instance that keeps sessions for a while',
    patches: [
      {
        file: 'sessions.js',
        find: 'const session = id === undefined ? undefined : sessions.get(id)',
        replace: `const isSecond = (requests++ % 2 === 1)
      if (isSecond && sessions.has(id)) kept.set(id, sessions.get(id))
      const session = (isSecond ? kept : sessions).get(id)`,
      },
      { file: 'sessions.js', find: 'const MOST =', replace: 'let requests = 0\nconst kept = new Map()\nconst MOST =' },
      // The first instance deletes the cookie.
      {
        file: 'app.js',
        find: 'else response.status(401)',
        replace: "else cookies.clear(response, 'session'), response.status(401)",
      },
    ],
    message: /^After logout the old cookie still signs in: 2 of 4 requests are signed in, as if another instance/,
  },
  signIn('logout', 'signs out everybody who follows a link', 'app.js', ["app.post('/logout'", "app.all('/logout'"]),
  signIn('code-page', 'lets caches keep what it shows', 'app.js', ["'Cache-Control': 'no-store',", '']),
  signIn('silent', 'always asks', 'sign-in.js', ["...(silent && { prompt: 'none' }),", '']),
  signIn('silent', 'ends a sign-in on a page of status 400', 'sign-in.js', [
    'response.redirect(flow.returnTo)',
    'sendPage(response, pages.failed)',
  ]),
  {
    check: 'signin.silent',
    what: 'handles its own redirect as a failed sign-in, as Next.js does in a try block',
    patches: [
      {
        file: 'sign-in.js',
        find: 'response.redirect(flow.returnTo)',
        replace: "response.redirect('/sign-in-failed?reason=token')",
      },
      {
        file: 'sign-in.js',
        find: 'return sendPage(response, pages[query.error])',
        replace: "return response.redirect('/sign-in-failed?reason=denied')",
      },
      {
        file: 'app.js',
        find: "app.get('/callback',",
        replace: `app.get('/sign-in-failed', (_request, response) => {
    sendPage(response, { title: 'You could not be signed in', body: html\`<a href="/login">Try again</a>\` })
  })
  app.get('/callback',`,
      },
    ],
    message: /, but the browser ends on the page of failed sign-ins \(\/sign-in-failed\)$/,
  },
  signIn('silent', 'shows a page on login_required', 'sign-in.js', [
    "query.error === 'login_required' && flow.silent",
    'false',
  ]),
  signIn('token-endpoint-down', 'waits for the token endpoint', 'token-endpoint.js', [
    'const TIMEOUT = 7_000',
    'const TIMEOUT = 60_000',
  ]),
  signIn('open-redirect', 'trusts whatever begins with a slash', 'return-address.js', [
    "if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`",
    "if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`\n  if (text.startsWith('/')) return text",
  ]),
  signIn('open-redirect', 'trusts addresses that begin with its origin', 'return-address.js', [
    "if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`",
    "if (String(text).startsWith(origin)) return text\n  if (typeof text !== 'string' || !URL.canParse(text, origin)) return `${origin}/`",
  ]),
  {
    check: 'signin.open-redirect',
    what: 'returns with a meta refresh to whatever begins with a slash',
    patches: [
      {
        file: 'sign-in.js',
        find: 'response.redirect(flow.returnTo)',
        replace: 'response.type("html").send(`<meta http-equiv="refresh" content="0;url=${flow.returnTo}">`)',
      },
      {
        file: 'return-address.js',
        find: "if (typeof text !== 'string' || !URL.canParse(text, origin))",
        replace:
          "if (String(text).startsWith('/')) return text\n  if (typeof text !== 'string' || !URL.canParse(text, origin))",
      },
    ],
  },
  signIn('reflected', 'repeats the organization on its setup page', 'app.js', [
    '    const user = userOf(request)\n    if (!user) {',
    '    const user = userOf(request)\n    if (user && !installations.of(organization)) return response.type("html").send(`No ${organization}`)\n    if (!user) {',
  ]),
  signIn(
    'user-token',
    "reads the API with the user's token",
    'sign-in.js',
    ['const { id_token } = await', 'const { id_token, access_token } = await'],
    [
      'return userOf(id_token,',
      "const headers = { authorization: 'Bearer ' + access_token }\n    await fetch(process.env.PLATFORM_BASE_URL + '/v0/members', { headers }).catch(() => undefined)\n    return userOf(id_token,",
    ],
  ),
  seeded('leaks', 'responds with what it has received', 'webhook.js', [
    'json({ received: true })',
    'json({ received: event })',
  ]),
  seeded('leaks', 'responds with the base64 of what it has received', 'webhook.js', [
    'json({ received: true })',
    "json({ received: Buffer.from(JSON.stringify(event)).toString('base64') })",
  ]),
  seeded(
    'leaks.at-rest',
    'stores tokens in clear text',
    'sealed-file.js',
    ['writeFileSync(`${path}.new`, seal(JSON.stringify(value))', 'writeFileSync(`${path}.new`, JSON.stringify(value)'],
    ["open(readFileSync(path)).toString('utf8')", "readFileSync(path, 'utf8')"],
  ),
]

/** One for each check of the catalog. */
export const seededFaults: SeededFault[] = [...webhooks, ...afterWebhooks, ...apiAndTokens, ...signIns]
