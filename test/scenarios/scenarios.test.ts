import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished } from 'vitest'
import { type Answer, send } from '../harness/emulator-test.js'
import { startReceiver } from '../harness/receiver.js'
import { test as base } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

type Step = Record<string, unknown>

interface Scenarios {
  /** `POST /_admin/scenarios` */
  scenario: (steps: Step[], more?: object) => Promise<Answer>
  /** Runs one that passes. @returns its steps. */
  passes: (steps: Step[], more?: object) => Promise<Answer['body'][]>
  /** Runs one whose last step fails. @returns that step's error. */
  fails: (steps: Step[], more?: object) => Promise<{ message: string; mismatches: object[]; entries: number[] }>
}

/** A reference to an earlier step's result. */
const ref = (way: string) => `\${${way}}`

const test = base.extend<Scenarios>({
  scenario: async ({ call }, use) => {
    await use((steps, more) => call('/_admin/scenarios', { body: { steps, ...more } }))
  },
  passes: async ({ scenario }, use) => {
    await use(async (steps, more) => {
      const { status, body } = await scenario(steps, more)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.passed, JSON.stringify(body.steps.at(-1))).toBe(true)
      expect(body.steps).toHaveLength(steps.length)
      return body.steps
    })
  },
  fails: async ({ scenario }, use) => {
    await use(async (steps, more) => {
      const { status, body } = await scenario(steps, more)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.passed).toBe(false)
      const last = body.steps.at(-1)
      expect(last.ok).toBe(false)
      expect(last).not.toHaveProperty('result')
      return last.error
    })
  },
})

const install = { install: { app: 'notes', organization: 'acme' } }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('control-api "Scenarios": a scenario is checked whole before its first step', () => {
  const issuesOf = ({ status, body }: Answer): [string, string][] => {
    expect(status).toBe(400)
    return body.errors.map(({ path, message }: { path: string; message: string }) => [path, message])
  }

  test('shapes, names of steps and references: everything at once, with the way out', async ({ scenario, call }) => {
    const answer = await scenario(
      [
        { instal: { app: 'notes' } },
        { install: { app: 'notes', organisation: 'acme' }, expect: { body: { id: { $mtch: 'x' } }, headers: {} } },
        { name: 'up', upgrade: { app: 'notes' } },
        { name: 'up', advance: { by: 'soon' } },
        { request: { path: `/v0/${ref('instal.x')}` } },
        { request: { path: `/v0/${ref('up.instalation.id')}` } },
        { request: { path: `/v0/${ref('up')}`, headers: { a: ref('later.x') } } },
        { name: 'later', visit: { url: '/setup' } },
        { visit: { url: ref('request.body') }, expect: { status: 'ok' } },
        { expect_findings: ['refresh_reus'] },
        { expect_requests: { path: '', status: 42, count: { min: 3, max: 2 } }, expect: { status: 200 } },
        { mark: {}, resume: {} },
        { name: 'install', mark: {} },
        { title: 'nothing' },
        { visit: { url: 'notes', app: 'notes' } },
        { request: { path: '/v0', as: '${' }, expect: { body: { $match: '(' } } },
        { visit: { url: 7 } },
        { name: 'made', ...install, expect: { status: null } },
        { request: { path: `/v0/${ref('made.delivery.stat')}` } },
        { name: 'self', request: { path: `/v0/${ref('self.body')}` } },
        { request: { path: `/v0/${ref('made.delivery.attempts.last')}` } },
        { request: { path: '/v0', headers: { 'Content-Length': '3', b: ref('made.installation.id') } } },
        { visit: { url: 'http://localhost', headers: { 'transfer-encoding': 'chunked', 'x y': '' } } },
        { name: '1st', mark: {} },
      ],
      { form: 'start' },
    )
    expect(Object.fromEntries(issuesOf(answer))).toEqual({
      form: 'is not a known field; did you mean "from"?',
      'steps[0].instal': 'is not a known step; did you mean "install"?',
      'steps[1].install.organization': 'is required: a string',
      'steps[1].install.organisation': 'is not a known field; did you mean "organization"?',
      'steps[1].expect.body.id.$mtch': 'is not a matcher; did you mean "$match"?',
      'steps[1].expect.headers': 'can be used only with request and visit',
      'steps[2].upgrade': 'must name installation, or app and organization',
      'steps[3].name': 'is already the name of steps[2]',
      'steps[3].advance.by': 'must be a duration: milliseconds, or text such as "90s", "1h" or "30d"',
      'steps[4].request.path': `${ref('instal.x')}: no step before this one is called "instal"; did you mean "install"?`,
      'steps[5].request.path': `${ref('up.instalation.id')}: up has no "instalation"; did you mean "installation"?`,
      'steps[6].request.headers.a': `${ref('later.x')} refers to steps[7], which comes later`,
      'steps[7].visit.url': 'must be an http or https URL; for a path, also give app',
      'steps[8].visit.url': `${ref('request.body')}: several request steps come before this one; give the one that you mean a name`,
      'steps[8].expect.status': 'must be a number, not a string',
      'steps[9].expect_findings[0]': expect.stringMatching(/^must be one of early_refresh, /),
      'steps[10].expect_requests.path': 'must not be empty',
      'steps[10].expect_requests.status': 'must be at least 100',
      'steps[10].expect_requests.count': 'must be a number, or an object of min and max with min not above max',
      'steps[10].expect': 'cannot be used with expect_requests, which has no result',
      'steps[11]': 'must have exactly one step, but has mark and resume',
      'steps[12].name': 'is the name of a kind of step, which references use too; choose another name',
      'steps[13]': expect.stringMatching(/^has no step; the known steps are install, upgrade/),
      'steps[14].visit.url': 'must be a path that starts with /, because app is given',
      'steps[15].request.as': 'has a reference without a closing brace; for the text ${, write $${',
      'steps[15].expect.body.$match': expect.stringMatching(/^must be a regular expression: /),
      'steps[16].visit.url': 'must be a string, not a number',
      'steps[17].expect.status': 'null (no response) can be used only with request and visit',
      'steps[23].name': 'must begin with a letter and contain only letters, digits, hyphens and underscores',
      'steps[18].request.path': `${ref('made.delivery.stat')}: made.delivery has no "stat"; did you mean "state"?`,
      'steps[19].request.path': `${ref('self.body')} refers to its own step`,
      'steps[20].request.path': `${ref('made.delivery.attempts.last')}: made.delivery.attempts is an array, whose items are numbered from 0`,
      'steps[21].request.headers.Content-Length': 'is set by the length of the body',
      'steps[22].visit.headers.transfer-encoding': 'is set by the length of the body',
      'steps[22].visit.headers.x y': 'must be a header name: no spaces, no separators such as : or /',
    })
    expect((await call('/_admin/requests')).body.data).toEqual([])
  })

  test('what is under way goes on after one that is refused', async ({ scenario, app, install: start, call }) => {
    await call('/_admin/organizations', { body: { slug: 'later', name: 'Later' } })
    let acknowledge = () => {}
    app.handles((_, response) => {
      acknowledge = () => response.writeHead(200).end()
    })
    const installed = start()
    await app.arrival('app.installed')
    expect(issuesOf(await scenario([{ request: { path: '/v0/courses', as: 'later' } }]))).toEqual([
      ['steps[0].request.as', expect.stringMatching(/^there is no organization "later"/)],
    ])
    acknowledge()
    expect((await installed).body.delivery.state).toBe('acknowledged')
    expect(app.received('app.installed')).toHaveLength(1)
    expect((await call('/_admin/organizations/later')).status).toBe(200)
  })

  test('names of the world, those counted that earlier steps make', async ({ scenario, passes }) => {
    const answer = await scenario([
      { install: { app: 'note', organization: 'acne', installer: 'eva' } },
      { fault: { match: { app: 'nots', organization: 'acne' }, effect: 'unavailable' } },
      { request: { path: '/v0/courses', as: 'hooli' } },
      { restore: { name: 'before' } },
      { organization: { slug: 'hooli', name: 'Hooli' } },
    ])
    expect(issuesOf(answer)).toEqual([
      ['steps[0].install.app', 'there is no app "note"; did you mean "notes"?'],
      ['steps[0].install.organization', 'there is no organization "acne"; did you mean "acme"?'],
      ['steps[0].install.installer', expect.stringMatching(/^there is no user "eva"; (did you mean|expected one of)/)],
      ['steps[1].fault.match.app', 'there is no app "nots"; did you mean "notes"?'],
      ['steps[1].fault.match.organization', 'there is no organization "acne"; did you mean "acme"?'],
      ['steps[2].request.as', expect.stringMatching(/^there is no organization "hooli"/)],
      ['steps[3].restore.name', 'there is no snapshot "before"; there are none'],
    ])
    await passes([
      { organization: { slug: 'hooli', name: 'Hooli' } },
      { user: { id: 'eva', email: 'eva@hooli.test' } },
      { member: { organization: 'hooli', user: 'eva', role: 'owner' } },
      { install: { app: 'app_notes', organization: 'hooli', installer: 'eva@hooli.test' } },
      {
        fixtures: { apps: [{ client_id: 'app_made', manifest: { ...Object(acme.apps?.[0]?.manifest), id: 'made' } }] },
      },
      { install: { app: 'made', organization: 'hooli', announce: false } },
      { snapshot: { name: 'before' } },
      { restore: { name: 'before' } },
    ])
    // Control calls that are sent as requests may make any name, and so may references.
    await passes([
      { request: { path: '/_admin/organizations', body: { slug: 'hooli', name: 'Hooli' } } },
      { advance: { by: '1s', organization: 'hooli' } },
    ])
    await passes([
      install,
      { name: 'again', ...install, expect: { status: 409 } },
      { organization: { slug: `no-${ref('again.status')}`, name: ref('again.title') } },
      { advance: { by: '1s', organization: 'no-409' } },
    ])
  })

  test('a scenario with a wrong name changes nothing', async ({ call, scenario }) => {
    await call('/v0/courses', { as: 'key_acme' })
    await call('/_admin/organizations', { body: { slug: 'hooli', name: 'Hooli' } })
    const before = (await call('/_admin/state')).body
    // Hooli is not in the world that was loaded at start.
    const answer = await scenario([{ install: { app: 'notes', organization: 'hooli' } }])
    expect(issuesOf(answer)).toEqual([['steps[0].install.organization', expect.stringContaining('hooli')]])
    expect((await call('/_admin/state')).body).toEqual(before)
    expect((await call('/_admin/requests')).body.data).toHaveLength(1)
  })

  test('what is no scenario is refused', async ({ call }) => {
    const post = (raw: string) =>
      call('/_admin/scenarios', { raw, method: 'POST', headers: { 'content-type': 'application/json' } })
    for (const raw of ['null', '[]', '"x"', '{}', '{"steps":{}}', '{"steps":[]}', '{"steps":[7]}', '']) {
      expect((await post(raw)).status, raw).toBe(400)
    }
    expect((await post('{"steps":[{"push":"x"}]}')).body.errors).toEqual([
      { path: 'steps[0].push', message: 'must be an object, not a string' },
    ])
  })
})

describe('control-api "Scenarios": steps', () => {
  test('run in order and stop at the first that fails, saying what was expected and what came', async ({
    scenario,
  }) => {
    const { body } = await scenario([
      { name: 'list', request: { path: '/v0/courses', as: 'acme' }, expect: { status: 200 } },
      { request: { path: '/v0/courses', as: 'acme' }, expect: { status: 404, body: { payload: { next: 'x' } } } },
      { reset: {} },
    ])
    expect(body).toEqual({
      passed: false,
      steps: [
        {
          index: 0,
          name: 'list',
          step: 'request',
          ok: true,
          ms: expect.any(Number),
          result: { status: 200, headers: expect.any(Object), body: expect.any(Object) },
        },
        {
          index: 1,
          name: null,
          step: 'request',
          ok: false,
          ms: expect.any(Number),
          error: {
            message: 'status: expected 404, got 200; body.payload.next: expected "x", got null',
            mismatches: [
              { path: 'status', expected: 404, got: 200 },
              { path: 'body.payload.next', expected: 'x', got: null },
            ],
            entries: [1, 2],
          },
        },
      ],
    })
  })

  test('every control call has a step, and its answer is the result', async ({ app, passes }) => {
    const manifest = {
      id: 'notes',
      name: 'Notes',
      version: '2.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: app.url },
    }
    const steps = await passes([
      { fixtures: { organizations: [{ slug: 'hooli', name: 'Hooli', members: [{ user: 'ada', role: 'owner' }] }] } },
      { name: 'first', install: { app: 'notes', organization: 'hooli' }, expect: { status: 201 } },
      { push: manifest },
      { upgrade: { app: 'notes', organization: 'hooli' }, expect: { body: { installation: { version: '2.0.0' } } } },
      { event: { app: 'notes', organization: 'hooli', type: 'lesson.done', data: { id: 1 } } },
      { redeliver: { delivery: ref('event.id') }, expect: { body: { attempts: { $length: 2 } } } },
      { name: 'later', settle: { background: '20ms' }, expect: { body: { settled: true } } },
      { mint: { app: 'notes', organization: 'hooli' } },
      { expire: { organization: 'hooli' }, expect: { body: { access: { $type: 'number' }, refresh: 0 } } },
      { name: 'fresh', mint: { app: 'notes', organization: 'hooli' } },
      { expire: { token: ref('fresh.access_token') }, expect: { body: { affected: 1 } } },
      { revoke: { installation: ref('upgrade.installation.id') } },
      { uninstall: { installation: ref('upgrade.installation.id') } },
      { sign_in: { user: 'ada' } },
      { ambient: { user: 'ada' } },
      { silent_auth: { outcome: 'login_required', times: 1 } },
      { rotate_keys: { retire: true } },
      { fault: { match: { surface: 'api' }, effect: 'unavailable' } },
      { clear_faults: {}, expect: { body: { $length: 1 } } },
      { inbox: { name: 'box', status: 503 } },
      { freeze: { at: '2030-01-01T00:00:00Z' } },
      { advance: { by: '1h' }, expect: { body: { now: '2030-01-01T01:00:00.000Z' } } },
      { resume: {}, expect: { body: { frozen: false } } },
      { snapshot: { name: 'here' } },
      { restore: { name: 'here' } },
      { reset: {}, expect: { body: { world: 'seeded' } } },
    ])
    expect(steps.map(({ step }) => step)).toEqual(expect.arrayContaining(['install', 'reset']))
    expect(app.types()).toEqual(['app.installed', 'app.installed', 'lesson.done', 'lesson.done', 'app.uninstalled'])
  })

  test('a call that is refused fails its step, unless that is what was expected', async ({ fails, passes }) => {
    const steps = await passes([install, { name: 'again', ...install, expect: { status: 409 } }])
    expect(steps[1].result).toMatchObject({ status: 409, detail: expect.stringContaining('already installed') })
    expect((await fails([install, install])).message).toMatch(
      /^the control call failed with status 409: .*already installed/,
    )
    expect((await fails([{ ...install, expect: { status: 409 } }])).message).toBe('status: expected 409, got 201')
    const uninstall = { uninstall: { app: 'notes', organization: 'acme' } }
    expect((await fails([uninstall])).message).toBe(
      'the control call failed with status 404: notes is not installed in acme',
    )
    await passes([{ ...uninstall, expect: { status: 404 } }])
    const wrong = { advance: ref('install.redirect_url') }
    expect((await fails([install, wrong])).message).toMatch(/^advance must be an object; its reference is "https:/)
  })

  test('a request is sent as it is written, as an organization or with a reference', async ({ passes }) => {
    const steps = await passes([
      install,
      {
        title: 'an install token reads',
        request: { path: '/v0/elements', headers: bearer(ref('install.credentials.access_token')) },
        expect: { status: 200, headers: { 'Content-Type': { $match: '^application/json' } } },
      },
      {
        name: 'made',
        request: { path: '/v0/elements', as: 'acme', body: { module: 'module1', type: 'CONTENT', name: '$${x}' } },
        expect: { status: 200, body: { payload: { name: '$${x}', position: { $type: 'integer' } } } },
      },
      { request: { method: 'delete', path: `/v0/elements/${ref('made.body.payload.id')}`, as: 'acme' } },
      {
        request: {
          path: '/oauth/token',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: {
            grant_type: 'refresh_token',
            refresh_token: ref('install.credentials.refresh_token'),
            client_id: 'app_notes',
            client_secret: 'notes_secret',
          },
        },
        expect: { status: 200, body: { access_token: { $match: '^at_' }, id_token: { $absent: true } } },
      },
      {
        request: {
          path: '/v0/elements',
          body: '{"type":',
          method: 'POST',
          as: 'acme',
          headers: { 'content-type': 'application/json' },
        },
        expect: { status: 400 },
      },
      { request: { path: '/_admin/clock' }, expect: { status: 200, body: { frozen: true } } },
    ])
    expect(steps[2].result.body.payload.name).toBe('$'.concat('{x}'))
    expect(steps[3].result).toMatchObject({ status: 200, body: { payload: { deleted: true } } })
  })

  test('a text that is one reference becomes the value, of whatever type', async ({ passes }) => {
    const steps = await passes([
      { name: 'app', request: { path: '/_admin/apps/notes' } },
      { push: ref('app.body.versions.0.manifest') },
      { request: { path: '/_admin/organizations/acme' } },
      { inbox: { name: 'box', status: ref('app.status') }, expect: { body: { status: 200 } } },
      { name: 'last', request: { path: `/_admin/inboxes/${ref('inbox.name')}?wait=${ref('inbox.delay')}` } },
    ])
    expect(steps[1].result.versions).toEqual(steps[0].result.body.versions)
    expect(steps[4].result.status).toBe(200)
  })

  test('a response that does not come is the status null', async ({ fails, passes }) => {
    const fault = { fault: { match: { surface: 'api' }, effect: { connection: 'reset' } } }
    const request = { request: { path: '/v0/courses', as: 'acme' } }
    await passes([fault, { ...request, expect: { status: null } }])
    expect((await fails([fault, request])).message).toBe('no response: the connection was reset')
    expect((await fails([{ ...request, expect: { status: null } }])).message).toBe('status: expected null, got 200')
  })

  test('an organization without an API key, and a way that leads nowhere, are said', async ({ fails }) => {
    const hooli = { organization: { slug: 'hooli', name: 'Hooli' } }
    expect((await fails([hooli, { request: { path: '/v0/courses', as: 'hooli' } }])).message).toBe(
      'hooli has no API key; POST /_admin/organizations/hooli/api-key generates one',
    )
    const list = { name: 'list', request: { path: '/v0/courses', as: 'acme' } }
    expect((await fails([list, { request: { path: `/v0/${ref('list.body.payload.dta')}` } }])).message).toBe(
      `${ref('list.body.payload.dta')}: list.body.payload has no "dta"; did you mean "data"?`,
    )
    for (const [path, kind] of [
      ['list.body.payload', 'an object'],
      ['list.body.payload.data', 'an array'],
    ] as const) {
      expect((await fails([list, { request: { path: `/v0/${ref(path)}` } }])).message).toBe(
        `${ref(path)} is ${kind}: it cannot be part of a string`,
      )
    }
    expect(
      (await fails([list, { advance: { by: ref('list.status') } }, { freeze: { at: ref('list.body') } }])).message,
    ).toMatch(/^the control call failed with status 400: /)
  })

  test('no message shows a secret', async ({ fails }) => {
    const error = await fails([{ ...install, expect: { body: { credentials: { access_token: 'x' } } } }])
    expect(error.mismatches).toEqual([{ path: 'body.credentials.access_token', expected: 'x', got: '[redacted]' }])
    expect(JSON.stringify(error)).not.toMatch(/at_\w{8}/)
  })

  test('no message shows a known secret in part, whatever its name, nor what a reference brought', async ({
    fails,
  }) => {
    const steps = [
      install,
      { name: 'box', inbox: { name: 'box' } },
      { request: { path: '/_inbox/box', body: `${'x'.repeat(190)} ${ref('install.credentials.access_token')} y` } },
    ]
    const read = { request: { path: '/_admin/inboxes/box' } }
    const text = `${'x'.repeat(190)} [redacted] y`
    const mismatch = { path: 'body.data.0.body', expected: '[redacted]', got: text }
    const expected = ref('install.credentials.refresh_token')
    const error = await fails([...steps, { ...read, expect: { body: { data: [{ body: expected }] } } }])
    expect(error.mismatches).toEqual([mismatch])
    expect(error.message).toBe(`body.data.0.body: expected "[redacted]", got "${text.slice(0, 199)}…`)
    expect((await fails([install, { user: expected }])).message).toBe(
      'user must be an object; its reference is "[redacted]"',
    )
  })

  test('with redact, results have no secrets, and references lead to their values', async ({ passes }) => {
    const secrets = { request: { path: '/_admin/apps/notes/secrets' } }
    const courses = {
      request: { path: '/v0/courses', headers: bearer(ref('install.credentials.access_token')) },
      expect: { status: 200 },
    }
    const [installed, ...read] = await passes([install, secrets, courses], { redact: true })
    expect(installed.result.credentials).toMatchObject({ access_token: '[redacted]', refresh_token: '[redacted]' })
    expect(read).toMatchObject([
      { result: { status: 200, body: { client_secret: '[redacted]', signing_secret: '[redacted]' } } },
      { result: { body: { payload: { data: expect.any(Array) } } } },
    ])
    expect((await passes([secrets]))[0].result.body.client_secret).toBe('notes_secret')
  })

  test.for<[object, boolean]>([
    [{ $match: '^Acme' }, true],
    [{ $match: '^acme' }, false],
    [{ $type: 'string' }, true],
    [{ $type: 'number' }, false],
    [{ $length: 9 }, true],
    [{ $length: 8 }, false],
    [{ $match: '^A', $length: 9 }, true],
    [{ $match: '^A', $length: 8 }, false],
    [{ $absent: true }, false],
  ])('matchers: %o', async ([matcher, fits], { scenario }) => {
    const { body } = await scenario([
      { request: { path: '/_admin/organizations/acme' }, expect: { body: { name: matcher, none: { $absent: true } } } },
    ])
    expect(body.passed).toBe(fits)
  })

  test('an expression and its text may have any characters', async ({ passes }) => {
    const organization = { slug: 'odd', name: `"'\`\\\u2028 $` }
    await passes([{ organization, expect: { body: { name: { $match: `^"'\`\\\\\u2028 \\$$` } } } }])
  })

  describe('an expression has a second', () => {
    const naming = (name: string, $match: string) => ({
      organization: { slug: 'long', name },
      expect: { body: { name: { $match } } },
    })
    const stubborn = naming(`${'a'.repeat(47)}!`, '^(a+)+$')

    test('then its step fails and says so', async ({ fails }) => {
      expect((await fails([stubborn])).message).toBe(
        'body.name: {"$match": "^(a+)+$"} was ended after 1 s, on a text of 48 characters: simplify its repetitions',
      )
    })

    test('one that needs more memory than there is fails its step too', async ({ fails }) => {
      const nested = `^${'('.repeat(60)}a|b${')'.repeat(60)}*$`
      const { message } = await fails([naming('ab'.repeat(100_000), nested)])
      // A slow machine may end it sooner.
      expect(message).toMatch(/ cannot be run: Maximum call stack size exceeded$| was ended after 1 s/)
    })
  })

  const brought = { none: null, seven: 7, typo: { statuss: 500 }, matcher: { $foo: ref('x') }, text: 'abc' }
  const bring = (key: keyof typeof brought) => ref(`box.body.data.0.body.${key}`)

  test.for<[expected: unknown, message: string | RegExp]>([
    [bring('none'), 'expect must be an object, not null'],
    [bring('seven'), 'expect must be an object, not a number'],
    [bring('typo'), 'expect.statuss is not a known field'],
    [{ status: bring('text') }, 'expect.status must be a number, not a string'],
    [{ headers: bring('none') }, 'expect.headers must be an object, not null'],
    [{ headers: { a: bring('matcher') } }, 'expect.headers.a.$foo is not a matcher'],
    [{ body: bring('matcher') }, 'expect.body.$foo is not a matcher'],
    [{ headers: { a: { $type: bring('text') } } }, /^expect.headers.a.\$type must be one of string, number, /],
  ])(
    'what a reference brings is checked as an expectation that is written: %o',
    async ([expected, message], { call, fails }) => {
      await call('/_inbox/box', { body: brought })
      const read = { name: 'box', request: { path: '/_admin/inboxes/box' } }
      const { message: got } = await fails([read, { request: { path: '/healthz' }, expect: expected }], {
        from: 'current',
      })
      expect(got).toMatch(message)
    },
  )

  test('of an object the expected fields count; an array is compared whole', async ({ passes, fails }) => {
    const request = { request: { path: '/_admin/organizations/acme' } }
    const expecting = (body: unknown) => ({ ...request, expect: { body } })
    await passes([expecting({ members: [{ user: 'ada' }, { role: 'learner' }] })])
    expect((await fails([expecting({ members: [{ user: 'ada' }] })])).mismatches).toEqual([
      { path: 'body.members', expected: { $length: 1 }, got: { $length: 2 } },
    ])
    expect((await fails([expecting({ members: [{}, { user: 'zoe' }] })])).mismatches).toEqual([
      { path: 'body.members.1.user', expected: 'zoe', got: 'bob' },
    ])
    expect((await fails([expecting({ name: { $length: 8 } })])).mismatches).toEqual([
      { path: 'body.name', expected: { $length: 8 }, got: { $length: 9 } },
    ])
    expect((await fails([expecting({ nothing: 1 })])).mismatches).toEqual([{ path: 'body.nothing', expected: 1 }])
  })
})

describe('control-api "Scenarios": where it begins and what it leaves', () => {
  const steps = [
    { organization: { slug: 'hooli', name: 'Hooli' } },
    { fault: { match: { surface: 'api' }, effect: 'unavailable' } },
    { snapshot: { name: 'inside' } },
    { advance: { by: '1d' } },
  ]
  const stateOf = async (call: (path: string) => Promise<Answer>) => ({
    state: (await call('/_admin/state')).body,
    snapshots: (await call('/_admin/snapshots')).body,
    clock: (await call('/_admin/clock')).body,
    faults: (await call('/_admin/faults')).body,
  })

  test('by default it begins where a reset leads, and goes back to where things were', async ({ call, passes }) => {
    await call('/_admin/organizations', { body: { slug: 'mine', name: 'Mine' } })
    await call('/_admin/snapshots', { body: { name: 'mine' } })
    await call('/_admin/clock/advance', { body: { by: '7d' } })
    await call('/v0/courses', { as: 'key_acme' })
    const before = await stateOf(call)
    await passes([
      { request: { path: '/_admin/organizations' }, expect: { body: { data: { $length: 2 } } } },
      { request: { path: '/_admin/clock' }, expect: { body: { now: '2026-01-01T00:00:00.000Z' } } },
      { request: { path: '/_admin/requests/count' }, expect: { body: { count: 0 } } },
      ...steps,
    ])
    expect(await stateOf(call)).toEqual(before)
  })

  test('a snapshot that it takes again, and inboxes, are as before', async ({ call, emulator, passes }) => {
    const { admin } = emulator
    await call('/_admin/organizations', { body: { slug: 'mine', name: 'Mine' } })
    await admin.snapshot('mine')
    await admin.deleteOrganization('mine')
    await admin.snapshot('later')
    const snapshots = await admin.listSnapshots()
    await admin.setInbox('box', { status: 418 })
    const receive = (name: string) => fetch(`${emulator.url}/_inbox/${name}`, { method: 'POST', body: 'before' })
    await receive('box')
    await passes([
      { restore: { name: 'mine' } },
      { request: { path: '/_admin/organizations/mine' }, expect: { status: 200 } },
      { reset: {} },
      { snapshot: { name: 'mine' } },
      { inbox: { name: 'box', status: 500 } },
      { inbox: { name: 'other', status: 500 } },
      { request: { path: '/_inbox/box', method: 'POST', body: 'inside' } },
    ])
    expect((await admin.readInbox('box')).map(({ raw }) => raw)).toEqual(['before'])
    expect([(await receive('box')).status, (await receive('other')).status]).toEqual([418, 200])
    expect((await admin.listSnapshots()).map(({ name }) => name)).toEqual(snapshots.map(({ name }) => name))
    await admin.restoreSnapshot('mine')
    expect((await call('/_admin/organizations/mine')).status).toBe(200)
    await admin.restoreSnapshot('later')
    expect((await call('/_admin/organizations/mine')).status).toBe(404)
  })

  test('also when a step fails', async ({ call, fails }) => {
    const before = await stateOf(call)
    await fails([...steps, { request: { path: '/v0/courses', as: 'acme' }, expect: { status: 200 } }])
    expect(await stateOf(call)).toEqual(before)
  })

  test('with from "current" it goes on from here and leaves things as they are', async ({ call, passes }) => {
    await call('/_admin/clock/advance', { body: { by: '7d' } })
    await passes(steps, { from: 'current' })
    expect((await call('/_admin/clock')).body.now).toBe('2026-01-09T00:00:00.000Z')
    expect((await call('/_admin/faults')).body.data).toHaveLength(1)
    expect((await call('/_admin/snapshots')).body.data).toMatchObject([{ name: 'inside' }])
    expect((await call('/_admin/organizations/hooli')).status).toBe(200)
  })

  test('one runs at a time; when its client goes away it ends, and the world is as it was', async ({
    call,
    emulator,
  }) => {
    const before = await stateOf(call)
    const leaving = new AbortController()
    const body = JSON.stringify({
      steps: [...steps, { expect_delivery: { event: 'never', within: '10m' } }],
    })
    const headers = { 'content-type': 'application/json' }
    const running = fetch(`${emulator.url}/_admin/scenarios`, { method: 'POST', headers, body, signal: leaving.signal })
    // The last step that changes anything is done: a step that is cut off may end after the others are undone.
    await expect.poll(async () => (await call('/_admin/clock')).body.now).not.toBe(before.clock.now)
    const second = await call('/_admin/scenarios', { body: { steps: [{ mark: {} }] } })
    expect(second).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Another scenario') } })
    leaving.abort()
    await expect(running).rejects.toThrow()
    await expect.poll(async () => (await call('/_admin/faults')).body.data.length).toBe(0)
    expect(await stateOf(call)).toEqual(before)
    expect((await call('/_admin/scenarios', { body: { steps: [{ mark: {} }] } })).body.passed).toBe(true)
  })

  test('also when its client goes away in the middle of a step', async ({ call, emulator }) => {
    const before = await stateOf(call)
    const element = { type: 'CONTENT', name: 'Late', module: 'module1' }
    const slow = [
      { fault: { match: { method: 'POST' }, effect: { delay: '100ms' } } },
      { request: { method: 'POST', path: '/v0/elements', as: 'acme', body: element } },
    ]
    const hits = async () => (await call('/_admin/faults')).body.data[0]?.hits
    const many = Array.from({ length: 40 }, (_, n) => ({ organization: { slug: `hooli${n}`, name: 'Hooli' } }))
    const first = async () => (await call('/_admin/organizations/hooli0')).status
    const cases: [Step[], () => Promise<unknown>][] = [
      [slow, () => expect.poll(hits, { interval: 10 }).toBe(1)],
      ...Array.from({ length: 12 }, (): (typeof cases)[number] => [
        many,
        () => expect.poll(first, { interval: 1 }).toBe(200),
      ]),
    ]
    for (const [steps, isUnderWay] of cases) {
      const leaving = new AbortController()
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify({ steps }), signal: leaving.signal }
      const running = fetch(`${emulator.url}/_admin/scenarios`, sent).catch(() => undefined)
      await isUnderWay()
      leaving.abort()
      await running
      // The next one can begin when this one has ended.
      const next = { body: { steps: [{ mark: {} }] } }
      await expect.poll(async () => (await call('/_admin/scenarios', next)).status).toBe(200)
      expect(await stateOf(call)).toEqual(before)
    }
  })

  test('works with an admin token, which its steps need not know', async ({ passes }) => {
    await passes([install, { request: { path: '/_admin/clock' }, expect: { status: 200 } }])
  })
})

describe('with an admin token', () => {
  test.override({ settings: { adminToken: 'sesame' } })

  test('a scenario needs it, its steps do not', async ({ call }) => {
    const body = { steps: [install, { request: { path: '/_admin/clock' }, expect: { status: 200 } }] }
    expect((await call('/_admin/scenarios', { body })).status).toBe(401)
    const answer = await call('/_admin/scenarios', { body, as: 'sesame' })
    expect(answer.body).toMatchObject({ passed: true })
  })
})

describe('with control calls in the journal', () => {
  test.override({ settings: { journalAdmin: true } })

  test('those of a scenario are not among what its failure shows, and keep nothing awake', async ({
    fails,
    passes,
  }) => {
    const read = { request: { path: '/v0/courses', as: 'acme' } }
    const { entries } = await fails([read, { expect_requests: { count: 1 } }])
    expect(entries).toHaveLength(1)
    const [step] = await passes([{ expect_requests: { count: 0, within: '10m' } }])
    expect(step.result).toEqual({ count: 0 })
  })
})

// Other systems have no other loopback address than 127.0.0.1 without further ado.
describe.runIf(process.platform === 'linux')('on another address', () => {
  test.override({ settings: { host: '127.0.0.2' } })

  test('a scenario runs, and knows its own requests', async ({ emulator }) => {
    const url = emulator.url.replace('127.0.0.1', '127.0.0.2')
    const steps = [
      { request: { path: '/v0/courses', as: 'acme' }, expect: { status: 200 } },
      { expect_requests: { count: 0 } },
      { expect_requests: { path: '/v0/courses', count: 1, within: '1ms' } },
    ]
    const { body } = await send(`${url}/_admin/scenarios`, { body: { steps } })
    expect(body.steps.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false])
  })
})

describe('control-api "Scenarios": what the app did', () => {
  const reads = { request: { path: '/v0/courses', as: 'acme' } }

  /** An app that reads courses with the API key, for each webhook and for each visit. */
  const reader = async (call: (path: string, how?: object) => Promise<Answer>) => {
    const app = await startReceiver()
    app.handles(async ({ path }, response) => {
      if (path !== '/now') response.end()
      const { status } = await call('/v0/courses', { as: 'key_acme' })
      if (path === '/now') response.end(JSON.stringify({ status }))
      if (path !== '/twice') return
      for (let n = 0; n < 10; n++) await call('/v0/modules', { as: 'key_acme' })
      await call('/v0/courses', { as: 'key_acme' })
    })
    return { origin: new URL(app.url).origin }
  }

  test("requests of the scenario are not the app's, in counts and in findings", async ({ call, passes, fails }) => {
    const app = await reader(call)
    await passes([
      reads,
      { visit: { url: `${app.origin}/now` }, expect: { status: 200 } },
      { expect_requests: { path: '/v0/courses', count: 1 } },
      {
        expect_requests: { surface: 'api', method: 'GET', path: '/v0/*', status: 200, organization: 'acme', count: 1 },
      },
      { expect_requests: { status: 401, count: 0 } },
      { mark: {} },
      { expect_requests: { count: 0 } },
    ])
    const entries = (await call('/_admin/requests')).body.data
    expect(entries.map((entry: { sender?: unknown }) => ('sender' in entry ? entry.sender : 'none'))).toEqual([
      'scenario',
      'none',
    ])

    const leak = { request: { path: '/v0/courses?key=key_acme', as: 'acme' } }
    await passes([leak, { expect_findings: [] }])
    await call('/v0/courses?key=key_acme', { as: 'key_acme' })
    expect((await call('/_admin/findings')).body.data).toMatchObject([
      { rule: 'token_in_url' },
      { rule: 'unknown_fields' },
    ])
    // Findings from before the scenario do not count.
    await passes([{ expect_findings: [] }], { from: 'current' })
    expect((await fails([{ expect_findings: ['token_in_url'] }])).message).toBe(
      'findings: token_in_url was expected and not found',
    )
  })

  describe('in a journal that is too small for what happened', () => {
    test.override({ settings: { journalSize: 10 } })

    test('expect_requests passes while it has them all', async ({ passes }) => {
      const others = Array.from({ length: 10 }, () => ({ request: { path: '/.well-known/jwks.json' } }))
      await passes([...others, { expect_requests: { surface: 'api', count: 0 } }])
    })

    test('expect_requests fails, even if few entries match its filters', async ({ call, fails }) => {
      const app = await reader(call)
      const visit = { visit: { url: `${app.origin}/now`, at_once: 8 } }
      const others = Array.from({ length: 8 }, () => ({ request: { path: '/.well-known/jwks.json' } }))
      const expected = { surface: 'api', path: '/v0/courses', count: { max: 5 } }
      expect((await fails([visit, ...others, { expect_requests: expected }])).message).toBe(
        'the journal keeps only 10 entries, and there were more; increase journal_size',
      )
    })
  })

  test('a visit goes at_once so many times, and each response is compared', async ({ app, passes, fails }) => {
    const waiting: (() => void)[] = []
    app.handles((_, response) => {
      waiting.push(() => void response.writeHead(waiting.length > 3 ? 500 : 200).end())
      if (waiting.length === 3) for (const respond of waiting) respond()
      if (waiting.length > 3) response.writeHead(waiting.length === 6 ? 500 : 200).end()
    })
    const visit = { visit: { url: app.url, at_once: 3 }, expect: { status: 200 } }
    await passes([visit])
    expect((await fails([visit])).message).toContain('status')
    expect(app.received()).toHaveLength(6)
  })

  test('a visit within a time is repeated until each response is as expected', async ({ app, passes, fails }) => {
    let visits = 0
    app.handles((_, response) => void response.writeHead(++visits < 3 ? 503 : 200).end())
    const expecting = { expect: { status: 200 } }
    await fails([{ visit: { url: app.url, within: '0.9s' }, ...expecting }])
    expect(visits).toBe(1)
    const visit = { visit: { url: app.url, within: '10s' }, ...expecting }
    await passes([visit])
    expect(visits).toBe(3)
    // After a visit, none is missed.
    expect((await fails([visit, { expect_requests: { surface: 'api', count: 1 } }])).message).toBe(
      'requests api: expected 1, got 0',
    )
  })

  test('expect_findings names the rules that were broken, and those alone', async ({ app, call, passes, fails }) => {
    app.handles(async (_, response) => {
      await call('/v0/courses?key=key_acme', { as: 'key_acme' })
      response.end()
    })
    const visit = { visit: { url: app.url } }
    await passes([visit, { expect_findings: ['token_in_url'] }])
    await passes([visit, { expect_findings: ['token_in_url', 'unknown_fields'] }])
    const { message, mismatches } = await fails([visit, { expect_findings: [] }])
    expect(message).toMatch(/^findings: token_in_url was not expected: An API key was sent in the URL/)
    expect(mismatches).toEqual([{ path: '', expected: [], got: ['token_in_url'] }])
    await passes([visit, { mark: {} }, { expect_findings: [] }])
  })

  describe('with a seed', () => {
    test.override({ settings: { seed: 'same ids again' } })

    test('deliveries after a reset or a restore are others than those before', async ({ app, passes }) => {
      app.answers(200)
      const delivered = (type: string) => [
        { event: { app: 'notes', organization: 'acme', type, data: {} } },
        { expect_delivery: { event: type, count: 1 } },
      ]
      const before = [install, { snapshot: { name: 'installed' } }, ...delivered('before'), { mark: {} }]
      await passes([...before, { restore: { name: 'installed' } }, ...delivered('restored')])
      await passes([...before, { reset: {} }, install, ...delivered('reset')])
    })
  })

  test('within ends in its time, also while memory is reclaimed', async ({ fails }) => {
    setFlagsFromString('--expose-gc')
    const collecting = setInterval(runInNewContext('gc'), 50)
    onTestFinished(() => clearInterval(collecting))
    for (const step of ['expect_delivery', 'expect_requests']) {
      const fields = step === 'expect_delivery' ? { event: 'never' } : { count: { min: 1 } }
      const { message } = await fails([{ [step]: { ...fields, within: '300ms' } }])
      expect(message).toMatch(/expected at least 1, got 0/)
    }
  })

  test('within waits for an app that works on after it has answered', async ({ call, passes, fails }) => {
    const app = await reader(call)
    const visit = { visit: { url: `${app.origin}/later` } }
    await passes([visit, { expect_requests: { path: '/v0/courses', count: 1, within: '1m' } }])
    await passes([visit, visit, { expect_requests: { path: '/v0/courses', count: { min: 2 }, within: '1m' } }])
    const { message } = await fails([visit, { expect_requests: { path: '/v0/courses', count: 2, within: '300ms' } }])
    expect(message).toBe('requests /v0/courses: expected 2, got 1')
    // One too many is seen when everything has settled.
    const twice = { visit: { url: `${app.origin}/twice` } }
    await passes([twice, { expect_requests: { path: '/v0/courses', count: { min: 2 }, within: '1m' } }])
    expect((await fails([twice, { expect_requests: { path: '/v0/courses', count: 1, within: '1m' } }])).message).toBe(
      'requests /v0/courses: expected 1, got 2',
    )
    expect(
      (await fails([twice, { expect_requests: { path: '/v0/c*', count: { max: 1 }, within: '1m' } }])).message,
    ).toBe('requests /v0/c*: expected at most 1, got 2')
  })

  test('expect_delivery counts what was made or attempted since the mark', async ({ app, passes, fails }) => {
    app.answers(503)
    await passes([
      install,
      { expect_delivery: { event: 'app.installed', state: 'retrying', count: 1 } },
      { mark: {} },
      { expect_delivery: { event: 'app.installed', count: 0 } },
      { advance: { by: '10s' } },
      { expect_delivery: { event: 'app.installed', count: 1 } },
    ])
    expect(
      (await fails([install, { expect_delivery: { event: 'app.installed', state: 'acknowledged' } }])).message,
    ).toBe('deliveries of app.installed that are acknowledged: expected at least 1, got 0')
    await passes([
      { fault: { match: { surface: 'webhook' }, effect: { delay: '5m' }, times: 1 } },
      install,
      { expect_delivery: { event: 'app.installed', state: 'pending', count: 1 } },
    ])
  })

  test('a visit goes to loopback, private and trusted hosts only; with app to its webhook’s address', async ({
    app,
    fails,
    passes,
  }) => {
    expect((await fails([{ visit: { url: 'http://192.0.2.1/' } }])).message).toMatch(
      /^no response: 192\.0\.2\.1 is neither a loopback nor a private address/,
    )
    const body = { a: 1 }
    await passes([{ visit: { app: 'notes', url: '/here?x=1', body }, expect: { status: 200 } }])
    expect(app.received()).toMatchObject([{ method: 'POST', path: '/here?x=1', body }])
    const manifest = {
      id: 'pages',
      name: 'Pages',
      version: '1.0.0',
      permissions: [],
      post_install_action: { url: app.url },
    }
    await passes([{ fixtures: { apps: [{ manifest }] } }, { visit: { app: 'pages', url: '/there' } }])
    expect(app.received().at(-1)).toMatchObject({ method: 'GET', path: '/there' })
  })
})
