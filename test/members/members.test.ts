import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

// biome-ignore lint/suspicious/noExplicitAny: JSON as it comes
type Any = any

const as = 'key_acme'
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ada = {
  id: 'ada',
  object: 'member',
  first_name: 'Ada',
  last_name: 'Owner',
  full_name: 'Ada Owner',
  avatar: null,
  email: 'ada@acme.test',
  is_email_verified: true,
  last_seen: null,
  created_at: timestamp,
}
const ids = (answer: Any) => answer.body.payload.data.map(({ id }: Any) => id)

describe('wire §4: member', () => {
  test("a member's id is the user's", async ({ call }) => {
    expect((await call('/v0/members/ada', { as })).body).toEqual({ error: null, payload: ada })
  })

  test('only those of the organization are there, newest first', async ({ call }) => {
    expect(ids(await call('/v0/members', { as }))).toEqual(['bob', 'ada'])
    expect(ids(await call('/v0/members', { as: 'key_zenith' }))).toEqual(['zoe'])
    expect((await call('/v0/members/zoe', { as })).status).toBe(404)
    expect((await call('/v0/members/nobody', { as })).status).toBe(404)
  })
})

describe('wire §4: course_member', () => {
  test("is addressed by the member's id", async ({ call }) => {
    expect((await call('/v0/courses/course1/members/ada', { as })).body.payload).toEqual({
      id: 'ada',
      object: 'course_member',
      joined_at: timestamp,
      member: ada,
      course: 'course1',
      custom_fields: {},
      created_at: timestamp,
    })
  })

  test('a course lists its own; another course or member is 404', async ({ call }) => {
    expect(ids(await call('/v0/courses/course1/members', { as }))).toEqual(['bob', 'ada'])
    expect(ids(await call('/v0/courses/course2/members', { as }))).toEqual([])
    for (const path of ['course2/members/ada', 'course1/members/zoe', 'nope/members', 'zcourse/members']) {
      expect((await call(`/v0/courses/${path}`, { as })).status).toBe(404)
    }
  })
})

describe('wire §4: module', () => {
  test('has its position in the course', async ({ call }) => {
    expect((await call('/v0/modules/module2', { as })).body.payload).toEqual({
      id: 'module2',
      object: 'module',
      name: 'Week 2',
      position: 1,
      course: 'course1',
      metadata: {},
      created_at: timestamp,
    })
  })

  test('?course= filters the list; an unknown or foreign one gives an empty list', async ({ call }) => {
    expect(ids(await call('/v0/modules', { as }))).toEqual(['module3', 'module2', 'module1'])
    expect(ids(await call('/v0/modules?course=course1', { as }))).toEqual(['module2', 'module1'])
    expect(ids(await call('/v0/modules?course=nope', { as }))).toEqual([])
    expect(ids(await call('/v0/modules?course=zcourse', { as }))).toEqual([])
    expect((await call('/v0/modules/zmodule', { as })).status).toBe(404)
  })
})

describe('spec §5.3: permission to scope', () => {
  const paths = {
    'courses:read': ['/v0/courses', '/v0/courses/course1'],
    'modules:read': ['/v0/modules', '/v0/modules/module1'],
    'elements:read': ['/v0/elements', '/v0/elements/essay', '/v0/elements/search'],
    'members:read': [
      '/v0/members',
      '/v0/members/ada',
      '/v0/courses/course1/members',
      '/v0/courses/course1/members/ada',
    ],
    'activities:read': ['/v0/activities', '/v0/activities/act1', '/v0/elements/essay/activities'],
  }
  const scopes = Object.keys(paths) as (keyof typeof paths)[]

  test.for(scopes)('%s reaches its routes and no other', async (scope, { call }) => {
    const manifest = {
      id: 'probe',
      name: 'Probe',
      version: '1.0.0',
      permissions: [scope],
      oauth: { install: true },
      webhook: { url: 'http://localhost:9/' },
    }
    expect((await call('/_admin/apps', { body: { manifest } })).status).toBe(201)
    const body = { app: 'probe', organization: 'acme', announce: false }
    const token = (await call('/_admin/installations', { body })).body.credentials.access_token
    for (const other of scopes) {
      for (const path of paths[other]) {
        const answer = await call(path, { as: token })
        expect([path, answer.status]).toEqual([path, other === scope ? 200 : 403])
        if (other !== scope) expect(answer.headers.get('www-authenticate')).toContain(`scope="${other}"`)
      }
    }
  })
})
