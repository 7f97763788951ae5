import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Ended, oneProcessTest as test } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { freePort } from '../harness/free-port.js'
import { serve } from '../harness/serve.js'

/** One clear message, and no trace of where in the program it came from. */
function expectRefusal({ status, stdout, stderr }: Ended, expected: number, ...parts: (string | RegExp)[]) {
  expect.soft(status).toBe(expected)
  expect.soft(stdout).toBe('')
  for (const part of parts) expect(stderr).toMatch(part)
  expect(stderr).not.toMatch(/\n\s+at |node:internal|Error:/)
}

const world = (more: object = {}) =>
  JSON.stringify({ organizations: [{ slug: 'solo', name: 'Solo', api_key: 'key_solo' }], ...more })

const courses = (url: string, key: string) => send(`${url}/v0/courses`, { as: key })

describe('the banner', () => {
  test('shows the URLs, the store, the organizations with their keys and the apps with their secrets', async ({
    start,
    folder,
  }) => {
    const { url, stdout } = await start(['--port', '0'])
    const text = stdout()
    expect(text).toContain(`${url}/v0`)
    expect(text).toContain(`${url}/_admin`)
    expect(text).toContain(join(folder, '.mockademy', 'store.json'))
    for (const organization of ['acme', 'globex', 'initech']) {
      expect(text).toMatch(new RegExp(`^${organization} .* key_${organization}$`, 'm'))
    }
    expect(text).toMatch(/^notes .* app_notes +notes_secret +notes_signing$/m)
    expect(text).toMatch(/^insights .* app_insights +insights_secret +insights_signing$/m)
    expect(text.trim().split('\n').length).toBeLessThan(20)
  })

  test('ends with a line that says it is ready, when it is', async ({ start }) => {
    const { url, stdout } = await start(['--port', '0'])
    expect(stdout().trim().split('\n').at(-1)).toContain('ready')
    expect((await send(`${url}/healthz`)).body).toEqual({ status: 'ok' })
  })

  test('has one curl line that works when it is pasted', async ({ start }) => {
    const { stdout } = await start(['--port', '0'])
    const line = /curl .*$/m.exec(stdout())?.[0] as string
    const answer = JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8', stdio: 'pipe' }))
    expect(answer.error).toBeNull()
    expect(answer.payload.data.length).toBeGreaterThan(0)
  })

  test('says where the clock stands when that is not now, and when clients will refuse id_tokens for it', async ({
    start,
  }) => {
    const past = await start(['--port', '0', '--store', 'memory', '--now', '2001-02-03T04:05:06Z'])
    expect(past.stdout()).toMatch(
      /^Clock +stopped at 2001-02-03T04:05:06\.000Z: clients refuse id_tokens, as by the machine's clock their exp is \d+ days in the past$/m,
    )
    const future = await start(['--port', '0', '--store', 'memory', '--now', '2901-02-03T04:05:06Z'])
    expect(future.stdout()).toMatch(
      /^Clock +stopped at 2901-02-03T04:05:06\.000Z: clients refuse id_tokens, as by the machine's clock their iat is \d+ days ahead$/m,
    )
    const now = await start(['--port', '0', '--store', 'memory', '--seed', 'today'])
    expect(now.stdout()).toMatch(/^Clock +stopped at \S+$/m)
    const running = await start(['--port', '0', '--store', 'memory'])
    expect(running.stdout()).not.toMatch(/^(Clock|In force)/m)
  })

  test('names faults and forced sign-ins that a store brings back', async ({ start, run }) => {
    const first = await start(['--port', '0'])
    const env = { MOCKADEMY_URL: first.url }
    for (const line of ['faults add unavailable', 'silent-auth login_required', 'sign-in ada --ambient']) {
      expect(await run(line.split(' '), { env })).toMatchObject({ status: 0 })
    }
    await first.stop()
    expect((await start(['--port', '0'])).stdout()).toContain(
      "\nIn force        1 injected fault (mockademy faults list), 1 forced silent sign-in (mockademy silent-auth), requests without a cookie are ada's (mockademy sessions list)\n",
    )
  })

  test('shows no secret that was made at run time', async ({ start, folder }) => {
    const file = join(folder, 'world.json')
    const manifest = { id: 'signin', name: 'Sign-in', version: '1.0.0', permissions: [] }
    await writeFile(file, JSON.stringify({ organizations: [{ slug: 'solo' }], apps: [{ manifest }] }))
    const { url, stdout } = await start(['--port', '0', '--fixtures', file])
    const state = await send(`${url}/_admin/state`)
    const [app] = state.body.apps
    expect(app.client_secret).toBeTruthy()
    expect(state.body.organizations[0].api_key).toBeTruthy()
    for (const secret of [state.body.organizations[0].api_key, app.client_secret, app.signing_secret]) {
      expect(stdout()).not.toContain(secret)
    }
    expect(stdout()).toContain(app.client_id)
  })

  test('of a resumed world still shows what its fixtures gave, and not an API key made since', async ({
    start,
    folder,
  }) => {
    const file = join(folder, 'world.json')
    const organizations = ['one', 'two'].map((slug) => ({ slug, name: slug, api_key: `key_of_${slug}` }))
    await writeFile(file, JSON.stringify({ organizations }))
    const first = await start(['--port', '0', '--fixtures', file])
    const answer = await send(`${first.url}/_admin/organizations/two/api-key`, { method: 'POST' })
    expect(answer.body.api_key).toBeTruthy()
    await first.stop()

    const { stdout } = await start(['--port', '0'])
    expect(stdout()).toContain('resumed')
    expect(stdout()).toContain('key_of_one')
    expect(stdout()).not.toContain('key_of_two')
    expect(stdout()).not.toContain(answer.body.api_key)
  })
})

describe('settings', () => {
  test('come from flags before the environment before fixtures', async ({ start, folder }) => {
    const file = join(folder, 'world.json')
    await writeFile(file, world({ settings: { page_size: 2, journal_size: 3, retention: 4, port: 0 } }))
    const args = ['--store', 'memory', '--fixtures', file, '--page-size', '20']
    const { url } = await start(args, {
      env: { MOCKADEMY_PAGE_SIZE: '10', MOCKADEMY_JOURNAL_SIZE: '30', MOCKADEMY_RETENTION: '' },
    })
    const { body } = await send(`${url}/_admin`)
    expect(body.settings).toMatchObject({ page_size: 20, journal_size: 30, retention: 4 })
  })

  test('are read as lists, maps, durations and booleans', async ({ start }) => {
    const args = ['--port=0', '--store=memory', '--trust-hosts', 'a.test,b.test', '--trust-hosts', 'c.test']
    args.push(
      '--element-type-names',
      'MEETING_PROVIDER_A=ZOOM,TAG=LABEL',
      '--retry-schedule',
      '5s,1m,100',
      '--ack-window=50',
    )
    args.push('--journal-admin', '--allow-public-webhooks=yes', '--header-prefix=Acme')
    const { url } = await start(args)
    const { body } = await send(`${url}/_admin`)
    expect(body.settings).toMatchObject({
      trust_hosts: ['a.test', 'b.test', 'c.test'],
      element_type_names: { MEETING_PROVIDER_A: 'ZOOM', TAG: 'LABEL' },
      retry_schedule: [5000, 60_000, 100],
      ack_window: 50,
      journal_admin: true,
      allow_public_webhooks: true,
      header_prefix: 'Acme',
    })
  })

  test('a wrong value ends it with status 2, naming the flag or the variable', async ({ run }) => {
    expectRefusal(
      await run(['--port', 'abc', '--page-size', '0']),
      2,
      /--port "abc": must be a number/,
      /--page-size "0"/,
    )
    expectRefusal(await run(['--https=banana']), 2, /--https "banana": must be true or false\n$/)
    expectRefusal(await run(['--https=']), 2, /--https "": must be true or false\n$/)
    expectRefusal(await run(['--fresh=maybe']), 2, /^mockademy: --fresh "maybe": must be true or false\n$/)
    expectRefusal(await run(['--now', 'today']), 2, /^mockademy: --now "today": must be an ISO 8601 [^\n]*\n$/)
    for (const value of ['soon', '1.5']) {
      expectRefusal(await run(['--access-token-ttl', value]), 2, `--access-token-ttl "${value}": must be a duration`)
    }
    expectRefusal(
      await run(['--element-type-names', 'TAG:LABEL']),
      2,
      /^mockademy: --element-type-names "TAG:LABEL": must be pairs NAME=OTHER, separated by commas, with each NAME once\n$/,
    )
    expectRefusal(await run(['--element-type-names', 'TAG=A,TAG=B']), 2, /"TAG=A,TAG=B": must be pairs/)
    expectRefusal(await run(['--page-size', '1.5']), 2, /--page-size "1\.5": must be an integer, not 1\.5\n$/)
    expectRefusal(await run(['--admin-token', 'a b']), 2, /^mockademy: --admin-token: must be ASCII without spaces\n$/)
    expectRefusal(
      await run(['--port', '65535', '--worlds', '2']),
      2,
      /^mockademy: 2 worlds starting at port 65535 need ports up to 65536; the maximum is 65535: lower --port or --worlds\n$/,
    )
    const env = { MOCKADEMY_RATE_LIMIT: 'many' }
    expectRefusal(await run([], { env }), 2, /MOCKADEMY_RATE_LIMIT "many": must be a number/)
  })

  test.for([
    ['start --port 5 --port 6', '--port', ', as "5" and "6"'],
    ['status --url http://a --json --url=http://b', '--url', ', as "http://a" and "http://b"'],
    ['tokens list --app notes --app insights', '--app', ', as "notes" and "insights"'],
    ['clock advance 1s --organization acme --organization globex', '--organization', ', as "acme" and "globex"'],
    ['init --runner jest --runner mocha', '--runner', ', as "jest" and "mocha"'],
    ['start --https --no-https', '--https', ''],
    ['start --admin-token one --admin-token two', '--admin-token', ''],
    ['exec --coverage --repeat 2 --repeat 3 -- true', '--repeat', ', as "2" and "3"'],
    ['faults add unavailable --times 1 --times 2', '--times', ', as "1" and "2"'],
  ] as const)('%s is refused, since the flag takes one value', async ([words, flag, values], { run }) => {
    expect(await run(words.split(' '))).toMatchObject({
      status: 2,
      stderr: `mockademy: ${flag} is given twice${values}: leave one of them out\n`,
    })
  })

  test('a variable that nothing reads gets one warning, with the nearest one', async ({ run }) => {
    const env = { MOCKADEMY_PAGESIZE: '3', MOCKADEMY_BUILD_NUMBER: '7', MOCKADEMY_EMPTY: '', MOCKADEMY_URL: 'http://x' }
    expect((await run(['exec', '--', process.execPath, '--version'], { env })).stderr).toBe(
      'mockademy: warning: unknown environment variables: ' +
        'MOCKADEMY_PAGESIZE (did you mean "MOCKADEMY_PAGE_SIZE"?), MOCKADEMY_BUILD_NUMBER\n',
    )
  })

  test('an unknown flag or command ends it with status 2 and a suggestion', async ({ run }) => {
    expectRefusal(await run(['start', '--page-sise', '3']), 2, /unknown flag --page-sise; did you mean "--page-size"\?/)
    expectRefusal(await run(['strt']), 2, /unknown command "strt"; did you mean "start"\?/)
    expectRefusal(await run(['--fixtures']), 2, /fixtures/)
  })
})

describe('mockademy.json', () => {
  test('beside package.json gives settings and fixtures, which flags override', async ({ start, run, folder }) => {
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'world.json'), world())
    const settings = { port: 0, store: 'memory', page_size: 3, rate_limit: 9 }
    await writeFile(join(folder, 'mockademy.json'), JSON.stringify({ settings, fixtures: 'world.json', audit: {} }))
    await mkdir(join(folder, 'src'))
    const { url } = await start(['--page-size', '4'], { cwd: join(folder, 'src') })
    expect((await courses(url, 'key_solo')).status).toBe(200)
    const { body } = await send(`${url}/_admin`)
    expect(body.settings).toMatchObject({ page_size: 4, rate_limit: 9 })

    await writeFile(join(folder, 'other.json'), JSON.stringify({ setings: {} }))
    expectRefusal(
      await run(['--config', 'other.json']),
      2,
      /other\.json: setings is not a known field; did you mean "settings"\?/,
    )
  })
})

describe('the log', () => {
  test('is a line for each request and webhook, with the reason of a refusal', async ({ start, run }) => {
    const { url, stdout } = await start(['--port', '0', '--store', 'memory', '--log'])
    await courses(url, 'key_nobody')
    // Without it the webhook would reach whatever listens at the port of the default world's app.
    await run(['faults', 'add', 'unreachable', '--surface', 'webhook', '--url', url])
    await run(['install', 'notes', 'acme', '--url', url])
    await expect.poll(stdout).toMatch(/^\d\d:\d\d:\d\d <- GET +\/v0\/courses 401 \d+ ms .+/m)
    await expect.poll(stdout).toMatch(/^\d\d:\d\d:\d\d -> POST +\S+ --- \d+ ms .*notes in acme/m)
  })
})

describe('requests that Node cannot read, which the journal has not', () => {
  /** Sends bytes, and resolves with the status line of the answer when the connection closes. */
  const answerTo = (url: string, bytes: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(bytes, 'latin1'))
      let text = ''
      socket.on('error', reject).on('close', () => resolve(text.split('\r\n')[0]))
      socket.on('data', (chunk) => {
        text += chunk
      })
    })

  test('each is a line on standard error, unless it just ends, and Node answers it as ever', async ({ start }) => {
    const { url, stop } = await start(['--port', '0', '--store', 'memory'])
    const tooLong = `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await answerTo(url, tooLong)).toBe('HTTP/1.1 431 Request Header Fields Too Large')
    expect(await answerTo(url, '\x16\x03\x01\x00\x05hello')).toBe('HTTP/1.1 400 Bad Request')
    expect(await answerTo(url, 'GET / HTTP/1.1\r\nno colon\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
    expect(await answerTo(url, 'GET / HTTP/1.1\r\nHo')).toBe('HTTP/1.1 400 Bad Request')
    expect((await stop()).stderr.split('\n')).toEqual([
      expect.stringMatching(/^mockademy: a request could not be read: its URL or headers are over 16 KB\. .*cookies/),
      'mockademy: a request could not be read: it is https, and this port serves http: use http://, or start with --https',
      'mockademy: a request could not be read: Parse Error: Invalid header token',
      '',
    ])
  })

  test('http to a port of https is one too', async ({ start }) => {
    const { url, stop } = await start(['--port', '0', '--store', 'memory', '--https'])
    await answerTo(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await stop()).stderr).toContain('it is http, and this port serves https: use https://\n')
  })
})

describe('what keeps it from starting', () => {
  test('a port that is taken: status 1, saying the port is in use', async ({ run }) => {
    const { port } = await serve(() => {})
    expectRefusal(await run(['--port', String(port), '--store', 'memory']), 1, new RegExp(`${port}.* in use`))
  })

  test('a store that is in use: status 2, naming the pid and the address of its owner', async ({ start, run }) => {
    const { pid, url, stop } = await start(['--port', '0'])
    expectRefusal(await run(['--port', '0']), 2, /in use/, `process ${pid}, listening at ${url}. Stop it`)
    await stop()
    expect((await start(['--port', '0'])).url).toMatch(/^http/)
  })

  test('a store that cannot be read: status 2, naming file and line, and nothing is overwritten', async ({
    run,
    folder,
  }) => {
    const file = join(folder, 'store.json')
    await writeFile(file, '{\n "mockademy": 1,\n oops')
    expectRefusal(await run(['--port', '0', '--store', file]), 2, /store\.json, line 3/)
    expect(await readFile(file, 'utf8')).toBe('{\n "mockademy": 1,\n oops')
  })

  test('bad fixtures: status 2 and a list of every fault with file and path', async ({ run, folder }) => {
    await writeFile(
      join(folder, 'a.json'),
      JSON.stringify({ usrs: [], organizations: [{ slug: 'solo', members: [{ user: 'nobody@x.test' }] }] }),
    )
    await writeFile(join(folder, 'b.json'), JSON.stringify({ users: [{ email: 'not an address' }] }))
    const ended = await run(['--port', '0', '--fixtures', 'a.json', '--fixtures', 'b.json'])
    expectRefusal(
      ended,
      2,
      /a\.json: usrs: /,
      /a\.json: organizations\.0\.members\.0\.user: /,
      /b\.json: users\.0\.email: /,
    )
    expect(existsSync(join(folder, '.mockademy', 'store.json'))).toBe(false)
  })

  test('a fixture file that is missing, or not JSON: status 2, naming it', async ({ run, folder }) => {
    await writeFile(join(folder, 'broken.json'), '{ "users": [ }')
    const ended = await run(['--port', '0', '--fixtures', 'missing.json', '--fixtures', 'broken.json'])
    expectRefusal(ended, 2, /missing\.json/, /broken\.json: line 1, column 14: is not valid JSON/)
  })
})

describe('the store', () => {
  test('is resumed by the next start, which says so', async ({ start }) => {
    const first = await start(['--port', '0'])
    expect(first.stdout()).toContain('(seeded)')
    await send(`${first.url}/_admin/organizations`, { body: { slug: 'hooli', name: 'Hooli' } })
    await first.stop()
    const second = await start(['--port', '0'])
    expect(second.stdout()).toContain('(resumed)')
    expect((await send(`${second.url}/_admin/organizations/hooli`)).body.name).toBe('Hooli')
  })

  test('other fixtures than those it was seeded from: status 2, naming --fresh and --resume, which both go on', async ({
    start,
    run,
    folder,
  }) => {
    await (await start(['--port', '0'])).stop()
    await writeFile(join(folder, 'world.json'), world())
    const args = ['--port', '0', '--fixtures', 'world.json']
    expectRefusal(await run(args), 2, /--fresh/, /--resume/)

    const resumed = await start([...args, '--resume'])
    expect((await courses(resumed.url, 'key_acme')).status).toBe(200)
    await resumed.stop()
    const fresh = await start([...args, '--fresh'])
    expect((await courses(fresh.url, 'key_solo')).status).toBe(200)
    expect((await courses(fresh.url, 'key_acme')).status).toBe(401)
    expect(existsSync(join(folder, '.mockademy', 'store.json.old-1'))).toBe(true)
  })

  test('--fresh and --resume exclude each other', async ({ run }) => {
    expectRefusal(await run(['--fresh', '--resume']), 2, /fresh/)
  })

  test('memory keeps nothing', async ({ start, folder }) => {
    const { stdout, stop } = await start(['--port', '0', '--store', 'memory'])
    expect(stdout()).toContain('in memory')
    await stop()
    expect(existsSync(join(folder, '.mockademy'))).toBe(false)
  })

  test('may be named by a fixture', async ({ start, folder }) => {
    await writeFile(join(folder, 'world.json'), world({ settings: { store: 'kept/here.json', port: 0 } }))
    await start(['--fixtures', 'world.json'])
    expect(existsSync(join(folder, 'kept', 'here.json'))).toBe(true)
  })
})

describe('the end', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)('%s ends it with status 0', async (signal, { start }) => {
    const { stop } = await start(['--port', '0'])
    expect(await stop(signal)).toMatchObject({ status: 0, signal: null, stderr: '' })
  })

  test('comes at once, whatever connections are open: it waits for no timer', async ({ start, folder }) => {
    // Timers of a second and more never end, so neither does a stop that needs one; the machine may be as slow as it likes.
    const timers = join(folder, 'timers.cjs')
    const never = '{ ref() { return this }, unref() { return this } }'
    await writeFile(
      timers,
      `const own = setTimeout\nglobalThis.setTimeout = (end, ms, ...rest) => ms < 1000 ? own(end, ms, ...rest) : ${never}\n`,
    )
    const { url, stop } = await start(['--port', '0'], { env: { NODE_OPTIONS: `--require ${timers}` } })
    const { port } = new URL(url)
    const idle = connect(Number(port), '127.0.0.1')
    const half = connect(Number(port), '127.0.0.1')
    half.write('POST /v0/elements HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{')
    const dropped = Promise.all([idle, half].map((socket) => new Promise((gone) => socket.resume().on('close', gone))))
    await fetch(`${url}/healthz`)
    expect(await stop('SIGINT')).toMatchObject({ status: 0 })
    await dropped
  })
})

describe('--worlds', () => {
  test('opens one world on each port, with stores of their own', async ({ start, folder }) => {
    const { stdout, url } = await start(['--port', '0', '--worlds', '3', '--log'])
    const urls = [...stdout().matchAll(/^World \d +(http:\S+)\/v0$/gm)].map(([, found]) => found as string)
    expect(new Set(urls).size).toBe(3)
    expect(urls[0]).toBe(url)
    await send(`${urls[0]}/_admin/organizations`, { body: { slug: 'hooli', name: 'Hooli' } })
    expect((await send(`${urls[1]}/_admin/organizations/hooli`)).status).toBe(404)
    await send(`${urls[1]}/v0/courses`, { as: 'key_acme' })
    await expect.poll(stdout).toMatch(/^1 .* GET +\/v0\/courses/m)
    const { body } = await send(`${urls[2]}/_admin`)
    expect(body.worlds).toEqual(urls.map((world, index) => ({ index, url: world })))
    for (const index of [0, 1, 2]) expect(existsSync(join(folder, '.mockademy', `store.${index}.json`))).toBe(true)
  })

  test('uses the ports from --port on, and starts none when one is taken', async ({ start, run, folder }) => {
    const free = await freePort(3)
    const [first, second] = [free + 1, free + 2]
    const { stdout, stop } = await start(['--port', String(first), '--worlds', '2', '--store', 'memory'])
    expect(stdout()).toContain(`http://127.0.0.1:${first}/v0`)
    expect(stdout()).toContain(`http://127.0.0.1:${second}/v0`)
    const refused = await run(['--port', String(free), '--worlds', '2', '--store', 'store.json'])
    expectRefusal(refused, 1, new RegExp(`${first}.* in use`))
    // Without the lock of a store that is open.
    expect(await readdir(folder)).toEqual(['store.0.json'])
    await expect(fetch(`http://127.0.0.1:${free}/healthz`)).rejects.toThrow()
    await stop()
  })
})

describe('--https', () => {
  test('serves https://localhost with a certificate of the local authority', async ({ start, run, folder }) => {
    const { url, stdout } = await start(['--port', '0', '--https', '--store', 'memory'])
    expect(url).toMatch(/^https:\/\/localhost:\d+$/)
    const line = /curl .*$/m.exec(stdout())?.[0] as string
    const answer = JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8', stdio: 'pipe' }))
    expect(answer.error).toBeNull()

    const { stdout: file } = await run(['ca'])
    expect(file.trim()).toBe(join(folder, 'data', 'mockademy', 'authority', 'ca.pem'))
    expect(await run(['ca', '--print'])).toMatchObject({ status: 0, stdout: await readFile(file.trim(), 'utf8') })
    expect(await run(['wait', '--url', url])).toMatchObject({ status: 0, stderr: '' })
  })

  test.for([['start', '--port', '0', '--https', '--store', 'memory'], ['ca']])(
    'names XDG_DATA_HOME where the authority cannot be kept: %s',
    async (args, { run, folder }) => {
      await writeFile(join(folder, 'file'), '')
      const answer = await run(args, { env: { XDG_DATA_HOME: join(folder, 'file') } })
      expectRefusal(answer, 1, /authority cannot be kept in .*file.mockademy.authority .*Set XDG_DATA_HOME to a folder/)
    },
  )
})
