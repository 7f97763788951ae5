import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { freePort } from '../harness/free-port.js'
import { acme } from '../harness/worlds/acme.js'
import { isMissing, test } from './console-test.js'
import { flood } from './flood.js'

describe.skipIf(isMissing)('the console, live', () => {
  test('says that it is cut off, and that it is back, and has missed nothing', async ({ call, page, line }) => {
    await page.goto(`${line.url}/_console`)
    await page.getByText('live', { exact: true }).waitFor()
    line.cut()
    await page.getByText('disconnected, reconnecting').waitFor()
    await call('/v0/courses')
    line.reconnect()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
  })

  test('follows an emulator that is started again: nothing was missed, and an error is new', async ({ page }) => {
    const options = { port: await freePort(), fixtures: acme, seed: 'test' }
    const errs = (url: string) => fetch(`${url}/v0/courses`, { headers: { authorization: 'Bearer rt_acme' } })
    const first = await startEmulator(options)
    await page.goto(`${first.url}/_console#/findings`)
    for (let count = 0; count < 5; count++) await errs(first.url)
    await page.getByText('5 times').waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await first.close()
    await page.getByText('disconnected, reconnecting').waitFor()
    await using second = await startEmulator(options)
    await page.getByText('live', { exact: true }).waitFor()
    await errs(second.url)
    const link = page.getByRole('navigation').getByRole('link', { name: /^Findings/ })
    await expect.poll(() => link.innerText()).toMatch(/^Findings\s*1\s+failed/)
    expect(await page.getByText(/^Missed/).count()).toBe(0)
  })

  test('shows what happens between its first reading and the beginning of its stream', async ({
    call,
    emulator,
    page,
  }) => {
    // Without the worker the page reads the stream itself, where it can be held back.
    await page.addInitScript('delete globalThis.SharedWorker')
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    await page.route('**/_admin/stream', async (route) => {
      await begun
      await route.continue()
    })
    const firstReading = page.waitForResponse('**/_admin/requests?**')
    await page.goto(`${emulator.url}/_console`)
    await (await firstReading).finished()
    await call('/v0/courses')
    begin()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
  })

  test('seven tabs leave the browser its connections: a sign-in beside them goes through', async ({
    app,
    authorizeUrl,
    call,
    context,
    emulator,
    signIn,
  }) => {
    const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
    for (const tab of tabs) {
      await tab.goto(`${emulator.url}/_console`)
      await tab.getByText('live', { exact: true }).waitFor()
    }
    await signIn('ada')
    const other = await context.newPage()
    await other.goto(authorizeUrl())
    await other.getByRole('button', { name: 'Allow' }).click()
    await other.waitForURL(`${app.callback}?**`)
    await call('/v0/courses')
    for (const tab of tabs) await tab.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
  })

  test('stays usable while 10,000 requests come in', async ({ call, emulator, open }) => {
    const page = await open()
    const row = page.getByRole('row')
    await page.evaluate(`
      let drawings = 0
      new MutationObserver(() => {
        document.body.dataset.drawings = String(++drawings)
      }).observe(document.querySelector('main'), { childList: true, subtree: true })
    `)
    const sent = flood(emulator.url, 10_000)
    await row.filter({ hasText: '/v0/none' }).first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    // The flood may be over by then.
    await call('/v0/none')
    await page.getByRole('button', { name: /Resume \(\d+ new\)/ }).waitFor()
    await page.getByRole('button', { name: /Resume/ }).click()
    await sent
    await page.getByText('1 to 200 of 1000').waitFor()
    // One drawing for many requests, never one for each.
    expect(Number(await page.evaluate('document.body.dataset.drawings'))).toBeLessThan(3_000)
    await expect.poll(() => row.count()).toBe(201)
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(5_000)
    const list = page.getByRole('region', { name: 'Activity' })
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('201 to 400 of 1000').waitFor()
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(0)
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('Filters look at the newest 1000 entries only.').waitFor()
  })

  test('the focus stays on its row, however many come', async ({ call, emulator, open }) => {
    await call('/v0/modules')
    const page = await open()
    await page.getByRole('link', { name: '/v0/modules' }).focus()
    await flood(emulator.url, 600)
    await call('/v0/elements')
    await page.getByRole('row').filter({ hasText: '/v0/elements' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('GET /v0/modules')
    const bottom = () => page.evaluate('document.activeElement.getBoundingClientRect().bottom')
    await expect.poll(bottom).toBeLessThan(page.viewportSize()?.height ?? 0)
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').getByRole('heading', { name: 'GET /v0/modules' }).waitFor()
  })

  test('shows what is cleared, ended or taken elsewhere', async ({ call, emulator, open, receiver }) => {
    receiver.answers(500)
    const sandbox = await emulator.admin.createSandbox({ app: 'hook' })
    await call('/v0/courses', { as: 'rt_acme' })
    const page = await open('deliveries')
    const show = (view: string) => page.goto(page.url().replace(/#.*/, `#/${view}`))
    await page.getByRole('row').filter({ hasText: 'retrying' }).waitFor()
    await emulator.admin.deleteSandbox(sandbox.id)
    await page.getByText('No deliveries yet').waitFor()
    await show('activity')
    await page.getByRole('row').filter({ hasText: '/v0/courses' }).waitFor()
    await emulator.admin.clearRequests()
    await page.getByText('No requests yet').waitFor()
    await show('findings')
    await page.getByRole('region', { name: 'wrong_kind_of_token' }).waitFor()
    await emulator.admin.clearFindings()
    await page.getByText('No findings').waitFor()
    await show('world')
    await page.getByText('No snapshots').waitFor()
    await emulator.admin.snapshot('here')
    await page.getByRole('row').filter({ hasText: 'here' }).waitFor()
    await emulator.admin.deleteSnapshot('here')
    await page.getByText('No snapshots').waitFor()
    await page.getByRole('button', { name: 'Start recording' }).click()
    const recording = page.getByRole('region', { name: 'Recording' })
    await recording.getByText('"since"').waitFor()
    // A reset is a step of the recording, which goes on.
    await emulator.admin.reset()
    await show('apps')
    await show('world')
    await recording.getByText('"since"').waitFor()
    await emulator.admin.stopRecording()
    await recording.waitFor({ state: 'detached' })
    await emulator.admin.startRecording()
    await recording.getByText('"since"').waitFor()
    await emulator.admin.stopRecording()
    await recording.waitFor({ state: 'detached' })
  })

  test('shows what its own actions have done also while the stream is held back', async ({ emulator, page }) => {
    await page.addInitScript('delete globalThis.SharedWorker')
    await page.route('**/_admin/stream', () => {})
    await page.goto(`${emulator.url}/_console#/world`)
    const press = (name: string) => page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog')
    await press('Start recording')
    await page.getByText('"since"').waitFor()
    await page.getByRole('button', { name: 'Start recording' }).waitFor({ state: 'detached' })
    await press('Take a snapshot')
    await dialog.getByLabel('name').fill('here')
    await dialog.getByRole('button', { name: 'Take' }).click()
    await page.getByRole('row').filter({ hasText: 'here' }).waitFor()
    await press('Stop recording')
    await page.getByText('"steps"').waitFor()
  })

  test('a question or form that was left while its call ran closes no other dialog, and a problem is beside the button', async ({
    emulator,
    page,
  }) => {
    await emulator.admin.snapshot('here')
    const responses: ((status: number) => Promise<void>)[] = []
    await page.route('**/_admin/snapshots/here', (route) => {
      const problem = { title: 'Not now', detail: 'The snapshot is in use' }
      responses.push((status) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      )
    })
    await page.goto(`${emulator.url}/_console#/world`)
    const dialog = page.getByRole('dialog')
    const leave = async () => {
      await page.getByRole('button', { name: 'Delete here' }).click()
      await dialog.getByRole('button', { name: 'Delete here' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Run a scenario' }).click()
      await dialog.getByRole('textbox').fill('{}')
    }
    await leave()
    await responses[0]?.(409)
    await page.getByText('409 in').waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('{}')
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('The snapshot is in use').waitFor()
    await leave()
    await responses[1]?.(200)
    await page.getByText('done in').waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('{}')
    await page.keyboard.press('Escape')

    let take = async () => {}
    await page.route('**/_admin/snapshots', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      take = () => route.continue()
    })
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await dialog.getByLabel('name').fill('there')
    await dialog.getByRole('button', { name: 'Take' }).click()
    await dialog.getByText('Sending…').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Run a scenario' }).click()
    await dialog.getByRole('textbox').fill('{}')
    await take()
    await page.getByText('done in').waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('{}')
  })

  test('what an app sent is text, never markup', async ({ call, open, page }) => {
    const evil = '<img src=x onerror="document.title=\'owned\'">'
    const manifest = {
      id: 'evil',
      name: evil,
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: 'http://localhost:3000/webhook' },
    }
    expect((await call('/_admin/apps', { body: { manifest } })).status).toBe(201)
    await call('/v0/elements', {
      as: 'key_acme',
      body: { type: 'CONTENT', name: evil, content: evil, module: 'module1' },
    })
    await call('/v0/courses', { as: 'key_acme', headers: { 'x-evil': evil } })
    await call(`/v0/${encodeURIComponent(evil)}?q=${encodeURIComponent(evil)}`)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await open()
    await page.getByRole('link', { name: /v0\/courses/ }).click()
    await page.getByText('headers').last().click()
    await page.getByRole('complementary').getByText(evil).first().waitFor()
    await page.goto(page.url().replace(/#.*/, '#/organizations/acme'))
    await page.getByText('Safety').click()
    await page.getByText('Week 1').click()
    await page.getByText(evil).first().click()
    await page.goto(page.url().replace(/#.*/, '#/installations'))
    await page.getByRole('button', { name: 'Install' }).click()
    await expect.poll(() => page.getByLabel('App (required)').textContent()).toContain(evil)
    expect(await page.locator('img').count()).toBe(0)
    await expect.poll(() => page.title()).toBe('Installations · Mockademy')
    expect(errors).toEqual([])
  })

  test('a name that turns the direction of text turns no question', async ({ emulator, open, page }) => {
    const name = 'a\u202eb'
    await emulator.admin.createApp({ manifest: { id: 'evil', name, version: '1.0.0' } })
    await emulator.admin.createOrganization({ slug: 'evil', name })
    await emulator.admin.putMember('evil', 'ada', 'owner')
    await emulator.admin.snapshot(name)
    await open()
    for (const [view, button] of [
      ['apps/evil', /^Delete/],
      ['organizations/evil', /^Remove/],
      ['organizations/evil', /^Delete/],
      ['world', /^Restore/],
    ] as const) {
      await page.goto(page.url().replace(/#.*/, `#/${view}`))
      await page.getByRole('button', { name: button }).first().click()
      const question = page.getByRole('dialog').getByText(/^This /)
      await question.waitFor()
      expect(await question.textContent()).not.toContain(name)
      await page.keyboard.press('Escape')
    }
  })
})

describe.skipIf(isMissing)('the console of an emulator with an admin token', () => {
  test.override({ settings: { adminToken: 'the_token' } })
  test('asks for it, keeps it for the tab, and puts it in no URL', async ({ emulator, page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${emulator.url}/_console`)
    const token = page.getByLabel('Admin token')
    await expect.poll(() => token.evaluate((input) => input === document.activeElement)).toBe(true)
    // No header can have it.
    await token.fill('секрет')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await token.evaluate((input) => (input as HTMLInputElement).validity.patternMismatch)).toBe(true)
    await token.fill('another')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('The emulator rejected this admin token.').waitFor()
    expect(await token.getAttribute('aria-invalid')).toBe('true')
    await token.fill('the_token')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('live', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('live', { exact: true }).waitFor()
    expect(asked.filter((url) => url.includes('the_token'))).toEqual([])
    const other = await page.context().newPage()
    await other.goto(`${emulator.url}/_console`)
    await other.getByLabel('Admin token').waitFor()
  })

  test('takes a token that it has refused, while another tab still shows the refusal', async ({ page }) => {
    const options = { port: await freePort(), store: 'memory' } as const
    const first = await startEmulator({ ...options, adminToken: 'earlier' })
    const other = await page.context().newPage()
    const refused = 'The emulator rejected this admin token.'
    const enter = async (tab: typeof page) => {
      await tab.getByLabel('Admin token').fill('later')
      await tab.getByRole('button', { name: 'Continue' }).click()
    }
    for (const tab of [page, other]) {
      await tab.goto(`${first.url}/_console`)
      await enter(tab)
      await tab.getByText(refused).waitFor()
    }
    await first.close()
    const second = await startEmulator({ ...options, adminToken: 'later' })
    await enter(page)
    await page.getByText('live', { exact: true }).waitFor()
    await other.getByText(refused).waitFor()
    await second.close()
  })
})
