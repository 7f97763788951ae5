import axe from 'axe-core'
import { describe, expect } from 'vitest'
import { isMissing, test } from './console-test.js'

const views = [
  'activity',
  'activity/1',
  'deliveries',
  'deliveries/DELIVERY',
  'inboxes',
  'inboxes/mine',
  'apps',
  'apps/hook',
  'installations',
  'installations/INSTALLATION',
  'organizations',
  'organizations/acme',
  'sign-in',
  'faults',
  'faults?add=1&surface=api',
  'clock',
  'findings',
  'coverage',
  'coverage/webhooks/app.installed/late',
  'audit',
  'sweep',
  'world',
  'calls',
]

/** What axe runs: the dark scheme sets colours and nothing else. */
const schemes = { light: {}, dark: { runOnly: ['color-contrast', 'link-in-text-block'] } }
const widths = [1440, 1024, 360]

describe.skipIf(isMissing)('every view of the console', { timeout: 600_000 }, () => {
  test('has nothing for axe to find and nothing to scroll sideways, light and dark, wide and narrow', async ({
    emulator,
    call,
    open,
    page,
    receiver,
  }) => {
    receiver.answers(500)
    const [version] = (await emulator.admin.getApp('hook')).versions
    const manifest = { ...version?.manifest, id: 'anappwithalongnameandnohyphens' }
    await call('/_admin/apps', { body: { manifest } })
    await emulator.admin.install({ app: 'anappwithalongnameandnohyphens', organization: 'acme' })
    const { installation, delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    await call('/v0/members', { as: 'at_acme' })
    await call('/v0/courses', { as: 'key_acme' })
    await call('/_admin/faults', { body: { match: { path: '/v0/modules' }, effect: 'unavailable', probability: 0.5 } })
    await emulator.admin.snapshot('here')
    await emulator.admin.setAmbientUser('ada')
    await emulator.admin.createSandbox({ app: 'hook' })
    const result = {
      id: 'webhook.forged',
      title: 'rejects forgeries',
      outcome: 'fail',
      message: 'accepted',
      docs: '#',
      entries: [1],
      sent: 'curl',
    }
    await emulator.admin.putReport('audit', { app: 'hook', passed: false, summary: { fail: 1 }, checks: [result] })
    const swept = {
      id: 'install/app.installed#1/late',
      verdict: 'stranded',
      message: 'cut off',
      steps: [],
      entries: [1],
    }
    const healed = { ...swept, id: 'install/app.installed#1/twice', verdict: 'healed' }
    const flow = { flow: 'install', points: ['app.installed#1'], unstable: [], cases: [swept, healed] }
    await emulator.admin.putReport('sweep', { app: 'hook', passed: false, summary: {}, flows: [flow], skipped: [] })
    await open()
    const found: string[] = []
    for (const [colorScheme, rules] of Object.entries(schemes) as ['light' | 'dark', object][]) {
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
      for (const width of widths) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 800 })
        for (const view of views) {
          const place = view.replace('DELIVERY', delivery?.id ?? '').replace('INSTALLATION', installation.id)
          await page.goto(`${emulator.url}/_console#/${place}`)
          await page.locator('main h1, main h2').first().waitFor()
          await page.getByText('Loading…').first().waitFor({ state: 'detached' })
          const where = `${view}, ${colorScheme}, ${width}`
          // The policy refuses script tags, not what the inspector runs.
          if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
          const { violations } = (await page.evaluate(`axe.run(${options})`)) as axe.AxeResults
          for (const { id, nodes } of violations) {
            for (const { html, failureSummary } of nodes) found.push(`${where}: ${id}: ${html} ${failureSummary}`)
          }
          const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          if (over !== 0) found.push(`${where}: ${over} px too wide`)
        }
      }
    }
    expect(found).toEqual([])
  })

  test('cuts no reason beside a detail, and has the filters in one line from 1200 px', async ({ call, open, page }) => {
    const redirect = `http://localhost:3000/${'callback/'.repeat(20)}`
    await call(`/oauth/authorize?client_id=app_notes&redirect_uri=${encodeURIComponent(redirect)}`)
    await call('/_admin/faults', { body: { match: { path: '/v0/members' }, effect: 'unavailable', times: 1 } })
    await call('/v0/members', { as: 'at_acme' })
    await open()
    await page.getByRole('link', { name: /v0\/members/ }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Request' }).waitFor()
    for (const width of [1440, 1200, 1024, 360]) {
      await page.setViewportSize({ width, height: 800 })
      const table = await page.locator('table').boundingBox()
      const reasons = page.locator('td.c-why:not(:empty)')
      await expect.poll(() => reasons.count()).toBe(2)
      for (const reason of await reasons.all()) {
        const isCut = await reason.evaluate(
          (cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight,
        )
        expect([width, isCut]).toEqual([width, false])
        const box = await reason.boundingBox()
        expect(box?.width).toBeGreaterThan((table?.width ?? 0) - 4)
      }
      const tag = await page.locator('.c-what .tag').last().boundingBox()
      const cell = await page.locator('.c-what:has(.tag)').boundingBox()
      const isTagCut = (tag?.x ?? 0) + (tag?.width ?? 0) > (cell?.x ?? 0) + (cell?.width ?? 0)
      expect([width, isTagCut]).toEqual([width, false])
      const detail = await page.getByRole('complementary').boundingBox()
      const list = await page.getByRole('region', { name: 'Activity' }).boundingBox()
      const isBeside = (detail?.x ?? 0) >= (list?.x ?? 0) + (list?.width ?? 0)
      expect([width, isBeside]).toEqual([width, width >= 1200])
      const filters = await page
        .locator('.filters > *')
        .evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect()).map(({ top, height }) => Math.round((top + height / 2) / 8)),
        )
      if (width >= 1200) expect([width, new Set(filters).size]).toEqual([width, 1])
    }
  })

  test('cuts nothing of a dialog that a row opens', async ({ emulator, open, page }) => {
    await emulator.admin.snapshot('here')
    await open('world')
    await page.getByRole('button', { name: 'Restore here' }).click()
    const dialog = page.getByRole('dialog')
    const [over, align] = (await dialog.evaluate((element) => [
      element.scrollWidth - element.clientWidth,
      getComputedStyle(element).textAlign,
    ])) as [number, string]
    expect([over, align]).toEqual([0, 'left'])
  })

  test('says what failed, not that there is nothing, when the emulator refuses a call', async ({ open, page }) => {
    await page.route(/_admin(?!\/stream|\/clock)/, (route) =>
      route.fulfill({ status: 507, json: { detail: 'The disk is full' } }),
    )
    for (const view of ['activity', 'deliveries', 'inboxes', 'apps', 'clock', 'faults', 'findings', 'world']) {
      await open(view)
      await page.getByRole('main').getByText('The disk is full').first().waitFor()
      expect([view, await page.getByText(/^(No (?!response)|None|Nothing)/).allTextContents()]).toEqual([view, []])
    }
  })

  test('says what would fill it when it is empty, with the command to copy', async ({ call, open, page }) => {
    await call('/_admin/state', { method: 'PUT', body: { users: [] } })
    const empty: [string, string][] = [
      ['activity', 'No requests yet'],
      ['deliveries', 'No deliveries yet'],
      ['inboxes', 'No inboxes yet'],
      ['apps', 'No apps yet'],
      ['installations', 'No apps yet'],
      ['organizations', 'No organizations'],
      ['sign-in', 'No users'],
      ['faults', 'No faults'],
      ['findings', 'No findings'],
      ['coverage', 'No apps yet'],
      ['audit', 'No report yet'],
      ['sweep', 'No report yet'],
      ['nowhere', 'View “nowhere” not found'],
    ]
    for (const [view, title] of empty) {
      await open(view)
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await open('faults')
    await page.getByText(/mockademy faults add rate_limited .* --url http/).waitFor()
  })
})
