import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { pages } from '../docs/pages.js'
import { cleanEnvironment, ROOT, test } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'

const notRun = pages.find(({ file }) => file === 'README.md')?.blocks.filter((block) => block.notRun) ?? []
const hasBlock = (code: string) => notRun.some((block) => block.code === code)

/** The other blocks of the README run as those of every page do: test/docs. */
describe('what the README says of a clone', () => {
  test('`npm start` builds and starts the emulator, which Ctrl+C ends; builds that run at once leave every file where it is', async ({
    folder,
  }) => {
    expect(hasBlock('npm ci && npm start\n')).toBe(true)
    // In a copy, as other tests use what is built here.
    const clone = join(folder, 'clone')
    for (const part of ['bin', 'dist', 'fixtures', 'scripts', 'src', 'package.json', 'tsconfig.json']) {
      await cp(join(ROOT, part), join(clone, part), { recursive: true })
    }
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    // Those of fixed names: the others are named by a hash, also of where the sources are.
    const files = (await readdir(join(ROOT, 'dist'))).filter((name) =>
      /^(index|library|main|playwright|vitest)\./.test(name),
    )
    expect(files).toContain('index.cjs')

    const env = { ...cleanEnvironment(folder), MOCKADEMY_PORT: String(await freePort()), MOCKADEMY_STORE: 'memory' }
    const started = spawn('npm', ['start'], { cwd: clone, env, detached: true })
    let stdout = ''
    started.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    const build = promisify(execFile)(process.execPath, ['scripts/build.js'], { cwd: clone })
    const ready = expect.poll(() => stdout, { timeout: 200_000, interval: 100 }).toMatch(/ready at http.*\n/)
    let isBusy = true
    const both = Promise.all([build, ready]).finally(() => {
      isBusy = false
    })
    const missed = new Set<string>()
    try {
      while (isBusy) {
        for (const file of files) if (!existsSync(join(clone, 'dist', file))) missed.add(file)
        await setTimeout(2)
      }
      await both
    } finally {
      process.kill(-(started.pid as number), 'SIGINT')
    }
    await once(started, 'close')
    await expect(fetch(/http:\S+/.exec(stdout.slice(stdout.indexOf('ready at')))?.[0] as string)).rejects.toThrow()
    expect([...missed]).toEqual([])
    expect((await readdir(clone)).filter((name) => name.startsWith('.build'))).toEqual(['.build'])
  })

  test('`npm test` runs the tests', async () => {
    expect(hasBlock('npm ci && npm test\n')).toBe(true)
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.test).toContain('vitest run')
  })
})
