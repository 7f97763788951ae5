import { type SweepOptions, sweep } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { CoursesApp, type State, startCoursesApp } from './courses-app.js'

/** The verdicts on an app, by case. */
async function verdictsOn(App: typeof CoursesApp, part: Partial<SweepOptions>, canRestart = false) {
  const app = await startCoursesApp(App)
  try {
    const file = { ...app.file, ...(canRestart && { restart: app.restart }) }
    const { flows, passed } = await sweep({ url: app.emulator.url, file, ...part })
    const cases = flows.flatMap((flow) => flow.cases.map(({ id, verdict }) => [id, verdict] as const))
    return { passed, cases: Object.fromEntries(cases), all: flows.flatMap((flow) => flow.cases) }
  } finally {
    await app.close()
  }
}

describe.concurrent('troubles that need `restart`', () => {
  const only = ['refresh/app.*/crash', 'refresh/POST*/crash-*', 'refresh/GET-v0-courses#3/crash-before']

  test('an app that keeps on disk what it has heals', { timeout: 120_000 }, async () => {
    expect(await verdictsOn(CoursesApp, { only }, true)).toMatchObject({
      passed: true,
      cases: {
        'refresh/app.installed#1/crash': 'healed',
        'refresh/POST-oauth-token-refresh#1/crash-before': 'healed',
        'refresh/POST-oauth-token-refresh#1/crash-after': 'reinstalled',
        'refresh/GET-v0-courses#3/crash-before': 'healed',
      },
    })
  })

  test('one that keeps refreshed tokens in memory does not, and there is no scenario of it', {
    timeout: 120_000,
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
    const { cases, all, passed } = await verdictsOn(Forgetful, { only, out: 'never-written' }, true)
    expect(cases['refresh/GET-v0-courses#3/crash-before']).toBe('harmful')
    expect(passed).toBe(false)
    const found = all.find(({ id }) => id.endsWith('#3/crash-before'))
    expect(found).toMatchObject({
      message: expect.stringMatching(/^refresh_reuse|^concurrent_refresh|stranded/i),
    })
    expect(found?.scenario).toBeUndefined()
  })
})

describe.concurrent('--pairs', () => {
  const part = { pairs: true, flow: ['refresh'], only: ['refresh/GET-v0-courses#1+*/lost+refused'] }
  const ids = ['GET-v0-courses#2', 'POST-oauth-token-refresh#1', 'GET-v0-courses#3'].map(
    (second) => `refresh/GET-v0-courses#1+${second}/lost+refused`,
  )

  test('an app that heals, heals from two troubles', { timeout: 120_000 }, async () => {
    expect((await verdictsOn(CoursesApp, part)).cases).toEqual(Object.fromEntries(ids.map((id) => [id, 'healed'])))
  })

  test('what only two troubles show is found', { timeout: 120_000 }, async () => {
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
      'The response to the first GET /v0/courses was lost after the work was done, and then the second GET /v0/courses was answered 503, before it had any effect',
    )
    const alone = await verdictsOn(Impatient, {
      ...part,
      pairs: false,
      only: ['refresh/GET*/lost', 'refresh/GET*/refused'],
    })
    expect(alone.passed).toBe(true)
  })
})
