import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { cleanEnvironment, ROOT, test } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'

const readme = await readFile(join(ROOT, 'README.md'), 'utf8')

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code as string)

/** The first cells of the rows of the table that is headed by `head`. */
function column(head: string): string[] {
  const [, table = ''] = new RegExp(`^\\| ${head} +\\|.*?\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, 'm').exec(readme) ?? []
  return table
    .split('\n')
    .flatMap((row) => [...(row.split(/(?<!\\)\|/)[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, cell]) => cell as string))
}

describe('the README is true as printed', () => {
  test('`npm start` builds and starts the emulator, which Ctrl+C ends', async ({ folder }) => {
    expect(blocks('sh')[0]).toBe('npm ci && npm start\n')
    const env = { ...cleanEnvironment(folder), MOCKADEMY_PORT: '0', MOCKADEMY_STORE: 'memory' }
    const child = spawn('npm', ['start'], { cwd: ROOT, env, detached: true })
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    try {
      await expect.poll(() => stdout, { timeout: 15_000 }).toMatch(/ready at http.*\n/)
    } finally {
      process.kill(-(child.pid as number), 'SIGINT')
    }
    await once(child, 'close')
    await expect(fetch(/http:\S+/.exec(stdout.slice(stdout.indexOf('ready at')))?.[0] as string)).rejects.toThrow()
  })

  test('`npm test` runs the tests', async () => {
    expect(blocks('sh')[1]).toBe('npm ci && npm test\n')
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.test).toContain('vitest run')
  })

  /** On free ports: 4600 and 3000 may belong to somebody. `npx mockademy` is what `npx` would find. */
  test('the tour works when it is pasted, block by block', { timeout: 60_000 }, async ({ folder }) => {
    const [emulator, app] = await Promise.all([freePort(), freePort()])
    const toPorts = (text: string) =>
      text.replaceAll('4600', String(emulator)).replaceAll('localhost:3000', `localhost:${app}`)
    const script = toPorts(blocks('sh').slice(2).join('\n'))
    const world = toPorts(await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8'))
    await writeFile(join(folder, 'world.json'), world)
    await mkdir(join(folder, 'bin'))
    await writeFile(
      join(folder, 'bin', 'npx'),
      `#!/bin/sh
[ "$1" = mockademy ] || exit 64
shift
[ "$1" != start ] || set -- "$@" --fixtures world.json
exec "${process.execPath}" "${ROOT}/bin/mockademy.js" "$@"
`,
    )
    await chmod(join(folder, 'bin', 'npx'), 0o755)
    for (const name of ['test', 'fixtures']) await symlink(join(ROOT, name), join(folder, name))

    const clean = cleanEnvironment(folder)
    const env = {
      ...clean,
      PATH: `${join(folder, 'bin')}:${clean.PATH}`,
      PORT: String(app),
      MOCKADEMY_PORT: String(emulator),
      MOCKADEMY_URL: `http://127.0.0.1:${emulator}`,
    }
    // exec is to find a port of its own, as it does where the variable is not set.
    const tour = script.replaceAll('npx mockademy exec', 'MOCKADEMY_PORT=0 npx mockademy exec')
    const bash = spawn('bash', ['-euo', 'pipefail', '-c', `trap 'kill $(jobs -p); wait' EXIT\n${tour}`], {
      cwd: folder,
      env,
    })
    let stdout = ''
    let stderr = ''
    bash.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    bash.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [status] = await once(bash, 'close')
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })

    expect(stdout.match(/"id":"essay"/g)).toHaveLength(3)
    expect(stdout).toMatch(/^delivery\.state +acknowledged$/m)
    expect(stdout).toContain('Course Notes is ready for Acme Academy.')
    expect(stdout).toMatch(/GET +\/v0\/elements\/essay +401 .*expired/)
    // One for the sign-in, one for the expired access token.
    expect(stdout.match(/POST +\/oauth\/token +200/g)).toHaveLength(2)
    expect(stdout).toMatch(/app\.uninstalled +acme +acknowledged/)
    expect(stdout).toContain('HTTP/1.1 429')
    expect(stdout).toContain('fixtures/minimal.json: valid')
    expect(stdout).toContain('my-world.json: written')
    expect(stdout).toContain('"id":"page1"')
  })

  test('the example of a test suite runs', async () => {
    const [code = ''] = blocks('js')
    expect(code.trim().split('\n').length).toBeLessThan(8)
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
    expect(stdout).toBe('200 3\n')
  })

  test('its tables list every command and every setting', async ({ run }) => {
    const { stdout: help } = await run(['--help'])
    const commands = [...help.matchAll(/^ {2}mockademy (\S+)/gm)].map(([, name]) => name)
    expect(new Set(column('command').map((cell) => cell.split(' ')[0]))).toEqual(new Set(commands))
    const flags = [...help.slice(0, help.indexOf('Options:')).matchAll(/^ +--(\S+)/gm)].map(([, flag]) =>
      flag?.replaceAll('-', '_'),
    )
    expect(new Set(column('setting'))).toEqual(new Set(flags))
  })

  test('its links lead somewhere', async () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link as string)
    expect(links.length).toBeGreaterThan(3)
    for (const link of links.filter((link) => !/^https?:/.test(link))) {
      await expect(promisify(execFile)('test', ['-e', join(ROOT, link)]), link).resolves.toBeDefined()
    }
  })
})
