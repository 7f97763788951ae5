import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type SweepReport, sweep } from 'mockademy'
import { describe, expect, type TestContext, test } from 'vitest'
import { temporaryFolder } from '../harness/temporary-folder.js'
import {
  CoursesApp,
  type Event,
  type RunningCoursesApp,
  type State,
  startCoursesApp,
  type Tokens,
} from './courses-app.js'
import { seededFaults } from './seeded-faults.js'

async function sweepOf(App: typeof CoursesApp, part: { flow?: string[]; only?: string[] }): Promise<SweepReport> {
  await using app = await startCoursesApp(App)
  return await sweep({ url: app.emulator.url, file: app.file, ...part })
}

/** Sweeps an app that stays until the test has ended, as its scenarios do. */
async function sweepInto(
  App: typeof CoursesApp,
  part: { flow?: string[]; only: string[] },
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { background }: { background?: number } = {},
) {
  const app = await startCoursesApp(App)
  const out = temporaryFolder(onTestFinished)
  onTestFinished(app.close)
  const file = { ...app.file, ...(background && { background }) }
  return { app, report: await sweep({ url: app.emulator.url, file, ...part, out }) }
}

async function scenarioIn(path: string) {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'))
}

/** Expects that a scenario fails with an app at its end, and passes with one that heals. */
async function mustShow(
  { emulator, replaceBy }: RunningCoursesApp,
  path: string,
  isFailing = true,
  Sound = CoursesApp,
) {
  const scenario = await scenarioIn(path)
  if (isFailing) {
    const { passed, steps } = await emulator.admin.runScenario(scenario)
    expect([passed, steps.at(-1)?.step]).toEqual([false, expect.stringMatching(/^(visit|expect_.*)$/)])
  }
  replaceBy(Sound)
  expect(await emulator.admin.runScenario(scenario)).toMatchObject({ passed: true })
}

/** Reads its courses before it acknowledges, and rejects the event for as long as it was told to wait. */
class Checking extends CoursesApp {
  override async receive(event: Event) {
    if (event.type !== 'app.installed') return super.receive(event)
    const state = this.stateOf(event.data.organization.id)
    await this.get({ ...state, tokens: event.data.credentials }, '', '/v0/courses')
    return super.receive(event)
  }
  override async get(state: State, organization: string, path: string) {
    try {
      return await super.get(state, organization, path)
    } finally {
      for (const each of this.states.values()) each.pausedUntil = Math.max(each.pausedUntil, state.pausedUntil)
    }
  }
}

const casesOf = ({ flows }: SweepReport) => flows.flatMap(({ cases }) => cases)

test.concurrent('an app that heals is called nothing else, and the others that follow are it with one fault', {
  timeout: 900_000,
}, async () => {
  const report = await sweepOf(CoursesApp, {})
  expect(casesOf(report).filter(({ verdict }) => verdict === 'stranded' || verdict === 'harmful')).toEqual([])
  expect(report.passed).toBe(true)
  const bursts = casesOf(report).flatMap(({ steps }) => steps.filter(({ step }) => step === 'burst'))
  expect(bursts.map(({ seen }) => seen)).toContainEqual(expect.stringMatching(/^8 × status 200/))
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

const harmful = {
  verdict: 'harmful',
  rule: expect.stringContaining('retry_without_refresh'),
  expected: expect.stringMatching(/^After a 401, the same access token is rejected every time\. Refresh first/),
}

test.concurrent('what comes late is found, too', { timeout: 900_000 }, async () => {
  const only = ['refresh/GET-v0-courses#2/refused', 'refresh/GET-v0-courses#2/slow']
  const [refused] = casesOf(await sweepOf(Late, { only }))
  expect(refused).toMatchObject(harmful)
})

test.concurrent('a job that goes on in every organization is no storm', { timeout: 900_000 }, async ({
  onTestFinished,
}) => {
  const jobs: NodeJS.Timeout[] = []
  onTestFinished(() => jobs.forEach(clearInterval))
  class Scheduled extends CoursesApp {
    override store(event: Event, state: State) {
      super.store(event, state)
      jobs.push(setInterval(() => void this.call('/v0/courses', event.data.credentials).catch(() => undefined), 120))
    }
  }
  // The second takes so long that the job has made more requests in both than their limit, by their own undisturbed runs.
  const only = ['install/app.installed#1/refused-first', 'list/GET-v0-elements#2/slow']
  expect(casesOf(await sweepOf(Scheduled, { only })).map(({ message }) => message)).toEqual([
    'The app works again',
    'The user sees nothing of it',
  ])
})

test.concurrent('what comes late in the runs that make it certain is found, too', { timeout: 900_000 }, async () => {
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
  test.for(seededFaults)('$what: $only', { timeout: 900_000 }, async ({ App, flow, only, verdict }, context) => {
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
    timeout: 900_000,
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

  test('is shown by scenarios with an organization each, which a sound app passes in any order', {
    timeout: 900_000,
  }, async (context) => {
    class Stubborn extends CoursesApp {
      override isOld(_event: Event, state: State) {
        return state.tokens !== undefined
      }
    }
    const only = ['reinstall/app.*/late']
    const { app, report } = await sweepInto(Stubborn, { only }, context)
    const files = casesOf(report).flatMap(({ scenario }) => scenario ?? [])
    const scenarios = await Promise.all(files.map(scenarioIn))
    const slugs = scenarios.map(({ steps: [{ fixtures }] }) => fixtures.organizations[0].slug)
    expect(slugs).toEqual(['sweep-reinstall-1c0176dd', 'sweep-reinstall-12824f76'])
    for (const order of [scenarios, scenarios.toReversed()]) {
      app.replaceBy(CoursesApp)
      for (const each of order) expect(await app.emulator.admin.runScenario(each)).toMatchObject({ passed: true })
    }
  })

  /** Acknowledges at once, and handles the event later. */
  class Queued extends CoursesApp {
    override async receive(event: Event) {
      setTimeout(() => void super.receive(event), 200)
      return 200
    }
  }

  test('is shown also by an app that acknowledges first, whose work the scenario waits for', {
    timeout: 900_000,
  }, async (context) => {
    class Forgetful extends Queued {
      override async refresh(state: State, used: Tokens) {
        await super.refresh(state, used).catch((error) => {
          state.tokens = undefined
          throw error
        })
      }
    }
    const only = ['refresh/POST-oauth-token-refresh#1/refused']
    const { app, report } = await sweepInto(Forgetful, { only }, context, { background: 400 })
    const [found] = casesOf(report)
    expect(found).toMatchObject({ verdict: 'stranded' })
    await mustShow(app, found?.scenario ?? '', true, Queued)
  })

  test('no fault is an app that keeps Retry-After while a webhook is handled; one that reads it as minutes has one', {
    timeout: 900_000,
  }, async (context) => {
    const only = ['install/GET-v0-courses#1/limited']
    const sound = await sweepInto(Checking, { only }, context)
    expect(casesOf(sound.report)).toMatchObject([{ verdict: 'healed' }])
    class Minutes extends Checking {
      override readonly second = 60_000
    }
    const { app, report } = await sweepInto(Minutes, { only }, context)
    const [found] = casesOf(report)
    expect(found).toMatchObject({ verdict: 'stranded' })
    await mustShow(app, found?.scenario ?? '', true, Checking)
  })
})
