import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect } from 'vitest'
import { oneProcessTest as base, type Running, said } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const test = base.extend<{ emulator: Running }>({
  emulator: async ({ start }, use) => {
    await use(await start(['--port', '0', '--store', 'memory', '--now', '2026-01-01T00:00:00Z']))
  },
})

describe('--follow', () => {
  test('requests: a line each, of those that are asked for, until interrupted', async ({ emulator, launch }) => {
    const env = { MOCKADEMY_URL: emulator.url }
    const { child, ended } = launch(['requests', '--follow', '--path', '/v0/c*', '--status', '401'], { env })
    const printed = said(child, 'stdout', /courses.*\n/)
    await said(child, 'stderr', /Following/)
    await send(`${emulator.url}/v0/modules`)
    await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })
    await send(`${emulator.url}/v0/courses`)
    await printed
    child.kill('SIGINT')
    const { status, stdout } = await ended
    expect(status).toBe(0)
    expect(stdout).toMatch(/^00:00:00 <- GET {4}\/v0\/courses 401 \d+ ms \S.*\n$/)
  })

  test('requests: with the liberties that each one met, as the list has them', async ({ emulator, launch, run }) => {
    const env = { MOCKADEMY_URL: emulator.url }
    await run(['liberties', 'set', '7', '--kinds', 'key-order,timestamps'], { env })
    const { child, ended } = launch(['requests', '--follow', '--path', '/v0/*'], { env })
    const printed = said(child, 'stdout', /courses.*\n/)
    await said(child, 'stderr', /Following/)
    await send(`${emulator.url}/v0/courses`, { as: 'key_acme' })
    await printed
    child.kill('SIGINT')
    expect((await ended).stdout).toMatch(/courses 200 \d+ ms acme; liberties timestamps key-order\n/)
    const list = (await run(['requests', '--surface', 'api'], { env })).stdout
    expect(list).toMatch(/^id .* fault +liberties +reason\n.* timestamps key-order +-\n$/)
    const { stdout } = await run(['requests', 'show', /^(\d+)/m.exec(list)?.[1] ?? ''], { env })
    expect(JSON.parse(stdout).liberties).toEqual(['timestamps', 'key-order'])
  })

  test('requests: filters mean what they mean in the list', async ({ emulator, launch, run }) => {
    const env = { MOCKADEMY_URL: emulator.url }
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const filters = ['--app', 'app_notes', '--method', 'get', '--trace', trace]
    const { child, ended } = launch(['requests', '--follow', ...filters], { env })
    const printed = said(child, 'stdout', /courses.*\n/)
    await said(child, 'stderr', /Following/)
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
    const installed = { app: 'notes', organization: 'acme' }
    await send(`${emulator.url}/_admin/installations`, { body: installed })
    const { body } = await send(`${emulator.url}/_admin/tokens`, { body: installed })
    const as = body.access_token
    await send(`${emulator.url}/v0/elements`, { as })
    await send(`${emulator.url}/v0/modules`, { as: 'key_acme', headers })
    await send(`${emulator.url}/v0/courses`, { as, headers })
    await printed
    child.kill('SIGINT')
    expect((await ended).stdout).toMatch(/^00:00:00 <- GET {4}\/v0\/courses \d+ .*\n$/)
    expect(await run(['requests', '--count', ...filters], { env })).toMatchObject({ stdout: 'count  1\n' })
  })

  test('rejects filters that the list rejects, and flags about what is listed already', async ({ emulator, run }) => {
    const env = { MOCKADEMY_URL: emulator.url }
    for (const [command, ...filter] of [
      ['requests', '--app', 'nots'],
      ['requests', '--surface', 'appi'],
      ['deliveries list', '--organization', 'acne'],
    ] as const) {
      const words = [...command.split(' '), ...filter]
      const { status, stderr } = await run(words, { env })
      expect(stderr).not.toBe('')
      expect(await run([...words, '--follow'], { env })).toMatchObject({ status, stdout: '', stderr })
    }
    const flags = ['since', 'limit', 'mark'].map((flag) => ['requests', flag])
    for (const [command = '', flag = ''] of [...flags, ['deliveries list', 'mark']]) {
      const stderr = expect.stringMatching(`follow.*${flag}`)
      const words = [...command.split(' '), '--follow', `--${flag}`, '1']
      expect(await run(words, { env })).toMatchObject({ status: 2, stdout: '', stderr })
    }
  })

  test('deliveries list: each time that one changes', async ({ emulator, launch }) => {
    const { child, ended } = launch(['deliveries', 'list', '--follow', '--json', '--url', emulator.url])
    const printed = said(child, 'stdout', /"state":"(retrying|acknowledged|failed)"/)
    await said(child, 'stderr', /Following/)
    await send(`${emulator.url}/_admin/installations`, { body: { app: 'notes', organization: 'acme' } })
    await printed
    child.kill('SIGINT')
    const { stdout } = await ended
    const states = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).state)
    expect([states[0], states.length > 1]).toEqual(['pending', true])
  })

  test('ends when its reader has had enough', async ({ emulator, launch }) => {
    const { child, ended } = launch(['requests', '--follow', '--url', emulator.url])
    const printed = said(child, 'stdout', /courses.*\n/)
    await said(child, 'stderr', /Following/)
    await send(`${emulator.url}/v0/courses`)
    await printed
    child.stdout?.destroy()
    await send(`${emulator.url}/v0/courses`)
    expect((await ended).status).toBe(0)
  })

  test('says when the emulator has stopped', async ({ emulator, launch }) => {
    const { child, ended } = launch(['requests', '--follow', '--url', emulator.url])
    await said(child, 'stderr', /Following/)
    await emulator.stop()
    expect(await ended).toMatchObject({ status: 1, stderr: expect.stringContaining('has stopped') })
  })
})

describe('the console from the command line', () => {
  /** A folder with an opener of addresses that writes down what it was given. */
  const withOpener = async (folder: string) => {
    const opener = join(folder, 'xdg-open')
    await writeFile(
      opener,
      `#!/bin/sh\nprintf %s "$1" > ${join(folder, 'opened.part')}\nmv ${join(folder, 'opened.part')} ${join(folder, 'opened')}\n`,
    )
    await chmod(opener, 0o755)
    return { PATH: `${folder}${delimiter}${process.env.PATH}` }
  }

  test.skipIf(process.platform !== 'linux')(
    'open and start --open open it',
    async ({ emulator, folder, run, start }) => {
      const env = await withOpener(folder)
      const opened = () => readFile(join(folder, 'opened'), 'utf8').catch(() => '')
      expect(await run(['open', '--url', emulator.url], { env })).toMatchObject({
        status: 0,
        stdout: `${emulator.url}/_console\n`,
      })
      await expect.poll(opened).toBe(`${emulator.url}/_console`)
      const { stdout } = await run(['open', '--json', '--url', emulator.url], { env })
      expect(JSON.parse(stdout)).toEqual({ console_url: `${emulator.url}/_console` })
      const other = await start(['--port', '0', '--store', 'memory', '--open'], { env })
      await expect.poll(opened).toBe(`${other.url}/_console`)
      expect(other.stdout()).toContain(`Console         ${other.url}/_console`)
    },
  )

  test('open says when there is no emulator, and when there is nothing to open with', async ({
    emulator,
    folder,
    run,
    launch,
  }) => {
    expect(await run(['open', '--url', 'http://127.0.0.1:1'])).toMatchObject({ status: 1 })
    const env = { PATH: folder }
    const message = (url: string) => `mockademy: no browser could be started; open ${url}/_console yourself\n`
    const { status, stderr } = await run(['open', '--url', emulator.url], { env })
    expect([status, stderr]).toEqual([1, message(emulator.url)])
    const ready = /ready at (\S+) /
    const { child } = launch(['start', '--port', '0', '--store', 'memory', '--open'], { env })
    const [shown, failure] = await Promise.all([said(child, 'stdout', ready), said(child, 'stderr', /\n/)])
    expect(failure).toBe(message(ready.exec(shown)?.[1] as string))
  })

  test('exec --console keeps the emulator after a failing run', async ({ launch }) => {
    const { child, ended } = launch(['exec', '--console', '--', 'sh', '-c', 'exit 3'])
    const text = await said(child, 'stderr', /_console.*\n/)
    const url = /(http:\S+)\/_console/.exec(text)?.[1] as string
    expect((await send(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGINT')
    expect((await ended).status).toBe(3)
  })

  test('exec --console names no entry of a finding that a reset has removed', async ({ launch }) => {
    const script = `(async () => {
      const url = process.env.MOCKADEMY_URL
      await fetch(url + '/v0/courses?key=key_acme')
      await fetch(url + '/_admin/reset', { method: 'POST' })
    })()`
    const { child, ended } = launch(['exec', '--strict', '--console', '--', process.execPath, '-e', script])
    const text = await said(child, 'stderr', /_console.*\n/)
    expect(text).toContain('ERROR token_in_url')
    expect(text).not.toContain('requests show')
    child.kill('SIGINT')
    expect((await ended).status).toBe(1)
  })

  test('exec --console ends by itself after a run that went well', async ({ run }) => {
    expect(await run(['exec', '--console', '--', 'true'])).toMatchObject({ status: 0, stderr: '' })
  })
})
