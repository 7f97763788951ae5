import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { type InstalledPackage, installPackage } from '../harness/installed-package.js'

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The package that each runner is in. */
const runners = { vitest: 'vitest', mocha: 'mocha', playwright: '@playwright/test', 'node:test': undefined }

let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage([`vitest@${manifest.devDependencies.vitest}`, 'mocha', '@playwright/test'])
  return () => installed.remove()
}, 120_000)

describe('the installed package', () => {
  test('exports its fixtures and schemas', async () => {
    const { run } = await installed.project('fixtures', {
      'index.mjs': `import world from 'mockademy/fixtures/default.json' with { type: 'json' }
import schema from 'mockademy/fixtures/schema.json' with { type: 'json' }
import { startEmulator } from 'mockademy'
const emulator = await startEmulator({ fixtures: world })
console.log((await emulator.admin.listOrganizations()).length, schema.type)
await emulator.close()
`,
    })
    expect(await run('node', ['--no-warnings', 'index.mjs'])).toEqual({ status: 0, stdout: '3 object\n', stderr: '' })
  })

  test('has types for the library, the vitest fixture and the fixtures', async () => {
    const { run } = await installed.project('types', {
      'tsconfig.json': {
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          strict: true,
          skipLibCheck: true,
          noEmit: true,
          resolveJsonModule: true,
          types: [],
        },
      },
      'package.json': { type: 'module' },
      'index.ts': `import { type Emulator, startEmulator } from 'mockademy'
import { emulatorTest } from 'mockademy/vitest'
import world from 'mockademy/fixtures/minimal.json' with { type: 'json' }

const slug: string | undefined = world.organizations[0]?.slug
export const emulator: Promise<Emulator> = startEmulator({ page_size: 3 })
emulatorTest.override({ emulatorOptions: { page_size: 1 } })
emulatorTest('a test', async ({ emulator }) => {
  const own: Emulator = emulator
  const { data }: { data?: string } = { data: own.url + slug }
  // @ts-expect-error there is no such call
  await emulator.admin.listNothing(data)
})
// @ts-expect-error there is no such option
emulatorTest.scoped({ emulatorOptions: { page_sise: 1 } })
`,
    })
    expect(await run('node', [TSC])).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

describe('mockademy init, and then npm test', () => {
  for (const [runner, dependency] of Object.entries(runners)) {
    test.for(['module', 'commonjs'])(`passes with ${runner} in a package of type %s`, async (type) => {
      const { folder, run } = await installed.project(`init-${dependency?.replace('/', '-') ?? 'node'}-${type}`, {
        'package.json': { name: '@acme/notes', type, ...(dependency && { devDependencies: { [dependency]: '*' } }) },
      })
      const { status, stdout } = await run('npx', ['--no-install', 'mockademy', 'init', '--yes'])
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining('left alone') })
      expect(await run('npm', ['test'])).toMatchObject({ status: 0 })
      const files = ['mockademy/world.json', 'mockademy/app.json']
      expect(await run('npx', ['--no-install', 'mockademy', 'validate', ...files])).toMatchObject({
        status: 0,
        stdout: files.map((file) => `${file}: valid\n`).join(''),
      })
      const { scripts, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      expect(scripts).toMatchObject({ mockademy: 'mockademy start', 'mockademy:audit': 'mockademy audit' })
      expect(devDependencies).toMatchObject({ mockademy: `^${manifest.version}` })
    })
  }

  test('passes in TypeScript, with a test script of its own', async () => {
    const { folder, run } = await installed.project('init-typescript', {
      'package.json': { name: 'notes', scripts: { test: 'vitest run --dir spec' } },
      'tsconfig.json': { compilerOptions: { module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true } },
      'spec/own.test.ts': "import { test } from 'vitest'\ntest('own', () => {})\n",
    })
    await run('npx', ['--no-install', 'mockademy', 'init'])
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).scripts.test).toBe('vitest run --dir spec')
    const { status, stdout } = await run('npm', ['test'])
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests +2 passed/) })
    expect(await run('node', [TSC])).toMatchObject({ status: 0, stdout: '' })
  })
})
