import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ROOT } from './processes.js'

const run = (...args: string[]) => promisify(execFile)('npm', ['run', '--silent', ...args], { cwd: ROOT })

describe('npm run endurance, for a moment', () => {
  test('mixed requests are all answered, and three kills lose nothing that was answered', async () => {
    await run('build:bench')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['.bench/endurance.js', '--requests', '500', '--kills', '3', '--no-full-disk'],
      { cwd: ROOT },
    )
    expect(stdout).toContain('mixed requests: held')
    expect(stdout).toContain('500 of 500')
    expect(stdout).toContain('kills: held')
  })
})
