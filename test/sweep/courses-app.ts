import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { type AuditFileInput, type Emulator, startEmulator } from 'mockademy'
import { signatureOf } from '../harness/receiver.js'
import { commandOf, listen } from '../harness/serve.js'

const SECRET = 'signing_secret_of_courses'
/** Milliseconds: a response that comes 5 s late is waited for on a busy machine, too. */
const PATIENCE = 30_000
const agent = new Agent({ keepAlive: true })

export interface Tokens {
  access_token: string
  refresh_token: string
}

export interface Event {
  id: string
  type: string
  created_at: string
  installation_id: string
  data: { organization: { id: string }; credentials: Tokens }
}

export interface State {
  events: Set<string>
  ended: Set<string>
  changedAt: string
  installation: string | undefined
  tokens: Tokens | undefined
  pausedUntil: number
}

export interface Page {
  status: number
  body: unknown
}

/** The response of the platform. */
export interface PlatformResponse {
  status: number
  ok: boolean
  headers: IncomingMessage['headers']
  json(): Promise<unknown>
}

/** Sends a request. Not `fetch`, which takes three times the work, and sweeps make thousands. */
const send = (url: string, method: string, headers: Record<string, string>, body = ''): Promise<PlatformResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent, timeout: PATIENCE }, (response) => {
      const { statusCode: status = 0, headers } = response
      const received = text(response)
      received.catch(() => undefined)
      resolve({ status, ok: status < 300, headers, json: async () => JSON.parse(await received) })
    })
    sent.on('timeout', () => sent.destroy(new Error('no response')))
    sent.on('error', reject)
    sent.end(body)
  })

/** A small app that heals: each seeded fault is a subclass that overrides one of its methods. */
export class CoursesApp {
  states = new Map<string, State>()
  readonly renewals = new Map<string, Promise<void>>()
  /** Milliseconds. */
  readonly second: number = 1_000

  constructor(readonly platform: { url: string; clientId: string; clientSecret: string }) {}

  /** The states that the disk has when the app is killed. */
  saved(): Map<string, State> {
    return structuredClone(this.states)
  }

  stateOf(organization: string): State {
    const known = this.states.get(organization)
    if (known) return known
    const state: State = {
      events: new Set(),
      ended: new Set(),
      changedAt: '',
      installation: undefined,
      tokens: undefined,
      pausedUntil: 0,
    }
    this.states.set(organization, state)
    return state
  }

  async receive(event: Event): Promise<number> {
    if (event.type === 'app.installed') await this.installed(event, this.stateOf(event.data.organization.id))
    if (event.type === 'app.uninstalled') await this.uninstalled(event, this.stateOf(event.data.organization.id))
    return 200
  }

  async installed(event: Event, state: State): Promise<void> {
    if (this.isOld(event, state)) return
    this.store(event, state)
  }

  isOld(event: Event, state: State): boolean {
    return state.events.has(event.id) || state.ended.has(event.installation_id) || event.created_at < state.changedAt
  }

  store({ id, installation_id, created_at, data }: Event, state: State): void {
    state.events.add(id)
    state.changedAt = created_at
    state.installation = installation_id
    state.tokens = data.credentials
  }

  async uninstalled({ id, installation_id, created_at }: Event, state: State): Promise<void> {
    if (state.events.has(id)) return
    state.events.add(id)
    state.ended.add(installation_id)
    if (created_at > state.changedAt) state.changedAt = created_at
    if (state.installation === installation_id) state.tokens = undefined
  }

  /** A page of the app. */
  async page(organization: string, name: string): Promise<Page> {
    const state = this.stateOf(organization)
    if (!state.tokens) return { status: 404, body: { error: 'not installed' } }
    try {
      return await (name === 'elements' ? this.elements(state, organization) : this.courses(state, organization))
    } catch {
      return { status: 503, body: { error: 'try again later' } }
    }
  }

  async courses(state: State, organization: string): Promise<Page> {
    return { status: 200, body: await this.get(state, organization, '/v0/courses') }
  }

  async elements(state: State, organization: string): Promise<Page> {
    const found: unknown[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { payload } = await this.get(state, organization, `/v0/elements${next && `?page=${next}`}`)
      found.push(...payload.data)
      next = payload.next
    }
    return { status: 200, body: found }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body is read by what the platform documents
  async get(state: State, organization: string, path: string): Promise<any> {
    if (state.pausedUntil > Date.now()) throw new Error('the platform has asked for a pause')
    const { tokens } = state
    const response = await this.ask(state, path)
    if (response.status !== 401) return this.read(response)
    await this.renew(state, organization, tokens as Tokens)
    return this.read(await this.ask(state, path))
  }

  async ask(state: State, path: string): Promise<PlatformResponse> {
    const response = await this.call(path, state.tokens as Tokens)
    const after = Number(response.headers['retry-after'])
    if (response.status === 429) state.pausedUntil = Date.now() + after * this.second
    return response
  }

  async read(response: PlatformResponse): Promise<unknown> {
    if (!response.ok) throw new Error(`status ${response.status}`)
    return response.json()
  }

  call(path: string, { access_token }: Tokens): Promise<PlatformResponse> {
    return send(this.platform.url + path, 'GET', { authorization: `Bearer ${access_token}` })
  }

  async renew(state: State, organization: string, used: Tokens): Promise<void> {
    if (state.tokens !== used) return
    const shared =
      this.renewals.get(organization) ?? this.refresh(state, used).finally(() => this.renewals.delete(organization))
    this.renewals.set(organization, shared)
    await shared
  }

  async refresh(state: State, used: Tokens): Promise<void> {
    const response = await this.askForTokens(used.refresh_token)
    // A grant that is dead: only a new installation helps.
    if (response.status === 400) state.tokens = undefined
    state.tokens = (await this.read(response)) as Tokens
  }

  askForTokens(refresh_token: string): Promise<PlatformResponse> {
    const { url, clientId: client_id, clientSecret: client_secret } = this.platform
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id, client_secret })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return send(`${url}/oauth/token`, 'POST', headers, form.toString())
  }
}

export interface RunningCoursesApp {
  emulator: Emulator
  file: AuditFileInput
  /** A command that kills the app and starts it again, with what it has saved. */
  restart: string
  /** Puts another app at the same address, without its data. */
  replaceBy(App: typeof CoursesApp): void
  /** Leaves nothing that listens at its address, as a process that ends. */
  end(): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The app in this process, beside an emulator that knows it as `courses`. */
export async function startCoursesApp(App: typeof CoursesApp = CoursesApp): Promise<RunningCoursesApp> {
  let app: CoursesApp | undefined
  const restart = await commandOf(() => {
    const states = app?.saved()
    server.closeAllConnections()
    replaceBy(Current)
    if (app && states) app.states = states
  })
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const [, organization = '', name = ''] = (request.url ?? '').split('/')
    if (request.method === 'POST') {
      const isGenuine = request.headers['platform-signature'] === signatureOf(body, SECRET)
      const status = isGenuine ? await app?.receive(JSON.parse(body.toString())).catch(() => 500) : 401
      response.writeHead(status ?? 500).end()
      return
    }
    const page = await app?.page(organization, name)
    response.writeHead(page?.status ?? 500, { 'content-type': 'application/json' }).end(JSON.stringify(page?.body))
  })
  const { url, close: end } = await listen(server)
  const [clientId, clientSecret] = ['app_courses', 'courses_secret']
  const manifest = {
    id: 'courses',
    name: 'Courses',
    version: '1.0.0',
    permissions: ['courses:read', 'elements:read'],
    oauth: { install: true },
    webhook: { url: `${url}/webhook`, events: ['app.installed', 'app.uninstalled', 'lesson.done', 'lesson.begun'] },
  }
  // Registered at the start, from which scenarios run.
  const apps = [{ client_id: clientId, client_secret: clientSecret, signing_secret: SECRET, manifest }]
  const emulator = await startEmulator({ now: new Date().toISOString(), seed: 'sweep', fixtures: { apps } })
  await emulator.admin.resumeClock()
  let Current = App
  const replaceBy = (Other: typeof CoursesApp) => {
    Current = Other
    app = new Other({ url: emulator.url, clientId, clientSecret })
  }
  replaceBy(App)
  const close = async () => {
    await end()
    await restart.close()
    await emulator.close()
  }
  return {
    emulator,
    replaceBy,
    restart: restart.command,
    file: {
      app: 'courses',
      probe: {
        url: `${url}/{organization}/courses`,
        ok: { status: [204, 200] },
        not_installed: { status: [410, 404] },
      },
      list: { url: `${url}/{organization}/elements`, count: '/length' },
      background: 50,
    },
    end,
    close,
    [Symbol.asyncDispose]: close,
  }
}
