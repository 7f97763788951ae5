import { expect, test } from 'vitest'
import { RecordedValues } from '../../src/control/scenarios/recorded-values.js'
import type { Exchange } from '../../src/emulator/world/exchange.js'

const reference = (name: string) => `$\{made.${name}}`

test('of values of which one is a part of another, the longest is replaced', () => {
  const [small, big] = ['12345678', '123456789012']
  const values = new RecordedValues((text) => text, new Set([small, big]))
  const response = { headers: {}, body: Buffer.from(JSON.stringify({ small, big })) }
  values.addResult({ request: { headers: {} }, response } as unknown as Exchange, 'made', [])
  const headers = { cookie: 'a=hunter2; b=hunter2-long-tail' }
  values.addSecrets({ search: '', request: { headers }, response } as unknown as Exchange)
  expect(values.written(`/v0/elements/${big}`)).toBe(`/v0/elements/${reference('big')}`)
  expect(values.written(`/v0/elements/${small}`)).toBe(`/v0/elements/${reference('small')}`)
  expect(values.written('/p/hunter2')).toBeUndefined()
  expect(values.redacted('/p/hunter2-long-tail/hunter2')).toBe('/p/[redacted]/[redacted]')
})
