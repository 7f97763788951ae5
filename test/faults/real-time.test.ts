import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

/** Calls that are answered one after the other: whatever was to be answered at once has been by then. */
const meanwhile = async (call: (path: string) => Promise<unknown>) => {
  for (let n = 0; n < 10; n++) await call('/_admin/clock')
}

describe('control-api "Faults": hold', () => {
  test('requests wait until so many are there, and then go together', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { hold: 3 } } })
    const answered: number[] = []
    const read = () => call('/v0/courses', { as: 'key_acme' }).then(({ status }) => void answered.push(status))
    const first = [read(), read()]
    await meanwhile(call)
    expect(answered).toEqual([])
    await Promise.all([...first, read()])
    expect(answered).toEqual([200, 200, 200])
  })

  test.for([
    ['deleting the fault', '/_admin/faults', 'DELETE'],
    ['a reset', '/_admin/reset', 'POST'],
  ] as const)('%s releases them', async ([, path, method], { call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { hold: 2 } } })
    let status = 0
    const held = call('/v0/courses', { as: 'key_acme' }).then((answer) => {
      status = answer.status
    })
    await meanwhile(call)
    expect(status).toBe(0)
    await call(path, { method })
    await held
    expect(status).toBe(200)
  })
})

test('a client that leaves during the delay does not count for hold', async ({ call, emulator }) => {
  await call('/_admin/faults', { body: { match: { path: '/v0/modules' }, effect: { delay: 600 } } })
  await call('/_admin/faults', { body: { match: { path: '/v0/courses' }, effect: { delay: 200, hold: 2 } } })
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer key_acme' }
  const left = fetch(`${emulator.url}/v0/courses`, { headers, signal: leaving.signal }).catch(() => 'left')
  await expect.poll(async () => (await call('/_admin/faults')).body.data[1].hits).toBe(1)
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(async () => (await call('/_admin/requests')).body.data).toMatchObject([{ status: null }])
  const order: string[] = []
  const get = (path: string) => call(path, { as: 'key_acme' }).then(() => void order.push(path))
  const held = get('/v0/courses')
  await get('/v0/modules')
  expect(order).toEqual(['/v0/modules'])
  await Promise.all([held, get('/v0/courses')])
})

describe('control-api "Faults": delay and jitter are real time', () => {
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }

  test('a delayed request is overtaken by one that is not', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { delay: '2s' }, times: 1 } })
    const order: string[] = []
    const slow = timed(() => call('/v0/courses', { as: 'key_acme' }).then(() => void order.push('delayed')))
    await call('/_admin/clock')
    await call('/v0/modules', { as: 'key_acme' }).then(() => void order.push('not delayed'))
    expect(await slow).toBeGreaterThanOrEqual(1999)
    expect(order).toEqual(['not delayed', 'delayed'])
  })

  test('jitter adds up to so much, drawn again each time', async ({ call }) => {
    await call('/_admin/faults', { body: { match: { surface: 'api' }, effect: { delay: 1, jitter: '60ms' } } })
    const all: number[] = []
    for (let n = 0; n < 6; n++) all.push(await timed(() => call('/v0/courses', { as: 'key_acme' })))
    expect(Math.max(...all)).toBeGreaterThan(20)
    expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(10)
  })
})

describe('wire §2 "rate limit"', () => {
  test.override({ settings: { rateLimit: 1 } })

  test.for([
    ['a reset', '/_admin/reset', { method: 'POST' }],
    [
      'another world',
      '/_admin/state',
      { method: 'PUT', body: { organizations: [{ slug: 'acme', api_key: 'key_acme' }] } },
    ],
  ] as const)('%s starts a new minute', async ([, path, options], { call }) => {
    const read = async () => (await call('/v0/courses', { as: 'key_acme' })).status
    expect([await read(), await read()]).toEqual([200, 429])
    await call(path, options)
    expect(await read()).toBe(200)
  })
})
