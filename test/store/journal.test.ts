import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const store = join(temporaryFolder(afterAll), 'store.json')

describe('design "Store"', () => {
  test.override({ settings: { store } })

  test('a request that changes nothing writes nothing, also where it passes a fault', async ({ call }) => {
    const { body } = await call('/_admin/faults', { body: { match: { path: '/v0/modules' }, effect: 'unavailable' } })
    const written = () => readFileSync(`${store}.journal`, 'utf8')
    const before = written()
    expect(before).toContain(body.id)
    expect((await call('/v0/courses', { as: 'key_acme' })).status).toBe(200)
    expect((await call('/v0/elements', { as: 'key_acme', body: {} })).status).toBe(400)
    expect(written()).toBe(before)
  })
})
