import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Emulator, startEmulator } from 'mockademy'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { comparisonPage } from '../../src/programs/cli/commands/compare.command.js'
import type { Difference } from '../../src/programs/real-platform/difference.js'
import { ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { type Document, type Passing, test } from './platform-test.js'

const defaultWorld = JSON.parse(await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8'))

/** More elements than a page holds, beside one of each type. */
const world = structuredClone(defaultWorld)
world.organizations[0].courses[0].modules[0].elements.push(
  ...Array.from({ length: 30 }, (_, index) => ({ type: 'CONTENT', name: `Page ${index}` })),
)

/** Of a resource, wherever it is shown. */
const each = (object: string, change: (item: Document) => void) => {
  const visit = (value: Document): void => {
    if (typeof value !== 'object' || value === null) return
    if (value.object === object) change(value)
    for (const inner of Object.values(value)) visit(inner)
  }
  return ({ path, body }: Passing) => {
    if (path.startsWith('/v0/') && path !== '/v0/openapi.json') visit(body)
  }
}

const whole = (object: string, field: string, change: (item: Document) => void) =>
  each(object, (item) => {
    if (field in item) change(item)
  })

const successful = (change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.path.startsWith('/v0/') && passing.status === 200 && passing.path !== '/v0/openapi.json') change(passing)
}

const lists = (change: (payload: Document, passing: Passing) => void) =>
  successful((passing) => {
    if (Array.isArray(passing.body.payload.data)) change(passing.body.payload, passing)
  })

const refused = (status: number, change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.status === status) change(passing)
}

const discovery = (change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.path === '/.well-known/openid-configuration') change(passing)
}

const jwks = (change: (passing: Passing) => void) => (passing: Passing) => {
  if (passing.path === '/.well-known/jwks.json') change(passing)
}

interface Case {
  what: string
  alter: (passing: Passing) => void
  found: Partial<Difference>
}

const cases: Case[] = [
  {
    what: 'a field more',
    alter: each('course', (item) => {
      item.locale = 'de'
    }),
    found: {
      section: 'wire: §4 "course"',
      field: 'Course.locale',
      documented: 'no such field',
      found: 'a string of 2 characters',
    },
  },
  {
    what: 'a field more, of several lengths',
    alter: each('course', (item) => {
      item.locale = 'x'.repeat(item.name.length)
    }),
    found: { section: 'wire: §4 "course"', field: 'Course.locale', documented: 'no such field' },
  },
  {
    what: 'a field less',
    alter: each('module', (item) => {
      delete item.metadata
    }),
    found: { section: 'wire: §4 "module"', field: 'Module.metadata', documented: 'object', found: 'nothing' },
  },
  {
    what: 'another type',
    alter: whole('course', 'price', (item) => {
      item.price = '149.00'
    }),
    found: {
      section: 'wire: §4 "course"',
      field: 'Course.price',
      documented: 'number or null',
      found: 'a string of 6 characters',
    },
  },
  {
    what: 'a value outside of an enumeration',
    alter: whole('course', 'status', (item) => {
      item.status = 'live-secret'
    }),
    found: {
      section: 'wire: §4 "course"',
      field: 'Course.status',
      documented: 'one of draft, published, archived',
      found: 'a string of 11 characters',
    },
  },
  {
    what: 'a limit exceeded',
    alter: whole('element', 'content', (item) => {
      item.name = 'x'.repeat(300)
    }),
    found: {
      section: 'spec: §8',
      field: 'Element.name',
      documented: expect.stringContaining('at most 255 characters'),
      found: 'a string of 300 characters',
    },
  },
  {
    what: 'an object where a text should be',
    alter: each('member', (item) => {
      item.avatar = { url: 'https://x.example' }
    }),
    found: { section: 'wire: §4 "member"', field: 'Member.avatar', found: 'an object with url' },
  },
  {
    what: 'a property more',
    alter: whole('element', 'properties', (item) => {
      if (item.type === 'QUIZ') item.properties.attempts = 3
    }),
    found: {
      section: 'spec: §2.3',
      field: 'Element.properties.attempts',
      documented: 'no such field',
      found: 'an integer',
    },
  },
  {
    what: 'a question of another kind',
    alter: whole('element', 'properties', (item) => {
      if (item.type === 'FORM') item.properties.questions[0].type = 'SLIDER'
    }),
    found: {
      section: 'spec: §2.3',
      field: 'Element.properties.questions.type',
      found: 'a string of 6 characters',
    },
  },
  {
    what: 'an activity without context',
    alter: each('activity', (item) => {
      delete item.context
    }),
    found: { section: 'wire: §4 "activity"', field: 'Activity.context', found: 'nothing' },
  },
  {
    what: 'an element type that nobody knows',
    alter: whole('element', 'properties', (item) => {
      if (item.type === 'TAG') item.type = 'BADGE'
    }),
    found: {
      section: 'spec: §2.2',
      field: 'Element.type',
      documented: expect.stringContaining('TAG'),
      found: expect.any(String),
    },
  },
  {
    what: 'seconds instead of milliseconds',
    alter: whole('course', 'created_at', (item) => {
      item.created_at = item.created_at.replace(/\.\d{3}Z/, 'Z')
    }),
    found: { section: 'wire: §1 "timestamps"', field: 'created_at', found: 'a string of 20 characters (a date-time)' },
  },
  {
    what: 'a day instead of a time',
    alter: whole('module', 'created_at', (item) => {
      item.created_at = item.created_at.slice(0, 10)
    }),
    found: { section: 'wire: §1 "timestamps"', field: 'created_at', found: 'a string of 10 characters (a date)' },
  },
  {
    what: 'a fraction where an integer should be',
    alter: whole('module', 'position', (item) => {
      item.position += 0.5
    }),
    found: {
      section: 'wire: §4 "module"',
      field: 'Module.position',
      documented: 'integer, at least 0',
      found: 'a number',
    },
  },
  {
    what: 'times as numbers',
    alter: whole('activity', 'timestamp', (item) => {
      item.timestamp = Date.parse(item.timestamp)
    }),
    found: { section: 'wire: §1 "timestamps"', field: 'timestamp', found: 'an integer' },
  },
  {
    what: 'no envelope',
    alter: successful((passing) => {
      passing.body = passing.body.payload
    }),
    found: { section: 'wire: §2 "success"' },
  },
  {
    what: 'an envelope with more in it',
    alter: successful((passing) => {
      passing.body.meta = { took: 3 }
    }),
    found: { section: 'wire: §2 "success"', field: 'meta', documented: 'no such field', found: 'an object with took' },
  },
  {
    what: 'a list under another name',
    alter: lists((payload) => {
      payload.items = payload.data
      delete payload.data
    }),
    found: { section: 'wire: §2 "list payload"' },
  },
  {
    what: 'a total beside the list',
    alter: lists((payload) => {
      payload.total = 9
    }),
    found: { section: 'wire: §2 "list payload"', field: 'total', documented: 'no such field' },
  },
  {
    what: 'an end that is no null',
    alter: lists((payload) => {
      if (payload.next === null) payload.next = ''
    }),
    found: { section: 'wire: §2 "list payload"', field: 'next', found: 'a string of 0 characters' },
  },
  {
    what: 'oldest first',
    alter: lists((payload, { path }) => {
      if (path === '/v0/courses') payload.data.reverse()
    }),
    found: {
      section: 'wire: §3 "All lists"',
      where: 'GET /v0/courses',
      documented: 'newest first',
      found: 'oldest first',
    },
  },
  {
    what: 'a filter that filters nothing',
    alter: lists((payload, { path, query }) => {
      if (path === '/v0/modules' && query.get('course') === 'mockademy-unknown') {
        payload.data = [{ ...defaultModule }]
      }
    }),
    found: { section: 'wire: §2 "404 or 400"', documented: 'an empty list for an unknown one', found: 'items' },
  },
  {
    what: 'a search that finds others',
    alter: lists((payload, { path, query }) => {
      if (path === '/v0/elements/search' && query.has('q')) payload.data[0].name = '?'
    }),
    found: { section: 'spec: §4.7', where: 'GET /v0/elements/search?q={q}', found: 'others among them' },
  },
  {
    what: 'a list that is not there',
    alter: (passing) => {
      if (passing.path !== '/v0/members') return
      Object.assign(passing, { status: 404, body: { error: 'Resource not found', payload: null } })
    },
    found: { section: 'wire: §3', where: 'GET /v0/members', documented: 'status 200', found: 'status 404' },
  },
  {
    what: 'another media type',
    alter: (passing) => {
      if (passing.path === '/v0/courses') passing.headers['content-type'] = 'application/vnd.api+json'
    },
    found: { section: 'wire: §2 "success"', field: 'Content-Type', found: 'application/vnd.api+json' },
  },
  {
    what: 'another error body',
    alter: refused(404, (passing) => {
      passing.body = { error: 'Resource not found', payload: null, code: 'not_found' }
    }),
    found: { section: 'wire: §2 "error"', field: 'code', documented: 'no such field' },
  },
  {
    what: 'another message',
    alter: refused(404, (passing) => {
      passing.body.error = 'Not here'
    }),
    found: {
      section: 'wire: §2 "statuses"',
      field: 'error',
      documented: '"Resource not found"',
      found: 'another message',
    },
  },
  {
    what: 'another status for an unknown id',
    alter: refused(404, (passing) => {
      if (passing.path.split('/').length === 4) passing.status = 410
    }),
    found: { section: 'wire: §2 "404 or 400"', documented: 'status 404', found: 'status 410' },
  },
  {
    what: 'another status without a credential',
    alter: refused(401, (passing) => {
      if (passing.path === '/v0/courses' && !passing.authorization) passing.status = 403
    }),
    found: { section: 'spec: §5.1', documented: 'status 401', found: 'status 403' },
  },
  {
    what: 'an id judged before the credential',
    alter: refused(401, (passing) => {
      if (passing.path !== '/v0/courses') passing.status = 404
    }),
    found: { section: 'wire: §2 "order of checks"', documented: 'status 401', found: 'status 404' },
  },
  {
    what: 'no WWW-Authenticate',
    alter: refused(401, (passing) => {
      delete passing.headers['www-authenticate']
    }),
    found: { section: 'wire: §2 "bearer errors"', field: 'WWW-Authenticate', found: 'none' },
  },
  {
    what: 'another parameter of WWW-Authenticate',
    alter: refused(401, (passing) => {
      passing.headers['www-authenticate'] =
        passing.headers['www-authenticate']?.replace('invalid_token', 'bad_token') ?? ''
    }),
    found: { section: 'wire: §2 "bearer errors"', field: 'WWW-Authenticate error', documented: '"invalid_token"' },
  },
  {
    what: 'a further parameter of WWW-Authenticate',
    alter: refused(401, (passing) => {
      passing.headers['www-authenticate'] += ', scope="courses:read"'
    }),
    found: {
      section: 'wire: §2 "bearer errors"',
      field: 'WWW-Authenticate scope',
      documented: 'no such parameter',
      count: 2,
    },
  },
  {
    what: 'an unreadable cursor that is read',
    alter: (passing) => {
      if (passing.path !== '/v0/courses' || passing.status !== 400) return
      Object.assign(passing, { status: 200, body: { error: null, payload: { data: [], next: null } } })
    },
    found: { section: 'wire: §2 "list payload"', where: 'GET /v0/courses?page={unreadable}', found: 'status 200' },
  },
  {
    what: 'no details of what is not valid',
    alter: refused(400, (passing) => {
      if (passing.path === '/v0/courses') delete passing.body.details
    }),
    found: { section: 'wire: §2 "error"', field: 'details', found: 'nothing' },
  },
  {
    what: 'another status for another method',
    alter: refused(405, (passing) => {
      passing.status = 404
    }),
    found: { section: 'wire: §2 "statuses"', where: 'PUT /v0/courses', documented: 'status 405', found: 'status 404' },
  },
  {
    what: 'no Allow',
    alter: refused(405, (passing) => {
      delete passing.headers.allow
    }),
    found: { section: 'wire: §2 "statuses"', field: 'Allow', found: 'none' },
  },
  {
    what: 'a rate limit that is no number',
    alter: (passing) => {
      Object.assign(passing.headers, { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '1' })
    },
    found: { section: 'wire: §2 "rate limit"', field: 'X-RateLimit-Limit', found: 'a string of 4 characters' },
  },
  {
    what: 'a rate limit that no setting takes',
    alter: (passing) => {
      Object.assign(passing.headers, { 'x-ratelimit-limit': '99999999999999999999', 'x-ratelimit-remaining': '1' })
    },
    found: { section: 'wire: §2 "rate limit"', field: 'X-RateLimit-Limit', found: '100000000000000000000' },
  },
  {
    what: 'pages without items',
    alter: (passing) => {
      if (passing.path === '/v0/elements' && passing.body.payload?.next) passing.body.payload.data = []
    },
    found: { section: 'wire: §2 "list payload"', documented: '50 items a page', found: '0 items' },
  },
  {
    what: 'rate-limit headers of another name',
    alter: (passing) => {
      passing.headers['ratelimit-limit'] = '100'
    },
    found: { section: 'wire: §2 "rate limit"', field: 'ratelimit-limit', documented: 'no such header' },
  },
  {
    what: 'no description of the API',
    alter: (passing) => {
      if (passing.path === '/v0/openapi.json') Object.assign(passing, { status: 404, body: {} })
    },
    found: { section: 'wire: §3', where: 'GET /v0/openapi.json', found: 'status 404' },
  },
  {
    what: 'a member more in the discovery document',
    alter: discovery(({ body }) => {
      body.userinfo_endpoint = `${body.issuer}/userinfo`
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', field: 'userinfo_endpoint', documented: 'no such field' },
  },
  {
    what: 'a member less in the discovery document',
    alter: discovery(({ body }) => {
      delete body.subject_types_supported
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', field: 'subject_types_supported', found: 'nothing' },
  },
  {
    what: 'another signing algorithm',
    alter: discovery(({ body }) => {
      body.id_token_signing_alg_values_supported = ['ES256']
    }),
    found: {
      section: 'spec: §4.9',
      field: 'id_token_signing_alg_values_supported',
      documented: 'RS256',
      found: 'ES256',
    },
  },
  {
    what: 'another token endpoint',
    alter: discovery(({ body }) => {
      body.token_endpoint = `${body.issuer}/token`
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', field: 'token_endpoint', found: expect.stringMatching(/\/token$/) },
  },
  {
    what: 'a token endpoint that is not where it is documented',
    alter(passing) {
      if (passing.path === '/oauth/token') passing.status = 404
      else if (passing.path === '/.well-known/openid-configuration')
        passing.body.token_endpoint = `${passing.body.issuer}/token`
    },
    found: { section: 'spec: §4.8', field: 'token_endpoint', found: expect.stringMatching(/\/token$/) },
  },
  {
    what: 'no discovery document',
    alter: discovery((passing) => {
      Object.assign(passing, { status: 404, body: 'none' })
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', documented: 'the discovery document', found: 'status 404' },
  },
  {
    what: 'another time to keep the discovery document',
    alter: discovery(({ headers }) => {
      headers['cache-control'] = 'public, max-age=60'
    }),
    found: {
      section: 'spec: §8 "Discovery and JWKS cache"',
      field: 'Cache-Control',
      documented: 'public, max-age=3600',
    },
  },
  {
    what: 'keys that no page may read',
    alter: jwks(({ headers }) => {
      delete headers['access-control-allow-origin']
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', field: 'Access-Control-Allow-Origin', found: 'none' },
  },
  {
    what: 'keys of another algorithm',
    alter: jwks(({ body }) => {
      for (const key of body.keys) key.alg = 'PS256'
    }),
    found: { section: 'spec: §4.9', field: 'alg', documented: 'RS256' },
  },
  {
    what: 'no keys',
    alter: jwks(({ body }) => {
      body.keys = []
    }),
    found: { section: 'wire: §6 "discovery, JWKS"', field: 'keys', found: 'an empty array' },
  },
]

const defaultModule = {
  id: 'other',
  object: 'module',
  name: 'Other',
  position: 0,
  course: 'other',
  metadata: {},
  created_at: '2025-12-31T23:59:59.000Z',
}

/** For what alters nothing of it. */
let steady: Emulator
beforeAll(async () => {
  steady = await startEmulator({ seed: 'steady', fixtures: world })
})
afterAll(() => steady.close())

describe('compared with another Mockademy', () => {
  test.override({ world })

  test('nothing differs, and nothing is left unjudged', async ({ emulator, compareWith }) => {
    const { differences, checks } = await compareWith({
      base: emulator.url,
      issuer: emulator.url,
      token: 'at_notes_globex',
    })
    expect(differences).toEqual([])
    expect(checks.filter(({ result }) => result !== 'same')).toEqual([])
    expect(checks).toHaveLength(17)
  })

  test('changes nothing', async ({ emulator, compareWith }) => {
    const before = await send(`${emulator.url}/_admin/state`)
    await compareWith({ base: emulator.url, issuer: emulator.url })
    expect((await send(`${emulator.url}/_admin/state`)).body).toEqual(before.body)
    const { body } = await send(`${emulator.url}/_admin/requests?limit=1000`)
    const others = body.data.filter(({ method }: Document) => method !== 'GET')
    expect(others.map(({ method, status }: Document) => [method, status])).toEqual([['PUT', 405]])
  })

  test('tells a refusal for a missing scope apart', async ({ compareWith, between }) => {
    const base = await between(
      steady.url,
      refused(403, (passing) => {
        passing.body.error = 'Forbidden'
      }),
    )
    const { differences } = await compareWith({ base, token: 'at_notes_globex' })
    expect(differences).toEqual([
      expect.objectContaining({ section: 'spec: §7', field: 'error', documented: '"Insufficient scope"', count: 3 }),
    ])
  })

  describe('with other settings', () => {
    test.override({
      settings: {
        pageSize: 20,
        rateLimit: 30,
        elementTypeNames: { MEETING_PROVIDER_A: "It's Zoom", PARTNER_LEARNING: 'LIBRARY' },
        browserUrl: 'http://browser.localhost',
        appUrl: 'http://app.localhost',
      },
    })

    test('names exactly the settings', async ({ emulator, compareWith, watch }) => {
      watch.onWait = async (by) => void (await send(`${emulator.url}/_admin/clock/advance`, { body: { by } }))
      const comparison = await compareWith({ base: emulator.url, issuer: emulator.url })
      const { settings, differences } = comparison
      expect(settings).toEqual({
        page_size: 20,
        rate_limit: 30,
        element_type_names: { MEETING_PROVIDER_A: "It's Zoom", PARTNER_LEARNING: 'LIBRARY' },
        browser_url: 'http://browser.localhost',
        app_url: 'http://app.localhost',
      })
      expect(differences).toHaveLength(5)
      expect(watch.waits.length).toBeGreaterThan(0)
      const code = comparisonPage(comparison, emulator.url).sections.find(({ code }) => code)?.code?.text
      expect(code).toContain(
        String.raw` --element-type-names 'MEETING_PROVIDER_A=It'\''s Zoom,PARTNER_LEARNING=LIBRARY'`,
      )
    })
  })
})

describe('compared with a platform that differs in one thing', () => {
  test.override({ world })

  test.for(cases.map((one) => [one.what, one] as const))(
    '%s is found, and nothing else',
    async ([, { alter, found }], { between, compareWith }) => {
      const base = await between(steady.url, (passing) => {
        asIssuer(passing)
        alter(passing)
      })
      const { differences, settings } = await compareWith({ base, issuer: base })
      expect(differences).toEqual([expect.objectContaining(found)])
      expect(settings).toEqual({})
    },
  )

  /** The server between is the issuer: it says its own address where the emulator says the emulator's. */
  const asIssuer = (passing: Passing) => {
    if (passing.path !== '/.well-known/openid-configuration') return
    passing.body = JSON.parse(JSON.stringify(passing.body).replaceAll(passing.body.issuer, `http://${passing.host}`))
  }

  test('a cursor that is not read is found', async ({ between, compareWith }) => {
    let first: Document
    const base = await between(
      steady.url,
      lists((payload, { path, query }) => {
        if (path !== '/v0/elements') return
        if (!query.has('page')) first = payload
        else Object.assign(payload, first)
      }),
    )
    const { differences } = await compareWith({ base })
    expect(differences).toEqual([
      expect.objectContaining({ section: 'wire: §2 "list payload"', field: 'next', found: 'the first page again' }),
    ])
  })

  test('a name of an element type is found by its properties', async ({ between, compareWith }) => {
    const renamed = whole('element', 'properties', (item) => {
      if (item.type === 'MEETING_PROVIDER_A') item.type = 'TEAMS'
    })
    const { differences, settings } = await compareWith({ base: await between(steady.url, renamed) })
    expect(differences).toMatchObject([{ section: 'spec: §2.2', field: 'type', found: 'TEAMS' }])
    expect(settings).toEqual({ element_type_names: { MEETING_PROVIDER_A: 'TEAMS' } })
  })

  test('a 429 without Retry-After is found', async ({ between, compareWith }) => {
    let seen = 0
    const base = await between(steady.url, (passing) => {
      if (passing.path === '/v0/modules' && seen++ === 0) passing.status = 429
    })
    const { differences } = await compareWith({ base })
    expect(differences).toEqual([
      expect.objectContaining({ section: 'wire: §2 "rate limit"', field: 'Retry-After', found: 'none' }),
    ])
  })
})

describe('a comparison', () => {
  test.override({ world })

  test('shows no value of anybody', async ({ between, compareWith }) => {
    const base = await between(steady.url, (passing) => {
      each('member', (item) => {
        item.phone = 'canary-phone'
        item['canary key@x'] = 1
        item.email = { address: 'canary@private.example' }
      })(passing)
      each('course', (item) => {
        item.status = 'canary-status'
      })(passing)
    })
    const comparison = await compareWith({ base })
    expect(comparison.differences.length).toBeGreaterThan(2)
    expect(JSON.stringify(comparison)).not.toContain('canary')
  })

  test('says what it could not judge', async ({ between, compareWith }) => {
    const empty = lists((payload) => {
      Object.assign(payload, { data: [], next: null })
    })
    const base = await between(steady.url, (passing) => {
      empty(passing)
      const headers = { 'content-type': 'text/html' }
      if (passing.path === '/v0/members') Object.assign(passing, { status: 403, headers, body: 'Forbidden' })
    })
    const { differences, checks } = await compareWith({ base })
    expect(differences).toEqual([])
    expect(checks.filter(({ result }) => result === 'not seen').map(({ name }) => name)).toEqual([
      'page size',
      'cursors',
      'order of lists',
      'fields of resources',
      'time formats',
    ])
  })

  test('does not begin with a key that is not accepted', async ({ compareWith }) => {
    await expect(compareWith({ base: steady.url, apiKey: 'wrong-key-0123' })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/courses returned status 401: the credential was rejected',
    })
  })

  test('calls a token that is not accepted no difference of the platform', async ({ compareWith }) => {
    await expect(compareWith({ base: steady.url, token: 'ended-token-0123' })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/courses (access token) returned status 401: the token was rejected; has it expired?',
    })
  })
})
