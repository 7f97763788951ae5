import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { test as base, cleanEnvironment, type Ended, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const text = await readFile(join(ROOT, 'action.yml'), 'utf8')
const action = parse(text)
const [step] = action.runs.steps
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

/** `NAME=value` lines, as a workflow's runner reads them. */
const lines = async (file: string) =>
  Object.fromEntries(
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

interface Ran extends Omit<Ended, 'signal' | 'stderr'> {
  /** What the steps that follow have in their environment. */
  exported: Record<string, string>
  outputs: Record<string, string>
}

const test = base.extend<{
  /** Runs the action's step as a runner does, in bash, with these inputs and the defaults of the others. */
  act: (inputs?: Record<string, string>, env?: Record<string, string>) => Promise<Ran>
}>({
  act: async ({ folder }, use) => {
    const shells: ChildProcess[] = []
    await use(async (inputs = {}, env = {}) => {
      const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output') }
      for (const file of Object.values(files)) await writeFile(file, '')
      const variables = Object.entries(step.env as Record<string, string>).map(([name, expression]) => {
        const [, input] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? []
        return [name, inputs[input as string] ?? action.inputs[input as string].default]
      })
      const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...cleanEnvironment(folder),
          ...files,
          RUNNER_TEMP: folder,
          GITHUB_ACTION_PATH: ROOT.replace(/\/$/, ''),
          ...Object.fromEntries(variables),
          ...env,
        },
      })
      shells.push(shell)
      let stdout = ''
      shell.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      // The emulator outlives the shell.
      const [status] = await once(shell, 'exit')
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

/** The version of the repository, as it is built. */
const command = `${process.execPath} ${join(ROOT, 'bin', 'mockademy.js')}`

describe('the action', () => {
  test('declares every input that it uses, uses every one that it declares, and describes them all', () => {
    const used = [...text.matchAll(/\$\{\{ inputs\.(\w+) \}\}/g)].map(([, name]) => name as string)
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort())
    for (const described of [action, ...Object.values<{ description: string }>(action.inputs)]) {
      expect(described.description).toMatch(/\.$/)
    }
    const ids = action.runs.steps.map(({ id }: { id: string }) => id)
    for (const { value } of Object.values<{ value: string }>(action.outputs)) {
      expect(ids).toContain(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1])
    }
  })

  test('takes inputs by variable only: none can become a part of the script', () => {
    expect(step).toMatchObject({ shell: 'bash', run: expect.not.stringContaining('${{') })
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

  test('exports the local certificate authority with https', async ({ act }) => {
    const { exported } = await act({ command, arguments: '--https' })
    expect(exported.MOCKADEMY_URL).toMatch(/^https:/)
    expect(await readFile(exported.NODE_EXTRA_CA_CERTS as string, 'utf8')).toContain('BEGIN CERTIFICATE')
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
    expect(stdout).toContain('::error title=Mockademy::The emulator does not serve after 1 seconds')
  })

  test('runs the npm package of its own version, or of the one that is asked for', async ({ act, folder }) => {
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin', 'npx'), '#!/bin/sh\necho "npx $*"\nexit 1\n')
    await chmod(join(folder, 'bin', 'npx'), 0o755)
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
    expect((await act({}, env)).stdout).toContain(`npx --yes mockademy@${version} exec -- node `)
    expect((await act({ version: '9.9.9' }, env)).stdout).toContain('npx --yes mockademy@9.9.9 exec -- node ')
  })
})
