import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

type Row = [url: string, body: object | undefined, path: string, message: string]

describe('control-api preamble: an error names the field, what is wrong, and the way out', () => {
  test.for([
    ...['4xx', '1e2', '0x190', '400.0', ''].map(
      (status): Row => [
        `/_admin/requests?status=${status}`,
        undefined,
        'status',
        'must be a whole number in digits, such as 100',
      ],
    ),
    ['/_admin/requests?limit=0x10', undefined, 'limit', 'must be a whole number in digits, such as 100'],
    ['/_admin/requests/count?limit=-1', undefined, 'limit', 'must be at least 1'],
    ['/_admin/requests?method=BOGUS', undefined, 'method', 'must be an HTTP method, such as GET'],
    ['/_admin/requests/count?method=', undefined, 'method', 'must be an HTTP method, such as GET'],
    ['/_admin/requests?path=', undefined, 'path', 'must not be empty'],
    ['/_admin/stream?since=1e2', undefined, 'since', 'must be the id of an event'],
    ['/_admin/requests?limit=1&limit=2', undefined, 'limit', 'is given more than once'],
    ['/_admin/stream?since=1&since=2', undefined, 'since', 'is given more than once'],
    [
      '/_admin/users',
      { id: 'new', email: 'new@acme.test', organizations: [{ slug: 'acme' }, { slug: 'acme' }] },
      'organizations.1',
      'the membership "acme/new" is given twice; it is also at organizations.0',
    ],
    ['/_admin/tokens/expire', { all: false }, 'all', 'must be true, not false'],
    ['/_admin/tokens/expire', { all: 1 }, 'all', 'must be true, not a number'],
    ['/_admin/snapshots', { name: 'x'.repeat(201) }, 'name', 'must have at most 200 characters'],
    [
      '/_admin/faults',
      { effect: { status: 500, headers: { 'bad header': 'x' } } },
      'effect.headers.bad header',
      'must be a header name: no spaces, no separators such as : or /',
    ],
    [
      '/_admin/faults',
      { effect: { status: 500, headers: { 'Content-Length': '1' } } },
      'effect.headers.Content-Length',
      'is set by the length of the body',
    ],
  ] as Row[])('%s %j: 400 at %s', async ([url, body, path, message], { call }) => {
    expect(await call(url, { body })).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  })

  test('an email or id that is taken is told once, not with its field twice', async ({ call }) => {
    expect(await call('/_admin/users', { body: { email: 'ada@acme.test' } })).toMatchObject({
      status: 409,
      body: { detail: 'Conflict: email "ada@acme.test" already exists' },
    })
    expect(await call('/_admin/users', { body: { id: 'ada', email: 'other@acme.test' } })).toMatchObject({
      status: 409,
      body: { detail: 'Conflict: id "ada" already exists' },
    })
  })

  test('a user of an organization that does not exist is not made: 404, saying which exist', async ({ call }) => {
    const body = { email: 'new@acme.test', organizations: [{ slug: 'nope' }] }
    expect(await call('/_admin/users', { body })).toMatchObject({
      status: 404,
      body: { detail: 'There is no organization "nope"; there are: acme, zenith' },
    })
    expect((await call('/_admin/users')).text).not.toContain('new@acme.test')
  })

  test('what is refused as taken has drawn nothing: the next secrets are the same', async ({ call }) => {
    const draws = async () => (await call('/_admin/state')).body.sequence.draws
    const before = await draws()
    const manifest = { id: 'notes', name: 'Notes', version: '1.0.0' }
    expect((await call('/_admin/apps', { body: { manifest } })).status).toBe(409)
    expect(await draws()).toBe(before)
  })
})
