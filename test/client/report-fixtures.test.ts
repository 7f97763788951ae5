import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { isMissing } from '../harness/browser-test.js'
import { chromiumPath } from '../harness/chromium.js'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { test as base } from '../harness/emulator-test.js'
import { readReport } from '../harness/read-report.js'

interface Project {
  folder: string
  /** Writes files, and runs the command of a package in their folder. @returns what it printed. */
  run: (files: Record<string, string>, bin: string, args: string[], env?: Record<string, string>) => Promise<string>
}

/** A project that has installed this package and the runners. */
const test = base.extend<Project>({
  folder: async ({ folder }, use) => {
    await mkdir(join(folder, 'node_modules/@playwright'), { recursive: true })
    // Not a link: Playwright would transpile what is outside of node_modules, for two seconds.
    for (const part of ['dist', 'fixtures', 'package.json']) {
      await cp(join(ROOT, part), join(folder, 'node_modules/mockademy', part), { recursive: true })
    }
    for (const name of ['vitest', '@playwright/test']) {
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
    }
    await use(folder)
  },
  run: async ({ folder }, use) => {
    await use(async (files, bin, args, env = {}) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text)
      }
      const child = spawn(process.execPath, [join(folder, 'node_modules', bin), ...args], {
        cwd: folder,
        env: { ...cleanEnvironment(folder), MOCKADEMY_REPORT: 'reports', NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      })
      let printed = ''
      for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (printed += chunk))
      await once(child, 'close')
      return printed
    })
  },
})

const SPEC = `
import { emulatorTest as test } from 'mockademy/vitest'
import { describe, expect } from 'vitest'
const get = async ({ url, env }, path) => (await fetch(url + path, { headers: { authorization: 'Bearer ' + env.PLATFORM_API_KEY } })).status
describe('courses', () => {
  test('are listed', async ({ emulator }) => {
    expect(await get(emulator, '/v0/courses')).toBe(200)
  })
  test('are "found" (by id)', async ({ emulator }) => {
    expect(await get(emulator, '/v0/courses/none')).toBe(200)
  })
})`

test('emulatorTest writes the report of a test that fails, of that test alone', async ({ run, folder }) => {
  const printed = await run({ 'my.test.js': SPEC }, 'vitest/vitest.mjs', ['run'])
  expect(printed).toContain('1 failed | 1 passed')
  const [name, ...others] = await readdir(join(folder, 'reports'))
  expect([name, others]).toEqual([expect.stringMatching(/^my-test-js-courses-are-found-by-id-\w{8}\.html$/), []])
  expect(printed).toMatch(/^Report of "are "found" \(by id\)": .+\.html$/m)
  const { data, results } = await readReport(join(folder, 'reports', name as string))
  expect(data).toMatchObject({ title: 'my.test.js > courses > are "found" (by id)', result: 'failed' })
  expect(data.command).toBe(`npx vitest run my.test.js -t 'are "found" \\(by id\\)'`)
  expect(results['/_admin/requests']).toMatchObject([{ path: '/v0/courses/none', status: 404 }])
})

test('emulatorTest judges each attempt of a test by itself, and a test of test.fails the other way round', async ({
  run,
  folder,
}) => {
  const spec = `
import { emulatorTest as test } from 'mockademy/vitest'
import { expect } from 'vitest'
for (const option of ['retry', 'repeats']) {
  let attempt = 0
  test(option, { [option]: 2 }, async ({ emulator }) => {
    await fetch(emulator.url + '/v0/attempt-' + ++attempt)
    expect(attempt).toBe(3)
  })
}
test.fails('fails as expected', async ({ emulator }) => expect(emulator).toBe(2))
test.fails('is skipped', async ({ emulator, skip }) => skip())
test.fails('passes unexpectedly', async ({ emulator }) => {})`
  const printed = await run({ 'my.test.js': spec }, 'vitest/vitest.mjs', ['run'])
  expect(printed).toContain('2 failed | 1 passed | 1 expected fail | 1 skipped')
  const names = (await readdir(join(folder, 'reports'))).sort()
  const reports = await Promise.all(names.map((name) => readReport(join(folder, 'reports', name))))
  expect(
    reports.map(({ data, results }) => [
      data.title,
      ...results['/_admin/requests'].map(({ path }: { path: string }) => path),
    ]),
  ).toEqual([
    ['my.test.js > passes unexpectedly'],
    ['my.test.js > repeats', '/v0/attempt-1'],
    ['my.test.js > repeats, repeat 1', '/v0/attempt-2'],
    ['my.test.js > retry', '/v0/attempt-1'],
    ['my.test.js > retry, retry 1', '/v0/attempt-2'],
  ])
})

test('emulatorTest keeps its emulator when the report cannot be written', async ({ run }) => {
  const spec = `
import { emulatorTest as test } from 'mockademy/vitest'
import { expect } from 'vitest'
const urls = []
test('fails', async ({ emulator }) => expect(urls.push(emulator.url)).toBe(0))
test('has the same', async ({ emulator }) => expect([emulator.url]).toEqual(urls))`
  const printed = await run({ 'my.test.js': spec, reports: '' }, 'vitest/vitest.mjs', ['run'])
  expect(printed).not.toContain('Report of')
  expect(printed).toContain('No report in the folder that MOCKADEMY_REPORT names: EEXIST')
  expect(printed).toContain('1 failed | 1 passed')
})

describe.skipIf(isMissing)('the fixture sandbox of mockademy/playwright', () => {
  test('attaches the report of a test that fails, of its organization alone', async ({ emulator, run, folder }) => {
    await fetch(`${emulator.url}/v0/courses`, { headers: { authorization: 'Bearer key_acme' } })
    const organizations = await emulator.admin.listOrganizations()
    const spec = `
      import { expect } from '@playwright/test'
      import { test } from 'mockademy/playwright'
      test('passes', async ({ sandbox }) => {})
      test('ends its sandbox', async ({ sandbox }) => { await sandbox.end() })
      // The last one: after it Playwright starts another worker.
      test('fails', async ({ sandbox, mockademyUrl }) => {
        const headers = { authorization: 'Bearer ' + sandbox.api_key }
        expect((await fetch(mockademyUrl + '/v0/courses/none', { headers })).status).toBe(200)
      })`
    const config = `export default { use: { launchOptions: { executablePath: ${JSON.stringify(chromiumPath)}, args: ['--no-sandbox'] } }, reporter: 'json', projects: [{ name: 'web' }] }`
    const env = { MOCKADEMY_URL: emulator.url }
    const files = { 'e2e/my.spec.js': spec, 'playwright.config.js': config, 'package.json': '{ "type": "module" }' }
    const printed = await run(files, '@playwright/test/cli.js', ['test'], env)
    const { suites } = JSON.parse(printed)
    const [passed, ended, failed] = suites[0].specs.map(
      (each: { tests: { results: object[] }[] }) => each.tests[0]?.results[0],
    )
    for (const each of [passed, ended]) expect(each).toMatchObject({ status: 'passed', attachments: [] })
    expect(failed.attachments[0]).toMatchObject({ name: 'mockademy report', contentType: 'text/html' })
    const { data, results } = await readReport(failed.attachments[0].path)
    expect(data).toMatchObject({
      title: 'web > e2e/my.spec.js > fails',
      command: 'npx playwright test e2e/my.spec.js:7',
    })
    const requests: { organization: string }[] = results['/_admin/requests']
    expect(requests.at(-1)).toMatchObject({ path: '/v0/courses/none', mark: 'e2e/my.spec.js > fails' })
    expect(new Set(requests.map(({ organization }) => organization)).size).toBe(1)
    expect(requests[0]?.organization).not.toBe('acme')
    expect(await readdir(join(folder, 'reports'))).toHaveLength(1)

    const unwritten = { ...env, MOCKADEMY_REPORT: 'package.json' }
    expect(await run(files, '@playwright/test/cli.js', ['test', '-g', 'fails'], unwritten)).toContain(
      'No report in the folder that MOCKADEMY_REPORT names: EEXIST',
    )
    expect((await emulator.admin.listRequests()).at(-1)?.mark).toContain('fails')
    expect(await emulator.admin.listOrganizations()).toEqual(organizations)
  })
})
