import { describe, expect } from 'vitest'
import { test } from '../harness/sign-in-test.js'

describe('control-api: /_admin/reports', () => {
  test('keeps the last report of an audit and of a sweep until a reset', async ({ call }) => {
    const [first, second] = [1, 2].map((number) => ({
      app: 'notes',
      passed: false,
      flows: [{ flow: 'refresh', number }],
    }))
    for (const body of [first, second]) {
      expect(await call('/_admin/reports/sweep', { method: 'PUT', body })).toMatchObject({ status: 200, body })
    }
    expect((await call('/_admin/reports/sweep')).body).toEqual(second)
    const { status, text } = await call('/_admin/reports/audit')
    expect(status).toBe(404)
    expect(text).toContain('There is no report yet: run mockademy audit')
    await call('/_admin/reset', { method: 'POST' })
    expect((await call('/_admin/reports/sweep')).status).toBe(404)
  })

  test('rejects other kinds, and what is no report', async ({ call }) => {
    const other = await call('/_admin/reports/tests', { method: 'PUT', body: { app: 'notes', passed: true } })
    expect(other.status).toBe(404)
    expect(other.body.detail).toBe('There is no kind of report "tests"; there are: audit, sweep')
    const { status, text } = await call('/_admin/reports/audit', { method: 'PUT', body: { app: 'notes' } })
    expect(status).toBe(400)
    expect(text).toContain('passed')
    expect((await call('/_admin/reports/audit')).status).toBe(404)
  })
})
