import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { test } from '../harness/temporary-folder.js'

/** Prints which files of the package have been loaded when the emulator says that it serves. */
const preload = `
const { write } = process.stdout
process.stdout.write = function (text, ...rest) {
  if (String(text).includes('is ready')) {
    const files = Object.keys(require.cache).filter((file) => file.includes('dist'))
    write.call(process.stderr, JSON.stringify(files) + '\\n')
  }
  return write.call(process.stdout, text, ...rest)
}`

/** The files that \`mockademy start\` has loaded by then. */
async function loadedBy(folder: string, ...args: string[]): Promise<string[]> {
  const script = join(folder, 'preload.cjs')
  await writeFile(script, preload)
  const child = spawn(
    process.execPath,
    ['--require', script, join(ROOT, 'bin', 'mockademy.js'), 'start', '--port', '0', ...args],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string]
  child.kill('SIGTERM')
  await ended
  return JSON.parse(line)
}

/** Text that only these have. */
const marks = { zod: 'ZodObject', yargs: 'showHelpOnFail', jose: 'CompactSign', express: 'x-powered-by' }

const librariesIn = (files: string[]) => {
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return Object.entries(marks).flatMap(([name, mark]) => (texts.some((text) => text.includes(mark)) ? [name] : []))
}

test('design "Speed": a start loads neither schemas nor what reads a command line, fresh or not', async ({
  folder,
}) => {
  const fresh = await loadedBy(folder, '--store', 'store.json')
  expect(fresh.map((file) => basename(file))).toContain('main.cjs')
  expect(librariesIn(fresh)).toEqual(['express'])
  const resumed = await loadedBy(folder, '--store', 'store.json')
  expect(librariesIn(resumed)).toEqual(['express'])
  // The same look finds them where they are.
  expect(
    librariesIn(await loadedBy(folder, '--store', 'memory', '--fixtures', join(ROOT, 'fixtures/minimal.json'))),
  ).toEqual(['zod', 'express'])
})

test('a command that only talks to an emulator loads nothing of one', async ({ folder }) => {
  const script = join(folder, 'at-exit.cjs')
  await writeFile(script, "process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))))")
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', script, join(ROOT, 'bin', 'mockademy.js'), 'clock', '--url', 'http://127.0.0.1:1'],
    { cwd: folder, env: cleanEnvironment(folder), encoding: 'utf8' },
  )
  expect(stderr).toContain('No emulator answers at http://127.0.0.1:1')
  const files: string[] = JSON.parse(stdout)
  expect(librariesIn(files.filter((file) => file.startsWith(join(ROOT, 'dist'))))).toEqual(['yargs'])
})

/** Programs that use the library wrongly, and what Node says. */
const mistakes = {
  'an option that does not exist': [
    'startEmulator({ page_size: 3 })',
    'InvalidOptionsError: Invalid options: page_size is not a known option; its name is "pageSize"',
  ],
  'a fixture that is invalid': ['startEmulator({ fixtures: { users: 1 } })', 'InvalidFixturesError: '],
  'a port in use': [
    "startEmulator().then(({ url }) => startEmulator({ port: Number(url.split(':')[2]) }))",
    'StartError: Port \\d+ is in use',
  ],
  'a host of others': [
    "startEmulator({ host: '192.0.2.1' })",
    'StartError: 192.0.2.1 is not an address of this machine',
  ],
  'a store that is a folder': ['startEmulator({ store: process.cwd() })', 'StartError: '],
  'a call that is refused': ["startEmulator().then(({ admin }) => admin.getOrganization('none'))", 'AdminError: '],
  'no emulator': ["connect('http://127.0.0.1:1').health()", 'UnreachableError: '],
  'an audit of no app': ["startEmulator().then(({ url }) => audit({ url, file: { app: 'none' } }))", 'AuditFailure: '],
  'an audit without an emulator': ["audit({ url: 'http://127.0.0.1:1', file: { app: 'notes' } })", 'AuditFailure: '],
}

test.for(Object.entries(mistakes))(
  '%s, which nothing catches, is shown in a few lines that name the caller',
  ([, [call, message]]) => {
    const library = JSON.stringify(join(ROOT, 'dist', 'index.cjs'))
    const program = `const { audit, connect, startEmulator } = require(${library}); (async function caller() { await ${call} })()`
    const { stderr } = spawnSync(process.execPath, ['-e', program], {
      env: cleanEnvironment(tmpdir()),
      encoding: 'utf8',
    })
    expect(stderr).toMatch(new RegExp(`^${message}`, 'm'))
    expect(stderr).toMatch(/^ +at (async )?caller \(\[eval\]/m)
    expect(stderr.length).toBeLessThan(3000)
  },
)
