import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation'
import { transformSync } from 'esbuild'
import { describe, expect } from 'vitest'
import { linksOf, pages } from '../docs/pages.js'
import { ROOT, test } from '../harness/command-line.js'

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

const pack = ['pack', '--dry-run', '--json', '--ignore-scripts']
const [{ files: packed, size }] = JSON.parse((await promisify(execFile)('npm', pack, { cwd: ROOT })).stdout)
const files: string[] = packed.map(({ path }: { path: string }) => path)

describe('the package', () => {
  test('holds only what a user needs', () => {
    const needed =
      /^(bin\/(mockademy\.js|package\.json)|dist\/[\w.-]+\.cjs|dist\/index\.(js|d\.ts|d\.cts)|dist\/(playwright|vitest)\.(js|d\.ts)|dist\/(api-examples|default-world|sbom\.cdx)\.json|dist\/THIRD-PARTY-NOTICES\.txt|dist\/console\/[\w.-]+\.(html|css|js)|fixtures\/[\w.-]+\.json|fixtures\/scenarios\/[\w-]+\.jsonc|docs\/([\w-]+\/)*[\w.-]+\.(md|png|svg|ya?ml|json)|test\/journeys\/notes-app\/[\w-]+\.(js|md)|skills\/mockademy\/SKILL\.md|compose\.yaml|llms\.txt|package\.json|(README|SECURITY)\.md|LICENSE)$/
    expect(files.filter((file) => !needed.test(file))).toEqual([])
    for (const file of [
      'bin/mockademy.js',
      'dist/index.js',
      'dist/index.cjs',
      'dist/library.cjs',
      'dist/main.cjs',
      'dist/fold-worker.cjs',
      'dist/default-world.json',
      'dist/sbom.cdx.json',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/playwright.js',
      'dist/vitest.js',
      'fixtures/default.json',
      'fixtures/schema.json',
      'fixtures/scenarios/expired-token.jsonc',
      'docs/platform.md',
      'docs/images/activity.png',
      'test/journeys/notes-app/server.js',
      'skills/mockademy/SKILL.md',
      'llms.txt',
    ]) {
      expect(files).toContain(file)
    }
  })

  test('has at most one megabyte, and pages whose links lead to files in it', () => {
    const outside = pages
      .flatMap(linksOf)
      .filter(({ from, target }) => files.includes(from) && !target.startsWith('#'))
      .map(({ from, target }) => ({ from, to: posix.join(posix.dirname(from), target.split('#')[0] as string) }))
      .filter(({ to }) => !files.includes(to) && !files.some((path) => path.startsWith(`${to.replace(/\/$/, '')}/`)))
    expect(outside).toEqual([])
    expect(size).toBeLessThan(1024 * 1024)
  })

  test('has what its manifest points to', () => {
    const { '.': entry, './playwright': playwright, './vitest': vitest } = manifest.exports
    const exported = [entry.import, entry.require, playwright, vitest].flatMap((each) => Object.values(each))
    const paths = [...exported, manifest.main, manifest.types]
    for (const path of [...paths, manifest.bin.mockademy]) expect(files).toContain((path as string).replace('./', ''))
  })

  test('has no dependencies: what it uses is in it, with its licenses and in a bill of materials', async () => {
    expect(manifest.dependencies).toBeUndefined()
    const read = (file: string) => readFile(join(ROOT, 'dist', file), 'utf8')
    const sbom = await read('sbom.cdx.json')
    const { bomFormat, specVersion, components } = JSON.parse(sbom)
    expect(bomFormat).toBe('CycloneDX')
    expect(await new JsonStrictValidator(specVersion).validate(sbom)).toBeNull()
    const notices = await read('THIRD-PARTY-NOTICES.txt')
    for (const { group, name, version } of components) {
      expect(notices).toContain(`${group ? `${group}/` : ''}${name} ${version}\n`)
    }
    const names = components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['express', 'zod', 'jose', 'node-forge', 'preact']))
    for (const terms of ['Permission is hereby granted', 'Redistribution and use', 'Permission to use']) {
      expect(notices).toContain(terms)
    }
    expect(notices).toContain('express 5')
    expect(notices).toContain('Copyright (c) 2009-2014 TJ Holowaychuk')
  })

  test('runs on Node 20.19 or newer, is built when it is installed from git, and is MIT', () => {
    expect(manifest).toMatchObject({ name: 'mockademy', type: 'module', license: 'MIT', engines: { node: '>=20.19' } })
    expect(manifest.scripts.postprepare).toContain('build')
    // npm 11 warns of packages that have it.
    expect(manifest.scripts.prepare).toBeUndefined()
  })

  test('says on a Node.js too old which one it needs, in words that this one can read', async ({ folder, run }) => {
    const bin = await readFile(join(ROOT, 'bin/mockademy.js'), 'utf8')
    const [now, then] = ['esnext', 'node10'].map((target) => transformSync(bin, { target }).code)
    expect(then).toBe(now)

    const older = join(folder, 'older.cjs')
    await writeFile(older, "Object.defineProperty(process, 'versions', { value: { node: '20.9.1' } })\n")
    expect(await run(['--version'], { env: { NODE_OPTIONS: `--require ${older}` } })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'mockademy: needs Node.js 20.19 or newer; this is 20.9.1\n',
    })
  })

  test('exports startEmulator and connect', async () => {
    const imported = await import('mockademy')
    const required = createRequire(import.meta.url)('mockademy')
    expect([typeof imported.startEmulator, typeof imported.connect]).toEqual(['function', 'function'])
    // One and the same: an error of one is an instance of the other's class.
    expect(required.AdminError).toBe(imported.AdminError)
    expect(Object.keys(required).toSorted()).toEqual(Object.keys(imported).toSorted())
  })
})
