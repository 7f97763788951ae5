import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { oneProcessTest as test } from '../harness/command-line.js'
import { readReport } from '../harness/read-report.js'

const node = (script: string) => ['--', process.execPath, '-e', script]

/** Two tests between which the world goes back, as suites make it. The second one fails. */
const suite = (goBack: string) => `
  const { MOCKADEMY_URL: url, PLATFORM_API_KEY: key } = process.env
  const post = (path, body) => fetch(url + '/_admin' + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', authorization: 'Bearer the-token' } })
  const get = (path, token) => fetch(url + '/v0' + path, { headers: { authorization: 'Bearer ' + token } })
  const run = async () => {
    await post('/snapshots', { name: 'start' })
    await post('/marks', { name: 'first', kind: 'test' })
    await post('/installations', { app: 'notes', organization: 'acme' })
    const { access_token } = await (await post('/tokens', { app: 'notes', organization: 'acme' })).json()
    await post('/faults', { match: { surface: 'api' }, effect: 'rate_limited', times: 1 })
    await get('/courses', access_token)
    await get('/courses/' + access_token, key)
    await post('/clock/advance', { by: '1h' })
    await post('${goBack}')
    await post('/marks', { name: 'second', kind: 'test' })
    await post('/installations', { app: 'notes', organization: 'acme' })
    const again = await (await post('/tokens', { app: 'notes', organization: 'acme' })).json()
    await post('/faults', { match: { surface: 'api' }, effect: 'unavailable', times: 1 })
    await get('/courses', again.access_token)
    await get('/courses/' + again.access_token, key)
    console.log(access_token)
  }
  run().then(() => process.exit(5))`

const exists = (file: string) => stat(file).then(Boolean, () => false)

describe('exec --report', () => {
  test.for([
    ['resets', '/reset'],
    ['restores', '/snapshots/start/restore'],
  ])(
    'has the whole run, also what %s have ended, with the command that repeats it',
    async ([, goBack = ''], { run, folder }) => {
      const flags = ['--seed', '7', '--admin-token', 'the-token']
      const { status, stderr, stdout } = await run(['exec', ...flags, '--report', 'run.html', ...node(suite(goBack))])
      expect({ status, stderr }).toEqual({
        status: 5,
        stderr: expect.stringMatching(/^Report of the run: .*run\.html$/m),
      })
      const { html, text, data, results } = await readReport(join(folder, 'run.html'))
      expect(data).toMatchObject({ result: 'failed with 5', title: expect.stringContaining('-e') })
      expect(data.command).toMatch(/^mockademy exec --seed 7 --admin-token … --report run\.html -- /)
      const requests: { mark: string; path: string; status: number | null }[] = results['/_admin/requests']
      expect(requests.filter(({ path }) => path.startsWith('/v0')).map(({ mark, status }) => [mark, status])).toEqual([
        ['first', 429],
        ['first', 404],
        ['second', 503],
        ['second', 404],
      ])
      // A seed gives the same ids again.
      type Named = {
        id: string
        surface: string
        fault: string | null
        event: { id: string }
        request: { headers: object }
      }
      const deliveries: Named[] = results['/_admin/deliveries']
      expect(deliveries[0]?.id).toBe(`${deliveries[1]?.id}~1`)
      expect(results['/_admin/deliveries'].map(({ attempts }: { attempts: [] }) => attempts.length)).toEqual([3, 1])
      const entries: Named[] = results['/_admin/requests']
      const sent = entries.filter(({ surface }) => surface === 'webhook').map(({ request }) => request.headers)
      const events = deliveries.map(({ event }) => ({ 'platform-idempotency-key': event.id }))
      expect(sent).toMatchObject([events[0], events[0], events[0], events[1]])
      const faults: Named[] = results['/_admin/faults']
      expect(faults).toMatchObject([
        { id: `${faults[1]?.id}~1`, effect: 'rate_limited', hits: 1, left: 0 },
        { effect: 'unavailable', hits: 1 },
      ])
      expect(entries.flatMap(({ fault }) => fault ?? [])).toEqual(faults.map(({ id }) => id))
      const found = results['/_admin/findings'].find(({ rule }: { rule: string }) => rule === 'token_in_url')
      expect(found).toMatchObject({ app: 'notes', count: 2 })
      expect(found.entries).toHaveLength(2)
      expect(results['/_admin/clock'].moves).toMatchObject([{ kind: 'advance' }])
      const cells = results['/_admin/coverage'].groups.flatMap(({ rows }: { rows: { cells: object[] }[] }) =>
        rows.flatMap((row) => row.cells),
      )
      expect(cells).toContainEqual(expect.objectContaining({ column: 'rate-limited', met: true }))
      for (const secret of [stdout.trim(), 'the-token']) {
        expect(secret).not.toBe('')
        expect(text + html).not.toContain(secret)
      }
    },
  )

  test('has one finding of a rule that an app breaks in several organizations', async ({ run, folder }) => {
    const twice = `
      const { MOCKADEMY_URL: url } = process.env
      const mint = (organization) => fetch(url + '/_admin/tokens', { method: 'POST', body: JSON.stringify({ app: 'notes', organization }), headers: { 'content-type': 'application/json' } })
      const run = async () => {
        await fetch(url + '/_admin/installations', { method: 'POST', body: JSON.stringify({ app: 'notes', organization: 'acme' }), headers: { 'content-type': 'application/json' } })
        for (const organization of ['acme', 'globex']) {
          const { access_token } = await (await mint(organization)).json()
          await fetch(url + '/v0/courses/' + access_token, { headers: { authorization: 'Bearer ' + access_token } })
        }
      }
      run()`
    await run(['exec', '--report', 'run.html', ...node(twice)])
    const { results } = await readReport(join(folder, 'run.html'))
    const found = results['/_admin/findings'].filter(({ rule }: { rule: string }) => rule === 'token_in_url')
    expect(found).toMatchObject([{ app: 'notes', organization: null, count: 2 }])
  })

  test('says that a run passed, and keeps its moment as the present', async ({ run, folder }) => {
    await run(['exec', '--report', 'run.html', ...node('0')])
    const { data, results } = await readReport(join(folder, 'run.html'))
    expect([data.result, results['/_admin/clock'].frozen]).toEqual(['passed', true])
  })

  test('has a delivery that a restore gave back with the attempts of both worlds', async ({ run, folder }) => {
    const pending = `
      const post = (path, body) => fetch(process.env.MOCKADEMY_URL + '/_admin' + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
      const run = async () => {
        await post('/clock/freeze', {})
        await post('/installations', { app: 'notes', organization: 'acme' })
        await post('/snapshots', { name: 'pending' })
        await post('/clock/advance', { by: '1h' })
        await post('/snapshots/pending/restore')
        await post('/clock/advance', { by: '5m' })
      }
      run()`
    await run(['exec', '--seed', '7', '--report', 'run.html', ...node(pending)])
    const { results } = await readReport(join(folder, 'run.html'))
    const [first, second] = results['/_admin/deliveries']
    expect(results['/_admin/deliveries']).toMatchObject([{ id: `${second.id}~1` }, { event: { id: first.event.id } }])
    const sent = results['/_admin/requests'].filter(({ surface }: { surface: string }) => surface === 'webhook')
    // The first attempt is in both.
    expect(sent).toHaveLength(first.attempts.length + second.attempts.length - 1)
  })

  test('of a long run keeps every exchange with less of its bodies, and says so', async ({ run, folder }) => {
    const long = `
      const agent = new http.Agent({ keepAlive: true })
      const url = process.env.MOCKADEMY_URL + '/_inbox/any'
      const send = (start) => new Promise((sent) =>
        http.request(url, { agent, method: 'POST' }, (response) => response.resume().on('end', sent)).end(start + 'a'.repeat(70_000)))
      ;(async () => {
        for (let i = 0; i < 1_600; i += 8) await Promise.all(Array.from({ length: 8 }, (_, more) => send(i + more + ':')))
        process.exit(1)
      })()`
    await run(['exec', '--report', 'run.html', ...node(long)])
    const { data, results } = await readReport(join(folder, 'run.html'))
    expect(data).toMatchObject({ body_limit: 16_384, left_out: 0 })
    const requests: { request: { body: string; length: number } }[] = results['/_admin/requests']
    expect(requests).toHaveLength(1_600)
    // The first ones were shortened when there was too much, the last ones as they came.
    for (const { request } of [...requests.slice(0, 8), ...requests.slice(-8)]) {
      expect(request.body).toMatch(/^\d+:a+$/)
      const [digits = ''] = /^\d+/.exec(request.body) ?? []
      expect([request.body.length, request.length]).toEqual([16_384, digits.length + 1 + 70_000])
    }
  })

  test('of several runs is that of the first one that fails', async ({ run, folder }) => {
    const fails =
      "http.get(process.env.MOCKADEMY_URL + '/_admin', async (r) => process.exit(Number(JSON.parse((await r.toArray()).join('')).settings.liberties) > 1 ? 3 : 0))"
    await run(['exec', '--liberties', '1..3', '--report', 'run.html', ...node(fails)])
    const { data } = await readReport(join(folder, 'run.html'))
    expect(data.command).toMatch(/^mockademy exec --report run\.html --liberties 2 -- /)
  })

  test('--report-on-failure writes none of a run that passes, and one for each world otherwise', async ({
    run,
    folder,
  }) => {
    const passed = await run(['exec', '--report-on-failure', ...node('0')])
    expect(passed).toMatchObject({ status: 0, stderr: '' })
    expect(await exists(join(folder, 'mockademy-report.html'))).toBe(false)
    await run(['exec', '--report-on-failure', '--worlds', '2', ...node('process.exit(1)')])
    for (const name of ['mockademy-report.html', 'mockademy-report.1.html']) {
      expect(await readFile(join(folder, name), 'utf8')).toContain("default-src 'none'")
    }
  })

  test('has a file named after the command, for each world, in a folder that exists', async ({ run, folder }) => {
    await mkdir(join(folder, 'runs.d'))
    for (const reports of ['runs.d', 'runs.d/']) {
      const { status, stderr } = await run(['exec', '--report', reports, '--worlds', '2', ...node('0')])
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: expect.stringMatching(/^Report of the run: .*\/runs\.d\//),
      })
      expect((await readdir(join(folder, 'runs.d'))).sort()).toEqual([
        expect.stringMatching(/-e-0-[0-9a-f]{8}\.1\.html$/),
        expect.stringMatching(/-e-0-[0-9a-f]{8}\.html$/),
      ])
    }
  })

  test('says when the file cannot be written, before the command runs where that is known', async ({ run, folder }) => {
    await writeFile(join(folder, 'file'), '')
    await mkdir(join(folder, 'folder'))
    for (const [flag, what] of [
      ['--report=file/run.html', 'file/run.html'],
      ['--coverage=file/run.json', 'file/run.json'],
      ['--coverage=folder', 'folder'],
    ] as const) {
      expect(await run(['exec', flag, ...node('console.log("ran"); process.exit(4)')])).toEqual({
        ...{ status: 2, signal: null, stdout: '' },
        stderr: expect.stringContaining(`${what} cannot be written`),
      })
    }
    const late = `const fs = require('fs'); fs.rmdirSync('gone'); fs.writeFileSync('gone', ''); process.exit(4)`
    expect(await run(['exec', '--report', 'gone/run.html', ...node(late)])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('gone/run.html cannot be written'),
    })
    expect(await run(['exec', '--coverage=late', ...node(`fs.mkdirSync('late'); process.exit(4)`)])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('late cannot be written'),
    })
    expect(await run(['exec', '--coverage=late2', ...node(`fs.mkdirSync('late2')`)])).toMatchObject({ status: 2 })
  })
})

test('report writes that of a running emulator', async ({ start, run, folder }) => {
  const { url } = await start(['start', '--port', '0', '--store', 'memory', '--admin-token', 'the-token'])
  const env = { MOCKADEMY_URL: url, MOCKADEMY_ADMIN_TOKEN: 'the-token' }
  await fetch(`${url}/v0/courses`)
  const { status, stdout } = await run(['report', 'now.html', '--title', 'by hand'], { env })
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${join(folder, 'now.html')}\n` })
  const { data, text, results } = await readReport(join(folder, 'now.html'))
  expect(data.title).toBe('by hand')
  expect(results['/_admin/requests']).toMatchObject([{ status: 401, path: '/v0/courses' }])
  expect(text).not.toContain('the-token')
  expect(await run(['report', '.', '--title', 'by hand'], { env })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\/by-hand-[0-9a-f]{8}\.html\n$/),
  })
  await run(['report', 'globex.html', '--organization', 'globex'], { env })
  expect((await readReport(join(folder, 'globex.html'))).results['/_admin/requests']).toEqual([])
  expect(await run(['report'], { env: { MOCKADEMY_URL: 'http://127.0.0.1:1' } })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No emulator answers'),
  })
  expect(await run(['report', '/dev/null/run.html'], { env })).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^mockademy: \/dev\/null\/run\.html cannot be written: /),
  })
})
