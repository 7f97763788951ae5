import { expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

const put = (body: unknown) => ({ method: 'PUT', body })

test('a user can be changed, found by id or email; what is left out stays', async ({ call }) => {
  const before = (await call('/_admin/users')).body.data.find(({ id }: { id: string }) => id === 'ada')
  const changed = await call('/_admin/users/ADA@acme.test', put({ email: 'ada@new.test', last_name: 'Newman' }))
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({ ...before, email: 'ada@new.test', last_name: 'Newman', full_name: 'Ada Newman' })
  const { body } = await call('/_admin/users')
  expect(body.data).toContainEqual(changed.body)
  expect((await call('/_admin/users/ada@acme.test', put({ first_name: 'A' }))).status).toBe(404)
})

test('two users cannot have one email, however it is written', async ({ call }) => {
  const clash = await call('/_admin/users/ada', put({ email: 'BOB@acme.test' }))
  expect(clash.status).toBe(409)
  expect(clash.body.detail).toBe('The email BOB@acme.test is taken by the user bob')
})

test('what is no email, and fields that are not known, are refused by name', async ({ call }) => {
  const bad = await call('/_admin/users/ada', put({ email: 'ada', admin: true }))
  expect(bad.status).toBe(400)
  expect((await call('/_admin/users/ada', put({}))).status).toBe(400)
  expect(bad.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['admin', 'email'])
})
