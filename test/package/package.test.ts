import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

async function packed(): Promise<string[]> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT })
  const [{ files }] = JSON.parse(stdout)
  return files.map(({ path }: { path: string }) => path)
}

describe('the package', () => {
  test('holds only what a user needs', async () => {
    const files = await packed()
    const needed =
      /^(bin\/mockademy\.js|dist\/[\w.-]+\.js|dist\/(index|vitest)\.d\.ts|dist\/console\/[\w.-]+\.(html|css|js)|fixtures\/[\w.-]+\.json|docs\/([\w-]+\/)*[\w.-]+\.(md|d\.ts|png|svg|ya?ml|json)|test\/journeys\/notes-app\/[\w-]+\.(js|md)|llms\.txt|package\.json|(README|CHANGELOG|SECURITY)\.md|LICENSE)$/
    expect(files.filter((file) => !needed.test(file))).toEqual([])
    for (const file of [
      'bin/mockademy.js',
      'dist/index.js',
      'dist/main.js',
      'dist/fold-worker.js',
      'dist/vitest.js',
      'fixtures/default.json',
      'fixtures/schema.json',
      'docs/platform.md',
      'docs/images/activity.png',
      'test/journeys/notes-app/server.js',
      'llms.txt',
    ]) {
      expect(files).toContain(file)
    }
  })

  test('has what its manifest points to', async () => {
    const files = await packed()
    const entries = [manifest.exports['.'], manifest.exports['./vitest']]
    for (const path of [...entries.flatMap(({ types, default: code }) => [types, code]), manifest.bin.mockademy]) {
      expect(files).toContain(path.replace('./', ''))
    }
  })

  test('runs on Node 20.19 or newer, is built when it is installed from git, and is MIT', () => {
    expect(manifest).toMatchObject({ name: 'mockademy', type: 'module', license: 'MIT', engines: { node: '>=20.19' } })
    expect(manifest.scripts.prepare).toContain('build')
  })

  test('exports startEmulator and connect', async () => {
    const { startEmulator, connect } = await import('mockademy')
    expect([typeof startEmulator, typeof connect]).toEqual(['function', 'function'])
  })
})
