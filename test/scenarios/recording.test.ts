import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'jsonc-parser'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { changeManifest } from '../harness/change-manifest.js'
import { oneProcessTest as base } from '../harness/command-line.js'
import { test as emulatorTest, send } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'

interface Recorded {
  url: string
  /** Records what `work` does. @returns the text of the file. */
  recorded: (work: () => Promise<void>) => Promise<string>
}

const test = base.extend<Recorded>({
  url: async ({ start }, use) => {
    const { url } = await start(['--port', '0', '--store', 'memory'])
    await use(url)
  },
  recorded: async ({ folder, launch, url }, use) => {
    await use(async (work) => {
      const { child, ended } = launch(['scenario', 'record', 'new/made.jsonc', '--url', url])
      await new Promise<void>((resolve) => {
        child.stderr?.on('data', (text) => String(text).startsWith('Recording') && resolve())
      })
      await work()
      child.kill('SIGINT')
      const { status, stdout } = await ended
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^new\/made\.jsonc: \d+ recorded/),
      })
      return readFile(join(folder, 'new/made.jsonc'), 'utf8')
    })
  },
})

describe('mockademy scenario record', () => {
  test('writes no secret that it was not told of by name, neither in a step nor in a comment', async ({
    recorded,
    url,
  }) => {
    const body = { app: 'notes', organization: 'initech', announce: false }
    const { access_token } = (await send(`${url}/_admin/installations`, { body })).body.credentials
    const encoded = access_token.replace(/_/g, '%5F')
    const text = await recorded(async () => {
      await send(`${url}/v0/courses`, { as: 'key_acme' })
      await send(`${url}/v0/courses/${access_token}`, { as: 'key_acme' })
      await send(`${url}/v0/courses/${encoded}?page_size=1`, { as: 'key_acme' })
      await send(`${url}/v0/courses`, { as: access_token })
    })
    expect(text).not.toContain(access_token)
    expect(text).not.toContain(encoded)
    expect(text.match(/Left out: GET \/v0\/courses\/\[redacted\]: /g)).toHaveLength(2)
    const kinds = parse(text).steps.map((step: object) => Object.keys(step)[0])
    expect(kinds).toEqual(['mark', 'request', 'expect_requests'])
  })

  test('writes what runs again and passes, with references in place of what is generated', async ({
    recorded,
    run,
    url,
  }) => {
    const text = await recorded(async () => {
      await run(['install', 'notes', 'acme', '--no-announce', '--url', url])
      await run(['faults', 'add', 'rate_limited', '--surface', 'api', '--times', '1', '--url', url])
      const { credentials } = (
        await send(`${url}/_admin/installations`, { body: { app: 'notes', organization: 'initech', announce: false } })
      ).body
      await send(`${url}/v0/courses`, { as: credentials.access_token, injected: true })
      await send(`${url}/v0/courses?page=no`, { as: credentials.access_token })
      const module = (await send(`${url}/v0/modules`, { as: 'key_acme' })).body.payload.data[0].id
      const made = await send(`${url}/v0/elements`, {
        as: 'key_acme',
        body: { module, type: 'CONTENT', name: 'costs $' + '{five}' },
      })
      const { id } = made.body.payload
      await send(`${url}/v0/elements/${id}`, { as: 'key_acme', method: 'DELETE' })
      await send(`${url}/v0/elements/${id}`, { as: 'key_acme' })
      await run(['clock', 'advance', '61m', '--url', url])
      await send(`${url}/v0/courses`, { as: credentials.access_token })
      // As an audit or a sweep does at its end.
      await send(`${url}/_admin/reports/sweep`, { method: 'PUT', body: { app: 'notes', passed: true } })
      await run(['uninstall', 'notes', 'acme', '--url', url])
    })
    const { steps } = parse(text)
    expect(steps.map((step: object) => Object.keys(step).find((key) => key !== 'name' && key !== 'expect'))).toEqual([
      'install',
      'fault',
      'install',
      'request',
      'request',
      'request',
      'request',
      'request',
      'request',
      'advance',
      'request',
      'uninstall',
    ])
    expect(steps[3]).toEqual({
      request: { path: '/v0/courses', headers: { Authorization: 'Bearer $' + '{install_2.credentials.access_token}' } },
      expect: { status: 429 },
    })
    expect(steps[6]).toMatchObject({ request: { as: 'acme', body: { name: 'costs $$' + '{five}' } } })
    expect(steps[7]).toMatchObject({
      request: { method: 'DELETE', path: '/v0/elements/$' + '{request_6.body.payload.id}' },
      expect: { status: 200 },
    })
    expect(steps[8].expect).toEqual({ status: 404 })

    await send(`${url}/_admin/reset`, { method: 'POST' })
    const { status, stdout, stderr } = await run(['scenario', 'run', 'new/made.jsonc', '--url', url])
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  })

  test('holds no secret: what needs one that no step brings about is left out, and says so', async ({
    recorded,
    url,
  }) => {
    const secrets = ['notes_secret', 'key_acme', 'rt_notes_globex', 'at_notes_globex', 'key_of_hooli']
    const text = await recorded(async () => {
      await send(`${url}/_admin/fixtures`, {
        body: { organizations: [{ slug: 'hooli', name: 'Hooli', api_key: 'key_of_hooli' }] },
      })
      const refreshed = await send(`${url}/oauth/token`, {
        form: {
          grant_type: 'refresh_token',
          refresh_token: 'rt_notes_globex',
          client_id: 'app_notes',
          client_secret: 'notes_secret',
        },
      })
      secrets.push(refreshed.body.access_token, refreshed.body.refresh_token)
      await send(`${url}/v0/courses`, { as: refreshed.body.access_token })
      await send(`${url}/v0/courses`, { as: 'at_notes_globex' })
      await send(`${url}/v0/courses?key=key_acme`, { as: 'key_acme' })
      await send(`${url}/_admin/tokens/revoke`, { body: { token: 'at_notes_globex' } })
      const { cookie } = (await send(`${url}/_admin/sessions`, { body: { user: 'ada@acme.test' } })).body
      secrets.push(cookie.value)
      await send(`${url}/login`, { headers: { cookie: `${cookie.name}=${cookie.value}` } })
    })
    for (const secret of secrets) expect(text).not.toContain(secret)
    const { steps } = parse(text)
    const ofApp = { app: 'notes', organization: 'globex', count: { min: 1 }, within: '5s' }
    expect(steps.slice(0, 4)).toEqual([
      { mark: {} },
      { fixtures: { organizations: [{ slug: 'hooli', name: 'Hooli' }] } },
      { expect_requests: { method: 'POST', path: '/oauth/token', status: 200, ...ofApp } },
      { expect_requests: { method: 'GET', path: '/v0/courses', status: 200, ...ofApp, count: { min: 2 } } },
    ])
    expect(steps.slice(4)).toEqual([
      { name: 'sign_in_4', sign_in: { user: 'ada@acme.test' } },
      {
        request: { path: '/login', headers: { Cookie: expect.stringMatching(/=\$\{sign_in_4\.cookie\.value\}$/) } },
        expect: { status: 200 },
      },
    ])
    expect(text.match(/\/\/ Left out: (GET \/v0\/courses|POST \/_admin\/tokens\/revoke): it contains/g)).toHaveLength(2)
    expect(text).toMatch(/\/\/ Left out: a visit to notes: what a person does at an app is not seen/)
  })

  test('writes over no file, and none when there is nothing to write', async ({ folder, launch, run, url }) => {
    await writeFile(join(folder, 'mine.jsonc'), '{}')
    expect(await run(['scenario', 'record', 'mine.jsonc', '--url', url])).toMatchObject({
      status: 2,
      stderr: 'mockademy: mine.jsonc already exists; choose another file\n',
    })
    const long = `${'n'.repeat(300)}.jsonc`
    expect(await run(['scenario', 'record', long, '--url', url])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`mockademy: ${long} cannot be written: ENAMETOOLONG: `),
    })
    const { child, ended } = launch(['scenario', 'record', 'made.jsonc', '--url', url])
    child.stderr?.once('data', () => child.kill('SIGINT'))
    expect(await ended).toMatchObject({ status: 1, stderr: expect.stringMatching(/nothing repeatable was recorded/) })
    expect(existsSync(join(folder, 'made.jsonc'))).toBe(false)
    expect((await send(`${url}/_admin/recording`, { method: 'DELETE' })).status).toBe(404)
  })
})

/** A small app that reads the courses when it is installed and when a lesson was changed, and refreshes after a 401. */
interface SmallApp {
  /** From now on it does not refresh. */
  breaks(): void
  stop(): Promise<void>
  /** Resolves when it has done what webhooks made it do. */
  idle(): Promise<unknown>
}

const appTest = emulatorTest.extend<{ app: SmallApp }>({
  app: async ({ emulator }, use) => {
    const tokens = new Map<string, Record<string, string>>()
    const work: Promise<void>[] = []
    let isBroken = false
    const read = async (organization: string) => {
      const held = tokens.get(organization) ?? {}
      const courses = () => send(`${emulator.url}/v0/elements`, { as: String(held.access_token) })
      if ((await courses()).status !== 401 || isBroken) return
      const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
      const form = { grant_type: 'refresh_token', refresh_token: String(held.refresh_token), ...client }
      Object.assign(held, (await send(`${emulator.url}/oauth/token`, { form })).body)
      await courses()
    }
    const { url, close } = await serve(async (request, response) => {
      const { type, data, installation_id } = JSON.parse(await text(request))
      if (type === 'app.installed') {
        tokens.set(installation_id, data.credentials)
      }
      response.end()
      if (tokens.has(installation_id)) work.push(read(installation_id))
    })
    await changeManifest(emulator.admin, { webhook: { url } })
    await use({
      breaks: () => {
        isBroken = true
      },
      stop: close,
      idle: async () => Promise.all(work),
    })
  },
})

/** Real milliseconds that pass when the test says so: on a busy machine, what an app does may come long after its cause. */
function ownTime() {
  let now = performance.now()
  // No two readings are equal.
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 0.001
    return now
  })
  onTestFinished(() => spy.mockRestore())
  return {
    pass(ms: number) {
      now += ms
    },
    end: () => spy.mockRestore(),
  }
}

describe('control-api "Scenarios": what an installed app did by itself becomes expect_requests', () => {
  appTest(
    'so the recording passes with the app, and fails when it is broken or does not run',
    async ({ call, app }) => {
      await call('/_admin/snapshots', { body: { name: 'before' } })

      const time = ownTime()
      await call('/_admin/recording', { method: 'POST' })
      const installed = await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } })
      await app.idle()
      await call('/_admin/tokens/expire', { body: { organization: 'zenith', kind: 'access' } })
      const event = { type: 'lesson.changed', installation: installed.body.installation.id, data: {} }
      expect((await call('/_admin/events', { body: event })).body.state).toBe('acknowledged')
      await app.idle()
      const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
      time.end()
      expect(left_out).toEqual([])

      const ofApp = { app: 'notes', organization: 'zenith', within: '5s' }
      const reading = { method: 'GET', path: '/v0/elements', ...ofApp }
      const acknowledged = { state: 'acknowledged', count: { min: 1 }, within: '5s' }
      expect(scenario.steps).toEqual([
        { mark: {} },
        { name: 'install_0', install: { app: 'notes', organization: 'zenith' } },
        { expect_delivery: { event: 'app.installed', ...acknowledged } },
        { expect_requests: { ...reading, status: 200, count: { min: 1 } } },
        { mark: {} },
        { expire: { organization: 'zenith', kind: 'access' } },
        { event: { type: 'lesson.changed', installation: '$' + '{install_0.installation.id}', data: {} } },
        { expect_delivery: { event: 'lesson.changed', ...acknowledged } },
        { expect_requests: { ...reading, status: 401, count: { min: 1 } } },
        { expect_requests: { ...ofApp, method: 'POST', path: '/oauth/token', status: 200, count: { min: 1 } } },
        { expect_requests: { ...reading, status: 200, count: { min: 1 } } },
      ])

      /** Runs the recording; what the step at `absent` expects is not waited for. @returns the step that failed. */
      const failure = async (absent?: number) => {
        await call('/_admin/snapshots/before/restore', { method: 'POST' })
        const steps = structuredClone(scenario.steps)
        if (absent !== undefined) Object.assign(Object.values(steps[absent])[0] as object, { within: '300ms' })
        const { body } = await call('/_admin/scenarios', { body: { steps, from: 'current' } })
        const last = body.steps.at(-1)
        return [body.passed, last.index, last.error?.message]
      }
      expect(await failure()).toEqual([true, 10, undefined])
      app.breaks()
      const missing = 'requests POST /oauth/token notes in zenith with status 200: expected at least 1, got 0'
      expect(await failure(9)).toEqual([false, 9, missing])
      await app.stop()
      const unanswered = 'deliveries of app.installed that are acknowledged: expected at least 1, got 0'
      expect(await failure(2)).toEqual([false, 2, unanswered])
    },
  )

  appTest('also in a sandbox, whose name is another one each time', async ({ call, app }) => {
    await call('/_admin/recording', { method: 'POST' })
    expect((await call('/_admin/sandboxes', { body: { app: 'notes' } })).status).toBe(201)
    await app.idle()
    const { steps } = (await call('/_admin/recording', { method: 'DELETE' })).body.scenario
    const { name } = steps.find((step: object) => 'request' in step)
    const organization = `${'$'}{${name}.body.organization.slug}`
    expect(steps.at(-1)).toMatchObject({ expect_requests: { path: '/v0/elements', organization } })
    const { body } = await call('/_admin/scenarios', { body: { steps, from: 'current' } })
    expect(body.passed, JSON.stringify(body.steps.at(-1))).toBe(true)
  })

  appTest('a request that was refused before its large body had arrived has a step without it', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    await call('/v0/elements', { as: 'wrong', body: { name: 'x'.repeat(300_000) } })
    const { steps } = (await call('/_admin/recording', { method: 'DELETE' })).body.scenario
    expect(steps).toMatchObject([{ request: { method: 'POST', path: '/v0/elements' } }])
    expect(steps[0].request).not.toHaveProperty('body')
  })

  appTest('what it does more than a second later has another cause, perhaps a visit', async ({ call, app }) => {
    const time = ownTime()
    await call('/_admin/recording', { method: 'POST' })
    const { credentials } = (await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } }))
      .body
    await app.idle()
    time.pass(990)
    await call('/v0/courses', { as: credentials.access_token })
    time.pass(1_001)
    await call('/v0/modules', { as: credentials.access_token })
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    time.end()
    const paths = scenario.steps.map((step: { expect_requests?: { path: string } }) => step.expect_requests?.path)
    expect(paths).toEqual([undefined, undefined, undefined, '/v0/elements', '/v0/courses', undefined, '/v0/modules'])
    expect(left_out).toEqual([{ before: 6, request: 'a visit to notes', why: expect.stringContaining('"visit"') }])
  })

  emulatorTest('with a pattern for an id that no step shows, whatever its form', async ({ call }) => {
    await call('/_admin/liberties', { method: 'PUT', body: { seed: '7', kinds: 'ids' } })
    await call('/_admin/recording', { method: 'POST' })
    // The requests of a run are not recorded.
    const courses = [{ name: 'New', modules: [{ id: 'tried-module', name: 'New' }] }]
    const organizations = [{ slug: 'tried', run: 'audit-1', api_key: 'key_tried', courses }]
    expect((await call('/_admin/fixtures', { body: { organizations } })).status).toBe(201)
    const element = { module: 'tried-module', type: 'CONTENT', name: 'New' }
    const { id } = (await call('/v0/elements', { as: 'key_tried', body: element })).body.payload
    expect(id).not.toMatch(/^[A-Za-z0-9]{16}$/)
    expect((await call(`/v0/elements/${id}`, { as: 'at_acme' })).status).toBe(404)
    const { steps } = (await call('/_admin/recording', { method: 'DELETE' })).body.scenario
    expect(steps.at(-1)).toMatchObject({ expect_requests: { path: '/v0/elements/*', status: 404 } })
  })

  appTest(
    'a step says that a visit may be missing, also after a webhook that made the app do nothing',
    async ({ call, app }) => {
      const steps = [
        // The app learns of no tokens with which it could read something.
        { name: 'made', install: { app: 'notes', organization: 'zenith', announce: false } },
        { event: { type: 'lesson.changed', installation: '$' + '{made.installation.id}', data: {} } },
        { expect_delivery: { event: 'lesson.changed', state: 'acknowledged' } },
        { expect_requests: { path: '/v0/courses', app: 'notes', count: { min: 1 } } },
      ]
      const { body } = await call('/_admin/scenarios', { body: { steps, from: 'current' } })
      await app.idle()
      expect(body.steps[3]?.error.message).toBe(
        'requests /v0/courses notes: expected at least 1, got 0. The app has sent no request: if a visit to it is the cause, add the visit before',
      )
    },
  )

  appTest('a call that failed and the run of a scenario are left out', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    await call('/_admin/installations', { body: { app: 'none', organization: 'acme' } })
    await call('/_admin/scenarios', { body: { steps: [{ mark: {} }] } })
    expect((await call('/_admin/recording', { method: 'DELETE' })).body.left_out).toEqual([
      { before: 0, request: 'POST /_admin/installations', why: 'it failed with status 404' },
      { before: 0, request: 'POST /_admin/scenarios', why: 'a scenario cannot run another one' },
    ])
  })

  appTest('a visit to the app cannot be seen, and its place is kept', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    await call('/_admin/users', { body: { email: 'new@acme.test' } })
    await call('/v0/elements', { as: 'at_acme' })
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps.map((step: object) => Object.keys(step)[0])).toEqual(['mark', 'user', 'expect_requests'])
    expect(left_out).toEqual([{ before: 2, request: 'a visit to notes', why: expect.stringContaining('"visit"') }])

    // Until the visit is added, the step that fails says what is missing.
    Object.assign(scenario.steps[2].expect_requests, { within: 0 })
    const [, , failed] = (await call('/_admin/scenarios', { body: scenario })).body.steps
    expect(failed.error.message).toMatch(/ expected at least 1, got 0\. The app has sent no request: if a visit to it/)
  })
})

emulatorTest('a second recording is refused, and the first one goes on', async ({ call }) => {
  const { since } = (await call('/_admin/recording', { method: 'POST' })).body
  await call('/v0/courses', { as: 'key_acme' })
  const second = await call('/_admin/recording', { method: 'POST' })
  expect(second).toMatchObject({
    status: 409,
    body: {
      detail: `A recording has been under way since ${since}: end it in the console, or with DELETE /_admin/recording`,
    },
  })
  await call('/v0/members', { as: 'key_acme' })
  const { scenario } = (await call('/_admin/recording', { method: 'DELETE' })).body
  expect(scenario.steps).toMatchObject([{ request: { path: '/v0/courses' } }, { request: { path: '/v0/members' } }])
  expect((await call('/_admin/recording', { method: 'POST' })).status).toBe(201)
})

describe('a recording plays again', () => {
  emulatorTest('with a body that is longer than the journal keeps', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    const body = { content: 'word '.repeat(14_000) }
    expect((await call('/v0/elements/page', { method: 'PUT', as: 'key_acme', body })).status).toBe(200)
    const { scenario } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps[0].request.body).toEqual(body)
    expect((await call('/_admin/scenarios', { body: scenario })).body.passed).toBe(true)
  })

  emulatorTest('with an API key after several blanks, as the platform reads it', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    expect((await call('/v0/courses', { headers: { authorization: 'bearer  key_acme ' } })).status).toBe(200)
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(left_out).toEqual([])
    expect(scenario.steps).toEqual([{ request: { path: '/v0/courses', as: 'acme' }, expect: { status: 200 } }])
  })

  emulatorTest('with ids in the form that a liberty gives them', async ({ call }) => {
    await call('/_admin/liberties', { method: 'PUT', body: { seed: '7', kinds: 'ids' } })
    await call('/_admin/recording', { method: 'POST' })
    const { installation } = (await call('/_admin/installations', { body: { app: 'notes', organization: 'zenith' } }))
      .body
    const element = { module: 'module1', type: 'CONTENT', name: 'New' }
    const { id } = (await call('/v0/elements', { as: 'key_acme', body: element })).body.payload
    await call(`/v0/elements/${id}`, { method: 'DELETE', as: 'key_acme' })
    await call(`/_admin/installations/${installation.id}`, { method: 'DELETE' })
    const made = (await call('/_admin/sandboxes', { body: { install: false } })).body
    await call(`/_admin/sandboxes/${made.id}`, { method: 'DELETE' })
    const app = (await call('/_admin/apps', { body: { manifest: { id: 'new', name: 'New', version: '1.0.0' } } })).body
    await call(`/oauth/authorize?client_id=${app.client_id}`)
    await call('/_admin/apps/new', { method: 'DELETE' })
    const { scenario } = (await call('/_admin/recording', { method: 'DELETE' })).body
    for (const generated of [id, installation.id, made.id, app.client_id]) {
      expect(generated).not.toMatch(/^(?:app_)?[A-Za-z0-9]{16}$/)
      expect(JSON.stringify(scenario)).not.toContain(generated)
    }
    await call('/_admin/liberties', { method: 'DELETE' })
    const { passed, steps } = (await call('/_admin/scenarios', { body: scenario })).body
    expect(passed, JSON.stringify(steps.at(-1))).toBe(true)
  })

  emulatorTest('with ids that were made before it', async ({ call }) => {
    const element = { module: 'module1', type: 'CONTENT', name: 'New' }
    const { id } = (await call('/v0/elements', { as: 'key_acme', body: element })).body.payload
    await call('/_admin/recording', { method: 'POST' })
    expect(JSON.stringify((await call('/v0/elements', { as: 'key_acme' })).body)).toContain(id)
    await call(`/v0/elements/${id}`, { method: 'DELETE', as: 'key_acme' })
    const { scenario } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps).toMatchObject([
      { request: { path: '/v0/elements' } },
      { request: { method: 'DELETE', path: expect.stringMatching(/^\/v0\/elements\/\$\{request_0\.\S+\.id\}$/) } },
    ])
  })

  emulatorTest('without a secret that is the name of a field', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    for (const name of ['notes_secret', 'harmless']) {
      const body = { module: 'module1', type: 'CONTENT', name: 'New', metadata: { [name]: 'x' } }
      expect((await call('/v0/elements', { as: 'key_acme', body })).status).toBe(200)
    }
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps).toMatchObject([{ request: { body: { metadata: { harmless: 'x' } } } }])
    expect(left_out).toMatchObject([{ request: 'POST /v0/elements', why: expect.stringContaining('secret') }])
  })
})

emulatorTest(
  'a client secret that is a word stays out, and what has the word in a sentence stays in',
  async ({ call }) => {
    const manifest = { id: 'maps', name: 'Maps', version: '1.0.0' }
    await call('/_admin/apps', { body: { manifest, client_id: 'maps', client_secret: 'password' } })
    await call('/_admin/recording', { method: 'POST' })
    const form = { grant_type: 'refresh_token', refresh_token: 'rt', client_id: 'maps', client_secret: 'password' }
    await call('/oauth/token', { form })
    await call('/_admin/organizations', { body: { slug: 'one', name: 'The password page' } })
    await call('/_admin/organizations', { body: { slug: 'two', name: 'password' } })
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps).toMatchObject([
      { mark: {} },
      { expect_requests: { path: '/oauth/token' } },
      { organization: { slug: 'one', name: 'The password page' } },
    ])
    expect(left_out).toMatchObject([
      { request: 'a visit to maps' },
      { request: 'POST /_admin/organizations', why: expect.stringContaining('secret') },
    ])
  },
)

describe('a recording always ends', () => {
  emulatorTest('with 50 MB of bodies, and says how many requests are left out', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    const body = { content: 5, more: 'word '.repeat(2_000_000) }
    for (let sent = 0; sent < 7; sent++) {
      expect((await call('/v0/elements/page', { method: 'PUT', as: 'key_acme', body })).status).toBe(400)
    }
    const { scenario, left_out } = (await call('/_admin/recording', { method: 'DELETE' })).body
    expect(scenario.steps).toHaveLength(5)
    const why = 'a recording holds the first 10000 requests or 50 MB'
    expect(left_out).toEqual([{ before: 5, request: '2 more requests', why }])
  })

  const undecodable: [method: string, path: string][] = [
    ['GET', '/v0/elements/%zz'],
    ['DELETE', '/v0/elements/%zz'],
    ['DELETE', '/_admin/apps/%zz'],
    ['PUT', '/_admin/users/%E0%A4%A'],
  ]
  emulatorTest.for(undecodable)('after %s %s, whose path cannot be decoded', async ([method, path], { call }) => {
    await call('/_admin/recording', { method: 'POST' })
    expect((await call(path, { method, as: 'key_acme' })).status).toBe(400)
    const { status, body } = await call('/_admin/recording', { method: 'DELETE' })
    expect(status).toBe(200)
    expect(body.scenario.steps.length + body.left_out.length).toBe(1)
    expect((await call('/_admin/recording', { method: 'POST' })).status).toBe(201)
  })

  emulatorTest('after a body that is nested too deep for any surface', async ({ call }) => {
    await call('/_admin/recording', { method: 'POST' })
    const raw = '['.repeat(20_000) + ']'.repeat(20_000)
    const headers = { 'content-type': 'application/json' }
    expect((await call('/v0/elements', { raw, headers, as: 'key_acme' })).status).toBe(400)
    expect((await call('/_admin/recording', { method: 'DELETE' })).status).toBe(200)
  })
})

emulatorTest(
  'GET /_admin says since when a recording is under way, also one that a reset is part of',
  async ({ call, emulator }) => {
    const since = async () => (await call('/_admin')).body.recording_since
    expect(await since()).toBeNull()
    const started = (await call('/_admin/recording', { method: 'POST' })).body.since
    expect(await since()).toBe(started)
    await emulator.admin.reset()
    expect(await since()).toBe(started)
    await call('/_admin/recording', { method: 'DELETE' })
    expect(await since()).toBeNull()
  },
)
