import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SweepOptions, type SweepReport, sweep } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/command-line.js'
import { CoursesApp, type State, startCoursesApp } from './courses-app.js'

const LOST = 'refresh/GET-v0-courses#1/lost'

const test = base.extend<{ sweepOf: (App: typeof CoursesApp, part: Partial<SweepOptions>) => Promise<SweepReport> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  sweepOf: async ({}, use) => {
    await use(async (App, { file, ...part }) => {
      const app = await startCoursesApp(App)
      try {
        return await sweep({ url: app.emulator.url, ...part, file: { ...app.file, ...(file as object) } })
      } finally {
        await app.close()
      }
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

describe.concurrent('what a sweep says of what it does not know', () => {
  test('a failure that does not come again in three runs is shown, and fails nothing', { timeout: 300_000 }, async ({
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

  test('a budget that reaches no case of a flow does not pass', { timeout: 300_000 }, async ({ sweepOf }) => {
    const report = await sweepOf(CoursesApp, { flow: ['install'], budget: '1ms' })
    expect(report).toMatchObject({ passed: false, ended: 'budget', summary: { cases: 0 } })
  })

  test('a flow whose cases are all skipped by name is left out', { timeout: 300_000 }, async ({ sweepOf }) => {
    const part = { flow: ['install', 'uninstall'], skip: ['uninstall/*/*', '*/*/late'] }
    const report = await sweepOf(CoursesApp, part)
    expect(report).toMatchObject({ passed: true, flows: [{ flow: 'install' }] })
    expect(report.flows).toHaveLength(1)
  })

  test('an accepted case that does not exist is named, and a flow that cannot run says why', {
    timeout: 300_000,
  }, async ({ sweepOf }) => {
    const notes: string[] = []
    const accept = { 'install/GET-v0-members#1/lost': 'planned', 'refresh/GET-v0-courses#1/lost': 'not swept' }
    const onNote = (note: string) => notes.push(note)
    await sweepOf(CoursesApp, { only: ['install/*/twice'], file: { accept } as never, onNote })
    expect(notes).toEqual(['accept: install/GET-v0-members#1/lost is not a case of this app'])
    await expect(sweepOf(CoursesApp, { flow: ['sign-in'] })).rejects.toThrow(
      'there is no case to run; sign-in is skipped, because the manifest does not declare "oauth.authorize"; --list lists them',
    )
  })

  test('a file of somebody else is not replaced', { timeout: 300_000 }, async ({ sweepOf, folder }) => {
    const out = join(folder, 'sweep')
    const path = join(out, 'refresh-GET-v0-courses#1-lost.jsonc')
    await mkdir(out)
    await writeFile(path, '{ "steps": [] }')
    const notes: string[] = []
    const report = await sweepOf(Fragile, { only: [LOST], out, onNote: (note) => notes.push(note) })
    const [found] = report.flows.flatMap(({ cases }) => cases)
    expect(found).toMatchObject({ verdict: 'stranded' })
    expect(found?.scenario).toBeUndefined()
    expect(notes).toEqual([`${path} was not written by a sweep, so it is left alone`])
    expect(await readFile(path, 'utf8')).toBe('{ "steps": [] }')
  })
})
