import type { Answer, Call, Client } from '../client.js'
import { app, bearer, installation, json, newElement } from '../worlds.js'

/** One of the callers at work, and what it remembers. A reset by another may have undone any of it. */
export interface Caller {
  client: Client
  /** Between 0 and 1, the same in every run. */
  chance: () => number
  elements: string[]
  refresh_token: string | undefined
  cookie: string | undefined
  turn: number
}

/** A request and the statuses that it may have. */
export interface Action {
  /** Frequency relative to the other actions. */
  weight: number
  /** Undefined: it cannot be done now. */
  call: (caller: Caller) => (Call & { path: string; expect: number[] }) | undefined
  after?: (caller: Caller, answer: Answer) => void
  /** An injected fault may cut the connection of this one. */
  mayBeCut?: boolean
}

const post = (path: string, body: unknown, ...expect: number[]) => ({
  path,
  method: 'POST',
  headers: json,
  body: JSON.stringify(body),
  expect,
})
const get = (path: string, ...expect: number[]) => ({ path, headers: bearer, expect })
const form = (fields: Record<string, string>) => ({
  path: '/oauth/token',
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ ...fields, client_id: app.client_id, client_secret: app.client_secret }).toString(),
  expect: [200, 400],
})

/** Faults meet only this path, which nothing else asks for. */
const FAULTY = '/v0/courses'
const effects = [
  { status: 503 },
  { delay: 2 },
  'rate_limited',
  'token_expired',
  { body: 'malformed_json' },
  { connection: 'reset' },
  { connection: 'truncate' },
]

const pick = <T>(list: readonly T[], chance: () => number): T | undefined => list[Math.floor(chance() * list.length)]

/** Actions of callers, mixed by weight. */
const actions: Record<string, Action> = {
  read: { weight: 30, call: ({ chance }) => get(`/v0/elements/e${Math.floor(chance() * 100)}`, 200) },
  list: { weight: 8, call: () => get('/v0/elements', 200) },
  search: {
    weight: 4,
    call: ({ chance }) => post('/v0/elements/search', { q: `lesson ${Math.floor(chance() * 100)}` }, 200),
  },
  create: {
    weight: 12,
    call: ({ turn }) => ({ ...post('/v0/elements', {}, 200, 201), body: newElement(`Made in turn ${turn}`) }),
    after: ({ elements }, { text }) => void elements.push(JSON.parse(text).payload.id),
  },
  update: {
    weight: 10,
    call: ({ elements, chance, turn }) => {
      const id = pick(elements, chance)
      return id === undefined
        ? undefined
        : { ...post(`/v0/elements/${id}`, { name: `Updated in turn ${turn}`, position: 0 }, 200, 404), method: 'PATCH' }
    },
  },
  delete: {
    weight: 12,
    call: ({ elements }) => {
      const id = elements.shift()
      return id === undefined
        ? undefined
        : { path: `/v0/elements/${id}`, method: 'DELETE', headers: bearer, expect: [200, 404] }
    },
  },
  'wrong body': { weight: 2, call: () => post('/v0/elements', { name: '', type: 'NOPE', properties: 1 }, 400) },
  'unknown element': { weight: 2, call: () => get('/v0/elements/nope', 404) },
  'unknown key': {
    weight: 2,
    call: () => ({ path: '/v0/elements', headers: { authorization: 'Bearer nope' }, expect: [401] }),
  },
  refresh: {
    weight: 5,
    call: ({ refresh_token }) =>
      refresh_token === undefined ? undefined : form({ grant_type: 'refresh_token', refresh_token }),
    after: (caller, { status, text }) => {
      caller.refresh_token = status === 200 ? JSON.parse(text).refresh_token : undefined
    },
  },
  mint: {
    weight: 2,
    call: ({ refresh_token }) =>
      refresh_token === undefined ? post('/_admin/tokens', { app: 'notes', organization: 'acme' }, 201) : undefined,
    after: (caller, { text }) => {
      caller.refresh_token = JSON.parse(text).refresh_token
    },
  },
  'sign in': {
    weight: 1,
    call: ({ cookie }) => (cookie === undefined ? post('/_admin/sessions', { user: 'ada' }, 201) : undefined),
    after: (caller, { text }) => {
      const { cookie } = JSON.parse(text)
      caller.cookie = `${cookie.name}=${cookie.value}`
    },
  },
  'silent sign-in': {
    weight: 3,
    call: ({ cookie, turn }) => {
      if (cookie === undefined) return undefined
      const { client_id, redirect_uri } = app
      const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', prompt: 'none' }
      const search = new URLSearchParams({ ...query, state: `turn-${turn}-58b0a1c2d3e4f506` })
      return { path: `/oauth/authorize?${search}`, headers: { cookie }, expect: [302, 303] }
    },
    after: (caller, { headers }) => {
      if (String(headers.location).includes('login_required')) caller.cookie = undefined
    },
  },
  event: {
    weight: 4,
    call: ({ turn }) =>
      post('/_admin/events', { type: 'bench.event', installation: installation.id, data: { turn } }, 201),
  },
  fault: {
    weight: 1,
    call: ({ chance }) =>
      post('/_admin/faults', { match: { surface: 'api', path: FAULTY }, effect: pick(effects, chance), times: 2 }, 201),
  },
  'meet a fault': { weight: 4, mayBeCut: true, call: () => get(FAULTY, 200, 401, 429, 503) },
  snapshot: {
    weight: 0.1,
    call: ({ chance }) => post('/_admin/snapshots', { name: `s${Math.floor(chance() * 5)}` }, 201),
  },
  restore: {
    weight: 0.05,
    call: ({ chance }) => post(`/_admin/snapshots/s${Math.floor(chance() * 5)}/restore`, undefined, 200, 404),
  },
  advance: { weight: 0.05, call: () => post('/_admin/clock/advance', { by: '10s' }, 200, 409) },
  reset: { weight: 0.02, call: () => post('/_admin/reset', undefined, 200) },
}

const all = Object.entries(actions)
const total = all.reduce((sum, [, { weight }]) => sum + weight, 0)

/** An action by its weight. */
export function chooseAction(chance: () => number): [name: string, action: Action] {
  let left = chance() * total
  for (const entry of all) {
    left -= entry[1].weight
    if (left < 0) return entry
  }
  return all[0] as [string, Action]
}
