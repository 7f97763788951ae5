import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { BIN } from '../harness/command-line.js'
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
  'nowhere',
]

/** Rules of axe and widths of the page, by scheme: the dark one sets colors and nothing else. */
const schemes = {
  light: { rules: {}, widths: [1440, 1200, 1024, 640, 360] },
  dark: { rules: { runOnly: ['color-contrast', 'link-in-text-block'] }, widths: [1440] },
}
type Scheme = keyof typeof schemes

const longEmail = `${'somebody'.repeat(7)}@${`${'mail'.repeat(15)}.`.repeat(2)}test`

/** Returns the violations that axe finds in an element. The policy refuses script tags, not scripts of the inspector. */
async function violations(page: Page, colorScheme: Scheme, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = JSON.stringify({ ...schemes[colorScheme].rules, resultTypes: ['violations'], preload: false })
  // Most of the results are no violations, and stay in the browser.
  const run = `axe.run('${within}', ${options}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as axe.Result[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Returns how a dialog does not fit a screen of 700 px height. */
async function misfitsOf(dialog: Locator, width: number): Promise<string[]> {
  const box = await dialog.boundingBox()
  const isInside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= 700
  const over = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)
  return [
    ...(isInside ? [] : [`not on the screen: ${JSON.stringify(box)}`]),
    ...(over > 0 ? [`${over} px too wide`] : []),
  ]
}

/** Returns the contrast ratio of two colors, such as `rgb(0, 0, 0)`. WCAG 2.2 */
function contrastOf(...colors: (string | undefined)[]): number {
  const [darker = 0, lighter = 0] = colors
    .map((color) => {
      const [red = 0, green = 0, blue = 0] = (color?.match(/\d+/g) ?? []).map((part) => {
        const value = Number(part) / 255
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Buttons that open a dialog, by the view that they are in. */
const dialogs: Record<string, (string | RegExp)[]> = {
  activity: ['Keyboard shortcuts', 'Mark', 'Clear the journal'],
  deliveries: ['Send an event'],
  'inboxes/mine': ['Set the response'],
  'apps/hook': ['Create an app', 'Install', 'Push a manifest', /^Delete/],
  'installations/INSTALLATION': ['Upgrade', 'Uninstall', 'Mint', 'Revoke all tokens'],
  'organizations/acme': [
    ...['Add an organization', 'Make a sandbox', 'Add or change a member', /^Remove somebody/],
    ...['Regenerate the API key', 'Delete the organization'],
  ],
  'sign-in': [
    'Add a user',
    'Set the ambient user',
    'Force an outcome',
    'Rotate',
    'Sign everyone out',
    /^Change somebody/,
  ],
  faults: ['Add a fault', 'Remove all faults'],
  clock: ['Freeze at…', 'Other…'],
  world: ['Reset the world', 'Take a snapshot', /^Restore/, 'Take liberties', 'Run a scenario'],
  calls: ['Call listRequests', 'Call putState'],
}

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
    await emulator.admin.createOrganization({ slug: 'acollege'.repeat(7), name: 'ACollege'.repeat(7) })
    await emulator.admin.createUser({ email: longEmail })
    for (const slug of ['acme', 'acollege'.repeat(7)]) await emulator.admin.putMember(slug, longEmail, 'learner')
    const { installation, delivery } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    await call('/v0/members', { as: 'at_acme' })
    await call('/v0/courses', { as: 'key_acme' })
    await call('/_admin/faults', { body: { match: { path: '/v0/modules' }, effect: 'unavailable', probability: 0.5 } })
    await emulator.admin.snapshot('here'.repeat(15))
    await emulator.admin.setAmbientUser(longEmail)
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
    await emulator.admin.freezeClock(undefined, { organization: 'acme' })
    await emulator.admin.putReport('sweep', { app: 'hook', passed: false, summary: {}, flows: [flow], skipped: [] })
    await open()
    const found: string[] = []
    // A view is visited once, as its size and colors change without a visit.
    for (const view of views) {
      const place = view.replace('DELIVERY', delivery?.id ?? '').replace('INSTALLATION', installation.id)
      await page.goto(`${emulator.url}/_console#/${place}`)
      await page.locator('main h1, main h2').first().waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      for (const colorScheme of Object.keys(schemes) as Scheme[]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        for (const width of schemes[colorScheme].widths) {
          await page.setViewportSize({ width, height: 800 })
          // The page follows its new size a moment later.
          await expect.poll(() => page.evaluate('innerWidth')).toBe(width)
          const where = `${view}, ${colorScheme}, ${width}`
          // The widest and the narrowest layout show all violations.
          if (width === 1440 || width === 360) {
            found.push(...(await violations(page, colorScheme)).map((violation) => `${where}: ${violation}`))
          }
          const wide = (await page.evaluate(`[...document.querySelectorAll('html, main, .list, .detail')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ outerHTML }) => outerHTML.slice(0, 60))`)) as string[]
          found.push(...wide.map((element) => `${where}: too wide: ${element}`))
          const heights = page.locator('.c-actions button').evaluateAll((all) => all.map((each) => each.clientHeight))
          if ((await heights).some((height) => height > 40)) found.push(`${where}: a button is broken within a word`)
        }
      }
    }
    expect(found).toEqual([])
  })

  test('cuts no reason beside a detail, and has the filters in one line from 1200 px', async ({
    call,
    emulator,
    open,
    page,
  }) => {
    const redirect = `http://localhost:3000/${'callback/'.repeat(20)}`
    await call(`/oauth/authorize?client_id=app_notes&redirect_uri=${encodeURIComponent(redirect)}`)
    await call('/_admin/faults', { body: { match: { path: '/v0/members' }, effect: 'unavailable', times: 1 } })
    await call('/v0/members', { as: 'at_acme' })
    // Rows of another day have a date.
    await emulator.admin.advanceClock('1d')
    await open()
    await page.getByRole('link', { name: /v0\/members/ }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Request' }).waitFor()
    await page.getByText('2026-01-01').first().waitFor()
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
      const times = page.locator('td.c-time')
      const cutTimes = times.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
      expect([width, await cutTimes]).toEqual([width, 0])
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

  test('has dialogs that fit the screen, in which axe finds nothing, light and dark', async ({
    emulator,
    open,
    page,
    receiver,
  }) => {
    expect(receiver.received()).toEqual([])
    const { installation } = await emulator.admin.install({ app: 'hook', organization: 'acme' })
    await emulator.admin.createUser({ email: longEmail })
    await emulator.admin.putMember('acme', longEmail, 'learner')
    await emulator.admin.signIn('ada')
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: 'unavailable' })
    await emulator.admin.snapshot('here'.repeat(15))
    await open()
    const dialog = page.getByRole('dialog')
    const found: string[] = []
    for (const [view, names] of Object.entries(dialogs)) {
      await page.goto(`${emulator.url}/_console#/${view.replace('INSTALLATION', installation.id)}`)
      for (const name of names) {
        await page.getByRole('button', { name, exact: true }).first().click()
        await dialog.getByText('Loading…').waitFor({ state: 'detached' })
        for (const width of [1440, 360]) {
          await page.setViewportSize({ width, height: 700 })
          // The page follows its new size a moment later.
          await expect.poll(() => misfitsOf(dialog, width), { message: `${name}, ${width}` }).toEqual([])
        }
        for (const colorScheme of Object.keys(schemes) as Scheme[]) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          found.push(
            ...(await violations(page, colorScheme, 'dialog')).map(
              (violation) => `${name}, ${colorScheme}: ${violation}`,
            ),
          )
        }
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
    }
    expect(found).toEqual([])
  })

  test('opens each record by its address: the row is marked and in view', async ({ emulator, open, page }) => {
    for (let count = 0; count < 40; count++) await emulator.admin.createUser({ email: `person${count}@mail.test` })
    const { id } = await emulator.admin.createUser({ email: 'last@mail.test' })
    await open(`sign-in/${id}`)
    const row = page.getByRole('row').filter({ hasText: 'last@mail.test' })
    await row.waitFor()
    expect(await row.getAttribute('class')).toBe('open')
    await expect.poll(async () => ((await row.boundingBox())?.y ?? 1e9) < 800).toBe(true)
    // In the colors of the system there are neither backgrounds nor shadows.
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await row.evaluate((element) => getComputedStyle(element).outline)).toMatch(/^rgb\(.* solid 2px$/)
  })

  test('has fields with edges of a contrast of 3:1, light and dark', async ({ open, page }) => {
    await open()
    for (const colorScheme of Object.keys(schemes) as Scheme[]) {
      await page.emulateMedia({ colorScheme })
      const [edge, inside, outside] = await page
        .getByRole('searchbox')
        .evaluate((field) => [
          getComputedStyle(field).borderTopColor,
          getComputedStyle(field).backgroundColor,
          getComputedStyle(document.body).backgroundColor,
        ])
      expect(contrastOf(edge, inside)).toBeGreaterThan(3)
      expect(contrastOf(edge, outside)).toBeGreaterThan(3)
    }
  })

  test('hides no row with the focus behind the bars, and has texts of the size that the browser is set to', async ({
    call,
    open,
    page,
  }) => {
    for (let index = 0; index < 20; index += 1) await call('/v0/courses', { as: 'key_acme' })
    await page.setViewportSize({ width: 640, height: 400 })
    await open()
    const hidden: number[] = []
    for (let row = 0; row < 20; row += 1) {
      await page.keyboard.press('j')
      const isHidden = () =>
        page.evaluate<boolean>(
          `document.activeElement.getBoundingClientRect().bottom > document.querySelector('.callbar').getBoundingClientRect().top`,
        )
      if (await isHidden()) hidden.push(row)
    }
    for (let row = 0; row < 20; row += 1) {
      await page.keyboard.press('k')
      const isHidden = () =>
        page.evaluate<boolean>(
          `document.activeElement.getBoundingClientRect().top < document.querySelector('.top').getBoundingClientRect().bottom`,
        )
      if (await isHidden()) hidden.push(-row)
    }
    expect(hidden).toEqual([])
    const size = () => page.evaluate<string>('getComputedStyle(document.body).fontSize')
    expect(await size()).toBe('14px')
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    expect(await size()).toBe('28px')
  })

  test('turns the pages of a list of more than 200 rows, and a search begins at the first', async ({
    emulator,
    open,
  }) => {
    const users = Array.from({ length: 201 }, (_, index) => ({ id: `u${index}`, email: `user${index}@mail.test` }))
    const members = users.map(({ id }) => ({ user: id, role: 'learner' as const }))
    await emulator.admin.addFixtures({ users, organizations: [{ slug: 'crowd', name: 'Crowd', members }] })
    const page = await open('organizations/crowd')
    const turns = page.getByRole('navigation', { name: 'Members of Crowd' })
    const last = page.getByRole('row').filter({ hasText: 'user200@mail.test' })
    await turns.getByText('1 to 200 of 201').waitFor()
    expect(await last.count()).toBe(0)
    await turns.getByRole('button', { name: 'Next' }).click()
    await last.waitFor()
    await turns.getByText('201 to 201 of 201').waitFor()
    await turns.getByRole('button', { name: 'Previous' }).click()
    await last.waitFor({ state: 'detached' })

    await page.goto(page.url().replace(/#.*/, '#/sign-in'))
    await page.getByRole('button', { name: 'Next' }).click()
    await last.waitFor()
    await page.getByRole('searchbox').fill('@mail')
    await page.getByText('1 to 200 of 201').waitFor()
    await page.getByRole('searchbox').fill('user200')
    await last.waitFor()
    await page.reload()
    await last.waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
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

  test('keeps the buttons of a row on the page when one of them fails', async ({ open, page }) => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await open('sign-in')
    await page.route('**/_admin/sessions', (route) =>
      route.fulfill({ status: 507, json: { detail: 'The disk is full, so nothing was written' } }),
    )
    await page.getByRole('button', { name: 'Sign in as Ada Owner' }).click()
    await page.getByRole('alert').getByText('The disk is full').waitFor()
    expect(await page.evaluate("document.querySelector('main').scrollWidth")).toBe(
      await page.evaluate("document.querySelector('main').clientWidth"),
    )
  })

  test('says what would fill it when it is empty, with the command to copy', async ({ call, open, page }) => {
    await call('/_admin/state', { method: 'PUT', body: { users: [] } })
    const empty: [string, string][] = [
      ['activity', 'No requests yet'],
      ['deliveries', 'No deliveries yet'],
      ['inboxes', 'No inboxes yet'],
      ['apps', 'No apps yet'],
      ['installations', 'No installations yet'],
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
    await page.getByText(/^npx mockademy faults add rate_limited .* --url http/).waitFor()
  })

  test('the commands of an empty world lead to a delivery, and none fails', async ({ call, open }) => {
    await call('/_admin/state', { method: 'PUT', body: { users: [] } })
    const page = await open('deliveries')
    for (const verb of ['apps create', 'sandboxes create']) {
      const command = await page.getByText(new RegExp(`npx mockademy ${verb} `)).innerText()
      await promisify(execFile)('sh', ['-c', command.replace('npx mockademy', `'${process.execPath}' '${BIN}'`)])
    }
    await page.getByRole('row').filter({ hasText: 'app.installed' }).getByText('acknowledged').waitFor()
  })

  test('suggests an install where there is an owner, and a sandbox when each has had its install', async ({
    call,
    emulator,
    open,
  }) => {
    const users = [{ id: 'ada', email: 'ada@example.test' }]
    const owned = { slug: 'owned', name: 'Owned', members: [{ user: 'ada', role: 'owner' }] }
    const organizations = [{ slug: 'bare', name: 'Bare' }, owned]
    await call('/_admin/state', { method: 'PUT', body: { users, organizations } })
    await emulator.admin.createApp({ manifest: { id: 'plain', name: 'Plain', version: '1.0.0' } })
    const page = await open('deliveries')
    await page.getByText(/^npx mockademy install plain owned /).waitFor()
    await emulator.admin.install({ app: 'plain', organization: 'owned' })
    await page.getByText(/^npx mockademy sandboxes create --app plain /).waitFor()
  })

  test('has a menu on a narrow screen that closes, and a header that fits', async ({ emulator, open }) => {
    await emulator.admin.freezeClock()
    await emulator.admin.advanceClock('1h', { organization: 'acme' })
    const page = await open()
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByText('own clocks: 1').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const menu = page.getByRole('button', { name: 'Menu' })
    await page.setViewportSize({ width: 360, height: 200 })
    await page.evaluate('scrollTo(0, 1000)')
    await menu.click()
    const activity = page.getByRole('navigation').getByRole('link', { name: /^Activity/ })
    await expect.poll(async () => (await activity.boundingBox())?.y).toBeGreaterThan(0)
    await menu.click()
    const close = {
      escape: async () => {
        await activity.focus()
        await page.keyboard.press('Escape')
        expect(await menu.evaluate((button) => button.matches(':focus'))).toBe(true)
      },
      current: () => activity.click(),
    }
    for (const how of Object.values(close)) {
      await menu.click()
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true')
      await how()
      await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false')
    }
  })
})
