import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type Emulator, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as base, ROOT, said } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { serve } from '../harness/serve.js'
import { isRunning, openTerminal, type Terminal } from '../harness/terminal.js'

interface Project {
  port: number
  /** Flags of every run: any port, nothing kept. */
  flags: string[]
  /** Writes the manifest of an app that listens at `port`. */
  writeManifest(fields?: object): Promise<void>
  env: Record<string, string>
}

interface Development {
  /** A folder with an app and its manifest. */
  project: Project
  /** Runs `mockademy dev` there in a terminal. */
  dev(args: string[], ending?: string): Terminal
  /** An emulator of this process, for --url. */
  emulator: Emulator
}

const test = base.extend<Development>({
  project: async ({ folder }, use) => {
    const port = await freePort()
    const writeManifest = async (fields: object = {}) => {
      const webhook = { url: `http://localhost:${port}/webhook` }
      const manifest = {
        ...{ id: 'todo', name: 'To do', version: '1.0.0', permissions: ['courses:read'] },
        ...{ oauth: { install: true }, webhook },
        ...fields,
      }
      // Replaces the file in one step, so that dev never reads half of it.
      await writeFile(join(folder, 'manifest.new'), JSON.stringify(manifest))
      await rename(join(folder, 'manifest.new'), join(folder, 'manifest.json'))
    }
    await writeManifest()
    for (const name of ['app.js', 'app.py']) {
      await copyFile(fileURLToPath(new URL(`apps/${name}`, import.meta.url)), join(folder, name))
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    // A slow machine's app responds in its own time.
    const flags = ['--port', String(await freePort()), '--store', 'memory', '--ack-window', '1m']
    await use({ port, flags, writeManifest, env: { PORT: String(port) } })
  },
  dev: async ({ folder, project }, use) => {
    const terminals: Terminal[] = []
    await use((args, ending) => {
      const terminal = openTerminal(folder, ['dev', ...args], project.env, ending)
      terminals.push(terminal)
      return terminal
    })
    for (const terminal of terminals) terminal.kill()
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  emulator: async ({}, use) => {
    await using emulator = await startEmulator({ config: false })
    await use(emulator)
  },
})

const CTRL_C = '\x03'
const READY = /Mockademy is ready at (\S+) /
const RUNS = /runs as (\d+)\./
const python = ['python3', 'app.py']
/** A command that listens nowhere and prints its pid. */
const IDLE = [process.execPath, '-e', 'console.log("runs as %d.", process.pid); setInterval(() => {}, 1000)']

/** Waits until none of the processes runs. */
const expectGone = (...pids: unknown[]) => expect.poll(() => pids.map(Number).filter(isRunning)).toEqual([])

describe.runIf(process.platform === 'linux')('mockademy dev on a terminal', () => {
  test('installs the app, shows what happens, and does with keys what commands do', async ({ dev, project }) => {
    const terminal = dev([...project.flags, '--', 'node', 'app.js'])
    const { shows, press } = terminal
    const [, url = ''] = await shows(READY)
    const admin = connect(url)
    const [, clientId] = await shows(/dev \| created todo 1\.0\.0 from manifest\.json \(client id (\w+)\)/)
    const [, started, pid, worker] = await shows(/app \| app (\w+) runs as (\d+), its worker as (\d+)\./)
    expect(started).toBe(clientId)
    await shows(
      /dev \| installed todo in acme: acknowledged with 200 in \d+ ms/,
      /app \| app got app\.installed/,
      /dev \| \d\d:\d\d:\d\d -> POST +\/webhook 200 \d+ ms todo in acme; app\.installed/,
    )
    const courses = async () => (await fetch(`http://127.0.0.1:${project.port}/courses`)).status
    expect(await courses()).toBe(200)

    press('?')
    await shows(/dev \| e expire its access tokens\r\ndev \| w send the last webhook again/)
    press('e')
    await shows(/> mockademy tokens expire --app todo --organization acme --url \S+\r\n/)
    await shows(/dev \| expired 1 access token/)
    expect(await courses()).toBe(401)
    await shows(/GET +\/v0\/courses 401 .*expired/)
    press('f')
    await shows(/1 rate_limited {2}2 unavailable/)
    // Pressed again, it shows the menu again.
    press('f')
    await shows(/1 rate_limited {2}2 unavailable/)
    press('2')
    await shows(/> mockademy faults add unavailable --surface api --app todo --times 1 --url/)
    await shows(/the next request of todo to \/v0 fails: unavailable/)
    press('w')
    await shows(/> mockademy deliveries redeliver \S+ --url/)
    await shows(/sent app\.installed again: acknowledged with 200/)
    press('h')
    await shows(/> mockademy clock advance 1h --url/)
    await shows(/the clock shows 20/)

    await project.writeManifest({ version: '1.1.0' })
    await shows(/pushed todo 1\.1\.0 from manifest\.json/)
    await shows(/acme has todo 1\.0\.0: u upgrades it to 1\.1\.0/)
    press('u')
    await shows(/> mockademy upgrade todo acme --url/)
    await shows(/upgraded todo in acme to 1\.1\.0: acknowledged with 200/)
    expect((await admin.listInstallations({ app: 'todo', state: 'installed' }))[0]).toMatchObject({ version: '1.1.0' })

    const secrets = await admin.getAppSecrets('todo')
    press('ri')
    await shows(/> mockademy reset --url/)
    await shows(/reset: todo is not installed, i installs it/)
    expect(await admin.getAppSecrets('todo')).toEqual(secrets)
    await shows(/> mockademy install todo acme --url/)
    await shows(/installed todo in acme: acknowledged with 200/)
    expect((await admin.listInstallations({ app: 'todo', state: 'installed' }))[0]).toMatchObject({ version: '1.1.0' })

    await project.writeManifest({ version: '1.1.0', permissions: ['courses:read', 'members:read'] })
    await shows(
      /dev \| acme keeps the scopes of its installation \(courses:read\): raise the version and press u, or press i twice\r\n/,
    )
    press('i')
    await shows(/> mockademy uninstall todo acme --url/)
    await shows(/uninstalled todo from acme/)
    await expect.poll(() => admin.listInstallations({ app: 'todo', state: 'installed' })).toEqual([])

    press('q')
    expect(await terminal.ended()).toBe(0)
    await expectGone(pid, worker)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  test('o opens the console; a audits the app, and names init when there is no file for it', async ({
    dev,
    folder,
    project,
  }) => {
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin/xdg-open'), '#!/bin/sh\necho "$1" > opened\n', { mode: 0o755 })
    project.env.PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const { shows, press, ended } = dev([...project.flags, '--', 'node', 'app.js'])
    const [, url = ''] = await shows(READY)
    await shows(/installed todo in acme: acknowledged/)
    press('o')
    await shows(/> mockademy open --url \S+\r\n/)
    await shows(new RegExp(`dev \\| ${url}/_console`))
    await expect.poll(() => readFile(join(folder, 'opened'), 'utf8').catch(() => '')).toBe(`${url}/_console\n`)

    press('a')
    await shows(/> mockademy audit --url \S+\r\n/)
    await shows(/audit \| mockademy: mockademy\.audit\.json: file not found\. `mockademy init` writes/)
    await writeFile(join(folder, 'mockademy.audit.json'), '{ "app": "todo" }')
    press('a')
    await shows(/audit \| .*webhook\.\S+/)
    press('q')
    expect(await ended()).toBe(0)
  })

  test('a rejected webhook is printed with the reason and what the app answered, and its finding once', async ({
    dev,
    project,
    folder,
  }) => {
    await writeFile(
      join(folder, 'app.js'),
      (await readFile(join(folder, 'app.js'), 'utf8')).replace("'hex'", "'base64'"),
    )
    const { shows, press, text, ended } = dev([...project.flags, '--', 'node', 'app.js'])
    await shows(
      /-> POST +\/webhook 401 \d+ ms todo in acme; app\.installed\r\n/,
      /not acknowledged: app\.installed in acme: the app responded with 401 "bad signature"; .*\r\n/,
      /finding error: A genuine app\.installed was rejected\. .* --explain rejected_valid_event\)/,
    )
    expect(text().match(/the signature was right/g)).toHaveLength(1)
    press('w')
    await shows(/> mockademy deliveries redeliver/)
    await shows(/not acknowledged: app\.installed in acme/)
    expect(text().match(/finding error/g)).toHaveLength(1)
    press(CTRL_C)
    expect(await ended()).toBe(0)
  })

  test('in the background it reads no keys, for which the shell would stop it', async ({ dev, project }) => {
    const { text, ended } = dev([...project.flags, '--', process.execPath, '-e', ''], '& wait $!')
    expect(await ended()).toBe(0)
    expect(text()).toMatch(/Mockademy is ready at \S+ \(console: \S+\/_console\)\r\n/)
  })

  test('lines of the app that go to a file have no mark', async ({ dev, folder, project }) => {
    const { shows, ended } = dev([...project.flags, '--', 'sh', '-c', 'echo right; echo wrong >&2'], '2> errors.txt')
    await shows(/app \| right\r\n/)
    expect(await ended()).toBe(0)
    expect(await readFile(join(folder, 'errors.txt'), 'utf8')).toBe('wrong\n')
  })

  test('an app that never listens is named with its address, and Ctrl-C ends the wait', async ({ dev, project }) => {
    const { shows, press, text, ended } = dev([...project.flags, '--ready', '200ms', '--', ...IDLE])
    const host = `localhost:${project.port}`
    await shows(
      new RegExp(`nothing answers at ${host} after 200ms: start the app on that port, or correct webhook.url`),
    )
    await expect.poll(text).toMatch(RUNS)
    const [, pid] = RUNS.exec(text()) ?? []
    press(CTRL_C)
    expect(await ended()).toBe(0)
    await expectGone(pid)
  })

  test.for([
    [
      'quiz.invalid',
      /the host name quiz\.invalid cannot be resolved here\. Write localhost and the app's port in webhook\.url in manifest\.json, or in another manifest for --manifest/,
    ],
    // Some resolvers do not know it, but webhooks reach it.
    ['quiz.localhost', /start the app on that port, or correct webhook\.url in manifest\.json/],
  ] as const)('of the host name %s of the webhook, the reason is printed', async ([host, reason], { dev, project }) => {
    const { port } = project
    await project.writeManifest({ webhook: { url: `https://${host}:${port}/webhook` } })
    const { shows } = dev([...project.flags, '--ready', '200', '--', ...IDLE])
    await shows(new RegExp(`nothing answers at ${host}:${port} after 200ms: ${reason.source}`))
  })

  test('r in an emulator that was joined says that the app is not installed any more', async ({ dev, emulator }) => {
    const { shows, press } = dev(['--url', emulator.url, '--organization', 'none', '--', ...IDLE])
    await shows(RUNS)
    press('r')
    await shows(/dev \| reset: todo is not installed, i installs it/, /dev \| created todo 1\.0\.0/)
  })

  test('a manifest that cannot be read is reported when it is saved, and the next one is pushed', async ({
    dev,
    project,
    folder,
  }) => {
    const { shows, press, text, ended } = dev([...project.flags, '--organization', 'none', '--', ...IDLE])
    const [, url = ''] = await shows(READY)
    await shows(/runs as/)
    // Each replaces the world twice.
    for (let run = 0; run < 3; run++) await connect(url).runScenario({ steps: [{ advance: { by: '1s' } } as object] })
    await writeFile(join(folder, 'manifest.json'), '{ "id": ')
    await shows(/manifest\.json is not valid JSON/)
    await project.writeManifest({ version: 'v1' })
    await shows(/manifest\.json: Validation failed:\s+dev \| +version: must be a semantic version/)
    await project.writeManifest({ version: '1.2.0' })
    await shows(/pushed todo 1\.2\.0 from manifest\.json/)
    await writeFile(join(folder, 'manifest.json'), '{ "id": ')
    await shows(/manifest\.json is not valid JSON/)
    await project.writeManifest({ version: '1.2.0' })
    await shows(/found todo 1\.2\.0 from manifest\.json/)
    await project.writeManifest({ version: 'v1' })
    await shows(/version: must be a semantic version/)
    await project.writeManifest({ version: '1.2.0' })
    await shows(/found todo 1\.2\.0 from manifest\.json/)
    press('q')
    expect(await ended()).toBe(0)
    expect(text().match(/found todo/g)).toHaveLength(2)
  })

  test('without an app, Ctrl+C at its question ends it as one', async ({ dev, folder, project }) => {
    await rm(join(folder, 'manifest.json'))
    const { shows, press, text, ended } = dev([...project.flags, '--', ...IDLE])
    await shows(/Set this folder up with mockademy init\?/)
    press(CTRL_C)
    expect(await ended()).toBe(130)
    expect(text()).toContain('mockademy: dev was not started\r\n')
  })

  test('without an app it offers init, and what init writes is found', async ({ dev, folder, project }) => {
    await writeFile(join(folder, 'manifest.json'), '{ "id": "/", "name": "A web app", "icons": [] }')
    const { shows, press, ended } = dev([...project.flags, '--', ...IDLE])
    await shows(/There is no app here yet; dev looked for --manifest FILE/)
    await shows(/Set this folder up with mockademy init\?/)
    press('y')
    await shows(/Your app's id/)
    press('\r')
    await shows(/Where it runs/)
    press('\r')
    await shows(/created|found/)
    await shows(/runs as/)
    press(CTRL_C)
    expect(await ended()).toBe(0)
    expect(await readFile(join(folder, 'mockademy.json'), 'utf8')).toContain('mockademy/app.json')
  })

  test.for([
    [{ TERM: 'xterm' }, '1'],
    [{ NO_COLOR: '1' }, 'undefined'],
    [{ TERM: 'dumb' }, 'undefined'],
    [{ TERM: 'xterm', FORCE_COLOR: '0' }, '0'],
  ] as const)('asks the app for colors unless the user wants none: %j', async ([env, expected], { dev, project }) => {
    Object.assign(project.env, env)
    const print = 'console.log("colors:", process.env.FORCE_COLOR)'
    const { shows } = dev([...project.flags, '--', process.execPath, '-e', print])
    await shows(new RegExp(`colors: ${expected}\\r`))
  })
})

describe('mockademy dev in a pipe', () => {
  test('a second signal does not leave the command behind', async ({ launch, project }) => {
    const deaf =
      "process.on('SIGTERM', () => console.log('asked')); console.log('runs as %d.', process.pid); setInterval(() => {}, 1000)"
    const { child, ended, shown } = launch(['dev', ...project.flags, '--', process.execPath, '-e', deaf])
    await expect.poll(shown).toMatch(RUNS)
    child.kill('SIGTERM')
    await expect.poll(shown).toContain('asked')
    child.kill('SIGTERM')
    await expectGone(RUNS.exec(shown())?.[1])
    expect((await ended).status).toBe(0)
  })

  test('warns of a program that listens where the app is going to', async ({ launch, project }) => {
    await serve((_, response) => void response.end(), { port: project.port, host: 'localhost' })
    const { child, ended, shown } = launch(['dev', ...project.flags, '--', ...IDLE])
    const warning = `warning: another program listens at localhost:${project.port} already and gets the webhooks: stop it`
    await expect.poll(shown).toContain(warning)
    await expect.poll(shown).toMatch(/^runs as \d+\.$/m)
    child.kill('SIGTERM')
    await ended
  })

  test.for([
    ['30s', 3, 'acknowledged with 200'],
    ['100ms', Infinity, 'not acknowledged'],
  ] as const)(
    'for %s, it waits for the app behind a proxy, which is up after %s requests',
    async (each, { launch, project }) => {
      const [ready, requests, result] = each
      let count = 0
      const address = { port: project.port, host: 'localhost' }
      await serve((_, response) => void response.writeHead(++count > requests ? 200 : 502).end(), address)
      const { child, ended, shown } = launch(['dev', ...project.flags, '--ready', ready, '--', ...IDLE])
      await expect.poll(shown).toContain(result)
      expect(shown()).toContain(`waiting for todo to answer at localhost:${project.port}, the host of its webhook`)
      child.kill('SIGTERM')
      await ended
    },
  )

  test('a manifest that is saved as soon as the emulator is ready is registered', async ({
    launch,
    emulator,
    project,
  }) => {
    const { child, ended } = launch(['dev', '--url', emulator.url])
    await said(child, 'stdout', READY)
    await project.writeManifest({ version: '1.1.0' })
    const newest = () => emulator.admin.getApp('todo').then(({ versions }) => versions.at(-1)?.version, String)
    await expect.poll(newest).toBe('1.1.0')
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
  })

  test('a file with an older version than the emulator has is reported, and the newest one is waited for', async ({
    launch,
    emulator,
    project,
  }) => {
    await project.writeManifest()
    const webhook = { url: `http://localhost:${await freePort()}/webhook` }
    await emulator.admin.createApp({ manifest: { id: 'todo', name: 'To do', version: '2.0.0', webhook } })
    const { child, ended, shown } = launch(['dev', '--url', emulator.url])
    await expect.poll(shown).toContain(`waiting for todo to answer at ${new URL(webhook.url).host},`)
    expect(shown()).toContain(
      '\nwarning: 1.0.0 in manifest.json has no effect: installs and upgrades use the newest version, 2.0.0. Raise the version, or start with --fresh\n',
    )
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
  })

  test('a webhook at a public address is not connected to, and the install says why it was not called', async ({
    launch,
    project,
  }) => {
    // A connection to this address, which is reserved for documentation, would wait for its end.
    await project.writeManifest({ webhook: { url: 'https://203.0.113.5/hook' } })
    const { child, ended } = launch(['dev', ...project.flags, '--', ...IDLE])
    const shown = await said(child, 'stdout', /not acknowledged: .*\n/)
    expect(shown).toMatch(/not acknowledged: app\.installed in acme: 203\.0\.113\.5 is neither .* trust_hosts/)
    expect(shown).not.toMatch(/waiting for|another program/)
    child.kill('SIGTERM')
    await ended
  })

  test('passes the output on unmarked, and ends with the status of the command', async ({
    folder,
    launch,
    project,
  }) => {
    const { ended, shown } = launch(['dev', ...project.flags, '--ready', '100ms', '--', ...python], {
      env: project.env,
    })
    await expect.poll(shown).toMatch(/^runs as \d+\.$/m)
    await expect.poll(shown).toMatch(/^waiting for todo to answer at localhost:\d+, the host of its webhook$/m)
    await expect.poll(shown).toMatch(/^nothing answers at .* Still waiting$/m)
    await writeFile(join(folder, 'listen'), '')
    await expect.poll(shown).toMatch(/^installed todo in acme: acknowledged with 200/m)
    await fetch(`http://127.0.0.1:${project.port}/end/3`)
    const { status, stdout } = await ended
    expect(status).toBe(3)
    expect(stdout).toContain('python3 app.py ended with status 3')
  })

  test('with --keep it goes on without the command, until a signal ends it', async ({ launch, project }) => {
    const { child, ended, shown } = launch([
      'dev',
      ...project.flags,
      '--keep',
      '--',
      process.execPath,
      '-e',
      'process.exit(4)',
    ])
    await expect.poll(shown).toContain('ended with status 4')
    const [, url = ''] = READY.exec(shown()) ?? []
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
  })

  test('a signal takes the command along, in whatever state it is', async ({ launch, project }) => {
    const { child, ended } = launch(['dev', ...project.flags, '--', ...IDLE])
    const [, pid] = RUNS.exec(await said(child, 'stdout', RUNS)) ?? []
    child.kill('SIGINT')
    const { status, stdout } = await ended
    expect(status).toBe(0)
    expect(stdout).not.toContain('ended with status')
    await expectGone(pid)
  })

  test('a command that does not exist is 127', async ({ run, project }) => {
    const { status, stderr } = await run(['dev', ...project.flags, '--', 'no-such-command'])
    expect({ status, stderr }).toEqual({ status: 127, stderr: 'mockademy: command not found: "no-such-command"\n' })
  })

  test('pushes a manifest that was edited since its fixture seeded the store', async ({ run, folder, project }) => {
    await writeFile(join(folder, 'mockademy.json'), JSON.stringify({ fixtures: 'app.json' }))
    const kept = [...project.flags.slice(0, 2), '--organization', 'none', '--', 'true']
    const develop = async (version: string, more: object = {}) => {
      const apps = [{ client_id: 'app_own', manifest: { id: 'own', name: 'Own', version } }]
      await writeFile(join(folder, 'app.json'), JSON.stringify({ apps, ...more }))
      return run(['dev', ...kept])
    }
    expect((await develop('1.0.0')).stdout).toContain('found own 1.0.0')
    const { status, stdout } = await develop('1.1.0')
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('pushed own 1.1.0') })
    const other = await develop('1.2.0', { users: [{ email: 'ada@acme.test' }] })
    expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('was seeded from other fixtures') })
  })

  test.for([{ version: 7 }, { version: undefined }, { id: undefined }])(
    'an app in the fixtures with %o is named as a manifest that is not valid',
    async (wrong, { run, launch, emulator, folder }) => {
      const webhook = { url: `http://localhost:${await freePort()}/webhook` }
      const manifest = { id: 'own', name: 'Own', version: '1.0.0', permissions: ['courses:read'], webhook }
      const write = (fields: object) =>
        writeFile(join(folder, 'app.json'), JSON.stringify({ apps: [{ manifest: { ...manifest, ...fields } }] }))
      await writeFile(join(folder, 'mockademy.json'), JSON.stringify({ fixtures: 'app.json' }))
      const reason = 'app.json: a manifest needs id and version, each a string\n'
      await write(wrong)
      const refused = await run(['dev', '--url', emulator.url, '--', 'true'])
      expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
      await writeFile(join(folder, 'own-app.json'), JSON.stringify({ ...manifest, ...wrong }))
      const named = await run(['dev', '--url', emulator.url, '--manifest', 'own-app.json', '--', 'true'])
      expect(named).toMatchObject({ status: 2, stderr: expect.stringContaining(`own-${reason}`) })

      await write({})
      const { child, ended } = launch(['dev', '--url', emulator.url])
      await said(child, 'stdout', /waiting for own/)
      const stated = said(child, 'stdout', /each a string\n/)
      await write(wrong)
      expect(await stated).toContain(reason)
      child.kill('SIGTERM')
      await ended
    },
  )

  test('the commands that it prints name the address that a variable has set', async ({ launch, project }) => {
    const [, port = ''] = project.flags
    await project.writeManifest({ version: '2.0.0' })
    const { child, ended } = launch(['dev', '--store', 'memory', '--', ...IDLE], { env: { MOCKADEMY_PORT: port } })
    const shown = said(child, 'stdout', /upgrades it to 2\.1\.0\n/)
    const url = `http://127.0.0.1:${port}`
    await expect
      .poll(() =>
        fetch(`${url}/_admin/apps/todo`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    await connect(url).install({ app: 'todo', organization: 'acme', announce: false })
    await project.writeManifest({ version: '2.1.0' })
    expect(await shown).toContain(
      `acme has todo 2.0.0: mockademy upgrade todo acme --url ${url} upgrades it to 2.1.0\n`,
    )
    child.kill('SIGTERM')
    await ended
  })

  test('without an app it names what it looked for', async ({ run, folder, project }) => {
    await writeFile(join(folder, 'manifest.json'), '{ "id": "/", "name": "A web app", "icons": [] }')
    const { status, stderr } = await run(['dev', ...project.flags, '--', 'true'])
    expect(status).toBe(2)
    expect(stderr).toBe(
      'mockademy: dev found no app here; it looked for --manifest FILE, an app in the fixtures of mockademy.json, ' +
        'mockademy.manifest.json, and a manifest.json with id and version. `mockademy init` writes one\n',
    )
  })

  test('without an app in the fixtures of mockademy.json it names what to set there', async ({
    run,
    folder,
    project,
  }) => {
    await rm(join(folder, 'manifest.json'))
    await writeFile(join(folder, 'mockademy.json'), '{ "settings": { "page_size": 5 } }')
    const step = 'set "fixtures": ["mockademy/world.json", "mockademy/app.json"] in mockademy.json\n'
    const words = ['dev', ...project.flags, '--', 'true']
    const before = await run(words)
    expect(before).toMatchObject({ status: 2, stderr: expect.stringMatching(/`mockademy init` writes one; then /) })
    expect(before.stderr).toContain(step)
    await run(['init', '--app', 'todo'])
    const after = await run(words)
    expect(after).toMatchObject({ status: 2, stderr: expect.stringContaining(`. To use mockademy/app.json, ${step}`) })
    expect(after.stderr).not.toContain('`mockademy init`')
    await writeFile(join(folder, 'mockademy.json'), `{ ${/"fixtures": \[.*\]/.exec(after.stderr)} }`)
    expect(await run(words)).toMatchObject({ status: 0, stdout: expect.stringContaining('true ended with status 0') })
  })

  test.for([
    [['--manifest', 'none.json'], 'none.json cannot be read'],
    [['--manifest='], '--manifest needs a value'],
    [['--organization', 'hooli'], '--organization "hooli": there is no such organization; there are: acme, globex'],
    [['--ready', 'soon'], '--ready "soon": must be a duration: milliseconds, or text such as "30s"'],
  ] as const)('%o is refused before anything runs', async ([args, message], { run, project }) => {
    const { status, stdout, stderr } = await run(['dev', ...project.flags, ...args, '--', 'echo', 'ran'])
    expect(status).toBe(2)
    expect(stderr).toContain(message)
    expect(stdout).not.toContain('ran')
  })

  test('says of an installation that its app has not heard of it, and how it is sent again', async ({
    launch,
    emulator,
    project,
  }) => {
    const webhook = { url: `http://localhost:${project.port}/webhook` }
    await emulator.admin.createApp({ manifest: { id: 'todo', name: 'To do', version: '1.0.0', webhook } })
    const { delivery } = await emulator.admin.install({ app: 'todo', organization: 'acme' })
    await serve((_, response) => response.end(), { port: project.port, host: 'localhost' })
    const { child, ended } = launch(['dev', '--url', emulator.url])
    const shown = await said(child, 'stdout', /sends it again\n/)
    const redeliver = `mockademy deliveries redeliver ${delivery?.id} --url ${emulator.url}`
    expect(shown).toContain(
      `\ninstalled todo in acme: already\nnot acknowledged: app.installed in acme: ${redeliver} sends it again\n`,
    )
    child.kill('SIGTERM')
    await ended
  })

  test('names in a manifest cannot act on the terminal, and --open says when there is no browser', async ({
    launch,
    folder,
    project,
    emulator,
  }) => {
    await project.writeManifest({ '\u001b[2Jowned\u0007': 1 })
    const { child } = launch(['dev', '--url', emulator.url, '--organization', 'none', '--open'], {
      env: { PATH: folder },
    })
    const shown = await said(child, 'stdout', /export /)
    expect(shown).toContain(String.raw`warning: manifest.\u001b[2Jowned\u0007: `)
    expect(shown).not.toContain('\u001b')
    expect(shown).toContain(`\nmockademy: no browser could be started; open ${emulator.url}/_console yourself\n`)
  })

  test('without a command it prints the variables, joins the emulator at --url, and keeps the app through a reset', async ({
    launch,
    folder,
    emulator,
  }) => {
    await mkdir(join(folder, 'mockademy'))
    const port = await freePort()
    const webhook = { url: `http://localhost:${port}/webhook` }
    const manifest = { id: 'own', name: 'Own', version: '1.0.0', webhook }
    const apps = [{ signing_secret: "it's", manifest }]
    await writeFile(join(folder, 'mockademy/app.json'), JSON.stringify({ apps }))
    await writeFile(join(folder, 'mockademy.json'), JSON.stringify({ fixtures: 'mockademy/app.json' }))
    const { child, ended, shown } = launch(['dev', '--url', emulator.url])
    await expect.poll(shown).toContain('waiting for own')
    expect(shown()).toContain(`export MOCKADEMY_URL=${emulator.url}\n`)
    expect(shown()).toContain(String.raw`export PLATFORM_SIGNING_SECRET='it'\''s'`)
    const secrets = await emulator.admin.getAppSecrets('own')
    await emulator.admin.reset()
    await expect.poll(() => emulator.admin.getAppSecrets('own').catch(() => undefined)).toEqual(secrets)
    await expect.poll(() => shown().match(/^created own 1\.0\.0 from mockademy\/app\.json /gm)).toHaveLength(2)

    await emulator.admin.install({ app: 'own', organization: 'acme', announce: false })
    await emulator.admin.snapshot('one')
    await emulator.admin.restoreSnapshot('one')
    const upgrade = `mockademy upgrade own acme --url ${emulator.url}`
    for (const version of ['1.1.0', '1.2.0']) {
      const newer = [{ signing_secret: 'new', manifest: { ...manifest, version } }]
      await writeFile(join(folder, 'mockademy/app.json'), JSON.stringify({ apps: newer }))
      await expect.poll(shown).toContain(`acme has own 1.0.0: ${upgrade} upgrades it to ${version}\n`)
    }
    const ignored =
      'warning: signing_secret in mockademy/app.json differs from the one in use, which stays until you start'
    expect(shown().split(ignored)).toHaveLength(2)
    expect(shown()).not.toContain('found own')
    await serve((_, response) => response.end(), { port, host: 'localhost' })
    await expect.poll(shown).toContain('\ninstalled own in acme: already\n')
    child.kill('SIGTERM')
    expect((await ended).status).toBe(0)
    expect((await fetch(`${emulator.url}/healthz`)).status).toBe(200)
  })
})
