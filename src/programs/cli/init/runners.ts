/** The module system of a file: `import`, or `require`. */
export type Modules = 'esm' | 'cjs'

/** Variable parts of a test file. */
export interface TestParts {
  modules: Modules
  /** The app's manifest id. */
  app: string
  fixtures: string[]
}

export interface Runner {
  /** Its package; a part of Node when left out. */
  dependency?: string
  /** Matches a test script that runs it. */
  isIn: RegExp
  script: string
  /** Folders of tests, the usual one first. */
  folders: readonly [string, ...string[]]
  /** It compiles TypeScript and ES modules itself. */
  compiles?: true
  /** It loads no ES modules without further flags. */
  onlyCommonJs?: true
  test(parts: TestParts): string
}

const NAME = 'an installed app reads elements until its access token expires'

/** The body of the test, the same for every runner. */
const body = ({ app }: TestParts, equal: (actual: string, expected: number) => string, indent: string) =>
  [
    `const { credentials } = await emulator.admin.install({ app: '${app}', organization: 'acme', announce: false })`,
    `const headers = { authorization: \`Bearer \${credentials?.access_token}\` }`,
    `const read = () => fetch(\`\${emulator.url}/v0/elements/welcome\`, { headers })`,
    equal('(await read()).status', 200),
    '',
    "await emulator.admin.advanceClock('61m')",
    equal('(await read()).status', 401),
  ]
    .map((line) => line && `${indent}${line}`)
    .join('\n')

const expects = (actual: string, expected: number) => `expect(${actual}).toBe(${expected})`
const asserts = (actual: string, expected: number) => `assert.equal(${actual}, ${expected})`
const listOf = (files: string[]) => `[${files.map((file) => `'${file}'`).join(', ')}]`

/** Returns `import { a } from 'b'`, or the same with `require`. */
const load = (modules: Modules, names: string, from: string) =>
  modules === 'esm' ? `import ${names} from '${from}'` : `const ${names} = require('${from}')`

/** Returns a test that starts its emulator itself. */
const framed = (parts: TestParts, loads: [names: string, from: string][], equal: typeof expects, test: string) =>
  `${[...loads, ['{ startEmulator }', 'mockademy'] as const].map(([names, from]) => load(parts.modules, names, from)).join('\n')}

${test}('${NAME}', async () => {
  const emulator = await startEmulator({ fixtures: ${listOf(parts.fixtures)} })
  try {
${body(parts, equal, '    ')}
  } finally {
    await emulator.close()
  }
})
`

/** The test runners that `mockademy init` knows, in the order in which it looks for them. */
export const runners = {
  vitest: {
    dependency: 'vitest',
    isIn: /\bvitest\b/,
    script: 'vitest run',
    folders: ['test', 'tests', '__tests__', 'spec'],
    compiles: true,
    test: (parts) => `import { emulatorTest as test } from 'mockademy/vitest'
import { expect } from 'vitest'

test.override({ emulatorOptions: { fixtures: ${listOf(parts.fixtures)} } })

test('${NAME}', async ({ emulator }) => {
${body(parts, expects, '  ')}
})
`,
  },
  jest: {
    dependency: 'jest',
    isIn: /\bjest\b/,
    script: 'jest',
    folders: ['test', 'tests', '__tests__'],
    onlyCommonJs: true,
    test: (parts) => framed({ ...parts, modules: 'cjs' }, [], expects, 'test'),
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
      ),
  },
  playwright: {
    dependency: '@playwright/test',
    isIn: /\bplaywright\b/,
    script: 'playwright test',
    folders: ['tests', 'e2e', 'test'],
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
