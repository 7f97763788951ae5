import {
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
  test as withoutSandbox,
} from '@playwright/test'
import { reportFailure } from './control/run-report/report-failure.js'
import { MAX_MARK_NAME } from './emulator/world/exchange.js'
import { type Admin, AdminError, connect } from './index.js'

/** Fixtures of each test. */
export interface SandboxFixtures {
  /** Options of the sandbox: `test.use({ sandboxOptions: { app: 'notes', from: 'acme' } })`, or `use` of the configuration. */
  sandboxOptions: Parameters<Admin['sandbox']>[0]
  /**
   * An organization of this test alone. The browser's context is signed in as its owner, if it has one; requests carry the
   * test's name as their `mark`. It ends with the test. If `MOCKADEMY_REPORT` names a folder, the report of a test that
   * fails is written there and attached.
   */
  sandbox: Awaited<ReturnType<Admin['sandbox']>>
}

/** Fixtures of each worker. */
export interface PlatformFixtures {
  /** Address of the running emulator: by default `MOCKADEMY_URL`, else http://127.0.0.1:4600. */
  mockademyUrl: string
  /** Client of its control API, which sends `MOCKADEMY_ADMIN_TOKEN` when that is set. */
  mockademy: Admin
}

/**
 * Playwright's `test` with a sandbox: each test has an organization of its own in one running emulator, so that any number
 * of workers share it and the app.
 * @example
 * test('greets the owner', async ({ page, sandbox }) => {
 *   await page.goto(`/setup?organization=${sandbox.organization.slug}`)
 *   await expect(page.getByRole('heading')).toContainText('Welcome')
 * })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PlatformFixtures
> = withoutSandbox.extend<SandboxFixtures, PlatformFixtures>({
  mockademyUrl: [process.env.MOCKADEMY_URL || 'http://127.0.0.1:4600', { option: true, scope: 'worker' }],
  mockademy: [
    async ({ mockademyUrl }, use) => {
      await use(connect(mockademyUrl, { adminToken: process.env.MOCKADEMY_ADMIN_TOKEN || undefined }))
    },
    { scope: 'worker' },
  ],
  sandboxOptions: [{}, { option: true }],
  sandbox: async ({ mockademy, sandboxOptions, context }, use, testInfo) => {
    const sandbox = await mockademy.sandbox(sandboxOptions)
    try {
      const cookie = sandbox.people.owner?.cookie
      if (cookie) {
        const { browser_url } = await mockademy.world()
        await context.addCookies([{ ...cookie, url: browser_url, httpOnly: true, sameSite: 'Lax' }])
      }
      const name = testInfo.titlePath.join(' > ').slice(0, MAX_MARK_NAME)
      const organization = sandbox.organization.slug
      const mark = { kind: 'test', organization } as const
      await mockademy.mark(name, mark)
      await use(sandbox)
      const hasPassed = testInfo.status === testInfo.expectedStatus
      await mockademy.mark(name, { ...mark, state: hasPassed ? 'passed' : 'failed' }).catch(ignoreEnded)
      if (hasPassed) return
      const path = await reportFailure(mockademy.report, {
        title: [testInfo.project.name, name].filter(Boolean).join(' > '),
        command: `npx playwright test ${testInfo.titlePath[0]}:${testInfo.line}`,
        result: testInfo.status,
        organization,
      })
      if (path !== undefined) await testInfo.attach('mockademy report', { path, contentType: 'text/html' })
    } finally {
      await sandbox.end().catch(ignoreEnded)
    }
  },
})

/** Ignores a 404: the test may have ended the sandbox, or it has expired. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof AdminError && error.status === 404)) throw error
}
