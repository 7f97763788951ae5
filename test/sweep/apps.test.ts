import { sweep } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { missingFor, startApp } from '../audit/apps/start-app.js'

/** Every flow takes minutes: `SWEEP=whole` runs them. */
const part = process.env.SWEEP === 'whole' ? {} : { flow: ['refresh', 'reinstall'], skip: ['*/*/slow', '*/*/crash*'] }

describe('a sound app in Python, with SQLite', () => {
  const missing = missingFor('flask')

  test('is neither stranded nor harmed', { timeout: 900_000 }, async ({ skip }) => {
    if (missing) return skip(missing)
    await using app = await startApp('flask')
    const { flows, passed } = await sweep({ url: app.emulator.url, file: app.file, ...part })
    const cases = flows.flatMap((flow) => flow.cases)
    expect(cases.filter(({ verdict }) => verdict === 'stranded' || verdict === 'harmful')).toEqual([])
    expect(cases.filter(({ flaky }) => flaky !== undefined)).toEqual([])
    expect(passed).toBe(true)
  })
})
