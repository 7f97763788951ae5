import { describe, expect } from 'vitest'
import { isMissing, test } from './console-test.js'

describe.skipIf(isMissing)('the console: coverage', () => {
  test('links each cell to its newest entry, or to the line that closes it', async ({
    call,
    emulator,
    open,
    receiver: _,
  }) => {
    await emulator.admin.install({ app: 'hook', organization: 'acme' })
    const coverage = await emulator.admin.getCoverage({ app: 'hook' })
    const page = await open('coverage?app=hook')
    await page.getByText(`has met ${coverage.met} of ${coverage.countable} behaviors`).waitFor()
    for (const { rows } of coverage.groups) {
      for (const { row } of rows) await page.getByRole('cell', { name: row, exact: true }).waitFor()
    }
    const cells = coverage.groups.flatMap(({ rows }) => rows).flatMap((row) => row.cells)
    await expect.poll(() => page.locator('main .tag').count()).toBe(cells.length)

    const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
    await rowOf('app.installed').getByRole('link', { name: 'acknowledged met' }).click()
    await page.getByRole('complementary').getByRole('heading', { name: 'app.installed' }).waitFor()
    await page.goBack()
    await rowOf('GET /v0/elements').getByRole('link', { name: 'rate-limited not met' }).click()
    const line = rowOf('GET /v0/elements').getByText(/^npx mockademy .*faults add rate_limited/)
    const gap = coverage.groups[0]?.rows
      .find(({ row }) => row === 'GET /v0/elements')
      ?.cells.find(({ column }) => column === 'rate-limited')
    expect(await line.textContent()).toBe(`npx ${gap?.closes}`)

    await emulator.admin.addFault({
      match: { surface: 'api', path: '/v0/elements', app: 'hook' },
      effect: 'rate_limited',
      times: 1,
    })
    const { access_token } = await emulator.admin.mintTokens({ app: 'hook', organization: 'acme' })
    expect((await call('/v0/elements', { as: access_token })).status).toBe(429)
    await rowOf('GET /v0/elements').getByRole('link', { name: 'rate-limited met' }).waitFor()
    await expect.poll(() => line.count()).toBe(0)
  })
})
