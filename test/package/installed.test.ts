import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../harness/browser-test.js'
import { chromiumPath } from '../harness/chromium.js'
import { ROOT } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import { type InstalledPackage, installPackage, installTools } from '../harness/installed-package.js'

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The package that each runner is in. */
const runners = {
  vitest: 'vitest',
  mocha: 'mocha',
  playwright: '@playwright/test',
  'node:test': undefined,
  jest: 'jest',
}
type Runner = keyof typeof runners

/** The test script of a project with each. */
const scripts = { vitest: 'vitest run', mocha: 'mocha', 'node:test': 'node --test', jest: 'jest' }

const devDependency = (runner: Runner) => {
  const name = runners[runner]
  return name === undefined ? {} : { devDependencies: { [name]: '*' } }
}

/** The blocks of docs/testing.md, each under its heading and the name of its file. */
const text = await readFile(join(ROOT, 'docs', 'testing.md'), 'utf8')
const [preface = '', ...chapters] = text.split(/^## /m)

function filesIn(chapter: string): Record<string, string> {
  const blocks = chapter.matchAll(/`([\w./-]+\.js)`:\n\n```js\n(.*?)^```$/gms)
  return Object.fromEntries([...blocks].map(([, path, code]) => [path as string, code as string]))
}

const shared = filesIn(preface)
const recipes = Object.fromEntries(chapters.map((chapter) => [chapter.split('\n', 1)[0] as string, filesIn(chapter)]))

/** The same module for `require`. */
const asCommonJs = (code: string) => `${code.replace('export async', 'async')}\nmodule.exports = { courseNames }\n`

let installed: InstalledPackage

beforeAll(async () => {
  const tools = await installTools(
    'mocha',
    'jest',
    'jest-environment-jsdom',
    'openapi-typescript@7',
    'openapi-fetch@0.17',
  )
  installed = await installPackage([], { tools })
  const modules = join(installed.folder, 'node_modules')
  for (const scope of ['@playwright', '@types']) await mkdir(join(modules, scope))
  const linked = {
    [ROOT]: ['vitest', '@playwright/test', 'express', 'jose', '@types/node'],
    [tools]: ['mocha', 'jest', 'jest-environment-jsdom', 'openapi-typescript', 'openapi-fetch'],
  }
  for (const [folder, names] of Object.entries(linked)) {
    for (const name of names) await symlink(join(folder, 'node_modules', name), join(modules, name))
  }
  return () => installed.remove()
})

/** A test of Jest that runs in a page. */
const inPage = `const { startEmulator } = require('mockademy')
test('an emulator starts and works', async () => {
  const emulator = await startEmulator()
  try {
    expect(typeof document).toBe('object')
    await emulator.admin.addFault({ match: { surface: 'api' }, effect: { omit: ['payload.next'] } })
    const request = { method: 'GET', path: '/v0/courses', headers: { authorization: 'Bearer key_acme' } }
    const steps = [{ request, expect: { status: 200 } }]
    expect(await emulator.admin.runScenario({ title: 'A page', steps })).toMatchObject({ passed: true })
  } finally {
    await emulator.close()
  }
})
`

describe('the installed package', () => {
  test("starts in Jest's environment jsdom, which replaces some of Node's globals and lacks others", async () => {
    const { run } = await installed.project('page', { 'package.json': {}, 'page.test.js': inPage })
    expect(await run('jest', ['--testEnvironment', 'jsdom'])).toMatchObject({ status: 0 })
  })

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
          exactOptionalPropertyTypes: true,
          skipLibCheck: true,
          noEmit: true,
          resolveJsonModule: true,
          types: [],
        },
      },
      'package.json': { type: 'module' },
      'index.ts': `import { audit, connect, type Emulator, type FixtureDocument, startEmulator } from 'mockademy'
import { emulatorTest } from 'mockademy/vitest'
import { type PlatformFixtures, type SandboxFixtures, test as sandboxTest } from 'mockademy/playwright'
import { defineConfig } from '@playwright/test'
import world from 'mockademy/fixtures/minimal.json' with { type: 'json' }

export default defineConfig<SandboxFixtures, PlatformFixtures>({ use: { sandboxOptions: { app: 'notes' } } })
sandboxTest('a test', async ({ page, sandbox, mockademy }) => {
  await page.goto(sandbox.organization.slug)
  await sandbox.clock.freeze(await sandbox.clock.now())
  await mockademy.mark('a step', { organization: sandbox.organization.slug })
  // @ts-expect-error it is of one organization
  await sandbox.requests({ organization: 'acme' })
})

const slug: string | undefined = world.organizations[0]?.slug
export const emulator: Promise<Emulator> = startEmulator({
  pageSize: 3,
  seed: undefined,
  fixtures: world as FixtureDocument,
})
emulatorTest.override({ emulatorOptions: { pageSize: 1 } })
emulatorTest('a test', async ({ emulator }) => {
  const own: Emulator = emulator
  const { versions } = await own.admin.getApp('notes')
  for (const { manifest } of versions) await own.admin.pushManifest('notes', { ...manifest, version: '2.0.0' })
  const { data }: { data?: string } = { data: own.url + slug }
  // @ts-expect-error there is no such call
  await emulator.admin.listNothing(data)
})
// @ts-expect-error there is no such option
emulatorTest.override({ emulatorOptions: { pageSise: 1 } })
// @ts-expect-error its name is pageSize
startEmulator({ page_size: 3 })
// @ts-expect-error its name is adminToken
connect('http://localhost', { admin_token: 'sesame' })
// @ts-expect-error its name is failOn
audit({ url: 'http://localhost', file: {}, fail_on: 'high' })
// @ts-expect-error they exclude each other
startEmulator({ fresh: true, resume: true })
`,
    })
    expect(await run('node', [TSC])).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

describe('without the types of Node.js', () => {
  test.for([['es2020'], ['es2022'], ['es2022', 'dom']])('has types with the library %s', async (lib) => {
    const { run } = await installed.project(`types-${lib.join('-')}`, {
      'tsconfig.json': {
        compilerOptions: { module: 'nodenext', target: 'es2022', lib, types: [], strict: true, noEmit: true },
      },
      'package.json': { type: 'module' },
      'index.ts': `import { type AuditOptions, startEmulator, UnreachableError } from 'mockademy'

export async function countOrganizations({ signal }: AuditOptions): Promise<number> {
  if (signal) throw new UnreachableError('http://localhost', 'it is not there')
  await using emulator = await startEmulator()
  return (await emulator.admin.listOrganizations()).length
}
`,
    })
    expect(await run('node', [TSC])).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

describe('bundled with its test', () => {
  const imported = `import { startEmulator } from 'mockademy'
startEmulator().then(async (emulator) => {
  const { status } = await fetch(\`\${emulator.url}/_console/\`)
  console.log(status, (await emulator.admin.listOrganizations()).length)
  await emulator.close()
})
`
  const required = imported.replace(/^import (.*) from (.*)$/m, 'const $1 = require($2)')

  test.for([
    ['import in an ES module', 'esm', imported],
    ['import in CommonJS', 'cjs', imported],
    ['require in CommonJS', 'cjs', required],
  ] as const)('it runs from the folder of packages: esbuild, %s', async ([name, format, code]) => {
    const { folder, run } = await installed.project(`bundled-${name.replaceAll(' ', '-')}`, { 'test.js': code })
    const out = format === 'esm' ? 'out.mjs' : 'out.cjs'
    const bundle = { entryPoints: ['test.js'], outfile: out, absWorkingDir: folder, format }
    await build({ ...bundle, bundle: true, platform: 'node', logLevel: 'error' })
    expect(await run('node', [out])).toEqual({ status: 0, stdout: '200 3\n', stderr: '' })
  })

  test.for([
    ['import', 'test.js', imported],
    ['require', 'test.cjs', required],
  ] as const)('it runs from the folder of packages: Vite SSR, %s', async ([name, file, code]) => {
    const { run } = await installed.project(`bundled-vite-${name}`, {
      'package.json': { type: 'module' },
      'vite.config.js': `export default { ssr: { noExternal: true }, build: { ssr: '${file}', outDir: 'out' } }\n`,
      [file]: code,
    })
    expect(await run('vite', ['build'])).toMatchObject({ status: 0 })
    expect(await run('node', ['out/test.js'])).toEqual({ status: 0, stdout: '200 3\n', stderr: '' })
  })
})

describe('docs/mcp.md', () => {
  test('has a configuration with which an agent reaches the tools', async () => {
    const text = await readFile(join(ROOT, 'docs', 'mcp.md'), 'utf8')
    const [first = '', second = ''] = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block]) => block as string)
    const { mcpServers } = JSON.parse(first)
    expect(JSON.parse(second).servers.mockademy).toEqual({ type: 'stdio', ...mcpServers.mockademy })
    const { command, args } = mcpServers.mockademy
    expect(text).toContain(`command = "${command}"\nargs = ${JSON.stringify(args).replace(',', ', ')}\n`)

    const { folder } = await installed.project('agent', { 'package.json': {} })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: 'ignore' }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('last_failure')
    // The lessons are in the package.
    const { content } = await client.callTool({ name: 'explain', arguments: { what: 'webhook.raw-body' } })
    expect(JSON.stringify(content)).toContain('.update(body).digest()')
    await client.close()
  })
})

describe('emulatorTest', () => {
  test('has one emulator for the files of a worker, and closes it when the worker ends', async () => {
    const file = (name: string) => `import { emulatorTest as test } from 'mockademy/vitest'
import { expect } from 'vitest'
test.override({ emulatorOptions: { store: 'store.json' } })
test('${name}', async ({ emulator }) => {
  globalThis.url ??= emulator.url
  expect(emulator.url).toBe(globalThis.url)
  await emulator.admin.createOrganization({ slug: '${name}', name: '${name}' })
})
`
    const { folder, run } = await installed.project('worker', {
      'package.json': { type: 'module' },
      'vitest.config.js': 'export default { test: { isolate: false, maxWorkers: 1 } }\n',
      'one.test.js': file('one'),
      'two.test.js': file('two'),
    })
    // A second emulator with this store would be refused, and one that is not closed leaves lock and journal.
    const { status, stdout } = await run('vitest', ['run'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/Tests +2 passed/) })
    expect((await readdir(folder)).filter((name) => name.startsWith('store'))).toEqual(['store.json'])
  })
})

describe('beside another Vitest', () => {
  const suite = `import { audit, connect, type Emulator, startEmulator } from 'mockademy'
import { emulatorTest as test } from 'mockademy/vitest'
import { describe, expect } from 'vitest'

describe('with options of its own', () => {
  test.override({ emulatorOptions: { pageSize: 3 } })
  test('has an emulator', async ({ emulator }) => {
    const own: Emulator = emulator
    const { settings } = await own.admin.world()
    expect(settings).toMatchObject({ page_size: 3 })
  })
  // @ts-expect-error there is no such option
  test.override({ emulatorOptions: { page_sise: 1 } })
})
test('has another', async ({ emulator }) => {
  await emulator.admin.createOrganization({ slug: 'other', name: 'Other' })
})
// @ts-expect-error one call makes one world
const refused = () => startEmulator({ worlds: 3 })
test('and it has been reset', async ({ emulator }) => {
  expect(await emulator.admin.listOrganizations()).toHaveLength(3)
  await expect(refused()).rejects.toThrow('worlds')
})
`
  const files = {
    'package.json': { type: 'module' },
    'tsconfig.json': {
      compilerOptions: {
        module: 'nodenext',
        target: 'es2023',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
      },
    },
  }

  // Exact versions: for minutes after a release, a registry may not have all of its packages.
  test('npm installs it beside Vitest 3, where emulatorTest passes', async () => {
    const { project, remove } = await installPackage(['vitest@3.2.4'], { packed: installed.archive })
    try {
      const { run } = await project('own', { ...files, 'own.test.ts': suite.replaceAll('override', 'scoped') })
      expect(await run('node', [TSC])).toEqual({ status: 0, stdout: '', stderr: '' })
      const { status, stdout } = await run('vitest', ['run'])
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/Tests +3 passed/) })
    } finally {
      await remove()
    }
  })

  test('npm installs it beside Vitest 5, whose types fit', async () => {
    const { project, remove } = await installPackage(['vitest@5.0.5'], { packed: installed.archive })
    try {
      const { run } = await project('own', { ...files, 'own.test.ts': suite })
      expect(await run('node', [TSC])).toEqual({ status: 0, stdout: '', stderr: '' })
    } finally {
      await remove()
    }
  })
})

test.skipIf(process.platform === 'win32')(
  'a client that openapi-typescript generates from the document of the control API compiles and works',
  async () => {
    const program = join(ROOT, 'test/languages/openapi-typescript/courses.ts')
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'], outDir: 'out' }
    const typeRoots = [join(ROOT, 'node_modules/@types')]
    const { run } = await installed.project('generated', {
      'package.json': { type: 'module' },
      'tsconfig.json': { compilerOptions: { ...compilerOptions, typeRoots }, include: ['*.ts'] },
      'courses.ts': await readFile(program, 'utf8'),
    })
    const steps = [
      'mockademy openapi > control-api.json',
      'openapi-typescript control-api.json --default-non-nullable=false -o mockademy.d.ts >&2',
      `node ${TSC}`,
      'node out/courses.js',
    ]
    expect(await run('mockademy', ['exec', '--', 'sh', '-c', steps.join(' && ')])).toMatchObject({
      status: 0,
      stdout: '',
    })
  },
)

/** Packages of the type in which no recipe has the runner: the recipes run what init writes, too. */
const typesOfInit = {
  vitest: 'commonjs',
  mocha: 'commonjs',
  playwright: 'commonjs',
  'node:test': 'commonjs',
  jest: 'module',
}

describe('mockademy init, and then npm test', () => {
  test.for(Object.entries(typesOfInit))('passes with %s in a package of type %s', async ([runner, type]) => {
    const dependency = runners[runner as Runner]
    const { folder, run } = await installed.project(`init-${dependency?.replace('/', '-') ?? 'node'}`, {
      'package.json': { name: '@acme/notes', type, ...devDependency(runner as Runner) },
    })
    const { status, stdout } = await run('mockademy', ['init', '--yes'])
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringMatching(/^kept/m) })
    const { scripts, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    // Same as `npm test`, but half a second faster; a test below runs `npm` itself.
    expect(await run('sh', ['-c', scripts.test])).toMatchObject({ status: 0 })
    const files = ['mockademy/world.json', 'mockademy/app.json']
    expect(await run('mockademy', ['validate', ...files])).toMatchObject({
      status: 0,
      stdout: files.map((file) => `${file}: valid\n`).join(''),
    })
    expect(scripts).toMatchObject({ 'mockademy:start': 'mockademy start', 'mockademy:audit': 'mockademy audit' })
    expect(devDependencies).toMatchObject({ mockademy: `^${manifest.version}` })
  })

  test('the scenario passes too', async () => {
    const { run } = await installed.project('init-scenario', { 'package.json': { name: 'notes' } })
    await run('mockademy', ['init'])
    const { status, stdout } = await run('npm', ['run', 'mockademy:scenarios'])
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('1 passed') })
  })

  test('passes in TypeScript, with a test script of its own', async () => {
    const { folder, run } = await installed.project('init-typescript', {
      'package.json': { name: 'notes', scripts: { test: 'vitest run --dir spec' } },
      'tsconfig.json': { compilerOptions: { module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true } },
      'spec/own.test.ts': "import { test } from 'vitest'\ntest('own', () => {})\n",
    })
    await run('mockademy', ['init'])
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).scripts.test).toBe('vitest run --dir spec')
    const { status, stdout } = await run('npm', ['test'])
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests +2 passed/) })
    expect(await run('node', [TSC])).toMatchObject({ status: 0, stdout: '' })
  })
})

/** Parts of Playwright's report. */
interface Result {
  status: string
  parallelIndex: number
}
interface Spec {
  tests: { results: Result[] }[]
}

/** Returns two free ports, as text. */
async function freePorts(): Promise<[string, string]> {
  const first = await freePort(2)
  return [String(first), String(first + 1)]
}

describe('the recipes of docs/testing.md', () => {
  test('are as many as are tested here', () => {
    expect(Object.keys(shared)).toEqual(['src/courses.js'])
    const others = [
      ...['What a failed test leaves', 'Tests side by side on one app'],
      ...['jsdom and happy-dom', 'Workspaces', 'Options', 'Fake timers', 'Anything else'],
    ]
    expect(Object.keys(recipes)).toEqual([
      ...['Vitest', 'Jest', 'node:test', 'Mocha'],
      ...['Playwright', 'Playwright, side by side', ...others],
    ])
  })

  test.for([
    ['Vitest', 'vitest', 'module', /Tests +3 passed/, /Tests +4 passed/],
    ['node:test', 'node:test', 'module', /^[#ℹ] pass 2\n[#ℹ] fail 0/m, /^[#ℹ] pass 3\n[#ℹ] fail 0/m],
    ['Mocha', 'mocha', 'module', /2 passing/, /3 passing/],
    ['Jest', 'jest', 'commonjs', /Tests: +2 passed, 2 total/, /Tests: +3 passed, 3 total/],
  ] as const)(
    '%s, before init, and after it with the test that it writes',
    async ([name, runner, type, before, after]) => {
      const [[path, code] = ['', '']] = Object.entries(shared)
      const { run } = await installed.project(`recipe-${runner.replace(':', '-')}`, {
        ...recipes[name],
        [path]: type === 'module' ? code : asCommonJs(code),
        'package.json': { name: 'notes', type, scripts: { test: scripts[runner] }, ...devDependency(runner) },
      })
      // The command of `npm test`, run directly.
      const [command = '', ...args] = scripts[runner].split(' ')
      const runTests = async () => {
        const { status, stdout, stderr } = await run(command, args)
        return { status, output: stdout + stderr }
      }
      expect(await runTests()).toEqual({ status: 0, output: expect.stringMatching(before) })
      await run('mockademy', ['init', '--yes'])
      expect(await runTests()).toEqual({ status: 0, output: expect.stringMatching(after) })
    },
  )

  test.skipIf(isMissing)('Playwright, side by side, after init: a browser for each of four workers', async () => {
    const [emulator, app] = await freePorts()
    const toFree = (code: string) => code.replaceAll('4600', emulator).replaceAll('3000', app)
    const files = Object.entries(recipes['Playwright, side by side'] ?? {}).map(([path, code]) => [
      path,
      toFree(code).replace('node_modules/mockademy/fixtures/default.json', 'world.json'),
    ])
    const world = await readFile(join(ROOT, 'fixtures/default.json'), 'utf8')
    const { folder, run } = await installed.project('playwright-sandboxes', {
      ...Object.fromEntries(files),
      'package.json': { type: 'module' },
      'world.json': toFree(world),
    })
    await symlink(join(installed.folder, 'node_modules'), join(folder, 'node_modules'))
    const env = { CHROMIUM: chromiumPath, PORT: app }
    // Files written by init must not break the recipe.
    expect(await run('mockademy', ['init', '--yes', '--runner', 'playwright'])).toMatchObject({ status: 0 })
    const { status, stdout } = await run('playwright', ['test', '--reporter=json'], env)
    expect({ status, stdout }).toMatchObject({ status: 0 })
    const [written, notes] = JSON.parse(stdout).suites
    expect([written.file, notes.file]).toEqual(['mockademy.test.js', 'notes.test.js'])
    const specs: Spec[] = [...written.specs, ...notes.specs]
    const results = specs.flatMap(({ tests }) => tests[0]?.results[0] ?? [])
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('passed'))
    // A worker has an index of its own for each file; the four places are the same ones.
    expect(new Set(results.map(({ parallelIndex }) => parallelIndex)).size).toBe(4)
  })

  test('Playwright, before and after init', async () => {
    const [emulator, app] = await freePorts()
    const files = Object.entries({ ...shared, ...recipes.Playwright }).map(([path, code]) => [
      path,
      code.replaceAll('4600', emulator).replaceAll('3000', app),
    ])
    const { run } = await installed.project('playwright', {
      ...Object.fromEntries(files),
      'package.json': { type: 'module' },
    })
    const runTests = async () => {
      const { status, stdout } = await run('playwright', ['test', '--reporter=list'])
      return { status, stdout }
    }
    expect(await runTests()).toEqual({ status: 0, stdout: expect.stringContaining('2 passed') })
    await run('mockademy', ['init', '--yes', '--runner', 'playwright'])
    expect(await runTests()).toEqual({ status: 0, stdout: expect.stringContaining('3 passed') })
  })
})
