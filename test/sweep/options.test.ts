import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SweepOptions, type SweepReport, sweep } from 'mockademy'
import { describe, expect } from 'vitest'
import { notesOn, reportText, sweepPage, sweepResults, sweepSummary } from '../../src/programs/sweep/present-report.js'
import { statusOf } from '../../src/programs/sweep/report.js'
import { listedIn } from '../../src/programs/sweep/run-case.js'
import { test as base } from '../harness/command-line.js'
import { CoursesApp, type Event, type State, startCoursesApp, type Tokens } from './courses-app.js'

const LOST = 'refresh/GET-v0-courses#1/lost'

const test = base.extend<{ sweepOf: (App: typeof CoursesApp, part: Partial<SweepOptions>) => Promise<SweepReport> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  sweepOf: async ({}, use) => {
    await use(async (App, { file, ...part }) => {
      await using app = await startCoursesApp(App)
      return await sweep({ url: app.emulator.url, ...part, file: { ...app.file, ...(file as object) } })
    })
  },
})

/** Cannot be called for an organization any more once a request has failed. */
class Fragile extends CoursesApp {
  override async get(state: State, organization: string, path: string) {
    return super.get(state, organization, path).catch((error) => {
      state.tokens = undefined
      throw error
    })
  }
}

describe.concurrent('the undisturbed runs', () => {
  test('leave out points of one run, excuse findings of both, and keep a bystander and the clock', {
    timeout: 900_000,
  }, async () => {
    const refreshed = new Set<State>()
    const installed = new Set<string>()
    const visited = new Set<string>()
    const failing = new Map<string, number>()
    /** Sends its token in the URL, too, and needs three more visits after one that failed. */
    class Odd extends CoursesApp {
      override async receive(event: Event) {
        installed.add(event.data.organization.id)
        return super.receive(event)
      }
      override call(path: string, tokens: Tokens) {
        return super.call(path === '/v0/courses' ? `${path}?access_token=${tokens.access_token}` : path, tokens)
      }
      override async refresh(state: State, used: Tokens) {
        await super.refresh(state, used)
        if (refreshed.has(state)) return
        refreshed.add(state)
        const path = ['/v0/elements', '/v0/elements/none'][refreshed.size - 1]
        if (path) await this.call(path, state.tokens as Tokens)
      }
      override async page(organization: string, name: string) {
        visited.add(organization)
        const left = failing.get(organization) ?? 0
        failing.set(organization, left - 1)
        if (left > 0) return { status: 503, body: {} }
        const page = await super.page(organization, name)
        if (page.status === 503) failing.set(organization, 3)
        return page
      }
    }
    await using app = await startCoursesApp(Odd)
    const { admin, url } = app.emulator
    const only = ['refresh/GET-v0-courses#1/refused', 'refresh/app.installed#1/late']
    const { flows, passed } = await sweep({ url, file: app.file, only })
    expect(passed).toBe(true)
    const { points, unstable, cases } = flows[0] as (typeof flows)[0]
    expect(unstable.toSorted()).toEqual(['GET-v0-elements#1', 'GET-v0-elements-id#1'])
    expect(points.filter((point) => unstable.includes(point))).toEqual([])
    const refused = cases.find(({ id }) => id === only[0])
    expect(refused).toMatchObject({ verdict: 'healed', message: 'The app works again' })
    const times = (await admin.listRequests({ run: 'any', surface: 'api' })).map(({ at }) => Date.parse(at))
    expect(Math.max(...times)).toBeLessThan(Date.now() + 1_800_000)
    expect([...installed].filter((organization) => !visited.has(organization))).toHaveLength(1)
  })
})

test.concurrent('liberties are taken meanwhile, but pages have one size: the same steps cost the same requests', {
  timeout: 900_000,
}, async () => {
  await using app = await startCoursesApp()
  const { admin, url } = app.emulator
  const chosen = { seed: '7', kinds: ['page-size', 'key-order'] }
  await admin.setLiberties(chosen)
  const report = await sweep({ url, file: app.file, only: ['list/GET-v0-elements#1/refused'] })
  expect(report).toMatchObject({ passed: true, summary: { healed: 1 } })
  const entries = await admin.listRequests({ run: 'any' })
  expect(new Set(entries.flatMap(({ liberties = [] }) => liberties))).toEqual(new Set(['key-order']))
  expect(await admin.getLiberties()).toMatchObject(chosen)
})

describe.concurrent('what a sweep says of what it does not know', () => {
  test('a failure that does not come again in three runs is shown, and fails nothing', { timeout: 900_000 }, async ({
    sweepOf,
  }) => {
    let failures = 0
    class Once extends CoursesApp {
      override async get(state: State, organization: string, path: string) {
        return super.get(state, organization, path).catch((error) => {
          if (failures++ === 0) state.tokens = undefined
          throw error
        })
      }
    }
    const report = await sweepOf(Once, { only: [LOST] })
    const [found] = report.flows.flatMap(({ cases }) => cases)
    expect(found?.steps.at(-1)).toMatchObject({ step: 'probe', holds: true })
    expect(found).not.toHaveProperty('expected')
    expect(report).toMatchObject({
      passed: true,
      summary: { stranded: 0, healed: 1 },
      flows: [
        {
          cases: [
            { id: LOST, verdict: 'healed', flaky: 'stranded in 1 of 4 runs: The app does not work again: status 404' },
          ],
        },
      ],
    })
  })

  test('a case after which the app works for nobody is named, and the others are not reduced', {
    timeout: 900_000,
  }, async ({ sweepOf }) => {
    let isOpen = false
    /** Leaves a transaction open that everybody waits for. */
    class Locking extends CoursesApp {
      override async page(organization: string, name: string) {
        if (isOpen) return { status: 500, body: {} }
        const page = await super.page(organization, name)
        isOpen ||= page.status === 503
        return page
      }
    }
    const report = await sweepOf(Locking, { only: [LOST, 'uninstall/app.installed#1/twice'] })
    expect(report).toMatchObject({ passed: false, ended: 'app-ended', endedBy: LOST })
    expect(report.flows.flatMap(({ cases }) => cases).filter(({ expected }) => expected)).toEqual([])
  })

  test('a budget that reaches no case of a flow does not pass', { timeout: 900_000 }, async ({ sweepOf }) => {
    const report = await sweepOf(CoursesApp, { flow: ['install'], budget: '1ms' })
    expect(report).toMatchObject({ passed: false, ended: 'budget', summary: { planned: 5, cases: 0 } })
    const again = { run: '', reach: '' }
    expect(sweepPage(report, again).sections.at(-1)?.list).toEqual([
      'not tried: 5 of 5 cases, as the sweep ended early (out of time)',
      'install: failed, because none of its cases was run',
    ])
    const { suites } = sweepResults(report, again)
    expect(suites.at(-1)?.results).toMatchObject([
      { status: 'skip', message: expect.stringContaining('(out of time)') },
    ])
  })

  test('a folder that cannot be made and a budget that is none are refused before anything runs, and a world that is replaced is named', {
    timeout: 900_000,
  }, async ({ folder }) => {
    await using app = await startCoursesApp()
    const { url, admin } = app.emulator
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(sweep({ url, file: app.file, out: file })).rejects.toThrow(/^out: .*file is a file; name a folder$/)
    const soon = { url, file: app.file, budget: 'soon' as '1s' }
    await expect(sweep(soon)).rejects.toMatchObject({ name: 'InvalidOptionsError', issues: [{ path: 'budget' }] })
    const only = 'refresh/*' as unknown as string[]
    const notArray = { name: 'InvalidOptionsError', issues: [{ path: 'only', message: 'must be an array of strings' }] }
    await expect(sweep({ url, file: app.file, only })).rejects.toMatchObject(notArray)
    const out = join(folder, 'new', 'sweep')
    const part = { url, file: app.file, flow: ['install'], only: ['install/*/twice'], out }
    const onProgress = () => void admin.reset()
    await expect(sweep({ ...part, onProgress })).rejects.toThrow("the emulator's world was replaced during the sweep")
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  test('a scenario that cannot be written leaves the report, and a reduced case names the least', {
    timeout: 900_000,
  }, async ({ sweepOf, folder }) => {
    const out = join(folder, 'sweep')
    await mkdir(join(out, 'refresh-GET-v0-courses#1-lost.jsonc'), { recursive: true })
    const notes: string[] = []
    const report = await sweepOf(Fragile, { only: [LOST], out, onNote: (note) => notes.push(note) })
    expect(report.flows[0]?.cases).toMatchObject([
      { id: LOST, trouble: expect.stringContaining('(the least that fails alike: refresh/GET-v0-courses#1/refused)') },
    ])
    expect(notes).toEqual([expect.stringContaining('a scenario cannot be written: EISDIR')])
  })

  test('what fails with liberties has no scenario, which could not take them', { timeout: 900_000 }, async ({
    sweepOf,
    folder,
  }) => {
    const out = join(folder, 'sweep')
    const report = await sweepOf(Fragile, { only: [LOST], out, liberties: '7' })
    expect(report.flows[0]?.cases).toMatchObject([{ id: LOST, verdict: 'stranded' }])
    expect(report.flows[0]?.cases[0]).not.toHaveProperty('scenario')
    expect(existsSync(out)).toBe(false)
  })

  test('a step that fails without trouble is named, since each case of its flow is healed for it alone', {
    timeout: 900_000,
  }, async ({ sweepOf }) => {
    /** Refreshes after a 401, and leaves it to the user to try again. */
    class Unretrying extends CoursesApp {
      override async renew(state: State, organization: string, used: Tokens) {
        await super.renew(state, organization, used)
        throw new Error('try again')
      }
    }
    const notes: string[] = []
    const report = await sweepOf(Unretrying, {
      only: ['refresh/app.installed#1/twice'],
      onNote: (note) => notes.push(note),
    })
    expect(report).toMatchObject({ passed: true, summary: { healed: 1, cases: 1 } })
    expect(notes).toEqual([
      'refresh: the step "probe" fails without trouble (status 503); the audit\'s check api.refreshes-once explains why',
    ])
  })

  test('a flow whose last step alone fails names the check of that step', { timeout: 900_000 }, async ({ sweepOf }) => {
    /** Stores the access token of a refresh without its refresh token. */
    class Forgetful extends CoursesApp {
      override async refresh(state: State, used: Tokens) {
        await super.refresh(state, used)
        if (state.tokens) state.tokens = { ...state.tokens, refresh_token: used.refresh_token }
      }
    }
    await expect(sweepOf(Forgetful, { flow: ['refresh'] })).rejects.toThrow(
      /^the flow "refresh" does not work without any trouble \(status \d+\); the audit's check api\.rotation-kept explains why$/,
    )
  })

  test('a flow whose cases are all skipped by name is left out', { timeout: 900_000 }, async ({ sweepOf }) => {
    const part = { flow: ['install', 'uninstall'], skip: ['uninstall/*/*', '*/*/late'] }
    const report = await sweepOf(CoursesApp, part)
    expect(report).toMatchObject({ passed: true, flows: [{ flow: 'install' }] })
    expect(report.flows).toHaveLength(1)
    const again = { run: '', reach: '' }
    const [matrix] = sweepPage(report, again).sections
    expect(matrix?.table?.heads).toEqual(['', 'unanswered', 'twice', 'again-later', 'refused-first'])
    const text = reportText(report, again, { color: false, width: 80 })
    expect(text).toContain(' unanswered twice again-later refused-first\n')
  })

  test('an accepted case that does not exist is named, and a flow that cannot run says why', {
    timeout: 900_000,
  }, async ({ sweepOf }) => {
    const notes: string[] = []
    const accept = { 'install/GET-v0-members#1/lost': 'planned', 'refresh/GET-v0-courses#1/lost': 'not swept' }
    const onNote = (note: string) => notes.push(note)
    await sweepOf(CoursesApp, { only: ['install/*/twice'], file: { accept } as never, onNote })
    expect(notes).toEqual(['accept: install/GET-v0-members#1/lost is not a case of this app'])
    await expect(sweepOf(CoursesApp, { flow: ['sign-in'] })).rejects.toThrow(
      'there is no case to run; sign-in is skipped, because the manifest does not declare "oauth.authorize", and the audit file does not declare "start" and "whoami"; mockademy sweep --list lists them',
    )
  })

  test('an app that rejects its own events is not said to call another address', { timeout: 900_000 }, async ({
    sweepOf,
  }) => {
    class Uneventful extends CoursesApp {
      override async receive(event: Event) {
        return event.type.startsWith('lesson.') ? 500 : super.receive(event)
      }
    }
    await expect(sweepOf(Uneventful, { flow: ['events'] })).rejects.toThrow(
      /^the flow "events" does not work without any trouble \([^)]+\); the audit's check webhook\.unknown-event explains why$/,
    )
  })

  test('without a file, it says what the file must have', async () => {
    await expect(sweep({ url: 'http://127.0.0.1:1', file: 'none.json' })).rejects.toThrow(
      /^none\.json: file not found\. .* is enough for an audit, and a sweep needs `probe` with `not_installed`, too$/,
    )
  })

  test('a failing case is listed with others that fail alike, and not under one that is accepted', {
    timeout: 900_000,
  }, async ({ sweepOf, folder }) => {
    const [accepted, html] = ['refresh/GET-v0-courses#1/refused', 'refresh/GET-v0-courses#1/html']
    const out = join(folder, 'sweep')
    const part = { only: [accepted, html, LOST], out, file: { accept: { [accepted]: 'planned' } } as never }
    const report = await sweepOf(Fragile, part)
    const text = reportText(report, { run: 'mockademy sweep', reach: '' }, { color: false, width: 80 })
    const shown = text.split('\n').filter((line) => /^(✗| {2}(good app|also|again)) /.test(line))
    expect(shown).toEqual([
      `✗ ${LOST}: stranded`,
      expect.stringMatching(/^ {2}good app {2}Treat it as a failure/),
      `  also      ${html}`,
      expect.stringMatching(/^ {2}again {5}mockademy scenario run '.*lost\.jsonc'/),
    ])
    // Programs read each case alone.
    const cases = new Map(report.flows.flatMap(({ cases }) => cases).map((each) => [each.id, each]))
    const { scenario, expected } = cases.get(LOST) ?? {}
    expect([scenario, expected]).toEqual([expect.stringMatching(/lost\.jsonc$/), expect.any(String)])
    expect(cases.get(html)).toMatchObject({ scenario, expected })
  })

  test('a file of somebody else is not replaced; of two failures with one cause, the first names the other', {
    timeout: 900_000,
  }, async ({ sweepOf, folder }) => {
    const out = join(folder, 'sweep')
    const path = join(out, 'refresh-GET-v0-courses#1-refused.jsonc')
    await mkdir(out)
    await writeFile(path, '{ "steps": [] }')
    const notes: string[] = []
    const only = ['refresh/GET-v0-courses#1/refused', LOST]
    const report = await sweepOf(Fragile, { only, out, onNote: (note) => notes.push(note) })
    const [found, other] = report.flows.flatMap(({ cases }) => cases)
    expect(found).toMatchObject({ id: only[0], verdict: 'stranded', origins: [LOST] })
    expect(found?.scenario).toBeUndefined()
    expect(other).toMatchObject({ id: LOST, verdict: 'stranded', expected: found?.expected })
    expect(sweepSummary(report).table.rows.map(([id]) => id)).toEqual([only[0]])
    expect(notes).toEqual([`${path} was not written by a sweep, so it is left alone`])
    expect(await readFile(path, 'utf8')).toBe('{ "steps": [] }')
  })
})

// Alone, so that the undisturbed runs do not take up the budget.
test('a budget that leaves no time to repeat a failing case says so', { timeout: 900_000 }, async ({ sweepOf }) => {
  /** Takes a response that is late for the end of the installation. */
  class Hurried extends CoursesApp {
    override async get(state: State, organization: string, path: string) {
      const begun = performance.now()
      const found = await super.get(state, organization, path)
      if (performance.now() - begun > 4_900) state.tokens = undefined
      return found
    }
  }
  // The response takes 5 s, and the three tries two more.
  const report = await sweepOf(Hurried, { only: ['refresh/GET-v0-courses#1/slow'], budget: '7s' })
  expect(report).toMatchObject({ passed: false, ended: 'budget', unreduced: 1, summary: { stranded: 1 } })
  expect(statusOf({ verdict: 'unbroken', accepted: 'planned' })).toBe('skip')
  expect(notesOn(report)).toEqual([
    'not reduced: 1 failing case, which may be flaky, as the sweep ended early (out of time)',
  ])
})

test.for([
  [1, 3],
  [2, 5],
  [50, 137],
] as const)('a list has three pages of %d, with %d records', ([pageSize, records]) => {
  expect(listedIn({ pageSize }, { flow: 'list', steps: ['list'] })).toBe(records)
})
