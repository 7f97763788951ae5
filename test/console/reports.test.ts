import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { isMissing, test } from './console-test.js'

const check = {
  title: 'rejects a forged webhook',
  severity: 'critical',
  sent: `curl -X POST http://localhost:3000/webhook -H 'platform-signature: ${'0f'.repeat(200)}'`,
  expected: 'Responds with 401.',
  seen: '200',
  source: 'spec: §6',
  remedy: 'Compare the signature.',
  docs: 'https://docs.test/checks.md#webhook.forged',
}
const caseOf = (id: string, verdict: string, entries: number[]) => ({
  id,
  verdict,
  message: `The app is ${verdict}`,
  trouble: 'The first refresh got a 503',
  steps: [{ step: 'probe', seen: 'status 404', holds: false, journal: ['GET /v0/courses 401'] }],
  entries,
})

describe.skipIf(isMissing)('the console: reports of the audit and the sweep', () => {
  test('says which command sends one, then shows it, each failure linked to its entries', async ({
    emulator,
    open,
    page,
  }) => {
    await fetch(`${emulator.url}/v0/courses`, { headers: { 'mockademy-run': 'r1' } })
    const [entry] = await emulator.admin.listRequests({ run: 'any' })
    expect(await emulator.admin.listRequests()).toEqual([])
    const entries = [entry?.id ?? 0]
    await open('audit')
    await page.getByText(/^npx mockademy audit/).waitFor()
    await emulator.admin.putReport('audit', {
      app: 'notes',
      passed: false,
      summary: { pass: 1, fail: 1 },
      checks: [
        { ...check, id: 'webhook.accepts', outcome: 'pass', message: 'as it should', entries: [] },
        { ...check, id: 'webhook.forged', outcome: 'fail', message: 'accepted a forged webhook', entries },
      ],
    })
    const failure = page.getByRole('region', { name: 'webhook.forged' })
    await failure.getByText('accepted a forged webhook').waitFor()
    await page.getByText('notes did not pass').waitFor()
    expect(await page.getByRole('region', { name: 'webhook.accepts' }).count()).toBe(0)
    await page.setViewportSize({ width: 360, height: 800 })
    const bottomOf = async (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().bottom)
    const call = failure.getByText(check.sent).locator('..')
    const isCut = async () => (await bottomOf(call.getByRole('button'))) > (await bottomOf(call))
    await expect.poll(isCut).toBe(false)
    // It lies over the text.
    const color = () => call.getByRole('button').evaluate((button) => getComputedStyle(button).backgroundColor)
    expect(await color()).not.toBe('rgba(0, 0, 0, 0)')
    for (const text of [check.sent, check.expected, check.remedy, check.source]) await failure.getByText(text).waitFor()
    await failure.getByRole('link', { name: `entry ${entries[0]}` }).click()
    await page.getByRole('complementary').getByRole('heading', { name: '/v0/courses' }).waitFor()
  })

  test('shows a sweep as a matrix, and of failures for one reason the one that stands for them', async ({
    emulator,
    open,
    page,
  }) => {
    const point = 'refresh/POST-oauth-token-refresh#1'
    await emulator.admin.putReport('sweep', {
      app: 'notes',
      passed: false,
      summary: { healed: 1, stranded: 5, cases: 6, runs: 9, seconds: 4 },
      skipped: [{ flow: 'list', reason: 'the file has no list' }],
      flows: [
        {
          flow: 'refresh',
          points: ['POST-oauth-token-refresh#1'],
          unstable: [],
          cases: [
            {
              ...caseOf(`${point}/refused`, 'stranded', [1]),
              origins: [`${point}/html`, 'burst/POST-oauth-token-refresh#1/html'],
              scenario: 'my sweeps/refused.jsonc',
            },
            caseOf(`${point}/html`, 'stranded', [2]),
            caseOf(`${point}/lost`, 'healed', [3]),
            { ...caseOf(`${point}/slow`, 'stranded', [4]), accepted: 'planned for May' },
          ],
        },
        {
          flow: 'burst',
          points: ['POST-oauth-token-refresh#1'],
          unstable: [],
          cases: [
            caseOf('burst/POST-oauth-token-refresh#1/html', 'stranded', [5]),
            caseOf('burst/POST-oauth-token-refresh#1/limited', 'stranded', [6]),
          ],
        },
      ],
    })
    await open('sweep')
    const matrix = page.getByRole('table', { name: 'Sweep: refresh' })
    expect(await matrix.getByRole('link', { name: 'lost healed' }).getAttribute('href')).toBe('#/activity/3')
    await page.getByText('list: left out, because the file has no list').waitFor()
    expect(await page.getByRole('region', { name: `${point}/html`, exact: true }).count()).toBe(0)
    const failure = page.getByRole('region', { name: `${point}/refused`, exact: true })
    await failure.getByText(/^npx mockademy scenario run 'my sweeps\/refused\.jsonc'/).waitFor()
    await failure.getByText(`2 cases: ${point}/html`).waitFor()
    await failure.getByText('GET /v0/courses 401').waitFor()
    await matrix.getByRole('link', { name: 'html stranded' }).click()
    const shown = `#/sweep/${encodeURIComponent(`${point}/refused`)}`
    await expect.poll(() => new URL(page.url()).hash).toBe(shown)

    const burst = page.getByRole('table', { name: 'Sweep: burst' })
    expect(await burst.getByRole('link', { name: 'html stranded' }).getAttribute('href')).toBe(shown)
    const other = page.getByRole('region', { name: 'burst/POST-oauth-token-refresh#1/limited' })
    await other
      .getByText(/^npx mockademy sweep --url \S+ --only 'burst\/POST-oauth-token-refresh#1\/limited'$/)
      .waitFor()
    const accepted = matrix.getByRole('link', { name: 'slow · accepted stranded' })
    expect(await accepted.getAttribute('class')).not.toContain('bad')
    await page
      .getByRole('region', { name: `${point}/slow` })
      .getByText('planned for May', { exact: true })
      .waitFor()
    expect(await page.getByRole('region', { name: 'burst/POST-oauth-token-refresh#1/html', exact: true }).count()).toBe(
      0,
    )
  })
})
