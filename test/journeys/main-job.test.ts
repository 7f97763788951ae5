import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test as base, cleanEnvironment, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

interface NotesApp {
  url: string
  /** The app's own answer for an organization. */
  get: (path: string) => ReturnType<typeof send>
}

/** The emulator and the example app, each a process of its own; the app's webhook is where the manifest says. */
const test = base.extend<{ emulator: { url: string }; app: NotesApp }>({
  emulator: async ({ start }, use) => {
    const { url } = await start(['--port', '0'])
    await use({ url })
  },

  app: async ({ emulator, folder }, use) => {
    const child = spawn(process.execPath, [join(ROOT, 'test/journeys/notes-app/server.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...cleanEnvironment(folder),
        PORT: '0',
        PLATFORM_BASE_URL: emulator.url,
        PLATFORM_APP_URL: emulator.url,
        PLATFORM_CLIENT_ID: 'app_notes',
        PLATFORM_CLIENT_SECRET: 'notes_secret',
        PLATFORM_SIGNING_SECRET: 'notes_signing',
      },
    })
    const [line] = await once(child.stdout, 'data')
    const url = /http:\S+/.exec(String(line))?.[0] as string
    await pointAt(emulator.url, url)
    await use({ url, get: (path) => send(url + path) })
    child.kill()
    await once(child, 'exit')
  },
})

/** Pushes the app's manifest again, the same version, with the addresses at which it runs now. */
async function pointAt(emulator: string, url: string) {
  const { body } = await send(`${emulator}/_admin/apps/notes`)
  const { manifest } = body.versions.at(-1)
  const moved = {
    ...manifest,
    webhook: { url: `${url}/webhook` },
    post_install_action: { url: `${url}/setup?from=platform` },
  }
  const pushed = await send(`${emulator}/_admin/apps/notes/manifest`, { method: 'PUT', body: moved })
  expect(pushed.status).toBe(200)
}

const refreshes = async (emulator: string) =>
  (await send(`${emulator}/_admin/requests?path=/oauth/token`)).body.data as { status: number }[]

test('install, signed webhook, API call, refresh, uninstall', async ({ emulator, app }) => {
  const admin = `${emulator.url}/_admin`
  const installed = await send(`${admin}/installations`, { body: { app: 'notes', organization: 'acme' } })
  expect(installed.status).toBe(201)
  expect(installed.body).toMatchObject({
    installation: { app: 'notes', organization: 'acme', installer: 'ada', state: 'installed' },
    delivery: { event: { type: 'app.installed' }, state: 'acknowledged' },
    redirect_url: `${app.url}/setup?from=platform&organization=acme`,
  })
  const first = installed.body.credentials
  expect(first.scope.split(' ').sort()).toEqual(['courses:read', 'elements:read'])

  // The webhook was there before the browser: the app knows whom it greets.
  const setup = await send(installed.body.redirect_url)
  expect(setup.text).toBe('Course Notes is ready for Acme Academy. Welcome, Ada Okafor!')

  const essay = await app.get('/organizations/acme/elements/essay')
  expect(essay).toMatchObject({ status: 200, body: { error: null, payload: { id: 'essay', type: 'SUBMISSION' } } })
  const members = await app.get('/organizations/acme/members')
  expect(members).toMatchObject({ status: 403, body: { error: 'Insufficient scope' } })
  expect(await refreshes(emulator.url)).toEqual([])

  await send(`${admin}/clock/advance`, { body: { by: '61m' } })
  const stale = await send(`${emulator.url}/v0/elements/essay`, { as: first.access_token })
  expect(stale.status).toBe(401)
  expect(stale.headers.get('www-authenticate')).toContain('error="invalid_token"')

  // Five requests meet the 401 together; the refresh token is used once and all five are answered.
  const paths = Array.from({ length: 5 }, () => '/organizations/acme/elements/essay')
  for (const { status } of await Promise.all(paths.map(app.get))) expect(status).toBe(200)
  expect((await refreshes(emulator.url)).map(({ status }) => status)).toEqual([200])
  const reused = await send(`${emulator.url}/oauth/token`, {
    form: {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      client_id: 'app_notes',
      client_secret: 'notes_secret',
    },
  })
  expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await app.get('/organizations/acme/courses')).status).toBe(200)

  const minted = await send(`${admin}/tokens`, { body: { app: 'notes', organization: 'acme' } })
  const uninstalled = await send(`${admin}/installations/${installed.body.installation.id}`, { method: 'DELETE' })
  expect(uninstalled.body).toMatchObject({
    installation: { state: 'uninstalled' },
    delivery: { event: { type: 'app.uninstalled' }, state: 'acknowledged' },
  })
  expect((await app.get('/organizations/acme/elements/essay')).status).toBe(404)
  const { access_token } = minted.body
  expect((await send(`${emulator.url}/v0/elements/essay`, { as: access_token })).status).toBe(401)
})

test('the app takes nothing that is not signed with its secret', async ({ emulator, app }) => {
  const body = {
    id: 'evt_forged',
    type: 'app.installed',
    installation_id: 'x',
    data: { organization: { id: 'acme', name: 'Acme' }, installer: {}, credentials: {} },
  }
  const forged = await send(`${app.url}/webhook`, { body, headers: { 'Platform-Signature': 'a'.repeat(64) } })
  expect(forged.status).toBe(401)
  expect((await app.get('/organizations/acme/courses')).status).toBe(404)
  await send(`${emulator.url}/_admin/installations`, { body: { app: 'notes', organization: 'initech' } })
  expect((await app.get('/organizations/initech/courses')).status).toBe(200)
})
