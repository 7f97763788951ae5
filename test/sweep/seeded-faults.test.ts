import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type SweepReport, sweep } from 'mockademy'
import { describe, expect, type TestContext, test } from 'vitest'
import { CoursesApp, type Event, type RunningCoursesApp, startCoursesApp, type Tokens } from './courses-app.js'
import { seededFaults } from './seeded-faults.js'

async function sweepOf(App: typeof CoursesApp, part: { flow?: string[]; only?: string[] }): Promise<SweepReport> {
  const app = await startCoursesApp(App)
  try {
    return await sweep({ url: app.emulator.url, file: app.file, ...part })
  } finally {
    await app.close()
  }
}

/** Sweeps an app that stays until the test has ended, as its scenarios do. */
async function sweepInto(
  App: typeof CoursesApp,
  part: { flow?: string[]; only: string[] },
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
) {
  const app = await startCoursesApp(App)
  const out = await mkdtemp(join(tmpdir(), 'mockademy-seeded-'))
  onTestFinished(async () => {
    await app.close()
    await rm(out, { recursive: true })
  })
  return { app, report: await sweep({ url: app.emulator.url, file: app.file, ...part, out }) }
}

/** Expects that a scenario fails with an app, and passes with the one that heals. */
async function mustShow({ emulator, replaceBy }: RunningCoursesApp, path: string, isFailing = true) {
  const lines = (await readFile(path, 'utf8')).split('\n')
  const scenario = JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'))
  if (isFailing) expect(await emulator.admin.runScenario(scenario)).toMatchObject({ passed: false })
  replaceBy(CoursesApp)
  expect(await emulator.admin.runScenario(scenario)).toMatchObject({ passed: true })
}

const casesOf = ({ flows }: SweepReport) => flows.flatMap(({ cases }) => cases)

test.concurrent('an app that heals is called nothing else, and the others that follow are it with one fault', {
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

/** An app with a job that was planned with the tokens of its time, and that runs 2 s after the page has failed. */
class Late extends CoursesApp {
  override async page(organization: string, name: string) {
    const { tokens } = this.stateOf(organization)
    const page = await super.page(organization, name)
    if (page.status === 503) await this.planned(2_000, tokens as Tokens)
    return page
  }

  async planned(delay: number, tokens: Tokens) {
    setTimeout(() => void this.uses(tokens).catch(() => undefined), delay)
  }

  async uses(tokens: Tokens) {
    for (let times = 0; times < 15; times++) await this.call('/v0/courses', tokens)
  }
}

const harmful = { verdict: 'harmful', rule: expect.stringContaining('retry_without_refresh') }

test.concurrent('what comes late is found, too', { timeout: 300_000 }, async () => {
  const only = ['refresh/GET-v0-courses#2/refused', 'refresh/GET-v0-courses#2/slow']
  const [refused] = casesOf(await sweepOf(Late, { only }))
  expect(refused).toMatchObject(harmful)
})

test.concurrent('what comes late in the runs that make it certain is found, too', { timeout: 300_000 }, async () => {
  let isFirst = true
  class LateAgain extends Late {
    override async planned(delay: number, tokens: Tokens) {
      if (!isFirst) return super.planned(delay, tokens)
      isFirst = false
      await pause(delay)
      await this.uses(tokens)
    }
  }
  const [refused] = casesOf(await sweepOf(LateAgain, { only: ['refresh/GET-v0-courses#2/refused'] }))
  expect(refused).toMatchObject(harmful)
  expect(refused).not.toHaveProperty('flaky')
})

describe.concurrent('a fault that is seeded', () => {
  test.for(seededFaults)('$what: $only', { timeout: 300_000 }, async ({ App, flow, only, verdict }, context) => {
    const { app, report } = await sweepInto(App, { flow: [flow], only: [only] }, context)
    const [found] = casesOf(report)
    expect(found).toMatchObject({ id: only, verdict })
    expect(found?.flaky).toBeUndefined()
    // The last is the expectation.
    expect(found?.steps.slice(0, -1).length).toBeLessThanOrEqual(4)
    expect(report.passed).toBe(false)
    // Without the steps after the trouble first, a case of the first page takes more than 20 runs to reduce.
    if (only.startsWith('refresh/GET-v0-courses#1/')) expect(report.summary.runs).toBeLessThanOrEqual(12)
    // The three tries of an app that fails take three seconds.
    const isTried = flow === 'uninstall' || flow === 'reinstall'
    if (found?.scenario !== undefined) await mustShow(app, found.scenario, isTried)
  })

  test('is shown by the delivery that fails, where steps after it are left out', {
    timeout: 300_000,
  }, async (context) => {
    class Rejecting extends CoursesApp {
      override async receive(event: Event) {
        const isKnown = event.type === 'app.installed' && this.stateOf(event.data.organization.id).events.has(event.id)
        return isKnown ? 409 : super.receive(event)
      }
    }
    const { app, report } = await sweepInto(Rejecting, { only: ['events/app.installed#1/unanswered'] }, context)
    const [found] = casesOf(report)
    expect(found?.steps.map(({ step }) => step)).toEqual(['install', 'acknowledged'])
    await mustShow(app, found?.scenario ?? '')
  })
})
