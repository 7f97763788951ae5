import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { ROOT, test } from '../harness/command-line.js'

test('builds that run at once, as of `npm test` and `npm pack`, leave every file where it is', {
  timeout: 90_000,
}, async ({ folder }) => {
  for (const part of ['bin', 'dist', 'fixtures', 'scripts', 'src', 'package.json', 'tsconfig.json']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // Those of fixed names: the others are named by a hash, also of where the sources are.
  const files = (await readdir(join(ROOT, 'dist'))).filter((name) => /^(index|library|main|vitest)\./.test(name))
  const missed = new Set<string>()
  let building = true
  const build = () => promisify(execFile)(process.execPath, ['scripts/build.js'], { cwd: folder })
  const builds = Promise.all([build(), build()]).finally(() => {
    building = false
  })
  while (building) {
    for (const file of files) if (!existsSync(join(folder, 'dist', file))) missed.add(file)
    await setImmediate()
  }
  await builds
  expect([...missed]).toEqual([])
  expect(files).toContain('index.cjs')
  expect((await readdir(folder)).filter((name) => name.startsWith('.build'))).toEqual(['.build'])
})
