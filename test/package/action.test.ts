import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { test as base, cleanEnvironment, type Ended, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { readReport } from '../harness/read-report.js'

const text = await readFile(join(ROOT, 'action.yml'), 'utf8')
const action = parse(text)
const steps: Step[] = action.runs.steps
const [choose, cache, step, upload, say] = steps as [Step, Step, Step, Step, Step]
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
/** An expression of GitHub Actions. */
const outputOfStart = (name: string) => ['$', `{{ steps.start.outputs.${name} }}`].join('')

/** `NAME=value` lines, as a workflow's runner reads them. */
const lines = async (file: string) =>
  Object.fromEntries(
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

interface Step {
  id?: string
  if?: string
  uses?: string
  shell?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}

interface Ran extends Omit<Ended, 'signal' | 'stderr'> {
  /** Environment variables for later steps. */
  exported: Record<string, string>
  outputs: Record<string, string>
}

const test = base.extend<{
  /** Runs the action's scripts as a runner does, in bash, with these inputs and the defaults of the others. */
  act: (inputs?: Record<string, string>, env?: Record<string, string>) => Promise<Ran>
}>({
  act: async ({ folder }, use) => {
    const shells: ChildProcess[] = []
    await use(async (inputs = {}, env = {}) => {
      const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output') }
      for (const file of Object.values(files)) await writeFile(file, '')
      let stdout = ''
      const runScript = async ({ run = '', env: declared = {} }: Step): Promise<number> => {
        const made = await lines(files.GITHUB_OUTPUT)
        const variables = Object.entries(declared).map(([name, expression]) => {
          const [, input, output] =
            /^\$\{\{ (?:inputs\.(\w+)|steps\.package\.outputs\.(\w+)) \}\}$/.exec(expression) ?? []
          return [name, input ? (inputs[input] ?? action.inputs[input].default) : (made[output as string] ?? '')]
        })
        const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
          cwd: folder,
          detached: true,
          stdio: ['ignore', 'pipe', 'inherit'],
          env: {
            ...cleanEnvironment(folder),
            ...files,
            RUNNER_TEMP: folder,
            GITHUB_JOB: 'test',
            GITHUB_ACTION_PATH: ROOT.replace(/\/$/, ''),
            ...Object.fromEntries(variables),
            ...env,
          },
        })
        shells.push(shell)
        shell.stdout.on('data', (chunk) => {
          stdout += chunk
        })
        // The emulator outlives the shell, and prints to a file.
        const [status] = await once(shell, 'close')
        return status
      }
      if (!inputs.command) await runScript(choose)
      const status = await runScript(step)
      return { status, stdout, exported: await lines(files.GITHUB_ENV), outputs: await lines(files.GITHUB_OUTPUT) }
    })
    for (const { pid } of shells) endGroup(pid as number)
  },
})

/** As the end of a job does with what its steps have left running. */
function endGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The environment with an `npx` that prints what it is asked for, and fails. */
async function withoutNpm(folder: string): Promise<Record<string, string>> {
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'npx'), '#!/bin/sh\necho "npx $*"\nexit 1\n')
  await chmod(join(folder, 'bin', 'npx'), 0o755)
  return { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
}

/** The version of the repository, as it is built. */
const command = `${process.execPath} ${join(ROOT, 'bin', 'mockademy.js')}`

describe('the action', () => {
  test('declares every input that it uses, uses every one that it declares, and describes them all', () => {
    const used = new Set([...text.matchAll(/\binputs\.(\w+)/g)].map(([, name]) => name as string))
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort())
    for (const described of [action, ...Object.values<{ description: string }>(action.inputs)]) {
      expect(described.description).toMatch(/\.$/)
    }
    const ids = action.runs.steps.map(({ id }: { id: string }) => id)
    for (const { value } of Object.values<{ value: string }>(action.outputs)) {
      expect(ids).toContain(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1])
    }
  })

  test('takes inputs by variable only: none can become a part of the script', () => {
    for (const script of [choose, step, say]) {
      expect(script).toMatchObject({ shell: 'bash', run: expect.not.stringContaining('${{') })
    }
  })

  test('keeps what npx downloads of an exact version, and of no range, for the next run', async ({ act, folder }) => {
    expect(choose.if).toBe("inputs.command == ''")
    expect(cache).toMatchObject({
      if: "steps.package.outputs.exact == 'true'",
      uses: expect.stringMatching(/^actions\/cache@[0-9a-f]{40}$/),
      with: { path: expect.stringContaining('runner.temp }}/mockademy-npm'), key: expect.stringContaining('version') },
    })
    const env = await withoutNpm(folder)
    expect((await act({}, env)).outputs).toMatchObject({ version, exact: 'true' })
    for (const range of ['latest', '1', '1.2', '^1.2.3']) {
      expect((await act({ version: range }, env)).outputs, range).toEqual({ version: range })
    }
  })

  test('is documented with every input', async () => {
    const docs = await readFile(join(ROOT, 'docs', 'ci.md'), 'utf8')
    const rows = [...docs.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name)
    expect(rows).toEqual(Object.keys(action.inputs))
  })

  test('starts an emulator that goes on serving, and exports what exec sets', async ({ act }) => {
    const { status, stdout, exported, outputs } = await act({ command, arguments: '--page-size 7  --seed e*' })
    const url = exported.MOCKADEMY_URL as string
    expect({ status, stdout }).toEqual({ status: 0, stdout: `Mockademy serves at ${url}\n` })
    expect(exported).toEqual({
      MOCKADEMY_URL: url,
      PLATFORM_BASE_URL: url,
      PLATFORM_APP_URL: url,
      PLATFORM_API_KEY: 'key_acme',
      PLATFORM_CLIENT_ID: 'app_notes',
      PLATFORM_CLIENT_SECRET: 'notes_secret',
      PLATFORM_SIGNING_SECRET: 'notes_signing',
    })
    expect(outputs).toEqual({ url, log: expect.stringMatching(/mockademy\.log$/) })
    expect((await send(`${url}/_admin`)).body.settings).toMatchObject({ page_size: 7, seed: 'e*' })
  })

  test('begins with the fixtures, one a line, whatever characters their names have', async ({ act, folder }) => {
    await mkdir(join(folder, 'my worlds'))
    for (const slug of ['one', 'two']) {
      const organizations = [{ slug, name: slug, api_key: `key_${slug}` }]
      await writeFile(join(folder, 'my worlds', `${slug}*.json`), JSON.stringify({ organizations }))
    }
    const { exported } = await act({ command, fixtures: 'my worlds/two*.json\nmy worlds/one*.json\n' })
    expect(exported).toMatchObject({ PLATFORM_API_KEY: 'key_two' })
    const { body } = await send(`${exported.MOCKADEMY_URL}/_admin/organizations`)
    expect(body.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['one', 'two'])
  })

  describe('runs a suite', () => {
    const suite = (status: number) => `
      test -z "$RUN$COMMAND"
      curl -sf -H "authorization: Bearer $PLATFORM_API_KEY" "$MOCKADEMY_URL/v0/courses" > courses.json
      exit ${status}`

    test('and has the report of one that fails, for the step that uploads it', async ({ act }) => {
      const { status, stdout, outputs, exported } = await act({ command, run: suite(3), arguments: '--page-size 7' })
      expect({ status, exported }).toEqual({ status: 3, exported: {} })
      expect(stdout).not.toContain('Mockademy serves')
      expect(outputs.artifact).toMatch(/^mockademy-report-test-\w{6}$/)
      const { data, results } = await readReport(outputs.report as string)
      expect(data.result).toBe('failed with 3')
      expect(results['/_admin/requests']).toMatchObject([{ path: '/v0/courses', status: 200 }])
      expect(results['/_admin'].settings.page_size).toBe(7)
      expect(upload).toMatchObject({
        if: "always() && steps.start.outputs.report != ''",
        uses: expect.stringMatching(/^actions\/upload-artifact@[0-9a-f]{40}$/),
        with: { name: outputOfStart('artifact'), path: outputOfStart('report') },
      })
    })

    test('and has none of one that passes', async ({ act }) => {
      const { status, outputs } = await act({ command, run: suite(0) })
      expect({ status, outputs }).toEqual({ status: 0, outputs: {} })
    })

    test('says where the report is', async ({ folder }) => {
      const env = { ...cleanEnvironment(folder), ADDRESS: 'https://github.test/a/1', GITHUB_STEP_SUMMARY: 'summary.md' }
      const child = spawn('bash', ['-eo', 'pipefail', '-c', say.run ?? ''], { cwd: folder, env })
      const printed = textOf(child.stdout)
      expect(await once(child, 'close')).toEqual([0, null])
      expect(await printed).toMatch(/^::notice .*https:\/\/github\.test\/a\/1$/m)
      expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('](https://github.test/a/1)')
    })
  })

  test('has the report of the emulator that an earlier step has started', async ({ act }) => {
    const { exported } = await act({ command })
    await send(`${exported.MOCKADEMY_URL}/v0/courses`)
    const { status, outputs } = await act({ command, report: 'true' }, { MOCKADEMY_URL: exported.MOCKADEMY_URL ?? '' })
    expect(status).toBe(0)
    const { results } = await readReport(outputs.report as string)
    expect(results['/_admin/requests']).toMatchObject([{ path: '/v0/courses', status: 401 }])
  })

  test('starts an emulator where report is false', async ({ act }) => {
    const { status, outputs, exported } = await act({ command, report: 'false' })
    expect(status).toBe(0)
    expect(outputs).toMatchObject({ url: exported.MOCKADEMY_URL })
    expect(await send(`${exported.MOCKADEMY_URL}/healthz`)).toMatchObject({ status: 200 })
  })

  test('takes lines that end as on Windows', async ({ act, folder }) => {
    await writeFile(
      join(folder, 'one.json'),
      '{ "organizations": [{ "slug": "one", "name": "One", "api_key": "key_one" }] }',
    )
    const { status, stdout, exported } = await act({
      command,
      fixtures: 'one.json\r\n',
      arguments: '--page-size 7\r\n',
    })
    expect({ status, stdout }).toMatchObject({ status: 0 })
    expect(exported.PLATFORM_API_KEY).toBe('key_one')
    expect((await send(`${exported.MOCKADEMY_URL}/_admin`)).body.settings.page_size).toBe(7)
  })

  test('exports the local certificate authority with https', async ({ act }) => {
    const { exported } = await act({ command, arguments: '--https' })
    expect(exported.MOCKADEMY_URL).toMatch(/^https:/)
    const local = await readFile(exported.NODE_EXTRA_CA_CERTS as string, 'utf8')
    expect(local).toContain('BEGIN CERTIFICATE')
    for (const name of ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']) {
      expect(await readFile(exported[name] as string, 'utf8'), name).toContain(local.trim())
    }
  })

  test('fails with the message of an emulator that does not start', async ({ act }) => {
    const { status, stdout, exported } = await act({ command, fixtures: 'missing.json' })
    expect(status).toBe(1)
    expect(stdout).toContain('missing.json: there is no such file')
    expect(stdout).toContain('::error title=Mockademy::')
    expect(exported).toEqual({})
  })

  test('fails when the emulator does not serve in time', async ({ act }) => {
    const { status, stdout } = await act({ command: `${process.execPath} -e setInterval(()=>{},9)`, timeout: '1' })
    expect(status).toBe(1)
    expect(stdout).toContain('::error title=Mockademy::The emulator is not ready after 1 seconds')
  })

  test('runs the npm package of its own version, or of the one that is asked for', async ({ act, folder }) => {
    const env = await withoutNpm(folder)
    const npx = `npx --yes --prefer-offline --cache ${join(folder, 'mockademy-npm')}`
    expect((await act({}, env)).stdout).toContain(`${npx} mockademy@${version} exec -- node `)
    expect((await act({ version: '9.9.9' }, env)).stdout).toContain(`${npx} mockademy@9.9.9 exec -- node `)
  })
})
