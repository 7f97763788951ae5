import { describe, expect } from 'vitest'
import { isMissing, test } from './console-test.js'

describe.skipIf(isMissing)('the console', () => {
  test('shows in the row itself why a request was refused, and everything about it beside the list', async ({
    call,
    open,
  }) => {
    const page = await open()
    await call('/v0/members', { as: 'at_acme' })
    const row = page.getByRole('row').filter({ hasText: '/v0/members' })
    await row.getByText('The token lacks the scope members:read').waitFor()
    await expect.poll(() => row.textContent()).toMatch(/403\s+refused/)
    await row.getByRole('link').click()
    const detail = page.getByRole('complementary', { name: 'Details' })
    await detail.getByText('The token lacks the scope members:read').waitFor()
    await detail.getByText('"error": "Insufficient scope"').waitFor()
    await detail.getByRole('link', { name: /its tokens/ }).click()
    await page.getByRole('heading', { name: 'Notes in acme' }).waitFor()
  })

  test('shows the finding that cites an entry, and counts errors until they have been seen', async ({ call, open }) => {
    const page = await open()
    await call('/v0/courses', { as: 'rt_acme' })
    const row = page.getByRole('row').filter({ hasText: '/v0/courses' })
    await row.getByText('1 finding').waitFor()
    await row.getByRole('link').click()
    const detail = page.getByRole('complementary', { name: 'Details' })
    await detail.getByText(/^Finding wrong_kind_of_token: .*GET \/v0\/courses/).waitFor()
    const link = page.getByRole('navigation').getByRole('link', { name: /^Findings/ })
    await expect.poll(() => link.innerText()).toMatch(/^Findings\s*1\s+failed/)
    await link.click()
    await page.getByRole('region', { name: 'wrong_kind_of_token' }).waitFor()
    await expect.poll(() => link.innerText()).toBe('Findings')
    await call('/v0/courses', { as: 'rt_acme' })
    await page.getByText('2 times').waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).last().getByRole('link').click()
    await detail.getByText(/^Finding wrong_kind_of_token, at #\d+: .*GET \/v0\/courses/).waitFor()
    await expect.poll(() => link.innerText()).toBe('Findings')
  })

  test('shows why the app that was redirected did not get what it asked for', async ({ call, open, receiver }) => {
    receiver.answers(301, { location: 'https://127.0.0.1/webhook' })
    await call('/_admin/installations', { body: { app: 'hook', organization: 'acme' } })
    const page = await open('activity?status=trouble')
    await page.getByRole('row').filter({ hasText: 'so switch its redirect to https off' }).waitFor()
  })

  test('an address leads to the same entry after a reload, with its filters', async ({ call, open }) => {
    await call('/v0/courses')
    await call('/v0/courses', { as: 'key_acme' })
    const page = await open('activity?status=trouble')
    await page.getByRole('row').filter({ hasText: '401' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: /\/v0\/courses/ }).click()
    await page.reload()
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(page.url()).toContain('status=trouble')
    await page.goto(page.url().replace(/#.*/, '#/activity?app=gone'))
    await expect.poll(() => page.getByLabel('App', { exact: true }).inputValue()).toBe('gone')
  })

  test('finds a text in a body, and what the row shows', async ({ call, open }) => {
    await call('/v0/elements', { as: 'key_acme', body: { type: 'CONTENT', name: 'Needle', module: 'module1' } })
    await call('/v0/courses?limit=4', { as: 'key_acme' })
    const page = await open()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
    await page.getByRole('searchbox').fill('needle')
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox').fill('"name":"Needle"')
    await page.getByText('Needle').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    for (const text of ['GET /v0/courses?limit=4', ' ok ', 'acme', 'authorization: [redacted]']) {
      await page.getByRole('searchbox').fill('needle')
      await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor({ state: 'detached' })
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
    }
    // Chromium empties a search field at this key.
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    expect(await page.getByRole('searchbox').inputValue()).toBe('authorization: [redacted]')
  })

  test('makes a fault of an entry, which then fires, and is removed', async ({ call, open }) => {
    await call('/v0/courses', { as: 'key_acme' })
    const page = await open()
    await page.getByRole('link', { name: /\/v0\/courses/ }).click()
    await page.getByRole('link', { name: 'Make this a fault' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a fault' })
    await expect.poll(() => dialog.getByLabel('Path (* matches any text)').inputValue()).toBe('/v0/courses')
    await dialog.getByText('"effect":"unavailable","times":1').waitFor()
    await dialog.getByLabel('Times').fill('')
    await dialog.getByLabel('Effect').selectOption('rate_limited')
    await dialog.getByText('"effect":"rate_limited"').waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await call('/v0/courses', { as: 'key_acme', injected: true })).status).toBe(429)
    const row = page.getByRole('row').filter({ hasText: 'rate_limited' })
    await row.getByText('1', { exact: true }).waitFor()
    // The form leaves no step in the browser's history.
    await page.goBack()
    await page.getByRole('link', { name: 'Make this a fault' }).waitFor()
    await page.goForward()
    await row.waitFor()
    expect(await dialog.count()).toBe(0)
    await row.getByRole('button', { name: /^Remove/ }).click()
    await page.getByText('No faults').waitFor()
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
  })

  test('says at the field what the emulator has against a fault', async ({ open }) => {
    const page = await open('faults?add=1&surface=api')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Effect').selectOption('json')
    await dialog.getByLabel('Times').fill('1e')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('is not a number').waitFor()
    await dialog.getByLabel('Times').fill('1e0')
    const json = dialog.getByLabel('Effect as JSON')
    await json.fill('{ "status": 99 }')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog
      .getByText(/99|200/)
      .first()
      .waitFor()
    await expect.poll(() => json.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => json.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('takes every preset of a fault as it is', async ({ emulator, open }) => {
    const page = await open('faults')
    const dialog = page.getByRole('dialog', { name: 'Add a fault' })
    const openForm = () => page.getByRole('button', { name: 'Add a fault' }).click()
    await openForm()
    const options = dialog.getByLabel('Preset').locator('option')
    await expect.poll(() => options.count()).toBeGreaterThan(11)
    const [, ...presets] = await options.allTextContents()
    for (const preset of presets) {
      await dialog.getByLabel('Preset').selectOption(preset)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await openForm()
    }
    const faults = await emulator.admin.listFaults()
    expect(faults).toHaveLength(presets.length)
    expect(faults[presets.indexOf('Half of the requests fail')]).toMatchObject({
      match: { surface: 'api' },
      effect: { status: 500 },
      probability: 0.5,
    })
  })

  test('finds a preset by its name as it is typed, in a form that stays', async ({ open }) => {
    const page = await open('faults')
    await page.getByRole('button', { name: 'Add a fault' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a fault' })
    const preset = dialog.getByLabel('Preset')
    const first = await preset.elementHandle()
    await preset.focus()
    await page.keyboard.type('ref')
    await expect.poll(() => preset.inputValue()).toBe('Refresh response lost')
    expect(await dialog.getByLabel('Effect as JSON').inputValue()).toBe('{ "connection": "reset" }')
    await dialog.getByLabel('Effect as JSON').fill('{ "connection": "none" }')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.locator('[aria-invalid]').waitFor()
    await preset.selectOption('Rate limit')
    await dialog.getByLabel('Effect as JSON').waitFor({ state: 'detached' })
    expect(await dialog.locator('[aria-invalid]').count()).toBe(0)
    expect(await dialog.getByLabel('Effect').inputValue()).toBe('rate_limited')
    expect(await preset.evaluate((element, before) => element === before, first)).toBe(true)
  })

  test('makes its forms of the schemas of the calls: fields, choices and what is required', async ({ call, open }) => {
    const { paths, components } = (await call('/_admin/openapi.json')).body
    const schemaOf = (path: string, method: string) => {
      const { schema } = paths[path][method].requestBody.content['application/json']
      return schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema
    }
    const choices = ({ enum: values, default: value }: { enum: string[]; default?: string }) => [
      '',
      ...values.filter((each) => each !== value),
    ]
    const page = await open('organizations/acme')
    const dialog = page.getByRole('dialog')
    const choicesOf = async (label: string) => {
      const options = dialog.getByLabel(label).locator('option')
      // After the empty one come those of the schema, or those that are fetched when the form opens.
      await options.nth(1).waitFor({ state: 'attached' })
      return options.evaluateAll((all) => all.map((option) => (option as unknown as { value: string }).value))
    }
    await page.getByRole('button', { name: 'Add or change a member' }).click()
    const { role } = schemaOf('/_admin/organizations/{slug}/members/{user}', 'put').properties
    expect(await choicesOf('Role (required)')).toEqual(choices(role))
    expect(await choicesOf('User (required)')).toContain('ada@acme.test')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('is required').first().waitFor()
    await page.keyboard.press('Escape')

    await page.goto(page.url().replace(/#.*/, '#/world'))
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await dialog.getByRole('textbox').first().waitFor()
    await expect
      .poll(() => dialog.getByRole('textbox').count())
      .toBe(Object.keys(schemaOf('/_admin/snapshots', 'post').properties).length)
  })

  test('installs an app, and shows where the browser goes and how the webhook fared', async ({
    emulator,
    open,
    receiver,
  }) => {
    const page = await open('installations')
    await page.getByRole('button', { name: 'Install' }).click()
    const dialog = page.getByRole('dialog', { name: 'Install an app' })
    await dialog.getByLabel('App (required)').selectOption('hook')
    await dialog.getByLabel('Organization').selectOption('zenith')
    await dialog.getByText('POST /_admin/installations {"app":"hook","organization":"zenith"}').waitFor()
    await dialog.getByRole('button', { name: 'Install' }).click()
    await dialog.getByText('acknowledged').waitFor()
    await dialog.getByRole('link', { name: 'http://localhost:3000/setup?organization=zenith' }).waitFor()
    await dialog.getByRole('link', { name: 'Show its tokens' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Hook in zenith' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'hook' }).filter({ hasText: 'zenith' }).waitFor()
    expect(receiver.received('app.installed')).toHaveLength(1)
    expect(await emulator.admin.listInstallations({ app: 'hook', state: 'installed' })).toHaveLength(1)
  })

  test('lets an access token expire, and shows the app refresh', async ({ call, open }) => {
    const [installation] = (await call('/_admin/installations?app=notes')).body.data
    const page = await open(`installations/${installation.id}`)
    await page.getByRole('button', { name: /^Expire: access token/ }).click()
    await page.getByText('expired', { exact: true }).waitFor()

    expect((await call('/v0/courses', { as: 'at_acme' })).status).toBe(401)
    const form = {
      grant_type: 'refresh_token',
      refresh_token: 'rt_acme',
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    }
    expect((await call('/oauth/token', { form })).status).toBe(200)
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('row').filter({ hasText: '/oauth/token' }).getByText('200').waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: '401' })
      .getByText(/expired/)
      .waitFor()
  })

  test('shows that tokens and faults expire by themselves', async ({ call, emulator, open, page }) => {
    await emulator.admin.resumeClock()
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: 'unavailable', expires_in: '1h' } })
    const [installation] = await emulator.admin.listInstallations({ app: 'notes' })
    await page.clock.install()
    await open(`installations/${installation?.id}`)
    await page.getByText('active', { exact: true }).first().waitFor()
    await page.clock.fastForward('02:00:00')
    await page.getByText('expired', { exact: true }).first().waitFor()
    await page.goto(page.url().replace(/#.*/, '#/faults'))
    await page.getByText('1 used up or expired').waitFor()
  })

  test('asks before it uninstalls, saying what is lost', async ({ call, emulator, open }) => {
    const [installation] = (await call('/_admin/installations?app=notes')).body.data
    const page = await open(`installations/${installation.id}`)
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const dialog = page.getByRole('dialog', { name: 'Uninstall' })
    await dialog.getByText(/revokes its tokens/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await emulator.admin.listInstallations({ app: 'notes', state: 'installed' })).toHaveLength(1)
    await page.getByRole('button', { name: 'Uninstall' }).click()
    await dialog.getByRole('button', { name: 'Uninstall' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('uninstalled', { exact: true }).first().waitFor()
    expect(await emulator.admin.listInstallations({ app: 'notes', state: 'installed' })).toHaveLength(0)
  })

  test('shows a delivery that the list no longer has, or why there is none', async ({
    emulator,
    open,
    page,
    receiver,
  }) => {
    const { delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    expect(receiver.received('app.installed')).toHaveLength(1)
    await page.route('**/_admin/deliveries', (route) => route.fulfill({ json: { data: [] } }))
    await open(`deliveries/${delivery?.id}`)
    await page.getByRole('heading', { name: 'Attempt 1 of 3' }).waitFor()
    await page.goto(page.url().replace(/#.*/, '#/deliveries/nope'))
    await page.getByRole('alert').getByText('nope').waitFor()
  })

  test('says on which line of a scenario a mistake is', async ({ open }) => {
    const page = await open('world')
    await page.getByRole('button', { name: 'Run a scenario' }).click()
    const dialog = page.getByRole('dialog')
    const steps = ['{ "advance": { "by": "1h" } },', '{ "install": { "appx": "notes", "organization": "acme" } }']
    await dialog.getByLabel('Scenario').fill(['{ "steps": [', ...steps, '] }'].join('\n'))
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.getByText('Line 3: steps[1].install.app is required').waitFor()
    await dialog.getByLabel('Scenario').fill('{\n"steps": [\n}')
    await dialog.getByRole('button', { name: 'Run' }).click()
    // The message of the parser has a place of its own.
    await dialog.getByText(/^is not valid JSON: /).waitFor()
  })

  test('advances to a retry, and redelivers, forged too', async ({ emulator, open, receiver }) => {
    receiver.answers(500)
    const { delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const page = await open(`deliveries/${delivery?.id}`)
    await page.getByText('responded with 500').first().waitFor()
    receiver.answers(200)
    await page.getByRole('button', { name: 'Advance to it' }).click()
    await page.getByRole('complementary').getByText('acknowledged', { exact: true }).waitFor()
    expect(receiver.received('app.installed')).toHaveLength(2)

    await page.getByRole('button', { name: 'Redeliver', exact: true }).click()
    await page.getByRole('heading', { name: /Attempt 3/ }).waitFor()
    await page.getByLabel('Redeliver forged:').selectOption('bad_signature')
    await page.getByRole('button', { name: 'Send: redeliver with bad_signature' }).click()
    await page.getByRole('heading', { name: /Attempt 4/ }).waitFor()
    const { signing_secret } = await emulator.admin.getAppSecrets('hook')
    expect(receiver.received('app.installed').map((request) => request.isSignedWith(signing_secret))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(await emulator.admin.listFaults()).toEqual([])
    await page.getByLabel('Redeliver forged:').selectOption('{"body":"not JSON"}')
    await page.getByRole('button', { name: 'Send: redeliver with {"body":"not JSON"}' }).click()
    await page.getByRole('heading', { name: /Attempt 5/ }).waitFor()
    expect(String(receiver.received().at(-1)?.raw)).toBe('not JSON')
    await page.getByLabel('Redeliver forged:').selectOption('bad_signature')

    await emulator.admin.addFault({ match: { surface: 'webhook' }, effect: 'duplicate' })
    await page.getByRole('button', { name: 'Send: redeliver with bad_signature' }).click()
    await page.getByText('Not forged: an older fault fired first.').waitFor()
    await page.route('**/redeliver', (route) => route.fulfill({ status: 507, json: { detail: 'The disk is full' } }))
    await page.getByRole('button', { name: 'Send: redeliver with bad_signature' }).click()
    await page.getByText('The disk is full').waitFor()
    await expect
      .poll(async () => (await emulator.admin.listFaults()).map(({ effect }) => effect))
      .toEqual(['duplicate'])
  })

  test('reads times by the clock of their organization, and moves that one alone', async ({
    call,
    emulator,
    open,
    receiver,
  }) => {
    receiver.answers(500)
    const { now } = await emulator.admin.clock()
    await call('/_admin/clock/advance', { body: { by: '1h', organization: 'acme' } })
    const { delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    receiver.answers(200)
    const page = await open('clock')
    await page.getByText('clock stopped, own clocks: 1').waitFor()
    await page.getByRole('row').filter({ hasText: 'acme' }).getByText('01:').first().waitFor()
    await page.getByRole('row').filter({ hasText: 'next attempt of app.installed' }).getByText('in 10 s').waitFor()
    await page.getByRole('button', { name: 'Resume the clock of acme' }).waitFor()
    await page.goto(page.url().replace(/#.*/, `#/deliveries/${delivery?.id}`))
    await page.getByText('next attempt in 10 s').waitFor()
    // The button goes once the call is made, and the bar may then show the call of what is under the pointer.
    const sent = page.waitForRequest('**/_admin/clock/advance')
    await page.getByRole('button', { name: 'Advance to it' }).click()
    expect((await sent).postDataJSON()).toEqual({ by: 10_000, organization: 'acme' })
    await page.getByRole('complementary').getByText('acknowledged', { exact: true }).waitFor()
    expect((await emulator.admin.clock()).now).toBe(now)
  })

  test('says that times are not the machine’s, and moves them', async ({ emulator, open }) => {
    const page = await open('clock')
    await page.getByText('clock stopped').waitFor()
    const { now } = await emulator.admin.clock()
    await page.getByRole('button', { name: 'Advance by 1 h' }).click()
    await page.getByText('POST /_admin/clock/advance {"by":"1h"}').waitFor()
    const later = new Date(Date.parse(now) + 3_600_000).toISOString()
    await page.getByText(later.slice(0, 19).replace('T', ' ')).first().waitFor()
  })

  test('shows courses, modules and elements, and an API key once', async ({ call, open }) => {
    const page = await open('organizations/acme')
    await page.getByText('Safety').click()
    await page.getByText('Week 1').click()
    await page.getByText('Essay', { exact: true }).click()
    await page.getByText('"Why?"').waitFor()
    await page.getByRole('button', { name: 'Regenerate the API key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate the API key' }).click()
    const key = (await page.getByText('The new key, shown only once').locator('code').textContent()) as string
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(401)
    expect((await call('/v0/courses', { as: key })).status).toBe(200)
  })

  test('signs in as a user, here too, and forces the end of silent sign-in', async ({
    emulator,
    open,
    page,
    context,
  }) => {
    await open('sign-in')
    await page.getByRole('button', { name: 'Sign in as Ada Owner' }).click()
    await page.getByRole('button', { name: 'Use in this browser' }).click()
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open the web app' }).click(),
    ])
    await other.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await emulator.admin.endSessions()
    await page.getByText('Signed in.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Force an outcome' }).click()
    await page.getByLabel('Times').fill('2')
    await page.getByRole('dialog').getByRole('button', { name: 'Force' }).click()
    await page.getByText('2 more').waitFor()
    expect(await emulator.admin.listSilentAuth()).toMatchObject([{ outcome: 'login_required', times: 2 }])
  })

  test('resets and restores, reading everything again', async ({ call, emulator, open }) => {
    const page = await open('world')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByLabel('Name').fill('here')
    await page.getByRole('dialog').getByRole('button', { name: 'Take' }).click()
    const changes = page.getByRole('row').filter({ hasText: 'here' }).getByRole('cell').nth(2)
    // The first reading may be due to the snapshot itself.
    for (const expected of ['2', '3']) {
      await changes.waitFor()
      await emulator.admin.rotateKeys({ retire: true })
      await expect.poll(() => changes.textContent()).toBe(expected)
    }
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByLabel('Name').fill('here')
    await page.getByText('This replaces “here”.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Run a scenario' }).click()
    expect(JSON.parse(await page.getByRole('dialog').getByLabel('Scenario').inputValue())).toEqual({
      from: 'current',
      steps: [],
    })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reset the world' }).click()
    await page.getByText(/snapshots and liberties stay\.$/).waitFor()
    await page.keyboard.press('Escape')
    await call('/v0/courses')
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
    await emulator.admin.reset()
    await page.getByText('No requests yet').waitFor()
    await page.getByRole('link', { name: 'World' }).click()
    await page.getByRole('button', { name: 'Delete here' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete here' }).click()
    await page.getByText(/^No snapshots/).waitFor()
  })

  test('imports a file, also once more, and shows the beginning of a long call', async ({ emulator, open }) => {
    const page = await open('world')
    const file = page.getByLabel('Import')
    const document = { users: Array.from({ length: 500 }, (_, index) => ({ email: `user${index}@mail.test` })) }
    const buffer = Buffer.from(JSON.stringify(document))
    for (const action of ['Replace the world with', 'Add']) {
      await file.setInputFiles({ name: 'world.json', mimeType: 'application/json', buffer })
      await page.getByRole('button', { name: new RegExp(`^${action} world.json`) }).waitFor()
      expect(await file.inputValue()).toBe('')
    }
    await page.getByRole('button', { name: /^Replace/ }).click()
    const dialog = page.getByRole('dialog')
    expect((await dialog.locator('code').innerText()).length).toBeLessThan(3_000)
    await dialog.getByRole('button', { name: /^Replace/ }).click()
    await expect.poll(async () => (await emulator.admin.listUsers()).length).toBe(500)
  })

  test('keeps the focus when an action is over, and passes it on from a row that goes', async ({ emulator, open }) => {
    const { now } = await emulator.admin.clock()
    const page = await open('clock')
    await page.getByRole('button', { name: 'Advance by 1 m' }).focus()
    for (const minutes of [1, 2]) {
      await page.keyboard.press('Enter')
      const later = new Date(Date.parse(now) + minutes * 60_000).toISOString()
      await page.getByText(later.slice(0, 19).replace('T', ' ')).first().waitFor()
    }
    const [first] = await Promise.all(
      (['unavailable', 'rate_limited'] as const).map((effect) => emulator.admin.addFault({ effect })),
    )
    await emulator.admin.addFault({ effect: 'token_expired', expires_in: '1ms' })
    await emulator.admin.advanceClock('1s')
    await page.goto(page.url().replace(/#.*/, '#/faults'))
    await page.getByRole('button', { name: 'Remove the fault unavailable' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Remove the fault rate_limited')
    // The bar shows the call that was made, not that of the button with the focus now.
    await page.getByRole('contentinfo').getByText(`/_admin/faults/${first?.id}`).waitFor()
    await page.getByRole('contentinfo').getByText('done in').waitFor()
    // No button in a closed fold can have the focus.
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Remove all')
    await page.getByRole('button', { name: 'Add a fault' }).press('Enter')
    await page.getByLabel('Effect').selectOption('unavailable')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Remove the fault unavailable' }).waitFor()
    await expect
      .poll(() => page.getByRole('contentinfo').textContent())
      .toMatch(/^POST \/_admin\/faults \{.*"effect":"unavailable".*done in/)
  })

  test('passes the focus on to what takes the place of a button, or to the nearest one', async ({
    call,
    emulator,
    open,
  }) => {
    await call('/v0/courses')
    const page = await open('activity?status=trouble')
    const focused = () => page.evaluate("document.querySelector(':focus')?.textContent")
    const press = (name: string) => page.getByRole('button', { name }).press('Enter')
    await press('Clear filters')
    await expect.poll(focused).toBe('Pause')
    await page.goto(page.url().replace(/#.*/, '#/apps/notes'))
    await press('Show the secrets')
    await press('Hide the secrets')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Show the secrets')
    const uninstall = async (id = '', respond = () => {}) => {
      await page.goto(page.url().replace(/#.*/, `#/installations/${id}`))
      await press('Uninstall')
      await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).press('Enter')
      await page.getByRole('complementary').getByText('uninstalled', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Upgrade', includeHidden: true }).waitFor({ state: 'detached' })
      respond()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: /^(Expire|Revoke)/ })
        .first()
        .waitFor({ state: 'detached' })
      await expect.poll(focused).toBe('Close')
    }
    const [installation] = await emulator.admin.listInstallations({ app: 'notes' })
    await uninstall(installation?.id)
    // The event may come before the response.
    const { installation: other } = await emulator.admin.install({ app: 'notes', organization: 'zenith' })
    let respond = () => {}
    const seen = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route(`**/_admin/installations/${other.id}`, async (route) => {
      const response = await route.fetch()
      await seen
      await route.fulfill({ response })
    })
    await uninstall(other.id, respond)
  })

  test('gives the focus to a form that loads, to a result, and back when what opened it has gone', async ({
    call,
    open,
  }) => {
    await call('/v0/courses', { as: 'key_acme' })
    const page = await open('activity/1')
    const focused = () => page.evaluate("document.querySelector(':focus')?.outerHTML")
    await page.getByRole('link', { name: 'Make this a fault' }).press('Enter')
    await expect.poll(focused).toMatch(/^<select [^>]*name="preset"/)
    await page.keyboard.press('Escape')
    await expect.poll(focused).toMatch(/>Add a fault</)
    await page.goto(page.url().replace(/#.*/, '#/calls'))
    await page.getByRole('button', { name: 'Call clock' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await expect.poll(focused).toMatch(/^<div role="status"/)
  })

  test('keeps the focus on Copy where there is no clipboard', async ({ call, open, page }) => {
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    await call('/v0/courses')
    await open('activity/1')
    await page.getByRole('button', { name: 'Copy as curl' }).press('Enter')
    await page.locator('.copy').filter({ hasText: '✓' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Copy as curl/)
  })

  test('does not say that there were no requests while the list is paused', async ({ call, emulator, open }) => {
    const page = await open()
    await page.getByRole('button', { name: 'Pause' }).click()
    await call('/v0/courses')
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
    await emulator.admin.clearRequests()
    await page.getByRole('heading', { name: 'Paused' }).waitFor()
    expect(await page.getByText('No requests yet').count()).toBe(0)
  })

  test('counts in the navigation what fails while the list is paused', async ({ call, open }) => {
    await call('/v0/courses')
    const page = await open()
    const link = page.getByRole('navigation').getByRole('link', { name: /^Activity/ })
    await expect.poll(() => link.innerText()).toMatch(/^Activity\s*1\s+failed/)
    await page.getByRole('button', { name: 'Pause' }).click()
    await call('/v0/courses')
    await expect.poll(() => link.innerText()).toMatch(/^Activity\s*2\s+failed/)
    // The filter goes by the list, which stands still.
    await page.getByRole('button', { name: 'Refused or failed 1' }).waitFor()
  })

  test('works by the keyboard alone', async ({ call, open }) => {
    await call('/v0/courses')
    await call('/v0/modules')
    const page = await open()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await call('/v0/elements')
    await page.getByRole('row').filter({ hasText: '/v0/elements' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('GET /v0/courses')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('GET /v0/courses')
    await page.keyboard.press('p')
    await page.getByRole('button', { name: /Resume/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('modules')
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    // Between the two keys of a chord no time passes, however slow the machine is.
    await page.clock.setFixedTime(new Date())
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
  })
})
