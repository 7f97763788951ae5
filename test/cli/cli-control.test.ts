import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Emulator, startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { callNames } from '../../src/control/admin/call-table.js'
import { commands } from '../../src/programs/cli/commands.js'
import { changeManifest } from '../harness/change-manifest.js'
import { BIN, oneProcessTest as base, type Ended, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

interface Controlled {
  emulator: Emulator
  /** Runs a command against the emulator. */
  control: (...args: string[]) => Promise<Ended>
  /** The same with --json. @returns the answer. */
  answer: (...args: string[]) => Promise<unknown>
}

const test = base.extend<Controlled>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  emulator: async ({}, use) => {
    await using emulator = await startEmulator({ now: '2026-01-01T00:00:00Z' })
    await use(emulator)
  },
  control: async ({ run, emulator }, use) => {
    await use((...args) => run(args, { env: { MOCKADEMY_URL: emulator.url } }))
  },
  answer: async ({ control }, use) => {
    await use(async (...args) => {
      const { status, stdout, stderr } = await control(...args, '--json')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return JSON.parse(stdout)
    })
  },
})

describe('the commands that talk to a running emulator', () => {
  test('reset, snapshot and state go to other worlds', async ({ emulator, control, answer, folder }) => {
    const organizations = async () =>
      (await send(`${emulator.url}/_admin/organizations`)).body.data.map(({ slug }: { slug: string }) => slug)
    await send(`${emulator.url}/_admin/organizations`, { body: { slug: 'hooli', name: 'Hooli' } })
    expect(await answer('snapshot', 'with-hooli')).toMatchObject({ name: 'with-hooli' })
    expect((await control('reset')).status).toBe(0)
    expect(await organizations()).not.toContain('hooli')
    await control('snapshot', 'with-hooli', '--restore')
    expect(await organizations()).toContain('hooli')
    expect((await control('snapshot')).stdout).toMatch(/^with-hooli /m)
    await control('snapshot', 'with-hooli', '--delete')
    expect((await control('snapshot')).stdout).toBe('none\n')

    const file = join(folder, 'new', 'state.json')
    expect((await control('state', 'export', file)).stdout).toBe(`${file}: written\n`)
    expect(JSON.parse(await readFile(file, 'utf8')).organizations).toHaveLength(4)
    await control('reset')
    expect(await answer('state', 'import', file)).toMatchObject({ counts: { organizations: 4 } })
    expect(await organizations()).toContain('hooli')
  })

  test('a switch is on with yes, 1 and TRUE, off with no and 0, and nothing else', async ({ control }) => {
    for (const value of ['yes', '1', 'TRUE'])
      expect((await control('snapshot', `--json=${value}`)).stdout).toMatch(/^\{/)
    for (const value of ['no', '0']) expect((await control('apps', 'list', `--json=${value}`)).stdout).toMatch(/^id /)
    const refused = { status: 2, stdout: '', stderr: 'mockademy: --announce "maybe": must be true or false\n' }
    expect(await control('install', 'notes', 'acme', '--announce=maybe')).toMatchObject(refused)
    expect((await control('state', 'export', '--', '--json=maybe')).stderr).not.toContain('must be true')
  })

  test('- is standard output and standard input', async ({ emulator, control, launch }) => {
    const { status, stdout } = await control('state', 'export', '-')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual((await send(`${emulator.url}/_admin/state`)).body)
    expect((await control('state', 'export')).stdout).toBe(stdout)
    const unwritten = await control('state', 'export', '/dev/null/world.json')
    expect(unwritten).toMatchObject({
      status: 2,
      stderr: 'mockademy: /dev/null/world.json cannot be written: /dev/null is not a folder\n',
    })

    const fed = async (text: string, ...args: string[]) => {
      const { child, ended } = launch(args, { env: { MOCKADEMY_URL: emulator.url } })
      child.stdin?.end(text)
      return ended
    }
    const hooli = JSON.stringify({ organizations: [{ slug: 'hooli', name: 'Hooli' }] })
    expect(await fed(hooli, 'state', 'add', '-')).toMatchObject({ status: 0, stdout: expect.stringContaining('hooli') })
    expect((await send(`${emulator.url}/_admin/organizations/hooli`)).status).toBe(200)
    expect(await fed(hooli, 'state', 'import', '-')).toMatchObject({ status: 0, stderr: '' })
    expect((await send(`${emulator.url}/_admin`)).body.counts.organizations).toBe(1)
    expect(await fed('[', 'state', 'import', '-')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('standard input is not valid JSON'),
    })
    expect((await control('reset', '-')).stderr).toContain('unknown operand "-"')
  })

  test('a full disk under the output is said without a stack trace', async ({ emulator }) => {
    const command = `'${process.execPath}' '${BIN}' state export --url ${emulator.url} > /dev/full`
    await expect(promisify(execFile)('sh', ['-c', command])).rejects.toMatchObject({
      code: 1,
      stderr: 'mockademy: standard output cannot be written: ENOSPC: no space left on device, write\n',
    })
  })

  test.skipIf(process.platform === 'win32')('a full disk leaves a file as it was', async ({ emulator, folder }) => {
    await writeFile(join(folder, 'world.json'), 'old', { mode: 0o600 })
    const exportTo = (limit: string) =>
      promisify(execFile)(
        'sh',
        ['-c', `${limit} exec '${process.execPath}' '${BIN}' state export world.json --url ${emulator.url}`],
        { cwd: folder },
      )
    await expect(exportTo('ulimit -f 1;')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^mockademy: world\.json cannot be written: EFBIG: /),
    })
    expect(await readFile(join(folder, 'world.json'), 'utf8')).toBe('old')
    await exportTo('')
    expect((await stat(join(folder, 'world.json'))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['world.json'])
  })

  test('writes into a mounted file, which no other can replace', async ({ run, emulator, folder, skip }) => {
    const source = `/dev/shm/${basename(folder)}.json`
    for (const file of [source, join(folder, 'world.json')]) await writeFile(file, '').catch(() => {})
    const mount = promisify(execFile)('mount', ['--bind', source, join(folder, 'world.json')])
    skip(
      await mount.then(
        () => false,
        () => true,
      ),
      'only root can mount',
    )
    try {
      expect(await run(['state', 'export', 'world.json', '--url', emulator.url])).toMatchObject({ status: 0 })
      expect(JSON.parse(await readFile(source, 'utf8'))).toHaveProperty('organizations')
    } finally {
      await promisify(execFile)('umount', [join(folder, 'world.json')])
      await rm(source)
    }
  })

  test.for([
    ['coverage', '--write'],
    ['exec', '--report', '--', 'true'],
    ['pull', '--out'],
    ['audit', '--junit'],
    ['compare', '--markdown'],
    ['requests', 'list', '--har'],
  ])('an empty path is refused before anything runs: %s', async (words, { run, folder }) => {
    const flag = words.find((word) => /^--./.test(word)) as string
    const given = words.map((word) => (word === flag ? `${flag}=` : word))
    expect(await run(given)).toMatchObject({ status: 2, stderr: `mockademy: ${flag} "": must not be empty\n` })
    expect(await readdir(folder)).toEqual([])
  })

  test('a pipe that takes little at a time gets all of it', async ({ emulator, control, launch }) => {
    const elements = Array.from({ length: 1000 }, (_, index) => ({
      type: 'CONTENT',
      name: 'n'.repeat(200 + (index % 9)),
    }))
    const courses = [{ id: 'c', name: 'C', modules: [{ id: 'm', name: 'M', elements }] }]
    await send(`${emulator.url}/_admin/state`, { method: 'PUT', body: { organizations: [{ slug: 'big', courses }] } })
    const { child, ended } = launch(['state', 'export'], { env: { MOCKADEMY_URL: emulator.url } })
    child.stdout?.pause()
    await once(child.stdout as NodeJS.ReadableStream, 'readable')
    child.stdout?.resume()
    const { status, stdout } = await ended
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(300_000)
    expect(stdout).toBe((await control('state', 'export')).stdout)
    expect(JSON.parse(stdout)).toEqual((await send(`${emulator.url}/_admin/state`)).body)
  })

  test('clock shows, advances, freezes and resumes', async ({ answer, control }) => {
    expect(await answer('clock', 'advance', '90s')).toMatchObject({ now: '2026-01-01T00:01:30.000Z' })
    expect(await answer('clock', 'advance', '90000')).toMatchObject({ now: '2026-01-01T00:03:00.000Z' })
    expect(await answer('clock')).toMatchObject({ now: '2026-01-01T00:03:00.000Z', frozen: true })
    expect(await answer('clock', 'freeze', '2030-06-01T00:00:00Z')).toMatchObject({ now: '2030-06-01T00:00:00.000Z' })
    expect((await control('clock', 'resume')).stdout).toMatch(/^frozen +false$/m)
  })

  test('apps are created, pushed and listed; installed, upgraded and uninstalled', async ({
    answer,
    control,
    folder,
  }) => {
    const manifest = {
      id: 'bot',
      name: 'Bot',
      version: '1.0.0',
      permissions: ['elements:read'],
      oauth: { install: true },
      webhook: { url: 'http://localhost:1/webhook' },
      post_install_action: { url: 'http://localhost:1/setup' },
    }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    expect(await answer('apps', 'create', 'manifest.json', '--client-secret', 'cs_bot')).toMatchObject({
      id: 'bot',
      client_secret: 'cs_bot',
    })
    await writeFile(join(folder, 'other.json'), JSON.stringify({ ...manifest, id: 'other', colour: 'red' }))
    expect(await control('apps', 'push', 'other.json')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^mockademy: There is no app "other".* To create it: mockademy apps create other\.json\n$/,
      ),
    })
    await writeFile(join(folder, 'list.json'), '[]')
    expect(await control('apps', 'push', 'list.json')).toMatchObject({
      status: 2,
      stderr: 'mockademy: list.json: must be a JSON object\n',
    })
    await writeFile(join(folder, 'nameless.json'), JSON.stringify({ ...manifest, id: undefined }))
    expect(await control('apps', 'push', 'nameless.json')).toMatchObject({
      status: 2,
      stderr: 'mockademy: nameless.json: id: is required: a string\n',
    })
    expect(await control('apps', 'push', 'manifest.json', '--app', 'todo')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no app "todo"'),
    })
    const created = await control(
      'apps',
      'create',
      'other.json',
      '--client-id',
      'app_other',
      '--signing-secret',
      'ss_other',
    )
    expect(created.stdout).toMatch(
      /^id +other\nwarnings +manifest\.colour: is not a known member.*\n\nPLATFORM_CLIENT_ID=app_other\nPLATFORM_CLIENT_SECRET=cs_\S+\nPLATFORM_SIGNING_SECRET=ss_other\n$/,
    )
    await control('apps', 'delete', 'other')
    const installed = await answer('install', 'bot', 'acme', '--no-announce')
    expect(installed).toMatchObject({ installation: { state: 'installed' }, delivery: null })
    expect((await control('install', 'bot', 'acme')).status).toBe(1)

    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, version: '1.1.0' }))
    await control('apps', 'push', 'manifest.json')
    expect((await control('apps', 'list')).stdout).toMatch(/^bot /m)
    expect((await control('upgrade', 'bot', 'acme')).stdout).toMatch(/^installation\.version +1\.1\.0$/m)
    expect((await control('uninstall', 'bot', 'acme')).stdout).toMatch(/^installation\.state +uninstalled$/m)
    expect(await control('uninstall', 'bot', 'acme')).toMatchObject({
      status: 1,
      stderr: 'mockademy: bot is not installed in acme\n',
    })
  })

  test('tokens are listed by their last four characters, expired and revoked', async ({
    emulator,
    answer,
    control,
  }) => {
    const { stdout } = await control('tokens', 'list', '--organization', 'globex')
    expect(stdout).toMatch(/^obex +access +install +notes +globex/m)
    expect(stdout).not.toContain('at_notes_globex')
    expect(await answer('tokens', 'expire', '--organization', 'globex')).toEqual({ affected: 1, access: 1, refresh: 0 })
    const call = await send(`${emulator.url}/v0/courses`, { as: 'at_notes_globex' })
    expect(call.headers.get('www-authenticate')).toContain('expired')
    expect(await answer('tokens', 'revoke', '--token', 'at_insights_initech')).toMatchObject({ affected: 1 })
    expect((await send(`${emulator.url}/v0/courses`, { as: 'at_insights_initech' })).status).toBe(401)
  })

  test('sign-in prints a session cookie', async ({ emulator, control }) => {
    const { stdout } = await control('sign-in', 'ada@acme.test')
    const page = await send(`${emulator.url}/settings/integrations`, { headers: { cookie: stdout.trim() } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Acme Academy')
  })

  test('silent-auth forces outcomes', async ({ answer, control }) => {
    await answer('silent-auth', 'login_required', '--app', 'notes', '--times', '2')
    expect(await answer('silent-auth')).toMatchObject({ data: [{ outcome: 'login_required', app: 'notes', times: 2 }] })
    expect(await control('silent-auth', 'login_required', '--clear')).toMatchObject({
      status: 2,
      stderr: 'mockademy: --clear takes no outcome\n',
    })
    await answer('silent-auth', '--clear')
    expect(await answer('silent-auth')).toEqual({ data: [] })
  })

  test('faults are added, listed and cleared', async ({ emulator, answer, control }) => {
    const args = ['faults', 'add', '{"status":503}', '--surface', 'api', '--path', '/v0/*', '--times', '1']
    expect(await answer(...args)).toMatchObject({ effect: { status: 503 }, times: 1 })
    expect((await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })).status).toBe(503)
    expect((await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })).status).toBe(200)
    const { id } = (await answer('faults', 'add', 'rate_limited')) as { id: string }
    expect((await control('faults', 'clear', id)).stdout).toBe(`deleted: ${id}\n`)
    expect((await control('faults', 'list')).stdout).toContain('{"status":503}')
    expect((await control('faults', 'clear')).stdout).toMatch(/^deleted: \S+\n$/)
    expect((await control('faults', 'clear')).stdout).toBe('there were none\n')
    expect((await control('faults', 'list')).stdout).toBe('none\n')
    expect(await control('faults', 'add', '{oops')).toMatchObject({ status: 2 })
    expect(await control('faults', 'add', 'drop')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('effect: "drop" is an effect of the surface webhook: set --surface webhook\n'),
    })
    expect(await control('faults', 'add', 'no_such_effect')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('effect: must be one of'),
    })
  })

  test('deliveries and requests tell what happened', async ({ emulator, answer, control }) => {
    await changeManifest(emulator.admin, { webhook: { url: 'http://localhost:1/nobody' } })
    const installed = (await answer('install', 'notes', 'acme')) as { delivery: object }
    expect(installed.delivery, '--json is the response as it is').not.toHaveProperty('error')
    const list = (await answer('deliveries', 'list', '--state', 'retrying')) as { data: { id: string }[] }
    expect(list.data).toHaveLength(1)
    const id = list.data[0]?.id as string
    expect(JSON.parse((await control('deliveries', 'show', id)).stdout).attempts).toHaveLength(1)
    expect(await answer('deliveries', 'redeliver', id)).toMatchObject({ id })
    expect(JSON.parse((await control('deliveries', 'show', id)).stdout).attempts).toHaveLength(2)
    expect(await answer('deliveries', 'redeliver', id, '--forged', 'drop')).toMatchObject({
      attempts: [{}, {}, { status: null, fault: expect.any(String) }],
    })
    expect(await control('deliveries', 'redeliver', id, '--forged', 'bad_signatur')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('effect: must be one of'),
    })
    expect(await answer('requests', '--count', '--surface', 'api')).toEqual({ count: 0 })
    expect((await control('requests', '--count')).stdout).toMatch(/^count +\d+$/m)
    await send(`${emulator.url}/v0/courses?limit=1`, { as: 'key_acme' })
    expect((await control('requests', '--surface', 'api')).stdout).toMatch(/ {2}200 .* warning: limit .* ignored/)
    const kept = (await emulator.admin.listRequests()).map((entry) => entry.id)
    expect(await control('requests', 'show', '999')).toMatchObject({
      status: 1,
      stderr: `mockademy: there is no request "999"; kept are: ${kept[0]} to ${kept.at(-1)}\n`,
    })
    expect(await answer('requests', '--clear')).toEqual({ affected: kept.length })
    expect(await answer('requests', '--count')).toEqual({ count: 0 })
  })

  test('redeliver --forged applies its effect to the app of the delivery alone', async ({ emulator, answer }) => {
    const { delivery } = await emulator.admin.install({ app: 'notes', organization: 'acme' })
    const id = String(delivery?.id)
    await emulator.admin.addFault({
      match: { surface: 'webhook', app: 'notes', organization: 'globex' },
      effect: 'drop',
    })
    const faults = await emulator.admin.listFaults()
    const { attempts } = (await answer('deliveries', 'redeliver', id, '--forged', 'bad_signature')) as {
      attempts: object[]
    }
    expect(attempts.at(-1)).toMatchObject({ fault: expect.any(String) })
    expect(await emulator.admin.listFaults()).toEqual(faults)
  })

  test('redeliver --forged says what it did not forge, and leaves no fault', async ({ emulator, control }) => {
    const { admin } = emulator
    const { delivery } = await admin.install({ app: 'notes', organization: 'acme' })
    const { id = '', attempts = [] } = delivery ?? {}
    const rejected = { status: 2, stderr: expect.stringContaining('--forged reorder: a redelivery is sent at once') }
    expect(await control('deliveries', 'redeliver', id, '--forged', 'reorder')).toMatchObject(rejected)
    expect((await admin.getDelivery(id)).attempts).toEqual(attempts)
    await admin.addFault({ match: { surface: 'webhook' }, effect: 'drop' })
    const faults = await admin.listFaults()
    expect(await control('deliveries', 'redeliver', id, '--forged', 'bad_signature')).toMatchObject({
      status: 1,
      stderr: 'mockademy: the event was sent, but not forged: an older fault fired first\n',
    })
    expect(await admin.listFaults()).toMatchObject([{ id: faults[0]?.id }])
  })

  test('say what the emulator has against a call, and when none answers', async ({ control, run }) => {
    expect(await control('install', 'nothing', 'acme')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^mockademy: .*nothing/),
    })
    const env = { MOCKADEMY_URL: 'http://127.0.0.1:1' }
    expect(await run(['reset'], { env })).toMatchObject({
      status: 1,
      stderr:
        'mockademy: No emulator answers at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Is it running?\n',
    })
    expect((await control('faults')).stderr).toContain('faults needs one of: add, list, clear')
    for (const word of ['list', 'restore', 'delete']) {
      expect(await control('snapshot', word)).toMatchObject({ status: 2, stderr: expect.stringContaining('snapshot') })
    }
    expect((await control('snapshot', 'restore', 'before')).stderr).toContain('snapshot NAME --restore')
    expect((await control('snapshot', 'before', '--restore')).stderr).toBe(
      'mockademy: There is no snapshot "before"; none exist\n',
    )
  })

  test('name the flag and variable of a token that is missing or wrong', async ({ run }) => {
    await using emulator = await startEmulator({ adminToken: 'right' })
    const said = async (...args: string[]) => {
      const { status, stderr } = await run([...args, '--url', emulator.url])
      return `${status} ${stderr}`
    }
    const ways = '(--admin-token or MOCKADEMY_ADMIN_TOKEN)\n'
    for (const words of [['status'], ['requests', '--follow']]) {
      expect(await said(...words)).toBe(`1 mockademy: The control API requires an admin token ${ways}`)
      expect(await said(...words, '--admin-token', 'wrong')).toBe(
        `1 mockademy: The control API rejected the admin token ${ways}`,
      )
    }
  })

  test('say that an address is one of http or https, or that its certificate is not trusted', async ({ run }) => {
    const plain = await startEmulator()
    const secure = await startEmulator({ https: true })
    const said = async (url: string) => (await run(['status', '--url', url])).stderr
    expect(await said(plain.url.replace('http:', 'https:'))).toMatch(/: it speaks http, not https\n$/)
    expect(await said(secure.url.replace('https:', 'http:'))).toMatch(/Is it running, or does it speak https\?\n$/)
    expect(await said(secure.url)).toMatch(/: its certificate is not trusted \(.+\): see mockademy ca\n$/)
    await Promise.all([plain.close(), secure.close()])
  })

  test('say what is missing or wrong, once, at its level', async ({ control }) => {
    const said = async (...args: string[]) => {
      const { status, stdout, stderr } = await control(...args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      return stderr.replace(/\n`mockademy --help`.*\n$/s, '')
    }
    expect(await said('install', 'notes')).toBe(
      'mockademy: install needs <organization>: mockademy install <app> <organization>',
    )
    expect(await said('tokens', 'mint')).toBe(
      'mockademy: tokens mint needs <app>: mockademy tokens mint <app> <organization>',
    )
    expect(await said('apps', 'lst')).toBe('mockademy: unknown command of apps "lst"; did you mean "list"?')
    expect(await said('instal', 'notes', 'acme')).toBe('mockademy: unknown command "instal"; did you mean "install"?')
    expect(await said('install', 'notes', 'acme', '--version', '2.0.0')).toBe(
      'mockademy: unknown flag --version; did you mean "--app-version"?',
    )
    expect(await said('faults', 'add', 'unavailable', '--times', 'x')).toBe('mockademy: --times must be a number')
    expect((await control('faults', 'add', '--help')).stdout).toMatch(/--times .*\[number\]/)
    const others = 'mockademy: unknown flag --nosuch; expected one of --help, --version'
    expect(await said('completion', '--nosuch')).toBe(others)
    expect(await said('reset', '--jsn', '--oops')).toBe('mockademy: unknown flag --jsn; did you mean "--json"?')
    const flow = (...names: string[]) => said('sweep', ...names.flatMap((name) => ['--flow', name]))
    expect(await flow('instal')).toBe('mockademy: --flow "instal": is not one of its values; did you mean "install"?')
    expect(await flow('list', 'everything', 'x')).toMatch(
      /^mockademy: --flow "everything": is not one of its values; expected one of install, refresh, .*, events$/,
    )
    expect(await said('trigger', 'course.completed', '--app', 'notes')).toBe(
      'mockademy: trigger needs --installation, or --app and --organization\n',
    )
    expect(await said('tokens', 'revoke')).toBe('mockademy: tokens revoke needs a filter, --token or --all\n')
    expect(await said('inbox', 'mine', '--header', 'x-colour')).toBe(
      'mockademy: --header "x-colour": must be "name: value"\n',
    )
    expect(await said('completion', 'tcsh')).toBe(
      'mockademy: there is no script for "tcsh"; there are: bash, zsh, fish\n',
    )
    expect(await said('snapshot', '--restore')).toBe('mockademy: snapshot --restore needs the name of a snapshot\n')
    expect(await said('clock', 'advance', 'soon')).toMatch(/^mockademy: Validation failed:\n {2}by: must be a duration/)
    expect(await said('clock', 'advance', '-1h')).toMatch(/^mockademy: Validation failed:\n {2}by: must be a duration/)
    const invalid = (issue: string) => `mockademy: Validation failed:\n  ${issue}\n`
    expect(await said('faults', 'add', 'unavailable', '--times', '0')).toBe(invalid('--times: must be at least 1'))
    const surfaces = 'must be one of api, oauth, webhook, id_token'
    expect(await said('faults', 'add', 'unavailable', '--surface', 'x')).toBe(invalid(`--surface: ${surfaces}`))
    expect(await said('requests', '--limit', '0')).toBe(invalid('--limit: must be at least 1'))
    const dashes = 'mockademy: exec needs -- before the command that it runs, as in: mockademy exec -- npm test'
    expect(await said('exec', 'npm', 'test')).toBe(dashes)
    expect(await said('exec', 'npm', 'run', 'test', '--watch')).toBe(dashes)
    expect(await said('exec', 'foo', '--', 'true')).toBe('mockademy: unknown operand "foo"')
    expect(await said('dev', '--url', 'http://127.0.0.1:1', '--page-size', '2', '--', 'true')).toBe(
      'mockademy: --url and --page-size exclude each other',
    )
    expect(await said('requests', '--clear', '--status', '401')).toBe(
      'mockademy: --clear and --status exclude each other',
    )
    expect(await said('requests', '--clear', '--har', 'z')).toBe('mockademy: --clear and --har exclude each other')
    expect(await said('findings', '--clear', '--rule', 'x')).toBe('mockademy: --clear and --rule exclude each other')
    expect(await said('reset', '--', 'foo')).toBe('mockademy: unknown operand "foo"')
    expect(await said('reset', '--', '--json')).toBe('mockademy: unknown operand "--json"')
    expect(await said('install', 'notes', '--', 'acme', 'x')).toBe('mockademy: unknown operand "x"')
    expect(await said('--fixtures', 'a', 'b')).toBe('mockademy: unknown command "b"; repeat --fixtures for each file')
  })

  test('flags may stand before the command, and help before or after it', async ({ emulator, run }) => {
    const { status, stdout } = await run(['--url', emulator.url, '--json', 'apps', 'list'])
    expect({ status, apps: JSON.parse(stdout).data.length }).toEqual({ status: 0, apps: 2 })
    const before = ['--limit', '1', '--surface', 'api', 'requests', '--count', '--url', emulator.url]
    expect(await run(before)).toMatchObject({ status: 0, stderr: '' })
    expect(await run(['--organization', 'acme', 'clock', 'advance', '1m', '--url', emulator.url])).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect((await run(['--log', '--port', 'abc'])).stderr).toContain('--port "abc": must be a number')
    expect((await run(['--fresh', 'strt'])).stderr).toContain('unknown command "strt"; did you mean "start"?')
    const { stdout: help } = await run(['help', 'install'])
    expect(help).toContain('mockademy install <app> <organization>')
    expect(help).toContain('mockademy install notes acme --no-announce')
    expect((await run(['install', '--help'])).stdout).toBe(help)
  })

  test('find the emulator by the variables of its settings', async ({ emulator, run }) => {
    const { port } = new URL(emulator.url)
    expect((await run(['clock'], { env: { MOCKADEMY_PORT: port } })).stdout).toContain('2026-01-01T00:00:00.000Z')
    expect(await run(['wait', '--timeout', '10s'], { env: { MOCKADEMY_PORT: port } })).toMatchObject({ status: 0 })
    expect(await run(['clock'], { env: { MOCKADEMY_PORT: '0' } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('give the address with --url'),
    })
  })

  test('organizations, users, members and keys are changed', async ({ answer, control }) => {
    expect(await answer('organizations', 'create', 'hooli', 'Hooli')).toMatchObject({ slug: 'hooli', name: 'Hooli' })
    expect(await answer('organizations', 'create', 'umbrella')).toMatchObject({ slug: 'umbrella', name: 'umbrella' })
    expect(await answer('users', 'create', 'zoe@hooli.test', '--first-name', 'Zoe')).toMatchObject({ full_name: 'Zoe' })
    expect(await answer('users', 'update', 'zoe@hooli.test', '--last-name', 'Park')).toMatchObject({
      full_name: 'Zoe Park',
    })
    expect((await control('users', 'update', 'zoe@hooli.test')).stderr).toBe(
      'mockademy: Validation failed:\n  must have at least one of email, first_name, last_name, email_verified, avatar\n',
    )
    expect(await answer('organizations', 'add-member', 'hooli', 'zoe@hooli.test', '--role', 'owner')).toMatchObject({
      role: 'owner',
    })
    // Without --role, nobody loses the one they have.
    expect(await answer('organizations', 'add-member', 'hooli', 'Zoe@hooli.test')).toMatchObject({ role: 'owner' })
    expect(await answer('organizations', 'add-member', 'hooli', 'ada')).toMatchObject({ role: 'learner' })
    expect(await answer('organizations', 'show', 'hooli')).toMatchObject({
      members: [{ email: 'zoe@hooli.test' }, { user: 'ada' }],
    })
    expect((await control('api-key', 'hooli')).stdout).toMatch(/^key_\S+\n$/)
    expect(await answer('keys', 'rotate')).toMatchObject({ kid: expect.any(String) })
    expect(await answer('organizations', 'delete', 'hooli')).toMatchObject({ slug: 'hooli' })
  })

  test('events, inboxes, sessions and minted tokens', async ({ emulator, answer, control }) => {
    await changeManifest(emulator.admin, { webhook: { url: `${emulator.url}/_inbox/mine` } })
    const where = ['--app', 'notes', '--organization', 'globex']
    expect(await answer('trigger', 'course.completed', ...where, '--data', '{"course":"intro"}')).toMatchObject({
      state: 'acknowledged',
    })
    expect(await answer('inbox', 'mine', '--wait', '5s')).toMatchObject({ data: [{ event: 'course.completed' }] })
    expect(await answer('inbox', 'mine', '--event', 'app.installed')).toEqual({ data: [] })
    expect(await answer('inbox', 'mine', '--empty')).toMatchObject({ data: [{ event: 'course.completed' }] })
    expect(await answer('inbox', 'mine')).toEqual({ data: [] })
    expect(await answer('inbox', 'mine', '--header', 'x-colour: red')).toMatchObject({ headers: { 'x-colour': 'red' } })
    await answer('inbox', 'mine', '--delay', '1')
    await answer('inbox', 'mine', '--status', '503')
    expect((await control('trigger', 'course.completed', ...where)).stdout).toMatch(
      /^error +the app responded with 503;/m,
    )
    expect((await control('deliveries', 'list')).stdout).toMatch(/retrying .* the app responded with 503;/m)
    expect(await answer('status')).toMatchObject({ pending: { deliveries: 0, retries: 1 } })
    const second = (await answer('install', 'notes', 'acme')) as { installation: { id: string } }
    const { id } = second.installation
    expect(await answer('trigger', 'course.completed', '--installation', id)).toMatchObject({ installation: id })

    await control('sign-in', 'ada@acme.test')
    expect(await answer('sessions', 'list')).toMatchObject({ data: [{ user: 'ada' }] })
    await control('sign-in', 'bruno', '--ambient')
    expect(await answer('sessions', 'end', '--ambient')).toMatchObject({ data: [{ user: 'bruno', ambient: true }] })
    expect(await answer('sessions', 'end')).toMatchObject({ data: [{ user: 'ada' }] })
    expect(await answer('tokens', 'mint', 'notes', 'globex', '--ttl', '10m')).toMatchObject({ expires_in: 600 })
  })

  test('status tells where it is and what is pending, env what exec would set', async ({ emulator, control }) => {
    await control('faults', 'add', 'unavailable')
    const { stdout } = await control('status')
    expect(stdout).toContain(emulator.url)
    expect(stdout).toMatch(/^clock +2026-01-01T00:00:00.000Z, stopped$/m)
    expect(stdout).toMatch(/^pending .* 1 faults/m)
    const printed = (await control('env')).stdout
    expect(printed).toContain(`PLATFORM_BASE_URL=${emulator.url}\n`)
    expect(printed).toContain('PLATFORM_API_KEY=key_acme\n')
    expect(printed).toContain('PLATFORM_CLIENT_SECRET=notes_secret\n')
    const other = (await control('env', '--app', 'app_insights')).stdout
    expect(other).toContain('PLATFORM_CLIENT_ID=app_insights\nPLATFORM_CLIENT_SECRET=insights_secret\n')
    const unknown = await control('env', '--app', 'todo')
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringMatching(/no app "todo".*: notes, insights/) })
  })

  test('stop ends the emulator of a store', async ({ start, run, folder }) => {
    const started = await start(['--port', '0'])
    expect(await run(['stop'], { cwd: folder })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(String(started.pid)),
    })
    expect(await run(['stop'], { cwd: folder })).toMatchObject({
      status: 1,
      stderr: 'mockademy: no emulator has the store .mockademy/store.json open\n',
    })
  })

  test('stop --url ends an emulator that keeps no store', async ({ start, run, emulator }) => {
    const started = await start(['--port', '0', '--store', 'memory'])
    expect(await run(['stop', '--url', started.url])).toMatchObject({
      status: 0,
      stdout: `stopped process ${started.pid}, which served ${started.url}\n`,
      stderr: '',
    })
    // An emulator of a test runs in a process that is not Mockademy's to end.
    expect(await run(['stop', '--url', emulator.url])).toMatchObject({
      status: 1,
      stderr: `mockademy: the emulator at ${emulator.url} runs in memory, so its process is unknown; stop it with Ctrl+C\n`,
    })
  })

  test('stop goes by the variables of an address before the store of the folder', async ({ start, run, folder }) => {
    const here = await start(['--port', '0'])
    const there = await start(['--port', '0', '--store', join(folder, 'there.json')])
    const memory = await start(['--port', '0', '--store', 'memory'])
    const stopped = async (env: Record<string, string>, ...flags: string[]) =>
      (await run(['stop', ...flags], { cwd: folder, env })).stdout
    expect(await stopped({ MOCKADEMY_URL: memory.url })).toContain(`process ${memory.pid}, which served ${memory.url}`)
    expect(await stopped({ MOCKADEMY_URL: here.url }, '--store', 'there.json')).toContain(`process ${there.pid},`)
    expect(await stopped({ MOCKADEMY_PORT: new URL(here.url).port })).toContain(`process ${here.pid},`)
    const again = await start(['--port', '0'])
    expect(await stopped({ MOCKADEMY_PORT: '0' })).toContain(`process ${again.pid}, which had .mockademy/store.json`)
  })

  test('stop goes by the address of a configuration that keeps no store', async ({ start, run, folder }) => {
    const started = await start(['--port', '0', '--store', 'memory'])
    const settings = { store: 'memory', port: Number(new URL(started.url).port) }
    await writeFile(join(folder, 'mockademy.json'), JSON.stringify({ settings }))
    expect(await run(['stop'], { cwd: folder })).toMatchObject({
      status: 0,
      stdout: `stopped process ${started.pid}, which served ${started.url}\n`,
    })
  })

  test('start and stop in any folder of a project have the store beside its configuration', async ({
    start,
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'mockademy.json'), '{}')
    const [one, two] = [join(folder, '..one'), join(folder, 'two')]
    for (const each of [one, two]) await mkdir(each)
    const { pid } = await start(['--port', '0'], { cwd: one })
    expect(await run(['stop'], { cwd: two })).toMatchObject({
      status: 0,
      stdout: `stopped process ${pid}, which had ../.mockademy/store.json open\n`,
    })
    await writeFile(join(folder, 'mockademy.json'), '{ "settings": { "store": "kept.json" } }')
    await (await start(['--port', '0'], { cwd: one })).stop()
    expect(await readdir(folder)).toContain('kept.json')
    expect(await readdir(one)).toEqual([])
    await writeFile(join(two, 'mockademy.json'), '{}')
    await symlink(tmpdir(), join(two, '.mockademy'))
    await mkdir(join(two, 'below'))
    expect(await run(['start', '--port', '0'], { cwd: join(two, 'below') })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is refused'),
    })
  })

  test('a configuration from elsewhere, such as a mounted folder, leaves the store in the working folder', async ({
    start,
    folder,
  }) => {
    const [here, mounted] = [join(folder, 'here'), join(folder, 'mounted')]
    for (const each of [here, mounted]) await mkdir(each)
    await writeFile(join(mounted, 'mockademy.json'), '{}')
    await start(['--port', '0', '--config', '../mounted/mockademy.json'], { cwd: here })
    expect(await readdir(here)).toEqual(['.mockademy'])
    expect(await readdir(mounted)).toEqual(['mockademy.json'])
  })

  const onLinux = test.runIf(process.platform === 'linux')

  onLinux('stop ends an emulator whose parent does not reap it', async ({ run, folder }) => {
    // The parent becomes a program that never asks for its children.
    const script = '"$0" "$1" start --port 0 & exec sleep 300'
    const args = ['-c', script, process.execPath, join(ROOT, 'bin/mockademy.js')]
    const parent = spawn('sh', args, { cwd: folder, stdio: 'ignore' })
    try {
      const lock = () => readFile(join(folder, '.mockademy/store.json.lock'), 'utf8').catch(() => '')
      await expect.poll(lock, { timeout: 60_000 }).toContain('"url"')
      expect(await run(['stop'], { cwd: folder })).toMatchObject({ status: 0, stderr: '' })
    } finally {
      parent.kill('SIGKILL')
    }
  })

  onLinux.for<[what: string, pids: object, who: (pid?: number) => string, why: string]>([
    ['an emulator that was killed', {}, (pid) => `process ${pid}`, 'is gone'],
    [
      'one of an earlier boot or another container',
      { pids_of: '00000000-0000-0000-0000-000000000000 pid:[4026531836]' },
      (pid) => `process ${pid} on ${hostname()}`,
      'is on another machine, in another container or from before a reboot, and was not signaled',
    ],
  ])('stop leaves a process alone that has the pid of %s', async ([, pids, who, why], { run, folder, emulator }) => {
    const other = spawn('/bin/sleep', ['300'])
    const temporary = join(folder, 'tmp')
    try {
      const lock = JSON.stringify({ id: 'killed', pid: other.pid, host: hostname(), ...pids, started: 'before' })
      await mkdir(join(folder, '.mockademy'))
      await writeFile(join(folder, '.mockademy/store.json.lock'), `${lock}\n`)
      expect(await run(['stop'], { cwd: folder })).toMatchObject({
        status: 1,
        stderr: `mockademy: ${who(other.pid)}, which had .mockademy/store.json open, ${why}\n`,
      })
      // Nor by an address that another emulator has now.
      const runs = join(temporary, `mockademy-${process.getuid?.()}`)
      await mkdir(runs, { recursive: true, mode: 0o700 })
      await writeFile(join(runs, `${new URL(emulator.url).port}.json`), lock)
      expect(await run(['stop', '--url', emulator.url], { env: { TMPDIR: temporary } })).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('so its process is unknown'),
      })
      expect(other.signalCode).toBe(null)
      expect(other.kill(0)).toBe(true)
    } finally {
      other.kill('SIGKILL')
    }
  })

  onLinux('stop gives up on an emulator that does not end within 5 s', async ({ start, launch, folder }) => {
    const { pid } = await start(['--port', '0'])
    process.kill(pid, 'SIGSTOP')
    const faster = 'const now = performance.now.bind(performance); performance.now = () => 100 * now()'
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(faster)}` }
    expect(await launch(['stop'], { cwd: folder, env }).ended).toMatchObject({
      status: 1,
      stderr: `mockademy: process ${pid} does not end\n`,
    })
    process.kill(pid, 'SIGCONT')
  })

  onLinux(
    'stop says of an emulator that it may not signal that another user has started it',
    async ({ start, launch, folder }) => {
      const { pid } = await start(['--port', '0'])
      const refuses = "process.kill = () => { throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' }) }"
      const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(refuses)}` }
      expect(await launch(['stop'], { cwd: folder, env }).ended).toMatchObject({
        status: 1,
        stderr: `mockademy: process ${pid}, which had .mockademy/store.json open, belongs to another user: stop it as that user\n`,
      })
    },
  )

  test('every control call can be made by some command', async () => {
    const loaded = await Promise.all(commands.map((entry) => entry.load()))
    const all = loaded.flatMap((command) => ('subcommands' in command ? command.subcommands : [command]))
    // The commands print their reports themselves; what the emulator keeps of them is for the console.
    const others = callNames.filter((name) => name !== 'getReport')
    expect(new Set(all.flatMap(({ calls = [] }) => calls))).toEqual(new Set(others))
  })

  test('--admin-token, or its variable, is sent where the emulator asks for one', async ({ start, run }) => {
    const { url } = await start(['--port', '0', '--store', 'memory', '--admin-token', 'sesame'])
    expect((await run(['reset', '--url', url])).status).toBe(1)
    expect((await run(['reset', '--url', url, '--admin-token', 'sesame'])).status).toBe(0)
    expect((await run(['reset', '--url', url], { env: { MOCKADEMY_ADMIN_TOKEN: 'sesame' } })).status).toBe(0)
  })
})
