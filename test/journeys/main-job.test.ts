import { expect } from 'vitest'
import { test as base } from '../harness/command-line.js'
import { createBrowser } from '../harness/cookie-jar.js'
import { send } from '../harness/emulator-test.js'
import { type NotesApp, startNotesApp } from '../harness/notes-app.js'

/** The emulator and the example app, each a process of its own; the app's webhook is where the manifest says. */
const test = base.extend<{ emulator: { url: string }; app: NotesApp }>({
  emulator: async ({ start }, use) => {
    const { url } = await start(['--port', '0'])
    await use({ url })
  },
  app: async ({ emulator, folder }, use) => {
    const app = await startNotesApp({ emulator: emulator.url, folder })
    await use(app)
    await app.stop()
  },
})

/** The app's refreshes, told from the exchange of a code by what was sent. */
async function refreshes(emulator: string): Promise<{ status: number }[]> {
  const { body } = await send(`${emulator}/_admin/requests?path=/oauth/token`)
  return body.data.filter(({ request }: { request: object }) => JSON.stringify(request).includes('refresh_token'))
}

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
  await send(`${admin}/sessions/ambient`, { method: 'PUT', body: { user: 'ada' } })
  const setup = await createBrowser().open(installed.body.redirect_url)
  expect(setup.text).toContain('<h1>Welcome, Ada Okafor!</h1>\n<p>Course Notes is ready for Acme Academy.</p>')

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
    created_at: '2999-01-01T00:00:00.000Z',
    installation_id: 'x',
    data: { organization: { id: 'acme', name: 'Acme' }, installer: {}, credentials: {} },
  }
  const forged = await send(`${app.url}/webhook`, { body, headers: { 'Platform-Signature': 'a'.repeat(64) } })
  expect(forged.status).toBe(401)
  expect((await app.get('/organizations/acme/courses')).status).toBe(404)
  await send(`${emulator.url}/_admin/installations`, { body: { app: 'notes', organization: 'initech' } })
  expect((await app.get('/organizations/initech/courses')).status).toBe(200)
})
