import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base, ROOT } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'

const entrypoint = join(ROOT, 'docker', 'entrypoint.js')
const health = join(ROOT, 'docker', 'health.js')

interface Server {
  port: string
  /** Resolves with the next request's path. */
  asked: Promise<string>
  answer: (status: number) => void
}

const test = base.extend<{
  /** Runs the health check of a container whose first process was started as `mockademy <args>`. */
  check: (args: string[], env?: Record<string, string>) => Promise<{ status: number | null; stdout: string }>
  /** A server that is no emulator. */
  server: Server
}>({
  check: async ({ run, folder }, use) => {
    await use(async (args, env) => {
      const cmdline = join(folder, 'cmdline')
      await writeFile(cmdline, ['node', '/app/docker/entrypoint.js', '/fixtures', ...args, ''].join('\0'))
      return run([cmdline], { script: health, env })
    })
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
  server: async ({}, use) => {
    let status = 200
    const server = createServer((_, response) => void response.writeHead(status).end())
    const { port } = await serve(server)
    await use({
      port: String(port),
      asked: once(server, 'request').then(([request]) => request.url),
      answer: (next) => {
        status = next
      },
    })
  },
})

const portOf = (url: string) => new URL(url).port
const world = (slug: string) => JSON.stringify({ organizations: [{ slug, name: slug }] })

describe('the health check', () => {
  test('follows the port that a variable names', async ({ start, check }) => {
    const { url } = await start(['--port', '0', '--store', 'memory'])
    const { status, stdout } = await check(['start'], { MOCKADEMY_PORT: portOf(url) })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${url}/healthz: status 200\n` })
  })

  test('follows the flags, which go before the variables', async ({ start, check }) => {
    const { url } = await start(['--port', '0', '--store', 'memory'])
    const wrong = { MOCKADEMY_PORT: '9', MOCKADEMY_HTTPS: 'true', MOCKADEMY_HOST: '192.0.2.1' }
    const flags = ['--no-https', '--host', '0.0.0.0']
    expect(await check(['start', '--port', portOf(url), '--https', 'false', '--host', '::'], wrong)).toMatchObject({
      status: 0,
    })
    expect(await check(['start', '--port', portOf(url), ...flags], wrong)).toMatchObject({ status: 0 })
    expect(await check(['start', `--port=${portOf(url)}`, ...flags], wrong)).toMatchObject({ status: 0 })
    const unused = { MOCKADEMY_PORT: '9' }
    expect(await check(['start', '--', '--port', portOf(url), ...flags], unused)).toMatchObject({ status: 1 })
  })

  test('follows https, by variable or flag, whoever signed its certificate', async ({ start, check }) => {
    const { url } = await start(['--port', '0', '--https', '--store', 'memory'])
    const MOCKADEMY_PORT = portOf(url)
    for (const yes of ['true', '1', 'yes']) {
      expect(await check(['start'], { MOCKADEMY_PORT, MOCKADEMY_HTTPS: yes })).toMatchObject({ status: 0 })
    }
    expect(await check(['start', '--https'], { MOCKADEMY_PORT })).toMatchObject({ status: 0 })
    expect(await check(['start'], { MOCKADEMY_PORT, MOCKADEMY_HTTPS: '' })).toMatchObject({ status: 1 })
  })

  test('says so where nothing serves, or something else than a healthy emulator', async ({ check, server }) => {
    expect(await check(['start'], { MOCKADEMY_PORT: '1' })).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/healthz: connect ECONNREFUSED/),
      stderr: '',
    })
    server.answer(503)
    const { status, stdout } = await check(['start'], { MOCKADEMY_PORT: server.port })
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('status 503') })
    expect(await server.asked).toBe('/healthz')
  })
})

describe('the entry point', () => {
  const slugs = async (url: string) =>
    (await send(`${url}/_admin/organizations`)).body.data.map(({ slug }: { slug: string }) => slug)

  test('begins with the JSON files of its folder, in the order of their names', async ({ start, folder }) => {
    const fixtures = join(folder, 'fixtures')
    await mkdir(fixtures)
    for (const name of ['b', 'a', 'c']) await writeFile(join(fixtures, `${name}.json`), world(name))
    await writeFile(join(fixtures, 'README.md'), 'none of the world')
    await writeFile(join(fixtures, '.draft.json'), 'none of the world')
    const { url } = await start([fixtures, 'start', '--port', '0'], { script: entrypoint })
    expect(await slugs(url)).toEqual(['a', 'b', 'c'])
  })

  test('leaves it to MOCKADEMY_FIXTURES, and both to --fixtures', async ({ start, folder }) => {
    for (const name of ['image', 'variable', 'flag']) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'world.json'), world(name))
    }
    const args = [join(folder, 'image'), 'start', '--port', '0', '--store', 'memory']
    const env = { MOCKADEMY_FIXTURES: 'variable/world.json' }
    const byVariable = await start(args, { script: entrypoint, env })
    expect(await slugs(byVariable.url)).toEqual(['variable'])
    const byFlag = await start([...args, '--fixtures', 'flag/world.json'], { script: entrypoint, env })
    expect(await slugs(byFlag.url)).toEqual(['flag'])
  })

  test('begins with the default world where there is no such folder, and says when it cannot be read', async ({
    start,
    run,
    folder,
  }) => {
    const { url } = await start([join(folder, 'none'), 'start', '--port', '0'], { script: entrypoint })
    expect(await slugs(url)).toEqual(['acme', 'globex', 'initech'])
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await run([file, 'start'], { script: entrypoint })).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr: `mockademy: the folder ${file} cannot be read: ENOTDIR\n`,
    })
  })

  test('ends with status 0 on SIGTERM once it serves', async ({ start, folder }) => {
    const { stop } = await start([join(folder, 'none'), 'start', '--port', '0'], { script: entrypoint })
    expect(await stop('SIGTERM')).toMatchObject({ status: 0, signal: null, stderr: '' })
  })

  /** Process 1 gets no signal that it does not listen for: it must end by itself, not by the signal. */
  test('listens for signals although the command does not', async ({ launch, server, folder }) => {
    server.answer(503)
    const args = ['wait', '--timeout', '60s', '--url', `http://127.0.0.1:${server.port}`]
    const { child, ended } = launch([join(folder, 'none'), ...args], { script: entrypoint })
    await server.asked
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 143, signal: null })
  })
})
