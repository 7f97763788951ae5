import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { isMissing, test } from './console-test.js'

/** Operations of the control API that the page cannot make as a call, each with the reason. */
const exceptions: Record<string, string> = { stream: 'the page reads it all the time' }

const manifest = {
  id: 'board',
  name: 'Board',
  version: '1.0.0',
  permissions: ['elements:read'],
  oauth: { install: true },
  webhook: { url: 'http://localhost:3000/webhook' },
}

const FORM = 'application/x-www-form-urlencoded'

/** Sends a request whose path and headers no client has normalized. */
const sendTo = (url: string, path: string, headers: Record<string, string>, body?: string) =>
  new Promise<void>((resolve) => {
    const sent = request(url, { path, headers, method: body === undefined ? 'GET' : 'POST' }, (response) =>
      response.resume().on('end', resolve),
    )
    sent.end(body)
  })

describe.skipIf(isMissing)('the console: apps, and every control call', () => {
  test('every control call can be made from the page', async ({ call, open }) => {
    const { paths } = (await call('/_admin/openapi.json')).body
    const operations = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ method, path, operationId })),
    )
    expect(operations.length).toBeGreaterThan(70)
    const page = await open('calls')
    await page.locator('main tbody button').first().waitFor()
    const missing: string[] = []
    const buttons = await page.locator('main tbody button').evaluateAll((all) => all.map((each) => each.ariaLabel))
    const rows = await page.locator('main tbody tr code').allTextContents()
    for (const { method, path, operationId } of operations) {
      if (operationId in exceptions) continue
      const shown = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      if (!buttons.includes(`Call ${operationId}`) || !rows.includes(shown)) missing.push(operationId)
    }
    expect(missing).toEqual([])
  })

  test('a call has the fields of its path, query or body, and shows its response', async ({ call, open }) => {
    await call('/v0/courses')
    const page = await open('calls')
    const dialog = page.getByRole('dialog')
    const press = (name: string) => page.getByRole('button', { name: `Call ${name}`, exact: true }).click()
    const send = () => dialog.getByRole('button', { name: 'Send' }).click()
    await press('countRequests')
    await dialog.getByLabel('Status').fill('401')
    await dialog.getByText('GET /_admin/requests/count?status=401').waitFor()
    await send()
    await dialog.getByText('"count": 1').waitFor()
    await page.keyboard.press('Escape')
    await press('getOrganization')
    await dialog.getByLabel('Slug').selectOption('acme')
    await send()
    await dialog.getByText('"slug": "acme"').waitFor()
    await page.keyboard.press('Escape')
    await press('listRequests')
    await dialog.getByLabel('Format').selectOption('har')
    await send()
    await dialog.getByText('"log": {').waitFor()
    await page.keyboard.press('Escape')
    await press('putReport')
    await dialog.getByLabel('Kind').fill('audit')
    await dialog.getByLabel('Body').fill('{ "app": "notes", "passed": true, "checks": [] }')
    await send()
    await dialog.getByText('"checks": []').waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['reset', 'upgrade', 'pushManifest']) {
      await press(name)
      await dialog.getByText('This can delete or replace existing data').waitFor()
      await page.keyboard.press('Escape')
    }
    await press('setLiberties')
    await send()
    await dialog.getByText('is required').waitFor()
  })

  test('creates an app, with the issues of its manifest in place while it is written', async ({ emulator, open }) => {
    const page = await open('apps')
    await page.getByRole('button', { name: 'Create an app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an app' })
    const text = dialog.getByLabel('Manifest')
    await text.fill(JSON.stringify({ ...manifest, permissions: [7], webhook: {}, version: undefined }, null, 2))
    await dialog.getByText('Line 5: permissions.0 must be string or object, not number').waitFor()
    await dialog.getByText(/webhook\.url is required/).waitFor()
    await dialog.getByText(/version is required/).waitFor()
    await text.fill(JSON.stringify({ ...manifest, id: 'my app', webhook: { url: 'http://example.com/x' } }, null, 2))
    await dialog.getByText(/^Line 2: id /).waitFor()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText(/webhook\.url /).waitFor()
    await text.fill('{ "id": ')
    await dialog.getByText(/This is not valid JSON/).waitFor()
    await text.fill(JSON.stringify({ ...manifest, version: 'one' }, null, 2))
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText(/^Line 4: version /).waitFor()
    expect(await emulator.admin.listApps()).not.toContainEqual(expect.objectContaining({ id: 'board' }))
    await text.fill(JSON.stringify({ ...manifest, webhok: {} }, null, 2))
    await dialog.getByLabel('Client id').fill('app_board')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Board is created').waitFor()
    await dialog.getByText('webhok').first().waitFor()
    const { client_secret, signing_secret } = await emulator.admin.getAppSecrets('board')
    const lines = async () => (await dialog.getByRole('region', { name: 'Environment' }).innerText()).split('\n')
    await expect
      .poll(lines)
      .toEqual([
        `MOCKADEMY_URL=${emulator.url}`,
        `PLATFORM_BASE_URL=${emulator.url}`,
        `PLATFORM_APP_URL=${emulator.url}`,
        'PLATFORM_CLIENT_ID=app_board',
        `PLATFORM_CLIENT_SECRET=${client_secret}`,
        `PLATFORM_SIGNING_SECRET=${signing_secret}`,
      ])
    await dialog.getByRole('button', { name: /Add the API key/ }).click()
    await dialog.getByText('PLATFORM_API_KEY=key_acme').waitFor()
  })

  test('shows the mistake of a name in the path at its field alone', async ({ open }) => {
    const page = await open('calls')
    await page.getByRole('button', { name: 'Call pushManifest' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('is required', { exact: true }).waitFor()
    await expect.poll(() => dialog.locator('[aria-invalid]').count()).toBe(1)
  })

  test('the form of an app makes one as it is', async ({ emulator, open }) => {
    const page = await open('apps')
    await page.getByRole('button', { name: 'Create an app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('My app is created').waitFor()
    expect((await emulator.admin.getApp('my-app')).name).toBe('My app')
  })

  test('a form stays when its record goes, and says then what the emulator has against it', async ({
    call,
    emulator,
    open,
  }) => {
    await call('/_admin/apps', { body: { manifest } })
    const page = await open('apps/board')
    await page.getByRole('button', { name: 'Push a manifest' }).click()
    const dialog = page.getByRole('dialog')
    const written = JSON.stringify({ ...manifest, version: '1.2.3' })
    await dialog.getByLabel('Manifest').fill(written)
    await emulator.admin.reset()
    await page.getByText('App board not found').waitFor()
    expect(await dialog.getByLabel('Manifest').inputValue()).toBe(written)
    await dialog.getByRole('button', { name: 'Push' }).click()
    await dialog.getByRole('alert').getByText('board').waitFor()
  })

  test('hides the secrets of an app until they are asked for, pushes a version, and deletes the app', async ({
    call,
    emulator,
    open,
  }) => {
    await call('/_admin/apps', { body: { manifest, client_id: 'app_board', client_secret: 'board_secret' } })
    const page = await open('apps/board')
    const detail = page.getByRole('complementary')
    await detail.getByText('app_board').waitFor()
    expect(await detail.getByText('board_secret').count()).toBe(0)
    await detail.getByRole('button', { name: 'Show the secrets' }).click()
    await detail.getByText('PLATFORM_CLIENT_SECRET=board_secret').waitFor()
    await detail.getByRole('button', { name: 'Hide the secrets' }).click()
    await expect.poll(() => detail.getByText('board_secret').count()).toBe(0)

    await detail.getByRole('button', { name: 'Push a manifest' }).click()
    const dialog = page.getByRole('dialog')
    const written = () => dialog.getByLabel('Manifest').inputValue()
    await expect.poll(async () => JSON.parse(await written())).toMatchObject(manifest)
    const text = await written()
    await dialog.getByLabel('Manifest').fill(text.replace('1.0.0', '1.1.0'))
    await dialog.getByRole('button', { name: 'Push' }).click()
    await dialog.getByText('The newest version is 1.1.0').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await detail.getByText('1.1.0').first().waitFor()
    expect((await emulator.admin.getApp('board')).versions.map(({ version }) => version)).toEqual(['1.0.0', '1.1.0'])

    await detail.getByRole('button', { name: 'Install' }).click()
    await dialog.getByLabel('Organization').selectOption('zenith')
    await dialog.getByRole('button', { name: 'Install' }).click()
    await dialog.getByText(/is installed in/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await detail.getByRole('link', { name: 'zenith' }).waitFor()

    await detail.getByRole('button', { name: 'Delete Board' }).click()
    await dialog.getByText(/its installations with their tokens/).waitFor()
    await dialog.getByRole('button', { name: 'Delete Board' }).click()
    await page.getByRole('link', { name: 'Board board' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('complementary').count()).toBe(0)
  })

  test('sends an event and mints tokens of an installation', async ({ call, emulator, open, receiver }) => {
    const { installation } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const page = await open(`installations/${installation.id}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Send an event' }).click()
    await dialog.getByLabel('Type').fill('course.published')
    await dialog.getByLabel('Data').fill('{"course": "safety"}')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(receiver.received('course.published')).toMatchObject([{ body: { data: { course: 'safety' } } }])

    await page.getByRole('button', { name: 'Mint' }).click()
    await dialog.getByRole('button', { name: 'Mint' }).click()
    const tokens = JSON.parse(await dialog.getByRole('region', { name: 'Tokens' }).innerText())
    expect((await call('/v0/elements', { as: tokens.access_token })).status).toBe(200)
  })

  test('shows the result of an upgrade, also when the list knows that the installation has ended', async ({
    call,
    emulator,
    open,
    receiver,
  }) => {
    const { installation } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const hook = { ...manifest, id: 'hook', name: 'Hook', version: '1.1.0', webhook: { url: receiver.url } }
    await call('/_admin/apps/hook/manifest', { method: 'PUT', body: hook })
    const page = await open(`installations/${installation.id}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Upgrade' }).click()
    await dialog.getByRole('button', { name: 'Upgrade' }).click()
    await dialog.getByText('hook 1.1.0 is installed in acme').waitFor()
    await page.getByText('upgraded').first().waitFor()
    await dialog.getByRole('button', { name: 'Copy credentials' }).waitFor()
  })

  test('shows an inbox as webhooks come in, sets its response and empties it', async ({ call, emulator, open }) => {
    const webhook = { url: `${emulator.url}/_inbox/mine` }
    await call('/_admin/apps', { body: { manifest: { ...manifest, webhook } } })
    const page = await open('inboxes')
    await page.getByRole('row').filter({ hasText: 'board' }).getByRole('link', { name: 'mine' }).click()
    const detail = page.getByRole('complementary')
    await detail.getByText('Empty.').waitFor()
    // Activity alone stops.
    await page.keyboard.press('p')
    await emulator.admin.install({ app: 'board', organization: 'acme' })
    await detail.getByRole('heading', { name: 'app.installed signature valid' }).waitFor()
    await detail.getByRole('button', { name: 'Set the response' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Status').fill('503')
    await dialog.getByRole('button', { name: 'Set' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await call('/_inbox/mine', { body: {} })).status).toBe(503)
    await detail.getByText('no valid signature').waitFor()
    await detail.getByRole('button', { name: 'Empty mine' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty mine' }).click()
    await detail.getByText('Empty.').waitFor()
    await call('/_inbox/a%20b', { body: {} })
    await page.getByRole('link', { name: 'a b', exact: true }).click()
    await detail.getByText('/_inbox/a%20b').waitFor()
    await detail.getByText('no valid signature').waitFor()
  })

  test('adds an organization with a slug of its own', async ({ emulator, open }) => {
    const page = await open('organizations')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add an organization' }).click()
    await dialog.getByLabel('Slug').fill('north')
    await dialog.getByLabel('Name').fill('North College')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('link', { name: 'North College north' }).waitFor()
    expect((await emulator.admin.getOrganization('north')).name).toBe('North College')
  })

  test('makes a sandbox and ends it, changes a user and deletes them, rotates the key', async ({ emulator, open }) => {
    const page = await open('organizations')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Make a sandbox' }).click()
    await dialog.getByLabel('Install').selectOption('false')
    await dialog.getByRole('button', { name: 'Make' }).click()
    const { organization } = JSON.parse(await dialog.getByRole('region', { name: 'Sandbox' }).innerText())
    await dialog.getByRole('link').click()
    await page.getByRole('button', { name: `End the sandbox ${organization.slug}` }).click()
    await dialog.getByRole('button', { name: /End the sandbox/ }).click()
    await page.locator(`a[href="#/organizations/${organization.slug}"]`).waitFor({ state: 'detached' })
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    expect(await emulator.admin.listSandboxes()).toEqual([])

    await page.goto(page.url().replace(/#.*/, '#/sign-in'))
    await emulator.admin.createUser({ email: 'eve@acme.test', first_name: 'Eve', last_name: 'Moneypenny' })
    await page.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByLabel('Retire').selectOption('true')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByText(/No longer in the JWKS/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Change Eve Moneypenny' }).click()
    await dialog.getByLabel('First name').fill('')
    await dialog.getByLabel('Last name').fill('New')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete New' }).click()
    await dialog.getByRole('button', { name: 'Delete New' }).click()
    await expect
      .poll(async () => (await emulator.admin.listUsers()).map(({ email }) => email))
      .not.toContain('eve@acme.test')
  })

  test('marks the journal, and takes liberties without harm to itself', async ({ call, emulator, open }) => {
    const page = await open()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Mark' }).click()
    await dialog.getByLabel('Name').fill('signs in')
    await dialog.getByRole('button', { name: 'Mark' }).click()
    await dialog.waitFor({ state: 'detached' })
    await call('/v0/courses')
    const id = (await emulator.admin.listRequests())[0]?.id
    await page.goto(page.url().replace(/#.*/, `#/activity/${id}`))
    await page.getByRole('complementary').getByRole('link', { name: 'signs in' }).waitFor()

    await page.goto(page.url().replace(/#.*/, '#/world'))
    await page.getByRole('button', { name: 'Take liberties' }).click()
    await dialog.getByRole('button', { name: 'Take' }).click()
    await page.getByText('Seed 1, kinds shape').waitFor()
    await call('/v0/courses', { injected: true })
    const [free] = await emulator.admin.listRequests({ path: '/v0/courses', limit: 1 })
    expect(free?.liberties).toContain('key-order')
    await page.goto(page.url().replace(/#.*/, `#/activity/${free?.id}`))
    await page
      .getByRole('complementary')
      .getByText(String(free?.liberties?.join(', ')))
      .waitFor()
    await page.goto(page.url().replace(/#.*/, '#/world'))
    await page.reload()
    await page.getByRole('button', { name: 'Take none' }).click()
    await page.getByText('None: what').waitFor()

    await page.getByRole('button', { name: 'Start recording' }).click()
    await page.getByText('"since"').waitFor()
    // A recording goes on in other views, and its scenario stays.
    const leaveAndReturn = async () => {
      await page.getByRole('link', { name: 'Apps' }).click()
      await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'World', exact: true }).click()
    }
    await leaveAndReturn()
    await page.getByText('"since"').waitFor()
    await page.getByRole('button', { name: 'Stop recording' }).click()
    await page.getByText('"steps"').waitFor()
    await leaveAndReturn()
    expect(JSON.parse(await page.getByRole('region', { name: 'Recording' }).innerText())).toHaveProperty('steps')
  })

  test('copies a request as a command with variables for secrets, and as a step that can pass', async ({
    call,
    context,
    emulator,
    open,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const basic = { authorization: `Basic ${btoa('app_notes:notes_secret')}` }
    const json = { 'content-type': 'application/json' }
    await fetch(`${emulator.url}/v0/courses`, { method: 'HEAD', headers: { authorization: 'Bearer key_acme' } })
    await call('/v0/courses?token=at_acme', { method: 'GET', as: 'key_acme', raw: '@file', headers: { cookie: 'a=b' } })
    await call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token: 'rt_acme' }, headers: basic })
    await call('/v0/members', { as: 'at_acme' })
    await call('/v0/elements', { as: 'key_acme', raw: '"text"', headers: json })
    await sendTo(emulator.url, '/v0/elements/../courses', { authorization: 'Bearer key_acme' })
    await call('/oauth/token', { raw: 'scope=a&scope=b', headers: { 'content-type': FORM } })
    await sendTo(emulator.url, '/v0/elements', { authorization: 'Bearer key_acme' }, '{"name":"x"}')
    await sendTo(emulator.url, '/v0/courses', { authorization: 'key_acme' })
    await call('/v0/elements', { as: 'key_acme', raw: `"${'x'.repeat(70_000)}"`, headers: json })
    await call('/v0/elements', { as: 'key_acme', raw: 'null', headers: json })
    const ids = (await emulator.admin.listRequests()).map(({ id }) => id).sort((a, b) => a - b)
    const page = await open()
    const copied = async (name: string) => {
      await page.evaluate('navigator.clipboard.writeText("")')
      await page.getByRole('complementary').getByRole('button', { name }).click()
      const text = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
      await expect.poll(text).not.toBe('')
      return text()
    }
    const results: { curl: string; step: { title?: string; request: object; expect?: object } }[] = []
    for (const id of ids) {
      await page.goto(page.url().replace(/#.*/, `#/activity/${id}`))
      await page.getByRole('complementary').getByText(String(id), { exact: true }).waitFor()
      const curl = await copied('Copy as curl')
      results.push({ curl, step: JSON.parse(await copied('Copy as scenario step')) })
    }
    const { url } = emulator
    const [head, get, token, refused, text, dots, twice, typeless, bare, long, nothing] = results
    expect(head?.curl).toBe(`curl --head ${url}/v0/courses -H "authorization: Bearer $TOKEN"`)
    expect(get?.curl).toBe(
      `curl -X GET '${url}/v0/courses?token='"$TOKEN" -H 'content-type: text/plain' -H "authorization: Bearer $TOKEN" -H 'cookie: '"$COOKIE" --data-raw @file`,
    )
    expect(token?.curl).toContain('-H "authorization: Basic $CREDENTIALS"')
    expect(token?.curl).toContain(`--data-raw 'grant_type=refresh_token&refresh_token='"$REFRESH_TOKEN"`)
    expect(head?.step).toEqual({
      request: { method: 'HEAD', path: '/v0/courses', as: 'acme' },
      expect: { status: 200 },
    })
    for (const each of [get, token, refused]) {
      expect(each?.step.title).toBe('Add what the journal lacks, and what to expect')
      expect(each?.step.expect).toBeUndefined()
    }
    expect(refused?.step.request).toEqual({ method: 'GET', path: '/v0/members' })
    expect(dots?.curl).toBe(
      `curl --path-as-is --globoff ${url}/v0/elements/../courses -H "authorization: Bearer $TOKEN"`,
    )
    expect(bare?.curl).toBe(`curl ${url}/v0/courses -H "authorization: $AUTHORIZATION"`)
    expect(nothing?.curl).toMatch(/ --data-raw null$/)
    expect(nothing?.step).toMatchObject({ request: { body: null }, expect: { status: 400 } })
    await page.getByRole('region', { name: 'Request: body' }).getByText('null', { exact: true }).waitFor()
    expect(long?.curl).toMatch(/^# The journal does not have the whole body\.\ncurl -X POST /)
    expect(twice?.curl).toContain(`--data-raw 'scope=a&scope=b'`)
    // Without it curl adds one, and the request is another.
    expect(typeless?.curl).toContain(' -H Content-Type: ')
    expect(typeless?.step).toEqual({
      request: { method: 'POST', path: '/v0/elements', body: '{"name":"x"}', as: 'acme' },
      expect: { status: 415 },
    })
    expect(text?.step).toEqual({
      request: {
        method: 'POST',
        path: '/v0/elements',
        headers: { 'Content-Type': 'application/json' },
        body: '"text"',
        as: 'acme',
      },
      expect: { status: 400 },
    })
  })

  test('copies a webhook as a command that sends it again, signed', async ({ context, emulator, open, receiver }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    receiver.answers(500)
    const { delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const { signing_secret } = await emulator.admin.getAppSecrets('hook')
    const [entry] = await emulator.admin.listRequests({ surface: 'webhook' })
    const page = await open(`activity/${entry?.id}`)
    const copy = async (name: RegExp) => {
      await page.evaluate('navigator.clipboard.writeText("")')
      await page.getByRole('complementary').getByRole('button', { name }).click()
      const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
      await expect.poll(copied).toContain('curl')
      const command = await copied()
      expect(command).not.toContain(signing_secret)
      await promisify(execFile)('sh', ['-c', command], {
        env: { ...process.env, PLATFORM_SIGNING_SECRET: signing_secret },
      })
      return receiver.received('app.installed').at(-1)
    }
    await page
      .getByRole('complementary')
      .getByRole('link', { name: delivery?.id ?? '' })
      .waitFor()
    const sent = await copy(/^Copy as curl$/)
    expect(sent?.isSignedWith(signing_secret)).toBe(true)
    expect(sent?.headers['platform-idempotency-key']).toBe(delivery?.event.id)
    await page.goto(page.url().replace(/#.*/, `#/deliveries/${delivery?.id}`))
    await page.getByRole('heading', { name: /Attempt 1 of 3/ }).waitFor()
    expect((await copy(/^Copy as curl attempt 1/))?.isSignedWith(signing_secret)).toBe(true)
    expect(receiver.received('app.installed')).toHaveLength(3)
  })

  test('names the event of a webhook whose body does not say it', async ({ context, emulator, open, receiver: _ }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await emulator.admin.addFault({ match: { surface: 'webhook' }, effect: { body: 'not JSON' }, times: 1 })
    await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const page = await open()
    const row = page.getByRole('row').filter({ hasText: 'app.installed' })
    await row.getByText('→ out').waitFor()
    await row.getByRole('link').click()
    const detail = page.getByRole('complementary')
    await detail.getByRole('heading', { name: 'app.installed' }).waitFor()
    await detail.getByRole('button', { name: 'Copy as scenario step' }).click()
    const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    await expect.poll(copied).toContain('"event": "app.installed"')
    await detail.getByRole('link', { name: 'Make this a fault' }).click()
    await page.getByRole('dialog').getByText('"event":"app.installed"').waitFor()
  })

  test('copies a request under a fault as a step that expects nothing of it', async ({ call, context, open }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await call('/_admin/faults', { body: { match: { path: '/v0/courses' }, effect: 'unavailable', times: 1 } })
    await call('/v0/courses', { as: 'key_acme', injected: true })
    const page = await open('activity')
    await page.getByRole('link', { name: '/v0/courses' }).click()
    await page.getByRole('button', { name: 'Copy as scenario step' }).click()
    const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    await expect.poll(copied).toContain('"path"')
    expect(JSON.parse(await copied())).toEqual({
      title: 'Add what the journal lacks, and what to expect',
      request: { method: 'GET', path: '/v0/courses', as: 'acme' },
    })
  })

  test('begins a detail with why, then the response, then the request', async ({ call, open }) => {
    await call('/v0/members', { as: 'at_acme' })
    const page = await open()
    await page.getByRole('link', { name: /v0\/members/ }).click()
    const detail = page.getByRole('complementary')
    await detail.getByRole('heading', { name: 'Request' }).waitFor()
    const parts = () => detail.locator('.reason, h3').allTextContents()
    await expect.poll(parts).toEqual([expect.stringMatching(/^WhyThe token lacks the scope/), 'Response', 'Request'])
  })

  test('links the exchanges of a trace', async ({ call, open }) => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await call('/v0/courses', { as: 'key_acme', headers: { traceparent } })
    await call('/v0/modules', { as: 'key_acme', headers: { traceparent } })
    await call('/v0/elements', { as: 'key_acme' })
    const page = await open()
    await page.getByRole('link', { name: /v0\/courses/ }).click()
    await page.getByRole('link', { name: '2 exchanges of this trace' }).click()
    await page.getByRole('row').filter({ hasText: '/v0/elements' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
  })

  test('puts faults that are used up under a fold', async ({ call, open }) => {
    await call('/_admin/faults', { body: { match: { path: '/v0/courses' }, effect: 'unavailable', times: 1 } })
    await call('/_admin/faults', { body: { match: { path: '/v0/modules' }, effect: 'rate_limited', times: 1 } })
    await call('/v0/courses', { as: 'key_acme', injected: true })
    const page = await open('faults')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('rate_limited').waitFor()
    expect(await row('unavailable').isVisible()).toBe(false)
    await page.getByText('1 used up').click()
    await row('unavailable').waitFor()
  })
})
