import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ParseError, parse } from 'jsonc-parser'
import { describe, expect } from 'vitest'
import { cleanEnvironment, ROOT, oneProcessTest as test } from '../harness/command-line.js'
import { schemaValidator } from '../harness/schema-validator.js'

const files = [
  'mockademy.json',
  'mockademy/world.json',
  'mockademy/app.json',
  'mockademy/scenarios/install.json',
  'mockademy.audit.json',
]

const APP = fileURLToPath(new URL('apps/app.js', import.meta.url))
const PHP = process.platform === 'win32' ? 'php' : 'env PHP_CLI_SERVER_WORKERS=8 php'
const read = (folder: string, path: string) => readFile(join(folder, path), 'utf8')
const json = async (folder: string, path: string) => parse(await read(folder, path))

describe('mockademy init', () => {
  test('says what it found, what it wrote, and what comes next', async ({ run, folder }) => {
    await writeFile(
      join(folder, 'package.json'),
      '{ "dependencies": { "express": "5" }, "devDependencies": { "mocha": "11" } }',
    )
    const { status, stdout } = await run(['init', '--yes'])
    expect(status).toBe(0)
    expect(stdout).toBe(`Found: package.json, express, mocha

${[...files, 'test/mockademy.test.js'].map((file) => `written  ${file}\n`).join('')}\
changed  package.json: scripts.test, scripts.mockademy:start, scripts.mockademy:scenarios, scripts.mockademy:audit, devDependencies.mockademy

Next:
  check mockademy/app.json      webhook.url, redirect_uris and post_install_action.url must be addresses of your app, with the prefixes of its routers
  npm install
  npm test                      runs the new test
  npx mockademy dev -- COMMAND  starts the emulator and your app, and installs it
`)
  })

  test('changes nothing the second time, and nothing that is there', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "scripts": { "mockademy:start": "own", "test": "node --test" } }')
    await mkdir(join(folder, 'mockademy'))
    await writeFile(join(folder, 'mockademy', 'world.json'), '{ "users": [] }')
    const first = await run(['init'])
    expect(first.stdout).toContain('kept     mockademy/world.json (it exists)\n')
    expect(first.stdout).toContain('kept     package.json: scripts.mockademy:start (already defined)\n')
    expect(await read(folder, 'mockademy/world.json')).toBe('{ "users": [] }')
    expect((await json(folder, 'package.json')).scripts).toMatchObject({
      'mockademy:start': 'own',
      test: 'node --test',
    })

    const contents = () => Promise.all([...files, 'package.json'].map((file) => read(folder, file)))
    const before = await contents()
    const { status, stdout } = await run(['init', '--app', 'other'])
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/written|changed/)
    expect(await contents()).toEqual(before)
  })

  test.for([
    [
      '{ "settings": { "page_size": 5 } }',
      '["mockademy/world.json", "mockademy/app.json"]',
      ['app.json', 'world.json'],
    ],
    ['{ "fixtures": "own.json" }', '["own.json", "mockademy/app.json"]', ['app.json']],
  ] as const)('with a mockademy.json that is %s, it names the fixtures to set', async (each, { run, folder }) => {
    const [text, fixtures, written] = each
    await writeFile(join(folder, 'mockademy.json'), text)
    await writeFile(join(folder, 'own.json'), '{ "users": [] }')
    await writeFile(join(folder, 'package.json'), '{ "name": "notes" }')
    const { stdout } = await run(['init'])
    expect(stdout).toContain(`Next:\n  set "fixtures": ${fixtures} in mockademy.json: without it there is no app for`)
    expect(await read(folder, 'mockademy.json')).toBe(text)
    expect((await readdir(join(folder, 'mockademy'))).filter((name) => name.endsWith('.json')).sort()).toEqual(written)
    const named = JSON.parse(fixtures).map((file: string) => `--fixtures ${file} `)
    expect((await json(folder, 'package.json')).scripts['mockademy:scenarios']).toContain(`run ${named.join('')}mock`)

    await writeFile(join(folder, 'mockademy.json'), `{ "fixtures": ${fixtures} }`)
    const second = await run(['init'])
    expect(second.stdout).toContain('Next:\n  check mockademy/app.json ')
    expect(second.stdout).not.toMatch(/written|changed/)
  })

  test('writes again what a person has deleted of its fixtures', async ({ run, folder }) => {
    await run(['init', '--app', 'notes'])
    await rm(join(folder, 'mockademy'), { recursive: true })
    const { stdout } = await run(['init', '--app', 'notes'])
    expect(stdout).toContain('written  mockademy/world.json\nwritten  mockademy/app.json\n')
  })

  test.for([
    [[], 'one', 'http://localhost:8081', '/hooks/one'],
    [['--app', 'two'], 'two', 'http://localhost:8082', '/hooks/two'],
  ] as const)('with %j it is for the app %s of several in the fixtures', async (each, { run, folder }) => {
    const [flags, app, at, webhook] = each
    const appAt = (id: string, url: string) => ({ manifest: { id, name: id, version: '1.0.0', webhook: { url } } })
    const apps = [
      appAt('one', 'http://localhost:8081/hooks/one'),
      { versions: [appAt('two', 'http://localhost:8082/hooks/two').manifest] },
    ]
    await writeFile(join(folder, 'own.json'), JSON.stringify({ apps }))
    await writeFile(join(folder, 'mockademy.json'), '{ "fixtures": ["own.json"] }')
    await writeFile(join(folder, 'package.json'), '{ "name": "notes" }')
    const { stdout } = await run(['init', ...flags])
    expect(stdout).toContain(`Found: package.json, own.json, a webhook at ${webhook}\n`)
    expect(stdout).toContain(`for      app ${app} (mockademy.json has one, two; --app names another than the first)\n`)
    expect(stdout).toContain('Next:\n  check own.json ')
    expect(await readdir(join(folder, 'mockademy'))).toEqual(['scenarios'])
    const audit = await read(folder, 'mockademy.audit.json')
    expect(audit).toContain(`"app": "${app}"`)
    expect(audit).toContain(`// "start": "${at}/login"`)
    const suite = await read(folder, 'test/mockademy.test.js')
    expect(suite).toContain(`'${app}'`)
    expect(suite).toContain(webhook)
    expect(await read(folder, 'mockademy/scenarios/install.json')).toContain(`"app": "${app}"`)
  })

  test.for([
    ['tabs', '{\n\t"name": "a",\n\t"private": true\n}\n', '\n\t"scripts": {\n\t\t"test": "node --test",\n'],
    ['four blanks', '{\n    "name": "a"\n}', '\n    "scripts": {\n        "test": "node --test",\n'],
    ['line ends of Windows', '{\r\n  "name": "a"\r\n}\r\n', '\r\n  "scripts": {\r\n    "test": "node --test",\r\n'],
  ] as const)('keeps %s in package.json', async ([, text, added], { run, folder }) => {
    await writeFile(join(folder, 'package.json'), text)
    await run(['init'])
    const changed = await read(folder, 'package.json')
    expect(changed).toContain(added)
    expect(changed.startsWith(text.slice(0, text.indexOf('"a"') + 3))).toBe(true)
    expect(changed.slice(changed.lastIndexOf('}'))).toBe(text.slice(text.lastIndexOf('}')))
    expect(changed.includes('\r\n') ? changed.replaceAll('\r\n', '').includes('\n') : false).toBe(false)
  })

  test('--agents points coding agents to the skill of the package, once, and keeps what the file says', async ({
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    await run(['init', '--yes'])
    expect(await readdir(folder)).not.toContain('AGENTS.md')
    expect((await run(['init', '--agents'])).stdout).toContain('written  AGENTS.md\n')
    const [, skill = ''] = /node_modules\/mockademy\/(\S+\.md)/.exec(await read(folder, 'AGENTS.md')) ?? []
    expect(await read(ROOT, skill)).toContain('name: mockademy')

    await writeFile(join(folder, 'AGENTS.md'), '# Ours\n')
    expect((await run(['init'])).stdout).toContain('kept  AGENTS.md (--agents adds a pointer')
    expect(await read(folder, 'AGENTS.md')).toBe('# Ours\n')
    expect((await run(['init', '--agents'])).stdout).toContain('changed  AGENTS.md\n')
    const text = await read(folder, 'AGENTS.md')
    expect(text).toMatch(/^# Ours\n\n## Mockademy\n/)
    expect((await run(['init', '--agents'])).stdout).toContain('kept  AGENTS.md (it names Mockademy)\n')
    expect(await read(folder, 'AGENTS.md')).toBe(text)
  })

  test('replaces the test script that npm writes where there are no tests', async ({ run, folder }) => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
    await run(['init'])
    expect((await json(folder, 'package.json')).scripts.test).toBe('node --test')
  })

  test('takes the runner of the test script before one that is only a dependency', async ({ run, folder }) => {
    const devDependencies = { vitest: '4', '@playwright/test': '1', typescript: '5' }
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ scripts: { test: 'playwright test --retries 1' }, devDependencies }),
    )
    await mkdir(join(folder, 'e2e'))
    const { stdout } = await run(['init'])
    expect(stdout).toContain('Found: package.json, playwright\n')
    expect(stdout).not.toContain('scripts.test')
    expect(await read(folder, 'e2e/mockademy.test.ts')).toContain("from '@playwright/test'")
  })

  test('writes the test where Playwright is configured to look for tests', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "devDependencies": { "@playwright/test": "1" } }')
    await writeFile(join(folder, 'playwright.config.ts'), "export default defineConfig({ testDir: './specs/browser' })")
    await mkdir(join(folder, 'e2e'))
    expect((await run(['init'])).stdout).toContain('written  specs/browser/mockademy.test.js\n')
  })

  test('a runner that is not there yet is to be installed, by the package manager of the project', async ({
    run,
    folder,
  }) => {
    const app = join(folder, 'apps/api')
    await mkdir(app, { recursive: true })
    await writeFile(join(app, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'pnpm-lock.yaml'), '')
    const { stdout } = await run(['init', '--runner', 'jest'], { cwd: app })
    expect(stdout).toMatch(/^ {2}pnpm add --dev jest +the test is for jest, which is not a dependency yet$/m)
    expect(await read(app, 'test/mockademy.test.cjs')).toContain("require('mockademy')")
  })

  test.for(['bun.lock', 'bun.lockb'])('scripts are run by bun where there is a %s', async (file, { run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "scripts": { "dev": "bun --hot app.ts" } }')
    await writeFile(join(folder, file), '')
    const { stdout } = await run(['init'])
    expect(stdout).toMatch(/^ {2}npx mockademy dev -- bun run dev /m)
    expect(stdout).toMatch(/^ {2}bun run test /m)
  })

  test("commands of dependencies are run by yarn in Yarn's Plug'n'Play, where npx finds none", async ({
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    for (const file of ['yarn.lock', '.pnp.cjs']) await writeFile(join(folder, file), '')
    expect((await run(['init'])).stdout).toMatch(/^ {2}yarn mockademy dev -- COMMAND /m)
  })

  test('the manifest has the address of the framework, or the one that was given', async ({ run, folder }) => {
    const manifestIn = async (name: string) => (await json(join(folder, name), 'mockademy/app.json')).apps[0].manifest
    for (const [name, dependency] of [
      ['site', '@sveltejs/kit'],
      ['server', 'express'],
    ] as const) {
      await mkdir(join(folder, name))
      const manifest = { name: `@acme/${name}`, dependencies: { [dependency]: '1' } }
      await writeFile(join(folder, name, 'package.json'), JSON.stringify(manifest))
    }
    await run(['init'], { cwd: join(folder, 'site') })
    expect(await manifestIn('site')).toMatchObject({
      id: 'site',
      webhook: { url: 'http://localhost:5173/api/webhook' },
      post_install_action: { url: 'http://localhost:5173/setup' },
    })
    await run(['init', '--app', 'Notes_1', '--app-url', 'https://notes.test/'], { cwd: join(folder, 'server') })
    expect(await manifestIn('server')).toMatchObject({
      id: 'Notes_1',
      oauth: { authorize: { redirect_uris: ['https://notes.test/callback'] } },
      webhook: { url: 'https://notes.test/webhook' },
      post_install_action: { url: 'https://notes.test/setup' },
    })
    expect(await json(join(folder, 'server'), 'mockademy.audit.json')).toMatchObject({ app: 'Notes_1' })
  })

  test('an emulator starts with what it wrote, and every $schema leads to its schema', async ({
    start,
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'package.json'), '{ "name": "notes" }')
    expect((await run(['init'])).stdout).not.toContain('--fresh')
    const { url, stop } = await start(['start', '--port', '0'])
    const headers = { authorization: 'Bearer key_acme' }
    expect((await fetch(`${url}/v0/elements/essay`, { headers })).status).toBe(200)
    const secrets = await (await fetch(`${url}/_admin/apps/notes/secrets`)).json()
    expect(secrets).toEqual({ client_secret: 'notes_secret', signing_secret: 'notes_signing' })
    expect(await read(folder, '.mockademy/.gitignore')).toBe('*\n')
    await stop()
    expect((await run(['init'])).stdout).not.toContain('--fresh')
    await rm(join(folder, 'mockademy/world.json'))
    expect((await run(['init'])).stdout).toMatch(
      /npx mockademy dev --fresh -- COMMAND .*; --fresh once: \.mockademy\/store\.json has the world from before\n/,
    )

    const ajv = schemaValidator()
    // Needed by the scenario schema.
    ajv.addSchema(await json(ROOT, 'fixtures/schema.json'), 'schema.json')
    const schemas = {
      'mockademy/world.json': 'schema',
      'mockademy/app.json': 'schema',
      'mockademy.audit.json': 'audit.schema',
      'mockademy/scenarios/install.json': 'scenario.schema',
    }
    for (const [file, schema] of Object.entries(schemas)) {
      const document = await json(folder, file)
      expect(new URL(document.$schema, `file:///${file}`).pathname).toBe(
        `/node_modules/mockademy/fixtures/${schema}.json`,
      )
      expect(ajv.validate(await json(ROOT, `fixtures/${schema}.json`), document) || ajv.errors).toBe(true)
    }
  })

  test.for([
    [{ oauth: { install: true }, permissions: ['elements:read', 'courses:read'] }, '/v0/elements/trial-page'],
    [
      { oauth: { install: true }, permissions: [{ permission: 'courses:read' }, 'storage'] },
      '/v0/courses/trial-course',
    ],
    [{ oauth: { install: true }, permissions: ['modules:read'] }, '/v0/modules/trial-module'],
    [{ oauth: { install: true }, permissions: ['members:read'] }, '/v0/members/trial-owner'],
    [{ oauth: { install: true }, permissions: ['activities:read'] }, '/v0/activities'],
    [{ permissions: ['elements:read'] }, undefined],
  ] as const)('the scenario passes for a manifest with %j', async ([parts, path], { run, folder }) => {
    const webhook = { url: 'http://localhost:3000/webhook' }
    await writeFile(
      join(folder, 'manifest.json'),
      JSON.stringify({ id: 'todo', name: 'Todo', version: '1.0.0', webhook, ...parts }),
    )
    await run(['init', '--yes'])
    const { steps } = await json(folder, 'mockademy/scenarios/install.json')
    expect(steps.flatMap(({ request }: { request?: { path: string } }) => request?.path ?? [])).toEqual(
      path === undefined ? [] : [path, path],
    )
    const fixtures = ['mockademy/world.json', 'mockademy/app.json'].flatMap((file) => ['--fixtures', file])
    const { status, stdout, stderr } = await run(['scenario', 'run', ...fixtures, 'mockademy/scenarios/install.json'])
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringMatching(/1 passed/) })
  })

  test('the scenario passes where the app is installed already', async ({ run, folder }) => {
    await run(['init', '--yes', '--app', 'todo'])
    await writeFile(join(folder, 'installed.json'), '{ "installations": [{ "app": "todo", "organization": "acme" }] }')
    const files = ['mockademy/world.json', 'mockademy/app.json', 'installed.json']
    const fixtures = files.flatMap((file) => ['--fixtures', file])
    const { stdout } = await run(['scenario', 'run', ...fixtures, 'mockademy/scenarios/install.json'])
    expect(stdout).toContain('1 passed')
  })

  test('the audit file has every key, and what is commented out is valid too', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    await run(['init', '--app', 'notes'])
    const text = await read(folder, 'mockademy.audit.json')
    const errors: ParseError[] = []
    const whole = parse(text.replace(/^ {2}\/\/ (?!Checks)/gm, ''), errors, { allowTrailingComma: true })
    expect(errors).toEqual([])
    const schema = await json(ROOT, 'fixtures/audit.schema.json')
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(schema.properties)))
    expect(schemaValidator().validate(schema, whole)).toBe(true)
  })

  /** Makes `node_modules` of the project: this package, express, and others. */
  async function linkPackages(folder: string, ...others: string[]) {
    await mkdir(join(folder, 'node_modules'))
    await symlink(ROOT, join(folder, 'node_modules', 'mockademy'))
    for (const name of ['express', ...others]) {
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
    }
  }

  /** Runs the tests of the project. @returns whether they pass, and what they print. */
  async function runTests(folder: string, runner = ['--test']) {
    const { stdout, passes } = await promisify(execFile)(process.execPath, runner, {
      cwd: folder,
      env: cleanEnvironment(folder),
    }).then(
      ({ stdout }) => ({ stdout, passes: true }),
      ({ stdout, stderr }) => ({ stdout: `${stdout}${stderr}`, passes: false }),
    )
    return { stdout, passes }
  }

  test('the test that it writes starts the app of the project and tests it', async ({ run, folder }) => {
    const scripts = { start: 'node --no-warnings server/app.js', test: 'node --test' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts, dependencies: { express: '5' } }))
    await mkdir(join(folder, 'server'))
    const app = (await readFile(APP, 'utf8'))
      .replace("'/webhook'", "'/hooks/webhook'")
      .replace(/^const worker = .*\n.*\n/m, '')
    await writeFile(join(folder, 'server/app.js'), app)
    await linkPackages(folder)
    const { stdout } = await run(['init', '--app', 'todo'])
    expect(stdout).toContain('Found: package.json, express, node:test, a webhook at /hooks/webhook\n')
    expect(stdout).toContain('  npx mockademy dev -- npm run start  starts the emulator and your app')
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.webhook.url).toBe(
      'http://localhost:3000/hooks/webhook',
    )
    const text = await read(folder, 'test/mockademy.test.js')
    expect(text).toContain("spawn('node', ['--no-warnings', 'server/app.js'], {")
    expect(text).not.toContain('createServer')
    // Whoever moves the route corrects its address in one file, in a new version for example.
    const { manifest, ...rest } = (await json(folder, 'mockademy/app.json')).apps[0]
    const webhook = { url: 'http://localhost:1/moved?from=platform' }
    const versions = [manifest, { ...manifest, version: '9.0.0', webhook }]
    await writeFile(join(folder, 'mockademy/app.json'), JSON.stringify({ apps: [{ ...rest, versions }] }))
    const moved = app.replace("'/hooks/webhook'", "'/moved'")
    await writeFile(join(folder, 'server/app.js'), moved)
    expect(await runTests(folder)).toMatchObject({
      passes: true,
      stdout: expect.stringContaining('app got app.installed'),
    })

    await writeFile(join(folder, 'server/app.js'), moved.replace('!== expected', '=== ""'))
    expect(await runTests(folder)).toMatchObject({ passes: false, stdout: expect.stringContaining('4xx') })
  })

  test('so does that for Vitest, in a package of CommonJS without a start script', async ({ run, folder }) => {
    const app = (await readFile(APP, 'utf8')).replace(/^const worker = .*\n.*\n/m, '')
    await writeFile(join(folder, 'package.json'), '{ "devDependencies": { "vitest": "4" } }')
    await writeFile(join(folder, 'app.js'), app)
    await linkPackages(folder, 'vitest')
    await run(['init', '--app', 'todo'])
    const runner = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.']
    expect(await runTests(folder, runner)).toMatchObject({ passes: true, stdout: expect.stringContaining('app got') })
    await writeFile(join(folder, 'app.js'), app.replace('!== expected', '=== ""'))
    expect(await runTests(folder, runner)).toMatchObject({ passes: false, stdout: expect.stringContaining('4xx') })
  })

  test('a manifest that is there becomes the app of the fixtures, and its address that of the test', async ({
    run,
    folder,
  }) => {
    const manifest = {
      ...{ id: 'todo', name: 'To do', version: '2.1.0', permissions: ['courses:read'], oauth: { install: true } },
      webhook: { url: 'http://localhost:8080/events' },
    }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'package.json'), '{ "name": "other", "devDependencies": { "vitest": "4" } }')
    await writeFile(join(folder, 'app.js'), "createServer().listen(8080) // '/webhook'")
    const { stdout } = await run(['init'])
    expect(stdout).toContain('Found: package.json, vitest, manifest.json, a webhook at /events\n')
    expect(stdout).toContain('mockademy/app.json (copied from manifest.json; edit this copy from now on)\n')
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest).toEqual(manifest)
    const text = await read(folder, 'test/mockademy.test.js')
    expect(text).toContain("spawn('node', ['app.js'], {")
    expect(text).toContain('const port = 8080\n')
    // The fixture of the runner has it.
    expect(text).not.toContain('startEmulator')
  })

  test.for([
    ['tsx watch src/app.ts', "['--import', 'tsx', 'src/app.ts']"],
    ['nodemon --inspect src/app.js', "['--inspect', 'src/app.js']"],
    ['node --watch-path=src src/app.js', "['src/app.js']"],
    [undefined, "['--import', 'tsx', 'src/app.ts']"],
  ] as const)('an app whose start script is %s is started by node alone', async ([start, words], { run, folder }) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start }, dependencies: { tsx: '4' } }))
    await mkdir(join(folder, 'src'))
    // The file that listens is started where there is no script.
    const source = `app.post('/webhook')${start ? '' : '; app.listen(3000)'}`
    await writeFile(join(folder, /src.*[jt]s/.exec(words)?.[0] ?? ''), source)
    await run(['init'])
    expect(await read(folder, 'test/mockademy.test.js')).toContain(`spawn('node', ${words}, {`)
  })

  test('an app of TypeScript without tsx is not started by the test, since not every Node.js can', async ({
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node src/app.ts' } }))
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/app.ts'), "app.post('/webhook'); app.listen(3000)")
    await run(['init'])
    expect(await read(folder, 'test/mockademy.test.js')).not.toContain('spawn(')
  })

  test.for([
    ["const port = 8080; app.post('/webhooks/platform'); app.listen(port)", 'http://localhost:8080/webhooks/platform'],
    [
      "app.post('/hooks/platform', (req) => verify(req.headers['platform-signature'], req.body))",
      'http://localhost:3000/hooks/platform',
    ],
    ["app.post('/a'); app.post('/b'); req.get('platform-signature')", 'http://localhost:3000/webhook'],
    ["app.post('/notes', (req) => save(req.body))", 'http://localhost:3000/webhook'],
    [
      "post '/hooks/platform' do\n  verify request.env['HTTP_PLATFORM_SIGNATURE']",
      'http://localhost:3000/hooks/platform',
    ],
    [
      "// POST /oauth/token, then POST /events\napp.post('/events'); app.post('/events'); req.get('platform-signature')",
      'http://localhost:3000/events',
    ],
    ["const db = { port: 5432 }; const config = { port: 4124 }; app.post('/webhook')", 'http://localhost:4124/webhook'],
    ["app.listen(process.env.PORT || 8081); const port = 9000; '/webhook'", 'http://localhost:8081/webhook'],
    [
      "z.object({ DB_PORT: z.number().default(5432),\nPORT: z.coerce.number().default(8080) }); '/webhook'",
      'http://localhost:8080/webhook',
    ],
    ["@Controller('/webhooks')\nclass A { @Post('platform')\ntake() {} }", 'http://localhost:3000/webhooks/platform'],
    [
      "@Controller('members') class A { @Post() add() {} }\n@Controller('webhooks') class B { @Post('/platform') take() {} }",
      'http://localhost:3000/webhooks/platform',
    ],
    [
      "@Controller({ path: 'platform', version: '1' }) class A { @Post('webhook') take() {} }",
      'http://localhost:3000/platform/webhook',
    ],
    ["@Controller() class A { @HttpCode(200) @Post('on-webhook') take() {} }", 'http://localhost:3000/on-webhook'],
    [
      "@Controller('platform') class A { @Post() take(@Headers('platform-signature') signature) {} }",
      'http://localhost:3000/platform',
    ],
  ] as const)('the webhook of %s is found', async ([source, url], { run, folder }) => {
    await writeFile(join(folder, 'app.js'), source)
    await run(['init', '--yes'])
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.webhook.url).toBe(url)
  })

  test.for([
    ['next', 'app/(group)/api/webhook/route.ts', ', a webhook at /api/webhook'],
    ['next', 'src/pages/api/webhooks/platform.ts', ', a webhook at /api/webhooks/platform'],
    ['next', 'app/api/auth/callback/mockademy/route.js', ', a callback at /api/auth/callback/mockademy'],
    ['next', 'app/lib/webhook.ts', ''],
    ['nuxt', 'server/api/webhook.post.ts', ', a webhook at /api/webhook'],
    ['@sveltejs/kit', 'routes/(one)/(two)/api/webhook/+server.js', ', a webhook at /api/webhook'],
    ['@react-router/dev', 'app/routes/webhook.ts', ', a webhook at /webhook'],
    ['express', 'src/routes/webhook.ts', ''],
  ] as const)('in a project with %s, the file %s makes it find "%s"', async (each, { run, folder }) => {
    const [dependency, file, found] = each
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
    await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { [dependency]: '1' } }))
    expect((await run(['init'])).stdout).toContain(`Found: package.json, ${dependency}${found}\n`)
  })

  test.for([
    ['next', 'app/webhook/route.ts', '', '/login'],
    ['next', 'app/api/auth/signin/route.ts', '', '/api/auth/signin'],
    [
      '@nestjs/core',
      'src/auth.controller.ts',
      "@Controller('auth') class A { @Get('login') begin() {} }",
      '/auth/login',
    ],
  ] as const)(
    'in a project with %s and the file %s, %j, the audit file proposes to start at %s',
    async (each, { run, folder }) => {
      const [dependency, file, text, start] = each
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
      await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { [dependency]: '1' } }))
      await run(['init'])
      expect(await read(folder, 'mockademy.audit.json')).toContain(`// "start": "http://localhost:3000${start}",`)
    },
  )

  test.for([
    ['app/logout/route.ts', '/logout'],
    ['app/api/auth/sign-out/route.ts', '/api/auth/sign-out'],
    ['app/login/route.ts', '/api/logout'],
  ] as const)('with the file %s, the audit file proposes to log out at %s', async ([file, path], { run, folder }) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
    await writeFile(join(folder, 'package.json'), '{ "dependencies": { "next": "1" } }')
    await run(['init'])
    const logout = `// "logout": { "url": "http://localhost:3000${path}", "method": "POST" },`
    expect(await read(folder, 'mockademy.audit.json')).toContain(logout)
  })

  test('in React Router, paths are those of app/routes.ts and not of the files that it names', async ({
    run,
    folder,
  }) => {
    await mkdir(join(folder, 'app/routes'), { recursive: true })
    await writeFile(join(folder, 'app/routes.ts'), "export default [route('api/webhook', 'routes/webhook.ts')]")
    await writeFile(join(folder, 'app/routes/webhook.ts'), '')
    await writeFile(join(folder, 'package.json'), '{ "dependencies": { "@react-router/dev": "7" } }')
    expect((await run(['init'])).stdout).toContain('@react-router/dev, a webhook at /api/webhook\n')
  })

  test.for([
    ['next', { dev: 'next dev -p 3005', start: 'next start' }, 'npm run dev', 3005],
    ['@sveltejs/kit', { dev: 'vite dev --port=5174' }, 'npm run dev', 5174],
    ['@nestjs/core', { start: 'nest start', 'start:dev': 'PORT=4001 nest start --watch' }, 'npm run start:dev', 4001],
    ['express', { start: 'node app.js' }, 'npm run start', 3000],
  ] as const)('a project with %s and %j is run by its script', async (each, { run, folder }) => {
    const [dependency, scripts, command, port] = each
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts, dependencies: { [dependency]: '1' } }))
    expect((await run(['init'])).stdout).toContain(`  npx mockademy dev -- ${command}  starts`)
    const [{ manifest }] = (await json(folder, 'mockademy/app.json')).apps
    expect(new URL(manifest.webhook.url).port).toBe(String(port))
  })

  test('what it writes names the package where a workspace has it, and no file of it with npx alone', async ({
    run,
    folder,
  }) => {
    const python = join(folder, 'python')
    await mkdir(python)
    await writeFile(join(python, 'app.py'), '')
    expect(await run(['init', '--agents'], { cwd: python })).toMatchObject({ status: 0 })
    expect(await read(python, 'AGENTS.md')).toContain('(`npx mockademy mcp`)')
    for (const file of files) expect(await json(python, file)).not.toHaveProperty('$schema')

    const inWorkspace = join(folder, 'apps', 'api')
    await mkdir(inWorkspace, { recursive: true })
    await writeFile(join(inWorkspace, 'package.json'), '{}')
    await linkPackages(folder)
    await run(['init', '--agents'], { cwd: inWorkspace })
    const [, skill = ''] = /read (\S+)\.\n/.exec(await read(inWorkspace, 'AGENTS.md')) ?? []
    expect(await read(inWorkspace, skill)).toContain('name: mockademy')
    for (const file of files.slice(1)) {
      const { $schema } = await json(inWorkspace, file)
      expect(await json(dirname(join(inWorkspace, file)), $schema)).toHaveProperty('$schema')
    }
  })

  test.for([
    ['pyproject.toml', '[project]\nversion = "1"\nname = "quiz"\n'],
    ['setup.py', 'setup(\n    name="quiz",\n)'],
    ['go.mod', 'module example.com/acme/quiz/v2\n\ngo 1.23\n'],
    ['composer.json', '{\n  "name": "acme/quiz",\n  "type": "project"\n}'],
  ] as const)('the id of the app is the name in %s', async ([file, text], { run, folder }) => {
    await writeFile(join(folder, file), text)
    await run(['init'])
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.id).toBe('quiz')
  })

  test.skipIf(process.getuid?.() === 0)(
    'where package.json cannot be written, it says so and writes nothing',
    async ({ run, folder }) => {
      await writeFile(join(folder, 'package.json'), '{}', { mode: 0o400 })
      expect(await run(['init'])).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^mockademy: package\.json cannot be written: EACCES/),
      })
      expect(await readdir(folder)).toEqual(['package.json'])
    },
  )

  test.skipIf(process.platform === 'win32').for([
    [{ 'package.json': JSON.stringify({ name: 'a'.repeat(2000) }) }, 'package.json'],
    [{}, 'mockademy/world.json'],
  ] as const)('with %j, a full disk leaves files as they were, and no empty one', async ([files, file], { folder }) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const init = `ulimit -f 1; exec '${process.execPath}' '${join(ROOT, 'bin/mockademy.js')}' init`
    await expect(promisify(execFile)('sh', ['-c', init], { cwd: folder })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`^mockademy: ${file} cannot be written: EFBIG: `)),
    })
    for (const [name, text] of Object.entries(files)) expect(await read(folder, name)).toBe(text)
    expect(await readdir(dirname(join(folder, file)))).toEqual(Object.keys(files))
  })

  test('a file in the place of a folder is named', async ({ run, folder }) => {
    await writeFile(join(folder, 'mockademy'), '')
    expect(await run(['init'])).toMatchObject({
      status: 2,
      stderr: 'mockademy: mockademy/world.json cannot be written: mockademy is not a folder\n',
    })
  })

  test('a package.json may begin with a byte order mark, and its name hold any letters', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '\uFEFF{ "name": "Ünï ©ode" }')
    expect(await run(['init'])).toMatchObject({ status: 0 })
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.id).toBe('uni-ode')
    expect(JSON.parse((await read(folder, 'package.json')).slice(1)).scripts.test).toBe('node --test')
  })

  test.for([
    ['mocha', {}, 'npm test', 'test/mockademy.test.js'],
    ['mocha "src/**/*.spec.js"', {}, 'npx mocha test/mockademy.test.js', 'test/mockademy.test.js'],
    ['mocha', { '.mocharc.yml': 'spec: src/*.js' }, 'npx mocha test/mockademy.test.js', 'test/mockademy.test.js'],
    ['node --test src/', {}, 'node --test test/mockademy.test.js', 'test/mockademy.test.js'],
    [
      'node --import tsx --test test/*.test.ts',
      {},
      'node --import tsx --test test/mockademy.test.ts',
      'test/mockademy.test.ts',
    ],
    ['npm test --workspaces', {}, 'node --test test/mockademy.test.js', 'test/mockademy.test.js'],
    [
      'jest',
      { 'jest.config.js': "module.exports = { roots: ['<rootDir>/src'] }" },
      'npx jest src/mockademy.test.js',
      'src/mockademy.test.js',
    ],
    [
      'vitest run',
      { 'vitest.config.js': "export default { test: { include: ['src/**/*.test.js'] } }" },
      'npx vitest run src/mockademy.test.js',
      'src/mockademy.test.js',
    ],
    ...['vitest run', 'jest'].map(
      (script) =>
        [
          script,
          { 'playwright.config.ts': "export default { projects: [], testMatch: '**/*.e2e.ts' }" },
          'npm test',
          'test/mockademy.test.js',
        ] as const,
    ),
  ] as const)(
    'beside the test script %j and %o, %s runs the new test',
    async ([script, others, command, file], { run, folder }) => {
      const files = { 'package.json': JSON.stringify({ scripts: { test: script } }), ...others }
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
      const { stdout } = await run(['init'])
      expect(stdout).toContain(`written  ${file}\n`)
      expect(stdout).toMatch(new RegExp(`^  ${command.replaceAll('*', '.')} +runs the new test$`, 'm'))
    },
  )

  test.for([
    ['jest', 'package.json', { jest: { testEnvironment: 'jsdom' } }, '/** @jest-environment node */\n'],
    ['jest', 'jest.config.js', "module.exports = { testEnvironment: '@happy-dom/jest-environment' }", '/** @jest-env'],
    [
      'vitest',
      'vitest.config.js',
      "export default { test: { environment: 'happy-dom' } }",
      '/** @vitest-environment node',
    ],
    ['vitest', 'vitest.config.js', "export default { test: { environment: 'node' } }", 'import'],
    ['vitest', 'vitest.config.js', "// environment: 'jsdom' is slow", 'import'],
    ['node --test', 'vitest.config.js', "export default { test: { environment: 'jsdom' } }", 'const'],
  ] as const)('where %s has %s with %o, the test begins with %s', async (each, { run, folder }) => {
    const [runner, file, config, start] = each
    const manifest = { scripts: { test: runner }, ...(typeof config === 'object' && config) }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    if (typeof config === 'string') await writeFile(join(folder, file), config)
    await run(['init'])
    expect((await read(folder, 'test/mockademy.test.js')).startsWith(start)).toBe(true)
  })

  test('names the options with which Jest and Playwright may leave the new test out', async ({ run, folder }) => {
    const jest = { rootDir: 'src', testRegex: '.*\\.spec\\.ts$' }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'jest' }, jest }))
    expect((await run(['init'])).stdout).toMatch(
      /^ {2}npx jest --rootDir \. --testRegex test\/mockademy\.test\.js +runs the new test; make sure that it is covered by rootDir and testRegex$/m,
    )
    await writeFile(
      join(folder, 'playwright.config.ts'),
      "export default { projects: [{ testMatch: 'a' }, { testMatch: 'b' }] }",
    )
    expect((await run(['init', '--runner', 'playwright'])).stdout).toMatch(
      /; make sure that it is covered by testMatch$/m,
    )
    await writeFile(join(folder, 'vitest.config.ts'), "export default { test: { include: ['**/*.spec.ts'] } }")
    expect((await run(['init', '--runner', 'vitest'])).stdout).toMatch(/; make sure that it is covered by include$/m)
  })

  test('the test that it writes gives an app at another port up, and names it', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'app.js'), "require('node:http').createServer().listen(0) // port: 4321 '/webhook'")
    await linkPackages(folder)
    await run(['init'])
    const file = join(folder, 'test/mockademy.test.js')
    await writeFile(file, (await readFile(file, 'utf8')).replace('Date.now() + 20_000', 'Date.now()'))
    expect(await runTests(folder)).toMatchObject({
      passes: false,
      stdout: expect.stringContaining('The app does not listen at http://localhost:4321: correct the port here and in'),
    })
  })

  test('a test in TypeScript brings the types of Node along, unless they are there', async ({ run, folder }) => {
    const packageOf = async (devDependencies: object) => {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ devDependencies }))
      await run(['init'])
      return (await json(folder, 'package.json')).devDependencies
    }
    expect(await packageOf({ vitest: '4', typescript: '5' })).toMatchObject({ '@types/node': '>=20' })
    expect(await packageOf({ vitest: '4', typescript: '5', '@types/node': '22' })).toMatchObject({
      '@types/node': '22',
    })
    expect(await packageOf({ mocha: '4', typescript: '5' })).not.toHaveProperty('@types/node')
  })

  test('where a test cannot start the app, one comment in it says what to replace', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "scripts": { "start": "tsx server.ts" } }')
    await linkPackages(folder)
    await run(['init'])
    const text = await read(folder, 'test/mockademy.test.js')
    expect(text.match(/Replace it with code that starts your app/g)).toHaveLength(1)
    expect(await runTests(folder)).toMatchObject({ passes: true })
  })

  test.for([
    [
      ...['Python', 'requirements.txt', 'app.py', 'python3 app.py', 'pytest'],
      'http://localhost:5000/hooks/webhook/',
      `from flask import Flask\n@app.post("/hooks/webhook/")\ndef hook(): ...\napp.run()`,
    ],
    [
      ...['Python', 'pyproject.toml', 'server.py', 'python3 server.py', 'pytest'],
      'http://localhost:8123/webhook',
      `if self.path == '/webhook': pass\nHTTPServer(('127.0.0.1', 8123), Handler).serve_forever()`,
    ],
    [
      ...['Python', 'requirements.txt', 'manage.py', 'python3 manage.py runserver 8000', 'pytest'],
      'http://localhost:8000/platform/webhook/',
      `execute_from_command_line()  # path("platform/webhook/", views.webhook)`,
    ],
    [
      ...['Python', 'requirements.txt', 'app/main.py', 'uvicorn app.main:api --port 8000', 'pytest'],
      'http://localhost:8000/webhook',
      `api: FastAPI = FastAPI()\n@api.post("/webhook")\ndef hook(): ...`,
    ],
    [
      ...['Python', 'requirements.txt', 'quiz/__init__.py', 'uvicorn --factory quiz:create_app --port 8000', 'pytest'],
      'http://localhost:8000/webhook',
      `def hook(): ...\n\ndef create_app(\n    title="Quiz",\n) -> FastAPI:\n\n    app = FastAPI(title=title)\n    app.post("/webhook")(hook)\n    return app`,
    ],
    [
      ...['Python', 'requirements.txt', 'quiz/__init__.py', 'flask --app quiz run --port 5000', 'pytest'],
      'http://localhost:5000/x/webhook',
      `app = Flask(__name__)\napp.add_url_rule("/x/webhook", view_func=hook)`,
    ],
    [
      ...['Python', 'requirements.txt', 'app.py', 'python3 app.py', 'pytest'],
      'http://localhost:5000/lms/inbound',
      `from flask import Flask\n@app.route("/lms")\n@app.route("/lms/inbound", methods=["POST"])\ndef inbound(): request.headers["Platform-Signature"]\napp.run()`,
    ],
    [
      ...['Python', 'requirements.txt', 'web app/app.py', 'python3 web\\ app/app.py', 'pytest'],
      'http://localhost:8000/webhook',
      `'/webhook'\napp.run()`,
    ],
    [
      ...['Ruby', 'Gemfile', 'config/routes.rb', 'bin/rails server -p 3000', 'bundle exec rspec'],
      'http://localhost:3000/webhooks/platform',
      `Rails.application.routes.draw do\n  post "webhooks/platform", to: "webhooks#create"\nend`,
    ],
    [
      ...['Go', 'go.mod', 'cmd/main.go', 'go run ./cmd', 'go test ./...'],
      'http://localhost:8081/webhook',
      `package main\nhttp.HandleFunc("POST /webhook", hook)\nhttp.ListenAndServe(":8081", nil)`,
    ],
    [
      ...['Ruby', 'Gemfile', 'app.rb', 'ruby app.rb', 'bundle exec rspec'],
      'http://localhost:4567/webhooks',
      `require 'sinatra'\npost '/webhooks' do\nend`,
    ],
    [
      ...['PHP', 'composer.json', 'index.php', `${PHP} -S localhost:8000 index.php`, 'vendor/bin/phpunit'],
      'http://localhost:8000/webhook.php',
      `<?php if ($_SERVER['REQUEST_URI'] === '/webhook.php') {}`,
    ],
    [
      ...[
        'PHP',
        'composer.json',
        'public/index.php',
        `${PHP} -S localhost:8000 -t public public/index.php`,
        'vendor/bin/phpunit',
      ],
      'http://localhost:8000/hooks',
      `<?php require_once 'autoload_runtime.php';\n#[Route('/hooks', methods: ['POST'])] "Platform-Signature"`,
    ],
  ] as const)(
    'an app in %s with %s gets no test of Node, and package.json stays as it is',
    async ([language, marker, source, start, suite, webhook, text], { run, folder }) => {
      const packageJson = '{ "devDependencies": { "mockademy": "file:mockademy.tgz" } }'
      await writeFile(join(folder, 'package.json'), packageJson)
      await writeFile(join(folder, marker), '')
      await mkdir(join(folder, dirname(source)), { recursive: true })
      await writeFile(join(folder, source), text)
      const { status, stdout } = await run(['init', '--app', 'notes'])
      expect(status).toBe(0)
      expect(stdout).toContain(`Found: ${language}, a webhook at ${new URL(webhook).pathname}\n`)
      expect(stdout).toContain(`npx mockademy dev -- ${start} `)
      expect(stdout).toContain(`npx mockademy exec --strict -- ${suite} `)
      const note = new RegExp(`No test was written: (\\S+) has suites in ${language} to copy\\.`)
      const [, page = ''] = note.exec(stdout) ?? []
      expect(await read(folder, relative(folder, page))).toContain('# In other languages')
      expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.webhook.url).toBe(webhook)
      expect(await read(folder, 'package.json')).toBe(packageJson)
      const written = ['mockademy', 'mockademy.audit.json', 'mockademy.json', 'package.json']
      expect((await readdir(folder)).sort()).toEqual([...new Set([...written, marker, source.split('/')[0]])].sort())
    },
  )

  test('the command that starts an app in PHP has the port of its manifest, or of the address that is given', async ({
    run,
    folder,
  }) => {
    await writeFile(join(folder, 'index.php'), `<?php if ($_SERVER['REQUEST_URI'] === '/webhook') {}`)
    const given = await run(['init', '--app', 'notes', '--app-url', 'http://localhost:8081'])
    expect(given.stdout).toContain(`npx mockademy dev -- ${PHP} -S localhost:8081 index.php `)
    // The app of its fixtures would be the one to take.
    await rm(join(folder, 'mockademy.json'))
    const manifest = { id: 'notes', name: 'Notes', version: '1.0.0', webhook: { url: 'http://localhost:8080/webhook' } }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    expect((await run(['init'])).stdout).toContain(`npx mockademy dev -- ${PHP} -S localhost:8080 index.php `)
  })

  test.for<[source: string, text: string, command: string]>([
    ['src/Importer.php', '<?php $process->run();', 'COMMAND'],
    ['src/Http/Router.php', "<?php $_SERVER['REQUEST_URI'];", `${PHP} -S localhost:8000 -t web web/index.php`],
  ])('a class of PHP in %s is not the file that starts an app', async ([source, text, command], { run, folder }) => {
    await mkdir(join(folder, dirname(source)), { recursive: true })
    await writeFile(join(folder, source), text)
    if (command !== 'COMMAND') {
      await mkdir(join(folder, 'web'))
      await writeFile(join(folder, 'web/index.php'), '<?php $app->run();')
    }
    expect((await run(['init', '--app', 'notes'])).stdout).toContain(`npx mockademy dev -- ${command} `)
  })

  test.for([
    ['uv.lock', '', 'uv run '],
    ['pyproject.toml', '[tool.poetry]\nname = "notes"', 'poetry run '],
    ['pyproject.toml', '[build-system]\nrequires = ["poetry-core>=2"]', 'poetry run '],
    ['pyproject.toml', '[project]\nname = "notes"', ''],
  ] as const)('with %s and %j, commands of Python begin with "%s"', async ([file, text, start], { run, folder }) => {
    await writeFile(join(folder, file), text)
    await writeFile(join(folder, 'main.py'), 'app = FastAPI()')
    const { stdout } = await run(['init', '--app', 'notes'])
    expect(stdout).toContain(`npx mockademy dev -- ${start}uvicorn main:app --port 8000 `)
    expect(stdout).toContain(`npx mockademy exec --strict -- ${start}pytest `)
  })

  const listen = 'http.ListenAndServe(":8080", nil)'
  test.for<[command: string, files: Record<string, string>]>([
    [
      'go run ./cmd/server',
      { 'cmd/migrate/main.go': 'package main', 'cmd/server/main.go': `package main\n${listen}`, 'go.mod': '' },
    ],
    [
      'go run ./cmd/web',
      {
        ...{
          'cmd/seed/main.go': 'package main',
          'internal/server/server.go': `package server\n${listen}`,
          'go.mod': '',
        },
        'cmd/web/main.go': 'package main\nimport "lms/internal/server"',
        'cmd/web/routes.go': 'package main',
      },
    ],
    [
      'go run ./cmd/web',
      {
        ...{ 'cmd/seed/main.go': 'package main\nexec.Command("ls").Run()', 'go.mod': '' },
        'cmd/web/main.go': 'package main\nimport "github.com/gin-gonic/gin"\ngin.Default().Run(":8080")',
      },
    ],
    ['COMMAND', { 'cmd/migrate/main.go': 'package main', 'cmd/seed/main.go': 'package main', 'go.mod': '' }],
    [
      'COMMAND',
      { 'cmd/a/main.go': `package main\n${listen}`, 'cmd/b/main.go': `package main\n${listen}`, 'go.mod': '' },
    ],
    [
      'bundle exec rackup -p 9292 config.ru',
      { 'config.ru': "require './lib/app'\nrun App\n", 'lib/app.rb': 'class App < Sinatra::Base\nend', Gemfile: '' },
    ],
    [
      'bundle exec rackup -p 9393 config.ru',
      {
        'config.ru': "map '/x' do\n  run App\nend\n",
        'config/puma.rb': "port ENV.fetch('PORT') { 9393 }",
        Gemfile: '',
      },
    ],
    [
      'bin/rails server -p 3000',
      { 'config.ru': 'run Rails.application', 'config/routes.rb': 'Rails.application.routes.draw do', Gemfile: '' },
    ],
    [
      `${PHP} -S localhost:8080 -t public public/index.php`,
      {
        'composer.json': '{ "scripts": { "dev": "PHP_CLI_SERVER_WORKERS=32 php -S localhost:8080 -t public" } }',
        'public/index.php': '<?php $kernel->handle($request); #[Route("/webhook")]',
      },
    ],
  ])('%s is the command that starts the app of %j', async ([command, files], { run, folder }) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const { stdout } = await run(['init', '--app', 'notes'])
    expect(stdout).toContain(`npx mockademy dev -- ${command} `)
    const { webhook } = (await json(folder, 'mockademy/app.json')).apps[0].manifest
    expect(new URL(webhook.url).port).toBe(/-p (\d+)/.exec(command)?.[1] ?? '8080')
  })

  test.for([
    ['node --env-file=.env app.js', '', '4001'],
    ['tsx watch --env-file-if-exists .env.local app.js', '', '4002'],
    ['node --env-file=.env --env-file=.env.local app.js', '', '4002'],
    ['node --env-file=.env.none app.js', '', '3001'],
    ['PORT=4003 node --env-file=.env app.js', '', '4003'],
    ['node app.js', '', '3001'],
    ['node app.js', "import 'dotenv/config'", '4001'],
    ['node app.js', "require('dotenv').config()", '4001'],
    ['node -r dotenv/config app.js', '', '4001'],
    ['node --env-file=.env.local app.js', "import 'dotenv/config'", '4002'],
    ['nest start --watch', 'ConfigModule.forRoot({ isGlobal: true })', '4001'],
  ] as const)(
    'with the script %s, the source %j and two files of variables, the port is %s',
    async (each, { run, folder }) => {
      const [dev, source, port] = each
      await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { dev } }))
      await writeFile(join(folder, 'app.js'), `${source}\napp.listen(process.env.PORT || 3001)`)
      await writeFile(join(folder, '.env'), '# PORT=4000\nDB_PORT=5432\nexport PORT="4001"\n')
      await writeFile(join(folder, '.env.local'), 'PORT=4002\n')
      await run(['init'])
      const { webhook } = (await json(folder, 'mockademy/app.json')).apps[0].manifest
      expect(new URL(webhook.url).port).toBe(port)
    },
  )

  test.for([
    [['spec', 'test', 'bin/rails'], 'bundle exec rspec'],
    [['test', 'bin/rails'], 'bin/rails test'],
    [['test'], 'bundle exec rake test'],
  ] as const)('an app in Ruby with %j runs its tests with %s', async ([folders, command], { run, folder }) => {
    for (const path of ['.', ...folders]) await mkdir(join(folder, path), { recursive: true })
    await writeFile(join(folder, 'Gemfile'), '')
    expect((await run(['init', '--app', 'notes'])).stdout).toContain(`npx mockademy exec --strict -- ${command} `)
  })

  test('an app in Python gets a test of Node when a runner is named', async ({ run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'app.py'), 'app.run()')
    await run(['init', '--runner', 'node:test'])
    expect(await read(folder, 'test/mockademy.test.js')).toContain("require('node:test')")
  })

  test('without package.json it writes no test and no scripts', async ({ run, folder }) => {
    const { status, stdout } = await run(['init'])
    expect(status).toBe(0)
    expect(stdout).toContain('There is no package.json here, so no test and no scripts are written.\n')
    expect(stdout).toContain('npx mockademy exec --strict -- COMMAND')
    expect((await readdir(folder)).sort()).toEqual(['mockademy', 'mockademy.audit.json', 'mockademy.json'])
  })

  test.for([
    [['--runner', 'jst'], '--runner "jst": is no runner that init knows; did you mean "jest"?'],
    [['--app', 'a b'], '--app "a b": must be 1 to 64 letters, digits, hyphens or underscores'],
    [
      ['--app-url', 'http://notes.test'],
      /^--app-url "http:\/\/notes.test": must be an https URL; http is allowed for localhost/,
    ],
    [
      ['--app-url', 'https://notes.test/?a'],
      '--app-url "https://notes.test/?a": must have neither a query nor a fragment',
    ],
  ] as const)('%s is refused, and nothing is written', async ([args, message], { run, folder }) => {
    const { status, stderr } = await run(['init', ...args])
    expect(status).toBe(2)
    expect(stderr.replace('mockademy: ', '').trimEnd()).toMatch(message)
    expect(await readdir(folder)).toEqual([])
  })

  test.for([
    ['{ "name": ', /^mockademy: package\.json is not valid JSON: /],
    ['[]', /^mockademy: package\.json: must be a JSON object\n$/],
    ['{ "scripts": "none" }', /^mockademy: package\.json: scripts must be an object\n$/],
  ] as const)('a package.json that is %s is refused', async ([text, message], { run, folder }) => {
    await writeFile(join(folder, 'package.json'), text)
    const { status, stderr } = await run(['init'])
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) })
    expect(await readdir(folder)).toEqual(['package.json'])
  })
})

/** `script` of util-linux gives a command a terminal; other systems have another `script`. */
describe.runIf(process.platform === 'linux')('mockademy init on a terminal', () => {
  /** Types each answer when its question has been asked. @returns what the terminal showed. */
  async function answered(folder: string, dialogue: [question: string, keys: string][], args = '') {
    const command = `stty cols 100 rows 40; "${process.execPath}" "${join(ROOT, 'bin/mockademy.js')}" init ${args}; echo "status $?"`
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env: cleanEnvironment(folder) })
    let shown = ''
    const rest = [...dialogue]
    child.stdout.on('data', (chunk) => {
      shown += chunk
      const [next] = rest
      if (next && shown.includes(next[0])) {
        rest.shift()
        child.stdin.write(next[1])
      }
    })
    await once(child, 'close')
    return shown
  }

  const ENTER = '\r'
  const DOWN = '\x1b[B'

  test('asks for app, address and runner, and proposes what it found', async ({ folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "name": "notes", "devDependencies": { "vitest": "4" } }')
    const shown = await answered(folder, [
      ["Your app's id", ENTER],
      ['Where it runs', `0${ENTER}`],
      ['Test runner', `${DOWN}${ENTER}`],
    ])
    expect(shown).toContain('status 0')
    const [{ manifest }] = (await json(folder, 'mockademy/app.json')).apps
    expect(manifest).toMatchObject({ id: 'notes', webhook: { url: 'http://localhost:30000/webhook' } })
    expect(await read(folder, 'test/mockademy.test.js')).toContain('require(')
  })

  test('does not ask for an app that the fixtures have', async ({ folder }) => {
    await writeFile(join(folder, 'own.json'), '{ "apps": [{ "manifest": { "id": "shop", "version": "1.0.0" } }] }')
    await writeFile(join(folder, 'mockademy.json'), '{ "fixtures": "own.json" }')
    const shown = await answered(folder, [['Where it runs', ENTER]])
    expect(shown).not.toContain("Your app's id")
    expect(await read(folder, 'mockademy.audit.json')).toContain('"app": "shop"')
  })

  test('asks nothing that a flag says, and nothing with --yes', async ({ folder }) => {
    await writeFile(join(folder, 'package.json'), '{ "name": "notes" }')
    const shown = await answered(folder, [['Where it runs', ENTER]], '--app other --runner mocha')
    expect(shown).not.toContain("Your app's id")
    expect((await json(folder, 'mockademy/app.json')).apps[0].manifest.id).toBe('other')
    expect(await answered(folder, [], '--yes')).not.toContain('Where it runs')
  })

  test('Ctrl+C ends it with nothing written', async ({ folder }) => {
    const shown = await answered(folder, [["Your app's id", '\x03']])
    expect(shown).toContain('mockademy: nothing was written')
    expect(shown).toContain('status 130')
    expect(await readdir(folder)).toEqual([])
  })
})
