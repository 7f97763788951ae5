import { type SweepReport, sweep } from 'mockademy'
import { beforeAll, describe, expect, test } from 'vitest'
import { CoursesApp, startCoursesApp, type Tokens } from './courses-app.js'
import { type SeededFault, seededFaults } from './seeded-faults.js'

/** Sweeps side by side: most of their time is waiting. */
const AT_ONCE = 8

async function sweepOf(App: typeof CoursesApp, part: { flow?: string[]; only?: string[] }): Promise<SweepReport> {
  const app = await startCoursesApp(App)
  try {
    return await sweep({ url: app.emulator.url, file: app.file, ...part })
  } finally {
    await app.close()
  }
}

/** The sweeps of all apps with a fault, which begin at once and go on beside the first tests. */
const reports = new Map<SeededFault, Promise<SweepReport>>()
beforeAll(() => {
  const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, async () => undefined)
  for (const [index, fault] of seededFaults.entries()) {
    const begin = () => sweepOf(fault.App, { flow: [fault.flow], only: [fault.only] })
    const report = (lanes[index % AT_ONCE] as Promise<unknown>).then(begin, begin)
    lanes[index % AT_ONCE] = report
    reports.set(fault, report)
    // Its own test tells.
    report.catch(() => undefined)
  }
})

const casesOf = ({ flows }: SweepReport) => flows.flatMap(({ cases }) => cases)

test('an app that heals is called nothing else, and the others that follow are it with one fault', {
  timeout: 300_000,
}, async () => {
  const report = await sweepOf(CoursesApp, {})
  expect(casesOf(report).filter(({ verdict }) => verdict === 'stranded' || verdict === 'harmful')).toEqual([])
  expect(report.passed).toBe(true)
  const flows = ['install', 'refresh', 'burst', 'list', 'upgrade', 'reinstall', 'uninstall', 'events']
  expect(report.flows.map(({ flow }) => flow)).toEqual(flows)
  const fired = new Set(casesOf(report).flatMap(({ id, verdict }) => (verdict === 'unbroken' ? [] : [id])))
  const others = seededFaults.map(({ only }) => only).filter((only) => !fired.has(only))
  // Requests that only a version with a fault makes.
  expect(new Set(others)).toEqual(new Set(['install/GET-v0-courses#1/refused']))
})

test('what comes late is found, too', { timeout: 300_000 }, async () => {
  class Late extends CoursesApp {
    override async page(organization: string, name: string) {
      const { tokens } = this.stateOf(organization)
      const page = await super.page(organization, name)
      const uses = async () => {
        for (let times = 0; times < 15; times++) await this.call('/v0/courses', tokens as Tokens)
      }
      // A job that was planned with the tokens of its time.
      if (page.status === 503) setTimeout(() => void uses().catch(() => undefined), 2_000)
      return page
    }
  }
  const report = await sweepOf(Late, { only: ['refresh/GET-v0-courses#2/refused', 'refresh/GET-v0-courses#2/slow'] })
  expect(casesOf(report)).toMatchObject([
    { verdict: 'harmful', rule: expect.stringContaining('retry_without_refresh') },
    {},
  ])
})

describe('a fault that is seeded', () => {
  test.each(seededFaults)('$what: $only', { timeout: 300_000 }, async (fault) => {
    const report = (await reports.get(fault)) as SweepReport
    const [found] = casesOf(report)
    expect(found).toMatchObject({ id: fault.only, verdict: fault.verdict })
    expect(found?.flaky).toBeUndefined()
    // The last is the expectation.
    expect(found?.steps.slice(0, -1).length).toBeLessThanOrEqual(4)
    expect(report.passed).toBe(false)
  })
})
