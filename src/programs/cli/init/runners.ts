import type { AppStart } from './sources.js'
import ownApp from './templates/own-app.txt'
import standIn from './templates/stand-in.txt'
import testBody from './templates/test-body.txt'

export type Modules = 'esm' | 'cjs'

export interface TestParts {
  modules: Modules
  typescript: boolean
  app: string
  /** The path of the app's webhook, for the server that stands in for an app that a test cannot start. */
  webhook: string
  start: AppStart | undefined
}

type Load = [names: string, from: string]

export interface Runner {
  /** Its package; a part of Node when left out. */
  dependency?: string
  isIn: RegExp
  script: string
  /** Folders of tests, the usual one first. */
  folders: readonly [string, ...string[]]
  configuration?: RegExp
  configured?: RegExp
  /** It compiles TypeScript and ES modules itself. */
  compiles?: true
  /** It loads no ES modules without further flags. */
  onlyCommonJs?: true
  loads: Load[]
  /** Its function that declares a test, and what follows the test's own function; `test` and `)` when left out. */
  declares?: { name?: string; end: string }
  /** Its tests take the emulator as an argument; others start it themselves. */
  hasFixture?: true
}

/** Milliseconds for the test: the first start of an app may take longer than a runner allows. */
const TIME = '30_000'

/** The test runners that `mockademy init` knows, in the order in which it looks for them. */
export const runners = {
  vitest: {
    dependency: 'vitest',
    isIn: /\bvitest\b/,
    script: 'vitest run',
    folders: ['test', 'tests', '__tests__', 'spec'],
    configuration: /^vite(?:st)?\.config\./,
    configured: /\binclude:\s*\[\s*['"`](?:\.\/)?([\w/.-]*\w)\/[^'"`]*(?:test|spec)/,
    compiles: true,
    loads: [
      ['{ emulatorTest as test }', 'mockademy/vitest'],
      ['{ expect }', 'vitest'],
    ],
    declares: { end: `, ${TIME})` },
    hasFixture: true,
  },
  jest: {
    dependency: 'jest',
    isIn: /\bjest\b/,
    script: 'jest',
    folders: ['test', 'tests', '__tests__'],
    configuration: /^(?:jest\.config\.|package\.json$)/,
    configured: /\broots['"]?:\s*\[\s*['"`](?:<rootDir>\/|\.\/)?([\w/.-]*\w)/,
    onlyCommonJs: true,
    loads: [],
    declares: { end: `, ${TIME})` },
  },
  mocha: {
    dependency: 'mocha',
    isIn: /\bmocha\b/,
    script: 'mocha',
    folders: ['test'],
    configuration: /^(?:\.mocharc|package\.json$)/,
    loads: [
      ['assert', 'node:assert/strict'],
      ['{ it }', 'mocha'],
    ],
    declares: { name: 'it', end: `).timeout(${TIME})` },
  },
  playwright: {
    dependency: '@playwright/test',
    isIn: /\bplaywright\b/,
    script: 'playwright test',
    folders: ['tests', 'e2e', 'test'],
    configuration: /^playwright\.config\./,
    configured: /\btestDir:\s*['"`](?:\.\/)?([\w/.-]*\w)/,
    compiles: true,
    loads: [['{ expect, test }', '@playwright/test']],
  },
  'node:test': {
    isIn: /\b(?:node|tsx)\b.*--test\b/,
    script: 'node --test',
    folders: ['test', 'tests'],
    loads: [
      ['assert', 'node:assert/strict'],
      ['{ test }', 'node:test'],
    ],
  },
} satisfies Record<string, Runner>

export type RunnerName = keyof typeof runners
export const runnerNames = Object.keys(runners) as RunnerName[]

const NAME = 'the app accepts its installation, rejects a forged webhook, and survives an expired token'

const FREE_PORT = `const probe = createServer().listen(0)
const { port } = probe.address() as { port: number }
probe.close()`

/** Returns a template with values in place of `{{name}}`. */
export const fill = (template: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, () => value), template)

const indent = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

/** Returns the text of a test. Its parts are written in TypeScript and with `expect`; a runner may want others. */
export function testText(runner: Runner, parts: TestParts): string {
  const { app, webhook, start, typescript } = parts
  const { compiles, onlyCommonJs, hasFixture, declares: { name = 'test', end } = { end: ')' } } = runner
  const modules = compiles || typescript ? 'esm' : onlyCommonJs ? 'cjs' : parts.modules
  const ownPort = start && !start.readsPort ? `const port = ${start.port}` : undefined
  const loads: Load[] = [
    start ? ['{ spawn }', 'node:child_process'] : ['{ createHmac }', 'node:crypto'],
    ...(ownPort ? [] : [['{ createServer }', 'node:http'] satisfies Load]),
    ...(start ? [['{ setTimeout }', 'node:timers/promises'] satisfies Load] : []),
    ...runner.loads,
    ...(hasFixture ? [] : [['{ startEmulator }', 'mockademy'] satisfies Load]),
  ]
  const head = loads.map(([names, from]) =>
    modules === 'esm' ? `import ${names} from '${from}'` : `const ${names} = require('${from}')`,
  )
  const command = start?.command.map((word) => `'${word}'`).join(', ') ?? ''
  const body = fill(testBody.trimEnd(), {
    port: ownPort ?? FREE_PORT,
    start: start
      ? fill(ownApp.trimEnd(), { where: start.readsPort ? ', on a free port' : '', command })
      : fill(standIn.trimEnd(), { webhook }),
    app,
    end: start ? 'kill' : 'close',
  })
  const text = hasFixture
    ? `${name}('${NAME}', async ({ emulator }) => {
${indent(body, '  ')}
}${end}`
    : `${name}('${NAME}', async () => {
  const emulator = await startEmulator()
  try {
${indent(body, '    ')}
  } finally {
    await emulator.close()
  }
}${end}`
  const plain = typescript ? text : text.replace(/ as (never|\{ port: number \})/g, '')
  const asserting = runner.loads.some(([names]) => names === 'assert')
    ? plain.replace(/\bexpect\((.*)\)\.toEqual\((.*)\)$/gm, 'assert.deepEqual($1, $2)')
    : plain
  return `${head.join('\n')}\n\n${asserting}\n`
}
