import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { pages } from '../docs/pages.js'
import { cleanEnvironment, ROOT, test } from '../harness/command-line.js'

const notRun = pages.find(({ file }) => file === 'README.md')?.blocks.filter((block) => block.notRun) ?? []
const hasBlock = (code: string) => notRun.some((block) => block.code === code)

/** The other blocks of the README run as those of every page do: test/docs. */
describe('what the README says of a clone', { timeout: 90_000 }, () => {
  test('`npm start` builds and starts the emulator, which Ctrl+C ends', async ({ folder }) => {
    expect(hasBlock('npm ci && npm start\n')).toBe(true)
    // In a copy, as other tests use what is built here.
    const clone = join(folder, 'clone')
    for (const part of ['bin', 'fixtures', 'scripts', 'src', 'package.json', 'tsconfig.json']) {
      await cp(join(ROOT, part), join(clone, part), { recursive: true })
    }
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    const env = { ...cleanEnvironment(folder), MOCKADEMY_PORT: '0', MOCKADEMY_STORE: 'memory' }
    const child = spawn('npm', ['start'], { cwd: clone, env, detached: true })
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    try {
      await expect.poll(() => stdout, { timeout: 60_000 }).toMatch(/ready at http.*\n/)
    } finally {
      process.kill(-(child.pid as number), 'SIGINT')
    }
    await once(child, 'close')
    await expect(fetch(/http:\S+/.exec(stdout.slice(stdout.indexOf('ready at')))?.[0] as string)).rejects.toThrow()
  })

  test('`npm test` runs the tests', async () => {
    expect(hasBlock('npm ci && npm test\n')).toBe(true)
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.test).toContain('vitest run')
  })
})
