import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base, type Ended, type Running } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

interface Controlled {
  emulator: Running
  /** Runs a command against the emulator. */
  control: (...args: string[]) => Promise<Ended>
  /** The same with --json; gives back the answer. */
  answer: (...args: string[]) => Promise<unknown>
}

const test = base.extend<Controlled>({
  emulator: async ({ start }, use) => {
    await use(await start(['--port', '0', '--store', 'memory', '--now', '2026-01-01T00:00:00Z']))
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

    const file = join(folder, 'state.json')
    await control('state', 'export', file)
    expect(JSON.parse(await readFile(file, 'utf8')).organizations).toHaveLength(4)
    await control('reset')
    expect(await answer('state', 'import', file)).toMatchObject({ counts: { organizations: 4 } })
    expect(await organizations()).toContain('hooli')
  })

  test('clock shows, advances, freezes and resumes', async ({ answer, control }) => {
    expect(await answer('clock', 'advance', '90s')).toMatchObject({ now: '2026-01-01T00:01:30.000Z' })
    expect(await answer('clock')).toMatchObject({ now: '2026-01-01T00:01:30.000Z', frozen: true })
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
    expect(await answer('tokens', 'expire', '--organization', 'globex', '--kind', 'access')).toEqual({ affected: 1 })
    const call = await send(`${emulator.url}/v0/courses`, { as: 'at_notes_globex' })
    expect(call.headers.get('www-authenticate')).toContain('expired')
    expect(await answer('tokens', 'revoke', '--token', 'at_insights_initech')).toEqual({ affected: 1 })
    expect((await send(`${emulator.url}/v0/courses`, { as: 'at_insights_initech' })).status).toBe(401)
    expect((await control('tokens', 'revoke')).status).toBe(2)
  })

  test('sign-in prints a session cookie', async ({ emulator, control }) => {
    const { stdout } = await control('sign-in', 'ada@acme.test')
    const page = await send(`${emulator.url}/settings/integrations`, { headers: { cookie: stdout.trim() } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Acme Academy')
  })

  test('silent-auth forces outcomes', async ({ answer }) => {
    await answer('silent-auth', 'login_required', '--app', 'notes', '--times', '2')
    expect(await answer('silent-auth')).toMatchObject({ data: [{ outcome: 'login_required', app: 'notes', times: 2 }] })
    await answer('silent-auth', '--clear')
    expect(await answer('silent-auth')).toEqual({ data: [] })
  })

  test('faults are added, listed and cleared', async ({ emulator, answer, control }) => {
    const args = ['faults', 'add', '{"status":503}', '--surface', 'api', '--path', '/v0/*', '--times', '1']
    expect(await answer(...args)).toMatchObject({ effect: { status: 503 }, times: 1 })
    expect((await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })).status).toBe(503)
    expect((await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })).status).toBe(200)
    expect((await control('faults', 'list')).stdout).toContain('{"status":503}')
    await control('faults', 'clear')
    expect((await control('faults', 'list')).stdout).toBe('none\n')
    expect(await control('faults', 'add', '{oops')).toMatchObject({ status: 2 })
    expect(await control('faults', 'add', 'no_such_effect')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('effect'),
    })
  })

  test('deliveries and requests tell what happened', async ({ emulator, answer, control }) => {
    const { body } = await send(`${emulator.url}/_admin/apps/notes`)
    const manifest = { ...body.versions[0].manifest, webhook: { url: 'http://localhost:1/nobody' } }
    await send(`${emulator.url}/_admin/apps/notes/manifest`, { method: 'PUT', body: manifest })
    await answer('install', 'notes', 'acme')
    const list = (await answer('deliveries', 'list', '--state', 'retrying')) as { data: { id: string }[] }
    expect(list.data).toHaveLength(1)
    const id = list.data[0]?.id as string
    expect(JSON.parse((await control('deliveries', 'show', id)).stdout).attempts).toHaveLength(1)
    expect(await answer('deliveries', 'redeliver', id)).toMatchObject({ id })
    expect(JSON.parse((await control('deliveries', 'show', id)).stdout).attempts).toHaveLength(2)
    expect(await answer('requests', '--count', '--surface', 'api')).toEqual({ count: 0 })
    expect((await control('requests', '--count')).stdout).toMatch(/^count +\d+$/m)
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
      stderr: expect.stringContaining('is it running?'),
    })
    expect((await control('faults')).stderr).toContain('faults needs one of: add, list, clear')
    expect((await control('install', 'notes')).status).toBe(2)
  })

  test('--admin-token, or its variable, is sent where the emulator asks for one', async ({ start, run }) => {
    const { url } = await start(['--port', '0', '--store', 'memory', '--admin-token', 'sesame'])
    expect((await run(['reset', '--url', url])).status).toBe(1)
    expect((await run(['reset', '--url', url, '--admin-token', 'sesame'])).status).toBe(0)
    expect((await run(['reset', '--url', url], { env: { MOCKADEMY_ADMIN_TOKEN: 'sesame' } })).status).toBe(0)
  })
})
