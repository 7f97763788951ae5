import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { audit } from 'mockademy'
import { expect, test } from 'vitest'
import { BIN } from '../harness/command-line.js'
import { type ExampleApp, type Patch, startExampleApp } from './example-app.js'

/** Makes the app write an expression to a log at each redemption of a code. @param written the same with its end. */
const logging = (expression: string, written = `${expression} + '\\n'`): Patch[] => [
  {
    file: 'sign-in.js',
    find: "import { createHash } from 'node:crypto'",
    replace: "import { createHash } from 'node:crypto'\nimport { appendFileSync } from 'node:fs'",
  },
  {
    file: 'sign-in.js',
    find: 'const { id_token } = await tokenEndpoint',
    replace: 'const { id_token, access_token } = await tokenEndpoint',
  },
  {
    file: 'sign-in.js',
    find: '    return userOf(id_token,',
    replace: `    appendFileSync(process.env.DATA_FILE + '.log', ${written})\n    return userOf(id_token,`,
  },
]

/** Makes the app write the line of each request to a log, as the default of most web servers does. */
const accessLog: Patch[] = [
  {
    file: 'server.js',
    find: "import { createServer } from 'node:http'",
    replace: "import { appendFileSync } from 'node:fs'\nimport { createServer } from 'node:http'",
  },
  {
    file: 'server.js',
    find: 'const server = createServer()',
    replace:
      "const log = ({ method, url }) => appendFileSync(process.env.DATA_FILE + '.log', method + ' ' + url + '\\n')\nconst server = createServer(log)",
  },
]

test.for([
  ['access_token', 'fail', undefined],
  ['id_token', 'pass', undefined],
  ['access_token', 'fail', 'gzipSync'],
  ['access_token', 'fail', 'deflateSync'],
] as const)('an %s that the app stores in clear text is a %s (%s)', async ([stored, outcome, compression]) => {
  const written = compression && `(await import('node:zlib')).${compression}(${stored})`
  await using app = await startExampleApp(logging(stored, written))
  const file = join(app.folder, 'mockademy.audit.json')
  await writeFile(file, JSON.stringify({ ...app.file, data: ['data.log'] }))
  const { checks } = await audit({ url: app.emulator.url, file, only: ['leaks.at-rest'] })
  expect(checks).toMatchObject([{ outcome }])
  await writeFile(file, JSON.stringify({ ...app.file, data: ['package.json'] }))
  expect((await audit({ url: app.emulator.url, file, only: ['leaks.at-rest'] })).checks).toMatchObject([
    {
      outcome: 'inconclusive',
      message: 'None of the files of data was written to during the audit, so tokens are kept elsewhere',
    },
  ])
})

test('a folder is no log, and one without a file is no data', async () => {
  await using app = await startExampleApp()
  const empty = join(app.folder, 'empty')
  await mkdir(empty)
  const file = { ...app.file, logs: [empty], data: [empty] }
  const { checks } = await audit({ url: app.emulator.url, file, only: ['leaks*'] })
  expect(checks).toMatchObject([
    {
      outcome: 'inconclusive',
      message: `The file ${empty} of logs cannot be read: EISDIR: illegal operation on a directory, read`,
    },
    { outcome: 'inconclusive', message: `The paths in data hold no file: ${empty}` },
  ])
})

test('the paths of `audit` in mockademy.json are relative to its folder, wherever the command runs', async () => {
  await using app = await startExampleApp(logging('access_token'))
  const cwd = join(app.folder, 'deep')
  await mkdir(cwd)
  const content = { audit: { ...app.file, data: ['data.log'] } }
  await writeFile(join(app.folder, 'mockademy.json'), JSON.stringify(content))
  const args = [BIN, 'audit', '--url', app.emulator.url, '--only', 'leaks.at-rest', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd }).catch((error) => error)
  expect(JSON.parse(stdout).checks).toMatchObject([{ outcome: 'fail' }])
})

test.skipIf(process.platform === 'win32')('a folder of data may have more files than a process can open', async () => {
  await using app = await startExampleApp(logging('id_token'))
  const many = join(app.folder, 'many')
  await mkdir(many)
  await Promise.all(Array.from({ length: 600 }, (_, index) => writeFile(join(many, `${index}.txt`), 'text')))
  const file = join(app.folder, 'mockademy.audit.json')
  await writeFile(file, JSON.stringify({ ...app.file, data: ['data.log', 'many'] }))
  const command = 'ulimit -n 256; exec "$0" "$@"'
  const args = [BIN, 'audit', file, '--url', app.emulator.url, '--only', 'leaks.at-rest', '--json']
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, ...args]).catch((error) => error)
  const message = expect.stringContaining('601 files')
  expect(JSON.parse(stdout).checks).toMatchObject([{ outcome: 'pass', message }])
})

async function judge(app: ExampleApp, check = 'signin.works') {
  const file = { ...app.file, logs: [join(app.folder, 'data.log')] }
  const report = await audit({ url: app.emulator.url, file, only: [check, 'leaks'], failOn: 'low' })
  return { passed: report.passed, verdict: report.checks.find(({ id }) => id === 'leaks') }
}

test('a redeemed code in a log is a warning, which fails no run', async () => {
  await using app = await startExampleApp(logging("'GET /callback?code=' + code"))
  const { passed, verdict } = await judge(app)
  expect(verdict).toMatchObject({
    outcome: 'warn',
    message: 'Authorization codes in the logs (6 lines); they are worthless once redeemed',
    seen: expect.stringMatching(/^code in \S+data\.log \(6 times\)$/),
  })
  expect(passed).toBe(true)
})

test('an id_token that the audit itself sends in an address does not count in the log of requests', async () => {
  await using app = await startExampleApp(accessLog)
  const { passed, verdict } = await judge(app, 'signin.token-injection')
  expect(verdict).toMatchObject({
    outcome: 'warn',
    seen: expect.stringMatching(/^code in \S+data\.log \(\d+ times\)$/),
  })
  expect(passed).toBe(true)
})

test.for([
  ['tokens', 'access_token', 'access token'],
  [
    'the credentials of a request',
    "'Basic ' + btoa(clientId + ':' + process.env.PLATFORM_CLIENT_SECRET)",
    'client secret',
  ],
] as const)('%s in a log fail, and equal ones are one sentence', async ([, expression, kind]) => {
  await using app = await startExampleApp(logging(expression))
  const { passed, verdict } = await judge(app)
  expect(verdict).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(`^Secrets in the logs: the first is the ${kind} in \\S+data\\.log, line 1 since`),
    seen: expect.stringMatching(`^${kind} in \\S+data\\.log \\(6 times\\)$`),
  })
  expect(passed).toBe(false)
})
