import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { readReport } from '../harness/read-report.js'
import { test as base, isMissing } from './console-test.js'

const markup = '<img src="http://127.0.0.1:1/x" onerror="document.title=1">'

const test = base.extend<{ file: string }>({
  /** A report of a run with something in every view. */
  file: async ({ emulator, call, receiver, folder }, use) => {
    const { admin } = emulator
    receiver.handles((_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(markup))
    await admin.mark('lists courses', { kind: 'test' })
    await call('/v0/courses', { as: 'key_acme' })
    await call('/v0/courses', { as: 'rt_acme' })
    await admin.mark('installs', { kind: 'test' })
    await admin.mark('by hand')
    await admin.addFault({ match: { surface: 'api' }, effect: 'unavailable' })
    await call('/v0/members', { as: 'at_acme', injected: true, headers: { 'user-agent': markup } })
    await admin.install({ app: 'hook', organization: 'acme' })
    await admin.advanceClock('1h')
    await use(
      await emulator.report(join(folder, 'run.html'), { title: 'npm test', command: 'mockademy exec -- npm test' }),
    )
  },
})

const views = ['run', 'activity', 'activity/2', 'deliveries', 'installations', 'faults', 'findings', 'coverage']
/** The only buttons of a report: they copy, close, open a menu or filter. */
const harmless = /^(Copy|Close|Menu|\?|✕ Refused|Clear filters|Newer|Older)/

async function violationsOn(page: Page) {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as axe.AxeResults
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
}

describe.skipIf(isMissing)('the report of a run, opened from the disk', () => {
  test('shows every view, loads nothing, sends nothing, changes nothing; axe finds nothing', async ({ file, page }) => {
    const asked: string[] = []
    const problems: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    const address = pathToFileURL(file).href
    const details = (await readReport(file)).results
    const places = [
      ...views,
      `deliveries/${details['/_admin/deliveries'][0].id}`,
      `installations/${details['/_admin/installations'].at(-1).id}`,
    ]
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      for (const place of places) {
        await page.goto(`${address}#/${place}`)
        await page.locator('main h1, main h2').first().waitFor()
        await page.getByText('Loading…').waitFor({ state: 'detached' })
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), place).toBe(0)
        expect((await page.locator('.top').boundingBox())?.height, place).toBeLessThan(60)
        const buttons = await page.getByRole('button').allInnerTexts()
        expect(
          buttons.filter((text) => !harmless.test(text.trim())),
          place,
        ).toEqual([])
        expect(await page.locator('form, a[href^=http]').count(), place).toBe(0)
        expect(await violationsOn(page), `${place} ${colorScheme}`).toEqual([])
      }
    }
    await page.setViewportSize({ width: 1440, height: 800 })
    const names = await page.getByRole('navigation').getByRole('link').allInnerTexts()
    expect(names.map((name) => name.replace(/\s[\s\S]*/, ''))).toEqual(expect.arrayContaining(['Run', 'Activity']))
    for (const name of ['Organizations', 'Apps', 'World', 'Clock', 'Inboxes']) expect(names).not.toContain(name)
    expect(asked.filter((url) => !url.startsWith(address) && url !== 'data:,')).toEqual([])
    expect(problems).toEqual([])
  })

  test('has nothing for axe to find where a view without a button has to be scrolled', async ({
    emulator,
    file,
    page,
  }) => {
    // Without a command there is no button to copy it.
    await page.setViewportSize({ width: 1440, height: 200 })
    await page.goto(`${pathToFileURL(await emulator.report(file)).href}#/run`)
    await page.locator('main h1').waitFor()
    expect(await violationsOn(page)).toEqual([])
  })

  test('of a run without deliveries says so, without an error', async ({ call, emulator, file, page }) => {
    await emulator.admin.reset()
    await call('/v0/courses', { as: 'key_acme' })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(`${pathToFileURL(await emulator.report(file)).href}#/deliveries`)
    await page.getByText('No deliveries yet').waitFor()
    expect(await violationsOn(page)).toEqual([])
    expect(errors).toEqual([])
  })

  test('explains the run: why, in which test, how it ended, how to repeat it', async ({ file, page }) => {
    await page.goto(`${pathToFileURL(file).href}#/activity`)
    const rows = page.getByRole('row')
    await rows
      .filter({ hasText: 'The token lacks' })
      .or(rows.filter({ hasText: 'Injected fault: unavailable' }))
      .first()
      .waitFor()
    await page.getByLabel('Mark').selectOption('lists courses')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByLabel('Mark').selectOption('installs')
    await rows.filter({ hasText: '/v0/members' }).getByRole('link').click()
    const detail = page.getByRole('complementary', { name: 'Details' })
    await detail.getByText('Injected fault', { exact: true }).waitFor()
    await detail
      .getByText('8 headers')
      .or(detail.getByText(/headers$/))
      .last()
      .click()
    await expect.poll(() => detail.textContent()).toContain(markup)
    await page.getByRole('link', { name: /^Deliveries/ }).click()
    await page.locator('[data-row]').first().click()
    await detail.getByRole('heading', { name: /Attempt 3/ }).waitFor()
    await expect.poll(() => detail.textContent()).toContain(markup)
    await page.getByRole('link', { name: 'Run' }).click()
    await page.getByRole('heading', { name: 'npm test' }).waitFor()
    await page.getByText('npx mockademy exec -- npm test', { exact: true }).waitFor()
    const { start_counts, counts } = (await readReport(file)).results['/_admin']
    expect(counts.installations).toBe(start_counts.installations + 1)
    const row = `installations ${start_counts.installations} ${counts.installations}`
    await page.getByRole('row', { name: row, exact: true }).waitFor()
    await page
      .getByRole('row', { name: /^advance every organization 2026-01-01 00:00:00 UTC 2026-01-01 01:00:00 UTC$/ })
      .waitFor()
    await page.getByText('access_token_ttl').waitFor()
  })

  test('says what its size cost', async ({ file, page }) => {
    const { html, data } = await readReport(file)
    data.body_limit = 5
    data.left_out = 1_200
    const cut = gzipSync(JSON.stringify(data)).toString('base64')
    await writeFile(
      file,
      html.replace(/(id="report">)[^<]+/, (_, start: string) => start + cut),
    )
    await page.goto(`${pathToFileURL(file).href}#/activity/2`)
    const note = 'Of each body the first 5 characters are kept. The oldest 1,200 exchanges are left out.'
    await page.getByText(note).waitFor()
    await page.getByText(/Only the first 5 of \d+ bytes are kept/).waitFor()
  })
})
