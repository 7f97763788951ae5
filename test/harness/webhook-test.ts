import type { FixtureDocument } from 'mockademy'
import { type Answer, test as base } from './emulator-test.js'
import { type Receiver, startReceiver } from './receiver.js'
import { acme } from './worlds/acme.js'

/** The manifest of the app `notes`, whose webhook is the receiver. */
export const notesManifest = (app: Pick<Receiver, 'url'>) => ({
  id: 'notes',
  name: 'Notes',
  version: '1.0.0',
  permissions: ['elements:read', 'courses:read', 'openid', 'email'],
  oauth: { install: true as const, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
  webhook: { url: app.url },
  post_install_action: { url: 'https://notes.test/setup' },
})

interface WebhookFixtures {
  /** The app's webhook endpoint. */
  app: Receiver
  world: FixtureDocument
  /** `POST /_admin/installations` for the app in `acme`. */
  install: (body?: object) => Promise<Answer>
  uninstall: (id: string) => Promise<Answer>
  upgrade: (id: string, body?: object) => Promise<Answer>
  /** Pushes a manifest that differs from the first one in these fields. */
  push: (fields: object) => Promise<Answer>
  /** Sends an event of that type to an installation. */
  trigger: (installation: string, type: string) => Promise<Answer>
  advance: (by: string) => Promise<Answer>
  deliveries: (query?: string) => Promise<Answer['body'][]>
  fault: (effect: unknown, more?: object) => Promise<Answer>
  /** The status that a token gets from the elements API. */
  reads: (token: string) => Promise<number>
}

/** A test with an app whose webhook is a real server; it is installed nowhere. */
export const test = base.extend<WebhookFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
  app: async ({}, use) => {
    await use(await startReceiver())
  },
  world: async ({ app }, use) => {
    const [notes] = acme.apps ?? []
    await use({ ...acme, apps: [{ ...notes, manifest: notesManifest(app) }], installations: [] })
  },
  install: async ({ call }, use) => {
    await use((body) => call('/_admin/installations', { body: { app: 'notes', organization: 'acme', ...body } }))
  },
  uninstall: async ({ call }, use) => {
    await use((id) => call(`/_admin/installations/${id}`, { method: 'DELETE' }))
  },
  upgrade: async ({ call }, use) => {
    await use((id, body = {}) => call(`/_admin/installations/${id}/upgrade`, { body }))
  },
  push: async ({ call, app }, use) => {
    await use((fields) => {
      const { id, ...manifest } = notesManifest(app)
      return call(`/_admin/apps/${id}/manifest`, { method: 'PUT', body: { id, ...manifest, ...fields } })
    })
  },
  trigger: async ({ call }, use) => {
    await use((installation, type) => call('/_admin/events', { body: { type, installation, data: {} } }))
  },
  advance: async ({ call }, use) => {
    await use((by) => call('/_admin/clock/advance', { body: { by } }))
  },
  deliveries: async ({ call }, use) => {
    await use(async (query = '') => (await call(`/_admin/deliveries${query}`)).body.data)
  },
  fault: async ({ call }, use) => {
    await use((effect, more) =>
      call('/_admin/faults', { body: { match: { surface: 'webhook' }, effect, times: 1, ...more } }),
    )
  },
  reads: async ({ call }, use) => {
    await use(async (token) => (await call('/v0/courses', { as: token })).status)
  },
})
