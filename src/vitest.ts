import { isDeepStrictEqual } from 'node:util'
import { type TestAPI, type TestContext, test } from 'vitest'
import { reportFailure } from './control/run-report/report-failure.js'
import { MAX_MARK_NAME } from './emulator/world/exchange.js'
import { shellQuoted } from './emulator/world/shell-quoted.js'
import { type Emulator, type StartOptions, startEmulator } from './index.js'

/** Fixtures of `emulatorTest`. */
export interface EmulatorFixtures {
  /**
   * Options of `startEmulator`; by default the world of `mockademy.json`, else the default world, in memory. Set them for a file or a `describe`:
   * `emulatorTest.override({ emulatorOptions: { pageSize: 2 } })`, or `scoped` before Vitest 4.1.
   */
  emulatorOptions: StartOptions
  /** An emulator that no other running test uses. Each worker keeps one for each set of options, reset before each test. */
  emulator: Emulator
}

interface OwnFixtures extends EmulatorFixtures {
  emulatorPool: ReturnType<typeof createPool>
}

/**
 * Options may differ by file and by `describe`, while a fixture of the worker's scope can neither be overridden in a
 * `describe` nor see a test's options. So the worker keeps emulators by their options, and each test takes one.
 */
const withEmulators = test.extend<OwnFixtures>({
  emulatorOptions: {},
  emulatorPool: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
    async ({}, use) => {
      const pool = createPool()
      await use(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],
  emulator: ({ emulatorOptions, emulatorPool, task }, use) =>
    emulatorPool.lend(emulatorOptions, async (emulator) => {
      const name = fullNameOf(task)
      // Vitest keeps the errors of earlier attempts (`retry`, `repeats`).
      const earlierErrors = errorCountOf(task)
      await emulator.admin.mark(name, { kind: 'test' })
      await use(emulator)
      const hasError = errorCountOf(task) > earlierErrors
      const hasFailed = hasError !== (task.fails ?? false) && task.result?.state !== 'skip'
      await emulator.admin.mark(name, { kind: 'test', state: hasFailed ? 'failed' : 'passed' })
      if (hasFailed) await reportTest(emulator, task)
    }),
})

/**
 * Vitest's `test` with an emulator that is reset before each test. Concurrent tests get one each. Entries of its journal
 * have the test's name as their `mark`. If `MOCKADEMY_REPORT` names a folder, a test that fails leaves a report there.
 * @example
 * emulatorTest('lists the courses', async ({ emulator }) => {
 *   expect(await courseNames(emulator.url)).toContain('Writing That Works')
 * })
 */
export const emulatorTest: TestAPI<EmulatorFixtures> = withEmulators

/** Writes what the emulator saw of a failed test, and says where. coverage: "The run report" */
async function reportTest({ report }: Emulator, task: TestContext['task']): Promise<void> {
  const { name, file, result } = task
  const { retryCount, repeatCount } = result ?? {}
  // Each attempt that fails has a report of its own, since the files are named after the titles.
  const attempt = [repeatCount && `, repeat ${repeatCount}`, retryCount && `, retry ${retryCount}`].filter(Boolean)
  const pattern = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const path = await reportFailure(report, {
    title: `${file.name} > ${fullNameOf(task)}${attempt.join('')}`,
    command: `npx vitest run ${file.name} -t ${shellQuoted(pattern)}`,
    result: 'failed',
  })
  if (path !== undefined) process.stderr.write(`Report of "${name}": ${path}\n`)
}

const errorCountOf = ({ result }: TestContext['task']) => result?.errors?.length ?? 0

function fullNameOf({ name, suite }: Pick<TestContext['task'], 'name' | 'suite'>): string {
  const names = [name]
  for (let around = suite; around; around = around.suite) names.unshift(around.name)
  return names.join(' > ').slice(0, MAX_MARK_NAME)
}

/** Creates a worker's pool of emulators. */
function createPool() {
  const entries: { options: StartOptions; emulator: Emulator; isBusy: boolean }[] = []
  return {
    /** Runs `work` with an idle emulator that has these options, after a reset; starts one if there is none. */
    async lend(options: StartOptions, work: (emulator: Emulator) => Promise<void>): Promise<void> {
      const idle = entries.find((each) => !each.isBusy && isDeepStrictEqual(each.options, options))
      // Before anything waits, so that no concurrent test takes it.
      if (idle) idle.isBusy = true
      const entry = idle ?? { options, emulator: await startEmulator(options), isBusy: true }
      if (!idle) entries.push(entry)
      try {
        if (idle) await entry.emulator.admin.reset()
        await work(entry.emulator)
      } finally {
        entry.isBusy = false
      }
    },
    async close() {
      await Promise.all(entries.map(({ emulator }) => emulator.close()))
    },
  }
}
