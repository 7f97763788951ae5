import type { AppStart } from './sources.js'

/** The module system of a file: `import`, or `require`. */
export type Modules = 'esm' | 'cjs'

/** Variable parts of a test file. */
export interface TestParts {
  modules: Modules
  typescript: boolean
  /** The app's manifest id. */
  app: string
  /** The path of the app's webhook. */
  webhook: string
  /** Start command of the app; undefined when a test cannot start it. */
  start: AppStart | undefined
}

export interface Runner {
  /** Its package; a part of Node when left out. */
  dependency?: string
  /** Matches a test script that runs it. */
  isIn: RegExp
  script: string
  /** Folders of tests, the usual one first. */
  folders: readonly [string, ...string[]]
  /** Its configuration file, and the folder of tests that it names. */
  configured?: { file: RegExp; folder: RegExp }
  /** It compiles TypeScript and ES modules itself. */
  compiles?: true
  /** It loads no ES modules without further flags. */
  onlyCommonJs?: true
  test(parts: TestParts): string
}

type Load = [names: string, from: string]
type Equal = (actual: string, expected: string) => string

const NAME = 'the app accepts its installation, rejects a forged webhook, and survives an expired token'

const expects: Equal = (actual, expected) => `expect(${actual}).toEqual(${expected})`
const asserts: Equal = (actual, expected) => `assert.deepEqual(${actual}, ${expected})`

/** Returns `import { a } from 'b'`, or the same with `require`. */
const load = (modules: Modules, [names, from]: Load) =>
  modules === 'esm' ? `import ${names} from '${from}'` : `const ${names} = require('${from}')`

/** The statement that runs the app of the project. */
const ownApp = ({ command, readsPort }: AppStart) => `// The app of this project${readsPort ? ', on a free port' : ''}.
const isListening = () => fetch(url).then(() => true, () => false)
if (await isListening()) throw new Error(\`Another program listens at \${url}: stop it first\`)
const app = spawn('node', ${JSON.stringify(command).replaceAll('"', "'").replaceAll(',', ', ')}, {
  env: { ...process.env, ...emulator.env, PORT: String(port) },
  stdio: 'inherit',
})
while (app.exitCode === null && !(await isListening())) await setTimeout(50)`

/** A small app for a project whose own a test cannot start. */
const standIn = (
  webhook: string,
) => `// A placeholder. Replace it with code that starts your app, with emulator.env in its environment, at \`url\`.
let token = ''
const app = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url === '${webhook}') {
    const signature = createHmac('sha256', String(emulator.env.PLATFORM_SIGNING_SECRET)).update(body).digest('hex')
    const isGenuine = request.headers['platform-signature'] === signature
    if (isGenuine) token = JSON.parse(body).data.credentials.access_token
    response.writeHead(isGenuine ? 200 : 401).end()
  } else {
    const courses = await fetch(\`\${emulator.url}/v0/courses\`, { headers: { authorization: \`Bearer \${token}\` } })
    response.writeHead(courses.status).end()
  }
}).listen(port)`

const indent = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

const hasOwnPort = ({ start }: TestParts) => start !== undefined && !start.readsPort

/** The modules that the body uses. */
const loadsOf = (parts: TestParts): Load[] => [
  parts.start ? ['{ spawn }', 'node:child_process'] : ['{ createHmac }', 'node:crypto'],
  ...(hasOwnPort(parts) ? [] : [['{ createServer }', 'node:http'] as Load]),
  ...(parts.start ? [['{ setTimeout }', 'node:timers/promises'] as Load] : []),
]

/** The statement that takes the app's port, or a free one. */
const port = (parts: TestParts) =>
  hasOwnPort(parts)
    ? `const port = ${parts.start?.port}`
    : `const probe = createServer().listen(0)
const { port } = probe.address()${parts.typescript ? ' as { port: number }' : ''}
probe.close()`

/** The body of the test, the same for every runner. */
const body = (parts: TestParts, equal: Equal) => {
  const { app, webhook, start, typescript } = parts
  return `${port(parts)}
const url = \`http://localhost:\${port}\`
${start ? ownApp(start) : standIn(webhook)}
try {
  const { versions } = await emulator.admin.getApp('${app}')
  const manifest = { ...versions[0]${typescript ? '?' : ''}.manifest, webhook: { url: \`\${url}${webhook}\` } }
  await emulator.admin.pushManifest('${app}', manifest${typescript ? ' as never' : ''})

  // The app's webhook is called with its credentials. \`error\` says why it was not acknowledged.
  const { delivery } = await emulator.admin.install({ app: '${app}', organization: 'acme' })
  ${equal('delivery?.attempts.at(-1)?.error', 'null')}

  // The same webhook with a wrong signature.
  await emulator.admin.addFault({ match: { surface: 'webhook' }, effect: 'bad_signature', times: 1 })
  const forged = await emulator.admin.redeliver(String(delivery?.id))
  ${equal('forged.attempts.at(-1)?.status', '401')}

  // Let this request make the app call the platform, after its access token has expired.
  await emulator.admin.expireTokens({ app: '${app}' })
  const response = await fetch(url)
  ${equal('response.status < 500', 'true')}

  // The app has done nothing that the platform forbids.
  ${equal("await emulator.admin.listFindings({ level: 'error' })", '[]')}
} finally {
  app.${start ? 'kill' : 'close'}()
}`
}

/** Milliseconds for the test: the first start of an app may take longer than a runner allows. */
const TIME = '30_000'

/** Returns a test that starts its emulator itself. @param end what follows the test's function. */
const framed = (parts: TestParts, loads: Load[], equal: Equal, test: string, end = ')') =>
  `${[...loadsOf(parts), ...loads, ['{ startEmulator }', 'mockademy'] as Load].map((each) => load(parts.modules, each)).join('\n')}

${test}('${NAME}', async () => {
  const emulator = await startEmulator()
  try {
${indent(body(parts, equal), '    ')}
  } finally {
    await emulator.close()
  }
}${end}
`

/** The test runners that `mockademy init` knows, in the order in which it looks for them. */
export const runners = {
  vitest: {
    dependency: 'vitest',
    isIn: /\bvitest\b/,
    script: 'vitest run',
    folders: ['test', 'tests', '__tests__', 'spec'],
    compiles: true,
    test: (parts) => `${loadsOf(parts)
      .map((each) => load('esm', each))
      .join('\n')}
import { emulatorTest as test } from 'mockademy/vitest'
import { expect } from 'vitest'

test('${NAME}', async ({ emulator }) => {
${indent(body(parts, expects), '  ')}
}, ${TIME})
`,
  },
  jest: {
    dependency: 'jest',
    isIn: /\bjest\b/,
    script: 'jest',
    folders: ['test', 'tests', '__tests__'],
    onlyCommonJs: true,
    test: (parts) => framed({ ...parts, modules: 'cjs' }, [], expects, 'test', `, ${TIME})`),
  },
  mocha: {
    dependency: 'mocha',
    isIn: /\bmocha\b/,
    script: 'mocha',
    folders: ['test'],
    test: (parts) =>
      framed(
        parts,
        [
          ['assert', 'node:assert/strict'],
          ['{ it }', 'mocha'],
        ],
        asserts,
        'it',
        `).timeout(${TIME})`,
      ),
  },
  playwright: {
    dependency: '@playwright/test',
    isIn: /\bplaywright\b/,
    script: 'playwright test',
    folders: ['tests', 'e2e', 'test'],
    configured: { file: /^playwright\.config\.\w+$/, folder: /\btestDir:\s*['"`](?:\.\/)?([\w/.-]*\w)/ },
    compiles: true,
    test: (parts) => framed({ ...parts, modules: 'esm' }, [['{ expect, test }', '@playwright/test']], expects, 'test'),
  },
  'node:test': {
    isIn: /\bnode\b.*--test\b/,
    script: 'node --test',
    folders: ['test', 'tests'],
    test: (parts) =>
      framed(
        parts,
        [
          ['assert', 'node:assert/strict'],
          ['{ test }', 'node:test'],
        ],
        asserts,
        'test',
      ),
  },
} satisfies Record<string, Runner>

export type RunnerName = keyof typeof runners
export const runnerNames = Object.keys(runners) as RunnerName[]
