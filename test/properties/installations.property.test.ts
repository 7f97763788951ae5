import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Emulator, startEmulator } from 'mockademy'
import { expect } from 'vitest'
import { senderTo } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'
import type { Receiver } from '../harness/receiver.js'
import { notesManifest, test } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

const organizations = ['acme', 'zenith'] as const
type Organization = (typeof organizations)[number]

const SECOND = 1000
const HOUR = 3600 * SECOND

/** The parts of an app version's manifest that the model uses. */
interface Variant {
  courses: boolean
  webhook: '/webhook' | '/other' | null
  install: boolean
}

type Command =
  | { do: 'install' | 'uninstall' | 'upgrade' | 'event'; organization: Organization }
  | { do: 'push'; variant: Variant; again: boolean }
  | { do: 'refresh'; organization: Organization; stale: boolean }
  | { do: 'advance'; by: number }
  | { do: 'answer'; status: 200 | 500 }
  | { do: 'kill' }

const organization = fc.constantFrom(...organizations)
const variant = fc
  .record({ courses: fc.boolean(), webhook: fc.constantFrom('/webhook', '/other', null), install: fc.boolean() })
  .filter(({ webhook, install }) => webhook !== null || !install) as fc.Arbitrary<Variant>

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('install' as const), organization }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('uninstall' as const), organization }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('upgrade' as const), organization }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('event' as const), organization }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('push' as const), variant, again: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('refresh' as const), organization, stale: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      by: fc.constantFrom(5 * SECOND, 10 * SECOND, 100 * SECOND, 200 * SECOND, HOUR / 2, HOUR, 31 * 24 * HOUR),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), status: fc.constantFrom(200, 500) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'kill' as const }) },
)

const manifestOf = (receiver: Receiver, version: number, { courses, webhook, install }: Variant) => {
  const { webhook: _, oauth: __, ...manifest } = notesManifest(receiver)
  return {
    ...manifest,
    version: `${version}.0.0`,
    permissions: courses ? ['elements:read', 'courses:read'] : ['elements:read'],
    ...(install && { oauth: { install: true } }),
    ...(webhook && { webhook: { url: receiver.url.replace('/webhook', webhook) } }),
  }
}

interface Token {
  secret: string
  scope: string
  expires: number
  ended: boolean
}

interface Installation {
  id: string
  version: number
  scope: string
  mints: boolean
  access: Token[]
  /** The last one is the current one. */
  refresh: Token[]
}

/** One request that the app is to have received. */
interface Sent {
  type: string
  path: string
  installation: string
  version: number | undefined
  scope: string | undefined
}

interface Retry {
  sent: Sent
  organization: Organization
  due: number
  tries: number
}

const WAITS = [10 * SECOND, 100 * SECOND]

/** Spec §3 and wire §7, as simply as they can be said. */
class Model {
  now = 0
  status = 200
  versions: Variant[] = []
  current = new Map<Organization, Installation>()
  ended: Installation[] = []
  sent: Record<Organization, Sent[]> = { acme: [], zenith: [] }
  retries: Retry[] = []

  deliver(organization: Organization, sent: Sent, tries = 0) {
    this.sent[organization].push(sent)
    const wait = WAITS[tries]
    if (this.status !== 200 && wait !== undefined) {
      this.retries.push({ sent, organization, due: this.now + wait, tries: tries + 1 })
    }
  }

  begin(organization: Organization, id: string, credentials: { access_token: string; refresh_token: string } | null) {
    const version = this.versions.length
    const { courses, install, webhook } = this.newest
    const scope = install ? (courses ? 'elements:read courses:read' : 'elements:read') : ''
    const installation: Installation = { id, version, scope, mints: install, access: [], refresh: [] }
    if (credentials) this.addPair(installation, credentials)
    this.current.set(organization, installation)
    if (!webhook) return
    const sent = { type: 'app.installed', path: webhook, installation: id, version, scope: install ? scope : undefined }
    this.deliver(organization, sent)
  }

  end(organization: Organization) {
    const installation = this.current.get(organization) as Installation
    for (const token of [...installation.access, ...installation.refresh]) token.ended = true
    this.current.delete(organization)
    this.ended.push(installation)
  }

  addPair({ access, refresh, scope }: Installation, pair: { access_token: string; refresh_token: string }) {
    access.push({ secret: pair.access_token, scope, expires: this.now + HOUR, ended: false })
    refresh.push({ secret: pair.refresh_token, scope, expires: this.now + 30 * 24 * HOUR, ended: false })
  }

  advance(by: number) {
    const until = this.now + by
    for (;;) {
      const due = Math.min(...this.retries.map((retry) => retry.due))
      if (due > until) break
      this.now = due
      const now = this.retries.filter((retry) => retry.due === due)
      this.retries = this.retries.filter((retry) => retry.due !== due)
      for (const { organization, sent, tries } of now) this.deliver(organization, sent, tries)
    }
    this.now = until
  }

  /** Later attempts for its installations, ended ones too, go to the webhook that it declares now. */
  replaceNewest(variant: Variant) {
    const version = this.versions.length
    this.versions[version - 1] = variant
    const installations = [...this.current.values(), ...this.ended].filter((each) => each.version === version)
    const ids = installations.map(({ id }) => id)
    for (const retry of this.retries) {
      if (!variant.webhook || !ids.includes(retry.sent.installation)) continue
      retry.sent = { ...retry.sent, path: variant.webhook }
    }
  }

  webhookOf = ({ version }: Installation) => (this.versions[version - 1] as Variant).webhook

  get newest(): Variant {
    return this.versions.at(-1) as Variant
  }
}

const works = (token: Token, now: number) => !token.ended && token.expires > now

test('spec §3: random lives of installations agree with a simple model', { timeout: 600_000 }, async ({
  app,
  folder,
}) => {
  const [notes] = acme.apps ?? []
  const first: Variant = { courses: true, webhook: '/webhook', install: true }
  const fixtures = { ...acme, apps: [{ ...notes, manifest: manifestOf(app, 1, first) }], installations: [] }
  let generation = 0
  const start = (): Promise<Emulator> =>
    startEmulator({
      seed: 'test',
      now: '2026-01-01T00:00:00Z',
      fixtures,
      store: join(folder, `${generation}.json`),
      resume: true,
    })
  let emulator = await start()
  let send = senderTo(emulator.url)
  const stop = () => emulator.close()
  const startAgain = async () => {
    emulator = await start()
    send = senderTo(emulator.url)
  }
  let killed = false

  const admin = (method: string, path: string, body?: unknown) => send(method, `/_admin/${path}`, body)
  const refresh = (refresh_token: string) => {
    const client = { client_id: 'app_notes', client_secret: 'notes_secret' }
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client })
    return send('POST', '/oauth/token', form.toString(), { 'content-type': 'application/x-www-form-urlencoded' })
  }

  const run = async (model: Model, step: Command): Promise<void> => {
    switch (step.do) {
      case 'install': {
        const { organization } = step
        const { status, body } = await admin('POST', 'installations', { app: 'notes', organization })
        expect(status).toBe(model.current.has(organization) ? 409 : 201)
        if (status === 201) model.begin(organization, body.installation.id, body.credentials)
        return
      }
      case 'uninstall': {
        const installation = model.current.get(step.organization)
        if (!installation) return
        const { status, body } = await admin('DELETE', `installations/${installation.id}`)
        expect([status, body.installation.state]).toEqual([200, 'uninstalled'])
        const path = model.webhookOf(installation)
        const { id, version } = installation
        const sent = { type: 'app.uninstalled', path: path ?? '', installation: id, version, scope: undefined }
        if (path) model.deliver(step.organization, sent)
        model.end(step.organization)
        return
      }
      case 'upgrade': {
        const installation = model.current.get(step.organization)
        if (!installation) return
        const { status, body } = await admin('POST', `installations/${installation.id}/upgrade`, {})
        expect(status).toBe(installation.version === model.versions.length ? 409 : 201)
        if (status !== 201) return
        model.end(step.organization)
        model.begin(step.organization, body.installation.id, body.credentials)
        return
      }
      case 'event': {
        const installation = model.current.get(step.organization)
        if (!installation) return
        const body = { type: 'custom', installation: installation.id, data: {} }
        const path = model.webhookOf(installation)
        expect((await admin('POST', 'events', body)).status).toBe(path ? 201 : 409)
        const sent = { type: 'custom', installation: installation.id, version: undefined, scope: undefined }
        if (path) model.deliver(step.organization, { ...sent, path })
        return
      }
      case 'push': {
        if (step.again) model.replaceNewest(step.variant)
        else model.versions.push(step.variant)
        const manifest = manifestOf(app, model.versions.length, step.variant)
        expect((await admin('PUT', 'apps/notes/manifest', manifest)).status).toBe(200)
        return
      }
      case 'refresh': {
        const installation = model.current.get(step.organization)
        const token = installation?.refresh.at(step.stale ? 0 : -1)
        if (!installation || !token) return
        const { status, body } = await refresh(token.secret)
        expect(status).toBe(works(token, model.now) ? 200 : 400)
        if (status !== 200) return expect(body.error).toBe('invalid_grant')
        expect(body.scope).toBe(installation.scope)
        token.ended = true
        model.addPair(installation, body)
        return
      }
      case 'advance':
        expect((await admin('POST', 'clock/advance', { by: step.by })).status).toBe(200)
        return model.advance(step.by)
      case 'answer':
        app.answers(step.status)
        model.status = step.status
        return
      case 'kill': {
        // A killed process leaves its files as they are at that moment.
        const left = join(folder, `${generation++}.json`)
        for (const part of ['', '.journal']) {
          if (existsSync(left + part)) copyFileSync(left + part, join(folder, `${generation}.json${part}`))
        }
        await stop()
        await startAgain()
        killed = true
        return
      }
    }
  }

  /** Every token and every request that the app has received is as the model says. */
  const compare = async (model: Model): Promise<void> => {
    for (const organization of organizations) {
      const received = app
        .received()
        .filter(({ body }) => ofOrganization.get(body.installation_id) === organization)
        .map(
          ({ body, path }): Sent => ({
            type: body.type,
            path,
            installation: body.installation_id,
            version: body.data.app && Number.parseInt(body.data.app.version, 10),
            scope: body.data.credentials?.scope,
          }),
        )
      expect(received).toEqual(model.sent[organization])
    }
    const raws = new Map<string, string>()
    for (const { body, raw } of app.received()) {
      expect(raws.get(body.id) ?? raw.toString()).toBe(raw.toString())
      raws.set(body.id, raw.toString())
    }
    for (const installation of [...model.current.values(), ...model.ended]) {
      for (const token of installation.access) {
        const { status } = await send('GET', '/v0/courses', undefined, { authorization: `Bearer ${token.secret}` })
        const reaches = token.scope.includes('courses:read')
        expect(status).toBe(works(token, model.now) ? (reaches ? 200 : 403) : 401)
      }
      for (const token of installation.refresh) {
        expect((await refresh(token.secret)).status).toBe(works(token, model.now) ? 200 : 400)
      }
    }
  }
  const ofOrganization = new Map<string, Organization>()

  const sequence = fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 14 }), async (steps) => {
    if (killed) {
      await stop()
      generation++
      await startAgain()
      killed = false
    } else await admin('POST', 'reset')
    app.answers(200)
    app.forget()
    ofOrganization.clear()
    const model = new Model()
    model.versions.push(first)
    for (const step of steps) {
      await run(model, step)
      for (const [organization, { id }] of model.current) ofOrganization.set(id, organization)
    }
    await compare(model)
  })
  try {
    await fc.assert(sequence, propertyRuns(500))
  } finally {
    await stop()
  }
})
