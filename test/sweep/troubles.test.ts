import { readFile } from 'node:fs/promises'
import { AuditFailure, type SweepOptions, sweep } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { notesOn } from '../../src/programs/sweep/present-report.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import {
  CoursesApp,
  type Event,
  type Page,
  type PlatformResponse,
  type State,
  startCoursesApp,
  type Tokens,
} from './courses-app.js'

/** The verdicts on an app, by case. */
async function verdictsOn(
  App: typeof CoursesApp,
  part: Partial<SweepOptions>,
  { canRestart = false, background = 50 } = {},
) {
  await using app = await startCoursesApp(App)
  const file = { ...app.file, background, ...(canRestart && { restart: app.restart }) }
  const { flows, passed } = await sweep({ url: app.emulator.url, file, ...part })
  const cases = flows.flatMap((flow) => flow.cases.map(({ id, verdict }) => [id, verdict] as const))
  return { passed, cases: Object.fromEntries(cases), all: flows.flatMap((flow) => flow.cases) }
}

describe.concurrent('troubles that need `restart`', () => {
  const only = ['refresh/app.*/crash', 'refresh/POST*/crash-*', 'refresh/GET-v0-courses#3/crash-before']

  test('an app that keeps on disk what it has heals', { timeout: 900_000 }, async () => {
    expect(await verdictsOn(CoursesApp, { only }, { canRestart: true })).toMatchObject({
      passed: true,
      cases: {
        'refresh/app.installed#1/crash': 'healed',
        'refresh/POST-oauth-token-refresh#1/crash-before': 'healed',
        'refresh/POST-oauth-token-refresh#1/crash-after': 'reinstalled',
        'refresh/GET-v0-courses#3/crash-before': 'healed',
      },
    })
  })

  test('one that keeps refreshed tokens in memory does not, but in a burst the kill may have met its refresh', {
    timeout: 900_000,
  }, async () => {
    const installed = new Map<State['installation'], State['tokens']>()
    class Forgetful extends CoursesApp {
      override store(...[event, state]: Parameters<CoursesApp['store']>) {
        super.store(event, state)
        installed.set(state.installation, state.tokens)
      }
      override saved() {
        const states = super.saved()
        for (const state of states.values()) state.tokens = installed.get(state.installation)
        return states
      }
    }
    const inBurst = 'burst/GET-v0-courses#1/crash-before'
    const part = { only: ['refresh/GET-v0-courses#3/crash-before', inBurst], out: 'never-written' }
    const { cases, all, passed } = await verdictsOn(Forgetful, part, { canRestart: true })
    expect(cases).toMatchObject({ 'refresh/GET-v0-courses#3/crash-before': 'harmful', [inBurst]: 'reinstalled' })
    expect(passed).toBe(false)
    const found = all.find(({ id }) => id.endsWith('#3/crash-before'))
    expect(found).toMatchObject({
      message: expect.stringMatching(/^[A-Z].*[^.]$/),
      rule: expect.stringMatching(/^(refresh_reuse|concurrent_refresh) \(spec: §[\d.]+\)/),
    })
    expect(found?.scenario).toBeUndefined()
  })
})

describe.concurrent('a restart that takes its time', () => {
  test('says nothing of an app that had given the request up before it was killed', { timeout: 900_000 }, async () => {
    class Hasty extends CoursesApp {
      override async call(path: string, tokens: Tokens): Promise<PlatformResponse> {
        const first = super.call(path, tokens)
        const isSlow = new Promise<undefined>((resolve) => setTimeout(resolve, 500))
        return (await Promise.race([first, isSlow])) ?? super.call(path, tokens)
      }
    }
    await using app = await startCoursesApp(Hasty)
    const file = { ...app.file, restart: `"${process.execPath}" -e "setTimeout(() => {}, 2000)" && ${app.restart}` }
    const only = ['refresh/GET-v0-courses#1/crash-before']
    const { flows, passed } = await sweep({ url: app.emulator.url, file, only })
    expect(flows).toMatchObject([{ cases: [{ verdict: 'unbroken' }] }])
    expect(flows[0]?.cases[0]?.steps[1]).toMatchObject({ step: 'probe', holds: true })
    expect(passed).toBe(false)
  })

  test('and fails ends a sweep, which tells what it had found', { timeout: 900_000 }, async () => {
    await using app = await startCoursesApp()
    const only = ['refresh/GET-v0-courses#1/refused', 'refresh/GET-v0-courses#1/crash-before']
    const failing = { url: app.emulator.url, file: { ...app.file, restart: 'exit 3' } }
    const report = await sweep({ ...failing, only })
    const why = 'the restart command exited with status 3'
    expect(report).toMatchObject({ passed: false, ended: 'restart-failed', endedBy: why, summary: { healed: 1 } })
    expect(notesOn(report)).toEqual([
      'not tried: 1 of 2 cases, as the sweep ended early (a restart failed)',
      `${why}: mend the command, and run the sweep again`,
    ])
    await expect(sweep({ ...failing, only: only.slice(1) })).rejects.toThrow(new AuditFailure(why))
  })
})

describe.concurrent('an app that does not come to the trouble', () => {
  const part = { flow: ['refresh'], only: ['refresh/GET-v0-courses#2/*'], skip: ['*/*/slow'] }

  test('because it works off its webhooks one after another is tried again, one case at a time', {
    timeout: 900_000,
  }, async () => {
    let queue = Promise.resolve<unknown>(undefined)
    class Queued extends CoursesApp {
      override async receive(event: Event): Promise<number> {
        queue = queue.then(() => new Promise((done) => setTimeout(done, 100))).then(() => super.receive(event))
        return 200
      }
    }
    const { cases, passed } = await verdictsOn(Queued, part, { background: 150 })
    expect(Object.values(cases)).toHaveLength(6)
    expect(Object.values(cases)).not.toContain('unbroken')
    expect(passed).toBe(true)
  })

  test('because it limits how often it is called is not tried again for each', { timeout: 900_000 }, async () => {
    let pages = 0
    const organizations = new Set<string>()
    class Limited extends CoursesApp {
      override async page(organization: string, name: string): Promise<Page> {
        organizations.add(organization)
        if ([...organizations].indexOf(organization) < 5) return super.page(organization, name)
        pages++
        return { status: 429, body: {} }
      }
    }
    const { all } = await verdictsOn(Limited, part)
    const unbroken = all.filter(({ verdict }) => verdict === 'unbroken')
    const message = 'The step "probe" failed before it (status 429), so the fault did not fire'
    expect(unbroken.map((each) => each.message)).toEqual(unbroken.map(() => message))
    expect(unbroken.length).toBeGreaterThan(1)
    // Two probes and three tries in each, and in the one that was tried again.
    expect(pages).toBe(5 * (unbroken.length + 1))
  })
})

describe.concurrent('--pairs', () => {
  const part = { pairs: true, flow: ['refresh'], only: ['refresh/GET-v0-courses#1+*/lost+refused'] }
  const ids = ['GET-v0-courses#2', 'POST-oauth-token-refresh#1', 'GET-v0-courses#3'].map(
    (second) => `refresh/GET-v0-courses#1+${second}/lost+refused`,
  )

  test('an app that heals, heals from two troubles', { timeout: 900_000 }, async () => {
    expect((await verdictsOn(CoursesApp, part)).cases).toEqual(Object.fromEntries(ids.map((id) => [id, 'healed'])))
  })

  test('each trouble may be the second one: at a later request, also a crash, and at a delivery', {
    timeout: 900_000,
  }, async () => {
    const only = [
      'refresh/GET-v0-courses#1+POST-oauth-token-refresh#1/*+crash-before',
      'refresh/GET-v0-courses#1+app.installed#1/lost+*',
    ]
    const { cases, passed } = await verdictsOn(
      CoursesApp,
      { pairs: true, flow: ['refresh'], only },
      { canRestart: true },
    )
    const first = 'refresh/GET-v0-courses#1'
    const deliveries = ['unanswered', 'late', 'twice', 'again-later', 'refused-first', 'crash']
    expect(Object.keys(cases).toSorted()).toEqual(
      [
        ...deliveries.map((trouble) => `${first}+app.installed#1/lost+${trouble}`),
        ...['lost', 'crash-after'].map((trouble) => `${first}+POST-oauth-token-refresh#1/${trouble}+crash-before`),
      ].toSorted(),
    )
    expect([...new Set(Object.values(cases))]).toEqual(['healed'])
    expect(passed).toBe(true)
    await expect(verdictsOn(CoursesApp, { flow: ['install'], only: ['install/*+*/*'] })).rejects.toThrow(
      'there is no case "install/*+*/*"; see mockademy sweep --list',
    )
  })

  test('a pair is reduced to fewer steps and weaker troubles, and its scenario shows it', {
    timeout: 900_000,
  }, async ({ onTestFinished }) => {
    class Doubtful extends CoursesApp {
      readonly failed = new Set<string>()
      override async get(state: State, organization: string, path: string) {
        return super.get(state, organization, path).catch((error) => {
          this.failed.add(organization)
          throw error
        })
      }
      override async installed(event: Event, state: State) {
        if (state.events.has(event.id) && this.failed.has(event.data.organization.id)) state.tokens = undefined
        await super.installed(event, state)
      }
    }
    const out = temporaryFolder(onTestFinished)
    await using app = await startCoursesApp(Doubtful)
    const only = ['refresh/GET-v0-courses#3+app.installed#1/lost+again-later']
    const { flows } = await sweep({ url: app.emulator.url, file: app.file, pairs: true, only, out })
    const [found] = flows.flatMap((flow) => flow.cases)
    expect(found).toMatchObject({
      verdict: 'stranded',
      trouble:
        'The first GET /v0/courses got a 503, before it had any effect, and the first app.installed arrived once more after the last step (the least that fails alike: refresh/GET-v0-courses#1+app.installed#1/refused+again-later)',
      steps: [{ step: 'install' }, { step: 'probe' }, { step: 'probe', holds: false }],
    })
    const lines = (await readFile(found?.scenario ?? '', 'utf8')).split('\n')
    const scenario = JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'))
    expect(await app.emulator.admin.runScenario(scenario)).toMatchObject({ passed: false })
    app.replaceBy(CoursesApp)
    expect(await app.emulator.admin.runScenario(scenario)).toMatchObject({ passed: true })
  })

  test('what only two troubles show is found', { timeout: 900_000 }, async () => {
    class Impatient extends CoursesApp {
      readonly failures = new Map<string, number>()
      override async get(state: State, organization: string, path: string) {
        const failed = this.failures.get(organization) ?? 0
        try {
          const found = await super.get(state, organization, path)
          this.failures.delete(organization)
          return found
        } catch (error) {
          this.failures.set(organization, failed + 1)
          if (failed > 0) state.tokens = undefined
          throw error
        }
      }
    }
    const { cases, all } = await verdictsOn(Impatient, part)
    expect(cases[ids[0] as string]).toBe('stranded')
    expect(all[0]?.trouble).toBe(
      'The first GET /v0/courses got a 503, before it had any effect, and the second GET /v0/courses got a 503, before it had any effect (the least that fails alike: refresh/GET-v0-courses#1+GET-v0-courses#2/refused+refused)',
    )
    const alone = await verdictsOn(Impatient, {
      ...part,
      pairs: false,
      only: ['refresh/GET*/lost', 'refresh/GET*/refused'],
    })
    expect(alone.passed).toBe(true)
  })
})
