import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { oneProcessTest as test } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { serve } from '../harness/serve.js'
import { isRunning } from '../harness/terminal.js'

/** A command that prints what it is given as JSON. */
const PRINT = `
  const { MOCKADEMY_URL: url, ...env } = process.env
  fetch(url + '/v0/courses', { headers: { authorization: 'Bearer ' + env.PLATFORM_API_KEY } })
    .then((response) => console.log(JSON.stringify({ url, status: response.status, env })))`

const node = (script: string) => [process.execPath, '-e', script]

describe('exec', () => {
  test('runs the command with the addresses and secrets of a fresh emulator in its environment', async ({ run }) => {
    // Of its own, so that nothing else answers there afterwards.
    const port = String(await freePort())
    const env = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'intranet.test', no_proxy: 'intranet.test' }
    const { status, stdout, stderr } = await run(['exec', '--port', port, '--', ...node(PRINT)], { env })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const printed = JSON.parse(stdout)
    const direct = 'intranet.test,localhost,127.0.0.1,::1'
    expect(printed.env).toMatchObject({ NO_PROXY: direct, no_proxy: direct })
    expect(printed.status).toBe(200)
    expect(printed.env).toMatchObject({
      PLATFORM_BASE_URL: printed.url,
      PLATFORM_APP_URL: printed.url,
      PLATFORM_API_KEY: 'key_acme',
      PLATFORM_CLIENT_ID: 'app_notes',
      PLATFORM_CLIENT_SECRET: 'notes_secret',
      PLATFORM_SIGNING_SECRET: 'notes_signing',
    })
    await expect(fetch(`${printed.url}/healthz`)).rejects.toThrow()
  })

  test('notes that a command reaches no emulator that listens elsewhere than at the address it names', async ({
    run,
  }) => {
    const port = String(await freePort())
    const { status, stderr } = await run(['exec', '--host', '127.0.0.2', '--port', port, '--', 'true'])
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `mockademy: note: Apps cannot reach the emulator at http://127.0.0.1:${port}, because it listens only on host 127.0.0.2. Use 127.0.0.1, or 0.0.0.0 or :: for every address.\n`,
    })
  })

  test('takes the first organization and the first app of the fixtures, and leaves out what is not there', async ({
    run,
    folder,
  }) => {
    await writeFile(
      join(folder, 'world.json'),
      JSON.stringify({ organizations: [{ slug: 'solo', api_key: 'key_solo' }] }),
    )
    const env = { PLATFORM_CLIENT_ID: 'of somebody else' }
    const { stdout } = await run(['exec', '--fixtures', 'world.json', '--', ...node(PRINT)], { env })
    const printed = JSON.parse(stdout)
    expect(printed.env.PLATFORM_API_KEY).toBe('key_solo')
    expect(printed.env).not.toHaveProperty('PLATFORM_CLIENT_ID')
  })

  test('--app names another app, by id or client id', async ({ run }) => {
    const { stdout } = await run(['exec', '--app', 'insights', '--', ...node(PRINT)])
    expect(JSON.parse(stdout).env).toMatchObject({
      PLATFORM_CLIENT_ID: 'app_insights',
      PLATFORM_CLIENT_SECRET: 'insights_secret',
      PLATFORM_SIGNING_SECRET: 'insights_signing',
    })
    expect(await run(['exec', '--app', 'insigths', '--', ...node(PRINT)])).toMatchObject({
      status: 2,
      stderr: 'mockademy: --app "insigths": there is no such app; there are: notes, insights\n',
    })
  })

  test('ends with the status of the command, with 128 and the number when a signal ended it', async ({ run }) => {
    expect(await run(['exec', '--', ...node('process.exit(7)')])).toMatchObject({ status: 7, stdout: '', stderr: '' })
    const killed = await run(['exec', '--', ...node("process.kill(process.pid, 'SIGKILL')")])
    expect(killed.status).toBe(137)
  })

  test('passes signals on to the command and waits for it', async ({ launch }) => {
    const script = "process.on('SIGTERM', () => process.exit(42)); console.log('up'); setInterval(() => {}, 1000)"
    const { child, ended } = launch(['exec', '--', ...node(script)])
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    child.kill('SIGTERM')
    expect((await ended).status).toBe(42)
  })

  test('passes on a signal that is sent as soon as the command runs', async ({ run }) => {
    const script = 'trap "exit 42" TERM; kill -TERM $PPID; sleep 30 & wait'
    expect(await run(['exec', '--', 'sh', '-c', script])).toMatchObject({ status: 42, signal: null })
  })

  test('leaves nothing running that the command has left', async ({ run }) => {
    const script = `
      const { spawn } = require('node:child_process')
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      left.unref()
      left.once('spawn', () => { console.log(left.pid); process.exit(0) })`
    const { status, stdout } = await run(['exec', '--', ...node(script)])
    expect(status).toBe(0)
    await expect.poll(() => isRunning(Number(stdout))).toBe(false)
  })

  test('with --https, the command trusts the certificate', async ({ run, folder }) => {
    const { status, stdout } = await run(['exec', '--https', '--', ...node(PRINT)])
    expect(status).toBe(0)
    const printed = JSON.parse(stdout)
    expect(printed.url).toMatch(/^https:\/\/localhost:/)
    for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']) {
      expect(printed.env[name]).toContain(folder)
    }
  })

  test('runs side by side with others, each on a port of its own', async ({ launch }) => {
    const ends = await Promise.all([1, 2, 3].map(() => launch(['exec', '--', ...node(PRINT)]).ended))
    expect(new Set(ends.map(({ stdout }) => JSON.parse(stdout).url)).size).toBe(3)
  })

  test('several worlds are on free ports too, so that two such runs go together', async ({ launch }) => {
    const worlds =
      "fetch(process.env.MOCKADEMY_URL + '/_admin').then(async (r) => console.log(JSON.stringify((await r.json()).worlds)))"
    const ends = await Promise.all([1, 2].map(() => launch(['exec', '--worlds', '2', '--', ...node(worlds)]).ended))
    expect(ends.map(({ status }) => status)).toEqual([0, 0])
    const urls = ends.flatMap(({ stdout }) => JSON.parse(stdout).map(({ url }: { url: string }) => url))
    expect(new Set(urls).size).toBe(4)
    expect(urls).not.toContain('http://127.0.0.1:4600')
  })

  test('a command that is missing or not there is said so', async ({ run }) => {
    expect(await run(['exec'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('mockademy exec -- npm test'),
    })
    expect(await run(['exec', '--', 'no-such-command'])).toMatchObject({
      status: 127,
      stderr: 'mockademy: command not found: "no-such-command"\n',
    })
    expect(await run(['exec', '--', 'npm run dev'])).toMatchObject({
      status: 127,
      stderr: 'mockademy: command not found: "npm run dev"; write it without quotes: -- npm run dev\n',
    })
    const file = fileURLToPath(import.meta.url)
    expect(await run(['exec', '--', file])).toMatchObject({
      status: 126,
      stderr: `mockademy: "${file}" is not executable: run chmod +x, or put its interpreter before it\n`,
    })
  })
})

describe('wait', () => {
  test('ends with 0 when the emulator serves', async ({ launch, run }) => {
    const port = await freePort()
    const { child } = launch(['start', '--port', String(port), '--store', 'memory'])
    const { status, stdout, stderr } = await run(['wait', '--url', `http://127.0.0.1:${port}`])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    child.kill()
    expect(await run(['wait', '--timeout', '200ms'], { env: { MOCKADEMY_URL: 'http://127.0.0.1:1' } })).toMatchObject({
      status: 1,
    })
  })

  test('ends with 1 after its timeout', async ({ run }) => {
    const ended = await run(['wait', '--url', 'http://127.0.0.1:1', '--timeout', '300ms'])
    expect(ended).toMatchObject({ status: 1, stderr: 'mockademy: http://127.0.0.1:1 is not ready after 300ms\n' })
    const { url } = await serve(() => {})
    const { status, stderr } = await run(['wait', '--url', url, '--timeout', '300ms'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: `mockademy: ${url} is not ready after 300ms\n` })
  })

  test('refuses a timeout or a URL that cannot be read', async ({ run }) => {
    expect(await run(['wait', '--timeout', 'soon'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--timeout'),
    })
    for (const url of ['localhost', 'ftp://localhost']) {
      const { status, stderr } = await run(['wait', '--url', url])
      const reason = `mockademy: --url "${url}": must be an http or https URL\n`
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(reason) })
    }
  })
})

describe('validate', () => {
  test('says of good files that they are valid, and adds several up in order', async ({ run, folder }) => {
    await writeFile(join(folder, 'users.json'), JSON.stringify({ users: [{ email: 'a@x.test' }] }))
    await writeFile(
      join(folder, 'more.json'),
      JSON.stringify({ organizations: [{ slug: 'x', members: [{ user: 'a@x.test' }] }] }),
    )
    expect(await run(['validate', 'users.json', 'more.json'])).toEqual({
      status: 0,
      signal: null,
      stdout: 'users.json: valid\nmore.json: valid\n',
      stderr: '',
    })
  })

  test('reports every file, and every issue with file and path', async ({ run, folder }) => {
    const bad = `{
  "users": [
    { "email": "a@x.test" },
    { "email": "b@x.test" },
    {
      "id": "x",

      "email": "nonsense" }
  ],
  "extra": 1
}
`
    await writeFile(join(folder, 'bad.json'), bad)
    await writeFile(join(folder, 'broken.json'), '{\n  "users": [ }')
    await writeFile(join(folder, 'good.json'), '{}')
    const { status, stdout, stderr } = await run(['validate', 'bad.json', 'broken.json', 'good.json', 'missing.json'])
    expect(status).toBe(2)
    expect(stdout).toMatch(/^bad\.json: \d issues\nbroken\.json: 1 issue\ngood\.json: valid\nmissing\.json: 1 issue\n$/)
    expect(stderr).toContain('bad.json:10: extra: ')
    expect(stderr).toContain('bad.json:8: users.2.email: ')
    expect(stderr).toContain('broken.json: line 2, column 14: is not valid JSON: value expected\n')
    expect(stderr).toContain('missing.json: there is no such file\n')
  })

  test('judges manifests by the trust_hosts that the document sets', async ({ run, folder }) => {
    const manifest = { id: 'a', name: 'A', version: '1.0.0', webhook: { url: 'http://app:3000/webhook' } }
    await writeFile(join(folder, 'plain.json'), JSON.stringify({ apps: [{ manifest }] }))
    const settings = { trust_hosts: ['app'] }
    await writeFile(join(folder, 'trusted.json'), JSON.stringify({ settings, apps: [{ manifest }] }))
    expect((await run(['validate', 'plain.json'])).stderr).toContain('plain.json:1: apps.0.manifest.webhook.url: ')
    expect((await run(['validate', 'trusted.json'])).status).toBe(0)
  })

  test('needs a file', async ({ run }) => {
    expect((await run(['validate'])).status).toBe(2)
  })
})

describe('--help and --version', () => {
  test('list the commands, and the flags of one', async ({ run }) => {
    const { status, stdout } = await run(['--help'])
    expect(status).toBe(0)
    const groups = stdout.split(/\n\n(?=[A-Z].*:\n)/).filter((group) => /\n[a-z-]+ .* {2}[A-Z]/.test(group))
    // A command takes one line.
    const lines = groups.flatMap((group) => group.split('\n\nOptions:', 1).join('').split('\n').slice(1))
    expect(lines.filter((line) => !/^[a-z]+(-[a-z]+)*( [<[].*[\]>])* {2,}[A-Z]/.test(line))).toEqual([])
    for (const command of ['start', 'exec', 'wait', 'validate', 'ca']) expect(stdout).toMatch(`\n${command} `)
    expect(groups.map((group) => group.split(':', 1)[0]).slice(1, 4)).toEqual([
      'Projects and fixtures',
      'The world',
      'Apps',
    ])
    expect(groups[3]).toMatch(/^install <app> <organization> +Install an app/m)
    expect((await run(['start', '--help'])).stdout).toContain('--page-size')
  })

  test('the version is the package’s', async ({ run }) => {
    expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '0.1.0\n' })
  })
})
