import { execFile, execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { startEmulator } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

const execute = promisify(execFile)
const JARS = [
  ...['junit-jupiter-api', 'junit-jupiter-engine', 'junit-platform-commons', 'junit-platform-engine'],
  ...['junit-platform-launcher', 'junit-platform-console', 'junit-platform-reporting', 'apiguardian-api'],
  ...['opentest4j', 'opentest4j-reporting-events', 'picocli', 'univocity-parsers'],
]
const CLASS_PATH = ['out', ...JARS.map((name) => `/usr/share/java/${name}.jar`)].join(delimiter)

/** Java compiles less and collects garbage on one thread, which suits programs that run for a second. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

interface Language {
  /** The package of Debian that it needs. */
  debian: string
  /** Succeeds where the language is there. */
  needs: string
  /** Compiles the suite, once. */
  build?: string
  run: string
  passed: RegExp
  /** Checks the syntax of what cannot be run: it needs packages that Debian does not have. */
  checks?: string
}

/** Test runners by folder name. */
const languages: Record<string, Language> = {
  pytest: {
    debian: 'python3-pytest',
    needs: '/usr/bin/python3 -m pytest --version',
    run: '/usr/bin/python3 -B -m pytest -q -p no:cacheprovider',
    passed: /3 passed/,
    checks: '/usr/bin/python3 -m py_compile testcontainers_mockademy.py',
  },
  go: {
    debian: 'golang-go',
    needs: 'go version',
    build: 'GO111MODULE=off go test -c -o suite mockademy_test.go',
    run: './suite -test.v',
    passed: /(--- PASS: Test[\s\S]*){3}^PASS$/m,
    checks: 'gofmt -l testcontainers.go mockademy_test.go | (! grep .)',
  },
  junit: {
    debian: 'junit5 and default-jdk-headless',
    needs: 'javac -version && test -e /usr/share/java/junit-platform-console.jar',
    build: `javac -cp ${CLASS_PATH} -d out CoursesTest.java`,
    run: `java -cp ${CLASS_PATH} org.junit.platform.console.ConsoleLauncher --select-class CoursesTest`,
    passed: /3 tests successful/,
    // The only errors are of names that the library would have.
    checks:
      '! javac -d out MockademyContainer.java 2>&1 | grep "error:" | grep -v "does not exist" | grep -v "cannot find symbol" | grep .',
  },
  minitest: {
    debian: 'ruby-minitest',
    needs: 'ruby -e "require %q(minitest)"',
    run: 'ruby courses_test.rb',
    passed: /3 runs, \d+ assertions, 0 failures, 0 errors/,
    checks: 'ruby -c testcontainers_mockademy.rb',
  },
  rspec: {
    debian: 'ruby-rspec',
    needs: 'rspec --version',
    run: 'rspec courses_spec.rb',
    passed: /3 examples, 0 failures/,
  },
  phpunit: {
    debian: 'phpunit',
    needs: 'phpunit --version',
    run: 'phpunit CoursesTest.php',
    passed: /OK \(3 tests, 6 assertions\)/,
    checks: 'php -l testcontainers.php',
  },
}

function isThere({ needs }: Language): boolean {
  try {
    execFileSync('sh', ['-c', needs], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.for(Object.entries(languages))('docs/languages.md: %s', ([name, language]) => {
  const isMissing = process.platform === 'win32' || !isThere(language)
  if (isMissing) process.stderr.write(`Skipped: ${name} is not here (apt-get install ${language.debian})\n`)

  test.skipIf(isMissing)('passes with an emulator of its own, and with one that runs', async () => {
    const folder = temporaryFolder()
    const project = join(folder, name)
    await cp(join(ROOT, 'test/languages', name), project, { recursive: true })
    // Nothing listens at port 9, while somebody's app may at 3000, and answer the webhooks.
    const world = (await readFile(join(ROOT, 'fixtures/default.json'), 'utf8')).replaceAll(
      'localhost:3000',
      'localhost:9',
    )
    const fixtures = join(folder, 'world.json')
    await writeFile(fixtures, world)
    // Stands in for `npx` in a project with the package: it ignores SIGINT and forwards SIGTERM.
    await mkdir(join(folder, 'bin'))
    const npx = join(folder, 'bin', 'npx')
    const start = `"${process.execPath}" "${ROOT}/bin/mockademy.js" "$@" & child=$!`
    const signals = `trap '' INT\ntrap 'kill $child' TERM`
    await writeFile(npx, `#!/bin/sh\nshift\n${start}\n${signals}\nwait $child\nwait $child\n`)
    await chmod(npx, 0o755)
    const path = [join(folder, 'bin'), process.env.PATH].join(delimiter)
    const run = async (command: string, more: Record<string, string> = {}) => {
      const own = { PATH: path, MOCKADEMY_FIXTURES: fixtures, JAVA_TOOL_OPTIONS }
      const env = { ...cleanEnvironment(folder), ...own, ...more }
      const { stdout } = await execute('sh', ['-c', command], { cwd: project, env })
      return stdout
    }
    const ofAnother = join(folder, 'another.json')
    await writeFile(ofAnother, world.replaceAll('"notes"', '"todo"'))
    await using emulator = await startEmulator({ fixtures: ofAnother })
    if (language.build) await run(language.build)
    expect(await run(language.run)).toMatch(language.passed)
    const { MOCKADEMY_URL = '', PLATFORM_CLIENT_ID = '' } = emulator.env
    expect(await run(language.run, { MOCKADEMY_URL, PLATFORM_CLIENT_ID })).toMatch(language.passed)
    const statuses = (await emulator.admin.listRequests({ path: '/v0/courses' })).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 401, 503])
    expect(await emulator.admin.listSandboxes()).toEqual([])
    if (language.checks) await run(language.checks)
  })
})
