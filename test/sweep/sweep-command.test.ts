import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit, sweep } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/command-line.js'
import { sarifIssues } from '../harness/sarif-rules.js'
import { CoursesApp, type RunningCoursesApp, startCoursesApp } from './courses-app.js'
import { seededFaults } from './seeded-faults.js'

const [fault] = seededFaults
const only = fault?.only ?? ''

const test = base.extend<{ app: RunningCoursesApp; file: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  app: async ({}, use) => {
    await using app = await startCoursesApp(fault?.App)
    await use(app)
  },
  file: async ({ app, folder }, use) => {
    await writeFile(join(folder, 'mockademy.audit.json'), JSON.stringify(app.file))
    await use('mockademy.audit.json')
  },
})

describe.concurrent('mockademy sweep', () => {
  test('shows a matrix and the failure in words, and writes a scenario that passes once the app is fixed', async ({
    app,
    file,
    folder,
    run,
  }) => {
    const { admin, url } = app.emulator
    const before = await admin.getState()
    const flags = ['--flow', 'refresh', '--only', 'refresh/POST*/refused', '--out', 'my sweeps']
    const files = ['--junit', 'sweep.xml', '--markdown', 'sweep.md', '--sarif', 'sweep.sarif']
    const ci = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
    const { status, stdout, stderr } = await run(['sweep', file, '--url', url, ...flags, ...files], {
      env: { COLUMNS: '80', ...ci },
    })
    expect(status).toBe(1)
    expect(stderr).toContain(`::error title=${only}::The app does not work again: status 404\n`)
    const written = (name: string) => readFile(join(folder, name), 'utf8')
    expect(await written('sweep.xml')).toContain(
      `<testcase classname="sweep.refresh" name="${only}"><failure type="stranded" message="The app does not work again: status 404">`,
    )
    expect(await written('sweep.md')).toContain(`## ${only}: stranded\n\n- **Broken:** The first refresh got a 503`)
    expect(await written('sweep.md')).toContain('| `POST-oauth-token-refresh#1` | ✗ |')
    expect(sarifIssues(await written('sweep.sarif'), folder)).toEqual([])
    expect(JSON.parse(await written('sweep.sarif'))).toMatchObject({
      runs: [
        {
          results: [{ ruleId: only, level: 'error', locations: [{}] }],
          automationDetails: { id: 'mockademy-sweep/courses/' },
        },
      ],
    })
    expect(await written('summary.md')).toMatch(/^### ✗ mockademy sweep of courses\n\n1 case\\, 1 stranded\.\n/)
    expect(await admin.getReport('sweep')).toMatchObject({
      app: 'courses',
      passed: false,
      flows: [{ flow: 'refresh' }],
    })
    const lines = stdout.split('\n')
    expect(lines.slice(0, 3).map((line) => line.replace(/ +/g, ' '))).toEqual([
      'refresh',
      ' refused',
      'POST-oauth-token-refresh#1 ✗',
    ])
    // The totals are one line.
    expect(lines.filter((line) => line.length > 80 && !/^The sweep of|^ {2}again /.test(line))).toEqual([])
    expect(stdout).toContain(`✗ ${only}: stranded`)
    expect(stdout).toContain('The first refresh got a 503, before it had any effect.')
    expect(stdout).toContain('The app does not work again: status 404.')
    expect(stdout).toContain('POST /oauth/token (refresh_token) 503')
    expect(stdout).toMatch(/\nThe sweep of courses did not pass: 1 case, 1 stranded; \d+ runs in \d+ s, seed sweep\.\n/)
    expect(await admin.getState()).toEqual(before)

    const [name] = await readdir(join(folder, 'my sweeps'))
    expect(name).toBe('refresh-POST-oauth-token-refresh#1-refused.jsonc')
    const scenario = join('my sweeps', name as string)
    const again = `mockademy scenario run '${scenario}' --url ${url}`
    expect(lines.find((line) => line.startsWith('  again '))).toBe(`  again     ${again}`)
    const text = await readFile(join(folder, scenario), 'utf8')
    expect(text).toMatch(/^\/\/ Written by `mockademy sweep`: refresh, POST-oauth-token-refresh#1, refused\.\n/)
    const broken = await run(['scenario', 'run', scenario, '--url', url])
    expect(broken.stdout).toContain('expected  200')
    expect(broken.status).toBe(1)
    app.replaceBy(CoursesApp)
    const mended = await run(['scenario', 'run', scenario, '--url', url])
    expect(mended.stdout).not.toContain('✗')
    expect(mended.status).toBe(0)
  })

  test('--list names the cases; globs do not cross a slash, and with a + name pairs; --json is the report', async ({
    app,
    file,
    run,
  }) => {
    const { url } = app.emulator
    const listed = await run([
      'sweep',
      file,
      '--url',
      url,
      '--list',
      '--flow',
      'uninstall',
      '--only',
      'uninstall/app.*/twice',
    ])
    expect(listed.status).toBe(0)
    expect(listed.stdout).toBe('uninstall/app.installed#1/twice\nuninstall/app.uninstalled#1/twice\n')
    const some = ['sweep', file, '--url', url, '--list', '--flow', 'uninstall', '--skip', 'refresh/*/lost']
    // Neither a flow that is left out nor a trouble that needs a restart is a typo.
    expect(await run([...some, '--skip', 'uninstall/*/crash'])).toMatchObject({ status: 0 })
    expect(await run([...some, '--skip', 'uninstal/*/twice'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('there is no case "uninstal/*/twice"; see mockademy sweep --list'),
    })
    expect(await run([...some, '--only', 'uninstall/*/twice', '--only', 'uninstall/*/twise'])).toMatchObject({
      status: 2,
    })
    const pair = 'refresh/GET-v0-courses#1+app.installed#1/lost+late'
    expect(await run(['sweep', file, '--url', url, '--list', '--only', pair])).toMatchObject({ stdout: `${pair}\n` })
    const flags = ['--flow', 'install', '--only', 'install/*/again-later', '--json', '--out', 'elsewhere']
    const { status, stdout } = await run(['sweep', file, '--url', url, ...flags])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      app: 'courses',
      passed: true,
      flows: [{ flow: 'install', points: ['app.installed#1'], cases: [{ verdict: 'unharmed', steps: [{}, {}] }] }],
      summary: { unharmed: 1, cases: 1, runs: 4 },
    })
    const unwritten = await run(['sweep', file, '--url', url, ...flags, '--junit', `${file}/sweep.xml`])
    const stderr = `mockademy: ${file}/sweep.xml cannot be written: ${file} is not a folder\n`
    expect(unwritten).toMatchObject({ status: 2, stdout: '', stderr })
  })

  test('an interrupted sweep leaves the world as it was, with status 130', async ({ app, file, launch }) => {
    const { admin, url } = app.emulator
    const before = await admin.getState()
    const { child, ended } = launch(['sweep', file, '--url', url, '--flow', 'refresh', '--only', 'refresh/GET*/slow'])
    const hasFault = async () => (await admin.listFaults()).length > 0
    while (!(await hasFault())) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    const { status, stdout, stderr } = await ended
    expect(stderr).toBe('mockademy: interrupted; restoring the world\n')
    expect(status).toBe(130)
    expect(stdout).toMatch(
      /^- not tried: (\d) of \1 cases, as the sweep ended early \(interrupted\)\n\nThe sweep of courses was interrupted: 0 cases; \d+ runs in \d+ s, seed sweep\.\n$/,
    )
    expect(await admin.getState()).toEqual(before)
  })

  test('an app that a case ends is no verdict on the cases that come later', async ({ app, file, folder, run }) => {
    app.replaceBy(
      class extends CoursesApp {
        override get = (...request: Parameters<CoursesApp['get']>) =>
          super.get(...request).catch((error) => {
            app.end()
            throw error
          })
      },
    )
    const flags = ['--flow', 'refresh', '--only', 'refresh/GET*/*']
    const { status, stdout } = await run(['sweep', file, '--url', app.emulator.url, ...flags])
    expect(stdout).toMatch(
      /\n- since refresh\/GET-v0-courses#\d\/\w+, the app has not worked for any organization\. That case or one that ran/,
    )
    const [, cases, runs] =
      /: (\d+) cases, .*; (\d+) runs in \d+ s, seed sweep\. It ended early \(the app failed\)\.\n$/.exec(stdout) ?? []
    // The flow twice without trouble, installing and uninstalling once, and then no run that reduces a case.
    expect(Number(runs)).toBe(4 + Number(cases))
    expect(status).toBe(1)
    expect(await readdir(folder)).toEqual([file])
  })

  test('an app that does not work is sent to the check for it, and one that calls another address to its settings', async ({
    app,
    file,
    run,
  }) => {
    const { url } = app.emulator
    const silence = `the app sent no request to ${url}; if it calls another address, set its PLATFORM_BASE_URL`
    for (const [status, explained] of [
      [200, `: ${silence}; otherwise the audit's check api.bearer explains why`],
      [500, "; the audit's check webhook.accepts explains why"],
    ] as const) {
      app.replaceBy(
        class extends CoursesApp {
          override receive = async () => status
        },
      )
      const { stderr } = await run(['sweep', file, '--url', url])
      expect(stderr).toBe(`mockademy: the flow "install" does not work without any trouble (status 404)${explained}\n`)
    }
    app.replaceBy(
      class extends CoursesApp {
        override page = async () => ({ status: 409, body: {} })
      },
    )
    expect((await audit({ url, file: app.file, only: ['api.bearer'] })).checks).toMatchObject([
      { message: `The probe does not work after an install: status 409, also after 50ms ("background"); ${silence}` },
    ])
  })

  test('what it cannot judge is status 2: an app that always answers the same, a file without not_installed', async ({
    app,
    run,
    folder,
    file,
  }) => {
    const { url } = app.emulator
    for (const [always, seen] of [
      [200, 'the flow "uninstall" does not work without any trouble \\(status 200\\): .*; otherwise'],
      [500, 'the flow "(un)?install" does not work without any trouble \\(status 500\\);'],
    ] as const) {
      app.replaceBy(
        class extends CoursesApp {
          override receive = async () => always
          override page = async () => ({ status: always, body: {} })
        },
      )
      const { status, stderr } = await run(['sweep', file, '--url', url])
      expect(stderr).toMatch(new RegExp(`^mockademy: ${seen} the audit's check [\\w.-]+ explains why\n$`))
      expect(status).toBe(2)
    }
    await writeFile(join(folder, 'other.json'), '{ "app": "courses" }')
    const { status, stderr } = await run(['sweep', 'other.json', '--url', url])
    expect(stderr).toContain('The audit file needs `probe.not_installed`')
    expect(status).toBe(2)
  })

  test('an accepted case does not fail the sweep, and does when it is well again', async ({ app, folder, run }) => {
    const { url } = app.emulator
    const file = { ...app.file, accept: { [only]: 'planned' } }
    const accepted = await sweep({ url, file, flow: ['refresh'], only: [only] })
    expect(accepted).toMatchObject({ passed: true, flows: [{ cases: [{ verdict: 'stranded', accepted: 'planned' }] }] })
    await writeFile(join(folder, 'accept.json'), JSON.stringify(file))
    const { stdout, status } = await run(['sweep', 'accept.json', '--url', url, '--flow', 'refresh', '--only', only])
    expect(stdout).toContain(`- accepted: ${only} (stranded): planned\n`)
    expect(status).toBe(0)
    app.replaceBy(CoursesApp)
    expect(await sweep({ url, file, flow: ['refresh'], only: [only] })).toMatchObject({ passed: false })
    await expect(sweep({ url, file, flow: ['all'] })).rejects.toThrow('no flow is called "all"; the flows are install,')
  })
})
