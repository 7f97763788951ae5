import { audit } from 'mockademy'
import { afterAll, describe, expect, test } from 'vitest'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { type Patch, startExampleApp } from './example-app.js'
import { type SeededFault, seededFaults } from './seeded-faults.js'

/** `npm run test:matrix` runs every row against every check of the same severity; the suite a few, within their chapter. */
const isWhole = process.env.MATRIX === 'whole'
const representative = new Set([
  'webhook.other-secret',
  'webhook.replayed',
  'api.stampede',
  'api.after-upgrade',
  'signin.login-csrf',
  'signin.id-token-bad-signature',
  'leaks',
])
/** They wait for real time to pass, so they run in their own rows alone. */
const slow = new Set(['signin.rotation', 'api.outage', 'signin.token-endpoint-down', 'webhook.accepts'])

const chapterOf = (id: string) => id.split('.')[0]
const severityOf = (id: string) => catalog.find((check) => check.id === id)?.severity

/** The checks that could fail instead of the one that should. */
function alongside({ check }: SeededFault): string[] {
  const rivals = catalog.filter(
    ({ id, severity }) =>
      severity === severityOf(check) && !slow.has(id) && (isWhole || chapterOf(id) === chapterOf(check)),
  )
  return [...new Set([check, ...rivals.map(({ id }) => id)])]
}

const rows = seededFaults.filter(({ check }) => isWhole || representative.has(check))
const matrix: string[] = []

describe('an app with one fault fails the check of that fault and no other of its severity', () => {
  test.for(rows)('$check: $what', async (row) => {
    await using app = await startExampleApp(row.patches)
    const declared = row.ofPeople ? app.fileOfPeople : app.file
    const file = { ...declared, ...(row.background && { background: row.background }) }
    const { checks } = await audit({ url: app.emulator.url, file, only: alongside(row) })
    const failed = checks.filter(
      ({ outcome, follows_from }) => (outcome === 'fail' || outcome === 'warn') && follows_from === undefined,
    )
    const unknown = checks.filter(({ outcome }) => outcome === 'inconclusive')
    matrix.push(
      `${row.check.padEnd(30)} ${row.what.padEnd(52)} fails ${failed.map(({ id }) => id).join(', ') || 'nothing'}${
        unknown.length > 0 ? `; inconclusive: ${unknown.map(({ id }) => id).join(', ')}` : ''
      }`,
    )
    expect(failed.map(({ id, message }) => ({ id, message }))).toEqual([
      { id: row.check, message: expect.stringMatching(row.message ?? /./) },
    ])
    expect(failed[0]).toMatchObject({ expected: expect.stringMatching(/./), remedy: expect.stringMatching(/./) })
  })

  afterAll(() => console.log(`\n${matrix.join('\n')}\n`))
})

test('faults that hide in what a browser does, or from a single attempt, are found beside each other', async () => {
  const hidden = [
    'ignores an uninstall of an unknown installation, seen by people',
    'never gives up',
    'verifies an app.uninstalled only if it has a signature',
    'does not compare the times of events',
    'acknowledges an unknown event and works no more',
    'sends the parameters of a token request in the query too',
    'waits for half of Retry-After',
    'throws its tokens away after a 403',
    'is strict about the fields of a course',
    'refreshes every token when it starts',
    'escapes no quotes in an attribute',
    'gives a new person the account that has their email',
    'returns with a meta refresh to whatever begins with a slash',
    'compares the beginning of the state',
    'lists the first page twice',
  ]
  const faults = seededFaults.filter(({ what, check }) => hidden.includes(what) && !/grant|lost/.test(check))
  await using app = await startExampleApp(faults.flatMap(({ patches }) => patches))
  const only = faults.map(({ check }) => check)
  const { checks } = await audit({ url: app.emulator.url, file: app.fileOfPeople, only })
  expect(checks.map(({ id, outcome }) => ({ id, outcome }))).toEqual(only.map((id) => ({ id, outcome: 'fail' })))
  expect(only.length).toBe(hidden.length)
  const late = checks.find(({ id }) => id === 'webhook.order')
  expect(late?.sent).toMatch(/^curl -i -X POST \S+\/webhook .*openssl dgst .*"type":"app\.installed"/)
})

test('an app that uses the credentials of the organization that installed it first mixes organizations up', async () => {
  await using app = await startExampleApp([
    {
      file: 'installations.js',
      find: 'const histories = new Map(file.read() ?? [])',
      replace: 'const histories = new Map(file.read() ?? [])\n  let first = null',
    },
    {
      file: 'installations.js',
      find: '    histories.set(organization, history)\n  }',
      replace: '    histories.set(organization, history)\n    first ??= installation\n  }',
    },
    {
      file: 'installations.js',
      find: 'histories.get(organization)?.installation ?? null',
      replace: 'histories.get(organization)?.installation ? first : null',
    },
  ])
  await app.emulator.admin.install({ app: app.file.app, organization: 'acme' })
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['api.tenants', 'api.pages'] })
  expect(checks).toMatchObject([
    { id: 'api.pages', outcome: 'inconclusive', follows_from: 'api.tenants' },
    {
      id: 'api.tenants',
      outcome: 'fail',
      message: 'The probe of one organization made the app use the token of acme',
    },
  ])
})

test.for(seededFaults.filter(({ check, what }) => check === 'api.tenants' && /last|without/.test(what)))(
  'an app that $what mixes organizations up, and that explains what other checks see',
  async ({ patches }) => {
    await using app = await startExampleApp(patches)
    const only = ['api.tenants', 'api.pages', 'webhook.isolation']
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
    const of = Object.fromEntries(checks.map((check) => [check.id, check]))
    expect(of['api.tenants']).toMatchObject({ outcome: 'fail', message: expect.not.stringContaining('follows') })
    for (const { outcome, follows_from } of checks.filter(({ id }) => id !== 'api.tenants')) {
      if (outcome !== 'pass') expect(follows_from).toBe('api.tenants')
    }
  },
)

test.for(seededFaults.filter(({ check, what }) => check === 'api.outage' && !/eight/.test(what)))(
  'an app that $what fails api.outage, also when it is gone by then',
  async ({ patches }) => {
    await using app = await startExampleApp(patches)
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['api.outage'] })
    expect(checks).toMatchObject([
      {
        outcome: 'fail',
        message: expect.stringMatching(
          /refreshes|^The app no longer responds after the platform fails side by side \(returns 503; [^)]+\): /,
        ),
      },
    ])
  },
)

test.for([
  ['once', 'pass'],
  ['twice', 'fail'],
] as const)('an app whose transport repeats %s what was reset: %s', async ([times, outcome]) => {
  const again = '.catch((error) => (error.name === "TimeoutError" ? Promise.reject(error) : fetch(...given)))'
  const send = `const send = (...given) => fetch(...given)${times === 'once' ? again : again + again}`
  const find = 'const response = await fetch(url, {'
  const replace = `${send}\n      const response = await send(url, {`
  await using app = await startExampleApp([{ file: 'token-endpoint.js', find, replace }])
  const only = ['signin.token-endpoint-down']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  expect(checks).toMatchObject([{ outcome }])
})

test.for(['api.refresh-fails', 'signin.token-endpoint-down'])(
  'an app whose transport repeats what was reset on each connection that it reuses passes %s',
  async (check) => {
    const find = 'const TIMEOUT = 7_000'
    const replace = `${find}
let idle = 6
const send = globalThis.fetch
globalThis.fetch = async (...given) => {
  for (let times = 0; ; times++) {
    try {
      const response = await send(...given)
      if (response.headers.get('connection') === 'close') idle = 0
      return response
    } catch (error) {
      if (error.name === 'TimeoutError' || times >= idle) throw error
    }
  }
}`
    await using app = await startExampleApp([{ file: 'token-endpoint.js', find, replace }])
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: [check] })
    expect(checks).toMatchObject([{ outcome: 'pass' }])
  },
)

test('an app that takes no organization again is not said to lose a refresh', async () => {
  const { patches } = seededFaults.find(({ what }) => /again that has left/.test(what)) as SeededFault
  await using app = await startExampleApp(patches)
  const only = ['webhook.late-uninstall', 'api.refresh-lost']
  const { checks } = await audit({ url: app.emulator.url, file: app.file, only })
  expect(checks.map(({ id, outcome, follows_from }) => [id, outcome, follows_from])).toEqual([
    ['webhook.late-uninstall', 'fail', undefined],
    ['api.refresh-lost', 'fail', 'webhook.late-uninstall'],
  ])
})

test.for([
  [{}, 'pass'],
  [{ 'api.after-upgrade': 'rare' }, 'accepted'],
] as const)('a check that passes only when it is repeated, with accept %j: %s', async ([accept, outcome]) => {
  const find = 'const replaced = history.installation?.id'
  const replace = `${find}
      if (replaced && !histories.lostUpgrade) return void (histories.lostUpgrade = true)`
  await using app = await startExampleApp([{ file: 'installations.js', find, replace }])
  const notes: string[] = []
  const only = ['api.after-upgrade']
  const { checks } = await audit({
    url: app.emulator.url,
    file: { ...app.file, accept },
    only,
    onNote: (note) => notes.push(note),
  })
  const failure = 'The response of a refresh replaced the tokens of an upgrade that came meanwhile'
  const passed = '1 request with the new token, none with the old one; the same after an upgrade during a refresh'
  const message = outcome === 'pass' ? `${passed}; failed at first: ${failure}` : `${failure} (accepted: rare)`
  expect(checks).toMatchObject([{ outcome, message }])
  expect(notes).toEqual([`api.after-upgrade passed only when it was repeated: ${message}`])
})

test.for([
  [
    'signin.id-token-expired',
    'the tolerance of clocks',
    /^Compare exp and nbf .* tolerance \(clockTolerance, leeway\)/,
  ],
  ['signin.id-token-not-yet-valid', 'the tolerance of clocks', /^Compare exp and nbf .* tolerance \(clockTol/],
  [
    'signin.request',
    'the header of a proxy',
    /^Redirect .* \(nginx: proxy_set_header Host \$http_host, or X-Forwarded-Host\)/,
  ],
  [
    'signin.works',
    'instances of the app',
    /^Redeem .* All instances of the app need the same secrets, and a common store of /,
  ],
  [
    'signin.cookie',
    'apps that another site embeds',
    /^Set both .* None, .* embeds the app, list this check under "accept"/,
  ],
] as const)('the remedy of %s names %s', ([check, , text]) => {
  expect(catalog.find(({ id }) => id === check)?.remedy).toMatch(text)
})

test.for(
  seededFaults.filter(({ what }) =>
    /__Host-|SameSite=Strict|second instance|SameSite=None|of status 400|in a try block|at the second page|of fifty|again that has left|its state with|for the installer|does not check|without an account|for an uninstall|dies of an unknown|has read 20 ms/.test(
      what,
    ),
  ),
)('an app that $what fails $check', async ({ check, patches, message = /./ }) => {
  await using app = await startExampleApp(patches)
  const { checks } = await audit({ url: app.emulator.url, file: app.fileOfPeople, only: [check] })
  expect(checks).toMatchObject([{ id: check, outcome: 'fail', message: expect.stringMatching(message) }])
})

test.for([
  ['one', 1, 'pass'],
  ['each', Number.POSITIVE_INFINITY, 'fail'],
] as const)(
  'an app that loses an organization as %s forged app.uninstalled arrives: %s',
  async ([, times, outcome]) => {
    const find = "        response.status(401).json({ error: 'The signature is not valid' })"
    const replace = `        const forged = parse(body)
        if (forged?.type === 'app.uninstalled' && times-- > 0) installations.uninstalled(lifecycleOf(forged))
${find}`
    await using app = await startExampleApp([
      { file: 'webhook.js', find, replace },
      { file: 'webhook.js', find: 'const handlers =', replace: `let times = ${times}\n  const handlers =` },
    ])
    const { checks } = await audit({ url: app.emulator.url, file: app.file, only: ['webhook.unsigned'] })
    expect(checks).toMatchObject([{ outcome }])
  },
)

test.for([
  [
    'that keeps the rights of the session before a sign-in',
    'fail',
    /^A person .* another one after a sign-in over the/,
  ],
  ['without a fault', 'pass', /, also after a sign-in over the session of a person of it$/],
  ['whose second sign-in in a browser fails', 'inconclusive', /^A sign-in over .* does not work: status 500$/],
  ['that starts no second sign-in', 'pass', /; a browser that is signed in starts no other sign-in$/],
] as const)('an app %s, on the host of the emulator: %s', async ([what, outcome, message]) => {
  const begin = 'async function begin(request, response, { returnTo, organization, silent = false }) {'
  const again = "if (sessions.of(cookies.read(request, 'session')))"
  const read = "const browser = cookies.read(request, 'sign_in')\n    const flow"
  const patches: Record<string, Patch[]> = {
    'whose second sign-in in a browser fails': [
      { file: 'sign-in.js', find: read, replace: `${again} return response.status(500).end()\n    ${read}` },
    ],
    'that starts no second sign-in': [
      { file: 'sign-in.js', find: begin, replace: `${begin}\n    ${again} return response.redirect('/')` },
    ],
  }
  const seeded = seededFaults.find((each) => `that ${each.what}` === what)?.patches
  await using app = await startExampleApp([
    { file: 'server.js', find: "process.env.HOST ?? 'localhost'", replace: "'127.0.0.1'" },
    { file: 'server.js', find: 'const url = `http://localhost:', replace: 'const url = `http://127.0.0.1:' },
    ...(seeded ?? patches[what] ?? []),
  ])
  const only = ['signin.other-organization']
  const { checks } = await audit({ url: app.emulator.url, file: app.fileOfPeople, only })
  expect(checks).toMatchObject([{ outcome, message: expect.stringMatching(message) }])
})

test('every check has a seeded fault', () => {
  expect(new Set(seededFaults.map(({ check }) => check))).toEqual(new Set(catalog.map(({ id }) => id)))
})
