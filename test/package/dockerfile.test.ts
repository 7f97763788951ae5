import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const text = await readFile(join(ROOT, 'Dockerfile'), 'utf8')

/** Keyword and rest of each instruction, in order; comments and line continuations are gone. */
const instructions = text
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^(\w+)\s+(.*)$/.exec(line)?.slice(1) as [string, string])

const lastFrom = instructions.findLastIndex(([keyword]) => keyword === 'FROM')
const image = instructions.slice(lastFrom)
const inImage = (keyword: string) => image.filter(([found]) => found === keyword).map(([, rest]) => rest)

describe('the Dockerfile', () => {
  test('builds on the base image that NODE_IMAGE names, by default an Alpine one', () => {
    expect(instructions[0]).toEqual(['ARG', expect.stringMatching(/^NODE_IMAGE=node:\d+-alpine$/)])
    const bases = instructions.filter(([keyword]) => keyword === 'FROM').map(([, rest]) => rest)
    expect(bases).toEqual([
      expect.stringMatching(/ \$\{NODE_IMAGE\} AS package$/),
      expect.stringMatching(/^\$\{NODE_IMAGE\}$/),
    ])
  })

  test('runs nothing in its last stage, so that no other architecture need be emulated', () => {
    expect(inImage('RUN')).toEqual([])
    expect(instructions[1]).toEqual(['FROM', expect.stringContaining('--platform=$BUILDPLATFORM')])
  })

  test('leaves no source maps and no types in the image', () => {
    const [, steps] = instructions.find(([keyword, rest]) => keyword === 'RUN' && rest.includes('find ')) as string[]
    for (const pattern of ["'*.map'", "'*.d.ts'", "'*.d.cts'", "'*.d.mts'"]) expect(steps).toContain(pattern)
  })

  test('names a user by number that is not root, and keeps everything that is written in the volume', () => {
    expect(inImage('USER')).toEqual(['1000:1000'])
    expect(inImage('VOLUME')).toEqual(['/data'])
    expect(inImage('WORKDIR')).toEqual(['/data'])
    expect(inImage('ENV').join(' ')).toContain('XDG_DATA_HOME=/data')
    expect(text).toContain('mkdir -m 1777 /image/data')
  })

  test('says what the image is', () => {
    const labels = [
      ...inImage('LABEL')
        .join(' ')
        .matchAll(/org\.opencontainers\.image\.(\w+)="([^"]+)"/g),
    ]
    expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toEqual({
      title: 'Mockademy',
      description: expect.stringMatching(/^A local emulator/),
      licenses: manifest.license,
    })
  })

  test('runs scripts that are in the repository', () => {
    const scripts = [...text.matchAll(/"\/app\/(docker\/[\w.-]+)"/g)].map(([, path]) => path as string)
    expect(scripts).toEqual(['docker/health.js', 'docker/entrypoint.js'])
    for (const script of scripts) expect(existsSync(join(ROOT, script)), script).toBe(true)
  })

  test('gets what the package is made of', async () => {
    const ignore = await readFile(join(ROOT, '.dockerignore'), 'utf8')
    const allowed = ignore.split('\n').filter((line) => line.startsWith('!'))
    const sources = manifest.files.filter((path: string) => !/^!|^dist$/.test(path))
    const needed = [...sources, 'package.json', 'package-lock.json', '.npmrc', 'README.md', 'LICENSE', 'docker', 'src']
    for (const path of needed)
      expect(
        [`!${path}`, `!${path.split('/')[0]}`].some((line) => allowed.includes(line)),
        path,
      ).toBe(true)
  })
})
