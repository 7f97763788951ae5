import { CoursesApp, type Event, type Page, type State, type Tokens } from './courses-app.js'

/** A version of the app with one fault, which a part of the sweep must find. */
export interface SeededFault {
  /** The mistake in the app. */
  what: string
  App: typeof CoursesApp
  flow: string
  only: string
  verdict: 'stranded' | 'harmful'
}

const seeded = (what: string, only: string, verdict: SeededFault['verdict'], App: typeof CoursesApp): SeededFault => ({
  what,
  App,
  flow: only.split('/')[0] as string,
  only,
  verdict,
})

const REFRESH = 'refresh/POST-oauth-token-refresh#1'
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const tokens = [
  seeded(
    'deletes the refresh token before it refreshes',
    `${REFRESH}/refused`,
    'stranded',
    class extends CoursesApp {
      override async refresh(state: State, used: Tokens) {
        state.tokens = undefined
        await super.refresh(state, used)
      }
    },
  ),
  seeded(
    'stores the new tokens after the response to the user',
    'refresh/GET-v0-courses#3/refused',
    'harmful',
    class extends CoursesApp {
      override async get(state: State, _organization: string, path: string) {
        const old = state.tokens as Tokens
        const response = await this.call(path, old)
        if (response.status !== 401) return this.read(response)
        const fresh = (await this.read(await this.askForTokens(old.refresh_token))) as Tokens
        const found = await this.read(await this.call(path, fresh))
        state.tokens = fresh
        return found
      }
    },
  ),
  seeded(
    'takes every failure of the token endpoint for the end of the grant',
    `${REFRESH}/limited`,
    'stranded',
    class extends CoursesApp {
      override async refresh(state: State, used: Tokens) {
        await super.refresh(state, used).catch((error) => {
          state.tokens = undefined
          throw error
        })
      }
    },
  ),
  seeded(
    'does not release its lock when a refresh throws',
    `${REFRESH}/refused`,
    'stranded',
    class extends CoursesApp {
      override async renew(state: State, organization: string, used: Tokens) {
        const shared = this.renewals.get(organization) ?? this.refresh(state, used)
        this.renewals.set(organization, shared)
        await shared
        this.renewals.delete(organization)
      }
    },
  ),
  seeded(
    'stores whatever the token endpoint has sent',
    `${REFRESH}/html`,
    'stranded',
    class extends CoursesApp {
      override async refresh(state: State, used: Tokens) {
        const response = await this.askForTokens(used.refresh_token)
        state.tokens = (await response.json().catch(() => ({}))) as Tokens
      }
    },
  ),
  seeded(
    'refreshes after any failure',
    'refresh/GET-v0-courses#1/refused',
    'harmful',
    class extends CoursesApp {
      override async get(state: State, organization: string, path: string) {
        const used = state.tokens as Tokens
        const response = await this.call(path, used)
        if (response.ok) return response.json()
        await this.renew(state, organization, used)
        return this.read(await this.call(path, state.tokens as Tokens))
      }
    },
  ),
  seeded(
    'tries a dead refresh token again and again',
    `${REFRESH}/lost`,
    'harmful',
    class extends CoursesApp {
      override async refresh(state: State, used: Tokens) {
        for (let tries = 0; tries < 8; tries++) {
          const response = await this.askForTokens(used.refresh_token).catch(() => undefined)
          if (!response?.ok) continue
          state.tokens = (await response.json()) as Tokens
          return
        }
        throw new Error('no tokens')
      }
    },
  ),
  seeded(
    'gives a refresh up after three seconds',
    `${REFRESH}/slow`,
    'stranded',
    class extends CoursesApp {
      override askForTokens(token: string) {
        return Promise.race([super.askForTokens(token), wait(3_000).then(() => Promise.reject(new Error('too slow')))])
      }
    },
  ),
  seeded(
    'takes a second 401 for the end of the installation',
    'refresh/GET-v0-courses#3/expired',
    'stranded',
    class extends CoursesApp {
      override async get(state: State, organization: string, path: string) {
        const used = state.tokens as Tokens
        const response = await this.call(path, used)
        if (response.status !== 401) return this.read(response)
        await this.renew(state, organization, used)
        const again = await this.call(path, state.tokens as Tokens)
        if (again.status === 401) state.tokens = undefined
        return this.read(again)
      }
    },
  ),
]

const requests = [
  seeded(
    'takes a 429 for a revoked token',
    'refresh/GET-v0-courses#1/limited',
    'stranded',
    class extends CoursesApp {
      override async get(state: State, organization: string, path: string) {
        const response = await this.call(path, state.tokens as Tokens)
        if (response.status === 429) state.tokens = undefined
        return response.ok ? response.json() : super.get(state, organization, path)
      }
    },
  ),
  seeded(
    'reads Retry-After as minutes',
    'refresh/GET-v0-courses#1/limited',
    'stranded',
    class extends CoursesApp {
      override readonly second = 60_000
    },
  ),
  seeded(
    'opens a circuit breaker and never closes it',
    'refresh/GET-v0-courses#1/lost',
    'stranded',
    class extends CoursesApp {
      readonly open = new Set<string>()
      override async get(state: State, organization: string, path: string) {
        if (this.open.has(organization)) throw new Error('the circuit is open')
        return super.get(state, organization, path).catch((error) => {
          this.open.add(organization)
          throw error
        })
      }
    },
  ),
  seeded(
    'tries a failed request without end',
    'refresh/GET-v0-courses#1/html',
    'harmful',
    class extends CoursesApp {
      readonly broken = new Set<string>()
      override async get(state: State, organization: string, path: string) {
        const found = await super.get(state, organization, path).catch(() => undefined)
        if (found === undefined) this.broken.add(organization)
        if (this.broken.has(organization)) for (let n = 0; n < 40; n++) await this.call(path, state.tokens as Tokens)
        return found ?? this.read(await this.call(path, state.tokens as Tokens))
      }
    },
  ),
  seeded(
    'caches failures like pages',
    'refresh/GET-v0-courses#1/refused',
    'stranded',
    class extends CoursesApp {
      readonly failures = new Map<string, Page>()
      override async page(organization: string, name: string) {
        const page = this.failures.get(organization) ?? (await super.page(organization, name))
        if (page.status === 503) this.failures.set(organization, page)
        return page
      }
    },
  ),
  seeded(
    'uses any token that works when its own does not',
    'refresh/GET-v0-courses#1/expired',
    'harmful',
    class extends CoursesApp {
      override async get(state: State, organization: string, path: string) {
        const own = await this.call(path, state.tokens as Tokens)
        if (own.ok) return own.json()
        const [other] = [...this.states.values()].filter((each) => each !== state && each.tokens)
        if (other?.tokens) return this.read(await this.call(path, other.tokens))
        return super.get(state, organization, path)
      }
    },
  ),
  seeded(
    'shows the request that failed, with its token',
    'refresh/GET-v0-courses#1/refused',
    'harmful',
    class extends CoursesApp {
      override async page(organization: string, name: string) {
        const page = await super.page(organization, name)
        const { tokens } = this.stateOf(organization)
        return page.status === 503 ? { ...page, body: { error: `Bearer ${tokens?.access_token} failed` } } : page
      }
    },
  ),
  seeded(
    'starts a refresh of its own when the shared one is slow',
    'burst/POST-oauth-token-refresh#1/slow',
    'stranded',
    class extends CoursesApp {
      override async renew(state: State, organization: string, used: Tokens) {
        const shared = super.renew(state, organization, used)
        if (await Promise.race([shared.then(() => true), wait(1_000)])) return
        await this.refresh(state, used)
      }
      override async refresh(state: State, used: Tokens) {
        const response = await this.askForTokens(used.refresh_token)
        if (response.status === 400) state.tokens = undefined
        const fresh = (await this.read(response)) as Tokens
        if (state.tokens === used) state.tokens = fresh
      }
    },
  ),
]

const lists = [
  seeded(
    'shows what it has when a page fails',
    'list/GET-v0-elements#2/refused',
    'harmful',
    class extends CoursesApp {
      override async elements(state: State, organization: string) {
        const found: unknown[] = []
        for (let next: string | null = ''; next !== null; ) {
          const answer: { payload?: { data: unknown[]; next: string | null } } = await this.get(
            state,
            organization,
            `/v0/elements${next && `?page=${next}`}`,
          ).catch(() => ({}))
          found.push(...(answer.payload?.data ?? []))
          next = answer.payload?.next ?? null
        }
        return { status: 200, body: found }
      }
    },
  ),
  seeded(
    'keeps a list that broke off as the whole one',
    'list/GET-v0-elements#3/garbled',
    'harmful',
    class extends CoursesApp {
      readonly lists = new Map<State, unknown[]>()
      override async elements(state: State, organization: string) {
        const known = this.lists.get(state)
        if (known) return { status: 200, body: known }
        const found: unknown[] = []
        this.lists.set(state, found)
        for (let next: string | null = ''; next !== null; ) {
          const { payload } = await this.get(state, organization, `/v0/elements${next && `?page=${next}`}`)
          found.push(...payload.data)
          next = payload.next
        }
        return { status: 200, body: found }
      }
    },
  ),
  seeded(
    'gives a page up after three seconds and leaves it out',
    'list/GET-v0-elements#2/slow',
    'harmful',
    class extends CoursesApp {
      override async elements(state: State, organization: string) {
        const first = await this.get(state, organization, '/v0/elements')
        const found: unknown[] = [...first.payload.data]
        for (let { next } = first.payload; next !== null; ) {
          const page = this.get(state, organization, `/v0/elements?page=${next}`)
          const answer = await Promise.race([page, wait(3_000)])
          found.push(...(answer?.payload.data ?? []))
          next = answer?.payload.next ?? null
        }
        return { status: 200, body: found }
      }
    },
  ),
]

const events = [
  seeded(
    'marks an event as seen before it is handled',
    'install/GET-v0-courses#1/refused',
    'stranded',
    class extends CoursesApp {
      override async installed(event: Event, state: State) {
        if (state.events.has(event.id)) return
        state.events.add(event.id)
        await this.read(await this.call('/v0/courses', event.data.credentials))
        this.store(event, state)
      }
    },
  ),
  seeded(
    'lets an older event overwrite the credentials',
    'upgrade/app.installed#1/again-later',
    'stranded',
    class extends CoursesApp {
      override isOld() {
        return false
      }
    },
  ),
  seeded(
    'lets an event that it has not seen overwrite the credentials of a newer one',
    'upgrade/app.installed#1/late',
    'stranded',
    class extends CoursesApp {
      override isOld(event: Event, state: State) {
        return state.events.has(event.id) || state.ended.has(event.installation_id)
      }
    },
  ),
  seeded(
    'ignores an install while it believes that it is installed',
    'reinstall/app.uninstalled#1/late',
    'stranded',
    class extends CoursesApp {
      override isOld(event: Event, state: State) {
        return state.tokens !== undefined || super.isOld(event, state)
      }
    },
  ),
  seeded(
    'lets a late uninstall end the installation that came after it',
    'reinstall/app.uninstalled#1/late',
    'stranded',
    class extends CoursesApp {
      override async uninstalled(_event: Event, state: State) {
        state.tokens = undefined
      }
    },
  ),
  seeded(
    'brings an ended installation back when its event comes again',
    'uninstall/app.installed#1/again-later',
    'stranded',
    class extends CoursesApp {
      override isOld(event: Event, state: State) {
        return state.events.size === 1 && super.isOld(event, state)
      }
      override async refresh(state: State, used: Tokens) {
        state.tokens = (await this.read(await this.askForTokens(used.refresh_token))) as Tokens
      }
    },
  ),
  seeded(
    'turns the installation on and off with each event',
    'install/app.installed#1/twice',
    'stranded',
    class extends CoursesApp {
      override async installed(event: Event, state: State) {
        const { tokens: known } = state
        this.store(event, state)
        if (known) state.tokens = undefined
      }
    },
  ),
  seeded(
    'remembers for ever that an organization was not there',
    'refresh/app.installed#1/late',
    'stranded',
    class extends CoursesApp {
      readonly absent = new Set<string>()
      override async page(organization: string, name: string) {
        if (!this.stateOf(organization).tokens) this.absent.add(organization)
        return this.absent.has(organization) ? { status: 404, body: {} } : super.page(organization, name)
      }
    },
  ),
  seeded(
    'answers 409 to an event that it has handled',
    'install/app.installed#1/unanswered',
    'harmful',
    class extends CoursesApp {
      override async receive(event: Event) {
        const isKnown = this.stateOf(event.data.organization.id).events.has(event.id)
        return isKnown ? 409 : super.receive(event)
      }
    },
  ),
  seeded(
    'handles an uninstall that comes again as a new one',
    'reinstall/app.uninstalled#1/again-later',
    'stranded',
    class extends CoursesApp {
      override async uninstalled(event: Event, state: State) {
        state.ended.add(event.installation_id)
        state.tokens = undefined
      }
    },
  ),
]

export const seededFaults: SeededFault[] = [...tokens, ...requests, ...lists, ...events]
