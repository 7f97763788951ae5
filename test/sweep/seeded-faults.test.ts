import { sweep } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { CoursesApp, startCoursesApp } from './courses-app.js'
import { seededFaults } from './seeded-faults.js'

/** All of them take minutes: `SWEEP=whole` runs them. */
const isWhole = process.env.SWEEP === 'whole'
const chosen = isWhole ? seededFaults : seededFaults.filter(({ only }) => only === 'list/GET-v0-elements#2/refused')

describe.concurrent('a fault that is seeded', () => {
  test.each(chosen)('$what: $only', { timeout: 180_000 }, async ({ App, flow, only, verdict }) => {
    const app = await startCoursesApp(App)
    try {
      const { url } = app.emulator
      const report = await sweep({ url, file: app.file, flow: [flow], only: [only] })
      const [found] = report.flows.flatMap(({ cases }) => cases)
      expect(found).toMatchObject({ id: only, verdict })
      expect(found?.flaky).toBeUndefined()
      // The last is the expectation.
      expect(found?.steps.slice(0, -1).length).toBeLessThanOrEqual(4)
      expect(report.passed).toBe(false)
      // Without the fault, the same case is none.
      app.replaceBy(CoursesApp)
      const good = await sweep({
        url,
        file: app.file,
        flow: [flow],
        only: [only, `${flow}/app.installed#1/again-later`],
      })
      expect(good).toMatchObject({ passed: true, summary: { stranded: 0, harmful: 0 } })
    } finally {
      await app.close()
    }
  })
})
